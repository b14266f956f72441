// One call from a file, or from memory, to a character that lives.
#include "sinew/jobs/open_session.h"
#include "sinew/cook/methods.h"
#include "sinew/cook/rig_space/rig_space_method.h"
#include "sinew/deform/rig_controls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/character/choose_clip.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/deform/setting.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/motion/add_motions.h"
#include "sinew/rig/linear_blend.h"
#include "tests/base/refusal.h"
#include "tests/contract/glb.h"
#include "tests/deform/changed_setting.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"
#include "tests/jobs/open_with_motions.h"
#include "tests/jobs/walking_bvh.h"

namespace sinew {
namespace {

using test::refusal;
using test::sample_file;

SessionRequest quick(const std::string& method = "flesh") {
  SessionRequest request;
  request.method = method_named(method);
  test::set(request.method->settings(), "tetrahedra", method == "flesh" ? "800" : "600");
  test::set(request.method->settings(), "swing", "upper");
  return request;
}

std::vector<Vec3> shown(Session& session) {
  std::vector<Vec3> positions(session.scene().surface->rest.positions.size());
  session.surface(positions);
  return positions;
}

// What a host that calls each part by itself gets.
TEST(OpenSession, IsTheSceneAndClipMadeByHand) {
  const auto live = open_session(sample_file("tube.glb"), quick());
  const Character character = open_rigged_character(sample_file("tube.glb")).character;
  SessionRequest request = quick();
  const FleshSettings& settings = test::flesh(request.method);
  const Scene scene = flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings);
  EXPECT_EQ(live->scene().fingerprint, scene.fingerprint);
  Session session(character, scene, whole(character.clips[0], true));
  EXPECT_EQ(live->session().elapsed(), 0);
  EXPECT_EQ(shown(live->session()), shown(session));
  live->session().advance(0.3);
  session.advance(0.3);
  EXPECT_EQ(shown(live->session()), shown(session));
}

TEST(OpenSession, FromMemoryIsTheSameCharacter) {
  const std::vector<std::byte> file = read_file(sample_file("tube.glb"));
  const auto packed = open_session(file, "packed tube", quick());
  const auto live = open_session(sample_file("tube.glb"), quick());
  EXPECT_EQ(packed->character().file, "packed tube");
  packed->session().advance(0.2);
  live->session().advance(0.2);
  EXPECT_EQ(shown(packed->session()), shown(live->session()));
}

// It stands where the rig has the first frame of the chosen clip, whichever the method, and plays from there.
TEST(OpenSession, EveryMethodThatNeedsNoFileOfItsOwn) {
  for (const char* method : {"flesh", "mixed", "springs", "linear", "dualquat", "rigid"}) {
    SessionRequest request = quick(method);
    request.loop = false;
    const auto live = open_session(sample_file("tube.glb"), request);
    Session& session = live->session();
    EXPECT_EQ(live->scene().method, method);
    const double height = live->scene().height;
    session.advance(0);
    std::vector<Vec3> goal(live->scene().surface->rest.positions.size());
    session.goal(session.moment_at(0), goal);
    const std::vector<Vec3> first = shown(session);
    for (std::size_t v = 0; v < goal.size(); ++v) ASSERT_LE(distance(first[v], goal[v]), 0.1 * height) << method;
    session.advance(0.25);
    const std::vector<Vec3> later = shown(session);
    EXPECT_NE(later, first) << method;
    session.play(live->playback("", false));
    session.advance(0);
    EXPECT_EQ(shown(session), first) << method;
  }
}

// The rig's own controls are led by the clip, as in a bake.
TEST(OpenSession, RigSpaceKeepsTheClipsControls) {
  SessionRequest request = quick("rigspace");
  RigSpaceSettings& settings = request.method.as<RigSpaceMethod>().values;
  settings.free = {"upper.translation.*"};
  settings.tetrahedra = 500;
  settings.inside = InteriorVertices::equilibrium;
  settings.young = 3e4;
  const auto live = open_session(sample_file("tube.glb"), request);
  Session& session = live->session();
  const std::vector<Vec3> first = shown(session);
  session.advance(0.25);
  EXPECT_NE(shown(session), first);
  const Moment moment = session.moment_at(0.25);
  EXPECT_FALSE(moment.controls == session.moment_at(0).controls);
  // The bones are those that the controls pose.
  std::vector<Vec3> by_controls(first.size()), by_bones(first.size());
  session.scene().controls->rig->evaluate(moment.controls, by_controls);
  const SimulationSurface& surface = *session.scene().surface;
  linear_blend(surface.rest.positions, surface.influences, moment.bones, by_bones);
  for (std::size_t v = 0; v < first.size(); ++v) EXPECT_LT(distance(by_controls[v], by_bones[v]), 1e-12);
  settings.free = {"upper"};
  settings.reference = Reference::elastic;
  EXPECT_NE(refusal(ErrorKind::input, [&] { open_session(sample_file("tube.glb"), request); })
                .find("moves what is to be free"),
            std::string::npos);
}

// Motions of other files become the clips that the program makes of them, and flesh is cooked for these.
TEST(OpenSession, MotionsAreThoseOfTheProgram) {
  const std::filesystem::path folder = test::scratch_files(), walk = folder / "walk.bvh";
  std::ofstream(walk) << test::walking_bvh();
  SessionRequest request;
  test::flesh(request.method).tetrahedra = 300;
  request.motions = {walk.string(), "test:nod"};
  const auto live = open_session(sample_file("sumo.glb"), request);
  const OpenedCharacter opened =
      open_with_motions(sample_file("sumo.glb"), {}, motion_requests(request.motions), request.motion_map);
  const Character& character = live->character();
  ASSERT_EQ(character.clips.size(), opened.character.clips.size());
  ASSERT_EQ(character.clips.size(), read_character(sample_file("sumo.glb")).clips.size() + 2);
  for (std::size_t c = 0; c < character.clips.size(); ++c) {
    const Clip &a = character.clips[c], &b = opened.character.clips[c];
    EXPECT_EQ(a.name, b.name);
    ASSERT_EQ(a.channels.size(), b.channels.size());
    for (std::size_t k = 0; k < a.channels.size(); ++k) {
      EXPECT_EQ(a.channels[k].times, b.channels[k].times);
      EXPECT_EQ(a.channels[k].values, b.channels[k].values);
    }
  }
  const int clip = opened.motions.at(0).first;
  const Scene scene = cook(*request.method, {opened.character, {clip}});
  EXPECT_EQ(live->scene().fingerprint, scene.fingerprint);
  EXPECT_NE(scene.fingerprint, cook(*request.method, {open_rigged_character(sample_file("sumo.glb")).character, {0}})
                                   .fingerprint);  // the motion of all clips decides how soft it is

  // It plays the first motion, unless another clip is named.
  EXPECT_EQ(live->session().playback().clip->name, "walk");
  Session session(opened.character, scene, whole(opened.character.clips[static_cast<std::size_t>(clip)], true));
  live->session().advance(0.2);
  session.advance(0.2);
  EXPECT_EQ(shown(live->session()), shown(session));
  EXPECT_EQ(live->playback("nod", false).clip->name, "nod");
  const std::vector<std::string>& notes = live->notes();
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("walk.bvh: carried over by") != std::string::npos;
  }));

  request.motions = {"test:hop"};
  EXPECT_NE(refusal(ErrorKind::usage, [&] { open_session(sample_file("sumo.glb"), request); }).find("hop"),
            std::string::npos);
}

