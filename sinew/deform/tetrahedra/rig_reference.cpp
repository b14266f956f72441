#include "sinew/deform/tetrahedra/rig_reference.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/deform/tetrahedra/flesh_motion.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

// Accuracy of targets and contacts; a substitution is far more accurate.
constexpr double constraint_tolerance = 1e-6;

class RigReference final : public FleshReference {
 public:
  explicit RigReference(std::shared_ptr<const FleshBody> body)
      : body_(std::move(body)), rest_factor_(*body_), load_(3 * body_->free_vertex.size()), stiff_(load_.size()) {
    if (!body_->dynamics.exact_factor())
      throw usage_error("this flesh was cooked for nonlinear elasticity; cook it with elasticity linear.");
  }

  void set_pose(const VertexFrames& frames) override { frames_ = &frames; }

  StepStatistics find_rest(std::span<const double> forces, std::span<double> displacement, const RestSearch&) override {
    std::fill(displacement.begin(), displacement.end(), 0.0);
    if (body_->dynamics.gravity_in_rest == GravityInRest::pose && forces.empty()) return {};
    outside_forces(*body_, *frames_, load_);
    add_scaled(1, forces, std::span(load_).first(forces.size()));
    rest_factor_.get().solve(load_, displacement);
    return {};
  }

  void forces_at_rest(std::span<const double> displacement, std::span<double> forces) override {
    multiply(body_->stiffness, displacement, forces);
    outside_forces(*body_, *frames_, load_);
    add_scaled(-1, load_, forces);
  }

  StepStatistics solve_step(const FleshState& state, std::span<double> b, std::span<double> displacement,
                            FleshConstraints* constraints) override {
    add_damping_of_history(*body_, state, b);
    const auto inverse = [this](std::span<const double> from, std::span<double> to) { body_->factor.solve(from, to); };
    inverse(b, displacement);
    StepStatistics statistics;
    if (constraints) statistics.contacts = constraints->meet(inverse, constraint_tolerance, displacement);
    return statistics;
  }

  std::span<const double> stiff(std::span<const double> b, std::span<const double> displacement) override {
    if (body_->uniform_damping()) stiffness_product_from_solution(*body_, b, displacement, stiff_);
    return stiff_;
  }

  double elastic_energy(std::span<const double> u) override { return linear_energy(*body_, u); }

 private:
  std::shared_ptr<const FleshBody> body_;
  RestFactor rest_factor_;
  const VertexFrames* frames_ = nullptr;
  std::vector<double> load_, stiff_;
};

}  // namespace

std::unique_ptr<BodyMotion> rig_reference_flesh(std::shared_ptr<const FleshBody> body) {
  return flesh_motion(body, std::make_unique<RigReference>(body));
}

}  // namespace sinew
