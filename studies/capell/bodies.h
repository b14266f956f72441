// Comparison of bodies for a character's flesh: a control lattice and tetrahedra. Both move through the liveliest of
// the character's clips, and are compared with a body of many tetrahedra.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/cook/flesh/flesh_settings.h"

namespace sinew {

struct BodiesOptions {
  std::string clip;    // empty: the liveliest of those whose bones accelerate by less than 150 m/s^2 in total
  double seconds = 1;  // length of the part of it that is used, at most
  Reference reference = Reference::rig;
  int fine = 50000;  // tetrahedra of the body that others are compared with; 0: none, only timing
  std::vector<int> tetrahedra{1000, 2500, 8000, 20000};
  double adapt = 0.005;  // strain above which the adaptive run uses detail
};

// Motion is the difference between the output and the static equilibrium in the pose of that time; with the rig as
// reference, between the output and the rig's surface.
struct BodiesRow {
  std::string body;
  int elements = 0, unknowns = 0;
  double young = 0;          // pascals: the stiffness that the material preset resulted in
  double error = 0;          // root mean square distance from the fine body's motion, relative to that motion
  double largest_error = 0;  // largest distance, relative to the fine body's largest motion
  double shape_error = 0;    // root mean square distance between the two equilibria, relative to the height
  double amplitude = 0;      // root mean square motion, relative to the fine body's
  double volume_low = 1, volume_high = 1;  // of the body relative to rest, extremes over the clip
  double least_det = 1;                    // least determinant of the deformation gradient, over elements and the clip
  double milliseconds = 0;                 // per step with its surface, median
  double iterations = 0;                   // per step, mean
  double cook_seconds = 0;                 // from the character to a body that can be stepped
};

struct BodiesExperiment {
  std::string character, clip;
  Reference reference = Reference::rig;
  double motion = 0, largest_motion = 0;  // of the fine body: root mean square and largest, relative to the height
  std::vector<BodiesRow> rows;            // the fine body last, if there is one
};

// Throws input_error for a character without clips or without the named one.
BodiesExperiment bodies_experiment(const Character& character, const std::string& name,
                                   const BodiesOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
