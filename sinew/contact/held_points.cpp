#include "sinew/contact/held_points.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {
namespace {

// A point with a smaller weight on unknowns belongs to the skeleton.
constexpr double least_free_weight_of_held = 0.05;
// Directions in which flesh would have to move by more than about ten times the held points' displacement are left out:
// points pulled apart along them would distort directions that the basis hardly has.
constexpr double independence = 0.1;
// Belts and patches that ask for more than this beside single points are held in their broadest motions: a belt of a
// tenth of the height has 25 to 60 directions, wide ones that cover half of a body have 500, with which a step takes
// seconds.
constexpr std::size_t most_directions = 128;

bool same_points(std::span<const HeldPoint> a, std::span<const HeldPoint> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const HeldPoint& p, const HeldPoint& q) {
    return p.point.vertex == q.point.vertex && p.point.weight == q.point.weight && p.share == q.share &&
           p.patch == q.patch;
  });
}

// The number of points by themselves, and of means of patches: they are met wherever the body can.
std::size_t separately_held(std::span<const HeldPoint> points) {
  std::size_t count = 0;
  for (std::size_t c = 0; c < points.size(); ++c)
    count += points[c].group < 0 || (points[c].patch && (c == 0 || points[c - 1].group != points[c].group));
  return count;
}

// The entries of unknowns; rows that the skeleton determines become empty.
SparseRows over_unknowns(const SparseRows& values, const Unknowns& unknowns) {
  SparseRows result;
  result.columns = static_cast<int>(unknowns.size());
  for (std::size_t row = 0; row < values.rows(); ++row) {
    const auto begin = static_cast<std::size_t>(values.start[row]),
               end = static_cast<std::size_t>(values.start[row + 1]);
    double weight = 0;
    for (std::size_t e = begin; e < end; ++e)
      if (unknowns.of_point[static_cast<std::size_t>(values.column[e])] >= 0) weight += std::abs(values.value[e]);
    for (std::size_t e = begin; e < end && weight >= least_free_weight_of_held; ++e) {
      const int unknown = unknowns.of_point[static_cast<std::size_t>(values.column[e])];
      if (unknown < 0) continue;
      result.column.push_back(unknown);
      result.value.push_back(values.value[e]);
    }
    result.start.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

// End of the belt, patch or single point that begins at `point`.
std::size_t end_of_group(std::span<const HeldPoint> points, std::size_t point) {
  std::size_t end = point + 1;
  while (points[point].group >= 0 && end < points.size() && points[end].group == points[point].group) ++end;
  return end;
}

double weighted_product(std::span<const double> a, std::span<const double> b, std::span<const double> inertia) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i] / inertia[i];
  return sum;
}

// The constraints of held points: of a single point its position; of a patch its mean, m = sum_c s_c x_c, and its
// points relative to it, x_c - b_c m. If b_c is the component of a point's row along the mean's, the latter are
// independent of the mean, which is thus met whatever the body cannot follow. Returns rows over the points, and their
// weights.
SparseRows asked_of(std::span<const HeldPoint> points, const SparseRows& rows, std::span<const double> inertia,
                    std::vector<double>& weights) {
  SparseRows asked;
  asked.columns = static_cast<int>(points.size());
  const auto end_row = [&](double weight) {
    asked.start.push_back(static_cast<int>(asked.column.size()));
    weights.push_back(weight);
  };
  const auto add = [&](std::size_t point, double value) {
    asked.column.push_back(static_cast<int>(point));
    asked.value.push_back(value);
  };
  std::vector<double> mean(inertia.size()), own(inertia.size());
  const auto add_row = [&](std::size_t point, double share, std::vector<double>& to) {
    for (auto e = static_cast<std::size_t>(rows.start[point]); e < static_cast<std::size_t>(rows.start[point + 1]); ++e)
      to[static_cast<std::size_t>(rows.column[e])] += share * rows.value[e];
  };
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    end = end_of_group(points, begin);
    if (!points[begin].patch) {
      for (std::size_t c = begin; c < end; ++c) add(c, 1), end_row(points[c].share);
      continue;
    }
    std::fill(mean.begin(), mean.end(), 0.0);
    for (std::size_t c = begin; c < end; ++c) add(c, points[c].share), add_row(c, points[c].share, mean);
    end_row(1);
    const double squared = weighted_product(mean, mean, inertia);
    for (std::size_t c = begin; c < end; ++c) {
      std::fill(own.begin(), own.end(), 0.0);
      add_row(c, 1, own);
      const double along = squared > 0 ? weighted_product(own, mean, inertia) / squared : 1;
      for (std::size_t d = begin; d < end; ++d) add(d, (c == d) - along * points[d].share);
      end_row(points[c].share);
    }
  }
  return asked;
}

