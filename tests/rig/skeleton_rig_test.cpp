#include "sinew/rig/skeleton_rig.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/linalg/turns.h"
#include "sinew/rig/linear_blend.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "sinew/rig/skinned_points.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/rig/rig_character.h"
#include "tests/rig/rig_checks.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using namespace test;

std::size_t parameter(const Rig& rig, const std::string& name) {
  for (std::size_t i = 0; i < rig.parameters().size(); ++i)
    if (rig.parameters()[i].name == name) return i;
  ADD_FAILURE() << "no parameter " << name;
  return 0;
}

// What a viewer shows of the surface's vertices, metres.
std::vector<Vec3> shown(const Character& character, const SimulationSurface& surface, const Pose& pose) {
  std::vector<Vec3> s(surface.rest.positions.size());
  for (std::size_t k = 0; k < surface.parts.size(); ++k) {
    const std::vector<Vec3> x =
        posed_positions(character, character.parts[static_cast<std::size_t>(surface.parts[k])], pose);
    for (std::size_t v = 0; v < x.size(); ++v)
      s[static_cast<std::size_t>(surface.vertex_of[k][v])] = x[v] * character.metres_per_unit;
  }
  return s;
}

// A few joints in a row with three products and sums each, of rotations that exponentials gave.
double rounding_of_positions(const std::vector<Vec3>& s) {
  double size = 1;
  for (const Vec3& x : s) size = std::max(size, norm(x));
  return test::rounding_of(size, 4 * 6 + 20);
}

TEST(RigRotation, ExponentialAndLogarithmAreInverse) {
  for (const double angle : {0.0, 1e-12, 1e-5, 0.00999, 0.01001, 1.0, 3.0, 3.14159}) {
    const Vec3 r = normalized(Vec3{0.3, -1, 0.5}) * angle;
    EXPECT_LE(norm(rotation_logarithm(rotation_exponential(r)) - r), 1e-15 * (1 + angle) + 4e-16) << angle;
    EXPECT_NEAR(dot(rotation_exponential(r), rotation_exponential(r)), 1, test::rounding_of(1, 10));
  }
  EXPECT_EQ(rotation_exponential({}), Quat{});
}

TEST(RigRotation, TheJacobianIsThatOfTheExponential) {
  for (const double angle : {0.0, 1e-3, 0.0999, 0.1001, 1.0, 3.0, 5.0}) {
    const Vec3 r = normalized(Vec3{0.3, -1, 0.5}) * angle;
    const Mat3 jacobian = rotation_right_jacobian(r);
    for (std::size_t c = 0; c < 3; ++c) {
      Vec3 step;
      const double h = 1e-3;
      step[c] = h;
      const auto at = [&](const Vec3& x) { return to_matrix(rotation_exponential(x)); };
      const Mat3 differences =
          (8.0 * (at(r + step) - at(r - step)) - (at(r + 2 * step) - at(r - 2 * step))) * (1 / (12 * h));
      // Differences of fourth order: 18 matrices of size 1, each rounded some ten times, over 12 h; what they leave out
      // is h^4 / 30.
      EXPECT_LE(frobenius_norm(differences - at(r) * cross_matrix(jacobian.column(c))),
                test::rounding_of(18 / (12 * h), 10) + h * h * h * h / 30)
          << angle;
    }
  }
}

TEST(SkeletonRig, RestIsTheDefaultPose) {
  const Character character = rig_character();
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  const Pose pose = sample(character.skeleton, nullptr, 0);
  EXPECT_LE(largest_distance(evaluated(rig, rest_parameters(rig)), shown(character, surface, pose)), 1e-14);
}

