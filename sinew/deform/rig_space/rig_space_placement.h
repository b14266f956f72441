// Maps rig parameters to the positions of a body: the boundary follows the rig's surface, the interior one of three
// rules.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/deform/rig_space/interior_relaxation.h"
#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/deform/rig_space/static_interior.h"

namespace sinew {

enum class InteriorVertices {
  skinning,     // q = W b
  corrected,    // q = W b plus the correction of interior_correction.h and interior_relaxation.h
  equilibrium,  // equation 5 at every iteration
};

// `p` has a value for each parameter of the rig, `x` a position for each vertex of the body, world, metres. If the
// interior is solved for, `x` holds the initial guess on entry. `offset`: d of interior_correction.h, per interior
// vertex in rest space; ignored, and may be empty, if the interior is not corrected.
class RigSpacePlacement {
 public:
  // Keeps references. `energy` defines equilibrium. Throws usage_error if the body lacks the map, or the correction for
  // these free parameters, that `interior` needs.
  RigSpacePlacement(const RigSpaceBody& body, Rig& rig, std::vector<int> free, InteriorVertices interior,
                    TetrahedralEnergy& energy);

  void evaluate(std::span<const double> p, std::span<const Vec3> offset, std::span<Vec3> x);
  // Evaluates the boundary alone.
  void evaluate_boundary(std::span<const double> p, std::span<Vec3> x);
  // Evaluates, updates the rotations of the interior, and moves `offset` one iteration towards equilibrium.
  void relax(std::span<const double> p, std::span<Vec3> offset, std::span<Vec3> x);
  // Iterates relax() until it converges, so that a held pose does not change. Equilibrium is solved from the interior
  // of the map if there is one.
  void settle(std::span<const double> p, std::span<Vec3> offset, std::span<Vec3> x);
  // Updates the rotations of the correction as relax() does.
  void turn_at(std::span<const double> p);

  bool corrected() const { return relaxation_ != nullptr; }
  StaticInterior* equilibrium() { return interior_.get(); }       // null if the interior follows a map
  std::span<const Vec3> surface() const { return surface_; }      // of the rig, at the last evaluation
  std::span<const Mat3> rotations() const { return rotations_; }  // per interior vertex; empty without correction
  std::int64_t evaluations() const { return evaluations_; }       // number of evaluations of the rig

 private:
  void place(std::span<const double> p, std::span<Vec3> x);
  void correct(std::span<const double> p, std::span<const Vec3> offset, std::span<Vec3> x) const;

  const RigSpaceBody& body_;
  Rig& rig_;
  std::vector<int> free_;
  std::unique_ptr<StaticInterior> interior_;
  std::unique_ptr<InteriorRelaxation> relaxation_;
  std::vector<Vec3> surface_;
  std::vector<Mat3> rotations_;
  std::int64_t evaluations_ = 0;
};

}  // namespace sinew
