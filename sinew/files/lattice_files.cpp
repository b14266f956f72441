#include "sinew/files/lattice_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "sinew/base/edit_distance.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/files/lattice_json.h"
#include "sinew/files/vtu_grid.h"
#include "sinew/mesh/control_lattice/cell_shapes.h"
#include "sinew/mesh/control_lattice/lattice_structure.h"

namespace sinew {
namespace {

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
      for (auto f = index(lattice.cell_start[c]); f < index(lattice.cell_start[c + 1]); ++f) {
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

// Converts the cells of a file.
class CellReader {
 public:
  CellReader(const VtuGrid& grid, const std::string& file) : grid_(grid), file_(file) {}

  void add_to(ControlLattice& lattice, std::size_t cell) const {
    const std::span<const int> p(grid_.corner.data() + grid_.cell_start[cell],
                                 index(grid_.cell_start[cell + 1] - grid_.cell_start[cell]));
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
    for (auto f = index(grid_.cell_face_start[cell]); f < index(grid_.cell_face_start[cell + 1]); ++f)
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

// The arrays that Sinew adds to a grid, and where each belongs.
constexpr std::array<const char*, 6> point_arrays = {"vertex_id", "bone", "sharp", "stiffness", "damping", "density"};
constexpr std::array<const char*, 4> field_arrays = {"bone_name", "bone_end", "bone_vertices", "sharp_edges"};

[[noreturn]] void refuse_array(const std::string& file, const std::string& name, const std::string& what) {
  throw input_error(file + ": the array \"" + name + "\" " + what +
                    "; correct or remove it, or write the file again from its source.");
}

std::string letters_of(const std::string& name) {
  std::string letters;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

// True if `name`, which is not a known name, looks like a misspelling of `known`: other case, other separators, or a
// typing error.
bool is_misspelt(const std::string& name, const std::string& known) {
  constexpr std::size_t longest = 40, letters_per_slip = 4;
  if (known == "bone" || name.size() > longest) return false;  // "bone" is never read
  const std::string letters = letters_of(name), meant = letters_of(known);
  return edit_distance(letters, meant) <= std::max<std::size_t>(1, meant.size() / letters_per_slip);
}

// Arrays of other programs are skipped. An array of Sinew's that is misspelt, duplicated or attached to the wrong kind
// of element would be skipped too, and its content lost; these are refused.
class ArrayNames {
 public:
  explicit ArrayNames(const std::string& file) : file_(file) {}

  template <class Arrays>
  void check(const Arrays& arrays, const std::string& owner) {
    for (const auto& array : arrays) {
      check_name(array.name, point_arrays, owner, "points");
      check_name(array.name, field_arrays, owner, "the whole (field data)");
    }
  }

 private:
  template <std::size_t N>
  void check_name(const std::string& name, const std::array<const char*, N>& known, const std::string& owner,
                  const std::string& right_owner) {
    for (const char* own : known) {
      if (name == own) {
        if (owner != right_owner) refuse_array(file_, name, "belongs to " + owner + ", and should to " + right_owner);
        if (!seen_.insert(name).second) refuse_array(file_, name, "is there twice");
      } else if (is_misspelt(name, own) && !is_known(name)) {
        refuse_array(file_, name, std::string("is not known; \"") + own + "\" may be meant");
      }
    }
  }
  static bool is_known(const std::string& name) {
    return std::find(point_arrays.begin(), point_arrays.end(), name) != point_arrays.end() ||
           std::find(field_arrays.begin(), field_arrays.end(), name) != field_arrays.end();
  }

  const std::string& file_;
  std::set<std::string> seen_;
};

// Reads the content of those arrays.
class TagReader {
 public:
  TagReader(const VtuGrid& grid, const std::string& file) : grid_(grid), file_(file) {
    ArrayNames names(file_);
    names.check(grid_.point_data, "points");
    names.check(grid_.cell_data, "cells");
    names.check(grid_.field_data, "the whole (field data)");
    names.check(grid_.field_texts, "the whole (field data)");
    const std::vector<double> ids = point_numbers("vertex_id");
    for (std::size_t p = 0; p < ids.size(); ++p)
      if (!(ids[p] >= 0 && ids[p] <= std::numeric_limits<int>::max() && ids[p] == std::floor(ids[p])))
        refuse_array(file_, "vertex_id",
                     "has a value at point " + std::to_string(p) + " that is no number of a vertex");
    for (std::size_t p = 0; p < grid_.points.size(); ++p)
      if (!point_of_.emplace(ids.empty() ? static_cast<double>(p) : ids[p], static_cast<int>(p)).second)
        doubled_ = true;
  }

  void read(ControlLattice& lattice) const {
    lattice.stiffness = point_numbers("stiffness");
    lattice.damping = point_numbers("damping");
    lattice.density = point_numbers("density");
    const std::vector<double> sharp = point_numbers("sharp");
    for (std::size_t p = 0; p < sharp.size(); ++p)
      if (sharp[p] != 0) lattice.sharp_vertices.push_back(static_cast<int>(p));
    if (const VtuArray* edges = find(grid_.field_data, "sharp_edges")) {
      if (edges->values.size() % 2 != 0) refuse_array(file_, edges->name, "does not consist of pairs of vertices");
      for (std::size_t i = 0; i < edges->values.size(); i += 2)
        lattice.sharp_edges.push_back({vertex(edges->values[i], *edges), vertex(edges->values[i + 1], *edges)});
    }
    read_bones(lattice);
  }

 private:
  int vertex(double id, const VtuArray& array) const {
    if (doubled_)
      refuse_array(file_, "vertex_id", "has the same number twice, so that bones and creases cannot be found");
    const auto found = std::isfinite(id) ? point_of_.find(id) : point_of_.end();
    if (found == point_of_.end()) refuse_array(file_, array.name, "names a vertex that does not exist");
    return found->second;
  }
  // One finite number per point; empty if there is no such array.
  std::vector<double> point_numbers(const char* name) const {
    const VtuArray* array = find(grid_.point_data, name);
    if (!array) return {};
    if (array->components != 1)
      refuse_array(file_, name, "has " + std::to_string(array->components) + " components, and needs one");
    for (std::size_t p = 0; p < array->values.size(); ++p)
      if (!std::isfinite(array->values[p]))
        refuse_array(file_, name, "has a value at point " + std::to_string(p) + " that is not a finite number");
    return array->values;
  }
  void read_bones(ControlLattice& lattice) const {
    const auto names = std::find_if(grid_.field_texts.begin(), grid_.field_texts.end(),
                                    [](const VtuTexts& t) { return t.name == "bone_name"; });
    const VtuArray *ends = find(grid_.field_data, "bone_end"), *vertices = find(grid_.field_data, "bone_vertices");
    const bool named = names != grid_.field_texts.end();
    if (!named && !ends && !vertices) return;
    for (const auto& [there, name] :
         {std::pair(named, "bone_name"), {ends != nullptr, "bone_end"}, {vertices != nullptr, "bone_vertices"}})
      if (!there)
        throw input_error(
            file_ + ": there is no array \"" + name +
            "\" beside the other arrays of bones (field data); add it, or write the file again from its source.");
    const auto most = static_cast<double>(vertices->values.size());
    double begin = 0;
    if (ends->values.size() != names->values.size())
      refuse_array(file_, "bone_end",
                   "has " + std::to_string(ends->values.size()) + " values for " +
                       std::to_string(names->values.size()) + " bones");
    for (std::size_t b = 0; b < names->values.size(); ++b) {
      const double end = ends->values[b];
      if (!(end >= begin && end <= most) || end != std::floor(end))
        refuse_array(file_, "bone_end", "does not fit the other arrays of bones");
      LatticeBone bone{names->values[b], {}};
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
        bone.vertices.push_back(vertex(vertices->values[k], *vertices));
      lattice.bones.push_back(std::move(bone));
      begin = end;
    }
    if (begin != most) refuse_array(file_, "bone_vertices", "has more vertices than \"bone_end\" says");
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
  for (int v : lattice.sharp_vertices) sharp[index(v)] = 1;
  VtuTexts names{"bone_name", {}};
  for (std::size_t b = 0; b < lattice.bones.size(); ++b) {
    names.values.push_back(lattice.bones[b].name);
    for (int v : lattice.bones[b].vertices) {
      chains.push_back(v);
      if (bone[index(v)] < 0) bone[index(v)] = static_cast<int>(b);
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

ControlLattice lattice_of_setting(const std::string& setting) {
  return setting.starts_with('{') ? lattice_from_json(setting, name_of_lattice_setting(setting))
                                  : read_lattice(setting);
}

std::string name_of_lattice_setting(const std::string& setting) {
  return setting.starts_with('{') ? "the settings' lattice" : setting;
}

void write_lattice(const std::filesystem::path& path, const ControlLattice& lattice) {
  if (is_standard_output(path)) return write_text_file(path, lattice_json(lattice));
  if (!names_lattice(path))
    throw usage_error(path.string() + ": the ending \"" + path.extension().string() +
                      "\" names no lattice; use .json or .vtu.");
  write_text_file(path, path.extension() == ".json" ? lattice_json(lattice) : lattice_vtu(lattice));
}

}  // namespace sinew
