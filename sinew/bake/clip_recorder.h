// Runs a session over a clip and records its frames, for every bake at any pace.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/clip_end.h"
#include "sinew/bake/held_notes.h"
#include "sinew/bake/run_watch.h"
#include "sinew/bake/time_line.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/session/session.h"

namespace sinew {

// Duration, seconds, of the blend at the end of a loop of `length` seconds, over which loads move to their
// positions at its beginning.
inline double loop_blend_seconds(double length) { return std::min(0.25, length / 3); }

class ClipRecorder {
 public:
  // `controls` as for bake(). All arguments must outlive this.
  ClipRecorder(const Character& character, const Scene& scene, const RigAnimation* controls,
               const BakeOptions& options);

  Session& session() { return session_; }
  const TimeLine& time() const { return time_; }
  BakeResult& result() { return result_; }

  // Call this before the first step. It decides whether the clip loops, or its flesh comes to rest. If it loops, so
  // does the session.
  void find_end(const BakeOptions& options);
  // True if only the clip itself moves flesh: nothing acts from outside, and no keys do.
  bool only_the_clip_acts() const;

  // Call this after each step of the session.
  void note_step();
  // Records the frame at `elapsed`, which lies within the last step (methods without memory are evaluated there).
  // `time` is the clip time. The caller fills in the frame's milliseconds. Throws simulation_error if the result is
  // implausible (run_watch.h).
  FrameReport& record(double elapsed, double time);
  // Appends a frame that was checked before, without a check or a report.
  void append_again(double elapsed, Recording& recording);

  // Records a frame of a later cycle of a looping clip in place of the previous cycle's. Returns the difference between
  // the two: points in the vertices' own frames, metres, and controls.
  struct Change {
    std::vector<Vec3> points;
    std::vector<double> curves;
  };
  Change record_again(int cycle, std::int64_t frame);
  // Adds `share` times a change to a recorded frame.
  void add(double share, const Change& change, std::int64_t frame);
  // The change that makes a recorded frame equal to frame `other`.
  Change change_to(std::int64_t other, std::int64_t frame);

  // Curves of all recorded frames in sequence, for methods that compute controls.
  std::vector<double>& curves() { return curves_; }

  // Call this after the last frame. It fades flesh to rest if it is to come to rest, and adds the final notes.
  BakeResult finish();

 private:
  void evaluate(const Moment& due);
  void clamp_in_clip(Moment moment);
  void check_plausibility(const Moment& due, double time, BodyMeasures& measures);
  double displayed_volume_ratio() const;
  void append(const Moment& due, Recording& recording);
  void append_positions(std::size_t part, const Pose& pose, const std::vector<Vec3>& surface,
                        PartRecording& recorded) const;
  void append_curves(double elapsed);
  void report_cuts();
  ClipEnd end_by_motion();
  void loop_through(const Affine& travel);
  void predict_frames_at(const Moment& moment);
  Change recorded(std::int64_t frame);

  const Character& character_;
  const Scene& scene_;
  const Clip* clip_;
  TimeLine time_;
  Session session_;
  const DeformerTraits& traits_;
  RunWatch watch_;
  std::vector<Vec3> goal_, displacement_;  // frame being recorded
  std::vector<double> curves_;
  std::vector<HeldRecord> held_;
  int iterations_ = 0, unfinished_ = 0;  // of the steps since the last frame
  bool still_ = true;                    // since the last frame
  LoopBlend loop_blend_;
  std::optional<Mat3> comes_to_rest_;  // rotation from the first pose to the last one, if flesh comes to rest
  VertexFrames frames_;                // frames of the vertices in the recorded frame that is changed
  bool accessories_ = false;           // whether accessories are recorded
  bool rotations_ = false;             // whether rotations of elements are recorded
  BakeResult result_;
};

}  // namespace sinew
