#include "sinew/deform/strain_bound.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr double near_enough = 0.01;  // of an edge's length, beyond the bound
constexpr std::size_t grain = 512;

}  // namespace

Rows edge_neighbours(std::size_t vertices, std::span<const std::array<int, 3>> triangles) {
  std::vector<std::array<int, 2>> pairs;
  pairs.reserve(6 * triangles.size());
  for (const std::array<int, 3>& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (a == b) continue;
      pairs.push_back({a, b});
      pairs.push_back({b, a});
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Rows rows;
  rows.offsets.assign(vertices + 1, 0);
  for (const auto& [a, b] : pairs) {
    ++rows.offsets[static_cast<std::size_t>(a) + 1];
    rows.items.push_back(b);
  }
  for (std::size_t v = 0; v < vertices; ++v) rows.offsets[v + 1] += rows.offsets[v];
  return rows;
}

BoundedStrain::BoundedStrain(Rows neighbours, std::vector<char> fixed, StrainBound bound)
    : neighbours_(std::move(neighbours)), fixed_(std::move(fixed)), bound_(bound) {
  fixed_.resize(neighbours_.size(), 0);
  active_.resize(neighbours_.size());
  beyond_.resize(neighbours_.size());
  moved_.resize(neighbours_.size());
}

// The mean of what the edges beyond the bound ask of one of their ends: half of the way, or all of it where the other
// end is fixed.
Vec3 BoundedStrain::correction(std::size_t vertex, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                               bool& beyond) const {
  Vec3 sum;
  int count = 0;
  beyond = false;
  for (const int other : neighbours_[vertex]) {
    const auto w = static_cast<std::size_t>(other);
    const Vec3 edge = goal[w] - goal[vertex], apart = displacement[w] - displacement[vertex];
    const double apart_squared = squared_norm(apart);
    if (apart_squared <= bound_.slack * bound_.slack) continue;
    const double rest = norm(edge), now = norm(edge + apart), part = fixed_[w] ? 1.0 : 0.5;
    const double longest = bound_.most * rest + bound_.slack, shortest = std::max(0.0, rest / bound_.most - bound_.slack);
    const double farthest = bound_.most_turn * rest + bound_.slack, tolerance = near_enough * rest;
    Vec3 asked;
    if (now > longest)
      asked = (edge + apart) * (part * (now - longest) / now);
    else if (now < shortest)
      asked = (now > 0 ? (edge + apart) / now : edge / rest) * (part * (now - shortest));
    else if (const double length = std::sqrt(apart_squared); length > farthest)
      asked = apart * (part * (length - farthest) / length);
    else
      continue;
    beyond |= norm(asked) > part * tolerance;
    sum += asked;
    ++count;
  }
  return count > 0 ? sum / count : Vec3{};
}

std::size_t BoundedStrain::operator()(std::span<const Vec3> goal, std::span<Vec3> displacement) {
  const std::size_t count = neighbours_.size();
  parallel_for(count, grain, [&](std::size_t v) {
    bool beyond = false;
    moved_[v] = correction(v, goal, displacement, beyond);
    active_[v] = beyond;
  });
  list_.clear();
  for (std::size_t v = 0; v < count; ++v)
    if (active_[v]) list_.push_back(static_cast<int>(v));

  for (int sweep = 0; sweep < bound_.sweeps && !list_.empty(); ++sweep) {
    // What moves next: what is beyond the bound, and all around it.
    for (std::size_t k = 0, ends = list_.size(); k < ends; ++k)
      for (const int other : neighbours_[static_cast<std::size_t>(list_[k])]) {
        char& listed = active_[static_cast<std::size_t>(other)];
        if (!listed) list_.push_back(other);
        listed = 1;
      }
    parallel_for(list_.size(), grain, [&](std::size_t k) {
      const auto v = static_cast<std::size_t>(list_[k]);
      bool beyond = false;
      moved_[v] = correction(v, goal, displacement, beyond);
      beyond_[v] = beyond;
    });
    bool any = false;
    for (const int listed : list_) {
      const auto v = static_cast<std::size_t>(listed);
      any |= beyond_[v] != 0;
      if (!fixed_[v]) displacement[v] += moved_[v];
    }
    if (!any) break;
  }
  return list_.size();
}

}  // namespace sinew
