#include "sinew/mesh/lattice_editing/move_vertices.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/lattice_editing/lattice_edit.h"

namespace sinew {
namespace {

constexpr double farthest_move = 1e4;  // metres; also the farthest place of a vertex

// Distances along edges from the nearest of the vertices, metres; HUGE_VAL beyond `reach`.
std::vector<double> distances_along_edges(const ControlLattice& lattice, std::span<const int> vertices, double reach) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  std::vector<std::vector<std::pair<int, double>>> joined(lattice.positions.size());
  for (const auto& [a, b] : complex.edges) {
    const double length = distance(lattice.positions[index(a)], lattice.positions[index(b)]);
    joined[index(a)].emplace_back(b, length);
    joined[index(b)].emplace_back(a, length);
  }
  std::vector<double> far(lattice.positions.size(), HUGE_VAL);
  using Item = std::pair<double, int>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  for (const int v : vertices) {
    far[index(v)] = 0;
    queue.emplace(0, v);
  }
  while (!queue.empty()) {
    const auto [at, v] = queue.top();
    queue.pop();
    if (at > far[index(v)]) continue;
    for (const auto& [other, length] : joined[index(v)]) {
      const double next = at + length;
      if (next > reach || !(next < far[index(other)])) continue;
      far[index(other)] = next;
      queue.emplace(next, other);
    }
  }
  return far;
}

void require_bounded(const Vec3& v) {
  if (!(norm(v) <= farthest_move)) throw usage_error("A vertex can be at most 10000 m from the origin.");
}

template <class Place>
ControlLattice with_places(const ControlLattice& lattice, std::span<const int> vertices, const Place& place) {
  ControlLattice moved = lattice;
  for (const int v : vertices) {
    require_vertex(lattice, v);
    moved.positions[index(v)] = place(lattice.positions[index(v)]);
    require_bounded(moved.positions[index(v)]);
  }
  return moved;
}

}  // namespace

std::vector<double> move_shares(const ControlLattice& lattice, std::span<const int> vertices, double falloff) {
  for (const int v : vertices) require_vertex(lattice, v);
  std::vector<double> shares(lattice.positions.size(), 0);
  if (falloff > 0) {
    const std::vector<double> far = distances_along_edges(lattice, vertices, falloff);
    for (std::size_t v = 0; v < far.size(); ++v) {
      if (far[v] >= falloff) continue;
      const double inner = 1 - far[v] / falloff * (far[v] / falloff);
      shares[v] = inner * inner;
    }
  }
  for (const int v : vertices) shares[index(v)] = 1;
  return shares;
}

ControlLattice moved_vertices(const ControlLattice& lattice, const VertexMove& move) {
  require_bounded(move.by);
  if (!(move.falloff >= 0 && move.falloff <= farthest_move))
    throw usage_error("The falloff must be a distance from 0 to 10000 m.");
  const std::vector<double> shares = move_shares(lattice, move.vertices, move.falloff);
  ControlLattice moved = lattice;
  const std::vector<int> partners =
      move.mirror ? mirror_partners(lattice, *move.mirror) : std::vector<int>(shares.size(), -1);
  const Vec3 image = move.mirror ? mirrored_direction(move.by, *move.mirror) : Vec3{};
  for (std::size_t v = 0; v < shares.size(); ++v) {
    const double own = shares[v], other = partners[v] < 0 ? 0 : shares[index(partners[v])];
    if (own + other <= 0) continue;
    // Both at the larger share; without a partner this is the vertex's own.
    moved.positions[v] += std::max(own, other) / (own + other) * (own * move.by + other * image);
    require_bounded(moved.positions[v]);
  }
  return moved;
}

ControlLattice snapped_to_segment(const ControlLattice& lattice, std::span<const int> vertices, const Vec3& head,
                                  const Vec3& tail) {
  const Vec3 along = tail - head;
  const double length2 = squared_norm(along);
  return with_places(lattice, vertices, [&](const Vec3& p) {
    return length2 > 0 ? head + std::clamp(dot(p - head, along) / length2, 0.0, 1.0) * along : head;
  });
}

ControlLattice made_parallel_to_segment(const ControlLattice& lattice, std::span<const int> vertices, const Vec3& head,
                                        const Vec3& tail) {
  const Vec3 along = tail - head;
  const double length2 = squared_norm(along);
  if (!(length2 > 0)) throw usage_error("The bone has no length, so that nothing can be parallel to it.");
  Vec3 middle;
  for (const int v : vertices) {
    require_vertex(lattice, v);
    middle += lattice.positions[index(v)] / static_cast<double>(vertices.size());
  }
  return with_places(lattice, vertices,
                     [&](const Vec3& p) { return middle + dot(p - middle, along) / length2 * along; });
}

}  // namespace sinew
