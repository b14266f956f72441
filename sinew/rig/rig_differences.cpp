#include "sinew/rig/rig_differences.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr std::size_t bytes_at_once = 48'000'000;  // largest size of surfaces evaluated together
// Relative to the ranges: distance between points of the line that measures the noise.
constexpr double line_step = 3e-5;
constexpr std::size_t line_points = 8, line_order = 6;
constexpr double moved_over_noise = 20;
constexpr double rounding = 1e-16;          // least noise, relative to a parameter's effect
constexpr double longest_step = 0.05;       // of a range
constexpr double adds_up_tolerance = 0.02;  // relative to the sum of all parameters' shares

// Uniform in -1 to 1, the same with every standard library.
double signed_unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; }

std::vector<int> joined(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

// Divides sets of vertices into groups without a common vertex: largest first, each into the first group with room.
std::vector<std::vector<int>> independent_groups(const std::vector<std::vector<int>>& sets, std::size_t vertices) {
  std::vector<int> order(sets.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return sets[index(a)].size() > sets[index(b)].size(); });
  std::vector<std::vector<int>> groups;
  std::vector<std::vector<char>> taken;
  for (const int s : order) {
    const std::vector<int>& set = sets[index(s)];
    std::size_t g = 0;
    while (g < groups.size() && std::any_of(set.begin(), set.end(), [&](int v) { return taken[g][index(v)] != 0; }))
      ++g;
    if (g == groups.size()) {
      groups.emplace_back();
      taken.emplace_back(vertices, 0);
    }
    groups[g].push_back(s);
    for (const int v : set) taken[g][index(v)] = 1;
  }
  for (std::vector<int>& group : groups) std::sort(group.begin(), group.end());
  return groups;
}

}  // namespace

RigDifferences::RigDifferences(Rig& rig, std::vector<int> columns, std::span<const double> p,
                               const RigDifferenceOptions& options)
    : rig_(rig), columns_(std::move(columns)), options_(options), tolerance_(adds_up_tolerance) {
  if (p.size() != rig.parameters().size())
    throw usage_error("differences of a rig need a value for each of its parameters.");
  for (const int column : columns_)
    if (column < 0 || index(column) >= p.size())
      throw usage_error("differences by parameter " + std::to_string(column) + " of a rig that has " +
                        std::to_string(p.size()) + ".");
  measure_noise(p);
  probe(p);
  choose_steps();
  form_groups();
  probing_evaluations_ = evaluations_;
}

double RigDifferences::range(std::size_t column) const {
  const RigParameter& parameter = rig_.parameters()[index(columns_[column])];
  return parameter.upper - parameter.lower;
}

// Evaluates at `count` vectors, which place(i, vector) derives from p; use(i, surfaces) receives `together` consecutive
// ones at once, of which i is the first.
void RigDifferences::run(std::span<const double> p, std::size_t count, std::size_t together, const Place& place,
                         const Use& use) {
  const std::size_t points = rig_.vertices(), width = p.size();
  const std::size_t fit = bytes_at_once / (sizeof(Vec3) * std::max<std::size_t>(points, 1));
  const std::size_t batch = std::max(fit / together, std::size_t{1}) * together;
  std::vector<double> vectors;
  std::vector<Vec3> surfaces;
  for (std::size_t begin = 0; begin < count; begin += batch) {
    const std::size_t size = std::min(batch, count - begin);
    vectors.resize(size * width);
    surfaces.resize(size * points);
    for (std::size_t i = 0; i < size; ++i) {
      const std::span<double> vector(vectors.data() + i * width, width);
      std::copy(p.begin(), p.end(), vector.begin());
      place(begin + i, vector);
    }
    rig_.evaluate_many(vectors, surfaces);
    evaluations_ += size;
    for (std::size_t i = 0; i < size; i += together)
      use(begin + i, std::span<const Vec3>(surfaces).subspan(i * points, together * points));
  }
}

