#include "sinew/files/handles_json.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/settings_fields.h"
#include "sinew/files/settings_json.h"

namespace sinew {

std::vector<HandleSettings> handles_from_json(std::string_view text, const std::string& file) {
  return settings_from_json<HandleList>(text, file).handles;
}

std::string handles_json(const std::vector<HandleSettings>& handles) {
  if (handles.empty()) return "";
  return settings_object(settings_of(HandleList{handles})).dump();
}

std::vector<HandleSettings> handles_of_setting(const std::string& setting) {
  if (setting.empty()) return {};
  return handles_from_json(setting.starts_with('{') ? setting : read_text_file(setting), handles_file(setting));
}

std::string handles_file(const std::string& setting) { return setting.starts_with('{') ? "handles" : setting; }

const char* handles_schema() {
  static const std::string schema = object_schema_text(settings_of(HandleList{}));
  return schema.c_str();
}

}  // namespace sinew
