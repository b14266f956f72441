#include "sinew/io/lattice_files.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/io/lattice_json.h"
#include "sinew/io/vtu_grid.h"
#include "sinew/mesh/control_lattice/cell_shapes.h"
#include "sinew/mesh/control_lattice/lattice_structure.h"

namespace sinew {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class Values>
VtuArray whole_array(const char* name, const Values& values, int components = 1) {
  return {name, components, true, std::vector<double>(values.begin(), values.end())};
}

int vtk_type(CellShape shape) {
  return shape == CellShape::tetrahedron  ? vtk_tetra
         : shape == CellShape::prism      ? vtk_wedge
         : shape == CellShape::hexahedron ? vtk_hexahedron
                                          : vtk_polyhedron;
}

void append_cells(VtuGrid& grid, const ControlLattice& lattice) {
  grid.cell_face_start = {0};
  for (std::size_t c = 0; c < lattice.cells(); ++c) {
    PlainCell plain = plain_cell(lattice, c);
    grid.types.push_back(vtk_type(plain.shape));
    if (plain.shape == CellShape::polyhedron) {
      for (auto f = at(lattice.cell_start[c]); f < at(lattice.cell_start[c + 1]); ++f) {
        const std::span<const int> face = lattice.face(f);
        grid.face_corner.insert(grid.face_corner.end(), face.begin(), face.end());
        grid.face_start.push_back(static_cast<int>(grid.face_corner.size()));
        plain.corners.insert(plain.corners.end(), face.begin(), face.end());
      }
      std::sort(plain.corners.begin(), plain.corners.end());
      plain.corners.erase(std::unique(plain.corners.begin(), plain.corners.end()), plain.corners.end());
    }
    grid.corner.insert(grid.corner.end(), plain.corners.begin(), plain.corners.end());
    grid.cell_start.push_back(static_cast<int>(grid.corner.size()));
    grid.cell_face_start.push_back(static_cast<int>(grid.face_start.size()) - 1);
  }
  if (grid.face_corner.empty()) grid.cell_face_start.clear();
}

// What a file's cells become.
class CellReader {
 public:
  CellReader(const VtuGrid& grid, const std::string& file) : grid_(grid), file_(file) {}

  void add_to(ControlLattice& lattice, std::size_t cell) const {
    const std::span<const int> p(grid_.corner.data() + grid_.cell_start[cell],
                                 at(grid_.cell_start[cell + 1] - grid_.cell_start[cell]));
    switch (grid_.types[cell]) {
      case vtk_tetra:
        need(cell, p, 4);
        return add_tetrahedron(lattice, {p[0], p[1], p[2], p[3]});
      case vtk_wedge:
        need(cell, p, 6);
        return add_prism(lattice, {p[0], p[1], p[2], p[3], p[4], p[5]});
      case vtk_hexahedron:
        need(cell, p, 8);
        return add_hexahedron(lattice, {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]});
      case vtk_voxel:
        need(cell, p, 8);
        return add_hexahedron(lattice, {p[0], p[1], p[3], p[2], p[4], p[5], p[7], p[6]});
      case vtk_polyhedron:
        return add_polyhedron(lattice, faces(cell));
      default:
        throw input_error(name(cell) + " has VTK's type " + std::to_string(grid_.types[cell]) +
                          "; lattices consist of tetrahedra (10), hexahedra (12), wedges (13) and polyhedra (42).");
    }
  }

 private:
  std::string name(std::size_t cell) const { return file_ + ": cell " + std::to_string(cell); }
  void need(std::size_t cell, std::span<const int> corners, std::size_t count) const {
    if (corners.size() != count)
      throw input_error(name(cell) + " has " + std::to_string(corners.size()) + " corners for VTK's type " +
                        std::to_string(grid_.types[cell]) + ", which has " + std::to_string(count) +
                        "; write the file again from its source.");
  }
  std::vector<std::vector<int>> faces(std::size_t cell) const {
    std::vector<std::vector<int>> faces;
    for (auto f = at(grid_.cell_face_start[cell]); f < at(grid_.cell_face_start[cell + 1]); ++f)
      faces.emplace_back(grid_.face_corner.begin() + grid_.face_start[f],
                         grid_.face_corner.begin() + grid_.face_start[f + 1]);
    return faces;
  }

  const VtuGrid& grid_;
  const std::string& file_;
};

