// An elastic body, in tetrahedra or in a control lattice, as force rigs see it: fields become generalised forces, and
// in a pose of the skeleton forces and displacements of static equilibrium correspond (Capell 2004, equation 6.1),
//
//   A(alpha) q = b + R(alpha) Q,
//
// by the elasticity that the body moves by. Displacements are from the goal that the rig poses, per point of the body
// (Deformer::points()), in the point's own frame, metres; forces as in PointForce.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "sinew/linalg/small.h"
#include "sinew/shape/force_integral.h"

namespace sinew {

// How exactly equilibrium is searched, and from where.
struct StaticSearch {
  // It begins at the displacements that were found last, in the same pose, which takes half the time where forces have
  // changed little. Lattices begin anew.
  bool onward = false;
  double tolerance = 1e-8;          // of displacements, relative to all of them, as energies
  double adjoint_tolerance = 1e-8;  // of the adjoint's residual; in lattices it is about 1e-3
};

class ShapeBody {
 public:
  virtual ~ShapeBody() = default;

  virtual std::size_t points() const = 0;
  // Skin vertices x points: how the points carry the skin.
  virtual const SparseRows& skin() const = 0;

  // Displacements of the points at rest where the body shifts and turns about a centre, by the turn times the distance;
  // none of points that are held.
  virtual std::vector<Vec3> rigid_motion(const Vec3& shift, const Vec3& turn, const Vec3& centre) const = 0;

  // Integrates a field over the body at rest.
  virtual std::vector<PointForce> integrate(const ForceField& field) const = 0;
  // The forces of flesh whose natural shape is strained, from the strain samples of the body. Throws usage_error for a
  // lattice.
  virtual std::vector<PointForce> integrate(const StrainField& field) const = 0;
  // A stiffening at the points, ascending, none of them zero. Throws usage_error for a lattice.
  virtual std::vector<PointStiffening> stiffening(const StiffeningField& field) const = 0;
  // Stiffens the flesh, in the pose that is set and in later ones. Searches remain exact, and take longer. Throws
  // usage_error for a lattice, unless it is none.
  virtual void stiffen(std::span<const PointStiffening> stiffening) = 0;
  // The work at rest of each density along displacements of the points, in their frames: sum_f u_f . int f_k phi_f dV.
  virtual std::vector<double> work(const ForceDensities& fields, std::span<const Vec3> displacements) const = 0;
  // Derivatives of u . integrate(strain), of which the work is linear in the strain. Throws as integrate() does.
  virtual std::vector<double> work(const StrainDerivatives& strains, std::span<const Vec3> displacements) const = 0;

  // Poses the skeleton: bones, rest space to world, metres. Call it first.
  virtual void set_pose(std::span<const Affine> bones) = 0;
  // Displacements of static equilibrium in this pose. Throws simulation_error that names the rigid motion that is free
  // where the body is not held, or says that no equilibrium was found.
  virtual std::vector<Vec3> displacements(std::span<const PointForce> forces, const StaticSearch& search = {}) = 0;
  // The inverse: the forces under which these displacements are in static equilibrium.
  virtual std::vector<PointForce> forces(std::span<const Vec3> displacements) = 0;
  // Solves H^T x = gradient, with H the derivative of forces() at these displacements: the derivatives of a cost by
  // the forces, from those by the displacements (the adjoint of section 6.4.3). Both per point, in the point's frame.
  virtual std::vector<Vec3> adjoint(std::span<const Vec3> displacements, std::span<const Vec3> gradient,
                                    const StaticSearch& search = {}) = 0;
  // Derivatives of along . forces(displacements) by the stiffening, in the stiffness that is set. Throws as
  // stiffening() does.
  virtual std::vector<double> work(const StiffeningDerivatives& fields, std::span<const Vec3> displacements,
                                   std::span<const Vec3> along) = 0;
  // Rotations of the points' frames in this pose, frame to world.
  virtual std::span<const Mat3> rotations() const = 0;
  // displacements() at rest in the limit of small forces, whatever the pose that was set. Throws as that does.
  virtual std::vector<Vec3> small_displacements(std::span<const PointForce> forces) = 0;
};

// `reference`: that by which the body moves.
std::unique_ptr<ShapeBody> tetrahedral_shape_body(std::shared_ptr<const FleshBody> body,
                                                  std::unique_ptr<FleshReference> reference);
// In nonlinear elasticity with the rig's shape as the natural one, forces in double precision.
std::unique_ptr<ShapeBody> tetrahedral_shape_body(std::shared_ptr<const FleshBody> body, const TissueLaw& law);

// `grid`: that which the body was described with; `fill`: per tetrahedron of it, the share inside the body. Throws
// usage_error for the linearization blended.
std::unique_ptr<ShapeBody> lattice_shape_body(std::shared_ptr<const LatticeBody> body, const LatticeGrid& grid,
                                              std::vector<double> fill);

}  // namespace sinew
