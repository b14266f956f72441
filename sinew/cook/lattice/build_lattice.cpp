#include "sinew/cook/lattice/build_lattice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/character/body_binding.h"
#include "sinew/cook/fill_surface.h"
#include "sinew/cook/lattice/build_lattice_bones.h"
#include "sinew/cook/lattice/build_lattice_start.h"
#include "sinew/mesh/barycentric.h"
#include "sinew/mesh/lattice_building/coarsen_bones.h"
#include "sinew/mesh/lattice_building/coarsen_collapse.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"
#include "sinew/mesh/lattice_building/coarsen_improve.h"
#include "sinew/mesh/lattice_building/coarsen_points.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

constexpr int fewest_cells = 10, most_cells = 100'000;
// Number of tetrahedra that coarsening starts from: a multiple of the number wanted, and a minimum.
constexpr int fine_per_cell = 20, fewest_fine = 8000;
// Volume of a regular tetrahedron with edges of length 1.
const double regular_volume = 1 / (6 * std::sqrt(2.0));
// Exponent by which edges grow with the thickness of the flesh, and bounds of their length relative to the mean edge.
constexpr double thickness_power = 0.6, thinnest = 0.2, thickest = 2;
// Lengths in edges of the fine mesh's cubes; the last one is in typical lengths of the wanted edges.
constexpr double sample_spacing = 0.5, cover_margin = 0.01, bone_snap = 0.25, bone_inset = 0.5, shortest_bone = 0.12;
constexpr int last_rounds = 12;
// Copies of cells that move alike are merged if they are nearer than this along the body, in mean edges.
constexpr double merge_within = 1.5;

// The lattice is built in units of the fine mesh's cubes, relative to a corner of one. Nodes that were not moved onto
// the surface then have exact coordinates, so that equal edges are equal to the last bit and are ordered by their
// numbers, whatever unit the file uses. In metres rounding errors would decide the order.
class InCubes {
 public:
  explicit InCubes(const VolumeMesh& fine) : corner_(fine.lattice_corner), edge_(fine.cell_size) {}

  Vec3 from_metres(const Vec3& p) const { return (p - corner_) / edge_; }
  Vec3 to_metres(const Vec3& p) const { return corner_ + edge_ * p; }
  double edge() const { return edge_; }  // metres

  VolumeMesh from_metres(VolumeMesh fine) const {
    for (Vec3& p : fine.mesh.positions) p = node_from_metres(p);
    fine.cell_size = 1;
    fine.lattice_corner = {};
    return fine;
  }
  TriangleMesh from_metres(TriangleMesh surface) const {
    for (Vec3& p : surface.positions) p = from_metres(p);
    return surface;
  }
  std::vector<Bone> from_metres(std::vector<Bone> bones) const {
    for (Bone& bone : bones)
      for (BoneSegment& segment : bone.segments) segment = {from_metres(segment.head), from_metres(segment.tail)};
    return bones;
  }

 private:
  // Snaps to a multiple of 1/2 what is within rounding of one.
  Vec3 node_from_metres(const Vec3& metres) const {
    constexpr double rounding = 1e-9;
    const Vec3 p = from_metres(metres);
    Vec3 nearest;
    double off = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      nearest[k] = 0.5 * std::round(2 * p[k]);
      off = std::max(off, std::abs(nearest[k] - p[k]));
    }
    return off < rounding ? nearest : p;
  }

  Vec3 corner_;
  double edge_;
};

// Largest distance from the boundary of the flesh around each vertex, along edges, in cubes.
std::vector<double> thickness_of(const TetrahedralComplex& complex) {
  const std::size_t n = complex.positions.size();
  std::vector<double> depth(n, HUGE_VAL);
  std::vector<std::vector<int>> around(n);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (std::size_t v = 0; v < n; ++v) {
    around[v] = neighbours(complex, static_cast<int>(v));
    if (!on_boundary(complex, static_cast<int>(v))) continue;
    depth[v] = 0;
    queue.push({0, static_cast<int>(v)});
  }
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
  // Visits vertices uphill, the deepest first.
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[index(a)] > depth[index(b)]; });
  std::vector<double> top(depth);
  for (int v : order)
    for (int w : around[index(v)])
      if (depth[index(w)] > depth[index(v)] + tie_length) top[index(v)] = std::max(top[index(v)], top[index(w)]);
  return top;
}

