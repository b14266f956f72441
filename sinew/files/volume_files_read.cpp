// Readers of body meshes, one parser per format.
#include <algorithm>
#include <unordered_map>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/text_scanner.h"
#include "sinew/files/volume_files.h"

namespace sinew {
namespace {

Vec3 read_position(TextScanner& in) {
  const double x = in.number("a coordinate"), y = in.number("a coordinate"), z = in.number("a coordinate");
  return {x, y, z};
}

int index_of(TextScanner& in, long long number, long long first, std::size_t count) {
  if (number < first || number - first >= static_cast<long long>(count))
    in.fail("vertex " + std::to_string(number) + " does not exist, there are " + std::to_string(count));
  return static_cast<int>(number - first);
}

Tetrahedron read_tetrahedron(TextScanner& in, long long first, std::size_t vertices) {
  Tetrahedron t;
  for (int& v : t) v = index_of(in, in.integer("a vertex"), first, vertices);
  return t;
}

VolumeFile parse_tet(TextScanner& in) {
  VolumeFile file;
  const std::size_t vertices = in.count("the number of vertices", 3),
                    tetrahedra = in.count("the number of tetrahedra", 4);
  const std::size_t core = in.count("the number of core vertices", 1);
  const long long tip = in.integer("the tip");
  file.mesh.positions.reserve(vertices);
  file.mesh.tetrahedra.reserve(tetrahedra);
  for (std::size_t i = 0; i < vertices; ++i) file.mesh.positions.push_back(read_position(in));
  for (std::size_t i = 0; i < tetrahedra; ++i) file.mesh.tetrahedra.push_back(read_tetrahedron(in, 0, vertices));
  for (std::size_t i = 0; i < core; ++i) file.core.push_back(index_of(in, in.integer("a core vertex"), 0, vertices));
  file.tip = index_of(in, tip, 0, vertices);
  if (!in.at_end()) in.fail("there is more in the file than its first line announces");
  return file;
}

VolumeFile parse_medit(TextScanner& in) {
  // Words per entry of sections that are skipped.
  static const std::unordered_map<std::string_view, std::size_t> skipped{
      {"Triangles", 4},         {"Edges", 3},   {"Quadrilaterals", 5},   {"Hexahedra", 9},
      {"Corners", 1},           {"Ridges", 1},  {"RequiredVertices", 1}, {"RequiredEdges", 1},
      {"RequiredTriangles", 1}, {"Normals", 3}, {"NormalAtVertices", 2}, {"Tangents", 3},
      {"TangentAtVertices", 2}};
  VolumeFile file;
  ElementArray reference{"reference", {}};
  while (true) {
    const std::string_view section = in.word();
    if (section.empty() || section == "End") break;
    if (section.front() == '#') {
      in.rest_of_line();
    } else if (section == "MeshVersionFormatted") {
      in.integer("the version");
    } else if (section == "Dimension") {
      if (in.integer("the dimension") != 3) in.fail("the mesh is not three-dimensional");
    } else if (section == "Vertices") {
      const std::size_t count = in.count("the number of vertices", 4);
      for (std::size_t i = 0; i < count; ++i) {
        file.mesh.positions.push_back(read_position(in));
        in.number("a reference");
      }
    } else if (section == "Tetrahedra") {
      const std::size_t count = in.count("the number of tetrahedra", 5);
      for (std::size_t i = 0; i < count; ++i) {
        file.mesh.tetrahedra.push_back(read_tetrahedron(in, 1, file.mesh.positions.size()));
        reference.values.push_back(in.number("a reference"));
      }
    } else if (const auto it = skipped.find(section); it != skipped.end()) {
      in.skip_words(in.count("the number of entries", it->second) * it->second);
    } else {
      in.fail("unknown section \"" + std::string(section.substr(0, 40)) + "\"");
    }
  }
  file.arrays.push_back(std::move(reference));
  return file;
}

// Gmsh numbers vertices and elements arbitrarily.
struct GmshReader {
  TextScanner& in;
  VolumeFile file;
  std::unordered_map<long long, int> vertex, element;

  void add_vertex(long long tag, const Vec3& p) {
    if (!vertex.emplace(tag, static_cast<int>(file.mesh.positions.size())).second)
      in.fail("vertex " + std::to_string(tag) + " appears twice");
    file.mesh.positions.push_back(p);
  }
  void add_tetrahedron(long long tag) {
    Tetrahedron t;
    for (int& v : t) {
      const long long number = in.integer("a vertex");
      const auto found = vertex.find(number);
      if (found == vertex.end()) in.fail("vertex " + std::to_string(number) + " does not exist");
      v = found->second;
    }
    element.emplace(tag, static_cast<int>(file.mesh.tetrahedra.size()));
    file.mesh.tetrahedra.push_back(t);
  }
  // Vertices of the element types that meshes of first order may contain.
  std::size_t vertices_of(long long type) {
    static const std::unordered_map<long long, std::size_t> counts{{1, 2}, {2, 3}, {3, 4}, {4, 4},  {5, 8},   {6, 6},
                                                                   {7, 5}, {8, 3}, {9, 6}, {10, 9}, {11, 10}, {15, 1}};
    const auto found = counts.find(type);
    if (found == counts.end()) in.fail("element type " + std::to_string(type) + " is not supported");
    return found->second;
  }