TEST(SkeletonRig, WithoutTargetsRestHasTheBitsOfLinearBlendSkinning) {
  Character character = rig_character();
  character.parts[0].targets.clear();
  character.skeleton.joints[mesh_node].rest_weights.clear();
  character.clips[0].channels.pop_back();
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  std::vector<Vec3> blended(surface.rest.positions.size());
  linear_blend(surface.rest.positions, surface.influences,
               bone_transforms(character, surface, sample(character.skeleton, nullptr, 0)), blended);
  const std::vector<Vec3> s = evaluated(rig, rest_parameters(rig));
  for (std::size_t v = 0; v < s.size(); ++v) {
    if (surface.influences[v].count == 0) continue;  // those go with their node
    EXPECT_EQ(s[v], blended[v]) << v;
  }
}

TEST(SkeletonRig, FollowsAClip) {
  const Character character = rig_character();
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  const ClipAnimation animation(rig, character.clips[0]);
  std::vector<double> p = rest_parameters(rig);
  for (double t = -0.1; t < 1.7; t += 0.033) {
    animation.sample(t, p);
    EXPECT_LE(largest_distance(evaluated(rig, p),
                               shown(character, surface, sample(character.skeleton, &character.clips[0], t))),
              1e-13)
        << t;
  }
}

TEST(SkeletonRig, AClipThatMovesANodeWithAMatrixReplacesTheMatrix) {
  Character character = rig_character();
  character.skeleton.joints[matrix_node].rest = {{1, 2, 3}, turned(0, 1, 1, 0.5), {1, 1.1, 1}};
  character.skeleton.joints[matrix_node].rest_matrix = to_affine(character.skeleton.joints[matrix_node].rest);
  Channel channel;
  channel.joint = matrix_node;
  channel.path = ChannelPath::translation;
  channel.times = {0, 1};
  channel.values = {1, 2, 3, 4, 5, 6};
  character.clips[0].channels.push_back(channel);
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  const ClipAnimation animation(rig, character.clips[0]);
  std::vector<double> p = rest_parameters(rig);
  animation.sample(0.7, p);
  EXPECT_LE(largest_distance(evaluated(rig, p),
                             shown(character, surface, sample(character.skeleton, &character.clips[0], 0.7))),
            1e-13);
}

// An independent way from parameters to a surface: write them as channels of a clip, and sample it.
TEST(SkeletonRig, ParametersWrittenAsChannelsGiveTheSameSurface) {
  const Character character = rig_character();
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  for (const unsigned seed : {1u, 2u, 3u}) {
    const std::vector<double> p = random_parameters(rig, seed);
    Clip written;
    for (int node = 0; node < rig_joints; ++node) {
      const auto key = [&](ChannelPath path, const std::vector<double>& values) {
        Channel channel;
        channel.joint = node;
        channel.path = path;
        channel.times = {0};
        channel.components = static_cast<int>(values.size());
        channel.values = values;
        written.channels.push_back(channel);
      };
      if (rig.first_parameter(node) >= 0) {
        const Transform t = rig.local_transform(node, p);
        key(ChannelPath::translation, {t.translation.x, t.translation.y, t.translation.z});
        key(ChannelPath::rotation, {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w});
        key(ChannelPath::scale, {t.scale.x, t.scale.y, t.scale.z});
      }
      if (rig.weight_count(node) > 0) key(ChannelPath::weights, rig.morph_weights(node, p));
    }
    const std::vector<Vec3> s = evaluated(rig, p);
    EXPECT_LE(largest_distance(s, shown(character, surface, sample(character.skeleton, &written, 0))),
              rounding_of_positions(s));
    EXPECT_GE(largest_distance(s, evaluated(rig, rest_parameters(rig))), 0.1);
    // And back: the clip's parameters are those that it was written from, but for the split of scale.
    const ClipAnimation animation(rig, written);
    std::vector<double> read = rest_parameters(rig);
    animation.sample(0, read);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const NodeParameter& of = rig.node_parameters()[i];
      if (of.kind == NodeParameterKind::uniform_scale) continue;
      const double uniform =
          of.kind == NodeParameterKind::scale ? p[static_cast<std::size_t>(rig.first_parameter(of.node)) + 9] : 0;
      EXPECT_NEAR(read[i], p[i] + uniform, 1e-14) << rig.parameters()[i].name;
    }
  }
}

