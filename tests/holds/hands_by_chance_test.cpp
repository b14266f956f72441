// Somebody who knows nothing about flesh holds, drags and pokes a character, and holds it beyond a plane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/jobs/open_session.h"
#include "sinew/session/session.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

FleshSettings flesh_in(int tetrahedra) {
  FleshSettings settings;
  settings.tetrahedra = tetrahedra;
  return settings;
}

struct Wrestler {
  explicit Wrestler(const FleshSettings& of = {}) : settings(of) {}
  FleshSettings settings;
  Character character = open_rigged_character(test::sample_file("sumo.glb")).character;
  std::shared_ptr<const CookedFlesh> cooked = std::make_shared<const CookedFlesh>(prepare_flesh(character, settings));
};

// Metres from the origin: the wrestler is 1.65 m tall; infinite where one is no number.
double farthest(Session& session, std::vector<Vec3>& shown) {
  session.surface(shown);
  double most = 0;
  for (const Vec3& position : shown) {
    if (!std::isfinite(norm(position))) return HUGE_VAL;
    most = std::max(most, norm(position));
  }
  return most;
}

struct Chance {
  std::mt19937 bits;
  double between(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 5) / 134217728; }
  Vec3 around(double reach) { return {between(-reach, reach), between(-reach, reach), between(-reach, reach)}; }
  std::size_t below(std::size_t count) { return bits() % count; }
};

// Grabs, drags, releases and pokes at places drawn from `seed`.
void expect_flesh_stays(const Wrestler& wrestler, unsigned seed, int acts) {
  const Scene scene = flesh_scene(wrestler.cooked, wrestler.settings);
  std::vector<Vec3> shown(wrestler.cooked->surface.rest.positions.size());
  Chance chance{std::mt19937(seed)};
  const Clip& clip = wrestler.character.clips[chance.below(wrestler.character.clips.size())];
  Session session(wrestler.character, scene, whole(clip, true));
  std::vector<std::string> held;
  double most = farthest(session, shown);
  for (int act = 0; act < acts; ++act) {
    const std::size_t vertex = chance.below(shown.size());
    Action action;
    action.point = wrestler.cooked->surface.rest.positions[vertex];
    action.target = shown[vertex] + chance.around(0.6);
    const std::size_t kind = chance.below(6), which = held.empty() ? 0 : chance.below(held.size());
    if (kind < 2 && held.size() < 4) {
      action.kind = Action::Kind::grab;
      action.name = "hand " + std::to_string(act);
      held.push_back(action.name);
    } else if (kind < 4 && !held.empty()) {
      action.kind = Action::Kind::drag;
      action.name = held[which];
    } else if (kind == 4 && !held.empty()) {
      action.kind = Action::Kind::release;
      action.name = held[which];
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    } else {
      action.force = chance.around(500);
      action.radius = 0.1;
      action.seconds = 0.1;
    }
    session.act(action);
    for (double left = chance.between(0, 0.3); left > 0; left -= 1.0 / 60) {
      session.advance(1.0 / 60);
      most = std::max(most, farthest(session, shown));
    }
  }
  // Hands are led to 1.65 m and the diagonal of 0.6 m from the origin at most.
  EXPECT_LT(most, 3.5) << "seed " << seed;
}

TEST(HandsByChance, NeverTearTheFleshAway) { expect_flesh_stays(Wrestler(flesh_in(2000)), 1, 12); }

TEST(HandsByChance, NeverTearFineFleshAwayInManyActs) {
  const Wrestler wrestler;
  for (const unsigned seed : {1u, 2u}) expect_flesh_stays(wrestler, seed, 25);
}

// No place meets both what holds the skin and a plane that it is held beyond.
TEST(HandsByChance, HoldItBeyondAPlane) {
  const Wrestler wrestler;
  FleshSettings cut = wrestler.settings;
  ColliderSettings plane;
  plane.shape = ColliderShape::plane;
  plane.point = {-0.34, 0.60, 0.21};
  plane.normal = {-0.4842, 0, -0.8750};
  cut.colliders = {plane};
  const Scene scene = flesh_scene(wrestler.cooked, wrestler.settings), between = flesh_scene(wrestler.cooked, cut);
  Session session(wrestler.character, scene, whole(wrestler.character.clips[0], true));
  std::vector<Vec3> shown(wrestler.cooked->surface.rest.positions.size());
  const std::vector<std::pair<Vec3, Vec3>> hands = {{{-0.08, 0.58, -0.05}, {-0.21, 0.42, 0.06}},
                                                    {{0.08, 0.89, 0.36}, {-0.14, 0.78, 0.40}}};
  for (std::size_t hand = 0; hand < hands.size(); ++hand) {
    Action grab;
    grab.kind = Action::Kind::grab;
    grab.name = "hand " + std::to_string(hand);
    grab.point = hands[hand].first;
    grab.target = hands[hand].second;
    session.act(grab);
  }
  session.change(between);
  for (int frame = 0; frame < 8; ++frame) {
    session.advance(1.0 / 60);
    EXPECT_LT(farthest(session, shown), 1.8)
        << "frame " << frame;  // no farther than the pose's head and the hands' reach
  }
}

}  // namespace
}  // namespace sinew
