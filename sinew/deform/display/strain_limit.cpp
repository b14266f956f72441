#include "sinew/deform/display/strain_limit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr double near_enough = 0.01;  // of an edge's length, beyond the limit
// A triangle is turned over where its area as the goal faces it is less than this part of the goal's own.
constexpr double least_facing = 0.05;
// Doubled area of the smallest triangles that are unfolded, in squares of the slack: smaller ones do not count as
// flipped in the measured quality either.
constexpr double least_seen = 1000;
// Rings of vertices, at most, within which triangles that sweeps leave turned over are unfolded.
constexpr int most_rings = 24;
constexpr std::size_t grain = 512;

Rows edge_neighbours(const TriangleMesh& mesh) {
  std::vector<std::array<int, 2>> pairs;
  pairs.reserve(6 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (a == b) continue;
      pairs.push_back({a, b});
      pairs.push_back({b, a});
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Rows rows;
  rows.offsets.assign(mesh.positions.size() + 1, 0);
  for (const auto& [a, b] : pairs) {
    ++rows.offsets[static_cast<std::size_t>(a) + 1];
    rows.items.push_back(b);
  }
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) rows.offsets[v + 1] += rows.offsets[v];
  return rows;
}

}  // namespace

StrainLimiter::StrainLimiter(const TriangleMesh& mesh, std::vector<char> fixed, StrainLimit limit)
    : triangles_(mesh.triangles),
      neighbours_(edge_neighbours(mesh)),
      around_(triangles_around_vertices(mesh)),
      fixed_(std::move(fixed)),
      limit_(limit) {
  fixed_.resize(neighbours_.size(), 0);
  active_.resize(neighbours_.size());
  beyond_.resize(neighbours_.size());
  moved_.resize(neighbours_.size());
}

// Half of the way to the limit, or all of it where the other end is fixed.
void StrainLimiter::ask_edges(std::size_t vertex, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                              Asked& asked) const {
  for (const int other : neighbours_[vertex]) {
    const auto w = static_cast<std::size_t>(other);
    const Vec3 apart = displacement[w] - displacement[vertex];
    if (squared_norm(apart) <= limit_.slack * limit_.slack) continue;
    const Vec3 edge = goal[w] - goal[vertex], between = edge + apart;
    const double rest = norm(edge), now = norm(between);
    const double longest = most_ * rest + limit_.slack, shortest = std::max(0.0, rest / most_ - limit_.slack);
    if (now >= shortest && now <= longest) continue;
    const double excess = now > longest ? now - longest : now - shortest;
    const Vec3 direction = now > 0 ? between / now : edge / rest;
    asked.sum += direction * ((fixed_[w] ? 1.0 : 0.5) * excess);
    ++asked.count;
    asked.beyond |= std::abs(excess) > near_enough * rest;
  }
}

bool StrainLimiter::is_turned(const Triangle& corner, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                              double facing) const {
  const auto a = static_cast<std::size_t>(corner[0]), b = static_cast<std::size_t>(corner[1]),
             c = static_cast<std::size_t>(corner[2]);
  const Vec3 e = goal[b] - goal[a], f = goal[c] - goal[a], d = displacement[b] - displacement[a],
             g = displacement[c] - displacement[a];
  const Vec3 normal = cross(e, f);
  return dot(normal, cross(e + d, f + g)) < facing * squared_norm(normal) &&
         squared_norm(d) + squared_norm(g) > limit_.slack * limit_.slack;
}

bool StrainLimiter::is_seen(const Triangle& corner, std::span<const Vec3> goal) const {
  const Vec3& a = goal[static_cast<std::size_t>(corner[0])];
  const Vec3 normal =
      cross(goal[static_cast<std::size_t>(corner[1])] - a, goal[static_cast<std::size_t>(corner[2])] - a);
  const double least = least_seen * limit_.slack * limit_.slack;
  return squared_norm(normal) > least * least;
}

// Half of the way to the triangle's mean displacement: moved by that alone, it does not turn.
void StrainLimiter::ask_triangles(std::size_t vertex, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                                  Asked& asked) const {
  for (const int triangle : around_[vertex]) {
    const Triangle& corner = triangles_[static_cast<std::size_t>(triangle)];
    const auto a = static_cast<std::size_t>(corner[0]), b = static_cast<std::size_t>(corner[1]),
               c = static_cast<std::size_t>(corner[2]);
    if (!is_turned(corner, goal, displacement, least_facing)) continue;
    asked.sum += ((displacement[a] + displacement[b] + displacement[c]) / 3 - displacement[vertex]) * 0.5;
    ++asked.count;
    asked.beyond = true;
  }
}

