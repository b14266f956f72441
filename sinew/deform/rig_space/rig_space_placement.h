// From rig parameters to the positions of a body: its boundary where the rig's surface carries it, and its inside in
// one of three ways.
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
  corrected,    // the same, and what that leaves out (interior_correction.h, interior_relaxation.h)
  equilibrium,  // equation 5 at every iteration
};

// Parameters have a value for each of the rig's, positions one for each vertex of the body, world, metres. Where the
// inside is sought for, `x` comes in with where to begin. `offset`: what W b leaves out of the pose, per interior
// vertex in rest space (d of interior_correction.h); of no meaning, and may be empty, where the inside is not
// corrected.
class RigSpacePlacement {
 public:
  // Keeps references. `energy`: whose least equilibrium is. Throws usage_error where the body has no map, or no
  // correction for these free parameters, and needs one.
  RigSpacePlacement(const RigSpaceBody& body, Rig& rig, std::vector<int> free, InteriorVertices interior,
                    TetrahedralEnergy& energy);

  void evaluate(std::span<const double> p, std::span<const Vec3> offset, std::span<Vec3> x);
  // The boundary alone.
  void evaluate_boundary(std::span<const double> p, std::span<Vec3> x);
  // The same as evaluate(), by the way finding how the body is turned there and taking the offset an iteration nearer
  // to equilibrium.
  void relax(std::span<const double> p, std::span<Vec3> offset, std::span<Vec3> x);
  // To the end of all iterations, so that a pose that is held stays as it is. Equilibrium is sought from the map's
  // inside where there is one.
  void settle(std::span<const double> p, std::span<Vec3> offset, std::span<Vec3> x);
  // Turns the correction as relax() does there.
  void turn_at(std::span<const double> p);

  bool corrected() const { return relaxation_ != nullptr; }
  StaticInterior* equilibrium() { return interior_.get(); }       // null where the inside follows a map
  std::span<const Vec3> surface() const { return surface_; }      // of the rig, where it was evaluated last
  std::span<const Mat3> rotations() const { return rotations_; }  // of the inside; none where it is not corrected
  std::int64_t evaluations() const { return evaluations_; }       // of the rig

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
