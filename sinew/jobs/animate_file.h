// The main job, file to file: a rigged character and a clip go in, the same character with moving flesh
// comes out. The program's `animate` and every other face call this.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/output/morph_fit.h"
#include "sinew/bake/run_report.h"
#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/pictures/preview.h"

namespace sinew {

// A run from file to file: what the options of `sinew animate` say.
struct AnimateJob {
  MethodChoice method = FleshMethod();
  std::filesystem::path input;  // .glb, .gltf or .vrm
  std::filesystem::path
      motion;  // clips of the same skeleton in another file (.glb, .gltf, .vrm); empty: the input's own
  std::filesystem::path output;             // .glb, .gltf, .pc2 or .mdd
  std::filesystem::path preview;            // .png filmstrip or .webp animation; empty: none
  std::optional<PreviewView> preview_view;  // of the preview; empty: three-quarter
  bool preview_heat = false;                // of the preview: flesh in the colours of its distance from the rig
  std::filesystem::path report;             // .json; empty: none
  std::filesystem::path curves;      // .csv of the free parameters (of methods that answer with them); empty: none
  std::filesystem::path checkpoint;  // empty: none
  std::filesystem::path take;        // what is done to the character meanwhile (.json); empty: nothing
  bool resume = false;
  std::string clip;  // name or number, of the motion's file where there is one; empty: the first; "all": every one,
                     // sharing morph targets
  std::optional<double> begin, end;  // seconds on the clip's time line
  double frames_per_second = 30;
  Loop loop = Loop::automatic;
  bool accessories = true;      // go along with the flesh that they sit on; else they stay with the rig
  std::optional<double> speed;  // played at the clock's pace, so many simulated seconds per second
  MorphFitOptions morphs;
  std::optional<double> height;  // of the character, metres
  std::optional<double> unit;    // metres per file unit
};

// The outcome of a run.
struct AnimateResult {
  RunReport report;
  bool complete = true;    // false: `progress` asked for a stop; nothing but the checkpoint was written
  bool resumable = false;  // stopped, and the checkpoint holds the state
};

// Throws Error: usage for impossible requests, input for files that cannot be worked with, simulation
// where the numbers go wrong. Output files appear only when complete.
AnimateResult animate_file(const AnimateJob& job, const Progress& progress = {});

}  // namespace sinew
