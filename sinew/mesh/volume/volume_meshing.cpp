#include "sinew/mesh/volume/volume_meshing.h"

#include <algorithm>
#include <memory>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/lattice_building/mesh_to_coarsen.h"
#include "sinew/mesh/surface/orientation.h"
#include "sinew/mesh/surface/weld.h"
#include "sinew/mesh/volume/boundary_fit.h"
#include "sinew/mesh/volume/inside_fraction.h"
#include "sinew/mesh/volume/lattice_mesh.h"

namespace sinew {
namespace {

// Growth, in cells: the distance around a tetrahedron within which two pieces of the solid may be connected. The
// overlap of two neighbours' grown cells must be thicker than a fine edge, 1 / subdivisions.
constexpr double growth = 0.15;
constexpr double touch = 0.005;
constexpr double count_tolerance = 0.1;
constexpr const char* activity = "filling the skin with a body";
constexpr int most_tetrahedra = 20'000'000;

// Triangles with three different corners, no duplicates in the same sense, oriented outward. No area is lost by
// removing triangles with equal corners; slivers stay, since they connect their neighbours.
TriangleMesh clean_surface(const TriangleMesh& surface, const WeldMap& map) {
  TriangleMesh mesh = apply_weld(surface, map);
  std::vector<std::pair<Triangle, std::size_t>> keys;  // smallest index first, same sense
  keys.reserve(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle v = mesh.triangles[t];
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    std::rotate(v.begin(), std::min_element(v.begin(), v.end()), v.end());
    keys.push_back({v, t});
  }
  std::sort(keys.begin(), keys.end());
  std::vector<char> keep(mesh.triangles.size(), 0);
  for (std::size_t i = 0; i < keys.size(); ++i) keep[keys[i].second] = i == 0 || keys[i].first != keys[i - 1].first;
  std::size_t kept = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (keep[t]) mesh.triangles[kept++] = mesh.triangles[t];
  mesh.triangles.resize(kept);
  const std::vector<char> flip = triangles_to_flip(mesh);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (flip[t]) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  return mesh;
}

void check_input(const TriangleMesh& surface) {
  const auto vertices = static_cast<int>(surface.positions.size());
  for (std::size_t v = 0; v < surface.positions.size(); ++v)
    if (!is_finite(surface.positions[v]))
      throw input_error("vertex " + std::to_string(v) +
                        " of the surface has a position that is not a finite number; "
                        "repair or delete it.");
  double area = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const Triangle& v = surface.triangles[t];
    for (int i : v)
      if (i < 0 || i >= vertices)
        throw input_error("triangle " + std::to_string(t) + " of the surface names vertex " + std::to_string(i) +
                          ", but there are only " + std::to_string(vertices) + "; export the mesh again.");
    area += norm(area_vector(surface.positions[static_cast<std::size_t>(v[0])],
                             surface.positions[static_cast<std::size_t>(v[1])],
                             surface.positions[static_cast<std::size_t>(v[2])]));
  }
  if (!(area > 0) || !std::isfinite(area))
    throw input_error(
        "the surface has no triangle with area, so there is nothing to fill; check that the file holds "
        "a mesh of triangles.");
}

struct Measures {
  Box box;
  double area = 0, volume = 0, longest_edge = 0;
};
Measures measure(const TriangleMesh& mesh) {
  Measures m;
  const Vec3 base = mesh.positions[static_cast<std::size_t>(mesh.triangles.front()[0])];
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.positions[static_cast<std::size_t>(t[0])], b = mesh.positions[static_cast<std::size_t>(t[1])],
               c = mesh.positions[static_cast<std::size_t>(t[2])];
    for (const Vec3& p : {a, b, c}) m.box.include(p);
    m.area += norm(area_vector(a, b, c));
    m.longest_edge = std::max({m.longest_edge, distance(a, b), distance(b, c), distance(c, a)});
    m.volume += dot(a - base, cross(b - base, c - base)) / 6;
  }
  m.volume = std::max(m.volume, 0.0);
  return m;
}

