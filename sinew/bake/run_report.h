// What a run has to tell afterwards: plain numbers, which jobs/animate/report.h writes as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/deform/cook_report.h"

namespace sinew {

struct FrameReport {
  double time = 0;          // seconds on the clip's time line
  double milliseconds = 0;  // wall time spent on all steps up to this frame since the last one
  int iterations = 0;       // of the linear solver, over the same steps
  double energy = 0;        // joules: elastic and kinetic, measured against the goal
  double volume_ratio = 1;  // volume of the body over its volume at rest
  double min_det = 1;       // smallest determinant of the deformation gradient over all elements
  // Shares of the vertices that safety clamps held back (SafetyClamps, deform/display/displayed_deformer.h).
  double strain_limit = 0, display_limit = 0;
};

// How a clip kept up with the clock on the wall.
struct RealTimeReport {
  struct Steps {
    double step = 0;  // simulated seconds
    int count = 0;    // of this length
  };

  double speed = 1;    // asked for: simulated seconds per second
  double seconds = 0;  // on the wall
  double simulated_seconds = 0;
  double steps_per_second = 0;  // on the wall
  std::vector<Steps> steps;
  int times_behind = 0;       // rounds that could not make up for the time that had passed
  double seconds_behind = 0;  // simulated: by how much the simulation ran slow in all
};

// What a clip's end was taken for.
struct ClipEndReport {
  std::string decided;  // "loops", "comes to rest" or "ends elsewhere"
  std::string why;      // a few words
  double run_on = 0;    // seconds beyond the clip that were simulated to close the loop
};

// What the eye would object to, over the frames of a clip (bake/quality.h). Sizes are shares of the largest extent that
// the rig has in the first frame.
struct Quality {
  double rig = 0;      // how far the rig takes any vertex from where the first frame has it
  double seen = 0;     // 95th percentile over vertices of their largest distance from the rig
  double largest = 0;  // of any vertex
  // Edge lengths over the rig's, or its inverse: 99.9th percentile and worst. Empty: no edge is long enough.
  std::optional<double> stretch, worst;
  int flips = 0;     // triangles that face away from where the rig's face, most in a frame
  double rigid = 0;  // worst RMS distance of a piece on one bone from the nearest rigid motion, of the piece's extent
  std::optional<double> sunk;  // how far a piece on one bone sinks into the skin that it lies on, or comes off it.
                               // Empty: none lies on skin
  std::optional<double> pop;   // largest second difference of displacement over the rig's. Empty: under three frames
  std::optional<double> loop;  // where the rig ends as it began: last displacement from the first
  double least_volume = 1, most_volume = 1;  // of what the surface encloses, over the rig's
};

// A discontinuity of the rig (rig/clip_motion.h).
struct CutReport {
  double begin = 0, end = 0;  // seconds on the clip's time line
  double jump = 0;            // metres
};

struct ClipReport {
  std::string name;
  double frames_per_second = 0;
  double steps_per_second = 0;  // of the solver: per simulated second
  std::vector<FrameReport> frames;
  std::optional<RealTimeReport> real_time{};
  std::optional<ClipEndReport> end{};                            // where it was asked
  std::vector<CutReport> cuts{};                                 // across which flesh was carried
  std::optional<Quality> quality{};                              // of what was recorded whole
  std::vector<std::pair<std::string, std::int64_t>> counters{};  // of the method, by name
};

struct MorphFitReport {
  std::string mesh;  // name of the mesh, or "mesh N"
  std::string node;  // name of the node that shows it
  int targets = 0;
  double rms_error = 0, max_error = 0;  // metres, world
};

// What hangs on the character and went along with its flesh.
struct AccessoryReport {
  std::string node;    // that shows it, or the first of them
  std::string bone;    // that carries the flesh it sits on
  double largest = 0;  // metres: how far any of it was moved from where the rig has it, at most, over all clips
};

struct RunReport : CookReport {
  std::string input, output;
  std::string program_version;
  double metres_per_unit = 1;
  int threads = 0;
  std::vector<ClipReport> clips;
  std::vector<MorphFitReport> morph_fit;            // empty where the output is a cache
  double morph_rms_error = 0, morph_max_error = 0;  // metres, over all meshes
  std::vector<AccessoryReport> accessories;
  std::optional<Quality> quality;  // the worst over all clips
  std::size_t output_bytes = 0, bytes_added = 0;
};

}  // namespace sinew
