// Elasticity of Green's strain (Capell 2004, section 3.3), for Newton's method.
#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "sinew/deform/lattice/solver/unknown_vectors.h"
#include "sinew/elastic/green_strain.h"

namespace sinew {
namespace {

constexpr std::size_t nonlinear_elasticity_grain = 64;

class NonlinearElasticity final : public LatticeElasticity {
 public:
  explicit NonlinearElasticity(const LatticeBody& body)
      : body_(body), energy_(body.description.samples, static_cast<int>(body.description.role.size())) {
    if (body.reference == LatticeReference::rig)
      throw usage_error("linearization none: the nonlinear energy has one rest shape; use --reference elastic.");
    const std::size_t functions = body.description.role.size();
    displacement_.resize(functions);
    gradient_.resize(functions);
    from_.resize(3 * functions);
    to_.resize(3 * functions);
  }

  void activate(const ActiveFunctions& active) override {
    active_ = &active;
    values_.assign(active.slot.size(), {});
  }

  void set_pose(const LatticePose&, std::span<const Vec3> position) override { linearize(position); }

  void linearize(std::span<const Vec3> position) override {
    set_displacement(position);
    energy_.linearize(displacement_, GreenHessian::definite);
  }

  void subtract_force(double factor, std::span<const Vec3> position, std::span<const Vec3> addition,
                      std::span<double> residual) override {
    set_displacement(position);
    energy_.gradient(displacement_, gradient_);
    for (std::size_t f = 0; f < addition.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) from_[3 * f + k] = addition[f][k];
    energy_.multiply(from_, to_);
    for (std::size_t u = 0; u < active_->unknowns(); ++u) {
      const auto f = static_cast<std::size_t>(active_->unknown_function[u]);
      for (std::size_t k = 0; k < 3; ++k) residual[3 * u + k] -= factor * (gradient_[f][k] + to_[3 * f + k]);
    }
  }

  void apply_system(std::span<const double> from, std::span<double> to) override {
    apply_stiffness(from, to);
    const double mass = body_.mass_part(), stiffness = body_.stiffness_part();
    for (std::size_t u = 0; u < active_->unknowns(); ++u)
      values_[static_cast<std::size_t>(active_->unknown_function[u])] = unknown_at(from, u);
    for (double& number : to) number *= stiffness;
    parallel_for(active_->unknowns(), nonlinear_elasticity_grain, [&](std::size_t u) {
      const auto f = static_cast<std::size_t>(active_->unknown_function[u]);
      add_to_unknown(to, u, mass * row_times(body_.mass(), f, values_) + stiffness * row_times(body_.hold, f, values_));
    });
  }

  void apply_stiffness(std::span<const double> from, std::span<double> to) override {
    std::fill(from_.begin(), from_.end(), 0.0);
    for (std::size_t u = 0; u < active_->unknowns(); ++u)
      for (std::size_t k = 0; k < 3; ++k)
        from_[3 * static_cast<std::size_t>(active_->unknown_function[u]) + k] = from[3 * u + k];
    energy_.multiply(from_, to_);
    for (std::size_t u = 0; u < active_->unknowns(); ++u)
      for (std::size_t k = 0; k < 3; ++k)
        to[3 * u + k] = to_[3 * static_cast<std::size_t>(active_->unknown_function[u]) + k];
  }

  bool nonlinear() const override { return true; }
  bool symmetric() const override { return true; }

  double energy(std::span<const Vec3> position) override {
    set_displacement(position);
    return energy_.energy(displacement_);
  }

 private:
  // q of p = r + q.
  void set_displacement(std::span<const Vec3> position) {
    for (std::size_t f = 0; f < position.size(); ++f) displacement_[f] = position[f] - body_.description.rest[f];
  }

  const LatticeBody& body_;
  GreenStrainEnergy energy_;
  const ActiveFunctions* active_ = nullptr;
  std::vector<Vec3> displacement_, gradient_;  // per function
  std::vector<double> from_, to_;              // 3 per function
  std::vector<Vec3> values_;                   // per function; zero where not an unknown
};

}  // namespace

std::unique_ptr<LatticeElasticity> nonlinear_elasticity(const LatticeBody& body) {
  return std::make_unique<NonlinearElasticity>(body);
}

}  // namespace sinew
