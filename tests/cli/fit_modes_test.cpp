// `sinew fit --modes` as a user meets it: a bar that sways on one end.
#include <nlohmann/json.hpp>

#include <fstream>

#include "program.h"

namespace sinew::test {
namespace {

class FitModes : public ProgramTest {
 protected:
  // The lower half of the tube holds the upper one, which is stiff enough to stay within reach (docs/flesh.md): beyond
  // it flesh is no longer the linear body whose modes these are.
  std::vector<std::string> bar() const {
    std::ofstream(file("bar.json"))
        << R"({"limit": 10, "damping": 0.03, "bone_hold": 0, "core": 0.6, "tetrahedra": 3000,
                                           "young": 1.6e7, "joints": [{"joints": "upper", "core": 0}]})";
    return {"--settings", file("bar.json"), "--clip", "shake"};
  }
  Outcome run(std::vector<std::string> arguments, const std::vector<std::string>& more) const {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return sinew(arguments);
  }
  Outcome fit(const std::string& output, const std::vector<std::string>& more) const {
    return run({"fit", sample_file("tube.glb"), "-o", file(output), "--iterations", "2"}, more);
  }
  double distance(const std::string& a, const std::string& b) const {
    const Outcome compared = sinew({"compare", a, b, "--clip", "shake", "--fps", "60", "--json"});
    EXPECT_EQ(compared.exit_code, 0) << compared.err;
    return compared.exit_code == 0 ? nlohmann::json::parse(compared.out)["rms_percent_of_height"].get<double>() : 1e9;
  }
};

TEST_F(FitModes, ABarThatSwaysIsMuchNearerWithThem) {
  const std::vector<std::string> settings = bar();
  std::vector<std::string> animate{"animate", sample_file("tube.glb"), "-o", file("flesh.pc2"), "--fps", "60"};
  const Outcome flesh = run(animate, settings);
  ASSERT_EQ(flesh.exit_code, 0) << flesh.err;
  double left[2] = {};
  for (const int modes : {0, 3}) {
    std::vector<std::string> arguments = settings;
    arguments.insert(arguments.end(), {"--example", file("flesh.pc2"), "--fps", "60", "--modes", std::to_string(modes),
                                       "--report", file("fit.json")});
    const Outcome learned = fit("bar.sinew", arguments);
    ASSERT_EQ(learned.exit_code, 0) << learned.err;
    EXPECT_EQ(learned.out.find("modes of the body") != std::string::npos, modes > 0);
    const Outcome moved = sinew({"animate", sample_file("tube.glb"), "-o", file("model.pc2"), "--method", "surface",
                                 "--model", file("bar.sinew"), "--clip", "shake", "--fps", "60"});
    ASSERT_EQ(moved.exit_code, 0) << moved.err;
    left[modes > 0] = distance(file("model.pc2"), file("flesh.pc2"));
    // What was learned is what is played, and it is measured against the rig's own goal.
    const nlohmann::json report = nlohmann::json::parse(contents(file("fit.json")));
    const double rig = distance(sample_file("tube.glb"), file("flesh.pc2"));
    EXPECT_NEAR(100 * (1 - left[modes > 0] / rig), report["removed_percent"].get<double>(), 2);
  }
  EXPECT_LT(left[1], 0.7 * left[0]);
}

TEST_F(FitModes, ImpossibleWishesAreSentences) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& words) {
    const Outcome outcome = fit("out.sinew", more);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(file("out.sinew")));
  };
  refused({"--simulate", "--modes", "17"}, "--modes: must lie between 0 and 16");
  refused({"--simulate", "--modes", "-1"}, "--modes");
  refused({"--simulate", "--modes", "4", "--mode-coupling", "-2"}, "--mode-coupling");
  refused({"--simulate", "--mode-coupling", "1"}, "has no effect without modes");
}

}  // namespace
}  // namespace sinew::test
