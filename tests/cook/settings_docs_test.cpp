// What the docs say about settings is what the program's tables say, word by word; scripts/settings-docs.sh writes it.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sinew/base/file.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/methods.h"
#include "sinew/cook/mixed/mixed_settings.h"
#include "sinew/cook/rig_space/rig_space_settings.h"
#include "sinew/deform/acting_settings.h"
#include "sinew/files/settings_docs.h"
#include "sinew/files/settings_json.h"
#include "tests/deform/changed_setting.h"

namespace sinew {
namespace {

std::string page(const std::string& name) { return read_text_file(SINEW_SOURCE_DIR "/docs/" + name); }

template <class Struct>
std::string schema(const char* method) {
  return table_schema(settings_of(Struct()), method);
}

TEST(SettingsDocs, PublishedSchemasAreTheTables) {
  EXPECT_EQ(page("flesh_settings.schema.json"), schema<FleshSettings>("flesh"));
  EXPECT_EQ(page("mixed_settings.schema.json"), schema<MixedSettings>("mixed"));
  EXPECT_EQ(page("rig_space_settings.schema.json"), schema<RigSpaceSettings>("rigspace"));
}

// Between the lines that mark it.
std::string shown_table(const std::string& method) {
  const std::string text = page("settings.md"), begin = "<!-- settings of " + method + " -->\n";
  const std::size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find("<!-- end -->", from) - from);
}

TEST(SettingsDocs, TablesOfThePageAreTheTables) {
  for (const auto& method : all_methods()) {
    const ConstSettings settings = method->settings();
    // What acts on all methods alike is described with the method flesh.
    if (settings.table.size() == 1 && settings.table[0].key == std::string("ground")) continue;
    EXPECT_EQ(shown_table(method->name()), table_markdown(settings)) << method->name();
  }
}

// Every setting in turn, changed: it is written, read back, and is the only one that differs.
template <class Struct>
void expect_read_back() {
  std::set<std::string> keys;
  for (const Setting& setting : table_of<Struct>()) {
    Struct changed, read;
    EXPECT_TRUE(keys.insert(setting.key).second) << setting.key << " is there twice";
    EXPECT_NE(std::string(setting.help), "") << setting.key;
    test::change(setting, settings_of(changed));
    const std::string text = settings_json(changed);
    EXPECT_NE(text, settings_json(Struct())) << setting.key;
    // A collider has no radius until it gets one.
    if (std::holds_alternative<SettingList>(setting.value)) continue;
    read_table(settings_of(read), text, "settings.json");
    EXPECT_EQ(settings_json(read), text) << setting.key;
  }
}

TEST(SettingsJson, EverySettingReadsBack) {
  expect_read_back<FleshSettings>();
  expect_read_back<MixedSettings>();
  expect_read_back<RigSpaceSettings>();
  expect_read_back<JointSettings>();
  expect_read_back<GrabSettings>();
  expect_read_back<BeltSettings>();
  expect_read_back<LoadSettings>();
}

// What is far from any setting gets no guess.
TEST(SettingsJson, UnknownKeysGetTheNearestOne) {
  const auto said = [](const std::string& text) {
    try {
      settings_from_json<MixedSettings>(text, "mixed.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(
      said(R"({"yuong": 1})"),
      "mixed.json: 'yuong' is not a setting: did you mean 'young'? `sinew settings` writes a file with all of them.");
  EXPECT_EQ(said(R"({"xylophone": 1})"),
            "mixed.json: 'xylophone' is not a setting; `sinew settings` writes a file with all of them.");
}

}  // namespace
}  // namespace sinew
