#include "sinew/bake/output/morph_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "tests/character/influences.h"

namespace sinew {
namespace {

// A strip of `count` vertices along +Y from 0 to 2, on two joints; the upper one, at height 1, turns by
// 90 degrees about +Z in one second. Weights blend from 0.5 to 1.5.
Character bending_strip(int count, double units_per_metre = 1) {
  Character character;
  character.file = "strip";
  character.metres_per_unit = 1 / units_per_metre;
  Joint root, upper, node;
  root.name = "root";
  upper.parent = 0;
  upper.rest.translation = {0, units_per_metre, 0};
  character.skeleton.joints = {root, upper, node};
  character.skeleton.parents_first = {0, 1, 2};

  Skin skin;
  skin.joints = {0, 1};
  skin.inverse_bind = {Affine{}, Affine{Mat3{}, {0, -units_per_metre, 0}}};
  character.skins.push_back(skin);

  Part part;
  part.name = "strip";
  part.joint = 2;
  part.mesh = part.primitive = part.skin = 0;
  for (int i = 0; i < count; ++i) {
    const double y = 2.0 * i / (count - 1), upper_weight = std::fmin(1, std::fmax(0, y - 0.5));
    part.surface.positions.push_back(Vec3{i % 2 == 0 ? 0.1 : -0.1, y, 0} * units_per_metre);
    if (i >= 2) part.surface.triangles.push_back({i - 2, i - 1, i});
    part.influences.push_back(test::between(0, 1, upper_weight));
  }
  character.parts.push_back(part);

  Channel turn;
  turn.joint = 1;
  turn.path = ChannelPath::rotation;
  turn.components = 4;
  turn.times = {0, 1};
  const Quat end = axis_angle({0, 0, 1}, std::acos(-1.0) / 2);
  turn.values = {0, 0, 0, 1, end.x, end.y, end.z, end.w};
  character.clips.push_back({"bend", {turn}, 0, 1});
  return character;
}

using RestMotion = std::function<Vec3(const Vec3& rest_metres, double seconds)>;

Recording record(const Character& character, int frames, const RestMotion& motion) {
  Recording recording;
  recording.clip = 0;
  recording.frames_per_second = frames - 1;
  PartRecording part;
  part.part = 0;
  part.vertices = static_cast<int>(character.parts[0].surface.positions.size());
  for (int frame = 0; frame < frames; ++frame) {
    const double seconds = frame / static_cast<double>(frames - 1);
    recording.times.push_back(seconds);
    for (const Vec3& position : character.parts[0].surface.positions) {
      const Vec3 moved = motion(position * character.metres_per_unit, seconds);
      for (std::size_t axis = 0; axis < 3; ++axis) part.displacement.push_back(static_cast<float>(moved[axis]));
    }
  }
  recording.parts.push_back(part);
  return recording;
}

Vec3 wave(const Vec3& x, double t) {
  return {0.05 * std::sin(9 * t + 3 * x.y), 0.02 * std::cos(17 * t + 5 * x.y), 0.03 * std::sin(5 * t) * x.y};
}

struct Errors {
  double rms = 0, max = 0;
};

// What a viewer sees: targets and weights go through the rig's own evaluation, which knows nothing of
// how they were found.
Errors played_errors(Character character, const MorphFit& fit, std::span<const Recording> recordings) {
  const MeshMorphs& morphs = fit.meshes.at(0);
  Part& part = character.parts[0];
  const std::size_t vertices = part.surface.positions.size();
  for (std::size_t k = 0; k < static_cast<std::size_t>(morphs.targets); ++k) {
    std::vector<Vec3>& target = part.targets.emplace_back();
    for (std::size_t i = 0; i < vertices; ++i) {
      const float* offset = morphs.parts[0].position.data() + 3 * (k * vertices + i);
      target.push_back({offset[0], offset[1], offset[2]});
    }
  }
  Errors errors;
  double samples = 0;
  for (std::size_t r = 0; r < recordings.size(); ++r)
    for (std::size_t frame = 0; frame < recordings[r].times.size(); ++frame) {
      Pose pose = sample(character.skeleton, &character.clips[0], recordings[r].times[frame]);
      pose.morph_weights.resize(3);
      pose.morph_weights[2].assign(static_cast<std::size_t>(morphs.targets), 0);
      const std::vector<Vec3> rig = posed_positions(character, part, pose);
      for (std::size_t k = 0; k < static_cast<std::size_t>(morphs.targets); ++k)
        pose.morph_weights[2][k] =
            static_cast<double>(morphs.weights[r][frame * static_cast<std::size_t>(morphs.targets) + k]);
      const std::vector<Vec3> played = posed_positions(character, part, pose);
      for (std::size_t i = 0; i < vertices; ++i) {
        const float* d = recordings[r].parts[0].displacement.data() + 3 * (frame * vertices + i);
        const double error = norm((played[i] - rig[i]) * character.metres_per_unit - Vec3{d[0], d[1], d[2]});
        errors.rms += error * error;
        errors.max = std::fmax(errors.max, error);
        ++samples;
      }
    }
  errors.rms = std::sqrt(errors.rms / samples);
  return errors;
}

void expect_unit_weights(const MorphFit& fit) {
  for (const MeshMorphs& mesh : fit.meshes)
    for (const std::vector<float>& weights : mesh.weights)
      for (float weight : weights) {
        EXPECT_GE(weight, 0.0F);
        EXPECT_LE(weight, 1.0F);
      }
}

TEST(MorphFit, PlaysTheRecordingWithinTheBoundAndReportsTheErrorThatViewersSee) {
  const Character character = bending_strip(200);
  const std::vector<Recording> recordings{record(character, 61, wave)};
  const MorphFit fit = fit_morph_targets(character, recordings, {});
  ASSERT_EQ(fit.meshes.size(), 1u);
  EXPECT_NEAR(fit.height, 2, 1e-12);
  EXPECT_GT(fit.meshes[0].targets, 1);
  EXPECT_LE(fit.rms_error, 0.001 * fit.height);
  const Errors played = played_errors(character, fit, recordings);
  EXPECT_NEAR(played.rms, fit.rms_error, 1e-7);
  EXPECT_NEAR(played.max, fit.max_error, 1e-6);
  expect_unit_weights(fit);
}

TEST(MorphFit, MotionOfThreeShapesNeedsFourTargetsAndLosesNothing) {
  Character character = bending_strip(60);
  character.clips[0].channels.clear();  // no skinning in between: shapes are plain
  const std::vector<Recording> recordings{record(character, 40, [](const Vec3& x, double t) {
    return Vec3{0.1 * std::sin(7 * t) * x.y, 0.05 * std::cos(11 * t) * x.y * x.y, 0.04 * t * t * (1 - x.y)};
  })};
  MorphFitOptions options;
  options.rms_error = 1e-7;
  const MorphFit fit = fit_morph_targets(character, recordings, options);
  EXPECT_EQ(fit.meshes[0].targets, 4);
  EXPECT_LT(played_errors(character, fit, recordings).max, 1e-6);
}

TEST(MorphFit, FewVerticesAndManyFramesGiveTheSameAccuracy) {
  const Character character = bending_strip(8);  // 24 coordinates, 200 frames
  const std::vector<Recording> recordings{record(character, 200, wave)};
  MorphFitOptions options;
  options.rms_error = 1e-5;
  const MorphFit fit = fit_morph_targets(character, recordings, options);
  EXPECT_LE(played_errors(character, fit, recordings).rms, 1e-5 * fit.height * (1 + 1e-4));
  expect_unit_weights(fit);
}

TEST(MorphFit, CentimetresGiveTheSameTargetsAsMetres) {
  const Character metres = bending_strip(100), centimetres = bending_strip(100, 100);
  const std::vector<Recording> a{record(metres, 31, wave)}, b{record(centimetres, 31, wave)};
  const MorphFit fit_a = fit_morph_targets(metres, a, {}), fit_b = fit_morph_targets(centimetres, b, {});
  EXPECT_EQ(fit_a.meshes[0].targets, fit_b.meshes[0].targets);
  EXPECT_NEAR(fit_a.height, fit_b.height, 1e-9);
  EXPECT_NEAR(fit_a.rms_error, fit_b.rms_error, 1e-7);
  EXPECT_NEAR(played_errors(centimetres, fit_b, b).max, fit_b.max_error, 1e-6);
}

TEST(MorphFit, SeveralRecordingsShareOneBasis) {
  const Character character = bending_strip(100);
  const std::vector<Recording> recordings{record(character, 31, wave),
                                          record(character, 21, [](const Vec3& x, double t) {
                                            return Vec3{0, 0, 0.1 * std::sin(20 * t) * x.y};
                                          })};
  const MorphFit fit = fit_morph_targets(character, recordings, {});
  ASSERT_EQ(fit.meshes[0].weights.size(), 2u);
  EXPECT_EQ(fit.meshes[0].weights[0].size(), 31u * static_cast<std::size_t>(fit.meshes[0].targets));
  EXPECT_EQ(fit.meshes[0].weights[1].size(), 21u * static_cast<std::size_t>(fit.meshes[0].targets));
  EXPECT_LE(played_errors(character, fit, recordings).rms, 0.001 * fit.height);
}

TEST(MorphFit, StillFleshNeedsNoTargets) {
  const Character character = bending_strip(20);
  const std::vector<Recording> recordings{record(character, 5, [](const Vec3&, double) { return Vec3{}; })};
  const MorphFit fit = fit_morph_targets(character, recordings, {});
  EXPECT_EQ(fit.meshes.at(0).targets, 0);
  EXPECT_EQ(fit.max_error, 0);
}

TEST(MorphFit, MotionOfFewVerticesIsNotLostInTheMean) {
  const Character character = bending_strip(4000);
  // The last four vertices move by 1 % of the height: 0.03 % RMS over all.
  const std::vector<Recording> recordings{record(character, 20, [](const Vec3& x, double t) {
    return Vec3{0, 0, x.y > 1.998 ? 0.02 * std::sin(9 * t) : 0};
  })};
  const MorphFit fit = fit_morph_targets(character, recordings, {});
  EXPECT_GT(fit.meshes[0].targets, 0);
  EXPECT_LE(fit.max_error, 0.005 * fit.height);
  EXPECT_LE(played_errors(character, fit, recordings).max, 0.005 * fit.height * (1 + 1e-4));
}

TEST(MorphFit, AskedNumberOfTargetsIsGiven) {
  const Character character = bending_strip(60);
  const std::vector<Recording> recordings{record(character, 40, wave)};
  double last = std::numeric_limits<double>::infinity();
  for (int targets : {1, 2, 3, 5}) {
    MorphFitOptions options;
    options.targets = targets;
    const MorphFit fit = fit_morph_targets(character, recordings, options);
    EXPECT_EQ(fit.meshes[0].targets, targets);
    EXPECT_LT(fit.rms_error, last);
    last = fit.rms_error;
  }
}

TEST(MorphFit, ThreadsDoNotChangeASingleBit) {
  const Character character = bending_strip(3000);
  const std::vector<Recording> recordings{record(character, 25, wave)};
  set_thread_count(1);
  const MorphFit reference = fit_morph_targets(character, recordings, {});
  for (int threads : {2, 4}) {
    set_thread_count(threads);
    const MorphFit fit = fit_morph_targets(character, recordings, {});
    EXPECT_EQ(fit.meshes[0].parts[0].position, reference.meshes[0].parts[0].position);
    EXPECT_EQ(fit.meshes[0].weights, reference.meshes[0].weights);
    EXPECT_EQ(fit.rms_error, reference.rms_error);
  }
  set_thread_count(0);
}

TEST(MorphFit, CollapsedJointGivesFiniteTargets) {
  Character character = bending_strip(60);
  character.skeleton.joints[1].rest.scale = {0, 0, 0};
  character.clips[0].channels.clear();
  const std::vector<Recording> recordings{record(character, 20, wave)};
  const MorphFit fit = fit_morph_targets(character, recordings, {});
  for (float value : fit.meshes[0].parts[0].position) ASSERT_TRUE(std::isfinite(value));
  // What a joint of no size carries cannot be moved by morphing; the report must not hide it.
  EXPECT_GT(fit.max_error, 0.01);
  EXPECT_NEAR(played_errors(character, fit, recordings).rms, fit.rms_error, 1e-6);
}

TEST(MorphFit, NormalsTurnWithTheSurface) {
  Character character = bending_strip(40);
  character.clips[0].channels.clear();
  // All triangles lie in the plane z = 0; a shear z += x turns their normals by 45 degrees about +Y.
  character.parts[0].normals.assign(40, Vec3{0, 0, 1});
  const std::vector<Recording> recordings{record(character, 3, [](const Vec3& x, double t) {
    return Vec3{0, 0, t * x.x};
  })};
  MorphFitOptions options;
  options.normals = true;
  options.rms_error = 1e-6;
  const MorphFit fit = fit_morph_targets(character, recordings, options);
  ASSERT_EQ(fit.meshes[0].targets, 2);
  const std::vector<float>& normals = fit.meshes[0].parts[0].normal;
  ASSERT_EQ(normals.size(), 2u * 40u * 3u);
  double sign = 0;
  for (std::size_t axis : {0u, 2u}) {
    const auto turned = static_cast<double>(normals[3 * 40 + axis]);
    sign = axis == 0 ? turned : turned + 1;
    EXPECT_NEAR(std::abs(sign), std::sqrt(0.5), 1e-3);
  }
}

TEST(MorphFit, BrokenRecordingsAreRefused) {
  const Character character = bending_strip(20);
  std::vector<Recording> recordings{record(character, 5, wave)};
  recordings[0].parts[0].displacement[7] = std::numeric_limits<float>::quiet_NaN();
  try {
    fit_morph_targets(character, recordings, {});
    FAIL() << "NaN was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::simulation);
  }
  recordings[0].parts[0].displacement.pop_back();
  EXPECT_THROW(fit_morph_targets(character, recordings, {}), Error);
  recordings[0].parts[0].part = 3;
  EXPECT_THROW(fit_morph_targets(character, recordings, {}), Error);
}

}  // namespace
}  // namespace sinew
