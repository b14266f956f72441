// Limits of what is shown make way for hands, so that what is dragged is where the hand is, and come back after them.
#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/session/shown_surfaces.h"

namespace sinew {
namespace {

using namespace test;

constexpr double most_shown = 0.06;                      // metres: half the tube's radius
constexpr Vec3 dragged{0.12, 0.75, 0}, out{0.15, 0, 0};  // metres

Scene scene_of(const Character& character, std::optional<double> limit) {
  FleshSettings settings = quick_settings();
  settings.limit = limit;
  return flesh_scene(std::make_shared<const CookedFlesh>(prepare_flesh(character, settings)), settings);
}

Action grab() {
  Action action;
  action.kind = Action::Kind::grab;
  action.name = "hand";
  action.point = dragged;
  action.target = dragged + out;
  return action;
}

Action release() {
  Action action;
  action.kind = Action::Kind::release;
  action.name = "hand";
  return action;
}

struct Dragging {
  double nearest = 0;            // to where the hand is, as it lets go, metres
  std::vector<double> farthest;  // from the rig, per step after it let go
  // Over a step, grabbing, held and released: of a vertex that is shown, and of one of the body.
  double largest_change = 0, of_body = 0;
};

Dragging drag_and_release(const Character& character, const Scene& scene) {
  Session session(character, scene);
  const std::vector<Vec3> rest = shown(session);
  const SurfacePoint spot = nearest_surface_point(scene.surface->rest, dragged);
  Dragging result;
  std::vector<Vec3> before = rest;
  std::vector<Vec3> points;
  const auto step = [&] {
    points.assign(session.deformer().points().begin(), session.deformer().points().end());
    session.step();
    for (std::size_t v = 0; v < points.size(); ++v)
      result.of_body = std::max(result.of_body, distance(points[v], session.deformer().points()[v]));
    const std::vector<Vec3> now = shown(session);
    result.largest_change = std::max(result.largest_change, farthest(now, before));
    before = now;
  };
  session.act(grab());
  for (int k = 0; k < 120; ++k) step();
  result.nearest = distance(place_of(spot, before), dragged + out);
  session.act(release());
  for (int k = 0; k < 1200; ++k) {
    step();
    result.farthest.push_back(farthest(before, rest));
  }
  return result;
}

TEST(ShownLimit, MakesWayForAHandAndComesBack) {
  const Character character = tube_character();
  const Dragging eased = drag_and_release(character, scene_of(character, {})),
                 asked = drag_and_release(character, scene_of(character, 0.5));
  EXPECT_LT(eased.nearest, 1e-3);
  EXPECT_GT(asked.nearest, 0.08);  // a limit that somebody asks for stands
  for (const double u : asked.farthest) EXPECT_LT(u, most_shown);
  EXPECT_GT(eased.farthest.front(), 0.1);
  for (std::size_t k = 480; k < eased.farthest.size(); ++k) EXPECT_LT(eased.farthest[k], most_shown) << k;
  EXPECT_LT(eased.farthest.back(), 1e-3);
  // Nothing jumps that the flesh itself does not.
  EXPECT_LT(eased.largest_change, eased.of_body);
}

TEST(ShownLimit, IsPartOfAKeptState) {
  const Character character = tube_character();
  const Scene scene = scene_of(character, {});
  Session session(character, scene);
  session.act(grab());
  session.advance(0.3);
  session.act(release());
  session.advance(0.05);
  const std::vector<Vec3> there = shown(session);
  const SessionState kept = session.save();
  session.advance(0.1);
  const std::vector<Vec3> first = shown(session);
  session.advance(3);
  session.load(kept, 1e3);
  EXPECT_EQ(shown(session), there);
  session.advance(0.1);
  EXPECT_EQ(shown(session), first);
  SessionState forged = kept;
  forged.deformer.numbers.back() = -1.5;
  EXPECT_THROW(session.load(forged, 1e3), Error);
}

// A take that drags far and lets go is baked, and its watch finds nothing amiss. Flesh goes as far as the hand's reach.
TEST(ShownLimit, FarDragsAreBaked) {
  const Character character = tube_character();
  Take take{{0.1, grab()}, {0.5, release()}};
  take[0].action.target = dragged + Vec3{0.6, 0, 0};
  BakeOptions options = options_for(1);
  options.end = 2;
  options.take = take;
  const BakeResult result = bake(character, scene_of(character, {}), nullptr, options);
  double most = 0, last = 0;
  const auto width = 3 * static_cast<std::size_t>(result.recording.parts[0].vertices);
  for (std::size_t k = 0; k < values(result).size(); ++k) {
    most = std::max(most, std::abs(double(values(result)[k])));
    if (k + width >= values(result).size()) last = std::max(last, std::abs(double(values(result)[k])));
  }
  EXPECT_GT(most, 0.2);
  EXPECT_LT(most, 0.4);
  EXPECT_LT(last, most_shown);
}

}  // namespace
}  // namespace sinew
