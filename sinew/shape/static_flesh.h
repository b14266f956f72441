// Flesh in static equilibrium as PulledSkin sees it, in tetrahedra or in a control lattice: forces on its free points,
// and the matrix of small displacements at rest, which is constant in the points' frames. Vectors hold 3 numbers per
// free point, in the point's own frame: displacements from the goal, metres, and forces, newtons.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

class StaticFlesh {
 public:
  virtual ~StaticFlesh() = default;

  virtual std::size_t points() const = 0;
  virtual std::span<const int> free_points() const = 0;  // ascending
  virtual const SparseRows& skin() const = 0;            // skin vertices x points
  virtual double mean_shear() const = 0;                 // shear modulus, mean over the flesh, pascals
  // The least tolerance of searches that forces are exact enough for, as an energy relative to the first correction's.
  virtual double least_tolerance() const = 0;

  // Stiffens the flesh from the next set_pose() on, and sets forces on it, per point, in its own frame. Throws
  // usage_error for a lattice, unless there are none.
  virtual void set_tissue(std::span<const PointStiffening> stiffening, std::span<const PointForce> load) = 0;
  // Poses the skeleton: bones, rest space to world, metres. Call it first.
  virtual void set_pose(std::span<const Affine> bones) = 0;

  // Displacements of the skin from where the rig alone poses it, world, metres. `local`: per point.
  virtual void displace_skin(std::span<const Vec3> local, std::span<Vec3> skin) = 0;
  // The forces of the flesh and of the load on the free points where these are displaced by `u`.
  virtual void find_forces(std::span<const double> u, std::span<double> forces) = 0;

  // The stiffness at rest, free x free, and its factor. Throws simulation_error naming the rigid motion that is free
  // where the body is held by nothing.
  virtual const BlockMatrix& stiffness() const = 0;
  virtual const BlockCholesky& factor() const = 0;
};

// Uses nonlinear elasticity with the rig's shape as the natural one, and forces in double precision.
std::unique_ptr<StaticFlesh> tetrahedral_static_flesh(std::shared_ptr<const FleshBody> body, const TissueLaw& law);

// Uses the elasticity that the lattice moves by, with all its functions. `mean_shear`: of its flesh, pascals. Throws
// usage_error for the linearization blended.
std::unique_ptr<StaticFlesh> lattice_static_flesh(std::shared_ptr<const LatticeBody> body, double mean_shear);

// The mean shear modulus of flesh in tetrahedra, by volume, pascals.
double mean_shear(const FleshDescription& description);

}  // namespace sinew
