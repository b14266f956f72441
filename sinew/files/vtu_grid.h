// Unstructured grids of VTK as text: .vtu files with format="ascii" (https://docs.vtk.org, XML file formats).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Cell types of VTK.
inline constexpr int vtk_tetra = 10, vtk_voxel = 11, vtk_hexahedron = 12, vtk_wedge = 13, vtk_polyhedron = 42;

struct VtuArray {
  std::string name;
  int components = 1;
  bool whole = false;  // numbers are whole: written as Int64
  std::vector<double> values;
};

struct VtuTexts {
  std::string name;
  std::vector<std::string> values;
};

struct VtuGrid {
  std::vector<Vec3> points;
  std::vector<int> types;          // per cell
  std::vector<int> cell_start{0};  // corners of cell c: corner[cell_start[c]] up to cell_start[c + 1]
  std::vector<int> corner;
  // Faces of polyhedra; other cells have none. Faces of cell c: cell_face_start[c] up to [c + 1]. Empty without
  // polyhedra.
  std::vector<int> cell_face_start, face_start{0}, face_corner;

  std::vector<VtuArray> point_data, cell_data, field_data;
  std::vector<VtuTexts> field_texts;

  std::size_t cells() const { return types.size(); }
};

std::string vtu_text(const VtuGrid& grid);

// Reads what vtu_text() and ParaView (Data Mode: Ascii) write, with one piece. Polyhedra may stand as before or since
// VTK 9.4. All indices are in range and points finite; values of data may be infinite or nan. `file` names the file in
// messages. Throws input_error.
VtuGrid parse_vtu(std::string_view text, const std::string& file);

}  // namespace sinew