// The surface at rest may have morph targets in it: what parameters give is the same.
TEST(SkeletonRig, ShapesShownByDefaultCountOnce) {
  const Character plain = rig_character();
  Character shown_shape = plain;
  apply_default_shape(shown_shape);
  EXPECT_GT(largest_distance(plain.parts[0].surface.positions, shown_shape.parts[0].surface.positions), 0.1);
  CharacterRig rig(plain, simulation_surface(plain)), other(shown_shape, simulation_surface(shown_shape));
  for (const unsigned seed : {1u, 2u, 3u}) {
    const std::vector<double> p = random_parameters(rig, seed);
    const std::vector<Vec3> s = evaluated(rig, p);
    EXPECT_LE(largest_distance(s, evaluated(other, p)), rounding_of_positions(s));
  }
}

// A translation of one metre of a joint whose parents scale unevenly moves what it carries by one metre on the mean of
// the axes, in whatever units the file is.
TEST(SkeletonRig, TranslationsAreInMetresOfTheWorld) {
  Character character = rig_character();
  character.skeleton.joints[spine_joint].rest.scale = {1.5, 1.5, 1.5};
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  const std::vector<double> rest = rest_parameters(rig);
  std::vector<double> p = rest;
  p[parameter(rig, "belly.translation.y")] = 0.02;
  const Pose pose = sample(character.skeleton, nullptr, 0);
  const Vec3 along = pose.world[spine_joint].linear.column(1) / norm(pose.world[spine_joint].linear.column(1));
  const std::vector<Vec3> before = evaluated(rig, rest), after = evaluated(rig, p);
  for (std::size_t v = 0; v < before.size(); ++v) {
    double weight = 0;
    for (int k = 0; k < surface.influences[v].count; ++k)
      if (surface.bones[static_cast<std::size_t>(surface.influences[v].joint[static_cast<std::size_t>(k)])].joint ==
          belly_joint)
        weight = surface.influences[v].weight[static_cast<std::size_t>(k)];
    EXPECT_LE(norm(after[v] - before[v] - along * (0.02 * weight)), 1e-14);
  }
}

TEST(SkeletonRig, NamesRangesAndWhatIsFree) {
  Character character = rig_character();
  for (Part& part : character.parts) part.target_names = {"smile"};
  CharacterRig rig(character, simulation_surface(character));
  const auto& all = rig.parameters();
  EXPECT_EQ(all.size(), 6 * 10 + 2);  // all nodes but that with a matrix, and two targets
  const RigParameter& smile = all[parameter(rig, "mesh.smile")];
  EXPECT_EQ(smile.control, "smile");
  EXPECT_EQ(smile.rest, 0.25);
  EXPECT_TRUE(smile.free_by_default);
  EXPECT_EQ(all[parameter(rig, "mesh.target 1")].upper, 1);
  const RigParameter& belly = all[parameter(rig, "belly.translation.z")];
  EXPECT_EQ(belly.control, "belly");
  EXPECT_TRUE(belly.free_by_default);
  EXPECT_EQ(belly.lower, -belly.upper);
  EXPECT_FALSE(all[parameter(rig, "belly.scale")].free_by_default);
  EXPECT_FALSE(all[parameter(rig, "tail.rotation.x")].free_by_default);  // carries nothing
  EXPECT_NEAR(all[parameter(rig, "belly.rotation.x")].upper, pi / 4, 1e-15);
  EXPECT_NEAR(all[parameter(rig, "belly.scale.y")].upper, std::log(2), 1e-15);
  for (const RigParameter& p : all) EXPECT_TRUE(p.lower < p.upper && p.lower <= p.rest && p.rest <= p.upper) << p.name;
}

