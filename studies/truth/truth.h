// Accuracy of a character's default flesh, and of other methods, relative to the full nonlinear law in the same body.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "studies/truth/nonlinear_flesh.h"

namespace sinew {

struct TruthOptions {
  std::string clip;                // empty: the first one
  std::vector<std::string> swing;  // joints that springs move; empty: those with common names of such parts
  int tetrahedra = 3000;           // approximate number; all other settings of the flesh have their defaults
  NonlinearLaw law;
  double seconds = 1;       // length of the part of the clip that is used, at most
  double step = 1.0 / 480;  // of the reference, the "truth"
  double frames_per_second = 60;
  bool others = true;   // whether the truth is also compared with variants: stiffening, law, step, natural shape
  bool methods = true;  // whether springs are measured as well
  bool learned = true;  // and, with them, a surface model that learned the flesh
};

// Distances from the truth over frames and vertices, relative to the truth's own motion: root mean square, and largest
// relative to largest.
struct TruthRow {
  std::string name;
  double error = 0, largest = 0;
  double amplitude = 0;          // root mean square of its own motion relative to the truth's
  double step = 0;               // seconds
  double flesh = 0, linear = 0;  // of a variant: its distance from the flesh, as displayed and as computed
  double step_microseconds = 0, frame_microseconds = 0;  // frame: its steps and its output
};

// The vertices that follow mostly one joint: their fraction of all squared distances from the truth, and of the truth's
// own squared motion.
struct TruthPlace {
  std::string joint;
  double error = 0, motion = 0;
};

struct TruthExperiment {
  std::string character, clip;
  int tetrahedra = 0, free_vertices = 0;
  double height = 0;     // metres
  double amount = 0;     // softness that the clips led to, relative to that of the material preset
  double frequency = 0;  // of the material preset, hertz
  double damping_ratio = 0;
  double motion = 0, largest_motion = 0;  // of the truth relative to the rig, as fractions of the longest side
  double held_samples = 0;  // fraction of samples that the rig itself strains beyond the bound, mean over the clip
  double stop_seconds = 0;  // when the rig was stopped
  // Hertz, ratio: of the dominant oscillation.
  double truth_ring = 0, truth_damping = 0, flesh_ring = 0, flesh_damping = 0;
  double ring_left = 0;             // fraction of the truth's oscillation that one damped oscillation does not explain
  std::vector<TruthRow> parts;      // contributions to the default flesh: each row adds one of its components
  std::vector<TruthRow> nonlinear;  // flesh of nonlinear elasticity: as computed, and with each of its limits
  // Hertz, ratio: of its dominant oscillation, and of the truth's in the same body.
  double nonlinear_ring = 0, nonlinear_damping = 0, tissue_ring = 0, tissue_damping = 0;
  std::vector<TruthPlace> places;  // of the default flesh, those with most of its error first
  std::vector<TruthRow> others;    // variants of the truth
  std::vector<TruthRow> methods;
};

TruthExperiment truth_experiment(const Character& character, const std::string& name, const TruthOptions& options = {},
                                 const Progress& progress = {});

}  // namespace sinew
