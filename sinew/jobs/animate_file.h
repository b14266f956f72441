// The main job, file to file: a rigged character and a clip go in, the same character with moving flesh
// comes out. The program's `animate` and every other face call this.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "sinew/cook/flesh_settings.h"
#include "sinew/cook/mixed_settings.h"
#include "sinew/bake/bake_options.h"
#include "sinew/bake/morph_fit.h"
#include "sinew/cook/rig_space_settings.h"
#include "sinew/cook/run_report.h"
#include "sinew/base/progress.h"
#include "sinew/deform/scene_maker.h"

namespace sinew {

enum class Method { flesh, mixed, surface, rig_space, made };  // made: by a SceneMaker (cook/scene_makers.h)

struct AnimateJob {
  std::filesystem::path input;       // .glb, .gltf or .vrm
  std::filesystem::path output;      // .glb, .gltf, .pc2 or .mdd
  std::filesystem::path preview;     // .png filmstrip; empty: none
  std::filesystem::path report;      // .json; empty: none
  std::filesystem::path curves;      // .csv of the free parameters (rig_space); empty: none
  std::filesystem::path checkpoint;  // empty: none
  std::filesystem::path take;        // what is done to the character meanwhile (.json); empty: nothing
  bool resume = false;
  Method method = Method::flesh;
  FleshSettings settings;  // of flesh
  MixedSettings mixed;
  RigSpaceSettings rig_space;
  std::shared_ptr<SceneMaker> maker;      // of the method `made`
  std::optional<double> ground;           // metres, of the same
  std::filesystem::path skinning;    // rig_space: the inside as `sinew learn` found it (.vskin); empty: found anew
  std::filesystem::path model;       // surface: what `sinew fit` made (.sinew)
  std::optional<double> steps_per_second;  // surface: other steps than the model's, parameters converted
  std::string skeleton;              // mixed, without skin weights: the topmost joint by name; empty: found
  std::string clip;                  // name; empty: the first; "all": every one, sharing morph targets
  std::optional<double> begin, end;  // seconds on the clip's time line
  double frames_per_second = 30;
  Loop loop = Loop::automatic;
  bool accessories = true;           // go along with the flesh that they sit on; else they stay with the rig
  std::optional<double> real_time;   // played at this many simulated seconds per second
  MorphFitOptions morphs;
  std::optional<double> height;  // of the character, metres
  std::optional<double> unit;    // metres per file unit
};

struct AnimateResult {
  RunReport report;
  bool complete = true;    // false: `progress` asked for a stop; nothing but the checkpoint was written
  bool resumable = false;  // stopped, and the checkpoint holds the state
};

// Throws Error: usage for impossible requests, input for files that cannot be worked with, simulation
// where the numbers go wrong. Output files appear only when complete.
AnimateResult animate_file(const AnimateJob& job, const Progress& progress = {});

}  // namespace sinew
