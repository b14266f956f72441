// Flesh of a tube that is bent until its halves would lie in each other, with skin that touches skin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/deform/flesh/skin_creases.h"
#include "sinew/rig/linear_blend.h"
#include "tests/bake/tube_character.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

using namespace test;

constexpr double crease_bend = 130 * pi / 180, bent_after = 0.5;  // radians, seconds

// Bends in half a second, then rests.
Character folding_tube() {
  Character character = two_bone_tube(48, 32, 1, 0.12, [](double height) {
    const double t = std::clamp((height - 0.4) / 0.2, 0.0, 1.0);
    return t * t * (3 - 2 * t);
  });
  character.file = "tube";
  Channel bend{2, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
  for (int k = 0; k <= 10; ++k) {
    const double t = k / 10.0, angle = crease_bend * t * t * (3 - 2 * t);
    bend.times.push_back(bent_after * t);
    bend.values.insert(bend.values.end(), {0, 0, std::sin(angle / 2), std::cos(angle / 2)});
  }
  Clip clip;
  clip.name = "fold";
  clip.end = 6;
  clip.channels = {bend};
  character.clips = {clip};
  return character;
}

FleshSettings settings_with(Creases creases) {
  FleshSettings settings = look_settings();
  settings.creases = creases;
  return settings;
}

BakeResult folded(Creases creases, double begin, double seconds, bool in_lattice = false) {
  static const Character character = folding_tube();
  FleshSettings settings = settings_with(creases);
  if (in_lattice) settings.lattice.file = auto_lattice;
  BakeOptions options = options_for(0);
  options.begin = begin;
  options.end = begin + seconds;
  CookedFlesh scene = prepare_flesh(character, settings);
  if (in_lattice)
    scene.lattice =
        prepare_lattice(scene, build_lattice(character, simulation_surface(character), {100}).lattice, settings);
  return bake_flesh(character, scene, settings, options);
}

// Metres by which the tube's inner side is beyond the plane that halves the bend, at the 99th percentile, a radius and
// more away from the joint.
double beyond_half(const BakeResult& result) {
  const Character character = folding_tube();
  const SimulationSurface surface = simulation_surface(character);
  const Vec3 joint{0, 0.5, 0}, n{-std::sin(crease_bend / 2), std::cos(crease_bend / 2), 0};  // to the upper half
  const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, crease_bend));
  const std::vector<Affine> bones{Affine{}, Affine{turn, joint - turn * joint}};
  const std::size_t count = surface.vertex_of[0].size(), last = result.recording.times.size() - 1;
  std::vector<Vec3> posed(surface.rest.positions.size());
  linear_blend(surface.rest.positions, surface.influences, bones, posed);
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t k = 0; k < 3; ++k)
      posed[static_cast<std::size_t>(surface.vertex_of[0][v])][k] +=
          static_cast<double>(values(result)[3 * (last * count + v) + k]);
  std::vector<double> deep;
  for (std::size_t v = 0; v < posed.size(); ++v) {
    const Vec3& rest = surface.rest.positions[v];
    if (std::abs(rest.y - 0.5) < 0.12 || rest.x > 0) continue;
    const double side = std::copysign(1.0, rest.y - 0.5);
    const Vec3 to = posed[v] - joint, axis = side > 0 ? Vec3{0, -1, 0} : turn * Vec3{0, 1, 0};  // of the other half
    const bool inside = norm(to - std::clamp(dot(to, axis), 0.0, 0.5) * axis) < 0.12;
    deep.push_back(inside ? -side * dot(to, n) : 0);
  }
  std::sort(deep.begin(), deep.end());
  return deep[deep.size() * 99 / 100];
}

TEST(Creases, HalvesOfAFoldedTubeMeetWhereTheyWouldPass) {
  const double through = beyond_half(folded(Creases::off, 0, 1)), met = beyond_half(folded(Creases::resolve, 0, 1));
  EXPECT_GT(through, 0.03);
  EXPECT_LT(met, 0.002);
}

TEST(Creases, HalvesMeetInALatticeToo) {
  const double through = beyond_half(folded(Creases::off, 0, 0.8, true)),
               met = beyond_half(folded(Creases::resolve, 0, 0.8, true));
  EXPECT_GT(through, 0.02);
  EXPECT_LT(met, 0.15 * through);
}