Vec3 StrainLimiter::correction(std::size_t vertex, std::span<const Vec3> goal, std::span<const Vec3> displacement,
                               char& beyond) const {
  Asked asked;
  ask_edges(vertex, goal, displacement, asked);
  if (most_ <= 2 * limit_.most) ask_triangles(vertex, goal, displacement, asked);
  beyond = asked.beyond;
  return asked.count > 0 ? asked.sum / asked.count : Vec3{};
}

// Adds the neighbours of the listed vertices to the list.
void StrainLimiter::add_ring(std::span<const Vec3> displacement) {
  for (std::size_t k = 0, ends = list_.size(); k < ends; ++k)
    for (const int other : neighbours_[static_cast<std::size_t>(list_[k])]) {
      char& listed = active_[static_cast<std::size_t>(other)];
      if (!listed) list_.push_back(other);
      listed = 1;
    }
  for (std::size_t k = start_.size(); k < list_.size(); ++k)
    start_.push_back(displacement[static_cast<std::size_t>(list_[k])]);
}

// Triangles that are still turned over are smoothed away: around them displacements go to the mean of their
// neighbours', within one ring of vertices more each time, until all of them differ less than the triangles are large.
void StrainLimiter::unfold(std::span<const Vec3> goal, std::span<Vec3> displacement) {
  std::vector<char> near(neighbours_.size());
  std::vector<int> region;
  for (int rings = 1; rings <= most_rings; ++rings) {
    std::fill(near.begin(), near.end(), char{0});
    region.clear();
    const auto add = [&](int v) {
      if (!near[static_cast<std::size_t>(v)]) region.push_back(v);
      near[static_cast<std::size_t>(v)] = 1;
    };
    for (const Triangle& corner : triangles_)
      if (is_seen(corner, goal) && is_turned(corner, goal, displacement, 0))
        for (const int v : corner) add(v);
    if (region.empty()) return;
    for (int ring = 0; ring < rings; ++ring)
      for (std::size_t k = 0, ends = region.size(); k < ends; ++k)
        for (const int other : neighbours_[static_cast<std::size_t>(region[k])]) add(other);
    for (const int v : region) {
      if (active_[static_cast<std::size_t>(v)]) continue;
      active_[static_cast<std::size_t>(v)] = 1;
      list_.push_back(v);
      start_.push_back(displacement[static_cast<std::size_t>(v)]);
    }
    for (int sweep = 0; sweep < rings; ++sweep) {
      for (const int v : region) {
        Vec3 sum = displacement[static_cast<std::size_t>(v)];
        const std::span<const int> around = neighbours_[static_cast<std::size_t>(v)];
        for (const int other : around) sum += displacement[static_cast<std::size_t>(other)];
        moved_[static_cast<std::size_t>(v)] = sum / static_cast<double>(around.size() + 1);
      }
      for (const int v : region)
        if (!fixed_[static_cast<std::size_t>(v)])
          displacement[static_cast<std::size_t>(v)] = moved_[static_cast<std::size_t>(v)];
    }
  }
}

std::size_t StrainLimiter::operator()(std::span<const Vec3> goal, std::span<Vec3> displacement, double release) {
  if (release >= 1) return 0;
  most_ = limit_.most / (1 - release);
  const std::size_t count = neighbours_.size();
  parallel_for(count, grain, [&](std::size_t v) { moved_[v] = correction(v, goal, displacement, active_[v]); });
  list_.clear();
  for (std::size_t v = 0; v < count; ++v)
    if (active_[v]) list_.push_back(static_cast<int>(v));
  start_.clear();

  bool any = !list_.empty();
  for (int sweep = 0; sweep < limit_.sweeps && any; ++sweep) {
    // Vertices beyond the limit move in the next round, and so do their neighbours.
    add_ring(displacement);
    parallel_for(list_.size(), grain, [&](std::size_t k) {
      const auto v = static_cast<std::size_t>(list_[k]);
      moved_[v] = correction(v, goal, displacement, beyond_[v]);
    });
    any = false;
    for (const int listed : list_) {
      const auto v = static_cast<std::size_t>(listed);
      any |= beyond_[v] != 0;
      if (!fixed_[v]) displacement[v] += moved_[v];
    }
  }
  if (any && most_ <= 2 * limit_.most) unfold(goal, displacement);
  std::size_t moved = 0;
  for (std::size_t k = 0; k < start_.size(); ++k)
    if (squared_norm(displacement[static_cast<std::size_t>(list_[k])] - start_[k]) > limit_.slack * limit_.slack)
      ++moved;
  return moved;
}

}  // namespace sinew
