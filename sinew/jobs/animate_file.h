// The main job: takes a file with a rigged character and a clip, and writes the same character with moving flesh. The
// program's `animate` and all other front ends call it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/output/morph_fit.h"
#include "sinew/bake/run_report.h"
#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/pictures/preview.h"

namespace sinew {

// A run from file to file: the options of `sinew animate`.
struct AnimateJob {
  MethodChoice method = FleshMethod();
  std::filesystem::path input;  // .glb, .gltf or .vrm
  // Values of --motion: FILE (.bvh, .glb, .gltf, .vrm, .vrma), FILE@CLIP or test:NAME. Empty: the input's own clips.
  std::vector<std::string> motions;
  std::filesystem::path motion_map;         // bones named by hand (.json); empty: none
  std::filesystem::path output;             // .glb, .gltf, .pc2 or .mdd
  std::filesystem::path preview;            // .png filmstrip or .webp animation; empty: none
  std::optional<PreviewView> preview_view;  // view of the preview; empty: three-quarter
  bool preview_heat = false;                // colours the preview's flesh by its distance from the rig
  std::filesystem::path report;             // .json; empty: none
  std::filesystem::path curves;      // .csv of the free parameters, for methods that compute controls; empty: none
  std::filesystem::path rotations;   // of the body's elements, for methods that are given them; empty: none
  std::filesystem::path checkpoint;  // empty: none
  std::filesystem::path take;        // recorded interaction to apply (.json); empty: none
  bool resume = false;
  // Name or number of the clip; empty: the first, of motions the first of each; "all": every clip, with shared morph
  // targets. A single motion that leaves its clip open is asked for this one; otherwise the motions' clips come first,
  // then the character's own.
  std::string clip;
  std::optional<double> begin, end;  // seconds, clip time
  double frames_per_second = 30;
  Loop loop = Loop::automatic;
  bool accessories = true;      // accessories move with the flesh under them; false: with the rig
  std::optional<double> speed;  // simulated seconds per wall-clock second; empty: as fast as possible
  MorphFitOptions morphs;
  std::optional<double> height;  // height of the character, metres
  std::optional<double> unit;    // metres per file unit
};

// The outcome of a run.
struct AnimateResult {
  RunReport report;
  bool complete = true;    // false if `progress` asked for a stop; only the checkpoint was written
  bool resumable = false;  // stopped, with the state in the checkpoint
};

// Throws Error with kind usage for impossible requests, input for unusable files, and simulation for numerical failure.
// Output files appear only when complete.
AnimateResult animate_file(const AnimateJob& job, const Progress& progress = {});

}  // namespace sinew
