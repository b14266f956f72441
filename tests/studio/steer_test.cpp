// A character that is steered through the motion graph of its clips, with its flesh.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/graph/live_graph.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;

// A second in which the tube sways, most at its beginning; it goes on by so many metres.
Clip swaying(const std::string& name, double way) {
  Channel place{0, ChannelPath::translation, Interpolation::linear, {}, 3, {}};
  Channel sway{1, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
  constexpr int keys = 30;
  for (int k = 0; k <= keys; ++k) {
    const double share = static_cast<double>(k) / keys;
    for (Channel* channel : {&place, &sway}) channel->times.push_back(share);
    place.values.insert(place.values.end(), {0, 0, way * share});
    const double angle = 2 * std::numbers::pi * share, swing = (0.6 + 0.4 * std::cos(angle)) * std::sin(2 * angle);
    const Quat turn = axis_angle({1, 0, 0}, 0.25 * swing);
    sway.values.insert(sway.values.end(), {turn.x, turn.y, turn.z, turn.w});
  }
  return {name, {place, sway}, 0, 1};
}

class StudioSteering : public StudioInFolder {
 protected:
  StudioSteering() {
    const std::filesystem::path file = copy_sample("tube.glb", 200);
    OpenedCharacter opened = open_rigged_character(file);
    opened.character.clips.clear();
    append_clip(opened, swaying("stand", 0));
    append_clip(opened, swaying("go", 0.24));
    opened.document->json->at("animations")
        .erase(opened.document->json->at("animations").begin(), opened.document->json->at("animations").begin() + 3);
    GltfEdit edit(*opened.document);
    write_gltf_files(edit, file);
    begin_with(file);
  }

  // The middle of the flesh in the next frame.
  Vec3 middle() {
    const ReadFrame frame = page_->frame();
    Vec3 sum;
    for (const Vec3& p : frame.positions) sum += p;
    return sum / static_cast<double>(frame.positions.size());
  }
  // Frames until the flesh has moved so far, at most 20 s.
  Vec3 moved(double metres) {
    const Vec3 from = middle();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    Vec3 at = from;
    while (distance(at, from) < metres && std::chrono::steady_clock::now() < end) at = middle();
    EXPECT_GE(distance(at, from), metres);
    return at - from;
  }
};

TEST_F(StudioSteering, KeysLeadTheBodyAndItsFlesh) {
  EXPECT_EQ(state_["play"]["steered"], false);
  ask("play", {{"clip", "go"}});
  ask("steer", {{"action", "begin"}});
  Json now = state();
  EXPECT_EQ(now["play"]["steered"], true);
  EXPECT_EQ(now["play"]["playing"], true);
  EXPECT_TRUE(now["take"].is_null());
  ask("steer", {{"action", "go"}, {"turn", 0}, {"pace", 1}});
  const Vec3 straight = moved(0.3);
  EXPECT_GT(straight.z, 0.29);
  EXPECT_LT(std::abs(straight.x), 0.05);
  ask("steer", {{"action", "go"}, {"turn", 1}, {"pace", 1}});
  double aside = 0;
  for (int k = 0; k < 6; ++k) aside = std::max(aside, std::abs(moved(0.08).x));
  EXPECT_GT(aside, 0.06) << "it goes in a curve";
  // Flesh is acted on as ever.
  ask("grab", {{"name", "hand"}, {"at", {{"rest", {0.1, 0.9, 0}}}}});
  ask("release", {{"name", "hand"}});
  ask("steer", {{"action", "go"}, {"turn", 0}, {"pace", 0}});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  const Vec3 stood = middle();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(distance(middle(), stood), 0.05);
  ask("steer", {{"action", "end"}});
  now = state();
  EXPECT_EQ(now["play"]["steered"], false);
  EXPECT_EQ(now["play"]["clip"], "go");
  EXPECT_LT(distance(middle(), {0, 0.5, 0}), 0.35) << "the clip plays from its beginning";
}

TEST_F(StudioSteering, WhatCannotBeDoneMeanwhileIsSaid) {
  EXPECT_NE(refused("steer", {{"action", "go"}, {"turn", 0}, {"pace", 1}}).find("not steered now"), std::string::npos);
  ask("steer", {{"action", "end"}});
  for (const Json& wrong : {Json{{"action", "fly"}}, Json{{"action", "go"}, {"turn", 2}, {"pace", 1}},
                            Json{{"action", "go"}, {"turn", 0}}, Json{{"action", "go"}, {"turn", "left"}, {"pace", 1}},
                            Json{{"action", "begin"}, {"turn", 0}}, Json{{"action", 3}}, Json::object()})
    EXPECT_NE(refused("steer", wrong).find("steer: "), std::string::npos);

  ask("take", {{"action", "record"}, {"name", "a"}});
  EXPECT_NE(refused("steer", {{"action", "begin"}}).find("Stop recording"), std::string::npos);
  ask("take", {{"action", "stop"}});

  ask("steer", {{"action", "begin"}});
  EXPECT_NE(refused("take", {{"action", "record"}, {"name", "b"}}).find("not kept in takes"), std::string::npos);
  EXPECT_NE(refused("pose", {{"joints", {{"1", {0, 0, 0, 1}}}}}).find("end steering"), std::string::npos);
  EXPECT_NE(refused("carry", {{"by", {0, 1, 0}}}).find("end steering"), std::string::npos);
  EXPECT_NE(refused("beside", {{"method", "springs"}}).find("End steering"), std::string::npos);
  EXPECT_EQ(state()["play"]["steered"], true);

  // Settings act meanwhile; another method, another clip or a pause end it.
  ask("set", {{"path", "look"}, {"value", "lively"}});
  EXPECT_EQ(state()["play"]["steered"], true);
  ask("pause");
  EXPECT_EQ(state()["play"]["steered"], false);
  EXPECT_EQ(state()["play"]["playing"], false);
  for (const auto& [verb, more] : {std::pair<const char*, Json>{"play", {{"clip", "go"}}},
                                   {"scrub", {{"time", 0.2}}},
                                   {"take", {{"action", "play"}, {"name", "a"}}},
                                   {"method", {{"name", "springs"}}}}) {
    ask("steer", {{"action", "begin"}});
    EXPECT_EQ(state()["play"]["steered"], true) << verb;
    ask(verb, more);
    EXPECT_EQ(state()["play"]["steered"], false) << verb;
  }
  // Methods without memory follow as well.
  ask("method", {{"name", "linear"}});
  ask("steer", {{"action", "begin"}});
  ask("steer", {{"action", "go"}, {"turn", 0}, {"pace", 1}});
  EXPECT_GT(moved(0.2).z, 0.19);
  ask("open", {{"path", (folder_ / "tube.glb").string()}});
  EXPECT_EQ(state()["play"]["steered"], false);
}

// Whoever does not lead may come and go; without who leads, the body stands.
TEST_F(StudioSteering, OnlyThePageThatLeadsStopsItAsItLeaves) {
  const auto other = std::make_unique<PageClient>(studio_->port(), studio_->token());
  ASSERT_TRUE(other->joined());
  auto third = std::make_unique<PageClient>(studio_->port(), studio_->token());
  ASSERT_TRUE(third->joined());
  ask("steer", {{"action", "begin"}});
  ask("steer", {{"action", "go"}, {"turn", 0}, {"pace", 1}});
  moved(0.1);
  third.reset();
  EXPECT_GT(moved(0.8).z, 0.79);
  EXPECT_FALSE(other->ask("steer", {{"action", "go"}, {"turn", 0}, {"pace", 1}}).contains("error"));
  look();  // the page that led before leaves, and another comes
  EXPECT_GT(moved(0.8).z, 0.79);
  ask("steer", {{"action", "go"}, {"turn", 0}, {"pace", 1}});
  look();
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  const Vec3 stood = middle();
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  EXPECT_LT(distance(middle(), stood), 0.1);
}

// Undo and redo change the pose that is kept, and the body has it once keys no longer lead it.
TEST_F(StudioSteering, APoseWaitsForTheEnd) {
  const auto aside = [&] {
    double most = 0;
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1200);
         std::chrono::steady_clock::now() < end;)
      most = std::max(most, std::abs(middle().x));
    return most;
  };
  ask("play", {{"clip", "stand"}});
  ask("pose", {{"joints", {{"1", {0, 0, std::sin(0.5), std::cos(0.5)}}}}});
  const double posed = aside();
  EXPECT_GT(posed, 0.1);
  ask("undo");
  ask("steer", {{"action", "begin"}});
  ask("redo");
  EXPECT_EQ(state()["play"]["steered"], true);
  EXPECT_LT(aside(), 0.3 * posed);
  ask("steer", {{"action", "end"}});
  EXPECT_GT(aside(), 0.7 * posed);
  ask("steer", {{"action", "begin"}});
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  EXPECT_LT(aside(), 0.3 * posed);
  ask("undo");
  ask("steer", {{"action", "end"}});
  EXPECT_LT(aside(), 0.3 * posed);
}

