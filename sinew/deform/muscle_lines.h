// Lines along the muscles of a scene, by which displays draw them.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/deform/body_cells.h"

namespace sinew {

// A muscle as it is drawn: a spindle around its line.
struct MuscleLine {
  double length = 0;  // at rest, metres
  double radius = 0;  // of the middle at rest, metres
};

struct MuscleLines {
  // Points of each line from origin to insertion, at equal distances along it at rest.
  static constexpr std::size_t points = 13;

  std::vector<MuscleLine> lines;  // in the order of MuscleControls::names()
  // Computes the places of all points, line after line, as PlaceCells does.
  PlaceCells place{};
};

}  // namespace sinew
