// Motion of other files in the studio: carried over, played, undone, kept, and baked to the bytes of the command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/files/settings_json.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/motion/add_motions.h"
#include "studio/server/cook/job_inputs.h"
#include "tests/contract/glb.h"
#include "tests/jobs/method_values.h"
#include "tests/jobs/open_with_motions.h"
#include "tests/jobs/walking_bvh.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

std::vector<std::string> names_of(const Json& clips) {
  std::vector<std::string> names;
  for (const Json& clip : clips) names.push_back(clip["name"]);
  return names;
}

// A studio with the sumo, who has lost his clips.
class StudioMotion : public StudioInFolder {
 protected:
  StudioMotion() {
    const fs::path file = copy_sample("sumo.glb", 300);
    const GltfDocument document = read_gltf_document(file);
    Json json = *document.json;
    json.erase("animations");
    const auto bytes = document.buffers.at(0);
    write_glb(file, json, {bytes.begin(), bytes.end()});
    begin_with(file);
  }

  // Sends a walk as a page does.
  void send_walk() {
    const HttpAnswer answer =
        http(studio_->port(), "POST", "/motion?name=walk.bvh&token=" + studio_->token(), "", walking_bvh());
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(Json::parse(answer.body)["file"], "walk.bvh");
  }
};

TEST_F(StudioMotion, IsAddedPlayedUndoneAndKept) {
  EXPECT_TRUE(state_["clips"].empty());
  EXPECT_EQ(state_["play"]["clip"], "");
  ask("motion", {{"action", "add"}, {"motion", "test:nod"}});
  Json now = state();
  EXPECT_EQ(names_of(now["clips"]), std::vector<std::string>{"nod"});
  EXPECT_EQ(now["clips"][0]["motion"], "test:nod");
  EXPECT_EQ(now["play"]["clip"], "nod");
  EXPECT_EQ(now["play"]["playing"], true);
  EXPECT_EQ(now["history"]["what"], "motion");
  EXPECT_EQ(now["character"]["number"], state_["character"]["number"]);
  const Json told = page_->event("changed");
  EXPECT_TRUE(told.contains("history"));

  send_walk();
  ask("motion", {{"action", "add"}, {"motion", "walk.bvh"}});
  now = state();
  EXPECT_EQ(names_of(now["clips"]), (std::vector<std::string>{"nod", "walk"}));
  EXPECT_EQ(now["play"]["clip"], "walk");
  ASSERT_EQ(now["motions"].size(), 2u);
  EXPECT_EQ(now["motions"][1]["motion"], "walk.bvh@walk");
  const std::string lines = now["motions"][1]["lines"].dump();
  for (const char* said : {"walk: feet stand", "first step", "walk.bvh: carried over by names", "centimetres"})
    EXPECT_NE(lines.find(said), std::string::npos) << said << lines;

  // It plays: the body goes along.
  const ReadFrame first = page_->frame();
  ReadFrame later = page_->frame();
  while (later.clip_time < first.clip_time + 0.3 && later.clip_time >= first.clip_time) later = page_->frame();
  double moved = 0;
  for (std::size_t v = 0; v < first.positions.size(); ++v)
    moved = std::max(moved, distance(first.positions[v], later.positions[v]));
  EXPECT_GT(moved, 0.02);

  // What is there already only plays.
  ask("motion", {{"action", "add"}, {"motion", "test:nod"}});
  now = state();
  EXPECT_EQ(now["play"]["clip"], "nod");
  EXPECT_EQ(now["history"]["undo"], 2);

  ask("play", {{"clip", "walk"}});
  ask("undo");
  now = state();
  EXPECT_EQ(names_of(now["clips"]), std::vector<std::string>{"nod"});
  EXPECT_EQ(now["play"]["clip"], "nod");
  ask("undo");
  now = state();
  EXPECT_TRUE(now["clips"].empty());
  EXPECT_EQ(now["play"]["clip"], "");
  ask("redo");
  ask("redo");
  EXPECT_EQ(names_of(state()["clips"]), (std::vector<std::string>{"nod", "walk"}));
  ask("motion", {{"action", "remove"}, {"motion", "test:nod"}});
  EXPECT_EQ(names_of(state()["clips"]), std::vector<std::string>{"walk"});
  ask("undo");

  // What is on disk a second later is all of it, whatever happens to the program.
  const std::string kept = saved("sumo.studio.json");
  EXPECT_EQ(Json::parse(kept)["motions"], (Json{"test:nod", "walk.bvh@walk"}));
  begin_with(folder_ / "sumo.glb");
  EXPECT_EQ(names_of(state_["clips"]), (std::vector<std::string>{"nod", "walk"}));
  EXPECT_EQ(state_["play"]["clip"], "nod");
  EXPECT_EQ(state_["history"]["undo"], 2);
  ask("undo");
  EXPECT_EQ(names_of(state()["clips"]), std::vector<std::string>{"nod"});
  ask("redo");

  // A file that is gone is said, and the rest opens.
  saved("sumo.studio.json");
  studio_.reset();
  fs::remove(folder_ / "walk.bvh");
  begin_with(folder_ / "sumo.glb");
  EXPECT_EQ(names_of(state_["clips"]), std::vector<std::string>{"nod"});
  EXPECT_NE(state_["character"]["notes"].dump().find("motion 'walk.bvh@walk' is left out"), std::string::npos)
      << state_["character"]["notes"];
}

