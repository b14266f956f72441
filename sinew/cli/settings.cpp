#include <memory>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/method_options.h"
#include "sinew/cli/verbs.h"
#include "sinew/files/settings_docs.h"
#include "sinew/files/settings_json.h"

namespace sinew::cli {
namespace {

struct SettingsOptions {
  std::string file, form = "values";
  MethodOptions method;
};

std::string in_form(ConstSettings settings, const SettingsOptions& options) {
  if (options.form == "values") return table_json(settings);
  if (options.form == "schema") return table_schema(settings, options.method.name());
  if (options.form == "table") return table_markdown(settings);
  throw usage_error("--as: '" + options.form + "' is not one of values, schema, table.");
}

}  // namespace

void add_settings(CommandLine& line) {
  Verb& verb = line.add_verb("settings", "FILE", "Write the settings in force to a file (or -, the terminal)");
  const auto options = std::make_shared<SettingsOptions>();
  verb.options.add("FILE", options->file, "Settings file to write, or -").required();
  verb.options
      .add("--as FORM", options->form,
           "values (default), schema (JSON Schema of such files, for editors) or table (of all settings, in Markdown)")
      .advanced();
  options->method.add_to(verb.options);
  verb.action = [options] { write_text_file(options->file, in_form(options->method.method()->settings(), *options)); };
}

}  // namespace sinew::cli
