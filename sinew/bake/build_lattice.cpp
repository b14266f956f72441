#include "sinew/bake/build_lattice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>

#include "sinew/bake/fill_surface.h"
#include "sinew/base/error.h"
#include "sinew/character/body_binding.h"
#include "sinew/mesh/barycentric.h"
#include "sinew/mesh/coarsen_bones.h"
#include "sinew/mesh/coarsen_collapse.h"
#include "sinew/mesh/coarsen_complex.h"
#include "sinew/mesh/coarsen_points.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Coarsening begins with so many tetrahedra for each that is wanted, but at least with so many.
constexpr int fine_per_cell = 20, fewest_fine = 6000;
// Volume of a regular tetrahedron with edges of length 1.
const double regular_volume = 1 / (6 * std::sqrt(2.0));

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// How far from the boundary the flesh around each vertex is at its deepest, along edges: metres.
std::vector<double> thickness_of(const TetrahedralComplex& complex) {
  const std::size_t n = complex.positions.size();
  std::vector<double> depth(n, HUGE_VAL);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (std::size_t v = 0; v < n; ++v)
    if (on_boundary(complex, static_cast<int>(v))) {
      depth[v] = 0;
      queue.push({0, static_cast<int>(v)});
    }
  std::vector<std::vector<int>> around(n);
  for (std::size_t v = 0; v < n; ++v) around[v] = neighbours(complex, static_cast<int>(v));
  while (!queue.empty()) {
    const auto [d, v] = queue.top();
    queue.pop();
    if (d > depth[index(v)]) continue;
    for (int w : around[index(v)]) {
      const double next = d + distance(complex.positions[index(v)], complex.positions[index(w)]);
      if (next >= depth[index(w)]) continue;
      depth[index(w)] = next;
      queue.push({next, w});
    }
  }
  // Uphill from each vertex, the deepest first.
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return depth[index(a)] != depth[index(b)] ? depth[index(a)] > depth[index(b)] : a < b;
  });
  std::vector<double> top(depth);
  for (int v : order)
    for (int w : around[index(v)])
      if (depth[index(w)] > depth[index(v)]) top[index(v)] = std::max(top[index(v)], top[index(w)]);
  return top;
}

// How long edges should be around each vertex, metres: longer in thick parts, and such that there are about `cells`.
std::vector<double> edge_lengths(const TetrahedralComplex& complex, double volume_of_all, int cells, double fine) {
  std::vector<double> thickness = thickness_of(complex);
  const double mean = std::cbrt(volume_of_all / (regular_volume * cells));
  std::vector<double> length(thickness.size());
  for (std::size_t v = 0; v < length.size(); ++v)
    length[v] = std::pow(std::clamp(std::max(thickness[v], 0.5 * fine) / mean, 0.2, 2.0), 0.6);
  double expected = 0;
  for (const Tetrahedron& t : complex.tetrahedra) {
    if (t[0] < 0) continue;
    const Vec3 &a = complex.positions[index(t[0])], &b = complex.positions[index(t[1])],
               &c = complex.positions[index(t[2])], &d = complex.positions[index(t[3])];
    double mean_length = 0;
    for (int v : t) mean_length += 0.25 * length[index(v)];
    expected += volume(a, b, c, d) / (regular_volume * std::pow(mean_length, 3));
  }
  const double scale = std::cbrt(expected / cells);
  for (double& l : length) l *= scale;
  return length;
}

std::string outcome_reason(ChainOutcome outcome) {
  switch (outcome) {
    case ChainOutcome::doubled: return "it lies along another bone";
    case ChainOutcome::outside: return "it lies outside the body";
    default: return "";
  }
}

std::vector<ChainSegment> segments_of(const std::vector<Bone>& bones) {
  // Parents first, in the order of the bones otherwise.
  std::vector<int> depth(bones.size(), 0), order(bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (int p = bones[b].parent; p >= 0 && depth[b] <= static_cast<int>(bones.size()); p = bones[index(p)].parent) ++depth[b];
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[index(a)] < depth[index(b)]; });
  std::vector<ChainSegment> segments;
  for (int b : order) {
    const Bone& bone = bones[index(b)];
    if (bone.helper) continue;
    std::vector<BoneSegment> longest_first = bone.segments;
    std::stable_sort(longest_first.begin(), longest_first.end(), [](const BoneSegment& x, const BoneSegment& y) {
      return distance(x.head, x.tail) > distance(y.head, y.tail);
    });
    for (const BoneSegment& s : longest_first) segments.push_back({s.head, s.tail, b, bone.parent});
  }
  return segments;
}

}  // namespace

