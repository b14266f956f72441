// Rig-space physics over clips of the tube: the contract's clauses on time, scale, rest, resuming, and what the
// material is said to be against how it moves.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/material_preset.h"
#include "sinew/cook/rig_space/choose_controls.h"
#include "sinew/cook/rig_space/learn_skinning.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "studies/reference/hyperelastic_energy.h"
#include "tests/bake/bake_cooked.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/base/scratch.h"
#include "tests/elastic/blocks.h"
#include "tests/linalg/dense.h"

namespace sinew {
namespace {

using namespace test;

RigSpaceSettings quick(std::vector<std::string> free = {"upper.translation.*"}) {
  RigSpaceSettings settings;
  settings.free = std::move(free);
  settings.tetrahedra = 600;
  settings.poses = 8;
  return settings;
}

RigMaker maker(const Character& character) {
  return [&character](std::span<const int> vertices) {
    return make_rig(nullptr, character, simulation_surface(character), vertices);
  };
}

CookedRigSpace cooked(const Character& character, const RigSpaceSettings& settings) {
  CookedRigSpace scene = prepare_rig_space(character, settings, maker(character));
  if (settings.inside != InteriorVertices::equilibrium || !settings.young)
    learn_skinning(scene, make_examples(scene, {}, settings), settings);
  correct_interior(scene, settings);
  decide_rig_space_material(scene, settings);
  return scene;
}

BakeResult baked(const Character& character, const CookedRigSpace& scene, const RigSpaceSettings& settings,
                 const BakeOptions& options, const Progress& progress = {}) {
  std::unique_ptr<ClipAnimation> animation;
  if (options.clip >= 0)
    animation = std::make_unique<ClipAnimation>(dynamic_cast<const CharacterRig&>(*scene.whole_rig),
                                                character.clips[at(options.clip)]);
  return bake_rig_space(character, scene, settings, animation.get(), options, progress);
}

double largest_curve(const BakeResult& result) {
  double largest = 0;
  for (const double value : result.curves->values) largest = std::max(largest, std::abs(value));
  return largest;
}

TEST(CookedRigSpace, FreesWhatPatternsName) {
  const Character character = tube_character();
  const CharacterRig rig(character, simulation_surface(character));
  const auto names = [&](std::vector<std::string> patterns) {
    std::vector<std::string> result;
    for (const int i : chosen_parameters(rig.parameters(), patterns).parameters)
      result.push_back(rig.parameters()[at(i)].name);
    return result;
  };
  const std::vector<std::string> upper{"upper.translation.x", "upper.translation.y", "upper.translation.z",
                                       "upper.rotation.x",    "upper.rotation.y",    "upper.rotation.z"};
  EXPECT_EQ(names({"upper"}), upper);
  EXPECT_EQ(names({"upp*", "upper.rotation.x"}), upper);
  EXPECT_EQ(names({"*.translation.y"}),
            (std::vector<std::string>{"mesh.translation.y", "lower.translation.y", "upper.translation.y"}));
  EXPECT_EQ(names({"*"}).size(), 12u);  // of joints that carry skin
  // Sizes are asked for by name.
  EXPECT_EQ(names({"upper.scale"}), std::vector<std::string>{"upper.scale"});
  EXPECT_EQ(names({"upper.scale.*"}).size(), 3u);
  EXPECT_EQ(chosen_parameters(rig.parameters(), std::vector<std::string>{"upper", "belly*", "tail"}).unmatched,
            (std::vector<std::string>{"belly*", "tail"}));
}

// The frequency that is told, by another way: generalised eigenvalues of dense matrices over the whole body.
double frequency_of(const CookedRigSpace& scene) {
  const RigSpaceBody& body = *scene.body;
  const std::size_t boundary = body.boundary_vertices(), all = body.mesh.positions.size();
  std::vector<double> rest;
  for (const RigParameter& parameter : scene.rig->parameters()) rest.push_back(parameter.rest);
  const auto placed = [&](std::size_t which, double by) {
    std::vector<double> p = rest;
    p[at(scene.free[which])] += by;
    std::vector<Vec3> s(scene.rig->vertices()), x(all);
    scene.rig->evaluate(p, s);
    for (std::size_t v = 0; v < boundary; ++v) x[v] = anchored_position(body.anchors[v], s);
    return x;
  };
  const auto columns = static_cast<Eigen::Index>(scene.free.size()), rows = static_cast<Eigen::Index>(3 * all);
  Eigen::MatrixXd basis(rows, columns);
  Eigen::VectorXd mass(rows);
  constexpr double step = 1e-4;
  for (std::size_t c = 0; c < scene.free.size(); ++c) {
    const std::vector<Vec3> less = placed(c, -step), more = placed(c, step);
    for (std::size_t v = 0; v < all; ++v)
      for (std::size_t axis = 0; axis < 3; ++axis)
        basis(static_cast<Eigen::Index>(3 * v + axis), static_cast<Eigen::Index>(c)) =
            (more[v][axis] - less[v][axis]) / (2 * step);
  }
  for (std::size_t v = 0; v < all; ++v) mass.segment<3>(static_cast<Eigen::Index>(3 * v)).setConstant(body.mass[v]);
  StrainSamples samples = strain_samples(body.mesh, Element::linear, {});
  samples.shear = body.material.shear;
  samples.lambda = body.material.lambda;
  for (std::size_t e = 0; e < samples.size(); ++e) samples.volume[e] *= body.material.fill[e];
  HyperelasticEnergy energy(samples, static_cast<int>(all), body.material.law);
  BlockMatrix hessian = energy.hessian_pattern();
  energy.hessian(std::vector<Vec3>(all), hessian);
  const Eigen::MatrixXd whole = dense(hessian);
  const auto outer = static_cast<Eigen::Index>(3 * boundary), inner = rows - outer;
  basis.bottomRows(inner) =
      -whole.bottomRightCorner(inner, inner).ldlt().solve(whole.bottomLeftCorner(inner, outer) * basis.topRows(outer));
  const Eigen::MatrixXd stiffness = basis.transpose() * whole * basis;
  const Eigen::MatrixXd reduced = basis.transpose() * mass.asDiagonal() * basis;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(stiffness, reduced);
  return std::sqrt(modes.eigenvalues()(0)) / (2 * std::numbers::pi);
}

TEST(RigSpaceMaterial, HasTheFrequencyOfItsLook) {
  const Character character = tube_character();
  for (const Look look : {Look::subtle, Look::lively}) {
    RigSpaceSettings settings = quick();
    settings.look = look;
    const CookedRigSpace scene = cooked(character, settings);
    EXPECT_NEAR(scene.material.frequency, preset_frequency(look, 1), 1e-9);
    // The tube stands in its bind pose, but for the interior's weights, which leave it there to a thousandth of an
    // edge.
    EXPECT_NEAR(frequency_of(scene), scene.material.frequency, 0.01 * scene.material.frequency);
  }
}

// An inside that is solved for its equilibrium needs no map from the boundary, and none is learned where Young's
// modulus is given: the frequency that is told is that of the equilibrium.
TEST(RigSpaceMaterial, HasTheFrequencyOfItsEquilibrium) {
  const Character character = tube_character();
  for (const double young : {2e4, 2e5}) {
    RigSpaceSettings settings = quick();
    settings.inside = InteriorVertices::equilibrium;
    settings.young = young;
    const CookedRigSpace scene = cooked(character, settings);
    EXPECT_FALSE(scene.body->has_skinning());
    EXPECT_EQ(scene.material.young, young);
    EXPECT_NEAR(frequency_of(scene), scene.material.frequency, 1e-6 * scene.material.frequency);
    BakeOptions options = options_for(0);
    options.end = 0.1;
    EXPECT_GT(largest_curve(baked(character, scene, settings, options)), 1e-5);
  }
}

// Young's modulus as given, and factors of controls on top of it.
TEST(RigSpaceMaterial, StiffnessPerControl) {
  const Character character = tube_character();
  RigSpaceSettings settings = quick();
  settings.young = 2e4;
  const CookedRigSpace plain = cooked(character, settings);
  EXPECT_EQ(plain.material.young, 2e4);
  settings.controls = {{"upper", 4, std::nullopt}};
  const CookedRigSpace stiff = cooked(character, settings);
  // What the control moves is four times as stiff, what it does not is as before; its share lies between.
  EXPECT_GT(stiff.material.frequency, 1.3 * plain.material.frequency);
  EXPECT_LE(stiff.material.frequency, 2 * plain.material.frequency + 1e-9);
  for (std::size_t e = 0; e < plain.body->material.shear.size(); ++e) {
    const double factor = stiff.body->material.shear[e] / plain.body->material.shear[e];
    EXPECT_GE(factor, 1 - 1e-12);
    EXPECT_LE(factor, 4 + 1e-12);
    EXPECT_NEAR(stiff.body->material.lambda[e] / plain.body->material.lambda[e], factor, 1e-12);
    const Tetrahedron& t = plain.body->mesh.tetrahedra[e];
    double lowest = HUGE_VAL, highest = 0;
    for (const int v : t) {
      lowest = std::min(lowest, plain.body->mesh.positions[at(v)].y);
      highest = std::max(highest, plain.body->mesh.positions[at(v)].y);
    }
    if (lowest > 0.6) {
      EXPECT_NEAR(factor, 4, 1e-9);
    }
    if (highest < 0.3) {
      EXPECT_NEAR(factor, 1, 1e-9);
    }
  }
  settings.controls = {{"belly", 4, std::nullopt}};
  EXPECT_NE(refusal(ErrorKind::usage, [&] { cooked(character, settings); }).find("'belly'"), std::string::npos);
}

TEST(RigSpaceMaterial, NeedsFlesh) {
  const Character character = tube_character();
  // Turning or shifting the whole tube strains nothing, whichever sign rounding has.
  for (const char* free : {"lower.rotation.*", "lower.rotation.x", "lower.rotation.y", "lower.rotation.z",
                           "lower.translation.*", "lower.*"})
    EXPECT_NE(refusal(ErrorKind::input, [&] { cooked(character, quick({free})); }).find("without straining"),
              std::string::npos)
        << free;
}

// Frequency and damping ratio of a curve that rings, by parabolas through three frames.
struct Ringing {
  double frequency = 0, damping = 0;
};
Ringing ringing(const std::vector<double>& values, double fps) {
  std::vector<double> times, heights;
  for (std::size_t f = 20; f + 1 < values.size(); ++f) {
    const double a = values[f - 1], b = values[f], c = values[f + 1];
    if (!((b > a && b >= c) || (b < a && b <= c)) || std::abs(b) < 1e-7) continue;
    const double offset = 0.5 * (a - c) / (a - 2 * b + c);
    times.push_back((static_cast<double>(f) + offset) / fps);
    heights.push_back(std::abs(b - 0.25 * (a - c) * offset));
  }
  if (times.size() < 4) return {};
  const double half_period = (times[3] - times[0]) / 3, decay = std::log(heights[0] / heights[3]) / 3;
  return {1 / (2 * half_period), decay / std::hypot(decay, std::numbers::pi)};
}

// Set going and left alone, the tube swings at the frequency and dies away by the damping that the report names.
TEST(RigSpaceBake, RingsAsItsMaterialSays) {
  Character character = tube_character();
  // The root is pushed aside at once, and stands.
  Clip push;
  push.name = "push";
  push.end = 3;
  push.channels = {
      {1, ChannelPath::translation, Interpolation::linear, {0, 0.02, 3}, 3, {0, 0, 0, 0.01, 0, 0, 0.01, 0, 0}}};
  character.clips = {push};
  for (const double damping : {0.08, 0.2}) {
    RigSpaceSettings settings = quick({"upper.translation.x"});
    settings.damping = damping;
    settings.step = 0.002;
    const CookedRigSpace scene = cooked(character, settings);
    const BakeResult result = baked(character, scene, settings, options_for(0, 500));
    const Ringing found = ringing(result.curves->values, 500);
    EXPECT_NEAR(found.damping, damping, 0.05 * damping);
    EXPECT_NEAR(found.frequency, scene.material.frequency * std::sqrt(1 - damping * damping),
                0.02 * scene.material.frequency);
  }
}

TEST(RigSpaceBake, RestIsRest) {
  const Character character = tube_character();
  for (const InteriorVertices inside :
       {InteriorVertices::corrected, InteriorVertices::skinning, InteriorVertices::equilibrium}) {
    RigSpaceSettings settings = quick();
    settings.inside = inside;
    const CookedRigSpace scene = cooked(character, settings);
    const BakeResult still = baked(character, scene, settings, options_for(-1));
    EXPECT_LT(largest_curve(still), 1e-12);
    // It moves for a quarter of a second, then comes to rest where the animator has it.
    if (inside == InteriorVertices::equilibrium) continue;  // each step of which is long
    const BakeResult stop = baked(character, scene, settings, options_for(1));
    const std::size_t free = 3, frames = stop.recording.times.size();
    EXPECT_GT(largest_curve(stop), 1e-3);
    for (std::size_t i = 0; i < free; ++i) EXPECT_LT(std::abs(stop.curves->values[(frames - 1) * free + i]), 1e-6);
  }
}

// What is recorded is the rig at these values, against the rig at rest.
TEST(RigSpaceBake, RecordsTheSurfaceOfItsCurves) {
  const Character character = tube_character();
  const RigSpaceSettings settings = quick();
  const CookedRigSpace scene = cooked(character, settings);
  const BakeResult result = baked(character, scene, settings, options_for(0));
  const auto& rig = dynamic_cast<const CharacterRig&>(*scene.whole_rig);
  const ClipAnimation animation(rig, character.clips[0]);
  ASSERT_EQ(result.curves->parameters, scene.free);
  ASSERT_EQ(result.curves->times, result.recording.times);
  ASSERT_EQ(result.recording.times.size(), 31u);
  ASSERT_FALSE(result.report.counters.empty());
  EXPECT_EQ(result.report.counters[0], (std::pair<std::string, std::int64_t>("steps", 100)));
  double largest = 0;
  for (std::size_t frame = 0; frame < result.recording.times.size(); ++frame) {
    std::vector<double> p;
    for (const RigParameter& parameter : rig.parameters()) p.push_back(parameter.rest);
    animation.sample(result.recording.times[frame], p);
    std::vector<Vec3> goal(rig.vertices()), moved(rig.vertices());
    scene.whole_rig->evaluate(p, goal);
    for (std::size_t i = 0; i < 3; ++i) p[at(scene.free[i])] = result.curves->values[3 * frame + i];
    scene.whole_rig->evaluate(p, moved);
    const std::vector<int>& vertices = scene.surface.vertex_of[0];
    for (std::size_t v = 0; v < vertices.size(); ++v)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double d = (moved[at(vertices[v])] - goal[at(vertices[v])])[axis];
        EXPECT_NEAR(result.recording.parts[0].displacement[3 * (frame * vertices.size() + v) + axis], d, 1e-7);
        largest = std::max(largest, std::abs(d));
      }
  }
  EXPECT_GT(largest, 1e-3);
}

TEST(RigSpaceBake, FrameRatesSampleOneMotion) {
  const Character character = tube_character();
  const RigSpaceSettings settings = quick();
  const CookedRigSpace scene = cooked(character, settings);
  // Every sixth of a second is a frame of all of them.
  std::vector<std::vector<double>> sixths;
  for (const int rate : {24, 30, 60, 144}) {
    const BakeResult result = baked(character, scene, settings, options_for(0, rate));
    sixths.emplace_back();
    for (int k = 0; k <= 6; ++k)
      for (std::size_t i = 0; i < 3; ++i) sixths.back().push_back(result.curves->values.at(at(k * rate / 6) * 3 + i));
  }
  for (const std::vector<double>& other : sixths)
    for (std::size_t i = 0; i < other.size(); ++i) EXPECT_NEAR(other[i], sixths[0][i], 1e-12);
}

// A character in centimetres moves as the same one in metres.
TEST(RigSpaceBake, UnitsDoNotMatter) {
  std::vector<std::vector<double>> values;
  for (const double unit : {1.0, 0.01}) {
    const Character character = tube_character(unit);
    const RigSpaceSettings settings = quick();
    const CookedRigSpace scene = cooked(character, settings);
    const BakeResult result = baked(character, scene, settings, options_for(0));
    values.push_back(result.curves->values);
  }
  ASSERT_EQ(values[0].size(), values[1].size());
  for (std::size_t i = 0; i < values[0].size(); ++i) EXPECT_NEAR(values[0][i], values[1][i], 1e-7);
}

TEST(RigSpaceBake, DeterministicForAnyNumberOfThreads) {
  const Character character = tube_character();
  expect_same_bits([&] {
    RigSpaceSettings settings = quick();
    // The clip keys its rotation.
    settings.free = {"upper", "upper.scale.y"};
    const CookedRigSpace scene = cooked(character, settings);
    return baked(character, scene, settings, options_for(0)).curves->values;
  });
}

// Stopped anywhere and gone on with in another run: the same values, to the bit.
TEST(RigSpaceBake, ResumesFromItsCheckpoint) {
  const Character character = tube_character();
  for (const bool adaptive : {false, true})
    for (const InteriorVertices inside :
         {InteriorVertices::corrected, InteriorVertices::skinning, InteriorVertices::equilibrium}) {
      RigSpaceSettings settings = quick();
      settings.adaptive = adaptive;
      settings.inside = inside;
      const CookedRigSpace scene = cooked(character, settings);
      BakeOptions options = options_for(0);
      options.end = 0.5;
      const BakeResult whole = baked(character, scene, settings, options);
      options.checkpoint = scratch_path("checkpoint");
      options.resume = true;
      int frames = 0;
      const BakeResult stopped =
          baked(character, scene, settings, options, [&](const ProgressReport&) { return ++frames < 9; });
      EXPECT_FALSE(stopped.complete);
      EXPECT_EQ(stopped.recording.times.size(), 9u);
      const BakeResult resumed = baked(character, scene, settings, options);
      EXPECT_TRUE(resumed.complete);
      EXPECT_EQ(resumed.curves->values, whole.curves->values);
      EXPECT_EQ(resumed.recording.times, whole.recording.times);
      EXPECT_EQ(resumed.recording.parts[0].displacement, whole.recording.parts[0].displacement);
      RigSpaceSettings other = settings;
      other.step = 0.005;
      EXPECT_NE(refusal(ErrorKind::input, [&] { baked(character, scene, other, options); }).find("checkpoint"),
                std::string::npos);
    }
}

// Repeated until it comes back to where it began.
TEST(RigSpaceBake, LoopsAreCyclic) {
  const Character character = tube_character();
  const RigSpaceSettings settings = quick();
  const CookedRigSpace scene = cooked(character, settings);
  BakeOptions options = options_for(0);
  options.loop = Loop::on;
  const BakeResult result = baked(character, scene, settings, options);
  EXPECT_GT(result.report.end->run_on, 0.5);
  ASSERT_EQ(result.curves->values.size(), 31u * 3);
  const double largest = largest_curve(result);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(result.curves->values[i], result.curves->values[30 * 3 + i], 1e-9 * largest);
}

// A clip that turns the upper half of the tube by `angle` about z over `seconds`, at an even pace, from `begin` on; the
// root is pushed aside at once where `push` is more than nothing.
Character turning_tube(double begin, double angle, double seconds, double push = 0) {
  Character character = tube_character();
  Clip clip;
  clip.name = "turn";
  clip.end = seconds;
  const auto quaternion = [](double a) { return std::vector<double>{0, 0, std::sin(a / 2), std::cos(a / 2)}; };
  Channel turn{2, ChannelPath::rotation, Interpolation::linear, {0, seconds}, 4, quaternion(begin)};
  const std::vector<double> last = quaternion(begin + angle);
  turn.values.insert(turn.values.end(), last.begin(), last.end());
  clip.channels = {turn};
  if (push > 0)
    clip.channels.push_back(
        {1, ChannelPath::translation, Interpolation::linear, {0, 0.02, seconds}, 3, {0, 0, 0, push, 0, 0, push, 0, 0}});
  character.clips = {clip};
  return character;
}

// The animator is right: where nothing is thrown about, keys are what they were, whatever pose they hold.
TEST(RigSpaceBake, ASlowClipLeavesItsKeysAsTheyAre) {
  const Character character = turning_tube(0.4, 0.5, 120);
  const RigSpaceSettings settings = quick({"upper"});
  const CookedRigSpace scene = cooked(character, settings);
  BakeOptions options = options_for(0);
  options.end = 4;
  const BakeResult result = baked(character, scene, settings, options);
  ASSERT_EQ(result.curves->parameters.size(), 6u);
  for (std::size_t i = 0; i < result.curves->values.size(); ++i) {
    const RigParameter& parameter = scene.rig->parameters()[at(result.curves->parameters[i % 6])];
    EXPECT_LT(std::abs(result.curves->values[i]), 1e-6 * (parameter.upper - parameter.lower)) << parameter.name;
  }
}

// How the upper half rings about `keyed` radians after a push of the root, or about nothing that is keyed.
Ringing ringing_about(std::optional<double> keyed, RigSpaceSettings settings, double seconds) {
  Character character = turning_tube(keyed.value_or(0), 0, 3, 0.01);
  if (!keyed) character.clips[0].channels.erase(character.clips[0].channels.begin());
  settings.damping = 0.08;
  const CookedRigSpace scene = cooked(character, settings);
  BakeOptions options = options_for(0, 250);
  options.end = seconds;
  const BakeResult result = baked(character, scene, settings, options);
  EXPECT_GT(largest_curve(result), 1e-3);
  return ringing(result.curves->values, 250);
}

// Shaken, it swings about its keys as the same body does that nobody keyed.
TEST(RigSpaceBake, RingsAboutItsKeysAsWithoutThem) {
  RigSpaceSettings settings = quick({"upper.rotation.z"});
  settings.step = 0.004;
  const Ringing free = ringing_about({}, settings, 1.2), held = ringing_about(0.01, settings, 1.2);
  EXPECT_GT(free.frequency, 0);
  EXPECT_NEAR(held.frequency, free.frequency, 1e-3 * free.frequency);
  EXPECT_NEAR(held.damping, free.damping, 0.01 * free.damping);
  // Bent by its keys it is another body, and a stiffer one: as much so as with its inside solved for.
  RigSpaceSettings exact = settings;
  exact.inside = InteriorVertices::equilibrium;
  exact.young = 8.5e5;
  const double stiffer = ringing_about(0.3, exact, 0.6).frequency / ringing_about({}, exact, 0.6).frequency;
  EXPECT_GT(stiffer, 1.05);
  EXPECT_NEAR(ringing_about(0.3, settings, 1.2).frequency / free.frequency, stiffer, 0.03);
}

// A bend that stops lets the flesh go on, and it gets back.
TEST(RigSpaceBake, KeyedControlsLag) {
  const Character character = tube_character();
  const RigSpaceSettings settings = quick({"upper"});
  const CookedRigSpace scene = cooked(character, settings);
  const BakeResult stop = baked(character, scene, settings, options_for(1));
  EXPECT_GT(largest_curve(stop), 0.02);
  for (std::size_t i = stop.curves->values.size() - 6; i < stop.curves->values.size(); ++i)
    EXPECT_LT(std::abs(stop.curves->values[i]), 1e-6);
  // Offsets close in a loop as values do.
  BakeOptions options = options_for(0);
  options.loop = Loop::on;
  const BakeResult loop = baked(character, scene, settings, options);
  const std::vector<double>& values = loop.curves->values;
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(values[i], values[values.size() - 6 + i], 1e-9 * largest_curve(loop));
}

// Where the modelled body is without stress there is no goal for keys to be.
TEST(RigSpaceBake, TheElasticReferenceWantsNoKeys) {
  Character character = tube_character();
  RigSpaceSettings settings = quick({"upper"});
  settings.reference = Reference::elastic;
  const CookedRigSpace scene = cooked(character, settings);
  const std::string words = refusal(ErrorKind::input, [&] { baked(character, scene, settings, options_for(0)); });
  EXPECT_NE(words.find("clip 'swing' moves what is to be free: 'upper.rotation.z'"), std::string::npos) << words;
  // Keys that leave it at rest, as exporters write them, hold nothing.
  for (Channel& channel : character.clips[0].channels)
    if (channel.joint == 2)
      for (std::size_t k = 0; k < channel.times.size(); ++k)
        for (std::size_t c = 0; c < 4; ++c) channel.values[4 * k + c] = c == 3 ? 1 : 0;
  const CookedRigSpace again = cooked(character, settings);
  EXPECT_GT(largest_curve(baked(character, again, settings, options_for(0))), 1e-3);
}

// All that is wrong with what is to be free, in one message.
TEST(CookedRigSpace, RefusesAllAtOnce) {
  const Character character = tube_character();
  const std::string words = refusal(ErrorKind::usage, [&] {
    cooked(character, quick({"upper.scale*", "belly", "mesh.rotation.x", "tail*"}));
  });
  for (const char* part : {"'belly', 'tail*'", "'upper.scale'", "'mesh.rotation.x'"})
    EXPECT_NE(words.find(part), std::string::npos) << part << " in " << words;
  // A tube of two bones is no character with ears.
  const std::string none = refusal(ErrorKind::usage, [&] { cooked(character, quick({"auto"})); });
  EXPECT_NE(none.find("hangs in flesh"), std::string::npos);
  EXPECT_NE(none.find("'upper'"), std::string::npos);
}

}  // namespace
}  // namespace sinew