// The sumo with the first of his clips, and the clip that program and session play with a motion and --clip.
class ClipOfAMotion : public testing::Test {
 protected:
  ClipOfAMotion() {
    const GltfDocument document = read_gltf_document(sample_file("sumo.glb"));
    nlohmann::json json = *document.json;
    json["animations"].erase(json["animations"].begin() + 1, json["animations"].end());
    const auto bytes = document.buffers.at(0);
    test::write_glb(sumo_, json, {bytes.begin(), bytes.end()});
    std::ofstream(walk_) << test::walking_bvh();
  }
  // Both must have the same clips and flesh as soft. Returns the name of the clip that plays.
  std::string played(const std::filesystem::path& motion, const std::string& clip) const {
    AnimateJob job;
    test::flesh(job.method).tetrahedra = 300;
    SessionRequest request;
    request.method = job.method;
    job.input = sumo_;
    job.output = folder_ / "out.glb";
    job.motions = request.motions = {motion.string()};
    job.clip = request.clip = clip;
    job.end = 0.05;
    const RunReport report = animate_file(job).report;
    const auto live = open_session(sumo_, request);
    EXPECT_EQ(live->report().settings, report.settings);
    const Character written = read_character(job.output);
    EXPECT_EQ(clip_names(live->character()), clip_names(written));
    EXPECT_EQ(report.clips.size(), 1u);
    EXPECT_EQ(live->session().playback().clip->name, report.clips.at(0).name);
    return report.clips.at(0).name;
  }
  std::string refused_by_both(const std::filesystem::path& motion, const std::string& clip) const {
    const std::string sentence = refusal(ErrorKind::usage, [&] {
      SessionRequest request;
      request.motions = {motion.string()};
      request.clip = clip;
      open_session(sumo_, request);
    });
    AnimateJob job;
    job.input = sumo_;
    job.output = folder_ / "out.glb";
    job.motions = {motion.string()};
    job.clip = clip;
    EXPECT_EQ(refusal(ErrorKind::usage, [&] { animate_file(job); }), sentence);
    return sentence;
  }

