// CSV files of markers: trajectories of points on a character's skin, as motion capture exports them. The first line is
// `name,time,x,y,z`; the others hold one position each: seconds on the clip's time line, metres, world, +Y up. Lines
// without coordinates are gaps.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// A trajectory.
struct Marker {
  std::string name;
  std::size_t line = 0;         // number of its first line in the file, from 1
  std::vector<double> times;    // seconds, ascending
  std::vector<Vec3> positions;  // metres, world, one per time
};

// Reads the markers in the order of their first lines. Throws input_error that names file, line and remedy.
std::vector<Marker> read_markers_csv(const std::filesystem::path& path);

}  // namespace sinew
