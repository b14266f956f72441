// Rig-space dynamics (Hahn 2013): implicit Euler with the free rig parameters as its only unknowns.
//
//   H(p) = h^2/2 a^t M a + W(x(p)),    a = (x - 2 x_n + x_{n-1}) / h^2                              (3)
//   x(p) = x^ + G (p - p_n),           G = J below, W J and its correction inside: the rig linearised  (4)
//
// is minimised by Newton's method with line search at each step; elasticity stays nonlinear. x^ is the body where the
// rig puts it with the keyed parameters of the step's end and the free ones of its start, so that the animator's motion
// enters as it is. The Jacobian is reused for as long as two indicators allow (section 4.3):
//
//   dE = 1/(2 h^2) (x~ - x)^t M (x~ - x)                                                            (7)
//
// of what the linear rig predicts against where the rig is, once before the step at parameters extrapolated from the
// last step, p~ = p_n + (p_n - p_{n-1}), and once after it, where the step is rolled back if it is too large. The paper
// prints 1/(2h) in (7), which is no energy, and (p_n - p_{n-1})/h in the predictor, which is no parameter. Here the
// bound is a length: the root mean square distance between x~ and x over the mass that moves, as a share of the
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
#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/deform/rig_space/rig_space_placement.h"
#include "sinew/deform/rig_space/soft_stop.h"
#include "sinew/deform/rig_space/tetrahedral_energy.h"
#include "sinew/linalg/dense_cholesky.h"
#include "sinew/rig/rig_differences.h"

namespace sinew {

enum class RestShape {
  pose,  // wherever the keyed parameters put the body, it is without stress: physics adds motion, it does not remodel
  body,  // the mesh as drawn is without stress (the paper's); poses strain it
};

struct RigSpaceDynamics {
  RestShape rest = RestShape::pose;
  InteriorVertices interior = InteriorVertices::skinning;
  bool deferred = true;          // reuse Jacobians; else one per step
  bool predictor = true;         // look ahead before a step with an old Jacobian
  double linearity = 1e-4;       // of the height: distance of the linear rig that is accepted
  double stiffness_damping = 0;  // seconds, Rayleigh's, on the free parameters' own motion
  double mass_damping = 0;       // 1/s
  Vec3 gravity;                  // m/s^2, world; with RestShape::pose every pose carries its own weight already
  std::vector<double> range;     // per free parameter: multiplies the rig's own; empty: ones
  double limit_start = 0.75;     // share of a parameter's range from which the soft stop acts
  double limit_stiffness = 20;   // of the stop at the end of the range, in the parameter's own stiffness; 0: no stops
  int max_iterations = 30;       // of Newton's method
  double tolerance = 1e-6;       // of the height: root mean square motion of an iteration at which a step is done
};

struct RigSpaceStatistics {
  int iterations = 0;  // of Newton's method, last step
  std::int64_t steps = 0, rig_evaluations = 0, jacobians = 0, hessians = 0, predicted_updates = 0,
               roll_backs = 0;  // since reset()
  double linearity_error = 0;   // of the height: the last step's, as accepted
  double step_error = 0;        // of the height: h/2 times the root mean square change of the free motion's velocity
};

// A state between two steps as plain numbers.
struct RigSpaceState {
  std::vector<double> free, rate;  // p_n, and how fast they changed in the last step
  std::vector<Vec3> x, velocity;   // per vertex of the body, world
  std::vector<Vec3>
      interior_offset;  // per interior vertex, rest space: what W b leaves out of the pose; none without correction
  std::vector<double> jacobian_at;  // all parameters where the Jacobian in use was taken; empty: none is in use
  // Matrices over the free parameters, padded_columns() squared numbers or none: damping of their rates, that of the
  // next step, and the Hessian in use with the step that it was made for.
  std::vector<double> damping, next_damping, hessian;
  double hessian_step = 0;  // seconds
};

class RigSpaceMotion {
 public:
  // `free`: indices of the rig's parameters that physics moves. The rig must outlive this.
  RigSpaceMotion(std::shared_ptr<const RigSpaceBody> body, Rig& rig, std::vector<int> free,
                 const RigSpaceDynamics& dynamics);
  ~RigSpaceMotion();

  // Free parameters at rest, moving along with the keyed ones from `p` to `p_next` in `h` seconds; both have a value
  // for every parameter of the rig, of which those of free ones are not looked at. Throws input_error naming the
  // parameter where one has no effect on the body, or two have the same.
  void reset(std::span<const double> p, std::span<const double> p_next, double h);

  // A step of `h` seconds to the keyed parameters `p`. Throws simulation_error where the numbers go wrong; set_state()
  // then leads back to a state that was kept.
  void advance(std::span<const double> p, double h);

  std::span<const double> free_values() const { return state_.free; }
  const std::vector<int>& free() const { return free_; }
  std::span<const Vec3> positions() const { return state_.x; }  // per vertex of the body, world, metres
  std::span<const Vec3> velocities() const { return state_.velocity; }
  double elastic_energy() const;  // joules, of what free parameters move
  double kinetic_energy() const;  // joules
  double smallest_volume_ratio() const;
  const RigSpaceStatistics& statistics() const { return statistics_; }

  // In place of a step, where the keyed parameters are cut: from `p` on they move to `p_next` in `h` seconds. Free
  // parameters keep their values and their rates.
  void carry(std::span<const double> p, std::span<const double> p_next, double h);

  const RigSpaceState& state() const { return state_; }
  std::size_t padded_columns() const { return std::max(boundary_.padded_columns(), basis_.padded_columns()); }
  // After reset(), to a state of the same body and rig: what follows is what followed then, to the bit.
  void set_state(const RigSpaceState& state);
  // Adds to the vertices' velocities, metres per second: impulses (section 4.2, shaking).
  void push(std::span<const Vec3> velocity);

 private:
  struct Step;  // of one step
  void update_basis(std::span<const double> p, std::span<const Vec3> s);
  void rest_at_goal();
  void set_stops();
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
  std::unique_ptr<RigDifferences> differences_;  // of a rig that knows no derivatives
  std::int64_t evaluations_before_ = 0;          // of the rig, before reset()

  RigSpaceState state_;
  RigSpaceStatistics statistics_;
  std::vector<Vec3> gradient_;
  std::vector<Vec3> goal_;            // where the keyed parameters put the body, if it is without stress there
  std::vector<Vec3> goal_force_;      // dW/dx there: what its own shape leaves of it
  ReducedBasis basis_, boundary_;     // G, and of the boundary alone where the interior is in equilibrium
  std::vector<double> reduced_mass_;  // G^T M G, padded
  // Of the Hessian in use. It changes little from iteration to iteration, and from step to step as long as the Jacobian
  // stays: it is factorised anew where iterations with the old one get to the minimum slowly.
  std::optional<DenseCholesky> factor_;
  double moving_mass_ = 0;  // kilograms
  BlockMatrix hessian_;
  std::vector<SoftStop> stops_;  // per free parameter
};

}  // namespace sinew
