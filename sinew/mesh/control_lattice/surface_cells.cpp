#include "sinew/mesh/control_lattice/surface_cells.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/barycentric.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/tetrahedron.h"
#include "sinew/mesh/triangle_geometry.h"

namespace sinew {
namespace {

// Largest distance outside its cells, in edges of the lattice, to which a point may be assigned for the sake of
// continuity.
constexpr double reach_in_edges = 0.5;

// The cells within reach of a point form groups that are joined by faces. Points with a single group are decided.
// Starting from these, neighbour by neighbour, the others get the group that most of their neighbours are in, and the
// nearest cell in it.
class SurfaceCells {
 public:
  SurfaceCells(const CellGraph& graph, const SubdividedLattice& lattice, const LatticeTetrahedra& tetrahedra,
               const BoxTree& tree, std::span<const Vec3> points, std::span<const Triangle> triangles,
               std::vector<int> cells)
      : graph_(graph),
        lattice_(lattice),
        tetrahedra_(tetrahedra),
        tree_(tree),
        points_(points),
        cells_(std::move(cells)),
        reach_(reach_in_edges * graph.mean_edge),
        neighbours_(points.size()),
        choices_(points.size()) {
    for (const Triangle& t : triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        neighbours_[index(t[k])].push_back(t[(k + 1) % 3]);
        neighbours_[index(t[(k + 1) % 3])].push_back(t[k]);
      }
    for (std::vector<int>& around : neighbours_) {
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());
    }
  }

  std::vector<int> choose() {
    find_choices();
    std::vector<int> queue;
    std::vector<char> decided(points_.size()), queued(points_.size());
    const auto enqueue_around = [&](std::size_t v) {
      for (int w : neighbours_[v])
        if (!decided[index(w)] && !std::exchange(queued[index(w)], 1)) queue.push_back(w);
    };
    for (std::size_t v = 0; v < points_.size(); ++v) decided[v] = choices_[v].empty();
    for (std::size_t v = 0; v < points_.size(); ++v)
      if (decided[v]) enqueue_around(v);
    // If no vertex of a connected part is decided, one keeps its nearest cell.
    std::size_t next = 0;
    for (std::size_t v = 0; v <= points_.size(); ++v) {
      for (; next < queue.size(); ++next) {
        choose_group(index(queue[next]), decided);
        decided[index(queue[next])] = 1;
        enqueue_around(index(queue[next]));
      }
      if (v < points_.size() && !std::exchange(decided[v], 1)) enqueue_around(v);
    }
    // Where fronts have met, shortens the borders between groups.
    constexpr int most_sweeps = 50;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      bool changed = false;
      for (int v : queue) changed |= choose_group(index(v), decided);
      if (!changed) break;
    }
    return std::move(cells_);
  }

 private:
  // A cell within reach.
  struct Choice {
    int cell = -1, group = -1;
    double distance = 0;
  };

  int cell_of(int tetrahedron) const { return lattice_.cell[index(tetrahedra_.hexahedron[index(tetrahedron)])]; }
  Box ball(std::size_t v) const {
    const Vec3 margin{reach_, reach_, reach_};
    return {points_[v] - margin, points_[v] + margin};
  }