// Differences of order six along a line remove everything that is smooth at this scale; for independent errors of
// variance e^2 they have the variance 12! / (6!)^2 e^2.
void RigDifferences::measure_noise(std::span<const double> p) {
  const double step = line_step / std::sqrt(static_cast<double>(std::max<std::size_t>(columns_.size(), 1)));
  std::vector<double> direction;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double sign = signed_unit(random_) < 0 ? -1 : 1;
    direction.push_back(sign * step * range(c));
  }
  const std::size_t points = rig_.vertices();
  run(
      p, line_points, line_points,
      [&](std::size_t i, std::span<double> q) {
        for (std::size_t c = 0; c < columns_.size(); ++c)
          q[index(columns_[c])] += static_cast<double>(i) * direction[c];
      },
      [&](std::size_t, std::span<const Vec3> s) {
        double sum = 0, count = 0;
        for (std::size_t v = 0; v < points; ++v)
          for (std::size_t axis = 0; axis < 3; ++axis) {
            std::array<double, line_points> f{};
            for (std::size_t i = 0; i < line_points; ++i) f[i] = s[i * points + v][axis];
            if (std::all_of(f.begin(), f.end(), [&](double x) { return x == f[0]; })) continue;
            for (std::size_t order = 0; order < line_order; ++order)
              for (std::size_t i = 0; i + order + 1 < line_points; ++i) f[i] = f[i + 1] - f[i];
            for (std::size_t i = 0; i + line_order < line_points; ++i) sum += f[i] * f[i];
            count += static_cast<double>(line_points - line_order);
          }
        constexpr double variance = 924;  // 12! / (6!)^2
        noise_ = count > 0 ? std::sqrt(sum / (variance * count)) : 0;
      });
  moved_ = moved_over_noise * noise_;
}

// Adds vertices at which two surfaces differ. Returns whether there were new ones.
bool RigDifferences::add_to_pattern(std::size_t column, std::span<const Vec3> a, std::span<const Vec3> b) {
  std::vector<int> moved;
  for (std::size_t v = 0; v < a.size(); ++v)
    if (squared_norm(a[v] - b[v]) > moved_ * moved_) moved.push_back(static_cast<int>(v));
  std::vector<int> all = joined(pattern_[column], moved);
  const bool grown = all.size() > pattern_[column].size();
  pattern_[column].swap(all);
  return grown;
}

void RigDifferences::probe(std::span<const double> p) {
  const std::size_t points = rig_.vertices(), count = columns_.size();
  pattern_.assign(count, {});
  effects_.assign(count, 0.0);
  for (int at = 0; at < std::max(options_.probes, 1); ++at) {
    std::vector<double> base(p.begin(), p.end());
    if (at > 0)
      for (const int column : columns_) {
        const RigParameter& parameter = rig_.parameters()[index(column)];
        base[index(column)] = 0.5 * (parameter.lower + parameter.upper) +
                              0.5 * (parameter.upper - parameter.lower) * signed_unit(random_);
      }
    std::vector<Vec3> still;
    run(
        base, count + 1, 1,
        [&](std::size_t i, std::span<double> q) {
          if (i == 0) return;
          double& value = q[index(columns_[i - 1])];
          const double quarter = range(i - 1) / 4;
          value += value + quarter <= rig_.parameters()[index(columns_[i - 1])].upper ? quarter : -quarter;
        },
        [&](std::size_t i, std::span<const Vec3> s) {
          if (i == 0) {
            still.assign(s.begin(), s.end());
            return;
          }
          add_to_pattern(i - 1, s, still);
          double largest = 0;
          for (std::size_t v = 0; v < points; ++v) largest = std::max(largest, squared_norm(s[v] - still[v]));
          effects_[i - 1] = std::max(effects_[i - 1], 4 * std::sqrt(largest));
        });
  }
}

void RigDifferences::choose_steps() {
  steps_.clear();
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double error = effects_[c] > 0 ? std::max(noise_ / effects_[c], rounding) : rounding;
    const double step = options_.central ? std::cbrt(3 * error) : 2 * std::sqrt(error);
    steps_.push_back(range(c) * std::min(step, longest_step));
  }
}

void RigDifferences::form_groups() {
  groups_.clear();
  if (options_.share)
    groups_ = independent_groups(pattern_, rig_.vertices());
  else
    for (std::size_t c = 0; c < columns_.size(); ++c) groups_.push_back({static_cast<int>(c)});
}

// Probes columns one by one; returns whether a pattern grew.
bool RigDifferences::probe_columns(std::span<const double> p, std::span<const int> columns) {
  const std::size_t points = rig_.vertices();
  bool grown = false;
  run(
      p, 2 * columns.size(), 2,
      [&](std::size_t i, std::span<double> q) {
        const auto c = index(columns[i / 2]);
        q[index(columns_[c])] += i % 2 == 0 ? steps_[c] : -steps_[c];
      },
      [&](std::size_t i, std::span<const Vec3> s) {
        grown |= add_to_pattern(index(columns[i / 2]), s.first(points), s.last(points));
      });
  return grown;
}

