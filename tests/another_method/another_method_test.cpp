// A method is a folder and one line of registration: everything else asks the list.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "sinew/base/file.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/methods.h"
#include "sinew/jobs/open_session.h"
#include "studio/server/cook/method_settings.h"
#include "tests/another_method/sway_method.h"
#include "tests/cli/runs_a_program.h"

namespace sinew {
namespace {

using test::SwayMethod;

class AnotherMethod : public test::RunsAProgram {
 protected:
  AnotherMethod() : RunsAProgram(SINEW_PROGRAM_WITH_ANOTHER_METHOD) {}

  std::string said(const std::vector<std::string>& arguments) const {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }

  const std::string tube_ = test::sample_file("tube.glb");
};

bool names(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

TEST_F(AnotherMethod, IsInHelp) {
  const std::string help = said({"animate", "--help-all"});
  const std::string in_a_row = std::regex_replace(help, std::regex("\\s+"), " ");
  EXPECT_TRUE(names(in_a_row, "sway (the whole skin on one spring)")) << help;
  EXPECT_TRUE(names(help, "Sway:"));
  EXPECT_TRUE(names(help, "--sway-frequency"));
}

TEST_F(AnotherMethod, HasSettingsAsFileSchemaAndTable) {
  EXPECT_EQ(nlohmann::json::parse(said({"settings", "-", "--method", "sway", "--sway-damping", "0.5"})),
            nlohmann::json({{"sway_frequency", 2.0}, {"sway_damping", 0.5}}));
  EXPECT_TRUE(names(said({"settings", "-", "--method", "sway", "--as", "schema"}), "sway_frequency"));
  EXPECT_TRUE(
      names(said({"settings", "-", "--method", "sway", "--as", "table"}), "| `sway_frequency` | `--sway-frequency"));
}

TEST_F(AnotherMethod, IsChecked) {
  const nlohmann::json report = nlohmann::json::parse(said({"check", tube_, "--json"}));
  EXPECT_EQ(report["methods"].front(), "flesh");
  EXPECT_EQ(report["methods"].back(), "sway");
}

TEST_F(AnotherMethod, AnimatesAndReports) {
  const std::string out = file("sway.glb"), report = file("run.json");
  said({"animate", tube_, "-o", out, "--method", "sway", "--report", report, "--sway-frequency", "3"});
  const nlohmann::json run = nlohmann::json::parse(read_text_file(report));
  EXPECT_EQ(run["method"], "sway") << run;
  EXPECT_EQ(run["settings"]["sway-frequency"], 3);
  EXPECT_GT(run["quality"]["seen"].get<double>(), 0.001);
  const Outcome other = run_program({"animate", tube_, "-o", out, "--sway-frequency", "3"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(names(other.err, "--sway-frequency: is an option of the method sway, not of flesh"));
  EXPECT_TRUE(names(run_program({"animate", tube_, "-o", out, "--method", "sweigh"}).err, "rigid and sway"));
}

// In this process it is registered once, at the end of the list.
void register_once() {
  static const bool done = [] {
    register_method(SwayMethod());
    return true;
  }();
  (void)done;
}

TEST(AnotherMethodInTheStudio, IsPlayedAndDescribed) {
  register_once();
  EXPECT_EQ(studio::live_methods(true).back()->name(), std::string("sway"));
  const auto rows = studio::describe_settings(method_named("sway"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["key"], "sway_frequency");
  EXPECT_EQ(rows[0]["least"], 0.1);
  const std::string changed = studio::with_value("sway", "", "sway_damping", "1.5");
  const MethodChoice choice = studio::choice_from("sway", changed, studio::Folders({}));
  EXPECT_EQ(choice.as<SwayMethod>().values.damping, 1.5);
}

TEST(AnotherMethodInTheLibrary, IsCookedAgainOnlyWhereItMust) {
  const Character character = open_rigged_character(test::sample_file("tube.glb")).character;
  CookCache cache;
  SwayMethod sway;
  const int before = SwayMethod::preparations;
  const CookInput input{character, {}, false, {7, 0}};
  EXPECT_FALSE(sway.is_quick(input, cache));
  const Scene first = cook(sway, input, cache);
  sway.values.damping = 1;
  EXPECT_TRUE(sway.is_quick(input, cache));
  const Scene second = cook(sway, input, cache);
  EXPECT_EQ(SwayMethod::preparations, before + 1);
  EXPECT_NE(first.fingerprint, second.fingerprint);
  EXPECT_EQ(second.report.method, "sway");
  cook(sway, {character, {}, false, {8, 0}}, cache);
  EXPECT_EQ(SwayMethod::preparations, before + 2);
  Session session(character, second, whole(character.clips[0]));
  session.advance(0.2);
}

}  // namespace
}  // namespace sinew