TEST_F(StudioMotion, IsBakedToTheBytesOfTheCommandLine) {
  send_walk();
  ask("motion", {{"action", "add"}, {"motion", "walk.bvh@walk"}});
  ask("motion", {{"action", "add"}, {"motion", "test:nod"}});
  for (const bool painted : {false, true}) {
    if (painted) ask("paint", {{"channel", "stiffness"}, {"values", {{0, 2.0}, {1, 2.0}}}});
    const Json answer =
        ask("bake", {{"output", "out.glb"}, {"clip", "walk"}, {"from", 0}, {"to", 0.2}, {"replace", painted}});
    const std::string command = answer["command"], input = painted ? "out.painted.glb" : "sumo.glb";
    EXPECT_EQ(command, "sinew animate " + input +
                           " -o out.glb --motion walk.bvh@walk --motion test:nod --settings out.settings.json --range "
                           "0 0.2 --clip walk");
    const Json baked = page_->event("baked");
    EXPECT_EQ(baked["report"]["clips"][0]["motion"]["source"].get<std::string>(), (folder_ / "walk.bvh").string());
    AnimateJob job;
    job.input = folder_ / input;
    job.output = folder_ / "again.glb";
    test::flesh(job.method) =
        settings_from_json<FleshSettings>(read_text_file(folder_ / "out.settings.json"), "settings");
    job.motions = {(folder_ / "walk.bvh").string() + "@walk", "test:nod"};
    job.clip = "walk";
    job.begin = 0;
    job.end = 0.2;
    animate_file(job);
    EXPECT_EQ(bytes_of(folder_ / "out.glb"), bytes_of(folder_ / "again.glb"));
    const Character written = read_character(folder_ / "out.glb");
    ASSERT_EQ(written.clips.size(), 2u);
    EXPECT_EQ(written.clips[0].name, "walk");
    EXPECT_GT(written.parts.at(0).targets.size(), 0u);
  }
}

// While motion is added or removed, what plays has other clips than the project.
TEST_F(StudioMotion, ABakeWaitsForTheMotion) {
  const int add = page_->say("motion", {{"action", "add"}, {"motion", "test:jump"}});
  EXPECT_EQ(refused("bake", {{"output", "o.glb"}}), "This motion is still being added.");
  EXPECT_FALSE(page_->answer_to(add).contains("error"));
  const int remove = page_->say("motion", {{"action", "remove"}, {"motion", "test:jump"}});
  EXPECT_EQ(refused("bake", {{"output", "o.glb"}}), "This motion is still being removed.");
  EXPECT_FALSE(page_->answer_to(remove).contains("error"));
  // The place in the list of what is asked for is not yet its place among what plays.
  ask("motion", {{"action", "add"}, {"motion", "test:jump"}});
  ask("motion", {{"action", "add"}, {"motion", "test:turn"}});
  const int again = page_->say("motion", {{"action", "remove"}, {"motion", "test:jump"}});
  ask("motion", {{"action", "add"}, {"motion", "test:turn"}});
  EXPECT_FALSE(page_->answer_to(again).contains("error"));
  EXPECT_EQ(state()["play"]["clip"], "turn");
}

