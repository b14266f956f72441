// The equations of motion of flesh in a lattice (Capell 2004, sections 3.1, 4.5 and 5.1): residuals of the balance of
// forces on the active functions, in a step and at rest (docs/lattice_flesh.md, A step).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "sinew/deform/lattice/lattice_motion.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// Gravity minus the part that the rest shape already holds, m/s^2, world; zero if it holds all of it.
Vec3 outside_acceleration(const LatticeBody& body, const Mat3& rotation);

class LatticeEquations {
 public:
  // `body` must outlive this.
  explicit LatticeEquations(const LatticeBody& body);

  // `active` must outlive the calls that follow.
  void activate(const ActiveFunctions& active);

  LatticeElasticity& elasticity() const { return *elasticity_; }

  // Residual of a step that ends at `position`, for the unknowns, newtons:
  //
  //   M (alpha_f y_n - (1 - alpha_m) a_{n+1} - alpha_m a_n)
  //     + (1 - alpha_f) (outside forces - elastic force - bone displacement energy - D du/dt).
  //
  // M includes the columns of driven functions: M_FS times the acceleration of the skeleton (5.6). D = a M + b (S_w +
  // H). The elasticity must have been given the pose of `moment`.
  void step_residual(const LatticeMoment& moment, std::span<const Vec3> position, std::span<double> residual);

  // Sets the forces of loads and of a change of gravity for the steps that follow: per function, newtons, world;
  // empty: none.
  void set_pushes(std::span<const Vec3> pushes) { pushes_.assign(pushes.begin(), pushes.end()); }

  // Residual at rest: external forces - elastic force - bone displacement energy.
  void static_residual(const LatticePose& pose, std::span<const Vec3> position, std::span<double> residual);

  // Computes to = (S_w + H) from, over the unknowns.
  void apply_static(std::span<const double> from, std::span<double> to);

  // Potential energy of elasticity, bone displacement and weight, joules. Its gradient is minus static_residual().
  double potential_energy(const LatticePose& pose, std::span<const Vec3> position);

  // Kinetic energy 1/2 du/dt^T M du/dt with velocities relative to the goal in the functions' own frames, joules.
  double kinetic_energy(const LatticeState& state) const;

  // Residual below which a step counts as solved, newtons: a small fraction of the body's weight on its unknowns.
  double least_residual() const;

 private:
  void add_product(const SparseRows& matrix, std::span<const Vec3> x, double factor, std::span<double> residual);
  void add_forces(double factor, const LatticePose& pose, std::span<const Vec3> position, std::span<double> residual);

  const LatticeBody& body_;
  std::unique_ptr<LatticeElasticity> elasticity_;
  const ActiveFunctions* active_ = nullptr;
  bool damping_varies_ = false;
  SparseRows damped_mass_, damped_hold_;  // M and H multiplied by the cells' damping; empty where damping is uniform
  std::vector<Vec3> rate_;                // per function: du/dt, later b du/dt; zero where not an unknown
  std::vector<Vec3> input_;               // per function; zero where not active
  std::vector<Vec3> pushes_;
};

}  // namespace sinew
