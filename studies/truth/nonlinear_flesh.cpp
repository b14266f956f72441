#include "studies/truth/nonlinear_flesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/elastic/st_venant_kirchhoff.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr std::size_t nonlinear_sample_grain = 64, nonlinear_vertex_grain = 256, nonlinear_row_grain = 32;
constexpr int most_corrections = 200, most_halvings = 12;
constexpr int many_corrections = 6;     // corrections of a step after which the next one gets a system of its own
constexpr double slow_shrinking = 0.3;  // ratio of successive corrections above which the system is recomputed

Mat3 symmetric(const Mat3& a) { return (a + transpose(a)) * 0.5; }

// Co-rotated strain of F = I + d in the frame of its closest rotation, or the small strain. `turn` holds a guess on
// entry and the rotation on return.
Mat3 stretch_strain(const NonlinearLaw& law, const Mat3& d, Quat& turn) {
  if (law.small_strain) {
    turn = {};
    return symmetric(d);
  }
  turn = closest_rotation(Mat3::identity() + d, turn);
  return symmetric(transpose(to_matrix(turn)) * (Mat3::identity() + d)) - Mat3::identity();
}

class NonlinearReference final : public FleshReference {
 public:
  NonlinearReference(std::shared_ptr<const FleshBody> body, const NonlinearLaw& law, double tolerance)
      : body_(std::move(body)),
        forces_(*body_, law),
        system_(body_->stiffness),
        factor_(body_->factor.of_same_pattern()) {
    Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
    for (const Vec3& p : body_->description.mesh.positions) low = min(low, p), high = max(high, p);
    least_change_ = tolerance * norm(high - low);
    for (std::vector<Vec3>* work : {&displacement_, &rate_, &gradient_})
      work->assign(body_->description.mesh.positions.size(), Vec3{});
    for (std::vector<double>* work : {&velocity_, &residual_, &correction_, &painted_})
      work->resize(3 * body_->free_vertex.size());
  }

  void set_pose(const VertexFrames& frames) override {
    frames_ = &frames;
    forces_.set_goal(frames.goal);
  }

  // The goal is the natural shape, so that nothing moves it while gravity is compensated in every pose.
  StepStatistics find_rest(std::span<const double> forces, std::span<double> displacement, const RestSearch&) override {
    refuse(!forces.empty());
    std::fill(displacement.begin(), displacement.end(), 0.0);
    return {};
  }

  void forces_at_rest(std::span<const double>, std::span<double>) override { refuse(true); }

  StepStatistics solve_step(const FleshState& state, std::span<double> b, std::span<double> u,
                            FleshConstraints* constraints) override {
    refuse(constraints != nullptr);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = 2 * state.displacement[k] - state.previous_displacement[k];
    const double half_rate = 0.5 / body_->method.step;
    double last = HUGE_VAL, last_residual = HUGE_VAL;
    int halvings = 0;
    bool fresh = false;  // true if the system belongs to this step
    for (int corrections = 1; corrections <= most_corrections; ++corrections) {
      for (std::size_t k = 0; k < u.size(); ++k)
        velocity_[k] = half_rate * (3 * u[k] - 4 * state.displacement[k] + state.previous_displacement[k]);
      const double residual = find_residual(b, u);
      if (!(residual < last_residual) && std::isfinite(last) && halvings < most_halvings && last > least_change_) {
        ++halvings;  // goes back by half the step
        for (std::size_t k = 0; k < u.size(); ++k) u[k] -= correction_[k] *= 0.5;
        continue;
      }
      if (!factored_ || (stale_ && !fresh)) {
        find_system();
        fresh = true;
      }
      factor_.solve(residual_, correction_);
      double change = 0;
      for (std::size_t k = 0; k < u.size(); ++k) {
        u[k] += correction_[k];
        change = std::max(change, std::abs(correction_[k]));
      }
      if (change <= least_change_) {
        stale_ = corrections > many_corrections;
        return {corrections, change, 0};
      }
      if (!std::isfinite(change)) break;
      stale_ = change > slow_shrinking * last || halvings > 0;
      if (stale_) fresh = false;
      last = change;
      last_residual = residual;
      halvings = 0;
    }
    throw simulation_error("a step of nonlinear flesh does not converge; take shorter steps.");
  }

  double elastic_energy(std::span<const double> u) override { return linear_energy(*body_, u); }

 private:
  static void refuse(bool acts) {
    if (acts) throw usage_error("nonlinear flesh: nothing may act on it; use flesh of `sinew animate`.");
  }