BuiltLattice build_lattice(const Character& character, const SimulationSurface& surface,
                           const LatticeSettings& settings, const Progress& progress) {
  BuiltLattice built;
  VolumeMeshingOptions meshing;
  meshing.target_tetrahedra = std::max(fewest_fine, fine_per_cell * settings.cells);
  VolumeMesh fine = fill_surface(character, surface.rest, meshing, part_of(progress, 0.0, 0.2));
  TetrahedralComplex complex(fine.mesh);
  std::vector<int> home;
  for (const EmbeddedPoint& p : fine.embedding.points) home.push_back(p.tetrahedron);
  carry_surface(complex, surface.rest, home, 0.5 * fine.cell_size, 0.01 * fine.cell_size);

  double all = 0;
  for (std::size_t t = 0; t < fine.mesh.tetrahedra.size(); ++t) {
    const auto p = corners_of(fine.mesh, t);
    const double v = volume(p[0], p[1], p[2], p[3]);
    all += v;
    built.measures.body_volume += v * fine.inside_fraction[t];
  }
  const std::vector<double> size = edge_lengths(complex, all, settings.cells, fine.cell_size);

  std::vector<Influences> influences;
  if (surface.weighted) influences = body_influences(fine.mesh, fine.embedding, surface, part_of(progress, 0.2, 0.3));
  const auto affinity = [&](int bone, int t) {
    double sum = 0;
    if (!influences.empty())
      for (int v : complex.tetrahedra[index(t)]) {
        const Influences& list = influences[index(complex.like[index(v)])];
        for (int k = 0; k < list.count; ++k)
          if (list.joint[index(k)] == bone) sum += list.weight[index(k)];
      }
    return sum;
  };
  std::vector<double> sorted = size;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
  const double typical = sorted[sorted.size() / 2];
  const std::vector<ChainSegment> segments = segments_of(surface.bones);
  const std::vector<InsertedSegment> inserted =
      insert_segments(complex, segments, affinity, {0.25 * fine.cell_size, 0.12 * typical, 0.5 * fine.cell_size});

  CoarsenOptions options;
  options.target_tetrahedra = settings.cells;
  coarsen(complex, size, options, part_of(progress, 0.4, 0.8));

  // Out of the complex, into a lattice.
  std::vector<int> vertex(complex.positions.size(), -1), cell(complex.tetrahedra.size(), -1);
  TetrahedralMesh coarse;
  for (std::size_t v = 0; v < vertex.size(); ++v)
    if (!complex.star[v].empty()) {
      vertex[v] = static_cast<int>(coarse.positions.size());
      coarse.positions.push_back(complex.positions[v]);
    }
  for (std::size_t t = 0; t < cell.size(); ++t)
    if (complex.is_alive(static_cast<int>(t))) {
      cell[t] = static_cast<int>(coarse.tetrahedra.size());
      Tetrahedron corners = complex.tetrahedra[t];
      for (int& v : corners) v = vertex[index(v)];
      coarse.tetrahedra.push_back(corners);
      add_tetrahedron(built.lattice, corners);
    }
  built.lattice.positions = coarse.positions;
  built.tetrahedra = coarse.tetrahedra;
  std::map<int, ChainOutcome> left_out;
  std::map<int, bool> followed;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const int bone = segments[s].owner;
    for (int chain : inserted[s].chains) {
      LatticeBone out{surface.bones[index(bone)].name, complex.chains[index(chain)]};
      for (int& v : out.vertices) v = vertex[index(v)];
      built.lattice.bones.push_back(out);
      followed[bone] = true;
    }
    if (inserted[s].chains.empty()) left_out[bone] = inserted[s].outcome;
  }
  for (const auto& [bone, outcome] : left_out)
    if (!followed[bone])
      built.notes.push_back("bone \"" + surface.bones[index(bone)].name + "\" is left out: " + outcome_reason(outcome));
  const MeshQuality quality = measure_quality(coarse);
  LatticeMeasures& m = built.measures;
  m.cells = coarse.tetrahedra.size();
  m.vertices = coarse.positions.size();
  m.components = quality.components;
  m.volume = quality.total_volume;
  m.smallest_angle = quality.dihedral.smallest;
  m.largest_angle = quality.dihedral.largest;
  m.farthest_outside = farthest_outside(complex);
  m.bones = static_cast<int>(surface.bones.size());
  m.bones_followed = static_cast<int>(followed.size());
  const std::vector<int> homes_now = homes(complex);
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) {
    const int t = homes_now[v];
    built.embedding.points.push_back({cell[index(t)], barycentric_weights(complex.corners(t), surface.rest.positions[v])});
  }
  return built;
}

}  // namespace sinew
