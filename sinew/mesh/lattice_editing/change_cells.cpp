#include "sinew/mesh/lattice_editing/change_cells.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr const char* cannot_add = "The cell cannot be added";
constexpr double highest = 1e4;  // metres

// The corners of a free face in the order of its cell, counter-clockwise seen from outside.
FaceCorners free_face(const CellComplex& complex, const std::vector<int>& corners) {
  const int face = require_face(complex, corners);
  if (!complex.boundary_face[index(face)])
    throw usage_error(std::string(cannot_add) + ": there are cells on both sides of that face already.");
  return {complex.faces[index(face)].begin(), complex.faces[index(face)].end()};
}

Vec3 centre_of(const ControlLattice& lattice, std::span<const int> face) {
  Vec3 sum;
  for (const int v : face) sum += lattice.positions[index(v)];
  return sum / static_cast<double>(face.size());
}

// The normal of a polygon by its area vector.
Vec3 normal_of(const ControlLattice& lattice, std::span<const int> face) {
  const Vec3 centre = centre_of(lattice, face);
  Vec3 area;
  for (std::size_t k = 0; k < face.size(); ++k)
    area += cross(lattice.positions[index(face[k])] - centre,
                  lattice.positions[index(face[(k + 1) % face.size()])] - centre);
  return normalized(area);
}

FaceCorners reversed(const FaceCorners& face) { return {face.rbegin(), face.rend()}; }

// A cell between a base, whose corners are counter-clockwise seen from the cell, and the opposite corners.
CellFaces column(const FaceCorners& base, const FaceCorners& top) {
  CellFaces cell{reversed(base), top};
  for (std::size_t k = 0; k < base.size(); ++k) {
    const std::size_t next = (k + 1) % base.size();
    cell.push_back({base[k], base[next], top[next], top[k]});
  }
  return cell;
}

CellFaces pyramid(const FaceCorners& base, int apex) {
  CellFaces cell{reversed(base)};
  for (std::size_t k = 0; k < base.size(); ++k) cell.push_back({base[k], base[(k + 1) % base.size()], apex});
  return cell;
}

// The prism between two faces with four corners that share the edge from `face[0]` to `face[1]`, with which `other`
// begins in the other direction.
CellFaces wedge(const FaceCorners& face, const FaceCorners& other) {
  const int e0 = face[0], e1 = face[1], f1 = face[2], f0 = face[3], o0 = other[2], o1 = other[3];
  return {reversed(face), reversed(other), {e0, o0, f0}, {e1, f1, o1}, {f1, f0, o0, o1}};
}

LatticeEdit with_cell(const ControlLattice& lattice, CellFaces cell) {
  LatticeEdit edit{lattice, {}};
  std::vector<CellFaces> cells = cells_of(lattice);
  cells.push_back(std::move(cell));
  set_cells(edit.lattice, cells);
  require_legal(lattice, edit.lattice, cannot_add);
  for (std::size_t v = 0; v < lattice.positions.size(); ++v) edit.new_vertex.push_back(static_cast<int>(v));
  return edit;
}

// `top` turned so that the columns to it are the shortest.
FaceCorners nearest_turn(const ControlLattice& lattice, const FaceCorners& base, FaceCorners top) {
  FaceCorners best = top;
  double least = HUGE_VAL;
  for (std::size_t turn = 0; turn < top.size(); ++turn) {
    double sum = 0;
    for (std::size_t k = 0; k < base.size(); ++k)
      sum += squared_norm(lattice.positions[index(base[k])] - lattice.positions[index(top[k])]);
    if (sum < least) least = sum, best = top;
    std::rotate(top.begin(), top.begin() + 1, top.end());
  }
  return best;
}

}  // namespace

double mean_edge_length(const ControlLattice& lattice, std::span<const int> face) {
  double sum = 0;
  for (std::size_t k = 0; k < face.size(); ++k) {
    require_vertex(lattice, face[k]);
    require_vertex(lattice, face[(k + 1) % face.size()]);
    sum += distance(lattice.positions[index(face[k])], lattice.positions[index(face[(k + 1) % face.size()])]);
  }
  return face.empty() ? 0 : sum / static_cast<double>(face.size());
}

