#include "sinew/mesh/control_lattice/cell_shapes.h"
#include "sinew/base/index.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace sinew {
namespace {

using Cycle = std::vector<int>;

// Faces as cycles that start at their smallest corner, sorted, so that they are equal for equal cells.
std::vector<Cycle> canonical_faces(const ControlLattice& lattice, std::size_t cell) {
  std::vector<Cycle> faces;
  for (auto f = index(lattice.cell_start[cell]); f < index(lattice.cell_start[cell + 1]); ++f) {
    const std::span<const int> face = lattice.face(f);
    faces.emplace_back(face.begin(), face.end());
    std::rotate(faces.back().begin(), std::min_element(faces.back().begin(), faces.back().end()), faces.back().end());
  }
  std::sort(faces.begin(), faces.end());
  return faces;
}

// The corner outside the base that is joined to a corner of it; -1 if there is none.
int above(const ControlLattice& lattice, std::size_t cell, const Cycle& base, int corner) {
  for (auto f = index(lattice.cell_start[cell]); f < index(lattice.cell_start[cell + 1]); ++f) {
    const std::span<const int> face = lattice.face(f);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int next = face[k + 1 < face.size() ? k + 1 : 0];
      if (face[k] == corner && std::find(base.begin(), base.end(), next) == base.end()) return next;
    }
  }
  return -1;
}

template <std::size_t N>
std::array<int, N> first(const std::vector<int>& corners) {
  std::array<int, N> array{};
  std::copy_n(corners.begin(), N, array.begin());
  return array;
}

bool is_same_cell(const ControlLattice& lattice, std::size_t cell, const PlainCell& plain) {
  ControlLattice one;
  if (plain.shape == CellShape::tetrahedron) add_tetrahedron(one, first<4>(plain.corners));
  if (plain.shape == CellShape::prism) add_prism(one, first<6>(plain.corners));
  if (plain.shape == CellShape::hexahedron) add_hexahedron(one, first<8>(plain.corners));
  return canonical_faces(one, 0) == canonical_faces(lattice, cell);
}

// Reverses faces of a cell until those that share an edge run along it in opposite directions. Returns false if the
// faces do not close.
bool turn_alike(std::vector<Cycle>& faces) {
  struct Use {
    std::size_t face;
    bool forward;
  };
  std::map<std::pair<int, int>, std::vector<Use>> uses;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t k = 0; k < faces[f].size(); ++k) {
      const int a = faces[f][k], b = faces[f][k + 1 < faces[f].size() ? k + 1 : 0];
      uses[std::minmax(a, b)].push_back({f, a < b});
    }
  std::vector<std::vector<std::pair<std::size_t, bool>>> neighbours(faces.size());  // and whether they run the same way
  for (const auto& [edge, around] : uses) {
    if (around.size() != 2) return false;
    const bool same = around[0].forward == around[1].forward;
    neighbours[around[0].face].emplace_back(around[1].face, same);
    neighbours[around[1].face].emplace_back(around[0].face, same);
  }
  std::vector<int> turned(faces.size(), -1);
  std::vector<std::size_t> stack{0};
  turned[0] = 0;
  while (!stack.empty()) {
    const std::size_t f = stack.back();
    stack.pop_back();
    for (const auto& [other, same] : neighbours[f]) {
      const int wanted = same ? 1 - turned[f] : turned[f];
      if (turned[other] >= 0 && turned[other] != wanted) return false;
      if (turned[other] < 0) stack.push_back(other);
      turned[other] = wanted;
    }
  }
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (turned[f] < 0) return false;
    if (turned[f] == 1) std::reverse(faces[f].begin() + 1, faces[f].end());
  }
  return true;
}

double signed_volume(const ControlLattice& lattice, const std::vector<Cycle>& faces) {
  const Vec3 origin = lattice.positions[index(faces[0][0])];
  double six_volumes = 0;
  for (const Cycle& face : faces) {
    Vec3 centre;
    for (int v : face) centre += (lattice.positions[index(v)] - origin) / static_cast<double>(face.size());
    for (std::size_t k = 0; k < face.size(); ++k) {
      const Vec3 a = lattice.positions[index(face[k])] - origin,
                 b = lattice.positions[index(face[k + 1 < face.size() ? k + 1 : 0])] - origin;
      six_volumes += dot(cross(centre, a), b);
    }
  }
  return six_volumes / 6;
}

}  // namespace

PlainCell plain_cell(const ControlLattice& lattice, std::size_t cell) {
  const auto begin = index(lattice.cell_start[cell]), end = index(lattice.cell_start[cell + 1]);
  std::size_t triangles = 0, quadrilaterals = 0, first_triangle = end;
  for (std::size_t f = begin; f < end; ++f) {
    const std::size_t corners = lattice.face(f).size();
    triangles += corners == 3;
    quadrilaterals += corners == 4;
    if (corners == 3) first_triangle = std::min(first_triangle, f);
  }
  PlainCell plain;
  std::size_t base_face = begin;
  if (triangles == 4 && end - begin == 4) {
    plain.shape = CellShape::tetrahedron;
  } else if (triangles == 2 && quadrilaterals == 3 && end - begin == 5) {
    plain.shape = CellShape::prism;
    base_face = first_triangle;
  } else if (quadrilaterals == 6 && end - begin == 6) {
    plain.shape = CellShape::hexahedron;
  } else {
    return {};
  }
  const std::span<const int> face = lattice.face(base_face);
  Cycle base(face.begin(), face.end());
  // The base of a prism is seen from outside, those of the others from inside.
  if (plain.shape != CellShape::prism) std::reverse(base.begin() + 1, base.end());
  plain.corners = base;
  for (int corner : base) {
    plain.corners.push_back(above(lattice, cell, base, corner));
    if (plain.shape == CellShape::tetrahedron) break;
  }
  return is_same_cell(lattice, cell, plain) ? plain : PlainCell{};
}

void orient_cells(ControlLattice& lattice) {
  for (std::size_t c = 0; c < lattice.cells(); ++c) {
    std::vector<Cycle> faces;
    for (auto f = index(lattice.cell_start[c]); f < index(lattice.cell_start[c + 1]); ++f)
      faces.emplace_back(lattice.face(f).begin(), lattice.face(f).end());
    if (faces.empty() || !turn_alike(faces)) continue;
    if (signed_volume(lattice, faces) < 0)
      for (Cycle& face : faces) std::reverse(face.begin() + 1, face.end());
    auto out = lattice.corner.begin() + lattice.face_start[index(lattice.cell_start[c])];
    for (const Cycle& face : faces) out = std::copy(face.begin(), face.end(), out);
  }
}

}  // namespace sinew
