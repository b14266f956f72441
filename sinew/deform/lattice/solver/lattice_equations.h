// The equations of motion of flesh in a lattice (Capell 2004, sections 3.1, 4.5 and 5.1): what is left of the balance
// of forces, in a step and at rest, for the functions that are active (docs/lattice_flesh.md, A step).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "sinew/deform/lattice/lattice_motion.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// Gravity less what the rest shape holds already, m/s^2, world; nothing where that is all of it.
Vec3 outside_acceleration(const LatticeBody& body, const Mat3& rotation);

class LatticeEquations {
 public:
  // `body` must outlive this.
  explicit LatticeEquations(const LatticeBody& body);

  // `active` must outlive the calls that follow.
  void activate(const ActiveFunctions& active);

  LatticeElasticity& elasticity() const { return *elasticity_; }

  // What is left of the balance of a step that ends at `position`, of the unknowns, newtons:
  //
  //   M (alpha_f y_n - (1 - alpha_m) a_{n+1} - alpha_m a_n)
  //     + (1 - alpha_f) (outside forces - elastic force - bone displacement energy - D du/dt).
  //
  // M has the columns of what is driven, too: M_FS times the acceleration of the skeleton (5.6). D = a M + b (S_w + H).
  // The elasticity's pose is to be that of the moment.
  void step_residual(const LatticeMoment& moment, std::span<const Vec3> position, std::span<double> residual);

  // Forces of loads and of a change of gravity in the steps that follow: per function, newtons, world; empty: none.
  void set_pushes(std::span<const Vec3> pushes) { pushes_.assign(pushes.begin(), pushes.end()); }

  // The same at rest: outside forces - elastic force - bone displacement energy.
  void static_residual(const LatticePose& pose, std::span<const Vec3> position, std::span<double> residual);

  // to = (S_w + H) from, over the unknowns.
  void apply_static(std::span<const double> from, std::span<double> to);

  // Of elasticity, bone displacement and weight, joules: its gradient is - static_residual().
  double potential_energy(const LatticePose& pose, std::span<const Vec3> position);

  // 1/2 du/dt^T M du/dt, velocities relative to the goal in the functions' own frames, joules.
  double kinetic_energy(const LatticeState& state) const;

  // Newtons: where no more is left of the balance, nothing moves. A share of the forces that the body's weight would
  // put on its unknowns.
  double least_residual() const;

 private:
  void add_product(const SparseRows& matrix, std::span<const Vec3> x, double factor, std::span<double> residual);
  void add_forces(double factor, const LatticePose& pose, std::span<const Vec3> position, std::span<double> residual);

  const LatticeBody& body_;
  std::unique_ptr<LatticeElasticity> elasticity_;
  const ActiveFunctions* active_ = nullptr;
  bool damping_varies_ = false;
  SparseRows damped_mass_, damped_hold_;  // M and H by the cells' own damping, where there is any
  std::vector<Vec3> rate_;                // per function: du/dt, and then b du/dt; zero where not an unknown
  std::vector<Vec3> input_;               // per function; zero where not active
  std::vector<Vec3> pushes_;
};

}  // namespace sinew