  // Residual b - m_k M u - (1 - alpha_f) (elastic and damping forces), local. Returns its norm, weighted by inverse
  // masses.
  double find_residual(std::span<const double> b, std::span<const double> u) {
    const FleshBody& body = *body_;
    const GeneralizedAlpha& method = body.method;
    const bool uniform = body.uniform_damping();
    const double by_stiffness = uniform ? body.description.stiffness_damping : 0;
    const double by_mass = uniform ? body.description.mass_damping : 0;
    parallel_for(body.free_vertex.size(), nonlinear_vertex_grain, [&](std::size_t f) {
      const auto v = static_cast<std::size_t>(body.free_vertex[f]);
      const Mat3& rotation = frames_->rotation[v];
      displacement_[v] = rotation * Vec3{u[3 * f], u[3 * f + 1], u[3 * f + 2]};
      rate_[v] = rotation * Vec3{velocity_[3 * f], velocity_[3 * f + 1], velocity_[3 * f + 2]};
    });
    forces_.gradient(displacement_, rate_, by_stiffness, gradient_);
    if (!uniform) multiply(body.damping, velocity_, painted_);
    parallel_for(body.free_vertex.size(), nonlinear_vertex_grain, [&](std::size_t f) {
      const auto v = static_cast<std::size_t>(body.free_vertex[f]);
      const double mass = body.mass[v], spring = body.bone_spring[v];
      const Vec3 local = transpose_times(frames_->rotation[v], gradient_[v]);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t k = 3 * f + i;
        double force = local[i] + spring * (u[k] + by_stiffness * velocity_[k]) + by_mass * mass * velocity_[k];
        if (!uniform) force += painted_[k];
        residual_[k] = b[k] - method.mass_factor() * mass * u[k] - method.force_factor() * force;
      }
    });
    double sum = 0;
    for (std::size_t k = 0; k < residual_.size(); ++k)
      sum += residual_[k] * residual_[k] / body.mass[static_cast<std::size_t>(body.free_vertex[k / 3])];
    return sum;
  }

  // Computes the system m_k M + (1 - alpha_f) (K + 3/2h D) at the displacements of the last residual.
  void find_system() {
    const FleshBody& body = *body_;
    const GeneralizedAlpha& method = body.method;
    const bool uniform = body.uniform_damping();
    const double rate = method.velocity_factor();
    const double by_stiffness = uniform ? rate * body.description.stiffness_damping : 0;
    const double by_mass = uniform ? rate * body.description.mass_damping : 0;
    forces_.hessian(displacement_, frames_->rotation, system_);
    for (Mat3& block : system_.block) block *= method.force_factor() * (1 + by_stiffness);
    for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
      const auto v = static_cast<std::size_t>(body.free_vertex[f]);
      const double diagonal = body.mass[v] * (method.mass_factor() + method.force_factor() * by_mass) +
                              method.force_factor() * (1 + by_stiffness) * body.bone_spring[v];
      const auto place = static_cast<std::size_t>(find_block(system_, static_cast<int>(f), static_cast<int>(f)));
      for (std::size_t i = 0; i < 3; ++i) system_.block[place](i, i) += diagonal;
    }
    if (!uniform) {  // the matrix has the same pattern
      for (std::size_t k = 0; k < system_.block.size(); ++k)
        system_.block[k] += body.damping.block[k] * (method.force_factor() * rate);
    }
    factor_.factor(system_);
    factored_ = true;
  }

  std::shared_ptr<const FleshBody> body_;
  NonlinearForces forces_;
  BlockMatrix system_;
  BlockCholesky factor_;
  bool factored_ = false, stale_ = false;
  const VertexFrames* frames_ = nullptr;
  double least_change_ = 0;                                         // metres
  std::vector<Vec3> displacement_, rate_, gradient_;                // per vertex, world
  std::vector<double> velocity_, residual_, correction_, painted_;  // 3 numbers per free vertex, local
};

}  // namespace

NonlinearForces::NonlinearForces(const FleshBody& body, const NonlinearLaw& law)
    : body_(body),
      law_(law),
      entries_(entries_of_vertices(body.samples, static_cast<int>(body.description.mesh.positions.size()))),
      natural_(body.samples.size()),
      turn_(body.samples.size()),
      goal_turn_(body.samples.size()),
      stress_(body.samples.size()) {
  if (law.law == HyperelasticLaw::modified_st_venant_kirchhoff)
    throw usage_error("nonlinear flesh: its elements separate volume from shear, which this law cannot.");
}

