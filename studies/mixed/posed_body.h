// A body of mixed elements whose bones are given as maps instead of a character's clip, for experiments with poses.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/deform/mixed/rotation_field.h"

namespace sinew {

struct MixedChoice {
  MixedMaterial material = MixedMaterial::corotated;
  double reach = 1;  // of the rotation field (SmoothWeightsOptions); 0: one rotation per cluster
  Element element = Element::linear;
};

// Loads on a body besides its bones.
struct OutsideLoad {
  std::span<const Vec3> forces;  // per vertex: dead loads, newtons, world; empty: none
  const SurfacePoints& surface;  // points that colliders act on
  const Colliders& colliders;
};

class PosedBody {
 public:
  // From a mesh alone: clusters by the nearest segment, rotation field, pins held exactly, and `more` pins than
  // bone_pins() finds. Throws as the functions that it is made of.
  PosedBody(const TetrahedralMesh& mesh, std::span<const Bone> bones, const Material& material,
            const MixedChoice& choice, const BonePins& more = {});

  // From a scene that was prepared from a character; `scene.pinning` must be held.
  explicit PosedBody(const CookedMixed& scene);

  // Positions (n, metres, world) for the bones' rest to world maps.
  MixedStatistics pose(std::span<const Affine> bones, std::vector<Vec3>& positions);

  // Positions for a pose with an outside load.
  MixedStatistics pose(std::span<const Affine> bones, const OutsideLoad& outside, std::vector<Vec3>& positions,
                       MixedContacts& contacts);

  const std::shared_ptr<const MixedBody>& body() const { return body_; }
  // Rotations and held vertices of the last pose, without outside loads.
  MixedLoad load() const { return {rotations_, held_, {}, {}}; }

 private:
  void turn(std::span<const Affine> bones);

  BonePins pins_;
  RotationWeights weights_;
  std::shared_ptr<const MixedBody> body_;
  std::unique_ptr<MixedSolver> solver_;
  std::vector<Mat3> rotations_;
  std::vector<Vec3> held_;
};

}  // namespace sinew
