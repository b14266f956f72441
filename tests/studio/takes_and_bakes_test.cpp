// Takes that are recorded and bakes of them, compared with the bytes of the command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/files/settings_json.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "tests/jobs/method_values.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

TEST_F(StudioSession, ATakeIsBakedToTheBytesOfTheCommandLine) {
  ask("set", {{"path", "look"}, {"value", "lively"}});
  ask("paint", {{"channel", "stiffness"}, {"values", {{0, 2.0}, {1, 2.0}}}});
  ask("take", {{"action", "record"}, {"name", "poked"}});
  page_->frame();
  ask("poke", {{"at", {300, 0.3, 0.3}}, {"force", {0, 0, 5}}, {"seconds", 0.1}, {"radius", 0.1}});
  for (ReadFrame now = page_->frame(); now.elapsed < 0.3;) now = page_->frame();
  ask("take", {{"action", "stop"}});
  Json now = state();
  ASSERT_EQ(now["takes"].size(), 1u);
  EXPECT_EQ(now["takes"][0]["name"], "poked");
  EXPECT_EQ(now["takes"][0]["actions"], 1);
  const Json answer = ask("bake", {{"output", "out.glb"}, {"take", "poked"}});
  EXPECT_TRUE(answer["command"].get<std::string>().starts_with(
      "sinew animate out.painted.glb -o out.glb --settings out.settings.json --take out.take.json --range 0 "));
  const Json baked = page_->event("baked");
  EXPECT_EQ(baked["files"][0]["name"], "out.glb");

  AnimateJob job;  // what the command's words say
  job.input = folder_ / "out.painted.glb";
  job.output = folder_ / "again.glb";
  test::flesh(job.method) =
      settings_from_json<FleshSettings>(read_text_file(folder_ / "out.settings.json"), "settings");
  job.take = folder_ / "out.take.json";
  job.clip = now["takes"][0]["clip"];
  job.begin = 0;
  job.end = now["takes"][0]["seconds"].get<double>();
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "out.glb"), bytes_of(folder_ / "again.glb"));

  // A part of it, from where the clip is then.
  ask("take", {{"action", "trim"}, {"name", "poked"}, {"from", 0.125}, {"seconds", 0.25}});
  const Json part = state()["takes"][0];
  EXPECT_EQ(part["begin"], 0.125);
  EXPECT_EQ(part["seconds"], 0.125);
  const Json again = ask("bake", {{"output", "part.glb"}, {"take", "poked"}});
  EXPECT_NE(again["command"].get<std::string>().find(" --range 0.125 0.25"), std::string::npos) << again["command"];
  page_->event("baked");
  job.take = folder_ / "part.take.json";
  job.input = folder_ / "part.painted.glb";
  job.begin = 0.125;
  job.end = 0.25;
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "part.glb"), bytes_of(folder_ / "again.glb"));
  const HttpAnswer served = http(studio_->port(), "GET", "/output/out.glb?token=" + studio_->token());
  EXPECT_EQ(served.body, bytes_of(folder_ / "out.glb"));

  const Character painted = read_character(folder_ / "out.painted.glb");
  ASSERT_FALSE(painted.parts[0].fields[field("stiffness")].empty());
  EXPECT_EQ(*std::max_element(painted.parts[0].fields[field("stiffness")].begin(),
                              painted.parts[0].fields[field("stiffness")].end()),
            2.0);
}

