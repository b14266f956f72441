#include "sinew/deform/lattice_flesh/control_lattice/lattice_constraints.h"

#include <algorithm>

namespace sinew {
namespace {

// A point with less of its weight on unknowns is the skeleton's.
constexpr double least_free_weight = 0.05;
// Points whose rows are nearer to those of others than this share of their length are led by them: drawn apart they
// would tear at a direction that the basis hardly has.
constexpr double independence = 0.02;

bool same_spots(std::span<const HeldPoint> a, std::span<const HeldPoint> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const HeldPoint& p, const HeldPoint& q) {
    return p.spot.vertex == q.spot.vertex && p.spot.weight == q.spot.weight;
  });
}

// The entries of unknowns; no entry in rows that the skeleton decides.
SparseRows over_unknowns(const SparseRows& values, const ActiveFunctions& active) {
  SparseRows result;
  result.columns = static_cast<int>(active.unknowns());
  for (std::size_t row = 0; row < values.rows(); ++row) {
    const auto begin = static_cast<std::size_t>(values.start[row]),
               end = static_cast<std::size_t>(values.start[row + 1]);
    double weight = 0;
    for (std::size_t e = begin; e < end; ++e)
      if (active.unknown[static_cast<std::size_t>(values.column[e])] >= 0) weight += std::abs(values.value[e]);
    for (std::size_t e = begin; e < end && weight >= least_free_weight; ++e) {
      const int unknown = active.unknown[static_cast<std::size_t>(values.column[e])];
      if (unknown < 0) continue;
      result.column.push_back(unknown);
      result.value.push_back(values.value[e]);
    }
    result.start.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

SparseRows chosen_rows(const SparseRows& values, std::span<const int> rows) {
  SparseRows result;
  result.columns = values.columns;
  for (int row : rows) {
    const int begin = values.start[static_cast<std::size_t>(row)], end = values.start[static_cast<std::size_t>(row) + 1];
    result.column.insert(result.column.end(), values.column.begin() + begin, values.column.begin() + end);
    result.value.insert(result.value.end(), values.value.begin() + begin, values.value.begin() + end);
    result.start.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

}  // namespace

void LatticeConstraints::hold(std::span<const HeldPoint> points, const ActiveFunctions& active,
                              bool functions_changed) {
  const bool same = !functions_changed && linear_ && same_spots(points, points_);
  points_.assign(points.begin(), points.end());
  if (points_.empty()) {
    linear_.reset();
    inverse_mass_.reset();
    note_.clear();
  }
  if (same || points_.empty()) return;
  values_ = values_at_spots(body_, points_);
  const SparseRows free = over_unknowns(values_, active);
  linear_.emplace(free, independence);
  rows_ = chosen_rows(free, linear_->kept());
  inverse_mass_.reset();
}

std::vector<Vec3> LatticeConstraints::missing(std::span<const Vec3> position, std::span<const Vec3> offset) const {
  std::vector<Vec3> result(points_.size());
  multiply(values_, position, result);
  for (std::size_t c = 0; c < result.size(); ++c) {
    result[c] = points_[c].target - result[c];
    for (std::size_t k = 0; k < 3; ++k)
      if (points_[c].spot.vertex[k] >= 0)
        result[c] -= points_[c].spot.weight[k] * offset[static_cast<std::size_t>(points_[c].spot.vertex[k])];
  }
  return result;
}

std::vector<Vec3> LatticeConstraints::missing_velocity(std::span<const Vec3> velocity) const {
  std::vector<Vec3> result(points_.size());
  multiply(values_, velocity, result);
  for (std::size_t c = 0; c < result.size(); ++c) result[c] = points_[c].velocity - result[c];
  return result;
}

void LatticeConstraints::stabilize(const LatticeState& state, std::span<const Vec3> offset, double step,
                                   const Baumgarte& oscillation) {
  away_ = missing(state.position, offset);
  rate_ = missing_velocity(state.velocity);
  for (std::size_t c = 0; c < points_.size(); ++c) {
    HeldPoint& point = points_[c];
    const auto held = std::find_if(state.held.begin(), state.held.end(),
                                   [&](const HeldMemory& memory) { return memory.vertex == point.spot.vertex; });
    // missing() is relative to where the target is as the step ends.
    away_[c] = held != state.held.end() ? held->away : step * point.velocity - away_[c];
    rate_[c] = held != state.held.end() ? held->rate : -rate_[c];
    rate_[c] += baumgarte_change(oscillation, away_[c], rate_[c], step);
    away_[c] += step * rate_[c];
    point.velocity += rate_[c];
    point.target += away_[c];
  }
}

std::vector<HeldMemory> LatticeConstraints::memory(std::span<const Vec3> position, std::span<const Vec3> offset) const {
  std::vector<HeldMemory> result;
  const std::vector<Vec3> left = empty() ? std::vector<Vec3>{} : missing(position, offset);
  for (std::size_t c = 0; c < left.size(); ++c) result.push_back({points_[c].spot.vertex, away_[c] - left[c], rate_[c]});
  return result;
}

void LatticeConstraints::project(std::span<double> v) const {
  if (empty()) return;
  const std::vector<double> whole(v.begin(), v.end());
  linear_->project(whole, v);
}

void LatticeConstraints::find_conflicts(std::span<const Vec3> missing) {
  note_.clear();
  std::vector<ConstraintConflict> conflicts = linear_->conflicts(missing);
  std::erase_if(conflicts, [&](const ConstraintConflict& conflict) {
    return conflict.gap <= points_[static_cast<std::size_t>(conflict.constraint)].tolerance;
  });
  if (conflicts.empty()) return;
  std::vector<std::string> names;
  for (const HeldPoint& point : points_) names.push_back(point.name);
  note_ = conflict_sentence(conflicts, names);
}

const LinearOperator& LatticeConstraints::inverse_mass(const UnknownMass& mass) {
  if (!inverse_mass_) {
    const LinearOperator whole = [&mass](std::span<const double> from, std::span<double> to) { mass.solve(from, to); };
    inverse_mass_ = empty() ? whole : constrained_preconditioner(whole, *linear_);
  }
  return *inverse_mass_;
}

void LatticeConstraints::meet_velocities(const UnknownMass& mass, const ActiveFunctions& active,
                                         std::span<Vec3> velocity) {
  if (empty()) return;
  const std::size_t n = 3 * active.unknowns();
  std::vector<double> change(n, 0.0), momentum(n), within(n);
  linear_->meet(missing_velocity(velocity), std::span<double>(change));
  // Any change that meets them, less its part within their subspace, is that of an impulse at the points.
  mass.multiply(change, momentum);
  inverse_mass(mass)(momentum, within);
  for (std::size_t u = 0; u < active.unknowns(); ++u)
    for (std::size_t k = 0; k < 3; ++k)
      velocity[static_cast<std::size_t>(active.unknown_function[u])][k] += change[3 * u + k] - within[3 * u + k];
}

}  // namespace sinew