void NonlinearForces::set_goal(std::span<const Vec3> goal) {
  const StrainSamples& samples = body_.samples;
  const double most = law_.most_natural_stretch, least = 1 / most;
  parallel_for(samples.size(), nonlinear_sample_grain, [&](std::size_t s) {
    const Mat3 gradient = deformation_gradient(samples, s, goal);
    Natural& natural = natural_[s];
    if (most <= 1) {
      goal_turn_[s] = closest_rotation(gradient, goal_turn_[s]);
      natural = {transpose(to_matrix(goal_turn_[s])), samples.volume[s], false};
      return;
    }
    const SignedSvd svd = signed_svd(gradient);
    Vec3 stretch = svd.sigma;
    for (std::size_t k = 0; k < 3; ++k) stretch[k] = std::clamp(stretch[k], least, most);
    natural.held = stretch != svd.sigma;
    natural.volume = samples.volume[s] * stretch.x * stretch.y * stretch.z;
    natural.inverse = natural.held
                          ? svd.v * Mat3::diagonal({1 / stretch.x, 1 / stretch.y, 1 / stretch.z}) * transpose(svd.u)
                          : inverse(gradient);
  });
}

double NonlinearForces::growth(std::size_t s, const Mat3& strain) const {
  if (!stiffens() || !(body_.samples.shear[s] > 0)) return 0;
  const LameModuli moduli{body_.samples.shear[s], body_.samples.lambda[s]};
  return st_venant_kirchhoff_density(strain, moduli) * law_.tissue.growth_per_energy() / moduli.shear;
}

double NonlinearForces::energy(std::span<const Vec3> displacement) const {
  const StrainSamples& samples = body_.samples;
  return ordered_sum(samples.size(), nonlinear_sample_grain, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t s = begin; s < end; ++s) {
      const Mat3 d = deformation_gradient(samples, s, displacement) * natural_[s].inverse;
      const LameModuli moduli{samples.shear[s], samples.lambda[s]};
      if (law_.law == HyperelasticLaw::st_venant_kirchhoff) {
        sum += natural_[s].volume * density(law_.law, d, moduli);
        continue;
      }
      Quat turn = turn_[s];
      const Mat3 strain = stretch_strain(law_, d, turn);
      const double grown = growth(s, strain);
      const double bound = law_.tissue.most_growth - 1, below = std::min(grown, bound);
      const double beyond = law_.tissue.most_growth * (grown - below);
      sum += natural_[s].volume * st_venant_kirchhoff_density(strain, moduli) *
             (grown > 0 ? (below * (1 + below / 2) + beyond) / grown : 1.0);
    }
    return sum;
  });
}

void NonlinearForces::gradient(std::span<const Vec3> displacement, std::span<const Vec3> rate, double damping,
                               std::span<Vec3> gradient) {
  const StrainSamples& samples = body_.samples;
  parallel_for(samples.size(), nonlinear_sample_grain, [&](std::size_t s) {
    const Natural& natural = natural_[s];
    const LameModuli moduli{samples.shear[s], samples.lambda[s]};
    const Mat3 d = deformation_gradient(samples, s, displacement) * natural.inverse;
    const Mat3 change = deformation_gradient(samples, s, rate) * natural.inverse * damping;
    Mat3 stress;
    if (law_.law == HyperelasticLaw::st_venant_kirchhoff) {
      const Mat3 f = Mat3::identity() + d;
      stress = f * st_venant_kirchhoff_stress(green_strain(d) + symmetric(transpose(f) * change), moduli);
    } else {
      const Mat3 strain = stretch_strain(law_, d, turn_[s]), rotation = to_matrix(turn_[s]);
      stress = rotation * st_venant_kirchhoff_stress(strain + symmetric(transpose(rotation) * change), moduli) *
               std::min(1 + growth(s, strain), law_.tissue.most_growth);
    }
    stress_[s] = stress * transpose(natural.inverse) * natural.volume;
  });
  gather(entries_, samples, stress_, gradient);
}

