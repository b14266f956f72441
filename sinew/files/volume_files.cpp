#include "sinew/files/volume_files.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/vtu_grid.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// printf that appends to a string.
class Writer {
 public:
  [[gnu::format(printf, 2, 3)]] void operator()(const char* format, ...) {
    char buffer[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    text_.append(buffer, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof buffer) - 1)));
  }
  void append(std::string_view text) { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void check_arrays(const TetrahedralMesh& mesh, std::span<const ElementArray> arrays) {
  for (const ElementArray& array : arrays) {
    if (array.values.size() != mesh.tetrahedra.size())
      throw usage_error("the element array \"" + array.name + "\" has " + std::to_string(array.values.size()) +
                        " values for " + std::to_string(mesh.tetrahedra.size()) + " tetrahedra.");
    const bool plain_name = !array.name.empty() && std::all_of(array.name.begin(), array.name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!plain_name)
      throw usage_error("the element array's name \"" + array.name +
                        "\" has other characters than letters, digits and underscores.");
    if (!std::all_of(array.values.begin(), array.values.end(), [](double v) { return std::isfinite(v); }))
      throw usage_error("the element array \"" + array.name + "\" has values that are not finite numbers.");
  }
}

std::string tetrahedra_vtu_text(const TetrahedralMesh& mesh, std::span<const ElementArray> arrays) {
  VtuGrid grid;
  grid.points = mesh.positions;
  grid.types.assign(mesh.tetrahedra.size(), vtk_tetra);
  for (const Tetrahedron& t : mesh.tetrahedra) {
    grid.corner.insert(grid.corner.end(), t.begin(), t.end());
    grid.cell_start.push_back(static_cast<int>(grid.corner.size()));
  }
  for (const ElementArray& array : arrays) grid.cell_data.push_back({array.name, 1, false, array.values});
  return vtu_text(grid);
}

std::string gmsh_text(const TetrahedralMesh& mesh, std::span<const ElementArray> arrays) {
  Writer out;
  out("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%zu\n", mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    out("%zu %.17g %.17g %.17g\n", i + 1, mesh.positions[i].x, mesh.positions[i].y, mesh.positions[i].z);
  out("$EndNodes\n$Elements\n%zu\n", mesh.tetrahedra.size());
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
    const Tetrahedron& t = mesh.tetrahedra[i];
    out("%zu 4 2 1 1 %d %d %d %d\n", i + 1, t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1);
  }
  out("$EndElements\n");
  for (const ElementArray& array : arrays) {
    out.append("$ElementData\n1\n\"" + array.name + "\"\n");
    out("1\n0\n3\n0\n1\n%zu\n", array.values.size());
    for (std::size_t i = 0; i < array.values.size(); ++i) out("%zu %.17g\n", i + 1, array.values[i]);
    out("$EndElementData\n");
  }
  return out.text();
}

std::string medit_text(const TetrahedralMesh& mesh, std::span<const ElementArray> arrays) {
  const auto reference =
      std::find_if(arrays.begin(), arrays.end(), [](const ElementArray& a) { return a.name == "component"; });
  Writer out;
  out("MeshVersionFormatted 2\nDimension 3\nVertices\n%zu\n", mesh.positions.size());
  for (const Vec3& p : mesh.positions) out("%.17g %.17g %.17g 0\n", p.x, p.y, p.z);
  out("Tetrahedra\n%zu\n", mesh.tetrahedra.size());
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
    const Tetrahedron& t = mesh.tetrahedra[i];
    out("%d %d %d %d %.0f\n", t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1,
        reference == arrays.end() ? 0.0 : reference->values[i]);
  }
  out("End\n");
  return out.text();
}

}  // namespace

bool names_body_mesh(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".vtu" || ending == ".msh" || ending == ".mesh";
}

void write_volume_file(const std::filesystem::path& path, const TetrahedralMesh& mesh,
                       std::span<const ElementArray> arrays) {
  check_arrays(mesh, arrays);
  const std::string extension = path.extension().string();
  if (extension == ".vtu")
    write_text_file(path, tetrahedra_vtu_text(mesh, arrays));
  else if (extension == ".msh")
    write_text_file(path, gmsh_text(mesh, arrays));
  else if (extension == ".mesh")
    write_text_file(path, medit_text(mesh, arrays));
  else
    throw usage_error(path.string() + ": the ending \"" + extension +
                      "\" names no body mesh format; use .vtu (ParaView), .msh (Gmsh) or .mesh (Medit).");
}

std::vector<ElementArray> element_arrays(const VolumeMesh& body) {
  const std::size_t count = body.mesh.tetrahedra.size();
  std::vector<int> component;
  measure_quality(body.mesh, &component);
  std::vector<ElementArray> arrays;
  const auto add = [&](const char* name, const auto& value) {
    ElementArray array{name, std::vector<double>(count)};
    for (std::size_t e = 0; e < count; ++e) array.values[e] = static_cast<double>(value(e));
    arrays.push_back(std::move(array));
  };
  add("component", [&](std::size_t e) { return component[e]; });
  add("cell", [&](std::size_t e) { return body.cell[e]; });
  add("duplicated", [&](std::size_t e) { return body.duplicated[e]; });
  add("inside_fraction", [&](std::size_t e) { return body.inside_fraction[e]; });
  add("smallest_dihedral_angle", [&](std::size_t e) { return dihedral_angles(corners_of(body.mesh, e)).smallest; });
  add("largest_dihedral_angle", [&](std::size_t e) { return dihedral_angles(corners_of(body.mesh, e)).largest; });
  return arrays;
}

}  // namespace sinew
