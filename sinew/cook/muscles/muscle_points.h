// Points along muscles, carried by the tetrahedra of the body.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/cook/muscles/muscle_file.h"
#include "sinew/deform/muscle_lines.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A point as a weighted mean of vertices.
struct MusclePoint {
  std::array<int, 4> vertex{};
  std::array<double, 4> weight{};  // of sum 1; negative ones where the point lies outside of the body
};

struct MusclePoints {
  std::vector<MuscleLine> lines;    // per muscle
  std::vector<MusclePoint> points;  // MuscleLines::points per muscle
};

MusclePoints muscle_points(const MuscleFile& file, const TetrahedralMesh& mesh);

}  // namespace sinew