void NonlinearForces::hessian(std::span<const Vec3> displacement, std::span<const Mat3> rotation,
                              BlockMatrix& hessian) const {
  const StrainSamples& samples = body_.samples;
  // Per sample the matrix that transforms its gradients, per entry the transformed gradients, and per sample the law's
  // stiffness where those do not suffice.
  std::vector<Mat3> deformed(samples.size());
  std::vector<Vec3> natural_gradient(samples.gradient.size()), deformed_gradient(samples.gradient.size());
  std::vector<Vec3> stressed_gradient(stiffens() ? samples.gradient.size() : 0);  // over sqrt(c)
  std::vector<double> stiffer(samples.size(), 1.0);
  std::vector<HyperelasticStiffness> stiffness;
  const bool corotated = law_.law == HyperelasticLaw::corotated;
  if (!corotated) stiffness.resize(samples.size(), {law_.law, HyperelasticTangent::definite, Mat3::zero(), {}});
  parallel_for(samples.size(), nonlinear_sample_grain, [&](std::size_t s) {
    const Mat3 d = deformation_gradient(samples, s, displacement) * natural_[s].inverse;
    Mat3 stress = Mat3::zero();
    if (corotated) {
      Quat turn = turn_[s];
      const Mat3 strain = stretch_strain(law_, d, turn);
      deformed[s] = to_matrix(turn);
      const double grown = growth(s, strain);
      stiffer[s] = std::min(1 + grown, law_.tissue.most_growth);
      if (grown > 0 && 1 + grown < law_.tissue.most_growth)
        stress = deformed[s] * st_venant_kirchhoff_stress(strain, {samples.shear[s], samples.lambda[s]}) *
                 std::sqrt(law_.tissue.growth_per_energy() / samples.shear[s]);
    } else {
      stiffness[s] = {law_.law, HyperelasticTangent::definite, d, {samples.shear[s], samples.lambda[s]}};
    }
    const Mat3 back = transpose(natural_[s].inverse);
    for (auto k = static_cast<std::size_t>(samples.start[s]); k < static_cast<std::size_t>(samples.start[s + 1]); ++k) {
      natural_gradient[k] = back * samples.gradient[k];
      deformed_gradient[k] = deformed[s] * natural_gradient[k];
      if (!stressed_gradient.empty()) stressed_gradient[k] = stress * natural_gradient[k];
    }
  });
  parallel_chunks(body_.free_vertex.size(), nonlinear_row_grain, [&](std::size_t first, std::size_t last) {
    std::vector<std::size_t> place(body_.free_vertex.size());  // of a column among the blocks of the row
    for (std::size_t f = first; f < last; ++f) {
      const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
      for (auto k = static_cast<std::size_t>(hessian.row_start[f]);
           k < static_cast<std::size_t>(hessian.row_start[f + 1]); ++k) {
        hessian.block[k] = Mat3::zero();
        place[static_cast<std::size_t>(hessian.column[k])] = k;
      }
      for (int e = entries_.start[v]; e < entries_.start[v + 1]; ++e) {
        const auto s = static_cast<std::size_t>(entries_.sample[static_cast<std::size_t>(e)]);
        const auto own = static_cast<std::size_t>(entries_.entry[static_cast<std::size_t>(e)]);
        for (auto k = static_cast<std::size_t>(samples.start[s]); k < static_cast<std::size_t>(samples.start[s + 1]);
             ++k) {
          const int column = body_.free_index[static_cast<std::size_t>(samples.vertex[k])];
          if (column < 0) continue;
          Mat3 block = corotated ? stiffness_block(deformed_gradient[own], deformed_gradient[k], natural_[s].volume,
                                                   samples.shear[s], samples.lambda[s])
                                 : stiffness[s].block(natural_gradient[own], natural_gradient[k]) * natural_[s].volume;
          block = block * stiffer[s];
          if (!stressed_gradient.empty())
            block += outer(stressed_gradient[own], stressed_gradient[k]) * natural_[s].volume;
          hessian.block[place[static_cast<std::size_t>(column)]] += block;
        }
      }
      const Mat3 turned = transpose(rotation[v]);
      for (auto k = static_cast<std::size_t>(hessian.row_start[f]);
           k < static_cast<std::size_t>(hessian.row_start[f + 1]); ++k) {
        const int column = body_.free_vertex[static_cast<std::size_t>(hessian.column[k])];
        hessian.block[k] = turned * hessian.block[k] * rotation[static_cast<std::size_t>(column)];
      }
    }
  });
}

double NonlinearForces::held() const {
  const auto count =
      std::count_if(natural_.begin(), natural_.end(), [](const Natural& natural) { return natural.held; });
  return natural_.empty() ? 0 : static_cast<double>(count) / static_cast<double>(natural_.size());
}

std::unique_ptr<FleshReference> nonlinear_reference(std::shared_ptr<const FleshBody> body, const NonlinearLaw& law,
                                                    double tolerance) {
  return std::make_unique<NonlinearReference>(std::move(body), law, tolerance);
}

std::shared_ptr<const FleshBody> unlimited_body(const FleshBody& body, double step) {
  FleshBody copy = copy_assembled(body);
  copy.description.limit.clear();
  FleshDynamics dynamics = body.dynamics;
  dynamics.step = step;
  dynamics.reach = std::numeric_limits<double>::infinity();
  return cook_flesh(std::move(copy), dynamics);
}

}  // namespace sinew