// Number of tetrahedra expected for a cell size: those that fill the volume, and a skin of about a quarter of a cell
// (fitted to characters).
double expected_tetrahedra(const Measures& m, double cell) {
  return 12 * (m.volume + 0.26 * m.area * cell) / (cell * cell * cell);
}

// Least cell size: a single edge must not cross as many cells as tetrahedra are wanted. A thin triangle has little area
// for its length, and the cells that it crosses take memory before they are counted.
double smallest_cell(const Measures& m, int target) {
  // For small parts far apart: fewer elements rather than more cells in a row than coordinates can number.
  const Vec3 extent = m.box.upper - m.box.lower;
  return std::max(std::max({extent.x, extent.y, extent.z}) / (max_lattice_coordinate - 32), m.longest_edge / target);
}

// Cell size at which `count(cell)` gives `target`; count falls as the cell grows.
template <class Count>
double solve_cell_size(const Measures& m, double target, const Count& count) {
  double low = 1e-9 * norm(m.box.upper - m.box.lower), high = norm(m.box.upper - m.box.lower);
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low * high);
    (count(middle) > target ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

CubeGrid grid_for(const Measures& m, double cell) {
  const Vec3 extent = m.box.upper - m.box.lower;
  if (std::max({extent.x, extent.y, extent.z}) / cell > max_lattice_coordinate - 16)
    throw usage_error("a cell size of " + std::to_string(cell) + " m is too small for a character of " +
                      std::to_string(std::max({extent.x, extent.y, extent.z})) + " m; choose a larger one.");
  // An asymmetric offset: models are symmetric about planes in which lattice lines should not lie.
  return {m.box.lower - cell * Vec3{3.3183, 3.4142, 3.2718}, cell};
}

// Vertices without triangles have no place in the solid; the nearest element carries them.
void embed_loose_vertices(const TriangleMesh& surface, VolumeMesh& body) {
  std::vector<std::size_t> loose;
  std::vector<Vec3> points;
  for (std::size_t v = 0; v < body.embedding.points.size(); ++v)
    if (body.embedding.points[v].tetrahedron < 0) {
      loose.push_back(v);
      points.push_back(surface.positions[v]);
    }
  if (loose.empty()) return;
  const Embedding embedding = embed_points(body.mesh, points);
  for (std::size_t i = 0; i < loose.size(); ++i) body.embedding.points[loose[i]] = embedding.points[i];
}

struct Pieces {
  std::unique_ptr<SolidSampling> sampling;
  LatticeMesh lattice;
  CellPieces pieces;
  double cell = 0;
};

Pieces cut(const SolidSurface& surface, const Measures& m, double cell, const Progress& progress) {
  report_or_stop(progress, activity, 0.0);
  Pieces p;
  p.cell = cell;
  p.sampling = std::make_unique<SolidSampling>(surface, grid_for(m, cell));
  report_or_stop(progress, activity, 0.3);
  p.lattice = build_lattice_mesh(*p.sampling);
  report_or_stop(progress, activity, 0.6);
  p.pieces = find_cell_pieces(*p.sampling, p.lattice, growth * cell, touch * cell);
  return p;
}

// Searches for the cell size that gives about `target` tetrahedra. The model of expected_tetrahedra(), scaled to the
// last count, is accurate to a few per cent after one or two steps, which is within the tolerance.
Pieces cut_to_count(const SolidSurface& surface, const Measures& m, int target, const Progress& progress) {
  double correction = 1;
  Pieces best;
  double best_error = HUGE_VAL;
  for (int round = 0; round < 6; ++round) {
    const double cell =
        std::max(smallest_cell(m, target),
                 solve_cell_size(m, target, [&](double h) { return correction * expected_tetrahedra(m, h); }));
    Pieces p = cut(surface, m, cell, part_of(progress, 0.1 + 0.1 * round, 0.2 + 0.1 * round));
    const double count = std::max<double>(1, static_cast<double>(p.pieces.tetrahedron.size()));
    const double error = std::fabs(std::log(count / target));
    correction = count / expected_tetrahedra(m, cell);
    if (error < best_error) {
      best_error = error;
      best = std::move(p);
    }
    if (best_error < count_tolerance) break;
  }
  return best;
}

VolumeMesh mesh_fitted(const TriangleMesh& surface, const VolumeMeshingOptions& options, const FitOptions& fit,
                       const Progress& progress) {
  if (options.cell_size && !(*options.cell_size > 0 && std::isfinite(*options.cell_size)))
    throw usage_error("the cell size must be a positive length in metres.");
  if (!options.cell_size && (options.target_tetrahedra < 1 || options.target_tetrahedra > most_tetrahedra))
    throw usage_error("the number of tetrahedra must lie between 1 and " + std::to_string(most_tetrahedra) + ".");
  check_input(surface);
  report_or_stop(progress, activity, 0.0);
  const WeldMap weld_map = weld(surface.positions);
  const SolidSurface solid(clean_surface(surface, weld_map));
  const Measures measures = measure(solid.mesh);
  if (options.cell_size && expected_tetrahedra(measures, *options.cell_size) > most_tetrahedra)
    throw usage_error("a cell size of " + std::to_string(*options.cell_size) + " m would need more than " +
                      std::to_string(most_tetrahedra) + " tetrahedra; choose a larger one.");
  const Pieces cut_pieces = options.cell_size ? cut(solid, measures, *options.cell_size, part_of(progress, 0.1, 0.7))
                                              : cut_to_count(solid, measures, options.target_tetrahedra, progress);
  const SolidSampling& sampling = *cut_pieces.sampling;
  report_or_stop(progress, activity, 0.7);
  JoinedPieces joined = join_pieces(cut_pieces.lattice, cut_pieces.pieces);
  report_or_stop(progress, activity, 0.75);
  CoveragePoints points = coverage_points(sampling, cut_pieces.lattice, joined, growth * cut_pieces.cell);
  const std::vector<char> keep = elements_with_purpose(joined, points, 2 * touch * cut_pieces.cell);
  if (std::find(keep.begin(), keep.end(), 0) != keep.end()) {
    joined = selected(joined, keep);
    points = coverage_points(sampling, cut_pieces.lattice, joined, growth * cut_pieces.cell);
  }
  report_or_stop(progress, activity, 0.8);
  fit_boundary(sampling, points, joined, fit);
  report_or_stop(progress, activity, 0.9);

  VolumeMesh result;
  result.cell_size = cut_pieces.cell;
  result.lattice_corner = sampling.grid().origin;
  result.inside_fraction = inside_fractions(sampling, joined);
  result.duplicated = joined.duplicated;
  result.lattice_tetrahedron = joined.lattice_tetrahedron;
  LatticeMap cells;
  int cell_count = 0;
  for (int t : joined.lattice_tetrahedron) {
    const int cell = cells.insert(lattice_key(cut_pieces.lattice.cube[static_cast<std::size_t>(t)]), cell_count);
    if (cell == cell_count) ++cell_count;
    result.cell.push_back(cell);
  }
  result.embedding.points.resize(surface.positions.size());
  parallel_for(surface.positions.size(), 256, [&](std::size_t v) {
    const auto welded = static_cast<std::size_t>(weld_map.welded[v]);
    result.embedding.points[v] = embed_in_best(joined.mesh, points.elements[welded], surface.positions[v]);
  });
  result.mesh = std::move(joined.mesh);
  embed_loose_vertices(surface, result);
  return result;
}

}  // namespace

VolumeMesh mesh_volume(const TriangleMesh& surface, const VolumeMeshingOptions& options, const Progress& progress) {
  return mesh_fitted(surface, options, {}, progress);
}

VolumeMesh mesh_to_coarsen(const TriangleMesh& surface, const VolumeMeshingOptions& options, const Progress& progress) {
  return mesh_fitted(surface, options, fit_in_few_lengths(), progress);
}

}  // namespace sinew
