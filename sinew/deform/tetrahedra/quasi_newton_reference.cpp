#include "sinew/deform/tetrahedra/quasi_newton_reference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/linalg/curvature_pairs.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t quasi_newton_vertex_grain = 256, quasi_newton_grain = 1024;
// An iteration's step is cut if the potential's slope at its end is this share of that at its beginning, upwards.
constexpr double most_overshoot = 1;
constexpr int most_cuts = 8;
// Least curvature of a pair of L-BFGS, relative to the model's before it.
constexpr double least_curvature = 0.2;
// Correction, relative to the body's extent, below which nothing moves.
constexpr double negligible = 1e-8;
constexpr double rest_tolerance = 1e-8;
constexpr int most_rest_iterations = 1000;
constexpr std::size_t rest_history = 30;  // a soft bar that hangs from its end takes 370 iterations, with 5 over 1,000
constexpr double held_tolerance = 1e-6;   // of targets and contacts

// The potential that is minimised; its residual is minus its gradient.
struct Potential {
  std::function<void(std::span<const double> u)> find_residual;
  LinearOperator inverse;  // approximate, of the Hessian
  // Energy with which that of a correction is compared, joules; `first`: that of the first correction.
  std::function<double(std::span<const double> u, double first)> scale;
  double negligible = 0;  // joules: corrections below it end the iterations
  StepConstraints* constraints = nullptr;
  double tolerance = 0;
  int most_iterations = 0;
};

class QuasiNewtonReference final : public FleshReference {
 public:
  QuasiNewtonReference(std::shared_ptr<const FleshBody> body, const QuasiNewton& how)
      : body_(std::move(body)),
        how_(how),
        forces_(tissue_forces(*body_, how.shape, how.law, how.precision)),
        pairs_(3 * body_->free_vertex.size(), static_cast<std::size_t>(how.history)) {
    for (std::vector<double>* work :
         {&velocity_, &gradient_, &residual_, &balance_, &direction_, &before_, &target_, &nearest_})
      work->resize(3 * body_->free_vertex.size());
    Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
    for (const Vec3& p : body_->description.mesh.positions) low = min(low, p), high = max(high, p);
    double mass = 0;
    for (const int v : body_->free_vertex) mass += body_->mass[static_cast<std::size_t>(v)];
    const double length = negligible * norm(high - low);
    least_energy_ = body_->method.mass_factor() * mass * length * length;
  }

  void set_pose(const VertexFrames& frames) override {
    frames_ = &frames;
    forces_->set_pose(frames);
  }

  StepStatistics find_rest(std::span<double> u) override {
    std::fill(u.begin(), u.end(), 0.0);
    if (how_.shape == NaturalShape::goal && body_->dynamics.gravity_in_rest == GravityInRest::pose) return {};
    std::vector<double> outside(u.size());
    outside_forces(*body_, *frames_, outside);
    const BlockCholesky& factor = static_factor(*body_);
    CurvaturePairs pairs(u.size(), rest_history);
    std::fill(velocity_.begin(), velocity_.end(), 0.0);
    return minimize(
        {[&](std::span<const double> at) {
           forces_->find(at, velocity_, gradient_);
           parallel_for(at.size(), quasi_newton_grain,
                        [&](std::size_t k) { residual_[k] = outside[k] - gradient_[k]; });
         },
         [&factor](std::span<const double> from, std::span<double> to) { factor.solve(from, to); },
         [](std::span<const double>, double first) { return first; }, 0, nullptr, rest_tolerance, most_rest_iterations},
        pairs, u);
  }

  StepStatistics solve_step(const FleshState& state, std::span<double> b, std::span<double> u,
                            StepConstraints* constraints) override {
    parallel_for(u.size(), quasi_newton_grain,
                 [&](std::size_t k) { u[k] = 2 * state.displacement[k] - state.previous_displacement[k]; });
    return minimize({[&](std::span<const double> at) { find_residual_of_step(state, b, at); },
                     [this](std::span<const double> from, std::span<double> to) { body_->factor.solve(from, to); },
                     [&](std::span<const double> at, double) { return motion_from(state.displacement, at); },
                     least_energy_, constraints, how_.tolerance, how_.most_iterations},
                    pairs_, u);
  }

  double elastic_energy(std::span<const double> u) override {
    std::fill(velocity_.begin(), velocity_.end(), 0.0);
    double energy = forces_->find(u, velocity_, gradient_);
    for (std::size_t k = 0; k < u.size(); ++k)
      energy += 0.5 * body_->bone_spring[static_cast<std::size_t>(body_->free_vertex[k / 3])] * u[k] * u[k];
    return energy;
  }