// Largest depth below the floor of its meeting of a point that other skin faces, over all frames: metres.
double below_floor(const BakeResult& result) {
  const Character character = folding_tube();
  const SimulationSurface surface = simulation_surface(character);
  SkinCreases creases(implicit_skin(surface));
  const std::size_t count = surface.vertex_of[0].size();
  std::vector<Vec3> goal(surface.rest.positions.size()), place;
  double most = 0;
  for (std::size_t k = 0; k < result.recording.times.size(); ++k) {
    const Pose pose = sample(character.skeleton, &character.clips[0], result.recording.times[k]);
    const std::vector<Affine> bones = bone_transforms(character, surface, pose);
    linear_blend(surface.rest.positions, surface.influences, bones, goal);
    place = goal;
    for (std::size_t v = 0; v < count; ++v)
      for (std::size_t c = 0; c < 3; ++c)
        place[index(surface.vertex_of[0][v])][c] =
            goal[index(surface.vertex_of[0][v])][c] + static_cast<double>(values(result)[3 * (k * count + v) + c]);
    creases.begin(bones, bones, goal);
    for (const SkinMeeting& meeting : creases.meetings())
      if (meeting.slack == 0)
        most = std::max(most, meeting.floor() - creases.gap(meeting, place[meeting.point]).distance);
  }
  return most;
}

TEST(Creases, SkinThatYieldsGoesNoDeeperThanTheRigPutsIt) {
  EXPECT_GT(below_floor(folded(Creases::off, 0, 1)), 2e-3);
  EXPECT_LT(below_floor(folded(Creases::yield, 0, 1)), 2e-4);
}

TEST(Creases, FoldedFleshComesToRest) {
  const BakeResult result = folded(Creases::resolve, 0, 6);
  const std::size_t last = result.recording.times.size() - 1;
  EXPECT_LT(frame_difference(result, last - 30, result, last), 1e-6) << "in a second, of a height of a metre";
}

// A bend that is held does no work on the flesh, and neither does the surface on which both halves meet: it stands
// still.
TEST(Creases, EnergyDoesNotRiseWhileAFoldIsHeld) {
  const BakeResult result = folded(Creases::resolve, 0, 6);
  double before = HUGE_VAL, held = 0;
  for (std::size_t f = 0; f < result.report.frames.size(); ++f) {
    if (result.recording.times[f] < bent_after + 0.05) continue;
    const double energy = result.report.frames[f].energy;
    EXPECT_LE(energy, before * (1 + 1e-9)) << result.recording.times[f];
    if (held == 0) held = energy;
    before = energy;
  }
  EXPECT_GT(held, 1.001 * before) << "flesh swings when the bend ends";
}

// Two such tubes side by side, each on bones of its own; the first goes sideways until they would overlap by 2 cm.
Character two_tubes() {
  constexpr double apart = 0.3;
  Character both = folding_tube();
  both.clips[0].channels = {
      {1, ChannelPath::translation, Interpolation::linear, {0, bent_after}, 3, {0, 0, 0, -0.08, 0, 0}}};
  const Character one = folding_tube();
  for (int j = 1; j <= 2; ++j) {
    Joint joint = one.skeleton.joints[index(j)];
    joint.name = "second " + joint.name;
    if (j == 1) joint.rest.translation.x = -apart;
    if (j == 2) joint.parent = 3;
    both.skeleton.joints.push_back(joint);
    both.skeleton.parents_first.push_back(2 + j);
  }
  Skin skin = one.skins[0];
  skin.joints = {3, 4};
  both.skins.push_back(skin);
  Part part = one.parts[0];
  part.skin = 1;
  part.primitive = 1;
  both.parts.push_back(part);
  return both;
}