// Turns shares of the skin into weights such that a belt counts as much as a single point: scales each group to the
// same largest singular value.
void scale_groups(std::span<const HeldPoint> points, const SparseRows& asked, std::span<const double> inertia,
                  std::vector<double>& weights) {
  std::size_t row = 0;
  const auto scale_next = [&](std::size_t rows) {
    const double largest = largest_singular_value(asked, weights, inertia, row, row + rows);
    for (const std::size_t end = row + rows; row < end; ++row)
      if (largest > 0) weights[row] /= largest * largest;
  };
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    end = end_of_group(points, begin);
    if (points[begin].patch) scale_next(1);
    scale_next(end - begin);
  }
}

}  // namespace

void find_constraint_errors(std::span<const HeldPoint> points, std::span<const Vec3> missed,
                            std::vector<ConstraintError>& constraint_errors) {
  constraint_errors.clear();
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    end = end_of_group(points, begin);
    ConstraintError error{points[begin].name, points[begin].group >= 0 && !points[begin].patch};
    double share = 0;
    if (points[begin].patch) {
      Vec3 mean;
      for (std::size_t c = begin; c < end; ++c) mean += points[c].share * missed[c];
      error.mean = error.largest = norm(mean);
      constraint_errors.push_back(std::move(error));
      continue;
    }
    for (std::size_t c = begin; c < end; ++c) {
      const double here = norm(missed[c]);
      error.mean += points[c].share * here;
      error.largest = std::max(error.largest, here);
      share += points[c].share;
    }
    if (share > 0) error.mean /= share;
    constraint_errors.push_back(std::move(error));
  }
}

SparseRows values_at_points(const SparseRows& surface, std::span<const HeldPoint> held) {
  SparseRows rows;
  rows.columns = surface.columns;
  for (const HeldPoint& point : held) {
    std::map<int, double> row;
    for (std::size_t k = 0; k < 3; ++k) {
      if (point.point.vertex[k] < 0) continue;
      const auto s = static_cast<std::size_t>(point.point.vertex[k]);
      for (auto e = static_cast<std::size_t>(surface.start[s]); e < static_cast<std::size_t>(surface.start[s + 1]); ++e)
        row[surface.column[e]] += point.point.weight[k] * surface.value[e];
    }
    for (const auto& [column, value] : row) {
      rows.column.push_back(column);
      rows.value.push_back(value);
    }
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }
  return rows;
}

void HeldPoints::hold(std::span<const HeldPoint> points, const Unknowns& unknowns,
                      const std::function<std::vector<double>()>& inertia, bool unknowns_changed) {
  const bool same = !unknowns_changed && linear_ && same_points(points, points_);
  points_.assign(points.begin(), points.end());
  if (points_.empty()) {
    linear_.reset();
    inverse_mass_.reset();
  }
  if (same || points_.empty()) return;
  linear_.reset();  // until the new one is complete: what follows may be stopped
  values_ = values_at_points(surface_, points_);
  const SparseRows free = over_unknowns(values_, unknowns);
  const std::vector<double> kilograms = inertia();
  std::vector<double> weights;
  asked_ = asked_of(points_, free, kilograms, weights);
  const SparseRows constraints = product(asked_, free);
  scale_groups(points_, constraints, kilograms, weights);
  const std::size_t single = separately_held(points_);
  linear_.emplace(constraints, weights, independence, kilograms, single + most_directions);
  rows_ = linear_->independent_rows();
  inverse_mass_.reset();
}

