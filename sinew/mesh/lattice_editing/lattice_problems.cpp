#include "sinew/mesh/lattice_editing/lattice_problems.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/control_lattice/validity.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Trilinear cells are nearly straight after this many subdivisions.
constexpr int levels = 2;

using Kind = LatticeProblem::Kind;

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

Vec3 middle_of_cell(const ControlLattice& lattice, int cell) {
  std::vector<int> vertices;
  for (int f = lattice.cell_start[index(cell)]; f < lattice.cell_start[index(cell) + 1]; ++f)
    for (const int v : lattice.face(index(f)))
      if (std::find(vertices.begin(), vertices.end(), v) == vertices.end()) vertices.push_back(v);
  Vec3 sum;
  for (const int v : vertices) sum += lattice.positions[index(v)];
  return vertices.empty() ? sum : sum / static_cast<double>(vertices.size());
}

class Collector {
 public:
  Collector(const ControlLattice& lattice, std::size_t limit) : lattice_(lattice), limit_(limit) {}

  void add(Kind kind, std::string text, std::vector<int> cells, bool prevents_use) {
    const Vec3 place = middle_of_cell(lattice_, cells[0]);
    add({kind, std::move(text), std::move(cells), {}, place, prevents_use});
  }
  void add(LatticeProblem problem) {
    ++found_.count;
    found_.usable = found_.usable && !problem.prevents_use;
    found_.one_to_one = found_.one_to_one && (problem.kind == Kind::hinge || problem.kind == Kind::outside);
    if (found_.problems.size() < limit_) found_.problems.push_back(std::move(problem));
  }
  LatticeProblems take() { return std::move(found_); }

 private:
  const ControlLattice& lattice_;
  std::size_t limit_;
  LatticeProblems found_;
};

void add_hinges(const ControlLattice& lattice, const LatticeValidity& validity, Collector& problems) {
  constexpr const char* text = "Cells hang together here by one ";
  for (const auto& [a, b] : validity.hinge_edges)
    problems.add({Kind::hinge,
                  std::string(text) + "edge; the body bends there like a hinge.",
                  {},
                  {a, b},
                  0.5 * (lattice.positions[index(a)] + lattice.positions[index(b)]),
                  false});
  for (const int v : validity.hinge_vertices)
    problems.add({Kind::hinge,
                  std::string(text) + "vertex; the body bends there like a hinge.",
                  {},
                  {v},
                  lattice.positions[index(v)],
                  false});
}

}  // namespace

std::vector<OutsideCell> vertices_outside(const ControlLattice& lattice, const TriangleMesh& surface) {
  const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, levels);
  const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(fine);
  const Embedding embedding = embed_points(tetrahedra.mesh, surface.positions);
  const Box box = bounds(surface.positions);
  const double tolerance = enclosure_tolerance * norm(box.upper - box.lower);
  std::map<int, OutsideCell> outside;
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    const auto t = index(embedding.points[v].tetrahedron);
    const double distance = distance_outside(corners_of(tetrahedra.mesh, t), surface.positions[v]);
    if (!(distance > tolerance)) continue;
    const int cell = fine.cell[index(tetrahedra.hexahedron[t])];
    OutsideCell& of_cell = outside[cell];
    of_cell.cell = cell;
    ++of_cell.count;
    if (distance <= of_cell.farthest) continue;
    of_cell.farthest = distance;
    of_cell.farthest_vertex = static_cast<int>(v);
  }
  std::vector<OutsideCell> list;
  for (const auto& [cell, found] : outside) list.push_back(found);
  return list;
}

LatticeProblems lattice_problems(const ControlLattice& lattice, const TriangleMesh* skin, std::size_t limit) {
  const LatticeValidity validity = check_lattice(lattice, levels, limit);
  Collector problems(lattice, limit);
  for (const int cell : validity.folded_cells)
    problems.add(Kind::folded, "Cell " + std::to_string(cell) + " is flat or inside out; move its vertices apart.",
                 {cell}, true);
  for (const int cell : validity.self_overlapping_cells)
    problems.add(Kind::itself, "Cell " + std::to_string(cell) + " overlaps itself; straighten it.", {cell}, true);
  // Points cannot be looked for where cells are inside out.
  if (skin && validity.folded_cells.empty()) {
    std::vector<OutsideCell> outside = vertices_outside(lattice, *skin);
    std::stable_sort(outside.begin(), outside.end(),
                     [](const OutsideCell& a, const OutsideCell& b) { return a.farthest > b.farthest; });
    for (const OutsideCell& each : outside)
      problems.add({Kind::outside,
                    "The skin is outside beside cell " + std::to_string(each.cell) + ", by up to " +
                        short_number(each.farthest) + " m (" + std::to_string(each.count) +
                        (each.count == 1 ? " vertex" : " vertices") + "); move the cell's outer vertices outwards.",
                    {each.cell},
                    {},
                    skin->positions[index(each.farthest_vertex)],
                    true});
  }
  for (const auto& [a, b] : validity.overlapping_cells)
    problems.add(Kind::overlap,
                 "Cells " + std::to_string(a) + " and " + std::to_string(b) +
                     " overlap, which suits only parts that are apart along the body.",
                 {a, b}, false);
  add_hinges(lattice, validity, problems);
  return problems.take();
}

}  // namespace sinew