TEST(SkeletonRig, NodesOfOneNameAreToldApart) {
  Character character = rig_character();
  character.skeleton.joints[tail_joint].name = "belly";
  CharacterRig rig(character, simulation_surface(character));
  EXPECT_EQ(rig.node_parameters()[parameter(rig, "belly.rotation.x")].node, belly_joint);
  EXPECT_EQ(rig.node_parameters()[parameter(rig, "belly (node 6).rotation.x")].node, tail_joint);
}

TEST(SkeletonRig, AnswersForSomeVerticesAsForAll) {
  const Character character = rig_character();
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig all(character, surface);
  const std::vector<int> chosen{200, 3, 77, 131};
  CharacterRig some(character, surface, chosen);
  const std::vector<double> p = random_parameters(all, 4);
  const std::vector<Vec3> s = evaluated(all, p), few = evaluated(some, p);
  for (std::size_t i = 0; i < chosen.size(); ++i) EXPECT_EQ(few[i], s[static_cast<std::size_t>(chosen[i])]);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { CharacterRig(character, surface, std::vector<int>{9999}); }).find("9999"),
            std::string::npos);
}

TEST(SkeletonRig, BitsDoNotDependOnWhatWasAskedBefore) {
  const Character character = rig_character();
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig used(character, surface);
  std::vector<double> p = rest_parameters(used);
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] += 0.1;  // one parameter at a time: everything that depends on it has to be noticed
    CharacterRig fresh(character, surface);
    EXPECT_EQ(evaluated(used, p), evaluated(fresh, p)) << used.parameters()[i].name;
  }
}

TEST(SkeletonRig, DeterministicOnAnyNumberOfThreads) {
  const Character character = rig_character();
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  std::vector<double> p, one;
  for (unsigned seed = 0; seed < 37; ++seed) {
    const std::vector<double> next = random_parameters(rig, seed);
    p.insert(p.end(), next.begin(), next.end());
  }
  std::vector<int> columns;
  for (std::size_t c = 0; c < rig.parameters().size(); ++c) columns.push_back(static_cast<int>(c));
  const std::vector<double> bits = expect_same_bits([&] {
    std::vector<Vec3> s(37 * rig.vertices());
    rig.evaluate_many(p, s);
    RigJacobian jacobian;
    rig.jacobian(std::span<const double>(p).first(columns.size()), columns, jacobian);
    s.insert(s.end(), jacobian.derivative.begin(), jacobian.derivative.end());
    std::vector<double> numbers;
    for (const Vec3& v : s) numbers.insert(numbers.end(), {v.x, v.y, v.z});
    return numbers;
  });
  const std::size_t width = rig.parameters().size();
  for (std::size_t i = 0; i < 37; ++i) {
    const std::vector<Vec3> s =
        evaluated(rig, {p.begin() + static_cast<long>(i * width), p.begin() + static_cast<long>((i + 1) * width)});
    for (std::size_t v = 0; v < s.size(); ++v) ASSERT_EQ(s[v].x, bits[3 * (i * s.size() + v)]) << i << " " << v;
  }
}

TEST(SkeletonRig, TheJacobianIsExact) {
  const Character character = rig_character();
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  expect_exact_jacobian(rig, rest_parameters(rig), 1e-7);
  for (const unsigned seed : {1u, 2u}) expect_exact_jacobian(rig, random_parameters(rig, seed), 1e-7);
}

TEST(SkeletonRig, TheJacobianOfDualQuaternionsIsExact) {
  const Character character = rig_character();
  SimulationSurface surface = simulation_surface(character);
  set_skinning(SkinningKind::dual_quaternion, surface);
  CharacterRig rig(character, surface);
  expect_exact_jacobian(rig, rest_parameters(rig), 1e-7);
  for (const unsigned seed : {1u, 2u}) expect_exact_jacobian(rig, random_parameters(rig, seed), 1e-7);
}