ScratchVector<Vec3> HeldPoints::missing(std::span<const Vec3> position, std::span<const Vec3> offset) const {
  ScratchVector<Vec3> result(points_.size());
  multiply(values_, position, result);
  for (std::size_t c = 0; c < result.size(); ++c) {
    result[c] = points_[c].target - result[c];
    for (std::size_t k = 0; k < 3; ++k)
      if (points_[c].point.vertex[k] >= 0)
        result[c] -= points_[c].point.weight[k] * offset[static_cast<std::size_t>(points_[c].point.vertex[k])];
  }
  return result;
}

ScratchVector<Vec3> HeldPoints::missing_velocity(std::span<const Vec3> velocity) const {
  ScratchVector<Vec3> result(points_.size());
  multiply(values_, velocity, result);
  for (std::size_t c = 0; c < result.size(); ++c) result[c] = points_[c].velocity - result[c];
  return result;
}

void HeldPoints::stabilize(std::span<const Vec3> position, std::span<const Vec3> velocity,
                           std::span<const HeldMemory> held_before, std::span<const Vec3> offset, double step,
                           const Baumgarte& oscillation) {
  const ScratchVector<Vec3> away = missing(position, offset), rate = missing_velocity(velocity);
  away_.assign(away.begin(), away.end());
  rate_.assign(rate.begin(), rate.end());
  ScratchVector<char> used(held_before.size(), 0);  // two hands may hold one point
  for (std::size_t c = 0; c < points_.size(); ++c) {
    HeldPoint& point = points_[c];
    const auto held = std::find_if(held_before.begin(), held_before.end(), [&](const HeldMemory& memory) {
      return memory.vertex == point.point.vertex && !used[static_cast<std::size_t>(&memory - held_before.data())];
    });
    if (held != held_before.end()) used[static_cast<std::size_t>(held - held_before.begin())] = 1;
    // missing() is relative to the target's position at the end of the step.
    away_[c] = held != held_before.end() ? held->away : step * point.velocity - away_[c];
    rate_[c] = held != held_before.end() ? held->rate : -rate_[c];
    rate_[c] += baumgarte_change(oscillation, away_[c], rate_[c], step);
    away_[c] += step * rate_[c];
    point.velocity += rate_[c];
    point.target += away_[c];
  }
}

void HeldPoints::remember(std::span<const Vec3> position, std::span<const Vec3> offset,
                          std::vector<HeldMemory>& memory) const {
  memory.clear();
  if (empty()) return;
  const ScratchVector<Vec3> left = missing(position, offset);
  for (std::size_t c = 0; c < left.size(); ++c)
    memory.push_back({points_[c].point.vertex, away_[c] - left[c], rate_[c]});
}

void HeldPoints::meet(std::span<const Vec3> missing, std::span<double> change) const {
  ScratchVector<Vec3> asked(asked_.rows());
  multiply(asked_, missing, asked);
  linear_->meet(asked, change);
}

void HeldPoints::project(std::span<double> v) const {
  if (empty()) return;
  const ScratchVector<double> whole(v.begin(), v.end());
  linear_->project(whole, v);
}

void HeldPoints::constraint_errors(std::span<const Vec3> position, std::span<const Vec3> offset,
                                   std::vector<ConstraintError>& constraint_errors) const {
  constraint_errors.clear();
  if (empty()) return;
  ScratchVector<Vec3> missed = missing(position, offset);
  for (std::size_t c = 0; c < away_.size(); ++c)
    missed[c] -= away_[c];  // targets that were stabilised are off their own
  find_constraint_errors(points_, missed, constraint_errors);
}

const LinearOperator& HeldPoints::inverse_mass(const LinearOperator& whole) {
  if (!inverse_mass_) inverse_mass_ = empty() ? whole : constrained_preconditioner(whole, *linear_);
  return *inverse_mass_;
}

void HeldPoints::meet_velocities(const LinearOperator& mass, const LinearOperator& whole,
                                 std::span<const Vec3> velocity, std::span<double> change) {
  std::fill(change.begin(), change.end(), 0.0);
  if (empty()) return;
  ScratchVector<double> momentum(change.size()), within(change.size());
  meet(missing_velocity(velocity), change);
  // Any change that meets the velocities, minus its component within the subspace, is the effect of an impulse at the
  // points.
  mass(change, momentum);
  inverse_mass(whole)(momentum, within);
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= within[k];
}

}  // namespace sinew
