#include "studies/shape/experiments.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <random>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "sinew/jobs/shape/shape_target.h"
#include "sinew/linalg/dense_cholesky.h"
#include "sinew/rig/weight_controls.h"
#include "sinew/shape/displacement_size.h"
#include "sinew/shape/joint_turns.h"
#include "sinew/shape/presets.h"
#include "sinew/shape/shape_forces.h"

namespace sinew {
namespace {

constexpr double fitted_degrees = 90;
constexpr double compared_degrees[] = {30, 60, 90, 120};
constexpr double noise_of_height = 0.005;
constexpr double smoothnesses[] = {3e-4, 3e-3, 0.01, 0.03, 0.1, 0.3};

std::vector<int> all_vertices(std::size_t count) {
  std::vector<int> all(count);
  for (std::size_t s = 0; s < count; ++s) all[s] = static_cast<int>(s);
  return all;
}

// Vertices that the joint's bone and the bone above it move by more than half.
std::vector<int> skin_of_limb(const SimulationSurface& surface, const std::string& joint) {
  int bone = 0;
  while (index(bone) < surface.bones.size() && surface.bones[index(bone)].name != joint) ++bone;
  if (index(bone) == surface.bones.size()) throw usage_error("the joint " + joint + " carries no skin.");
  std::vector<int> skin;
  for (std::size_t s = 0; s < surface.influences.size(); ++s) {
    double weight = 0;
    const Influences& influences = surface.influences[s];
    for (int k = 0; k < influences.count; ++k)
      if (influences.joint[index(k)] == bone || influences.joint[index(k)] == surface.bones[index(bone)].parent)
        weight += influences.weight[index(k)];
    if (weight > 0.5) skin.push_back(static_cast<int>(s));
  }
  return skin;
}

// Displacements of static equilibrium of flesh that remembers its shape at rest.
std::vector<Vec3> remembering_rest(const ShapeSubject& subject, std::span<const Affine> bones) {
  QuasiNewton how;
  how.law = subject.law;
  how.shape = NaturalShape::rest;
  how.precision = TissuePrecision::doubles;
  const auto body = tetrahedral_shape_body(subject.flesh.body, quasi_newton_reference(subject.flesh.body, how));
  body->set_pose(bones);
  return body->displacements({});
}

// Forces on the skin, piecewise linear and constant beyond the samples.
std::vector<Vec3> between(const std::vector<std::pair<double, std::vector<Vec3>>>& samples, double at) {
  std::size_t next = 1;
  while (next + 1 < samples.size() && samples[next].first < at) ++next;
  const auto& [from, a] = samples[next - 1];
  const auto& [to, b] = samples[next];
  const double share = std::min(1.0, (at - from) / (to - from));
  std::vector<Vec3> forces(a.size());
  for (std::size_t s = 0; s < a.size(); ++s) forces[s] = a[s] + share * (b[s] - a[s]);
  return forces;
}

// The forces of presets, as far as they go.
std::vector<PointForce> preset_forces(ShapeSubject& subject, const std::vector<std::string>& presets) {
  std::vector<Vec3> sum(subject.body->points());
  for (const std::string& name : presets)
    for (const ShapeRig& rig : sized_together(preset_rigs(shape_preset(name), name, {}, {}, subject.surface()),
                                              subject.surface(), *subject.body)) {
      std::vector<double> eta = rig.samples.back().eta;
      eta[amplitude_parameter] = amplitude_for_displacement(rig, {{}, eta}, subject.surface(), *subject.body);
      add_forces(rig_force(rig, eta, subject.surface(), *subject.body), 1, sum);
    }
  return nonzero_forces(sum);
}

// The skin whose dominant bone is that of the vertex that moves farthest.
std::vector<int> skin_moving_most(const SimulationSurface& surface, std::span<const Vec3> from,
                                  std::span<const Vec3> to) {
  std::size_t most = 0;
  for (std::size_t s = 0; s < from.size(); ++s)
    if (distance(from[s], to[s]) > distance(from[most], to[most])) most = s;
  std::vector<int> skin;
  for (std::size_t s = 0; s < from.size(); ++s)
    if (surface.influences[s].joint[0] == surface.influences[most].joint[0]) skin.push_back(static_cast<int>(s));
  return skin;
}

// Share of the mean square of small displacements that is a rigid motion.
double carried_share(std::span<const Vec3> from, std::span<const Vec3> to, std::span<const int> vertices) {
  Vec3 centre;
  for (const int v : vertices) centre += from[index(v)] / static_cast<double>(vertices.size());
  std::array<double, 36> normal{};
  std::array<double, 6> right{}, motion{};
  double all = 0, rigid = 0;
  for (const int v : vertices) {
    const Vec3 x = from[index(v)] - centre, u = to[index(v)] - from[index(v)];
    const Vec3 ways[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -x.z, x.y}, {x.z, 0, -x.x}, {-x.y, x.x, 0}};
    for (std::size_t i = 0; i < 6; ++i) {
      right[i] += dot(ways[i], u);
      for (std::size_t j = 0; j < 6; ++j) normal[6 * i + j] += dot(ways[i], ways[j]);
    }
    all += squared_norm(u);
  }
  DenseCholesky factor;
  if (!factor.factor(normal, 6)) return 0;
  factor.solve(right, motion);
  for (std::size_t i = 0; i < 6; ++i) rigid += right[i] * motion[i];
  return all > 0 ? rigid / all : 0;
}

}  // namespace