TEST(SkeletonRig, DualQuaternionsAreThoseOfTheBones) {
  Character character = rig_character();
  character.parts[0].targets.clear();
  character.skeleton.joints[mesh_node].rest_weights.clear();
  character.clips[0].channels.pop_back();
  SimulationSurface surface = simulation_surface(character);
  set_skinning(SkinningKind::dual_quaternion, surface);
  CharacterRig rig(character, surface);
  const std::vector<Vec3> s = evaluated(rig, rest_parameters(rig));
  std::vector<Vec3> expected(s.size());
  const std::vector<Affine> bones = bone_transforms(character, surface, sample(character.skeleton, nullptr, 0));
  pose_points(skin_of(surface), bones, expected);
  // Vertices without weights follow a node of their own.
  for (std::size_t v = 0; v < s.size(); ++v)
    if (surface.influences[v].count > 0) {
      EXPECT_LE(distance(s[v], expected[v]), 1e-13) << v;
    }
}

TEST(SkeletonRig, TheJacobianIsSparse) {
  const Character character = rig_character();
  CharacterRig rig(character, simulation_surface(character));
  const std::vector<int> columns{static_cast<int>(parameter(rig, "belly.rotation.y")),
                                 static_cast<int>(parameter(rig, "tail.translation.x")),
                                 static_cast<int>(parameter(rig, "mesh.target 0"))};
  RigJacobian jacobian;
  rig.jacobian(rest_parameters(rig), columns, jacobian);
  std::size_t morphed = 0, carried = 0;
  for (const Vec3& offset : character.parts[0].targets[0]) morphed += offset != Vec3{};
  for (const Influences& on : character.parts[0].influences)
    for (int k = 0; k < on.count; ++k) carried += on.joint[static_cast<std::size_t>(k)] == 2;
  EXPECT_EQ(jacobian.start, (std::vector<int>{0, static_cast<int>(carried), static_cast<int>(carried),
                                              static_cast<int>(carried + morphed)}));
  EXPECT_GT(carried, 5u);
}

TEST(SkeletonRig, RefusesWhatIsNoNumber) {
  const Character character = rig_character();
  CharacterRig rig(character, simulation_surface(character));
  std::vector<Vec3> s(rig.vertices());
  std::vector<double> p = rest_parameters(rig);
  p[parameter(rig, "tail.scale")] = NAN;
  const std::string nan = refusal(ErrorKind::input, [&] { rig.evaluate(p, s); });
  EXPECT_NE(nan.find("made.glb"), std::string::npos);
  EXPECT_NE(nan.find("tail.scale"), std::string::npos);
  p[parameter(rig, "tail.scale")] = 0;
  p[parameter(rig, "spine.scale")] = 1000;
  EXPECT_NE(refusal(ErrorKind::input, [&] { rig.evaluate(p, s); }).find("vertex"), std::string::npos);
  p[parameter(rig, "spine.scale")] = 0;
  rig.evaluate(p, s);  // and works again
  EXPECT_EQ(s, evaluated(rig, rest_parameters(rig)));
}

