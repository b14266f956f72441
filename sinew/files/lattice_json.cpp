#include "sinew/files/lattice_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/files/strict_json.h"
#include "sinew/mesh/control_lattice/cell_shapes.h"
#include "sinew/mesh/control_lattice/lattice_structure.h"

namespace sinew {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::array<std::pair<const char*, CellShape>, 4> shape_names{{{"tetrahedron", CellShape::tetrahedron},
                                                                        {"prism", CellShape::prism},
                                                                        {"hexahedron", CellShape::hexahedron},
                                                                        {"polyhedron", CellShape::polyhedron}}};

const char* name_of(CellShape shape) {
  return std::find_if(shape_names.begin(), shape_names.end(), [&](const auto& n) { return n.second == shape; })->first;
}

// An element of the file with its place for messages: "cells[3].vertices".
struct Place {
  const OrderedJson* json;
  std::string path;
  const std::string* file;

  [[noreturn]] void fail(const std::string& what) const {
    throw input_error(*file + ": " + (path.empty() ? "the file" : "\"" + path + "\"") + " " + what + ".");
  }
  Place operator[](std::size_t i) const { return {&(*json)[i], path + "[" + std::to_string(i) + "]", file}; }
  Place member(const char* key) const {
    const auto found = json->find(key);
    if (found == json->end()) fail(std::string("has no \"") + key + "\"; add it");
    return {&*found, (path.empty() ? "" : path + ".") + key, file};
  }
  bool has(const char* key) const { return json->contains(key); }

  void need_object(std::initializer_list<const char*> keys) const {
    if (!json->is_object()) fail("must be an object");
    for (const auto& [key, value] : json->items())
      if (std::none_of(keys.begin(), keys.end(), [&, name = key](const char* k) { return name == k; }))
        fail("has the key \"" + key + "\", which lattices do not have; remove it");
  }
  std::size_t list_size() const {
    if (!json->is_array()) fail("must be a list");
    return json->size();
  }
  double number() const {
    if (!json->is_number()) fail("must be a number");
    return json->get<double>();
  }
  int whole_number() const {
    if (!json->is_number_integer() || json->get<double>() < -1e9 || json->get<double>() > 1e9)
      fail("must be a whole number");
    return json->get<int>();
  }
  std::string text() const {
    if (!json->is_string()) fail("must be a text");
    return json->get<std::string>();
  }
  template <class Item>
  auto list(const Item& item) const {
    std::vector<decltype(item(*this))> items;
    const std::size_t size = list_size();
    items.reserve(size);
    for (std::size_t i = 0; i < size; ++i) items.push_back(item((*this)[i]));
    return items;
  }
  std::vector<int> whole_numbers() const {
    return list([](const Place& p) { return p.whole_number(); });
  }
};

Vec3 position_from(const Place& place) {
  if (place.list_size() != 3) place.fail("must be three numbers");
  return {place[0].number(), place[1].number(), place[2].number()};
}

// Checks vertex indices here, since later messages could name only the cell's number.
std::vector<int> vertices_from(const Place& place, std::size_t vertices) {
  std::vector<int> list = place.whole_numbers();
  for (std::size_t k = 0; k < list.size(); ++k)
    if (list[k] < 0 || static_cast<std::size_t>(list[k]) >= vertices)
      place[k].fail("is vertex " + std::to_string(list[k]) + ", but there are " + std::to_string(vertices) +
                    " positions; correct the number");
  return list;
}

template <std::size_t N>
std::array<int, N> corners_from(const Place& cell, std::size_t vertices) {
  const Place place = cell.member("vertices");
  const std::vector<int> list = vertices_from(place, vertices);
  if (list.size() != N) place.fail("has " + std::to_string(list.size()) + " corners, and needs " + std::to_string(N));
  std::array<int, N> corners{};
  std::copy(list.begin(), list.end(), corners.begin());
  return corners;
}

void add_cell(ControlLattice& lattice, const Place& place) {
  if (!place.json->is_object()) place.fail("must be an object");
  const Place type = place.member("type");
  const std::string name = type.text();
  const auto found =
      std::find_if(shape_names.begin(), shape_names.end(), [&](const auto& n) { return name == n.first; });
  if (found == shape_names.end()) type.fail("is none of tetrahedron, prism, hexahedron, polyhedron; correct it");
  const std::size_t vertices = lattice.positions.size();
  if (found->second == CellShape::polyhedron)
    place.need_object({"type", "faces"});
  else
    place.need_object({"type", "vertices"});
  switch (found->second) {
    case CellShape::tetrahedron:
      return add_tetrahedron(lattice, corners_from<4>(place, vertices));
    case CellShape::prism:
      return add_prism(lattice, corners_from<6>(place, vertices));
    case CellShape::hexahedron:
      return add_hexahedron(lattice, corners_from<8>(place, vertices));
    case CellShape::polyhedron:
      return add_polyhedron(lattice,
                            place.member("faces").list([&](const Place& p) { return vertices_from(p, vertices); }));
  }
}

LatticeBone bone_from(const Place& place, std::size_t vertices) {
  place.need_object({"name", "vertices"});
  return {place.member("name").text(), vertices_from(place.member("vertices"), vertices)};
}

std::array<int, 2> edge_from(const Place& place, std::size_t vertices) {
  const std::vector<int> ends = vertices_from(place, vertices);
  if (ends.size() != 2) place.fail("must be two vertices");
  return {ends[0], ends[1]};
}

std::vector<double> numbers_from(const Place& place) {
  return place.list([](const Place& p) { return p.number(); });
}

// "key": [ one item per line ]
template <class Items, class ToJson>
void append_lines(std::string& text, const char* key, const Items& items, const ToJson& to_json) {
  text += std::string(",\n  \"") + key + "\": [";
  bool later = false;
  for (const auto& item : items) {
    text += later ? ",\n    " : "\n    ";
    text += to_json(item).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    later = true;
  }
  text += later ? "\n  ]" : "]";
}

OrderedJson cell_json(const ControlLattice& lattice, std::size_t cell) {
  const PlainCell plain = plain_cell(lattice, cell);
  OrderedJson json;
  json["type"] = name_of(plain.shape);
  if (plain.shape != CellShape::polyhedron) {
    json["vertices"] = plain.corners;
    return json;
  }
  json["faces"] = OrderedJson::array();
  for (int f = lattice.cell_start[cell]; f < lattice.cell_start[cell + 1]; ++f) {
    const std::span<const int> face = lattice.face(static_cast<std::size_t>(f));
    json["faces"].push_back(std::vector<int>(face.begin(), face.end()));
  }
  return json;
}

}  // namespace

