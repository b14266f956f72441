// Learning a character's flesh from one clip that finite elements simulated, and playing it on another.
#pragma once

#include <string>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/deform/surface/fit/fit_surface.h"

namespace sinew {

struct LearningOptions {
  std::string learned, unseen;     // clips; empty: the first, and the first other one if there is one
  double frames_per_second = 120;  // rate of the compared frames
  FleshSettings flesh;             // settings of the examples
  SurfaceFitOptions fit;
};

// Distances from the flesh: root mean square over all frames and over the vertices of the file.
struct LearningClip {
  std::string name;
  bool seen = false;  // true if the model learned from it
  std::size_t frames = 0;
  double goal_rms = 0, rms = 0;  // metres: distance of the rig alone, and of the model

  double removed() const { return goal_rms > 0 ? 1 - rms / goal_rms : 0; }
};

struct LearningExperiment {
  std::string character;
  double height = 0;  // metres
  std::size_t vertices = 0, file_bytes = 0;
  double fit_seconds = 0;
  std::vector<LearningClip> clips;
  SimulationSurface surface;
  SurfaceModel model;        // as stored in its file
  Recording flesh, learned;  // of the last clip
};

// Follows `animate --method flesh`, `fit`, `animate --method surface` and `compare`. Throws input_error for a character
// without clips or without the named ones.
LearningExperiment learning_experiment(const Character& character, const std::string& name,
                                       const LearningOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