 private:
  StepStatistics minimize(const Potential& potential, CurvaturePairs& pairs, std::span<double> u) {
    const LinearOperator inverse = [&](std::span<const double> from, std::span<double> to) {
      pairs.apply(potential.inverse, from, to);
    };
    StepStatistics statistics;
    double first = 0, least = HUGE_VAL;
    pairs.clear();
    potential.find_residual(u);
    for (int iteration = 1;; ++iteration) {
      inverse(residual_, direction_);
      std::copy(residual_.begin(), residual_.end(), balance_.begin());
      if (potential.constraints) {
        std::copy(u.begin(), u.end(), target_.begin());
        add_scaled(1, direction_, target_);
        statistics.contacts = potential.constraints->meet(inverse, held_tolerance, target_);
        parallel_for(u.size(), quasi_newton_grain, [&](std::size_t k) {
          direction_[k] += target_[k] - (u[k] + direction_[k]);  // to the bit where nothing acts
        });
        add_scaled(1, potential.constraints->forces(), balance_);
      }
      const double decrease = dot(balance_, direction_);
      if (iteration == 1) first = decrease;
      const double scale = potential.scale(u, first);
      statistics.iterations = iteration;
      if (std::isfinite(decrease) && decrease < least) {
        least = decrease;
        statistics.residual = scale > 0 ? std::sqrt(std::max(0.0, decrease) / scale) : 0;
        std::copy(u.begin(), u.end(), nearest_.begin());
      }
      if (iteration == potential.most_iterations || !std::isfinite(decrease)) return nearest(least, statistics, u);
      if (decrease <= std::max(potential.tolerance * potential.tolerance * scale, potential.negligible)) {
        add_scaled(1, direction_, u);
        return statistics;
      }
      take_step(potential, decrease, pairs, u);
    }
  }

  // Ends iterations that do not converge with the state that was nearest to a minimum.
  StepStatistics nearest(double least, const StepStatistics& statistics, std::span<double> u) const {
    if (!std::isfinite(least)) throw simulation_error("a step of nonlinear flesh begins beyond all numbers.");
    std::copy(nearest_.begin(), nearest_.end(), u.begin());
    return statistics;
  }

  // Goes along the direction, and less far where the potential would rise again. Adds what that says of its curvature.
  void take_step(const Potential& potential, double decrease, CurvaturePairs& pairs, std::span<double> u) {
    std::copy(residual_.begin(), residual_.end(), before_.begin());
    double length = 1;
    add_scaled(1, direction_, u);
    potential.find_residual(u);
    for (int cut = 0; cut < most_cuts; ++cut) {
      double slope = dot(residual_, direction_);
      if (potential.constraints) slope += dot(potential.constraints->forces(), direction_);
      if (slope >= -most_overshoot * decrease) break;
      // The root of the secant, where the slope vanishes.
      const double shorter =
          length * (std::isfinite(slope) ? std::clamp(decrease / (decrease - slope), 0.1, 0.7) : 0.1);
      add_scaled(shorter - length, direction_, u);
      length = shorter;
      potential.find_residual(u);
    }
    scale(length, direction_, direction_);
    parallel_for(before_.size(), quasi_newton_grain, [&](std::size_t k) { before_[k] -= residual_[k]; });
    // Powell (1978): where the potential curves far less than the model B, or the other way, the pair is blended with
    // the model's own, B step = length * balance, so that corrections stay bounded.
    const double modelled = length * length * decrease, curvature = dot(direction_, before_);
    if (curvature < least_curvature * modelled) {
      const double share = (1 - least_curvature) * modelled / (modelled - curvature);
      parallel_for(before_.size(), quasi_newton_grain,
                   [&](std::size_t k) { before_[k] = share * before_[k] + (1 - share) * length * balance_[k]; });
    }
    pairs.add(direction_, before_);
  }

  // b - m_k M u - (1 - alpha_f) (forces), local.
  void find_residual_of_step(const FleshState& state, std::span<const double> b, std::span<const double> u) {
    const GeneralizedAlpha& method = body_->method;
    const double half_rate = 0.5 / method.step;
    parallel_for(u.size(), quasi_newton_grain, [&](std::size_t k) {
      velocity_[k] = half_rate * (3 * u[k] - 4 * state.displacement[k] + state.previous_displacement[k]);
    });
    forces_->find(u, velocity_, gradient_);
    parallel_for(body_->free_vertex.size(), quasi_newton_vertex_grain, [&](std::size_t f) {
      const double mass = method.mass_factor() * body_->mass[static_cast<std::size_t>(body_->free_vertex[f])];
      for (std::size_t k = 3 * f; k < 3 * f + 3; ++k)
        residual_[k] = b[k] - mass * u[k] - method.force_factor() * gradient_[k];
    });
  }

  // m_k M |u - from|^2, joules: the motion as the linear step measures it.
  double motion_from(std::span<const double> from, std::span<const double> u) const {
    const double mass_factor = body_->method.mass_factor();
    return ordered_sum(body_->free_vertex.size(), quasi_newton_vertex_grain, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t f = begin; f < end; ++f) {
        double squared = 0;
        for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) squared += (u[k] - from[k]) * (u[k] - from[k]);
        sum += mass_factor * body_->mass[static_cast<std::size_t>(body_->free_vertex[f])] * squared;
      }
      return sum;
    });
  }

  std::shared_ptr<const FleshBody> body_;
  QuasiNewton how_;
  std::unique_ptr<TissueForces> forces_;
  CurvaturePairs pairs_;
  const VertexFrames* frames_ = nullptr;
  double least_energy_ = 0;  // joules: corrections below it are negligible
  // 3 numbers per free vertex, local. balance_: the residual with the constraints' forces.
  std::vector<double> velocity_, gradient_, residual_, balance_, direction_, before_, target_, nearest_;
};

}  // namespace

std::unique_ptr<FleshReference> quasi_newton_reference(std::shared_ptr<const FleshBody> body, const QuasiNewton& how) {
  return std::make_unique<QuasiNewtonReference>(std::move(body), how);
}

std::unique_ptr<BodyMotion> quasi_newton_flesh(std::shared_ptr<const FleshBody> body, const QuasiNewton& how) {
  return flesh_motion(body, quasi_newton_reference(body, how));
}

}  // namespace sinew