TEST_F(StudioSession, ATakeHoldsThePoseAndIsBakedToTheBytesOfTheCommandLine) {
  int joint = -1;
  for (std::size_t j = 0; j < state_["character"]["joints"].size(); ++j)
    if (state_["character"]["joints"][j]["name"] == "lower") joint = static_cast<int>(j);
  ASSERT_GE(joint, 0);
  const auto turn = [&](double sine) {
    ask("pose", {{"joints", {{std::to_string(joint), {0.0, 0.0, sine, std::sqrt(1 - sine * sine)}}}}});
  };
  ask("gravity", {{"value", {0, -3, 0}}});
  turn(0.2);
  ask("take", {{"action", "record"}, {"name", "posed"}});
  for (ReadFrame now = page_->frame(); now.elapsed < 0.2;) now = page_->frame();
  turn(0.4);
  ask("carry", {{"by", {0.1, 0, 0}}});
  ask("tissue", {{"stiffness", 2.0}, {"damping", 0.5}});
  for (ReadFrame now = page_->frame(); now.elapsed < 0.4;) now = page_->frame();
  ask("unpose", {{"joints", {joint}}});
  ask("gravity", {{"value", nullptr}});
  EXPECT_TRUE(state()["gravity"].is_null());
  EXPECT_EQ(state()["tissue"], Json({{"stiffness", 2.0}, {"damping", 0.5}}));
  for (ReadFrame now = page_->frame(); now.elapsed < 0.6;) now = page_->frame();
  ask("take", {{"action", "stop"}});
  ask("bake", {{"output", "out.glb"}, {"take", "posed"}});
  page_->event("baked");
  const Json take = Json::parse(read_text_file(folder_ / "out.take.json"));
  std::vector<std::string> done;
  for (const Json& action : take["actions"]) done.push_back(action["do"]);
  EXPECT_EQ(done, (std::vector<std::string>{"gravity", "turn", "turn", "carry", "stiffness", "damping", "unturn",
                                            "own_gravity"}));

  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "again.glb";
  test::flesh(job.method) =
      settings_from_json<FleshSettings>(read_text_file(folder_ / "out.settings.json"), "settings");
  job.take = folder_ / "out.take.json";
  const Json recorded = state()["takes"][0];
  job.clip = recorded["clip"];
  job.begin = 0;
  job.end = recorded["seconds"].get<double>();
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "out.glb"), bytes_of(folder_ / "again.glb"));
  job.take.clear();
  animate_file(job);
  EXPECT_NE(bytes_of(folder_ / "out.glb"), bytes_of(folder_ / "again.glb"));

  // Played back, the joint turns as it did; afterwards the character is where the user left it.
  ask("take", {{"action", "play"}, {"name", "posed"}});
  EXPECT_EQ(state()["take"]["doing"], "playing");
  while (!state()["take"].is_null()) page_->frame();
  EXPECT_EQ(state()["carried"], Json({0.1, 0, 0}));

  // Stopped amid it, nothing of the take stays.
  ask("unpose");
  ask("take", {{"action", "play"}, {"name", "posed"}});
  for (ReadFrame now = page_->frame(); now.elapsed > 0.35 || now.elapsed < 0.25;) now = page_->frame();
  ask("take", {{"action", "stop"}});
  const ReadFrame stopped = page_->settled();
  const Character tube = read_character(folder_ / "tube.glb");
  const Pose own = sample(tube.skeleton, &tube.clips[0], stopped.clip_time);
  EXPECT_LT(frobenius_norm(stopped.joints[static_cast<std::size_t>(joint)].linear -
                           own.world[static_cast<std::size_t>(joint)].linear),
            1e-3);
  EXPECT_TRUE(page_->ask("tissue", {{"stiffness", 0}}).contains("error"));
  EXPECT_TRUE(page_->ask("tissue", {{"damping", "soft"}}).contains("error"));
}

// A bake replaces its own files; it does not replace, unasked, those of another character's bake or of somebody else.
TEST_F(StudioSession, ABakeReplacesNothingUnasked) {
  write_text_file(folder_ / "out.settings.json", "somebody's own");
  const Json refused = page_->ask("bake", {{"output", "out.pc2"}});
  EXPECT_TRUE(refused.contains("error"));
  EXPECT_EQ(refused["in_the_way"], Json({"out.settings.json"}));
  EXPECT_EQ(read_text_file(folder_ / "out.settings.json"), "somebody's own");
  ask("bake", {{"output", "out.pc2"}, {"replace", true}});
  EXPECT_EQ(page_->event("baked")["files"][0]["name"], "out.pc2");
  ask("bake", {{"output", "out.pc2"}});
  page_->event("baked");
}

TEST_F(StudioSession, ABakeThatIsStoppedLeavesNothing) {
  ask("bake", {{"output", "out.pc2"}});
  ask("cancel");
  EXPECT_EQ(page_->event("failed")["what"], "baking");
  EXPECT_FALSE(fs::exists(folder_ / "out.settings.json"));
  EXPECT_FALSE(fs::exists(folder_ / "out.pc2"));
}

}  // namespace
