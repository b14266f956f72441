// The elastic part of a step's equations. While the pose stands it is linear in the coefficients p_i,
//
//   Q^e(p) = S_w p - load,
//
// and how S_w comes from the constant S at rest and the pose is what linearisations differ in (Capell 2004, sections
// 4.3 and 5.2).
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/solver/active_functions.h"

namespace sinew {

class LatticeElasticity {
 public:
  virtual ~LatticeElasticity() = default;

  // Which functions take part from now on. `active` must outlive the calls that follow.
  virtual void activate(const ActiveFunctions& active) = 0;

  // `position`: p_i per function at the end of the last step, for frames that follow the body itself.
  virtual void set_pose(const LatticePose& pose, std::span<const Vec3> position) = 0;

  // residual -= factor (Q^e(p) + S_w w), of the unknowns, world, newtons. `position` and `addition` per function,
  // metres, zero where off. w is the part of damping and counts by the cells' own multipliers where there are any.
  virtual void subtract_force(double factor, std::span<const Vec3> position, std::span<const Vec3> addition,
                              std::span<double> residual) = 0;

  // to = (m M + c (S_w + hold)) from with the factors of a step's system, over the unknowns.
  virtual void apply_system(std::span<const double> from, std::span<double> to) = 0;

  // to = S_w from.
  virtual void apply_stiffness(std::span<const double> from, std::span<double> to) = 0;

  // Where S_w depends on the state itself: takes it at `position`. Others are linear while the pose stands.
  virtual void linearize(std::span<const Vec3>) {}
  virtual bool nonlinear() const { return false; }

  // Whether S_w is.
  virtual bool symmetric() const = 0;

  // 1/2 of the elastic energy's quadratic form at p, joules.
  virtual double energy(std::span<const Vec3> position) = 0;
};

// Frames in which strain is linear.
enum class CellFrames {
  predicted,  // of each cell, by the skeleton (section 5.2.2, element-wise and symmetric: docs/flesh.md)
  rest,       // none: linear elasticity
  floating,   // one, which turns with the body (section 4.3)
};

// What body.run asks for. `body` must outlive the result.
std::unique_ptr<LatticeElasticity> lattice_elasticity(const LatticeBody& body);

// One rotation per row, that of its function: equation 5.10. Not symmetric.
std::unique_ptr<LatticeElasticity> vertex_elasticity(const LatticeBody& body);

// Green's strain, whatever the state is. Needs description.samples.
std::unique_ptr<LatticeElasticity> nonlinear_elasticity(const LatticeBody& body);

// Symmetric: one rotation per cell. `body` must outlive the result.
std::unique_ptr<LatticeElasticity> cell_elasticity(const LatticeBody& body, CellFrames frames);

}  // namespace sinew