BentLimb bent_limb_experiment(ShapeSubject& subject, const std::string& joint, const Progress& progress) {
  BentLimb limb;
  const Pose rest = sample(subject.character.skeleton, nullptr, 0);
  limb.joint = joint_turn_from(joint + "=0").joint;
  limb.skin = skin_of_limb(subject.surface(), limb.joint);
  const auto bent = [&](double degrees) {
    const JointTurn turn = joint_turn_from(joint + "=" + std::to_string(degrees));
    return subject.bones(turned(subject.character, rest, {&turn, 1}));
  };
  const std::vector<Affine> fitted = bent(fitted_degrees);
  const std::vector<Vec3> target = subject.skin(fitted, remembering_rest(subject, fitted));
  const auto begin = std::chrono::steady_clock::now();
  const SkinFit fit = fit_skin(*subject.statics, subject.surface(), fitted, vertex_targets(target), false,
                               {.way = [&](double share) { return bent(share * fitted_degrees); }}, progress);
  limb.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  limb.iterations = fit.iterations;
  limb.samples = {{0, std::vector<Vec3>(fit.forces.size())}};
  for (const PartOfFit& part : fit.between) limb.samples.emplace_back(part.share * fitted_degrees, part.forces);
  limb.samples.emplace_back(fitted_degrees, fit.forces);
  const std::vector<Vec3> none(subject.body->points());
  for (const double degrees : compared_degrees) {
    const std::vector<Affine> bones = bent(degrees);
    BentLimbPose pose;
    pose.degrees = degrees;
    pose.true_skin = subject.skin(bones, remembering_rest(subject, bones));
    pose.rig_skin = subject.skin(bones, none);
    subject.body->set_pose(bones);
    pose.forces_skin = subject.skin(
        bones, subject.body->displacements(carry_forces(subject.body->skin(), between(limb.samples, degrees))));
    pose.rig = distance_between(pose.rig_skin, pose.true_skin, limb.skin);
    pose.forces = distance_between(pose.forces_skin, pose.true_skin, limb.skin);
    limb.poses.push_back(std::move(pose));
  }
  return limb;
}

HiddenField hidden_field_experiment(ShapeSubject& subject, const std::vector<std::string>& presets,
                                    const Progress& progress) {
  const std::vector<Affine> rest = subject.at_rest();
  const std::vector<PointForce> forces = preset_forces(subject, presets);
  subject.body->set_pose(rest);
  const std::vector<Vec3> target = subject.skin(rest, subject.body->displacements(forces));
  std::vector<Vec3> noisy = target;
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, noise_of_height * subject.height());
  for (Vec3& x : noisy) x += Vec3{noise(random), noise(random), noise(random)};
  const std::vector<int> all = all_vertices(target.size());
  HiddenField field;
  field.target = distance_between(target, subject.surface().rest.positions, all);
  for (const double smoothness : smoothnesses) {
    const auto fitted = [&](const std::vector<Vec3>& shape) {
      const SkinFit fit = fit_skin(*subject.statics, subject.surface(), rest, vertex_targets(shape), false,
                                   {.smoothness = smoothness, .between = false}, progress);
      return distance_between(subject.skin(rest, fit.displacements), target, all);
    };
    field.rows.push_back({smoothness, fitted(target), fitted(noisy)});
  }
  return field;
}

std::vector<MorphRow> morph_experiment(ShapeSubject& subject, const Progress& progress) {
  const Pose rest = sample(subject.character.skeleton, nullptr, 0);
  const std::vector<Affine> bones = subject.bones(rest);
  std::vector<MorphRow> rows;
  for (const WeightControl& weight : weight_controls(subject.character, subject.surface())) {
    const ShapeTarget target = morph_target_shape(subject.character, subject.surface(), rest, weight.parameter.name);
    const SkinFit fit = fit_skin(*subject.statics, subject.surface(), bones, vertex_targets(target.vertices), false,
                                 {.between = false}, progress);
    const double share = fit.after.rms / fit.before.rms;
    if (fit.before.rms > 0) rows.push_back({weight.parameter.control, fit.before, fit.after, 1 - share * share});
  }
  return rows;
}

std::vector<PresetShape> preset_experiment(ShapeSubject& subject, const std::vector<std::string>& presets) {
  const std::vector<Affine> rest = subject.at_rest();
  std::vector<PresetShape> shapes{{"rest", 0, 0, subject.surface().rest.positions}};
  for (const std::string& name : presets) {
    const std::vector<PointForce> forces = preset_forces(subject, {name});
    subject.body->set_pose(rest);
    PresetShape shape{name, 0, 0, subject.skin(rest, subject.body->displacements(forces))};
    for (std::size_t s = 0; s < shape.skin.size(); ++s)
      shape.largest = std::max(shape.largest, distance(shape.skin[s], shapes.front().skin[s]));
    shape.carried = carried_share(shapes.front().skin, shape.skin,
                                  skin_moving_most(subject.surface(), shapes.front().skin, shape.skin));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace sinew