LatticeEdit add_cells(const ControlLattice& lattice, std::span<const std::vector<int>> faces, double height,
                      bool apex) {
  if (!(height > 0 && height <= highest))
    throw usage_error(std::string(cannot_add) + ": its height must be above 0 and at most 10000 m.");
  if (faces.empty()) throw usage_error(std::string(cannot_add) + ": choose a free face for it.");
  const CellComplex complex = cell_complex(sides_of(lattice));
  std::map<int, std::pair<Vec3, std::vector<int>>> corners;  // sum of normals, and faces
  std::vector<FaceCorners> bases;
  for (const std::vector<int>& face : faces) {
    FaceCorners base = free_face(complex, face);
    if (std::find(bases.begin(), bases.end(), base) != bases.end()) continue;
    const Vec3 normal = normal_of(lattice, base);
    for (const int v : base) corners[v].first += normal;
    bases.push_back(std::move(base));
  }
  LatticeEdit edit{lattice, {}};
  std::map<int, int> above;  // per corner its opposite vertex
  const auto opposite = [&](int v) {
    const auto [found, fresh] = above.try_emplace(v, 0);
    if (fresh)
      found->second = add_vertex(edit.lattice, lattice.positions[index(v)] + height * normalized(corners.at(v).first),
                                 std::array{v});
    return found->second;
  };
  std::vector<CellFaces> cells = cells_of(lattice);
  for (const FaceCorners& base : bases) {
    if (apex && base.size() == 3) {
      const Vec3 place = centre_of(lattice, base) + height * normal_of(lattice, base);
      cells.push_back(pyramid(base, add_vertex(edit.lattice, place, base)));
      continue;
    }
    FaceCorners top;
    for (const int v : base) top.push_back(opposite(v));
    cells.push_back(column(base, top));
  }
  set_cells(edit.lattice, cells);
  require_legal(lattice, edit.lattice, cannot_add);
  for (std::size_t v = 0; v < lattice.positions.size(); ++v) edit.new_vertex.push_back(static_cast<int>(v));
  return edit;
}

LatticeEdit add_cell_between(const ControlLattice& lattice, const std::vector<int>& face,
                             const std::vector<int>& other) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  FaceCorners first = free_face(complex, face), second = free_face(complex, other);
  if (first.size() != second.size())
    throw usage_error(std::string(cannot_add) + ": the two faces have different numbers of corners.");
  const auto shared = std::count_if(first.begin(), first.end(),
                                    [&](int v) { return std::find(second.begin(), second.end(), v) != second.end(); });
  if (shared == 0) {
    const FaceCorners top = reversed(second);
    return with_cell(lattice, column(first, nearest_turn(lattice, first, top)));
  }
  for (std::size_t turn = 0; turn < first.size(); ++turn) {
    const auto at = std::find(second.begin(), second.end(), first[1]);
    if (at != second.end()) {
      std::rotate(second.begin(), at, second.end());
      if (second[1] == first[0]) break;
    }
    std::rotate(first.begin(), first.begin() + 1, first.end());
  }
  if (shared != 2 || second[0] != first[1] || second[1] != first[0] || first.size() > 4)
    throw usage_error(std::string(cannot_add) +
                      ": the two faces must share one edge, as triangles or with four corners, or no vertex at all.");
  return with_cell(lattice, first.size() == 3 ? pyramid(first, second[2]) : wedge(first, second));
}

LatticeEdit delete_cells(const ControlLattice& lattice, std::span<const int> gone) {
  std::vector<CellFaces> cells = cells_of(lattice);
  for (const int cell : gone) {
    require_cell(lattice, cell);
    cells[index(cell)].clear();
  }
  ControlLattice changed = lattice;
  set_cells(changed, cells);
  if (changed.cells() == 0) throw usage_error("A lattice needs a cell; these are all it has.");
  drop_lost_edges(changed);
  LatticeEdit edit = without_unused_vertices(std::move(changed));
  require_legal(lattice, edit.lattice, "The cells cannot be deleted");
  return edit;
}

}  // namespace sinew