// Metres by which their skins overlap half-way up, at the end.
double overlap_of_tubes(Creases creases) {
  const Character character = two_tubes();
  const FleshSettings settings = settings_with(creases);
  BakeOptions options = options_for(0);
  options.end = 1.5;
  const BakeResult result = bake_flesh(character, prepare_flesh(character, settings), settings, options);
  const SimulationSurface surface = simulation_surface(character);
  const std::vector<Affine> bones =
      bone_transforms(character, surface, sample(character.skeleton, &character.clips[0], *options.end));
  std::vector<Vec3> goal(surface.rest.positions.size());
  linear_blend(surface.rest.positions, surface.influences, bones, goal);
  double of_first = HUGE_VAL, of_second = -HUGE_VAL;  // along x
  for (std::size_t p = 0; p < 2; ++p) {
    const PartRecording& part = result.recording.parts[p];
    const auto count = static_cast<std::size_t>(part.vertices), last = result.recording.times.size() - 1;
    for (std::size_t v = 0; v < count; ++v) {
      const float* d = &part.displacement[3 * (last * count + v)];
      const Vec3 x = goal[index(surface.vertex_of[p][v])] + Vec3{double{d[0]}, double{d[1]}, double{d[2]}};
      if (std::abs(x.y - 0.5) > 0.2) continue;
      if (p == 0) of_first = std::min(of_first, x.x);
      if (p == 1) of_second = std::max(of_second, x.x);
    }
  }
  return of_second - of_first;
}

TEST(Creases, TwoCharactersOfAFileTouchEachOther) {
  const double through = overlap_of_tubes(Creases::off);
  EXPECT_NEAR(through, 0.02, 0.002);
  EXPECT_LT(overlap_of_tubes(Creases::resolve), 0.15 * through);
}

// Skin that rubs on skin under its weight stays where it came to rest.
TEST(Creases, SkinThatRubsDoesNotCreep) {
  const Character character = folding_tube();
  FleshSettings settings = settings_with(Creases::resolve);
  settings.gravity_in_rest = GravityInRest::off;
  const CookedFlesh scene = prepare_flesh(character, settings);
  BakeOptions options = options_for(0);
  options.end = 6;
  const BakeResult sliding = bake_flesh(character, scene, settings, options);
  settings.friction = 0.5;
  const BakeResult rubbing = bake_flesh(character, scene, settings, options);
  const std::size_t last = rubbing.recording.times.size() - 1;
  EXPECT_LT(frame_difference(rubbing, last - 30, rubbing, last), 1e-6) << "in a second, of a height of a metre";
  EXPECT_GT(frame_difference(rubbing, last, sliding, last), 1e-4) << "rest without friction";
}

// A cut from the straight tube to the folded one: the flesh touches as if it had always been there.
TEST(Creases, FleshComesToRestBehindACutAsItDoesBehindABend) {
  Character character = folding_tube();
  Channel& bend = character.clips[0].channels[0];
  const std::vector<double> straight{0, 0, 0, 1}, folded_key(bend.values.end() - 4, bend.values.end());
  bend.times = {0, 0.5, 0.505, 4};
  bend.values.clear();
  for (const std::vector<double>* key : {&straight, &straight, &folded_key, &folded_key})
    bend.values.insert(bend.values.end(), key->begin(), key->end());
  BakeOptions options = options_for(0);
  options.end = 2.5;
  const BakeResult cut = bake(character, settings_with(Creases::resolve), options),
                   bent = folded(Creases::resolve, 0, 2.5);
  const std::size_t last = bent.recording.times.size() - 1;
  EXPECT_LT(frame_difference(cut, last, bent, last), 1e-4);
  EXPECT_GT(frame_difference(cut, 16, bent, 16), 1e-3) << "where they move";
}

TEST(Creases, AResumedRunHasTheSameFrames) {
  const Character character = folding_tube();
  const FleshSettings settings = settings_with(Creases::resolve);
  const CookedFlesh scene = prepare_flesh(character, settings);
  BakeOptions options = options_for(0);
  options.end = 0.8;
  const BakeResult whole = bake_flesh(character, scene, settings, options);
  options.checkpoint = scratch_path("creases");
  options.resume = true;
  int reports = 0;
  const BakeResult half =
      bake_flesh(character, scene, settings, options, [&](const ProgressReport&) { return ++reports < 16; });
  ASSERT_FALSE(half.complete);
  EXPECT_EQ(values(bake_flesh(character, scene, settings, options)), values(whole));
}

TEST(Creases, ThreadsChangeNoBitAndNothingMeetsInSmallBends) {
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    results.push_back(values(folded(Creases::resolve, 0, 0.6)));
  }
  set_thread_count(0);
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
  EXPECT_EQ(values(folded(Creases::yield, 0, 0.1)), values(folded(Creases::off, 0, 0.1)));
}

}  // namespace
}  // namespace sinew
