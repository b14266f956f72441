#include "studies/mixed/posed_body.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "studies/mixed/mixed_samples.h"

namespace sinew {

PosedBody::PosedBody(const TetrahedralMesh& mesh, std::span<const Bone> bones, const Material& material,
                     const MixedChoice& choice, const BonePins& more) {
  const RotationClusters clusters = rotation_clusters(mesh, bones, ClusterRule::segment);
  pins_ = bone_pins(mesh, bones, clusters);
  for (std::size_t k = 0; k < more.vertex.size(); ++k) {
    if (std::find(pins_.vertex.begin(), pins_.vertex.end(), more.vertex[k]) != pins_.vertex.end()) continue;
    pins_.vertex.push_back(more.vertex[k]);
    pins_.bone.push_back(more.bone[k]);
  }
  weights_ = sample_weights(mesh, choice.element, smooth_weights(mesh, bones, clusters.bone, {choice.reach}));
  ElementFields fields;
  fields.material = material;
  body_ = std::make_shared<const MixedBody>(mixed_body(mesh.positions, mixed_samples(mesh, choice.element, fields),
                                                       stretch_energy(choice.material), held_pins(pins_)));
  solver_ = std::make_unique<MixedSolver>(body_);
  rotations_.resize(weights_.size());
}

PosedBody::PosedBody(const CookedMixed& scene)
    : pins_(scene.pins),
      weights_(scene.weights),
      body_(scene.body),
      solver_(std::make_unique<MixedSolver>(scene.body)),
      rotations_(scene.weights.size()) {
  if (scene.pinning != Pinning::held) throw usage_error("a body whose pins are springs is not posed here; hold them.");
}

void PosedBody::turn(std::span<const Affine> bones) {
  std::vector<Mat3> turns;
  for (const Affine& bone : bones) turns.push_back(bone.linear);
  blend_rotations(weights_, turns, rotations_);
  held_ = pin_positions(pins_, body_->rest, bones);
}

MixedStatistics PosedBody::pose(std::span<const Affine> bones, std::vector<Vec3>& positions) {
  turn(bones);
  return solver_->solve(load(), positions);
}

MixedStatistics PosedBody::pose(std::span<const Affine> bones, const OutsideLoad& outside, std::vector<Vec3>& positions,
                                MixedContacts& contacts) {
  turn(bones);
  MixedLoad all = load();
  all.forces = outside.forces;
  return solver_->solve(all, outside.surface, outside.colliders, positions, contacts);
}

}  // namespace sinew