TEST_F(StudioMotion, OnlyMotionThatAnActAddsBeginsToPlay) {
  for (const char* motion : {"test:jump", "test:turn", "test:nod"}) {
    ask("motion", {{"action", "add"}, {"motion", motion}});
    EXPECT_EQ("test:" + state()["play"]["clip"].get<std::string>(), motion);
  }
  ask("play", {{"clip", "turn"}});
  ask("motion", {{"action", "remove"}, {"motion", "test:jump"}});
  EXPECT_EQ(state()["play"]["clip"], "turn");
  ask("undo");
  EXPECT_EQ(names_of(state()["clips"]), (std::vector<std::string>{"jump", "turn", "nod"}));
  EXPECT_EQ(state()["play"]["clip"], "turn");
  ask("motion", {{"action", "remove"}, {"motion", "test:nod"}});
  ask("undo");
  EXPECT_EQ(state()["play"]["clip"], "turn");
  // An act behind the one that adds it takes nothing away from it.
  const int add = page_->say("motion", {{"action", "add"}, {"motion", "test:stomp"}});
  ask("set", {{"path", "look"}, {"value", "lively"}});
  page_->answer_to(add);
  EXPECT_EQ(state()["play"]["clip"], "stomp");
}

// A file of motion that is deleted while the character plays it.
TEST_F(StudioMotion, ALostFileBlocksNothingElse) {
  send_walk();
  ask("motion", {{"action", "add"}, {"motion", "test:nod"}});
  ask("motion", {{"action", "add"}, {"motion", "walk.bvh"}});
  fs::remove(folder_ / "walk.bvh");
  // It plays on, and other edits are made and undone.
  ask("set", {{"path", "look"}, {"value", "lively"}});
  ask("undo");
  ask("redo");
  EXPECT_EQ(names_of(state()["clips"]), (std::vector<std::string>{"nod", "walk"}));
  ask("motion_picture", {{"motion", "test:jump"}});
  const std::string gone = refused("motion", {{"action", "add"}, {"motion", "test:jump"}});
  EXPECT_NE(gone.find("walk.bvh: cannot be found"), std::string::npos) << gone;
  EXPECT_EQ(state()["history"]["undo"], 3);
  ask("motion", {{"action", "remove"}, {"motion", "walk.bvh@walk"}});
  EXPECT_EQ(names_of(state()["clips"]), std::vector<std::string>{"nod"});
  // Undo leaves it out with a sentence, and goes on to what was before.
  page_->events.clear();
  ask("undo");
  const std::string told = page_->event("failed")["error"];
  EXPECT_NE(told.find("walk.bvh: cannot be found"), std::string::npos) << told;
  EXPECT_NE(told.find("The project's motion 'walk.bvh@walk' is left out."), std::string::npos) << told;
  EXPECT_EQ(names_of(state()["clips"]), std::vector<std::string>{"nod"});
  ask("motion", {{"action", "add"}, {"motion", "test:jump"}});
  ask("undo");
  for (int steps = state()["history"]["undo"]; steps > 0; --steps) ask("undo");
  EXPECT_TRUE(state()["clips"].empty());
  ask("redo");
  EXPECT_EQ(names_of(state()["clips"]), std::vector<std::string>{"nod"});
}

// The same after a restart.
TEST_F(StudioMotion, AFileLostBetweenSessionsBlocksNoUndo) {
  send_walk();
  ask("motion", {{"action", "add"}, {"motion", "walk.bvh"}});
  ask("motion", {{"action", "add"}, {"motion", "test:nod"}});
  ask("motion", {{"action", "remove"}, {"motion", "walk.bvh@walk"}});
  saved("sumo.studio.json");
  fs::remove(folder_ / "walk.bvh");
  begin_with(folder_ / "sumo.glb");
  EXPECT_EQ(state_["history"]["undo"], 3);
  for (int steps = 3; steps > 0; --steps) {
    ask("undo");
    EXPECT_EQ(state()["history"]["undo"], steps - 1);
  }
  for (int steps = 1; steps <= 3; ++steps) ask("redo");
  EXPECT_EQ(names_of(state()["clips"]), std::vector<std::string>{"nod"});
  EXPECT_NE(refused("motion", {{"action", "add"}, {"motion", "walk.bvh"}}).find("walk.bvh: cannot be found"),
            std::string::npos);
}

