// Rig-space dynamics (Hahn 2013): implicit Euler with the free rig parameters as its only unknowns.
//
//   H(p) = h^2/2 a^t M a + W(x(p)),    a = (x - 2 x_n + x_{n-1}) / h^2                              (3)
//   x(p) = x^ + G (p - p_n),           G = J below, W J and its correction inside: the rig linearised  (4)
//
// is minimised by Newton's method with line search at each step; elasticity stays nonlinear. x^ is the body for the
// keyed parameters at the step's end and the free ones at its start, so that the animator's motion enters unchanged.
// The Jacobian is reused as long as two indicators allow (section 4.3):
//
//   dE = 1/(2 h^2) (x~ - x)^t M (x~ - x)                                                            (7)
//
// of the linearised rig's prediction x~ against the rig itself, once before the step at parameters extrapolated from
// the last step, p~ = p_n + (p_n - p_{n-1}), and once after it; if that is too large the step is rolled back. The paper
// prints 1/(2h) in (7), which is not an energy, and (p_n - p_{n-1})/h in the predictor, which is not a parameter. Here
// the bound is a length: the root mean square distance between x~ and x over the moving mass, as a fraction of the
// character's height.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/deform/rig_space/fixed_parameters.h"
#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/deform/rig_space/rig_space_placement.h"
#include "sinew/deform/rig_space/soft_stop.h"
#include "sinew/deform/rig_space/tetrahedral_energy.h"
#include "sinew/linalg/dense_cholesky.h"
#include "sinew/rig/rig_differences.h"

namespace sinew {

enum class RestShape {
  pose,  // the body is free of stress wherever the keyed parameters put it: physics adds motion without changing poses
  body,  // the mesh as drawn is free of stress (as in the paper); poses strain it
};

struct RigSpaceDynamics {
  RestShape rest = RestShape::pose;
  InteriorVertices interior = InteriorVertices::skinning;
  bool deferred = true;     // reuse Jacobians; false: one per step
  bool predictor = true;    // check linearity before a step with an old Jacobian
  double linearity = 1e-4;  // largest accepted distance of the linearised rig from the rig, as a fraction of the height
  double stiffness_damping = 0;  // seconds; Rayleigh damping of the free parameters' own motion
  double mass_damping = 0;       // 1/s
  Vec3 gravity;                  // m/s^2, world; unused with RestShape::pose, whose poses carry their own weight
  std::vector<double> range;     // per free parameter: multiplier of the rig's own range; empty: ones
  double limit_start = 0.75;     // fraction of a parameter's range at which the soft stop begins
  // stiffness of the stop at the end of the range, relative to the parameter's own; 0: no stops
  double limit_stiffness = 20;
  int max_iterations = 30;  // of Newton's method
  double tolerance = 1e-6;  // root mean square motion of an iteration that ends a step, as a fraction of the height
};

struct RigSpaceStatistics {
  int iterations = 0;  // of Newton's method, last step
  std::int64_t steps = 0, rig_evaluations = 0, jacobians = 0, hessians = 0, predicted_updates = 0,
               roll_backs = 0;  // since reset()
  double linearity_error = 0;   // error of the last accepted step, as a fraction of the height
  // h/2 times the root mean square change of the free motion's velocity, as a fraction of the height
  double step_error = 0;
};

// Dynamic state between two steps.
struct RigSpaceState {
  std::vector<double> free, rate;  // p_n, and its rate over the last step
  std::vector<Vec3> x, velocity;   // per vertex of the body, world, metres and m/s
  std::vector<Vec3>
      interior_offset;  // per interior vertex, rest space: d of interior_correction.h; empty without correction
  std::vector<double> jacobian_at;  // all parameters at which the current Jacobian was computed; empty: there is none
  // Matrices over the free parameters, padded_columns() squared numbers or empty: damping of their rates, damping of
  // the next step, and the current Hessian, with the step length that it was computed for.
  std::vector<double> damping, next_damping, hessian;
  double hessian_step = 0;          // seconds
  std::vector<char> hessian_fixed;  // per free parameter: 1 if the Hessian leaves it out; empty: it leaves out none
};

class RigSpaceMotion {
 public:
  // `free`: indices of the rig's parameters that physics moves. The rig must outlive this.
  RigSpaceMotion(std::shared_ptr<const RigSpaceBody> body, Rig& rig, std::vector<int> free,
                 const RigSpaceDynamics& dynamics);
  ~RigSpaceMotion();

