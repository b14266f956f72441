// The method `mixed`, clause by clause of the contract, on a small character: rest, rigid motion, threads, frame
// rates, scale, interruption, and what acts from outside.
#include <filesystem>
#include <fstream>
#include <functional>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/mixed/bind_automatically.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/deform/setting.h"
#include "tests/bake/bake_cooked.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using namespace test;

constexpr MixedMaterial materials[] = {MixedMaterial::arap, MixedMaterial::corotated,
                                       MixedMaterial::stable_neo_hookean};

MixedSettings quick_mixed(MixedMaterial material = MixedMaterial::arap) {
  MixedSettings settings;
  settings.material = material;
  settings.tetrahedra = 700;
  return settings;
}

BakeResult pose(const Character& character, const MixedSettings& settings, const BakeOptions& options) {
  return bake_mixed(character, prepare_mixed(character, settings), settings, options);
}

// Where the surface is, metres, world: what the rig gives and what was recorded on top, of the first part.
std::vector<Vec3> surface_at(const Character& character, const BakeResult& result, std::size_t frame) {
  const Part& part = character.parts.at(0);
  const Clip* clip =
      result.recording.clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(result.recording.clip)];
  std::vector<Vec3> surface =
      posed_positions(character, part, sample(character.skeleton, clip, result.recording.times.at(frame)));
  const float* d = &values(result).at(3 * surface.size() * frame);
  for (Vec3& x : surface) {
    x = x * character.metres_per_unit + Vec3{d[0], d[1], d[2]};
    d += 3;
  }
  return surface;
}

double mean_y(const std::vector<Vec3>& points) {
  double sum = 0;
  for (const Vec3& p : points) sum += p.y;
  return sum / static_cast<double>(points.size());
}

// A clip of one second that moves one joint of the tube.
Clip clip_of_joint(int joint, ChannelPath path, std::vector<double> first, const std::vector<double>& last) {
  Clip clip;
  clip.name = "one joint";
  clip.end = 1;
  Channel channel{joint, path, Interpolation::linear, {0, 1}, static_cast<int>(first.size()), std::move(first)};
  channel.values.insert(channel.values.end(), last.begin(), last.end());
  clip.channels.push_back(channel);
  return clip;
}

TEST(MixedContract, TheRestPoseKeepsTheRestShape) {
  for (const MixedMaterial material : materials) {
    const BakeResult result = pose(tube_character(), quick_mixed(material), options_for(-1));
    EXPECT_EQ(result.recording.times.size(), 31u);
    // The body does not move by a bit; the rig's own blend of two bones rounds.
    EXPECT_EQ(result.report.frames.at(0).energy, 0);
    EXPECT_EQ(result.report.frames.at(0).volume_ratio, 1);
    // Two bones of three products and sums each, on a tube of 1 m.
    EXPECT_LT(largest_value(result), test::rounding_of(1, 2 * 6));
  }
}

TEST(MixedContract, RigidMotionOfTheSkeletonMovesTheBodyRigidly) {
  Character character = tube_character();
  const Quat turn = normalized(Quat{0.3, -0.5, 0.2, 0.4});
  Clip clip = clip_of_joint(1, ChannelPath::rotation, {0, 0, 0, 1}, {turn.x, turn.y, turn.z, turn.w});
  clip.channels.push_back(clip_of_joint(1, ChannelPath::translation, {0, 0, 0}, {70, -20, 60}).channels.at(0));
  character.clips = {clip};
  for (const MixedMaterial material : materials) {
    const BakeResult result = pose(character, quick_mixed(material), options_for(0, 10));
    // Both bones move alike, so that the rig moves rigidly too.
    EXPECT_LT(largest_value(result), 1e-9);
    EXPECT_NEAR(result.report.frames.back().volume_ratio, 1, 1e-9);
  }
}

TEST(MixedContract, AScaledSkeletonScalesTheBody) {
  Character character = tube_character();
  character.clips = {clip_of_joint(1, ChannelPath::scale, {1, 1, 1}, {3, 3, 3})};
  const BakeResult result = pose(character, quick_mixed(), options_for(0, 4));
  EXPECT_LT(largest_value(result), 1e-6);
  EXPECT_NEAR(result.report.frames.back().volume_ratio, 27, 1e-4);
}

TEST(MixedDeterminism, ThreadsDoNotChangeABit) {
  const Character character = tube_character();
  for (const MixedMaterial material : materials) {
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 4}) {
      set_thread_count(threads);
      MixedSettings settings = quick_mixed(material);
      if (material != MixedMaterial::stable_neo_hookean) settings.ground = 0.03;
      results.push_back(values(pose(character, settings, options_for(0, 6))));
    }
    set_thread_count(0);
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

