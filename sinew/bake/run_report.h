// Report of a run as plain numbers; jobs/animate/report.h writes it as JSON.
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
  int iterations = 0;       // of the solver over these steps
  double energy = 0;        // joules: elastic and kinetic, relative to the goal
  double volume_ratio = 1;  // volume of the body over its volume at rest
  double min_det = 1;       // smallest determinant of the deformation gradient over all elements
  // Shares of the vertices that safety clamps held back (SafetyClamps, deform/display/displayed_deformer.h).
  double strain_limit = 0, display_limit = 0;
  int unfinished = 0;  // steps, of those above, that ended before their iterations had converged
};

// Pace of a bake relative to the wall clock.
struct RealTimeReport {
  struct Steps {
    double step = 0;  // simulated seconds
    int count = 0;    // number of steps of this length
  };

  double speed = 1;    // requested, in simulated seconds per wall-clock second
  double seconds = 0;  // wall time
  double simulated_seconds = 0;
  double steps_per_second = 0;  // per second of wall time
  std::vector<Steps> steps;
  int times_behind = 0;       // number of updates that could not make up for the elapsed time
  double seconds_behind = 0;  // simulated seconds lost in total
};

// The decision about a clip's end.
struct ClipEndReport {
  std::string decided;  // "loops", "comes to rest" or "ends elsewhere"
  std::string why;      // the reason, in a few words
  double run_on = 0;    // seconds simulated beyond the clip to close the loop
};

// Visible defects over the frames of a clip (bake/quality.h). Lengths are shares of the rig's largest extent in the
// first frame.
struct Quality {
  double rig = 0;      // largest distance of any vertex from its place in the first frame, by the rig alone
  double seen = 0;     // visible amplitude: 95th percentile over vertices of their largest distance from the rig
  double largest = 0;  // largest distance of any vertex from the rig
  // Ratio of an edge's length to the rig's, or its inverse: 99.9th percentile and worst. Empty if no edge is long
  // enough.
  std::optional<double> stretch, worst;
  int flips = 0;     // triangles that face away from the rig's direction, largest count in a frame
  double rigid = 0;  // worst RMS distance of a piece on one bone from a rigid motion, as a share of the piece's extent
  // Largest distance by which a piece on one bone sinks into the skin under it, or lifts off; empty if none lies on
  // skin.
  std::optional<double> sunk;
  std::optional<double>
      pop;  // largest second difference of displacement relative to the rig's; empty for fewer than three frames
  std::optional<double> loop;  // distance between first and last displacement, if the rig ends as it began
  double least_volume = 1, most_volume = 1;  // range of the enclosed volume relative to the rig's
};

// A discontinuity of the rig's motion (rig/clip_motion.h).
struct CutReport {
  double begin = 0, end = 0;  // clip time, seconds
  double jump = 0;            // metres
};

// How a clip was carried over from another skeleton (docs/motion.md). Lengths are shares of the leg's length.
struct MotionReport {
  std::string source;                // file of the motion
  int contacts = 0;                  // number of times that a foot stands
  double slide_before = 0;           // longest way that a standing foot slides in one contact, before feet were held
  double slide = 0;                  // the same in the result
  double first_step = 0;             // largest way of a joint from the first frame to the second, without the hips' way
  double usual_step = 0;             // median of that over the other frames
  bool dropped_first_frame = false;  // the motion began with a rest pose, which was left out
};

struct ClipReport {
  std::string name;
  double frames_per_second = 0;
  double steps_per_second = 0;  // solver steps per simulated second
  std::vector<FrameReport> frames;
  std::optional<RealTimeReport> real_time{};
  std::optional<ClipEndReport> end{};    // if a decision was made
  std::vector<CutReport> cuts{};         // over which flesh was carried
  std::optional<Quality> quality{};      // only of complete recordings
  std::optional<MotionReport> motion{};  // of a clip that was carried over
  std::string still{};                   // why nothing of its flesh is seen to move; empty: it is seen
  std::vector<std::pair<std::string, std::int64_t>> counters{};  // counters of the method, by name
};

struct MorphFitReport {
  std::string mesh;  // name of the mesh, or "mesh N"
  std::string node;  // name of the node that shows the mesh
  int targets = 0;
  double rms_error = 0, max_error = 0;  // metres, world
};

// An accessory that moved with the flesh.
struct AccessoryReport {
  std::string node;    // the node that shows it, or the first of them
  std::string bone;    // the bone that carries the flesh
  double largest = 0;  // metres: upper bound of its distance from the rig's placement, over all clips
};

struct RunReport : CookReport {
  std::string input, output;
  std::string program_version;
  double metres_per_unit = 1;
  int threads = 0;
  std::vector<ClipReport> clips;
  std::vector<MorphFitReport> morph_fit;            // empty if the output is a cache
  double morph_rms_error = 0, morph_max_error = 0;  // metres, over all meshes
  std::vector<AccessoryReport> accessories;
  std::optional<Quality> quality;  // the worst over all clips
  std::size_t output_bytes = 0, bytes_added = 0;
};

}  // namespace sinew