  // Collects the candidates of vertices with more than one group.
  void find_choices() {
    std::vector<Box> boxes(tetrahedra_.mesh.tetrahedra.size()), cell_boxes(graph_.neighbours.size());
    for (std::size_t t = 0; t < boxes.size(); ++t) {
      for (const Vec3& p : corners_of(tetrahedra_.mesh, t)) boxes[t].include(p);
      cell_boxes[index(cell_of(static_cast<int>(t)))].include(boxes[t]);
    }
    const BoxTree cells(cell_boxes);
    parallel_for(points_.size(), 64, [&](std::size_t v) {
      if (neighbours_[v].empty()) return;
      std::vector<int> near, group;
      cells.for_each_overlapping(ball(v), [&](int cell) { near.push_back(cell); });
      std::sort(near.begin(), near.end());
      if (joined_groups(graph_, near, group) < 2) return;
      std::map<int, double> nearest;
      tree_.for_each_overlapping(ball(v), [&](int t) {
        double& d = nearest.emplace(cell_of(t), HUGE_VAL).first->second;
        if (squared_distance(points_[v], boxes[index(t)]) < d * d)
          d = std::min(d, nearest_in_tetrahedron(corners_of(tetrahedra_.mesh, index(t)), points_[v]).distance);
      });
      near.clear();
      for (const auto& [cell, d] : nearest)
        if (d <= reach_) near.push_back(cell);
      if (joined_groups(graph_, near, group) < 2) return;
      for (std::size_t i = 0; i < near.size(); ++i) choices_[v].push_back({near[i], group[i], nearest.at(near[i])});
    });
  }

  // Returns true if the cell of v changed.
  bool choose_group(std::size_t v, const std::vector<char>& decided) {
    const std::vector<Choice>& choices = choices_[v];
    if (choices.empty()) return false;
    // Counts how many neighbours are carried by each group, or by a cell that is joined to it.
    std::vector<int> carried;
    for (const Choice& choice : choices) carried.resize(std::max(carried.size(), index(choice.group) + 1), 0);
    std::vector<char> joined(carried.size());
    for (int w : neighbours_[v]) {
      if (!decided[index(w)]) continue;
      std::fill(joined.begin(), joined.end(), 0);
      const std::span<const int> next_to = graph_.neighbours[index(cells_[index(w)])];
      for (const Choice& choice : choices)
        if (choice.cell == cells_[index(w)] || std::binary_search(next_to.begin(), next_to.end(), choice.cell))
          joined[index(choice.group)] = 1;
      for (std::size_t s = 0; s < joined.size(); ++s) carried[s] += joined[s];
    }
    const Choice* best = nullptr;
    const auto better = [&](const Choice& a, const Choice& b) {
      const int more = carried[index(a.group)] - carried[index(b.group)];
      if (more != 0) return more > 0;
      if (a.distance != b.distance) return a.distance < b.distance;
      return a.cell == cells_[v] && b.cell != cells_[v];
    };
    for (const Choice& choice : choices)
      if (!best || better(choice, *best)) best = &choice;
    return std::exchange(cells_[v], best->cell) != best->cell;
  }

  const CellGraph& graph_;
  const SubdividedLattice& lattice_;
  const LatticeTetrahedra& tetrahedra_;
  const BoxTree& tree_;
  std::span<const Vec3> points_;
  std::vector<int> cells_;
  double reach_ = 0;                          // metres
  std::vector<std::vector<int>> neighbours_;  // along the surface
  std::vector<std::vector<Choice>> choices_;  // empty for decided vertices
};

}  // namespace

NearestInTetrahedron nearest_in_tetrahedron(const std::array<Vec3, 4>& corners, const Vec3& p) {
  NearestInTetrahedron nearest;
  if (distance_outside(corners, p) <= 0) {
    nearest.weights = barycentric_weights(corners, p);
    return nearest;
  }
  double squared = HUGE_VAL;
  for (const auto& f : outward_faces) {
    const ClosestPoint c = closest_point_on_triangle(p, corners[f[0]], corners[f[1]], corners[f[2]]);
    if (c.squared_distance >= squared) continue;
    squared = c.squared_distance;
    nearest.weights = {};
    for (std::size_t k = 0; k < 3; ++k) nearest.weights[f[k]] = c.barycentric[k];
  }
  nearest.distance = std::sqrt(squared);
  return nearest;
}

std::vector<int> choose_cells(const CellGraph& graph, const SubdividedLattice& lattice,
                              const LatticeTetrahedra& tetrahedra, const BoxTree& tree, std::span<const Vec3> points,
                              std::span<const Triangle> triangles, std::vector<int> cells) {
  return SurfaceCells(graph, lattice, tetrahedra, tree, points, triangles, std::move(cells)).choose();
}

}  // namespace sinew