TEST(MixedContract, FrameRatesSampleOneMotion) {
  const Character character = tube_character();
  const MixedSettings settings = quick_mixed();
  const CookedMixed scene = prepare_mixed(character, settings);
  const auto at = [&](double fps) { return bake_mixed(character, scene, settings, options_for(0, fps)); };
  const BakeResult film = at(24), video = at(30), smooth = at(60), fast = at(144);
  ASSERT_GT(largest_value(film), 1e-3);
  ASSERT_EQ(fast.recording.times.size(), 145u);
  for (std::size_t k = 0; k <= 30; ++k) EXPECT_EQ(frame_difference(video, k, smooth, 2 * k), 0) << k;
  // Times such as 5/24 and 30/144 s differ by rounding.
  for (std::size_t k = 0; k <= 24; ++k) EXPECT_LT(frame_difference(film, k, fast, 6 * k), 1e-8) << k;
}

TEST(MixedContract, AFrameDoesNotDependOnThoseBeforeIt) {
  const Character character = tube_character();
  for (const MixedMaterial material : materials) {
    BakeOptions options = options_for(0, 6);
    const BakeResult whole = pose(character, quick_mixed(material), options);
    options.begin = options.end = 0.5;
    EXPECT_EQ(frame_difference(whole, 3, pose(character, quick_mixed(material), options), 0), 0);
  }
}

TEST(MixedContract, CentimetresMoveLikeMetres) {
  const BakeResult metres = pose(tube_character(1), quick_mixed(), options_for(0));
  const BakeResult centimetres = pose(tube_character(0.01), quick_mixed(), options_for(0));
  ASSERT_GT(largest_value(metres), 1e-3);
  for (std::size_t f = 0; f < metres.recording.times.size(); ++f)
    EXPECT_LT(frame_difference(metres, f, centimetres, f), 1e-6 * largest_value(metres));
}

TEST(MixedContract, AResumedRunHasTheSameFrames) {
  const Character character = tube_character();
  const MixedSettings settings = quick_mixed();
  const CookedMixed scene = prepare_mixed(character, settings);
  BakeOptions options = options_for(0);
  const BakeResult whole = bake_mixed(character, scene, settings, options);
  options.checkpoint = scratch_path("checkpoint");
  options.resume = true;
  int reports = 0;
  const BakeResult half =
      bake_mixed(character, scene, settings, options, [&](const ProgressReport&) { return ++reports < 12; });
  ASSERT_FALSE(half.complete);
  EXPECT_EQ(half.recording.times.size(), 12u);
  const BakeResult rest = bake_mixed(character, scene, settings, options);
  EXPECT_TRUE(rest.complete);
  EXPECT_EQ(values(rest), values(whole));
  EXPECT_EQ(rest.recording.times, whole.recording.times);
  ASSERT_EQ(rest.report.frames.size(), whole.report.frames.size());
  for (std::size_t f = 0; f < rest.report.frames.size(); ++f)
    EXPECT_EQ(rest.report.frames[f].energy, whole.report.frames[f].energy);

  // Another material, a poke or another clip is another run.
  MixedSettings other = settings;
  other.material = MixedMaterial::corotated;
  refusal(ErrorKind::input, [&] { bake_mixed(character, prepare_mixed(character, other), other, options); });
  other = settings;
  other.loads.push_back({{0, 0.5, 0.1}, {0, 0, 1}, 0.1, {}, {}});
  refusal(ErrorKind::input, [&] { bake_mixed(character, scene, other, options); });
  options.clip = 1;
  refusal(ErrorKind::input, [&] { bake_mixed(character, scene, settings, options); });
}

TEST(MixedContract, MorphTargetsOfTheRigActAsTheyDoThere) {
  Character plain = tube_character();
  Character morphed = plain;
  morphed.parts[0].targets.assign(1, std::vector<Vec3>(morphed.parts[0].surface.positions.size(), Vec3{0.1, 0, 0}));
  morphed.skeleton.joints[0].rest_weights = {0.7};
  const BakeResult a = pose(plain, quick_mixed(), options_for(0, 5)),
                   b = pose(morphed, quick_mixed(), options_for(0, 5));
  EXPECT_EQ(values(a), values(b));
}

TEST(MixedBake, TheSurfaceRidesTheBodyNotTheSkinWeights) {
  Character character = tube_character();
  const MixedSettings settings = quick_mixed();
  const CookedMixed scene = prepare_mixed(character, settings);
  const BakeOptions options = options_for(0, 5);
  const BakeResult before = bake_mixed(character, scene, settings, options);
  const std::vector<Vec3> surface = surface_at(character, before, 1);
  for (Influences& influences : character.parts[0].influences) influences = between(0, 1, 1);
  const BakeResult after = bake_mixed(character, scene, settings, options);
  EXPECT_NE(values(before), values(after));
  const std::vector<Vec3> same = surface_at(character, after, 1);
  for (std::size_t v = 0; v < same.size(); ++v) EXPECT_LT(distance(surface[v], same[v]), 1e-6);
}

