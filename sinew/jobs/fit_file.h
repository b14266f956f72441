// Learning a character's flesh from examples, file to file: what `sinew fit` does.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/bake/run_report.h"
#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/deform/surface/fit/cross_validation.h"
#include "sinew/deform/surface/fit/fit_surface.h"
#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// One performance of the character, with its flesh.
struct FitExample {
  std::filesystem::path file;        // .pc2, .mdd, or a character (.glb, .gltf, .vrm); empty: simulated with `flesh`
  std::string clip;                  // by name; empty: the first
  std::optional<double> begin, end;  // seconds on the clip's time line
};

// A fit from file to file: what the options of `sinew fit` say.
struct FitJob {
  std::filesystem::path input;       // character: .glb, .gltf or .vrm
  std::filesystem::path output;      // .sinew
  std::filesystem::path report;      // .json; empty: none
  std::filesystem::path show;        // .png: picture of the parameters; empty: none
  std::filesystem::path paint;       // .glb: the character with the parameters as vertex attributes; empty: none
  std::filesystem::path checkpoint;  // empty: none
  bool resume = false;
  std::vector<FitExample> examples;  // may be empty where parameters are painted on the character
  FleshSettings settings;            // of simulated examples
  double frames_per_second = 30;     // of PC2 examples
  double steps_per_second = 60;      // of the model
  ShapeReference reference = ShapeReference::rig;
  int modes = 0;             // at most so many low-frequency modes of the body in the goal; 0: none
  double mode_coupling = 0;  // of the surface's deviation from the goal to them
  bool exercise = true;      // where examples are simulated, one more is made (exercise_clip.h)
  SurfaceFitOptions fit{.tolerance = 2e-3, .least_iterations = 11, .alone_tolerance = 1e-3, .range_margin = 1.1};
  bool cross_validate = false;   // fit.smoothness is chosen by leaving frames out
  std::optional<double> height;  // of the character, metres
  std::optional<double> unit;    // metres per file unit
};

// How far the fitted model is from one example.
struct FitExampleReport {
  std::string clip, source;      // "flesh" where simulated
  std::size_t frames = 0;        // at the model's steps
  double goal_rms = 0, rms = 0;  // metres: of the goal and of the model, over all frames and vertices
};

// The part of the examples that was learned at last, and how far the model that had not seen it was from it.
struct HeldOutReport {
  std::string what;              // "the last 0.25 s of 'Walk'", "'Walk'"; empty: nothing was held out
  double goal_rms = 0, rms = 0;  // metres
};

// What a fit has to tell.
struct FitReport {
  std::vector<FitExampleReport> examples;
  double goal_rms = 0, rms = 0;  // over all examples, of the model as its file has it
  HeldOutReport held_out;
  double rms_before_rounding = 0;  // of the parameters before they became 8 bits each
  double height = 0;               // metres
  std::size_t vertices = 0, file_bytes = 0;
  double smoothness = 0;                // with which was fitted
  std::vector<SmoothnessTrial> trials;  // of cross-validation; empty without
  int iterations = 0;
  bool converged = false;
  std::vector<std::string> notes;  // what was done and decided, for people
  std::vector<StageReport> stages;
};

// The outcome of a fit.
struct FitResult {
  FitReport report;
  SurfaceModel model;    // as its file has it
  bool complete = true;  // false: stopped; nothing but the checkpoint was written
};

// Throws Error: usage for impossible requests, input for files that cannot be worked with.
FitResult fit_file(const FitJob& job, const Progress& progress = {});

// The report as JSON, as `sinew fit --report` writes it.
std::string fit_report_json(const FitJob& job, const FitReport& report);

}  // namespace sinew