  // Puts the free parameters at rest, moving along with the keyed ones from `p` to `p_next` in `h` seconds. Both have a
  // value for every parameter of the rig; those of free parameters are ignored. Throws input_error naming the parameter
  // if one has no effect on the body, or two have the same. Where parameters are fixed at other values, the others
  // are in equilibrium with them.
  void reset(std::span<const double> p, std::span<const double> p_next, double h);

  // Fixes parameters, ascending, from the next reset() or advance() on. A parameter on its way to its value follows the
  // cubic that its own value and rate begin.
  void fix(std::span<const FixedParameter> fixed) { fixed_.assign(fixed.begin(), fixed.end()); }

  // Advances by `h` seconds to the keyed parameters `p`. Throws simulation_error if the step fails; set_state() can
  // then restore an earlier state.
  void advance(std::span<const double> p, double h);

  std::span<const double> free_values() const { return state_.free; }
  const std::vector<int>& free() const { return free_; }
  std::span<const Vec3> positions() const { return state_.x; }  // per vertex of the body, world, metres
  std::span<const Vec3> velocities() const { return state_.velocity; }
  double elastic_energy() const;  // joules, of the tetrahedra that free parameters move
  double kinetic_energy() const;  // joules
  double smallest_volume_ratio() const;
  const RigSpaceStatistics& statistics() const { return statistics_; }

  // Replaces a step at a cut of the keyed parameters: they continue from `p` to `p_next` in `h` seconds. Free
  // parameters keep their values and rates.
  void carry(std::span<const double> p, std::span<const double> p_next, double h);

  const RigSpaceState& state() const { return state_; }
  std::size_t padded_columns() const { return std::max(boundary_.padded_columns(), basis_.padded_columns()); }
  // Restores a state of the same body and rig, after reset(). The simulation continues with the same bits as from the
  // original state.
  void set_state(const RigSpaceState& state);
  // Adds to the vertices' velocities, m/s: impulses (section 4.2, shaking).
  void push(std::span<const Vec3> velocity);

 private:
  struct Step;  // of one step
  void update_basis(std::span<const double> p, std::span<const Vec3> s);
  void rest_at_goal();
  void set_stops();
  void settle_around_fixed(std::span<const double> p);
  double fixed_value(const FixedParameter& fixed, double h) const;
  void set_fixed_changes(double h, std::span<double> u) const;
  std::int64_t all_evaluations() const;
  const ReducedBasis& moving_basis() { return placement_.equilibrium() ? boundary_ : basis_; }
  void choose_stop_stiffness_and_damping();
  double linearity_error(std::span<const Vec3> linear, std::span<const Vec3> x) const;
  void solve(std::span<const Vec3> base, double h, Step& step);
  void note_step_error(std::span<const double> u, double h);
  double value_at(Step& step, std::span<const double> u, bool with_gradient);
  bool factor_at(Step& step, HyperelasticTangent form);
  bool factorise();
  void drop_factor();
  std::vector<double> rest_of_free() const;
  std::vector<double> with_free(std::span<const double> p, std::span<const double> values) const;

  std::shared_ptr<const RigSpaceBody> body_;
  Rig& rig_;
  std::vector<int> free_;
  RigSpaceDynamics dynamics_;
  TetrahedralEnergy energy_;
  RigSpacePlacement placement_;
  std::unique_ptr<RigDifferences> differences_;  // numeric derivatives for rigs without their own
  std::int64_t evaluations_before_ = 0;          // evaluations of the rig before reset()

  RigSpaceState state_;
  RigSpaceStatistics statistics_;
  std::vector<Vec3> gradient_;
  std::vector<Vec3> goal_;         // body as posed by the keyed parameters, free of stress there with RestShape::pose
  std::vector<Vec3> goal_force_;   // dW/dx at the goal: residual of its own rest shape
  ReducedBasis basis_, boundary_;  // G over all vertices, and over the boundary alone if the interior is in equilibrium
  std::vector<double> reduced_mass_;  // G^T M G, padded
  // Factor of the current Hessian. The Hessian changes little between iterations, and between steps while the Jacobian
  // stays; it is factorised again when iterations with the old factor converge slowly.
  std::optional<DenseCholesky> factor_;
  double moving_mass_ = 0;  // kilograms
  BlockMatrix hessian_;
  std::vector<SoftStop> stops_;        // per free parameter
  std::vector<FixedParameter> fixed_;  // in the next step
};

}  // namespace sinew
