// Capell (2004), figure 6.9: functions of the basis where the body deforms, against all of them everywhere.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct AdaptiveOptions {
  std::string clip;    // of the character; empty: the last
  double seconds = 1;  // of it
  int cells = 640, levels = 2;
  double threshold = 0.005;                // strain from which detail is used
  std::vector<double> shares{0.265, 0.1};  // of the uniform run's unknowns, that are solved at most
};

struct AdaptiveRow {
  std::string name;
  int most_unknowns = 0;        // solved at a time
  double rms = 0, largest = 0;  // distance from the uniform run's surface over all frames, over the height
  double milliseconds = 0;      // a step with its surface, median
  double iterations = 0;        // a step, mean
};

// What a run shows at one time.
struct AdaptiveFrame {
  double time = 0;             // seconds
  std::vector<Vec3> surface;   // world, metres
  std::vector<double> detail;  // per vertex: share of the detail there that is in use
};

struct AdaptiveExperiment {
  std::string character, clip;
  std::size_t cells = 0;
  double largest_displacement = 0;  // of the uniform run from the rig, over the height
  std::vector<AdaptiveRow> rows;    // the uniform run first; the coarsest level alone last
  TriangleMesh rest;
  std::vector<std::vector<AdaptiveFrame>> shown;  // of the uniform and the first adaptive run
};

// Throws input_error for a character without clips, or without this one.
AdaptiveExperiment adaptive_experiment(const Character& character, const std::string& name,
                                       const AdaptiveOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
