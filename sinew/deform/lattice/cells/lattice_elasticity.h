// The elastic part of a step's equations. For a fixed pose it is linear in the coefficients p_i,
//
//   Q^e(p) = S_w p - load,
//
// and linearisations differ in how S_w follows from the constant S at rest and the pose (Capell 2004, sections 4.3 and
// 5.2).
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/solver/active_functions.h"

namespace sinew {

class LatticeElasticity {
 public:
  virtual ~LatticeElasticity() = default;

  // Sets the active functions. `active` must outlive the calls that follow.
  virtual void activate(const ActiveFunctions& active) = 0;

  // `position`: p_i per function at the end of the last step, used by frames that follow the body itself.
  virtual void set_pose(const LatticePose& pose, std::span<const Vec3> position) = 0;

  // Computes residual -= factor (Q^e(p) + S_w w) over the unknowns, world, newtons. `position` (p) and `addition` (w):
  // per function, metres, zero where inactive. w is the damping term and is multiplied by the cells' own damping if
  // they have any.
  virtual void subtract_force(double factor, std::span<const Vec3> position, std::span<const Vec3> addition,
                              std::span<double> residual) = 0;

  // Computes to = (m M + c (S_w + hold)) from, with the factors of a step's system, over the unknowns.
  virtual void apply_system(std::span<const double> from, std::span<double> to) = 0;

  // Computes to = S_w from.
  virtual void apply_stiffness(std::span<const double> from, std::span<double> to) = 0;

  // Newton's method: evaluates S_w at `position`. No effect on others, whose S_w is constant for a fixed pose.
  virtual void linearize(std::span<const Vec3>) {}
  virtual bool nonlinear() const { return false; }

  // True if S_w is symmetric.
  virtual bool symmetric() const = 0;

  // Elastic energy at p, half its quadratic form, joules.
  virtual double energy(std::span<const Vec3> position) = 0;
};

// Frames in which small strain is measured.
enum class CellFrames {
  predicted,  // one per cell, predicted by the skeleton (section 5.2.2, element-wise and symmetric: docs/flesh.md)
  rest,       // none: linear elasticity
  floating,   // one for the whole body, which turns with it (section 4.3)
};

// Creates the elasticity that body.run selects. `body` must outlive the result.
std::unique_ptr<LatticeElasticity> lattice_elasticity(const LatticeBody& body);

// One rotation per row, that of its function (equation 5.10). Not symmetric.
std::unique_ptr<LatticeElasticity> vertex_elasticity(const LatticeBody& body);

// Nonlinear elasticity with Green's strain. Needs description.samples.
std::unique_ptr<LatticeElasticity> nonlinear_elasticity(const LatticeBody& body);

// True elasticity, with strain from the goal or from the rest shape. Needs description.tissue and body.run.nonlinear.
std::unique_ptr<LatticeElasticity> tissue_elasticity(const LatticeBody& body);

// One rotation per cell; symmetric. `body` must outlive the result.
std::unique_ptr<LatticeElasticity> cell_elasticity(const LatticeBody& body, CellFrames frames);

}  // namespace sinew
