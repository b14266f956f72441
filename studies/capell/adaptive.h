// Capell (2004), figure 6.9: basis functions only where the body deforms, compared with all of them everywhere.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct AdaptiveOptions {
  std::string clip;    // of the character; empty: the last one
  double seconds = 1;  // length of the part of it that is used
  int cells = 640, levels = 2;
  double threshold = 0.005;                // strain above which detail is used
  std::vector<double> shares{0.265, 0.1};  // limits of the number of unknowns, relative to the uniform run's
};

struct AdaptiveRow {
  std::string name;
  int most_unknowns = 0;        // largest number of unknowns solved for at once
  double rms = 0, largest = 0;  // distance from the uniform run's surface over all frames, relative to the height
  double milliseconds = 0;      // per step with its surface, median
  double iterations = 0;        // per step, mean
};

// State of a run at one time, for pictures.
struct AdaptiveFrame {
  double time = 0;             // seconds
  std::vector<Vec3> surface;   // world, metres
  std::vector<double> detail;  // per vertex: fraction of the detail there that is in use
};

struct AdaptiveExperiment {
  std::string character, clip;
  std::size_t cells = 0;
  double largest_displacement = 0;  // of the uniform run from the rig, relative to the height
  std::vector<AdaptiveRow> rows;    // the uniform run first; the coarsest level by itself last
  TriangleMesh rest;
  std::vector<std::vector<AdaptiveFrame>> shown;  // frames of the uniform and of the first adaptive run
};

// Throws input_error for a character without clips or without the named one.
AdaptiveExperiment adaptive_experiment(const Character& character, const std::string& name,
                                       const AdaptiveOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