TEST(MixedBake, KeepsMoreVolumeThanLinearBlendingInABend) {
  Character character = tube_character();
  const double half = std::sqrt(0.5);
  character.clips = {clip_of_joint(2, ChannelPath::rotation, {0, 0, 0, 1}, {0, 0, half, half})};
  BakeOptions options = options_for(0);
  options.begin = options.end = 1;
  MixedSettings settings = quick_mixed(MixedMaterial::corotated);
  settings.tetrahedra = 3000;
  const BakeResult result = pose(character, settings, options);
  const auto enclosed = [&](const std::vector<Vec3>& points) {
    double six = 0;
    for (const Triangle& t : character.parts[0].surface.triangles)
      six += dot(points[static_cast<std::size_t>(t[0])],
                 cross(points[static_cast<std::size_t>(t[1])], points[static_cast<std::size_t>(t[2])]));
    return six / 6;
  };
  const Pose bent = sample(character.skeleton, &character.clips[0], 1);
  const double rest = enclosed(character.parts[0].surface.positions),
               rig = enclosed(posed_positions(character, character.parts[0], bent)),
               mixed = enclosed(surface_at(character, result, 0));
  EXPECT_GT(mixed, rig);
  EXPECT_GT(mixed, 0.95 * rest);
  EXPECT_LT(mixed, 1.05 * rest);
  EXPECT_GT(result.report.frames[0].min_det, 0);
}

TEST(MixedBake, TiedPinsComeCloseToHeldOnes) {
  const Character character = tube_character();
  MixedSettings tied = quick_mixed();
  tied.pins = Pinning::tied;
  const BakeOptions options = options_for(0, 5);
  const BakeResult a = pose(character, quick_mixed(), options), b = pose(character, tied, options);
  tied.spring = 1e9;
  const BakeResult stiff = pose(character, tied, options);
  double most = 0, most_stiff = 0;
  for (std::size_t f = 0; f < a.recording.times.size(); ++f) {
    most = std::max(most, frame_difference(a, f, b, f));
    most_stiff = std::max(most_stiff, frame_difference(a, f, stiff, f));
  }
  EXPECT_GT(most, 1e-6);
  EXPECT_LT(most, 0.02);
  EXPECT_LT(most_stiff, 1e-4);
}

TEST(MixedBake, CollidersKeepTheSurfaceOut) {
  Character character = tube_character();
  MixedSettings settings = quick_mixed();
  ColliderSettings ball;
  ball.point = {0.16, 0.25, 0};
  ball.radius = 0.07;
  settings.colliders = {ball};
  const BakeOptions options = options_for(-1, 1);
  const BakeResult result = pose(character, settings, options);
  double nearest = 1;
  for (const Vec3& x : surface_at(character, result, 0)) nearest = std::min(nearest, distance(x, ball.point));
  EXPECT_GT(largest_value(result), 5e-3);
  EXPECT_GT(nearest, ball.radius - 1e-5);

  // On a joint it moves along: with all bones alike, as if nothing moved.
  const Quat turn = axis_angle({0, 1, 0}, 1);
  character.clips = {clip_of_joint(1, ChannelPath::rotation, {0, 0, 0, 1}, {turn.x, turn.y, turn.z, turn.w})};
  settings.colliders[0].joint = "upper";
  const BakeResult along = pose(character, settings, options_for(0, 1));
  const std::vector<Vec3> still = surface_at(character, result, 0), moved = surface_at(character, along, 1);
  for (std::size_t v = 0; v < still.size(); ++v) EXPECT_LT(distance(rotate(turn, still[v]), moved[v]), 1e-5);

  settings.colliders[0].joint = "nobody";
  const std::string sentence = refusal(ErrorKind::usage, [&] { pose(character, settings, options_for(0, 1)); });
  EXPECT_NE(sentence.find("nobody"), std::string::npos);
}

