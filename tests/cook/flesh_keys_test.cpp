// Keys in a file of settings.
#include <gtest/gtest.h>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/files/keys_json.h"
#include "sinew/files/settings_json.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

// A file of settings holds them in place, and is written so again.
TEST(FleshKeys, SettingsHoldThemInPlace) {
  const std::string keys = R"({"clips": {"*": {"stiffness": [[0, 1], [0.5, 4]]}, "Jump": {"damping": [[0.25, 3]]}}})";
  const std::string text = R"({"keys": )" + keys + "}";
  const auto settings = settings_from_json<FleshSettings>(text, "settings.json");
  EXPECT_EQ(keys_of_setting(settings.keys).of("Jump")->damping.at(0), 3);
  EXPECT_EQ(settings_from_json<FleshSettings>(settings_json(settings), "settings.json").keys, settings.keys);
  EXPECT_EQ(settings_from_json<FleshSettings>(R"({"keys": "keys.json"})", "settings.json").keys, "keys.json");
  EXPECT_EQ(
      test::refusal(ErrorKind::input, [] { settings_from_json<FleshSettings>(R"({"keys": 3})", "settings.json"); }),
      "settings.json: 'keys' must be a text.");
}

}  // namespace
}  // namespace sinew