// Length wanted for the edges around each vertex, in cubes: longer in thick parts, and such that regular tetrahedra
// with these edges would have the wanted count.
std::vector<double> wanted_lengths(const TetrahedralComplex& complex, double all, int cells) {
  const std::vector<double> thickness = thickness_of(complex);
  const double mean = std::cbrt(all / (regular_volume * cells));
  std::vector<double> length(thickness.size());
  for (std::size_t v = 0; v < length.size(); ++v)
    length[v] = std::pow(std::clamp(std::max(thickness[v], 0.5) / mean, thinnest, thickest), thickness_power);
  double expected = 0;
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t) {
    const std::array<Vec3, 4> p = complex.corners(static_cast<int>(t));
    double here = 0;
    for (int v : complex.tetrahedra[t]) here += 0.25 * length[index(v)];
    expected += volume(p[0], p[1], p[2], p[3]) / (regular_volume * here * here * here);
  }
  const double scale = std::cbrt(expected / cells);
  for (double& l : length) l *= scale;
  return length;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void coarsen_in_stages(TetrahedralComplex& complex, const std::vector<double>& size, int cells,
                       const Progress& progress) {
  CoarsenOptions coarsening;
  ImproveOptions improvement;
  double begin = 0;
  // Improving the tetrahedra between rounds lets more edges collapse later.
  for (const auto& [factor, end] : {std::pair{4, 0.4}, std::pair{2, 0.6}, std::pair{1, 0.75}, std::pair{1, 0.8}}) {
    coarsening.target_tetrahedra = factor * cells;
    coarsen(complex, size, coarsening, part_of(progress, begin, 0.7 * end + 0.3 * begin));
    improvement.rounds = end < 0.8 ? improvement.rounds : last_rounds;
    improve(complex, size, improvement, part_of(progress, 0.7 * end + 0.3 * begin, end < 0.8 ? end : 1.0));
    begin = end;
  }
}

struct Numbering {
  std::vector<int> vertex, cell;  // per vertex and tetrahedron of the complex; -1 where it is gone
};

Numbering export_mesh(const TetrahedralComplex& complex, const InCubes& in_cubes, TetrahedralMesh& mesh,
                      ControlLattice& lattice) {
  Numbering number{std::vector<int>(complex.positions.size(), -1), std::vector<int>(complex.tetrahedra.size(), -1)};
  for (std::size_t v = 0; v < complex.positions.size(); ++v) {
    if (complex.star[v].empty()) continue;
    number.vertex[v] = static_cast<int>(mesh.positions.size());
    mesh.positions.push_back(in_cubes.to_metres(complex.positions[v]));
  }
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t) {
    if (!complex.is_alive(static_cast<int>(t))) continue;
    number.cell[t] = static_cast<int>(mesh.tetrahedra.size());
    Tetrahedron corners = complex.tetrahedra[t];
    for (int& v : corners) v = number.vertex[index(v)];
    mesh.tetrahedra.push_back(corners);
    add_tetrahedron(lattice, corners);
  }
  lattice.positions = mesh.positions;
  return number;
}

void measure_lattice(const TetrahedralComplex& complex, const InCubes& in_cubes, BuiltLattice& built) {
  const MeshQuality quality = measure_quality(built.mesh);
  LatticeMeasures& m = built.measures;
  m.cells = quality.tetrahedra;
  m.vertices = quality.vertices;
  m.components = quality.components;
  m.volume = quality.total_volume;
  m.smallest_angle = quality.dihedral.smallest;
  m.largest_angle = quality.dihedral.largest;
  m.farthest_outside = in_cubes.edge() * farthest_outside(complex);
}

}  // namespace

int tetrahedra_of_origin(int cells) {
  if (cells < fewest_cells || cells > most_cells)
    throw usage_error("a lattice of " + std::to_string(cells) + " cells cannot be built; ask for " +
                      std::to_string(fewest_cells) + " to " + std::to_string(most_cells) + ".");
  return std::max(fewest_fine, fine_per_cell * cells);
}

LatticeOrigin lattice_origin(const Character& character, const SimulationSurface& surface, int tetrahedra,
                             const Progress& progress) {
  VolumeMeshingOptions meshing;
  meshing.target_tetrahedra = tetrahedra;
  LatticeOrigin origin;
  origin.mesh = fill_surface_to_coarsen(character, surface.rest, meshing, part_of(progress, 0.0, 0.5));
  if (surface.weighted)
    origin.influences = body_influences(origin.mesh.mesh, origin.mesh.embedding, surface, part_of(progress, 0.5, 1.0));
  return origin;
}

