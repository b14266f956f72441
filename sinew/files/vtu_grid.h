// VTK unstructured grids as text: .vtu files with format="ascii" (https://docs.vtk.org, XML file formats).
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
  bool whole = false;  // values are integers, written as Int64
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
  // Faces of polyhedra: those of cell c are cell_face_start[c] up to [c + 1]. Other cells have none; empty without
  // polyhedra.
  std::vector<int> cell_face_start, face_start{0}, face_corner;

  std::vector<VtuArray> point_data, cell_data, field_data;
  std::vector<VtuTexts> field_texts;

  std::size_t cells() const { return types.size(); }
};

std::string vtu_text(const VtuGrid& grid);

// Reads files of vtu_text() and of ParaView (Data Mode: Ascii) with one piece, and polyhedra in the layouts before and
// since VTK 9.4. Indices in the result are in range and points finite; data values may be infinite or nan. `file` is
// used in messages. Throws input_error.
VtuGrid parse_vtu(std::string_view text, const std::string& file);

}  // namespace sinew