// The sentence with which the tube is refused, if these are its clips.
std::string refused_with(const std::vector<Clip>& clips) {
  const auto opened = std::make_shared<OpenedCharacter>(open_rigged_character(sample_file("tube.glb")));
  opened->character.clips.clear();
  for (const Clip& clip : clips) append_clip(*opened, clip);
  try {
    make_live_graph(opened);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(StudioSteeringRefusals, ACharacterThatCannotStandIsNotSteered) {
  EXPECT_EQ(refused_with({swaying("stand", 0), swaying("go", 0.24)}), "");
  const std::string sentence = refused_with({swaying("go", 0.24)});
  EXPECT_NE(sentence.find("cannot be steered"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("none of its clips that lead into each other stands"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("add"), std::string::npos) << sentence;
}

TEST(StudioSteeringRefusals, RemediesAreThoseOfTheStudio) {
  // It bends once, and never comes back.
  Clip bends{"bend", {{1, ChannelPath::rotation, Interpolation::linear, {0, 1}, 4, {}}}, 0, 1};
  const Quat turn = axis_angle({1, 0, 0}, 1);
  bends.channels[0].values = {0, 0, 0, 1, turn.x, turn.y, turn.z, turn.w};
  Clip shorter = bends;
  shorter.channels[0].times = {0, 0.1};
  shorter.end = 0.1;
  for (const Clip& clip : {bends, shorter}) {
    const std::string sentence = refused_with({clip});
    EXPECT_NE(sentence.find("do not lead into each other"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("add motions that do"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("--"), std::string::npos) << sentence;
  }
}

TEST(StudioSteeringRefusals, ACharacterWithoutWaysIsNotSteered) {
  const auto opened = std::make_shared<OpenedCharacter>(open_rigged_character(sample_file("tube.glb")));
  try {
    make_live_graph(opened);
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("steered"), std::string::npos) << error.what();
  }
}

}  // namespace