std::string lattice_json(const ControlLattice& lattice) {
  std::vector<std::size_t> cells(lattice.cells());
  for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = c;
  const auto plainly = [](const auto& value) { return OrderedJson(value); };
  std::string text = "{\n  \"version\": " + std::to_string(lattice_json_version);
  append_lines(text, "positions", lattice.positions, [](const Vec3& p) { return OrderedJson{p.x, p.y, p.z}; });
  append_lines(text, "cells", cells, [&](std::size_t c) { return cell_json(lattice, c); });
  append_lines(text, "bones", lattice.bones, [](const LatticeBone& bone) {
    return OrderedJson{{"name", bone.name}, {"vertices", bone.vertices}};
  });
  append_lines(text, "sharp_edges", lattice.sharp_edges, plainly);
  append_lines(text, "sharp_vertices", lattice.sharp_vertices, plainly);
  const auto append_painted = [&](const char* key, const std::vector<double>& values) {
    if (!values.empty()) append_lines(text, key, values, plainly);
  };
  append_painted("stiffness", lattice.stiffness);
  append_painted("damping", lattice.damping);
  append_painted("density", lattice.density);
  return text + "\n}\n";
}

ControlLattice lattice_from_json(std::string_view text, const std::string& file) {
  const OrderedJson json = parse_strict_json(text, file, "correct the line, or write the lattice again");
  const Place root{&json, "", &file};
  root.need_object({"$schema", "comment", "version", "positions", "cells", "bones", "sharp_edges", "sharp_vertices",
                    "stiffness", "damping", "density"});
  const int version = root.member("version").whole_number();
  if (version != lattice_json_version)
    root.member("version").fail("is " + std::to_string(version) + ", and this program reads version " +
                                std::to_string(lattice_json_version) + "; write the file again");
  ControlLattice lattice;
  lattice.positions = root.member("positions").list(position_from);
  const std::size_t vertices = lattice.positions.size();
  const Place cells = root.member("cells");
  for (std::size_t c = 0; c < cells.list_size(); ++c) add_cell(lattice, cells[c]);
  if (root.has("bones"))
    lattice.bones = root.member("bones").list([&](const Place& p) { return bone_from(p, vertices); });
  if (root.has("sharp_edges"))
    lattice.sharp_edges = root.member("sharp_edges").list([&](const Place& p) { return edge_from(p, vertices); });
  if (root.has("sharp_vertices")) lattice.sharp_vertices = vertices_from(root.member("sharp_vertices"), vertices);
  if (root.has("stiffness")) lattice.stiffness = numbers_from(root.member("stiffness"));
  if (root.has("damping")) lattice.damping = numbers_from(root.member("damping"));
  if (root.has("density")) lattice.density = numbers_from(root.member("density"));
  throw_if_any(structural_defects(lattice, 1), file);
  return lattice;
}

}  // namespace sinew
