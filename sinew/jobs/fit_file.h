// Learns a character's flesh from examples, file to file: the job of `sinew fit`.
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

// One clip of the character with its flesh.
struct FitExample {
  std::filesystem::path
      file;          // .pc2, .mdd, a character (.glb, .gltf, .vrm), or markers (.csv) for a material; empty: simulated
  std::string clip;  // name; empty: the first
  std::optional<double> begin, end;  // seconds, clip time
};

// A fit from file to file: the options of `sinew fit`.
struct FitJob {
  std::filesystem::path input;       // character: .glb, .gltf or .vrm
  std::filesystem::path output;      // .sinew
  std::filesystem::path report;      // .json; empty: none
  std::filesystem::path show;        // .png: picture of the parameters; empty: none
  std::filesystem::path paint;       // .glb: the character with the parameters as vertex attributes; empty: none
  std::filesystem::path checkpoint;  // empty: none
  bool resume = false;
  std::vector<FitExample> examples;  // may be empty if parameters are painted on the character
  FleshSettings settings;            // for simulated examples
  double frames_per_second = 30;     // for PC2 examples
  double steps_per_second = 120;     // of the model; at 60 it loses what swings faster than some 5 Hz
  ShapeReference reference = ShapeReference::rig;
  int modes = 0;             // largest number of low-frequency body modes in the goal; 0: none
  double mode_coupling = 0;  // coupling from the surface's deviation from the goal to the modes
  bool exercise = true;      // adds a synthetic example if examples are simulated (exercise_clip.h)
  SurfaceFitOptions fit{.tolerance = 2e-3, .least_iterations = 11, .alone_tolerance = 1e-3, .range_margin = 1.1};
  bool cross_validate = false;   // choose fit.smoothness by leaving frames out
  std::optional<double> height;  // height of the character, metres
  std::optional<double> unit;    // metres per file unit
};

// How far the fitted model is from one example.
struct FitExampleReport {
  std::string clip, source;      // "flesh" if simulated
  std::size_t frames = 0;        // number of frames at the model's steps
  double goal_rms = 0, rms = 0;  // metres: errors of the goal and of the model, over all frames and vertices
};

// The held-out part of the examples, and the error there of the model fitted without it.
struct HeldOutReport {
  std::string what;              // "the last 0.25 s of 'Walk'", "'Walk'"; empty: nothing was held out
  double goal_rms = 0, rms = 0;  // metres
};

// Report of a fit.
struct FitReport {
  std::vector<FitExampleReport> examples;
  double goal_rms = 0, rms = 0;  // over all examples, with the model as written
  HeldOutReport held_out;
  double rms_before_rounding = 0;  // before the parameters were rounded to 8 bits
  double height = 0;               // metres
  std::size_t vertices = 0, file_bytes = 0;
  double smoothness = 0;                // used by the fit
  std::vector<SmoothnessTrial> trials;  // trials of cross-validation; empty without it
  int iterations = 0;
  bool converged = false;
  std::vector<std::string> notes;  // actions and decisions, as sentences for the user
  std::vector<StageReport> stages;
};

// The outcome of a fit.
struct FitResult {
  FitReport report;
  SurfaceModel model;    // the model as written
  bool complete = true;  // false if stopped; only the checkpoint was written
};

// Throws Error with kind usage for impossible requests and input for unusable files.
FitResult fit_file(const FitJob& job, const Progress& progress = {});

// The report as JSON, as `sinew fit --report` writes it.
std::string fit_report_json(const FitJob& job, const FitReport& report);

}  // namespace sinew