TEST(MixedBake, WeightAndPokesMoveTheFlesh) {
  const Character character = tube_character();
  const std::vector<Vec3> rest = character.parts[0].surface.positions;
  MixedSettings settings = quick_mixed();
  settings.gravity = true;
  settings.young = 3e3;
  EXPECT_LT(mean_y(surface_at(character, pose(character, settings, options_for(-1, 1)), 0)), mean_y(rest));

  settings = quick_mixed();
  settings.loads.push_back({{0.12, 0.25, 0}, {-5, 0, 0}, 0.05, 0.4, 0.6});
  const BakeResult poked = pose(character, settings, options_for(-1, 10));
  ASSERT_EQ(poked.recording.times.size(), 11u);
  for (const std::size_t f : {0u, 3u, 7u, 10u}) {
    const std::vector<Vec3> surface = surface_at(character, poked, f);
    for (std::size_t v = 0; v < rest.size(); ++v) EXPECT_EQ(distance(surface[v], rest[v]), 0) << f;
  }
  double most = 0;
  const std::vector<Vec3> surface = surface_at(character, poked, 5);
  for (std::size_t v = 0; v < rest.size(); ++v) most = std::max(most, rest[v].x - surface[v].x);
  EXPECT_GT(most, 1e-3);
}

TEST(PrepareMixed, StiffnessComesFromJointsAndPaint) {
  Character character = tube_character();
  MixedSettings settings = quick_mixed();
  settings.joints = {{"up*", 4}};
  CookedMixed scene = prepare_mixed(character, settings);
  const auto [softest, stiffest] =
      std::minmax_element(scene.stiffness_multiplier.begin(), scene.stiffness_multiplier.end());
  EXPECT_NEAR(*softest, 1, 0.05);
  EXPECT_NEAR(*stiffest, 4, 0.05);
  for (std::size_t t = 0; t < scene.stiffness_multiplier.size(); ++t)
    EXPECT_NEAR(scene.body->samples.shear[t], scene.stiffness_multiplier[t] * settings.young / (2 * 1.45),
                1e-9 * settings.young);

  settings.joints.clear();
  for (const Vec3& x : character.parts[0].surface.positions)
    character.parts[0].fields[field("stiffness")].push_back(x.y > 0.5 ? 3 : 1);
  scene = prepare_mixed(character, settings);
  EXPECT_GT(*std::max_element(scene.stiffness_multiplier.begin(), scene.stiffness_multiplier.end()), 2.5);
  EXPECT_LT(*std::min_element(scene.stiffness_multiplier.begin(), scene.stiffness_multiplier.end()), 1.3);

  settings.joints = {{"no such joint", 2}};
  const std::string sentence = refusal(ErrorKind::usage, [&] { prepare_mixed(character, settings); });
  EXPECT_NE(sentence.find("no such joint"), std::string::npos);
}

TEST(PrepareMixed, RefusesSettingsByName) {
  const auto refused = [](const char* word, const std::function<void(MixedSettings&)>& change) {
    MixedSettings settings;
    change(settings);
    const std::string sentence = refusal(ErrorKind::usage, [&] { check_settings(settings_of(settings)); });
    EXPECT_TRUE(sentence.starts_with(word)) << sentence;
  };
  check_settings(settings_of(MixedSettings{}));
  refused("young", [](MixedSettings& s) { s.young = 0; });
  refused("young", [](MixedSettings& s) { s.young = 1e300; });
  refused("young", [](MixedSettings& s) { s.young = std::nan(""); });
  refused("poisson", [](MixedSettings& s) { s.poisson = 0.5; });
  refused("tetrahedra", [](MixedSettings& s) { s.tetrahedra = 3; });
  refused("cell_size", [](MixedSettings& s) { s.cell_size = -1; });
  refused("smooth", [](MixedSettings& s) { s.smooth = -0.1; });
  refused("spring", [](MixedSettings& s) { s.spring = 100; });
  refused("density", [](MixedSettings& s) { s.density = 0; });
  refused("ground", [](MixedSettings& s) { s.ground = HUGE_VAL; });
  refused("colliders[0]", [](MixedSettings& s) { s.colliders.push_back({}); });
  refused("pokes[0]", [](MixedSettings& s) { s.loads.push_back({{}, {0, 0, std::nan("")}, 0, {}, {}}); });
  refused("pokes[0]", [](MixedSettings& s) { s.loads.push_back({{}, {}, 0, 2, 1}); });
  refused("joints[0].stiffness of 'a'", [](MixedSettings& s) { s.joints.push_back({"a", -1}); });
}

TEST(PrepareMixed, IsStoppedWhereverItReports) {
  const Character character = tube_character();
  int reports = 0;
  prepare_mixed(character, quick_mixed(), [&](const ProgressReport&) { return ++reports > 0; });
  ASSERT_GE(reports, 4);
  for (int stop = 0; stop < reports; ++stop) {
    int heard = 0;
    EXPECT_THROW(prepare_mixed(character, quick_mixed(), [&](const ProgressReport&) { return heard++ != stop; }),
                 Stopped);
  }
}

}  // namespace
}  // namespace sinew
