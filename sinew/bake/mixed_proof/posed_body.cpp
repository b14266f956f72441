#include "sinew/bake/mixed_proof/posed_body.h"

#include "sinew/deform/mixed_fem/rotation_clusters.h"

namespace sinew {

PosedBody::PosedBody(const TetrahedralMesh& mesh, std::span<const Bone> bones, const Material& material,
                     const MixedChoice& choice) {
  const RotationClusters clusters = rotation_clusters(mesh, bones, ClusterRule::segment);
  pins_ = bone_pins(mesh, bones, clusters);
  weights_ = smooth_weights(mesh, bones, clusters.bone, {choice.reach});
  ElementFields fields;
  fields.material = material;
  body_ = std::make_shared<const MixedBody>(mixed_body(mesh.positions, strain_samples(mesh, Element::linear, fields),
                                                       stretch_energy(choice.material), held_pins(pins_)));
  solver_ = std::make_unique<MixedSolver>(body_);
  rotations_.resize(mesh.tetrahedra.size());
}

MixedStatistics PosedBody::pose(std::span<const Affine> bones, std::vector<Vec3>& positions) {
  std::vector<Mat3> turns;
  for (const Affine& bone : bones) turns.push_back(bone.linear);
  blend_rotations(weights_, turns, rotations_);
  held_ = pin_positions(pins_, body_->rest, bones);
  return solver_->solve(load(), positions);
}

}  // namespace sinew