  const std::filesystem::path folder_ = test::scratch_files(), sumo_ = folder_ / "sumo.glb",
                              walk_ = folder_ / "walk.bvh";
};

// A file of several clips gives the one that is named, and only that one decides how soft the flesh is.
TEST_F(ClipOfAMotion, IsTheOnlyOneThatIsAdded) {
  EXPECT_EQ(played(sample_file("sumo.glb"), "run_jump"), "run_jump");
  EXPECT_EQ(read_character(folder_ / "out.glb").clips.size(), 2u);
  EXPECT_EQ(played(sample_file("sumo.glb"), "#3"), "head_shake");
  EXPECT_EQ(played(sample_file("sumo.glb"), ""), "stomp (2)");
  EXPECT_EQ(read_character(folder_ / "out.glb").clips.size(), 4u);
}

TEST_F(ClipOfAMotion, MayBeTheCharactersOwn) {
  EXPECT_EQ(played(walk_, "stomp"), "stomp");
  EXPECT_EQ(read_character(folder_ / "out.glb").clips.size(), 2u);
  EXPECT_EQ(played("test:nod", "stomp"), "stomp");
  EXPECT_EQ(played(walk_, "Walk"), "walk");
  EXPECT_NE(played(sample_file("sumo.glb"), "stomp"), "stomp");  // the motion's clip goes first
  EXPECT_NE(refused_by_both(walk_, "dance").find("walk.bvh has no such clip"), std::string::npos);
  EXPECT_NE(refused_by_both("test:nod", "dance").find("has no such clip"), std::string::npos);
}

TEST(OpenSession, TellsWhatItDoesAndStops) {
  std::vector<ProgressReport> heard;
  open_session(sample_file("tube.glb"), quick(), [&](const ProgressReport& report) {
    heard.push_back(report);
    return true;
  });
  ASSERT_GE(heard.size(), 4u);
  EXPECT_EQ(heard.front().activity, "reading " + sample_file("tube.glb").string());
  EXPECT_EQ(heard.back().fraction, 1);
  for (std::size_t k = 1; k < heard.size(); ++k)
    EXPECT_GE(heard[k].fraction, heard[k - 1].fraction) << heard[k].activity;

  // At each of its reports.
  for (std::size_t stop_at = 0; stop_at < std::min<std::size_t>(heard.size(), 6); ++stop_at) {
    std::size_t reports = 0;
    EXPECT_THROW(
        open_session(sample_file("tube.glb"), quick(), [&](const ProgressReport&) { return reports++ < stop_at; }),
        Stopped);
  }
  std::stop_source source;
  std::size_t reports = 0;
  const auto stop_soon = [&](const ProgressReport&) {
    if (++reports == 3) source.request_stop();
    return true;
  };
  EXPECT_THROW(open_session(sample_file("tube.glb"), quick(), stop_soon, source.get_token()), Stopped);
  EXPECT_EQ(reports, 3u);
}

TEST(OpenSession, WhatCannotBeIsASentence) {
  const auto refused = [](ErrorKind kind, const char* words, const SessionRequest& request, const std::string& file) {
    const std::string sentence = refusal(kind, [&] { open_session(sample_file(file), request); });
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  };
  refused(ErrorKind::input, "missing.glb", quick(), "missing.glb");
  refused(ErrorKind::input, "README.md: is not a file that Sinew reads", quick(), "README.md");
  refused(ErrorKind::usage, "--model", quick("surface"), "tube.glb");
  SessionRequest request = quick();
  request.clip = "dance";
  refused(ErrorKind::usage, "tube.glb has no such clip", request, "tube.glb");
  request = quick();
  test::flesh(request.method).poisson = 0.7;
  refused(ErrorKind::usage, "poisson", request, "tube.glb");
  EXPECT_NE(refusal(ErrorKind::usage, [] { method_named("magic"); }).find("'magic' is not a method"),
            std::string::npos);
  const std::vector<std::byte> broken(100);
  EXPECT_NE(refusal(ErrorKind::input, [&] { open_session(broken, "pack/hero", quick()); }).find("pack/hero"),
            std::string::npos);
}

// Settings that a lattice meets better bring one, as in a bake, and the notes say so.
TEST(OpenSession, BringsALatticeWhereOneIsAskedFor) {
  SessionRequest request = quick();
  test::flesh(request.method).lattice.cells = 30;
  const auto live = open_session(sample_file("tube.glb"), request);
  const std::vector<std::string>& notes = live->notes();
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(),
                          [](const std::string& note) { return note.find("lattice_cells") != std::string::npos; }));
  EXPECT_GT(live->report().settings.count("cells"), 0u);
}

}  // namespace
}  // namespace sinew