BuiltLattice build_lattice(const Character& character, const SimulationSurface& surface,
                           const LatticeSettings& settings, const Progress& progress) {
  const LatticeOrigin origin =
      lattice_origin(character, surface, tetrahedra_of_origin(settings.cells), part_of(progress, 0.0, 0.2));
  return build_lattice(origin, surface, settings, progress);
}

BuiltLattice build_lattice(const LatticeOrigin& origin, const SimulationSurface& surface,
                           const LatticeSettings& settings, const Progress& progress) {
  BuiltLattice built;
  const VolumeMesh& in_metres = origin.mesh;
  const InCubes in_cubes(in_metres);
  const VolumeMesh fine = in_cubes.from_metres(in_metres);
  const TriangleMesh rest = in_cubes.from_metres(surface.rest);
  const std::vector<Bone> bones = in_cubes.from_metres(surface.bones);
  double all = 0;
  for (std::size_t t = 0; t < fine.mesh.tetrahedra.size(); ++t) {
    const std::array<Vec3, 4> p = corners_of(fine.mesh, t);
    const double v = volume(p[0], p[1], p[2], p[3]);
    all += v;
    built.measures.body_volume += std::pow(in_cubes.edge(), 3) * v * fine.inside_fraction[t];
  }
  const LatticeStart start =
      lattice_start(fine, rest, origin.influences, merge_within * std::cbrt(all / (regular_volume * settings.cells)));
  TetrahedralComplex complex(start.mesh);
  const std::vector<Influences>& influences = start.influences;
  const std::vector<double> size = wanted_lengths(complex, all, settings.cells);
  carry_surface(complex, rest, start.home, sample_spacing);
  enclose_points(complex, cover_margin);

  report_or_stop(progress, "laying bones into the lattice", 0.2);
  const std::vector<ChainSegment> segments = bone_segments(bones);
  const auto affinity = [&](int bone, int t) { return bone_affinity(complex, influences, bone, t); };
  const std::vector<InsertedSegment> inserted =
      insert_segments(complex, segments, affinity, {bone_snap, shortest_bone * median(size), bone_inset});

  coarsen_in_stages(complex, size, settings.cells, part_of(progress, 0.25, 1.0));
  built.measures.points_outside = enclose_points(complex, cover_margin);

  built.notes = bone_notes(bones, segments, inserted);
  std::vector<FollowedBone> chains;
  std::vector<char> followed(surface.bones.size(), 0);
  for (std::size_t s = 0; s < segments.size(); ++s)
    for (int chain : inserted[s].chains) {
      chains.push_back({segments[s].owner, chain});
      followed[index(segments[s].owner)] = 1;
    }
  for (const FollowedBone& chain : hold_boneless_parts(complex, bones, influences, built.notes))
    chains.push_back(chain);

  const Numbering number = export_mesh(complex, in_cubes, built.mesh, built.lattice);
  std::stable_sort(chains.begin(), chains.end(),
                   [](const FollowedBone& a, const FollowedBone& b) { return a.bone < b.bone; });
  for (const FollowedBone& chain : chains) {
    LatticeBone bone{surface.bones[index(chain.bone)].name, complex.chains[index(chain.chain)]};
    for (int& v : bone.vertices) v = number.vertex[index(v)];
    built.lattice.bones.push_back(std::move(bone));
  }
  const std::vector<int> homes_now = homes(complex);
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) {
    const int t = homes_now[v];
    built.embedding.points.push_back(
        {number.cell[index(t)], barycentric_weights(complex.corners(t), rest.positions[v])});
  }
  measure_lattice(complex, in_cubes, built);
  built.measures.bones = static_cast<int>(surface.bones.size());
  built.measures.bones_followed = static_cast<int>(std::count(followed.begin(), followed.end(), 1));
  if (built.measures.points_outside > 0)
    built.notes.push_back(std::to_string(built.measures.points_outside) +
                          " points of the surface are outside the lattice, the farthest by " +
                          std::to_string(built.measures.farthest_outside) + " m; they follow the nearest cell.");
  return built;
}

}  // namespace sinew