  void nodes_2() {
    const std::size_t count = in.count("the number of nodes", 4);
    for (std::size_t i = 0; i < count; ++i) {
      const long long tag = in.integer("a node number");
      add_vertex(tag, read_position(in));
    }
  }
  void elements_2() {
    const std::size_t count = in.count("the number of elements", 4);
    for (std::size_t i = 0; i < count; ++i) {
      const long long tag = in.integer("an element number"), type = in.integer("an element type");
      in.skip_words(in.count("the number of tags", 1));
      if (type == 4)
        add_tetrahedron(tag);
      else
        in.skip_words(vertices_of(type));
    }
  }
  void nodes_4() {
    const std::size_t blocks = in.count("the number of entity blocks", 4);
    in.count("the number of nodes", 4);
    in.skip_words(2);
    for (std::size_t b = 0; b < blocks; ++b) {
      in.skip_words(2);
      const bool parametric = in.integer("the parametric flag") != 0;
      if (parametric) in.fail("parametric nodes are not supported");
      const std::size_t count = in.count("the number of nodes in the block", 4);
      std::vector<long long> tags;
      for (std::size_t i = 0; i < count; ++i) tags.push_back(in.integer("a node number"));
      for (long long tag : tags) add_vertex(tag, read_position(in));
    }
  }
  void elements_4() {
    const std::size_t blocks = in.count("the number of entity blocks", 4);
    in.count("the number of elements", 2);
    in.skip_words(2);
    for (std::size_t b = 0; b < blocks; ++b) {
      in.skip_words(2);
      const long long type = in.integer("an element type");
      const std::size_t vertices = vertices_of(type),
                        count = in.count("the number of elements in the block", vertices + 1);
      for (std::size_t i = 0; i < count; ++i) {
        const long long tag = in.integer("an element number");
        if (type == 4)
          add_tetrahedron(tag);
        else
          in.skip_words(vertices);
      }
    }
  }
  void element_data() {
    std::string name;
    const std::size_t strings = in.count("the number of strings", 1);
    for (std::size_t i = 0; i < strings; ++i) {
      std::string_view word = in.word();
      if (word.empty()) in.fail("the file ends early");
      std::string text(word);
      if (text.front() == '"' && (text.size() == 1 || text.back() != '"')) text += in.rest_of_line();
      text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '"' || c == '\r'; }), text.end());
      if (i == 0) name = text;
    }
    in.skip_words(in.count("the number of reals", 1));
    const std::size_t integers = in.count("the number of integers", 1);
    long long components = 1;
    std::size_t count = 0;
    for (std::size_t i = 0; i < integers; ++i) {
      if (i == 1)
        components = in.integer("the number of components");
      else if (i == 2)
        count = in.count("the number of values", 2);
      else
        in.integer("an integer");
    }
    if (components != 1 && components != 3 && components != 9) in.fail("element data must have 1, 3 or 9 components");
    ElementArray array{name, std::vector<double>(file.mesh.tetrahedra.size(), 0.0)};
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = element.find(in.integer("an element number"));
      for (long long c = 0; c < components; ++c) {
        const double value = in.number("a value");
        if (c == 0 && found != element.end()) array.values[static_cast<std::size_t>(found->second)] = value;
      }
    }
    if (components == 1) file.arrays.push_back(std::move(array));
  }

  void read() {
    long long version = 0;
    while (!in.at_end()) {
      const std::string section(in.word());
      if (section == "$MeshFormat") {
        const double number = in.number("the version");
        version = static_cast<long long>(std::clamp(number, 0.0, 9.0));
        if (number != 2.2 && number != 4.1)
          in.fail("Gmsh version " + std::to_string(number) + " is not supported, 2.2 and 4.1 are");
        if (in.integer("the file type") != 0) in.fail("binary Gmsh files are not supported");
        in.skip_words(1);
      } else if (version == 0) {
        in.fail("the file does not begin with $MeshFormat");
      } else if (section == "$Nodes") {
        version == 2 ? nodes_2() : nodes_4();
      } else if (section == "$Elements") {
        version == 2 ? elements_2() : elements_4();
      } else if (section == "$ElementData") {
        element_data();
      } else if (section.rfind("$", 0) == 0) {
        const std::string end = "$End" + section.substr(1);
        for (std::string_view w = in.word(); w != end; w = in.word())
          if (w.empty()) in.fail("section " + section.substr(0, 40) + " does not end");
        continue;
      } else {
        in.fail("expected a section, found \"" + section.substr(0, 40) + "\"");
      }
      if (in.word() != "$End" + section.substr(1)) in.fail("section " + section + " does not end where its counts say");
    }
  }
};

void turn_positive(VolumeFile& file, const std::string& name) {
  if (file.mesh.tetrahedra.empty()) throw input_error(name + ": has no tetrahedra; choose a file with a volume mesh.");
  for (std::size_t e = 0; e < file.mesh.tetrahedra.size(); ++e) {
    Tetrahedron& t = file.mesh.tetrahedra[e];
    const auto p = [&](std::size_t k) { return file.mesh.positions[static_cast<std::size_t>(t[k])]; };
    const double v = volume(p(0), p(1), p(2), p(3));
    if (v == 0 || !std::isfinite(v))
      throw input_error(name + ": tetrahedron " + std::to_string(e) + " has no volume; repair or delete it.");
    if (v < 0) std::swap(t[2], t[3]);
  }
}

}  // namespace

VolumeFile parse_volume_file(std::string_view text, const std::string& format, const std::string& file) {
  TextScanner in(text, file);
  VolumeFile result;
  if (format == ".tet") {
    result = parse_tet(in);
  } else if (format == ".mesh") {
    result = parse_medit(in);
  } else if (format == ".msh") {
    GmshReader reader{in, {}, {}, {}};
    reader.read();
    result = std::move(reader.file);
  } else {
    throw usage_error(file + ": the ending \"" + format +
                      "\" names no body mesh that can be read; use .mesh, .msh or .tet.");
  }
  turn_positive(result, file);
  return result;
}

VolumeFile read_volume_file(const std::filesystem::path& path) {
  return parse_volume_file(read_text_file(path), path.extension().string(), path.string());
}

}  // namespace sinew
