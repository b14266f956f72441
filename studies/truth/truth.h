// A character's default flesh, and what else moves characters, against the full, nonlinear law in the same body.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "studies/truth/nonlinear_flesh.h"

namespace sinew {

struct TruthOptions {
  std::string clip;                // empty: the first
  std::vector<std::string> swing;  // joints that springs swing; empty: those with names of what usually does
  int tetrahedra = 3000;           // aimed at; all else of the flesh is its default
  NonlinearLaw law;
  double seconds = 1;       // of the clip, at most
  double step = 1.0 / 480;  // of the truth
  double frames_per_second = 60;
  bool others = true;   // whether truth is also compared with other truths: stiffening, law, step, natural shape
  bool methods = true;  // whether springs are asked as well,
  bool learned = true;  // and with them a surface model that learns the flesh
};

// Distances from the truth over frames and vertices, as shares of the truth's own: root mean square, and the largest
// over the largest.
struct TruthRow {
  std::string name;
  double error = 0, largest = 0;
  double amplitude = 0;          // root mean square of its own motion over the truth's
  double step = 0;               // seconds
  double flesh = 0, linear = 0;  // of another truth: how far flesh is from it, as it is shown and as it is computed
  double step_microseconds = 0, frame_microseconds = 0;  // frame: its steps, and what it takes to show it
};

// What hangs mostly on one joint: shares of all squared distances from the truth, and of the truth's own squared
// motion.
struct TruthPlace {
  std::string joint;
  double error = 0, motion = 0;
};

struct TruthExperiment {
  std::string character, clip;
  int tetrahedra = 0, free_vertices = 0;
  double height = 0;     // metres
  double amount = 0;     // how soft the clips make the look, of the look's own softness
  double frequency = 0;  // hertz: of the look
  double damping_ratio = 0;
  double motion = 0, largest_motion = 0;  // of the truth from the rig, shares of the longest side
  double held_samples = 0;  // share of samples that the rig itself strains beyond the bound, mean over the clip
  double stop_seconds = 0;  // when the rig was stopped
  double truth_ring = 0, truth_damping = 0, flesh_ring = 0, flesh_damping = 0;  // hertz, ratio: of the dominant ringing
  double ring_left = 0;            // share of the truth's ringing that one damped swing does not explain
  std::vector<TruthRow> parts;     // the default flesh, taken apart: each row adds one thing that it does
  std::vector<TruthPlace> places;  // of the default flesh, those with most of its error first
  std::vector<TruthRow> others;    // other truths
  std::vector<TruthRow> methods;
};

TruthExperiment truth_experiment(const Character& character, const std::string& name, const TruthOptions& options = {},
                                 const Progress& progress = {});

}  // namespace sinew