// Differences of all columns along their patterns; false if a pattern had to grow.
bool RigDifferences::grouped_differences(std::span<const double> p, std::vector<std::vector<Vec3>>& values) {
  const std::size_t points = rig_.vertices();
  values.assign(columns_.size(), {});
  std::vector<int> suspects;
  std::vector<Vec3> still;
  std::vector<char> expected(points);
  const auto use = [&](std::size_t group, std::span<const Vec3> plus, std::span<const Vec3> minus) {
    std::fill(expected.begin(), expected.end(), 0);
    for (const int member : groups_[group]) {
      const auto c = index(member);
      const double at = p[index(columns_[c])];
      // The difference that was actually added in floating point, which may differ from the step by rounding.
      const double length = (at + steps_[c]) - (options_.central ? at - steps_[c] : at);
      for (const int v : pattern_[c]) {
        values[c].push_back((plus[index(v)] - minus[index(v)]) / length);
        expected[index(v)] = 1;
      }
    }
    for (std::size_t v = 0; v < points; ++v)
      if (!expected[v] && squared_norm(plus[v] - minus[v]) > moved_ * moved_) {
        suspects.insert(suspects.end(), groups_[group].begin(), groups_[group].end());
        return;
      }
  };
  const auto move = [&](std::size_t group, double sign, std::span<double> q) {
    for (const int c : groups_[group]) q[index(columns_[index(c)])] += sign * steps_[index(c)];
  };
  if (options_.central) {
    run(
        p, 2 * groups_.size(), 2, [&](std::size_t i, std::span<double> q) { move(i / 2, i % 2 == 0 ? 1 : -1, q); },
        [&](std::size_t i, std::span<const Vec3> s) { use(i / 2, s.first(points), s.last(points)); });
  } else {
    run(
        p, groups_.size() + 1, 1,
        [&](std::size_t i, std::span<double> q) {
          if (i > 0) move(i - 1, 1, q);
        },
        [&](std::size_t i, std::span<const Vec3> s) {
          if (i == 0)
            still.assign(s.begin(), s.end());
          else
            use(i - 1, s, still);
        });
  }
  return suspects.empty() || !probe_columns(p, suspects);
}

// Moves all parameters at once, by random fractions of their steps: if the sum of their derivatives disagrees with the
// rig, a parameter moved a vertex that was attributed to another.
bool RigDifferences::adds_up(std::span<const double> p, const std::vector<std::vector<Vec3>>& values) {
  const std::size_t points = rig_.vertices();
  const double share = 1 / std::sqrt(static_cast<double>(columns_.size()));
  std::vector<double> move;
  for (std::size_t c = 0; c < columns_.size(); ++c) move.push_back(share * signed_unit(random_) * steps_[c]);
  std::vector<Vec3> sum(points);
  std::vector<double> size(points, 0.0);
  for (std::size_t c = 0; c < columns_.size(); ++c)
    for (std::size_t i = 0; i < pattern_[c].size(); ++i) {
      const Vec3 moved = values[c][i] * (2 * move[c]);
      sum[index(pattern_[c][i])] += moved;
      size[index(pattern_[c][i])] += norm(moved);
    }
  bool good = true;
  run(
      p, 2, 2,
      [&](std::size_t i, std::span<double> q) {
        for (std::size_t c = 0; c < columns_.size(); ++c) q[index(columns_[c])] += i == 0 ? move[c] : -move[c];
      },
      [&](std::size_t, std::span<const Vec3> s) {
        for (std::size_t v = 0; v < points; ++v)
          good &= norm(s[v] - s[points + v] - sum[v]) <= 2 * moved_ + tolerance_ * size[v];
      });
  return good;
}

void RigDifferences::jacobian(std::span<const double> p, RigJacobian& result) {
  std::vector<std::vector<Vec3>> values;
  // Every repetition adds at least one vertex to a pattern, and usually all missing ones.
  while (true) {
    bool good = grouped_differences(p, values);
    if (good && options_.add_up && groups_.size() < columns_.size() && !adds_up(p, values)) {
      std::vector<int> all(columns_.size());
      std::iota(all.begin(), all.end(), 0);
      good = !probe_columns(p, all);
      // No vertex was missing: the rig is curved within the steps.
      if (good) tolerance_ *= 4;
    }
    if (good) break;
    ++growths_;
    form_groups();
  }
  result = {};
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    result.vertex.insert(result.vertex.end(), pattern_[c].begin(), pattern_[c].end());
    result.derivative.insert(result.derivative.end(), values[c].begin(), values[c].end());
    result.start.push_back(static_cast<int>(result.vertex.size()));
  }
}

}  // namespace sinew
