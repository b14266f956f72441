// Elasticity with one rotation per row (Capell 2004, equation 5.10),
//
//   Q_i = R_i sum_j S_ij (R_i^T (p_j - c_ij) - r_j),
//
// where the skeleton moves the surroundings of function i by x -> R_i x + c_i; for detail j, r_j and c_ij are zero.
#include <array>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "sinew/deform/lattice/solver/unknown_vectors.h"

namespace sinew {
namespace {

constexpr std::size_t vertex_elasticity_grain = 64;

class VertexElasticity final : public LatticeElasticity {
 public:
  explicit VertexElasticity(const LatticeBody& body) : body_(body) {}

  void activate(const ActiveFunctions& active) override {
    active_ = &active;
    const CellMatrices& cells = body_.description.cells;
    stiffness_ = assemble_cells(cells, active.slot, std::array{CellFactors{0, 1, 0}});
    values_.assign(active.slot.size(), {});
  }

  void set_pose(const LatticePose& pose, std::span<const Vec3>) override { pose_ = &pose; }

  void subtract_force(double factor, std::span<const Vec3> position, std::span<const Vec3> addition,
                      std::span<double> residual) override {
    const LatticeDescription& d = body_.description;
    const bool rig = body_.reference == LatticeReference::rig;
    for_each_row([&](std::size_t u, std::size_t i, const auto& sum_over_columns) {
      const Mat3& rotation = pose_->functions.rotation[i];
      const double scale = pose_->function_scale[i];
      const Vec3 translation = pose_->place[i] - rotation * (scale * d.place[i]);
      const Vec3 force = rotation * sum_over_columns([&](std::size_t j) {
                           const Vec3 x = position[j] + addition[j];
                           if (rig) return transpose_times(rotation, x - pose_->functions.goal[j]);
                           if (j >= static_cast<std::size_t>(d.coarse_functions)) return transpose_times(rotation, x);
                           return transpose_times(rotation, x - translation) - scale * d.rest[j];
                         });
      for (std::size_t k = 0; k < 3; ++k) residual[3 * u + k] -= factor * force[k];
    });
  }

  void apply_system(std::span<const double> from, std::span<double> to) override {
    apply(from, to, body_.mass_part(), body_.stiffness_part());
  }
  void apply_stiffness(std::span<const double> from, std::span<double> to) override { apply_turned(from, to, 1); }

  bool symmetric() const override { return false; }

  double energy(std::span<const Vec3> position) override {
    // There is no energy; half the work of the forces along the displacement from the goal takes its place.
    std::vector<double> force(3 * active_->unknowns(), 0.0);
    const std::vector<Vec3> nothing(position.size());
    subtract_force(1, position, nothing, force);
    double sum = 0;
    for (std::size_t u = 0; u < active_->unknowns(); ++u) {
      const auto f = static_cast<std::size_t>(active_->unknown_function[u]);
      const Vec3 from_goal = position[f] - pose_->functions.goal[f];
      for (std::size_t k = 0; k < 3; ++k) sum -= 0.5 * force[3 * u + k] * from_goal[k];
    }
    return sum;
  }

 private:
  // visit(unknown, function, sum_over_columns), where sum_over_columns(value) is sum_j S_ij value(function j).
  template <class Visit>
  void for_each_row(const Visit& visit) const {
    parallel_for(active_->unknowns(), vertex_elasticity_grain, [&](std::size_t u) {
      const auto slot = static_cast<std::size_t>(active_->unknown_slot[u]);
      visit(u, static_cast<std::size_t>(active_->unknown_function[u]), [&](const auto& value) {
        Vec3 sum;
        for (auto b = static_cast<std::size_t>(stiffness_.row_start[slot]);
             b < static_cast<std::size_t>(stiffness_.row_start[slot + 1]); ++b)
          sum += stiffness_.block[b] *
                 value(static_cast<std::size_t>(active_->function[static_cast<std::size_t>(stiffness_.column[b])]));
        return sum;
      });
    });
  }

  void apply_turned(std::span<const double> from, std::span<double> to, double factor) {
    for_each_row([&](std::size_t u, std::size_t i, const auto& sum_over_columns) {
      const Mat3& rotation = pose_->functions.rotation[i];
      const Vec3 sum = factor * (rotation * sum_over_columns([&](std::size_t j) {
                                   const int unknown = active_->unknown[j];
                                   if (unknown < 0) return Vec3{};
                                   const auto at = 3 * static_cast<std::size_t>(unknown);
                                   return transpose_times(rotation, Vec3{from[at], from[at + 1], from[at + 2]});
                                 }));
      for (std::size_t k = 0; k < 3; ++k) to[3 * u + k] = sum[k];
    });
  }

  void apply(std::span<const double> from, std::span<double> to, double mass_factor, double stiffness_factor) {
    apply_turned(from, to, stiffness_factor);
    for (std::size_t u = 0; u < active_->unknowns(); ++u)
      values_[static_cast<std::size_t>(active_->unknown_function[u])] = unknown_at(from, u);
    parallel_for(active_->unknowns(), vertex_elasticity_grain, [&](std::size_t u) {
      const auto f = static_cast<std::size_t>(active_->unknown_function[u]);
      add_to_unknown(
          to, u,
          mass_factor * row_times(body_.mass(), f, values_) + stiffness_factor * row_times(body_.hold, f, values_));
    });
  }

  const LatticeBody& body_;
  const ActiveFunctions* active_ = nullptr;
  const LatticePose* pose_ = nullptr;
  BlockMatrix stiffness_;     // slots x slots, rest
  std::vector<Vec3> values_;  // per function; zero where not an unknown
};

}  // namespace

std::unique_ptr<LatticeElasticity> vertex_elasticity(const LatticeBody& body) {
  return std::make_unique<VertexElasticity>(body);
}

}  // namespace sinew
