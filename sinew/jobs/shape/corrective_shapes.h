// The static effect of force rigs as corrective shapes: morph targets, one for each sample of a rig, with weights that
// follow its controls as the forces do. A shape is the change of the skin by the sample's forces in static equilibrium,
// in the pose of the sample, brought back to bind space through the vertex's blended skinning matrix.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bake/output/morph_fit.h"
#include "sinew/base/progress.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/shape/control_values.h"
#include "sinew/shape/sample_weights.h"
#include "sinew/shape/shape_forces.h"

namespace sinew {

// Distances between flesh in static equilibrium and the skinned mesh with its shapes, metres, over the skin that moves.
struct CorrectiveError {
  double rms = 0, largest = 0;
};

struct CorrectiveRig {
  std::string name;
  std::vector<SampledForce> samples;
  std::vector<int> target;              // per sample: its target; -1: it does nothing
  double moves = 0;                     // farthest of the skin, metres
  CorrectiveError at_samples, between;  // between: halfway from each sample to the next
};

struct CorrectiveFrame {
  int clip = -1;
  double time = 0;  // seconds, clip time
  CorrectiveError error;
};

struct CorrectiveShapes {
  std::vector<CorrectiveRig> rigs;       // of those that have shapes
  std::vector<std::size_t> rig_of_file;  // per rig of `rigs`: its number in the file
  std::vector<std::string> names;        // of the targets
  MorphFit fit;                          // weights[c] belongs to keys[c]
  std::vector<Recording> keys;           // times at which the clips have keys
  std::vector<CorrectiveFrame> frames;   // over all clips
  std::vector<std::string> notes;
};

// `controls`: of work.file. `frames_per_clip`: at which the error is measured. Throws input_error if no rig has a
// shape, and simulation_error naming the rig where there is no equilibrium.
CorrectiveShapes corrective_shapes(ShapeWork& work, const ControlValues& controls, int frames_per_clip,
                                   const Progress& progress = {});

}  // namespace sinew