const VtuArray* find(const std::vector<VtuArray>& arrays, const char* name) {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const VtuArray& a) { return a.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

// The arrays that Sinew adds to a grid.
class TagReader {
 public:
  TagReader(const VtuGrid& grid, const std::string& file) : grid_(grid), file_(file) {
    const VtuArray* ids = find(grid.point_data, "vertex_id");
    for (std::size_t p = 0; p < grid.points.size(); ++p) {
      const double id = ids ? ids->values[p * at(ids->components)] : static_cast<double>(p);
      if (!point_of_.emplace(id, static_cast<int>(p)).second) doubled_ = true;
    }
  }

  void read(ControlLattice& lattice) const {
    lattice.stiffness = painted("stiffness");
    lattice.damping = painted("damping");
    lattice.density = painted("density");
    if (const VtuArray* sharp = find(grid_.point_data, "sharp"); sharp && sharp->components == 1)
      for (std::size_t p = 0; p < grid_.points.size(); ++p)
        if (sharp->values[p] != 0) lattice.sharp_vertices.push_back(static_cast<int>(p));
    if (const VtuArray* edges = find(grid_.field_data, "sharp_edges"))
      for (std::size_t i = 0; i + 1 < edges->values.size(); i += 2)
        lattice.sharp_edges.push_back({vertex(edges->values[i], *edges), vertex(edges->values[i + 1], *edges)});
    read_bones(lattice);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw input_error(file_ + ": " + what + "; remove the array, or write the file again from its source.");
  }
  int vertex(double id, const VtuArray& array) const {
    if (doubled_) fail("the array \"vertex_id\" has the same number twice, so that bones cannot be found");
    const auto found = point_of_.find(id);
    if (found == point_of_.end()) fail("the array \"" + array.name + "\" names a vertex that does not exist");
    return found->second;
  }
  std::vector<double> painted(const char* name) const {
    const VtuArray* array = find(grid_.point_data, name);
    return array && array->components == 1 ? array->values : std::vector<double>{};
  }
  void read_bones(ControlLattice& lattice) const {
    const auto names = std::find_if(grid_.field_texts.begin(), grid_.field_texts.end(),
                                    [](const VtuTexts& t) { return t.name == "bone_name"; });
    const VtuArray *ends = find(grid_.field_data, "bone_end"), *vertices = find(grid_.field_data, "bone_vertices");
    if (names == grid_.field_texts.end() || !ends || !vertices) return;
    double begin = 0;
    for (std::size_t b = 0; b < names->values.size(); ++b) {
      const double end = b < ends->values.size() ? ends->values[b] : -1;
      if (!(end >= begin && end <= static_cast<double>(vertices->values.size())))
        fail("the array \"bone_end\" does not fit the other arrays of bones");
      LatticeBone bone{names->values[b], {}};
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
        bone.vertices.push_back(vertex(vertices->values[k], *vertices));
      lattice.bones.push_back(std::move(bone));
      begin = std::floor(end);
    }
  }

  const VtuGrid& grid_;
  const std::string& file_;
  std::map<double, int> point_of_;  // by "vertex_id"
  bool doubled_ = false;
};

}  // namespace

bool names_lattice(const std::filesystem::path& path) {
  return path.extension() == ".json" || path.extension() == ".vtu";
}

std::string lattice_vtu(const ControlLattice& lattice) {
  VtuGrid grid;
  grid.points = lattice.positions;
  append_cells(grid, lattice);
  std::vector<int> numbers(lattice.positions.size()), sharp(lattice.positions.size(), 0), bone(sharp.size(), -1), ends,
      chains;
  for (std::size_t v = 0; v < numbers.size(); ++v) numbers[v] = static_cast<int>(v);
  for (int v : lattice.sharp_vertices) sharp[at(v)] = 1;
  VtuTexts names{"bone_name", {}};
  for (std::size_t b = 0; b < lattice.bones.size(); ++b) {
    names.values.push_back(lattice.bones[b].name);
    for (int v : lattice.bones[b].vertices) {
      chains.push_back(v);
      if (bone[at(v)] < 0) bone[at(v)] = static_cast<int>(b);
    }
    ends.push_back(static_cast<int>(chains.size()));
  }
  grid.point_data = {whole_array("vertex_id", numbers), whole_array("bone", bone), whole_array("sharp", sharp)};
  const auto add_painted = [&](const char* name, const std::vector<double>& values) {
    if (!values.empty()) grid.point_data.push_back({name, 1, false, values});
  };
  add_painted("stiffness", lattice.stiffness);
  add_painted("damping", lattice.damping);
  add_painted("density", lattice.density);
  if (!lattice.bones.empty()) {
    grid.field_texts.push_back(names);
    grid.field_data.push_back(whole_array("bone_end", ends));
    grid.field_data.push_back(whole_array("bone_vertices", chains));
  }
  if (!lattice.sharp_edges.empty()) {
    std::vector<int> edges;
    for (const std::array<int, 2>& edge : lattice.sharp_edges) edges.insert(edges.end(), edge.begin(), edge.end());
    grid.field_data.push_back(whole_array("sharp_edges", edges, 2));
  }
  return vtu_text(grid);
}

ControlLattice lattice_from_vtu(std::string_view text, const std::string& file) {
  const VtuGrid grid = parse_vtu(text, file);
  ControlLattice lattice;
  lattice.positions = grid.points;
  const CellReader reader(grid, file);
  for (std::size_t c = 0; c < grid.cells(); ++c) reader.add_to(lattice, c);
  TagReader(grid, file).read(lattice);
  orient_cells(lattice);
  throw_if_any(structural_defects(lattice, 1), file);
  return lattice;
}

ControlLattice read_lattice(const std::filesystem::path& path) {
  if (!names_lattice(path))
    throw usage_error(path.string() + ": the ending \"" + path.extension().string() +
                      "\" names no lattice; use .json or .vtu.");
  const std::string text = read_text_file(path);
  return path.extension() == ".json" ? lattice_from_json(text, path.string()) : lattice_from_vtu(text, path.string());
}

void write_lattice(const std::filesystem::path& path, const ControlLattice& lattice) {
  if (!names_lattice(path))
    throw usage_error(path.string() + ": the ending \"" + path.extension().string() +
                      "\" names no lattice; use .json or .vtu.");
  write_text_file(path, path.extension() == ".json" ? lattice_json(lattice) : lattice_vtu(lattice));
}

}  // namespace sinew