TEST_F(StudioMotion, ChoicesHavePictures) {
  send_walk();
  const Json choices = ask("motions");
  EXPECT_EQ(names_of(choices["built_in"]),
            (std::vector<std::string>{"jump", "shake", "turn", "nod", "stomp", "twist", "fall"}));
  ASSERT_EQ(choices["files"].size(), 1u);
  EXPECT_EQ(choices["files"][0]["file"], "walk.bvh");
  EXPECT_EQ(choices["files"][0]["choices"][0]["motion"], "walk.bvh@walk");
  const Json one = ask("motion_picture", {{"motion", "test:jump"}}),
             other = ask("motion_picture", {{"motion", "walk.bvh@walk"}});
  for (const Json& picture : {one, other})
    EXPECT_TRUE(picture["picture"].get<std::string>().starts_with("data:image/png;base64,iVBOR"));
  EXPECT_NE(one["picture"], other["picture"]);
  EXPECT_NEAR(other["seconds"].get<double>(), 1, 1e-3);
  EXPECT_TRUE(state()["clips"].empty());  // pictures add nothing
}

TEST_F(StudioMotion, RefusalsAreThoseOfTheProgram) {
  write_text_file(folder_ / "broken.bvh", "HIERARCHY\nROOT Hips\n{");
  write_text_file(folder_ / "notes.txt", "no motion");
  const auto of_program = [&](const std::string& motion) {
    AnimateJob job;
    job.input = folder_ / "sumo.glb";
    job.output = folder_ / "no.glb";
    job.motions = {motion};
    try {
      animate_file(job);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("it was accepted");
  };
  for (const std::string& motion : {std::string("test:hop"), (folder_ / "broken.bvh").string(),
                                    (folder_ / "notes.txt").string(), (folder_ / "sumo.glb").string()})
    EXPECT_EQ(refused("motion", {{"action", "add"}, {"motion", motion}}), of_program(motion));
  for (const char* motion : {"/etc/passwd.bvh", "../walk.bvh", "gone.bvh", ""})
    refused("motion", {{"action", "add"}, {"motion", motion}});
  refused("motion", {{"action", "dance"}, {"motion", "test:nod"}});
  refused("motion", {{"action", "remove"}, {"motion", "test:nod"}});
  const Json now = state();
  EXPECT_TRUE(now["clips"].empty());
  EXPECT_EQ(now["history"]["undo"], 0);
  // Refused motion takes nothing else away.
  ask("motion", {{"action", "add"}, {"motion", "test:nod"}});
  refused("motion", {{"action", "add"}, {"motion", "broken.bvh"}});
  EXPECT_EQ(names_of(state()["clips"]), std::vector<std::string>{"nod"});
  for (const char* name : {"walk.txt", "..bvh", "a/b.bvh", "walk.obj"})
    EXPECT_EQ(http(studio_->port(), "POST", std::string("/motion?token=") + studio_->token() + "&name=" + name, "",
                   walking_bvh())
                  .status,
              400)
        << name;
}

// Bones that are named by hand, where they were not found or others were.
TEST_F(StudioMotion, BonesAreNamedByHand) {
  write_text_file(folder_ / "wrong.json", R"({"character": {"head": "nonesuch"}})");
  write_text_file(folder_ / "damaged.json", R"({"hero": 3})");
  const Character sumo = read_character(folder_ / "sumo.glb");
  const auto head = std::find_if(sumo.skeleton.joints.begin(), sumo.skeleton.joints.end(),
                                 [](const Joint& joint) { return joint.name.find("head") != std::string::npos; });
  ASSERT_NE(head, sumo.skeleton.joints.end());
  write_text_file(folder_ / "bones.json", Json{{"character", {{"head", head->name}}}}.dump());
  refused("motion", {{"action", "map"}, {"motion", "damaged.json"}});
  ask("motion", {{"action", "add"}, {"motion", "test:nod"}});
  EXPECT_NE(refused("motion", {{"action", "map"}, {"motion", "wrong.json"}}).find("nonesuch"), std::string::npos);
  EXPECT_EQ(state()["motion_map"], "");
  ask("motion", {{"action", "map"}, {"motion", "bones.json"}});
  EXPECT_EQ(state()["motion_map"], "bones.json");
  const Json answer = ask("bake", {{"output", "out.glb"}, {"clip", "nod"}, {"from", 0}, {"to", 0.1}});
  EXPECT_NE(answer["command"].get<std::string>().find("--motion test:nod --motion-map bones.json"), std::string::npos)
      << answer;
  page_->event("baked");
  ask("undo");
  EXPECT_EQ(state()["motion_map"], "");
  ask("redo");
  saved("sumo.studio.json");
  begin_with(folder_ / "sumo.glb");
  EXPECT_EQ(state_["motion_map"], "bones.json");
  EXPECT_EQ(names_of(state_["clips"]), std::vector<std::string>{"nod"});
}

// Jobs that read the character's file, such as learning a model, get a copy with its motion.
TEST_F(StudioMotion, JobsGetACopyWithTheMotion) {
  const auto opened = std::make_shared<const OpenedCharacter>(
      open_with_motions(folder_ / "sumo.glb", {}, std::vector{motion_request("test:nod")}));
  const studio::JobInputs inputs{opened,
                                 std::make_shared<const SimulationSurface>(simulation_surface(opened->character)),
                                 folder_ / "sumo.glb",
                                 {}};
  const studio::JobFiles files = studio::job_files(inputs, "sumo.sinew", ".sinew");
  EXPECT_EQ(files.input, folder_ / "sumo.moving.glb");
  EXPECT_EQ(files.command("fit"), "sinew fit sumo.moving.glb -o sumo.sinew --settings sumo.settings.json");
  studio::write_job_files(inputs, files, "{}");
  const Character copy = read_character(files.input);
  ASSERT_EQ(copy.clips.size(), 1u);
  EXPECT_EQ(copy.clips[0].name, "nod");
  EXPECT_EQ(copy.clips[0].channels.size(), opened->character.clips[0].channels.size());
}

// A body without legs has no built-in motion.
TEST_F(StudioSession, ACharacterWithoutABodyIsRefusedMotion) {
  const std::string sentence = refused("motion", {{"action", "add"}, {"motion", "test:jump"}});
  EXPECT_NE(sentence.find("its hips and two legs were not found"), std::string::npos) << sentence;
  EXPECT_EQ(refused("motion_picture", {{"motion", "test:jump"}}), sentence);
  EXPECT_EQ(state()["history"]["undo"], 0);
}

TEST_F(StudioMotion, APushOnTheBodyBecomesAClip) {
  const Json push{{"at", {{"rest", {0.0, 1.3, 0.4}}}}, {"impulse", {0, 0, -250}}, {"clip_time", 0.3}};
  ask("motion", {{"action", "add"}, {"motion", "test:nod"}});
  ask("play", {{"clip", ""}});
  EXPECT_EQ(refused("push_body", push), "Choose a clip before you push the body.");
  ask("play", {{"clip", "nod"}});
  Json wrong = push;
  wrong["at"] = {999999, 0, 0};
  refused("push_body", wrong);

  ask("push_body", push);
  Json now = state();
  EXPECT_EQ(names_of(now["clips"]), (std::vector<std::string>{"nod", "nod, pushed"}));
  EXPECT_EQ(now["clips"][1]["motion"], "sumo.pushed.glb@nod, pushed");
  EXPECT_EQ(now["play"]["clip"], "nod, pushed");
  EXPECT_NEAR(now["clips"][1]["end"].get<double>(), 4.3, 0.02);
  EXPECT_EQ(now["history"]["what"], "push");

  // The file has the nodes and the motion alone, which is that of the library's reaction: backward.
  const GltfDocument document = read_gltf_document(folder_ / "sumo.pushed.glb");
  EXPECT_FALSE(document.json->contains("meshes"));
  EXPECT_FALSE(document.json->contains("skins"));
  const Character moves = character_from(document);
  ASSERT_EQ(moves.clips.size(), 1u);
  const auto& joints = moves.skeleton.joints;
  const auto chest = static_cast<std::size_t>(
      std::find_if(joints.begin(), joints.end(), [](const Joint& joint) { return joint.name == "chest"; }) -
      joints.begin());
  ASSERT_LT(chest, joints.size());
  const auto back = [&](double time) {
    return sample(moves.skeleton, &moves.clips[0], time).world[chest].translation.z * moves.metres_per_unit;
  };
  EXPECT_LT(back(0.6), back(0.3) - 0.05);

  ask("undo");
  EXPECT_EQ(names_of(state()["clips"]), std::vector<std::string>{"nod"});
  ask("redo");
  ask("play", {{"clip", "nod"}});
  ask("push_body", push);  // the file that is there stays
  now = state();
  EXPECT_EQ(now["clips"][2]["motion"], "sumo.pushed2.glb@nod, pushed (2)");
  const std::string kept = saved("sumo.studio.json");
  EXPECT_EQ(Json::parse(kept)["motions"].size(), 3u);
}

}  // namespace