TEST(ClipAnimation, SaysWhatIsKeyed) {
  const Character character = rig_character();
  CharacterRig rig(character, simulation_surface(character));
  const ClipAnimation animation(rig, character.clips[0]);
  const auto keyed = [&](const std::string& name) { return animation.keyed()[parameter(rig, name)]; };
  EXPECT_TRUE(keyed("root.translation.x"));
  EXPECT_FALSE(keyed("root.rotation.x"));
  EXPECT_TRUE(keyed("belly.scale.z"));
  EXPECT_TRUE(keyed("belly.scale"));
  EXPECT_TRUE(keyed("mesh.target 1"));
  EXPECT_FALSE(keyed("head.rotation.y"));
  // What is not keyed stays.
  std::vector<double> p(rig.parameters().size(), 7.0);
  animation.sample(0.3, p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(p[i] == 7.0, !animation.keyed()[i]) << rig.parameters()[i].name;
}

TEST(ClipAnimation, SaysWhichKeysDoNothing) {
  Character character = rig_character();
  Clip& clip = character.clips[0];
  clip.channels.clear();
  const auto channel = [&](int joint, ChannelPath path, Interpolation interpolation, std::vector<double> values,
                           int components) {
    Channel c;
    c.joint = joint;
    c.path = path;
    c.interpolation = interpolation;
    c.times = {0, 1};
    c.components = components;
    c.values = std::move(values);
    clip.channels.push_back(c);
  };
  const Quat q = character.skeleton.joints[belly_joint].rest.rotation;
  channel(belly_joint, ChannelPath::rotation, Interpolation::linear, {q.x, q.y, q.z, q.w, -q.x, -q.y, -q.z, -q.w}, 4);
  channel(belly_joint, ChannelPath::translation, Interpolation::linear, {6, 4, 1, 6, 4.1, 1}, 3);
  // Keys at rest, but a tangent that leads away from it.
  channel(mesh_node, ChannelPath::weights, Interpolation::cubic_spline, {0, 0, 0.25, 0, 0.5, 0, 0, 0, 0.25, 0, 0, 0},
          2);
  CharacterRig rig(character, simulation_surface(character));
  const ClipAnimation animation(rig, clip);
  const std::vector<char> still = animation.still();
  const auto is_still = [&](const std::string& name) { return still[parameter(rig, name)]; };
  EXPECT_TRUE(is_still("belly.rotation.x"));
  EXPECT_TRUE(is_still("belly.translation.x"));
  EXPECT_FALSE(is_still("belly.translation.y"));
  EXPECT_FALSE(is_still("mesh.target 0"));
  EXPECT_TRUE(is_still("mesh.target 1"));
  EXPECT_FALSE(is_still("spine.rotation.x"));  // not keyed at all
}

TEST(ClipAnimation, RotationsGoOnPastHalfATurn) {
  Character character = rig_character();
  Clip& clip = character.clips[0];
  clip.channels.clear();
  Channel c;
  c.joint = belly_joint;
  c.path = ChannelPath::rotation;
  c.components = 4;
  const Quat rest = character.skeleton.joints[belly_joint].rest.rotation;
  const Vec3 axis = normalized(Vec3{1, 2, -1});
  for (int k = 0; k <= 8; ++k) {
    c.times.push_back(k);
    const Quat q = rest * axis_angle(axis, 2.0 * k);  // two and a half turns; quaternions of either sign
    const double sign = k % 2 ? -1 : 1;
    c.values.insert(c.values.end(), {sign * q.x, sign * q.y, sign * q.z, sign * q.w});
  }
  clip.channels.push_back(c);
  CharacterRig rig(character, simulation_surface(character));
  const ClipAnimation animation(rig, clip);
  const std::size_t first = parameter(rig, "belly.rotation.x");
  std::vector<double> p = rest_parameters(rig);
  for (double t = 0; t <= 8; t += 0.01) {
    animation.sample(t, p);
    EXPECT_LE(norm(Vec3{p[first], p[first + 1], p[first + 2]} - axis * (2 * t)), 1e-7) << t;
  }
}

TEST(ClipAnimation, ScalesOfZeroAndBelow) {
  Character character = rig_character();
  Clip& clip = character.clips[0];
  clip.channels.clear();
  Channel c;
  c.joint = belly_joint;
  c.path = ChannelPath::scale;
  c.times = {0, 1};
  c.values = {0, 0, 0, 0.9, 1, 1.3};
  clip.channels.push_back(c);
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  const ClipAnimation animation(rig, clip);
  std::vector<double> p = rest_parameters(rig);
  for (const double t : {0.0, 0.5, 1.0}) {
    animation.sample(t, p);
    EXPECT_LE(largest_distance(evaluated(rig, p), shown(character, surface, sample(character.skeleton, &clip, t))),
              1e-11);
  }
  clip.channels[0].values[0] = -0.1;
  const std::string sentence = refusal(ErrorKind::input, [&] { ClipAnimation(rig, clip); });
  EXPECT_NE(sentence.find("'all' scales node 'belly'"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace sinew
