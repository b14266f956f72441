// A session over a clip, and what is recorded of it: how every bake, at whatever pace, makes its frames.
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

// Seconds before the end of a loop of so many seconds, over which what does not meet there is led to where it begins.
inline double led_to_seam(double length) { return std::min(0.25, length / 3); }

class ClipRecorder {
 public:
  // `controls`: as for bake(). All must outlive this.
  ClipRecorder(const Character& character, const Scene& scene, const RigAnimation* controls,
               const BakeOptions& options);

  Session& session() { return session_; }
  const TimeLine& time() const { return time_; }
  BakeResult& result() { return result_; }

  // Before the first step: whether the clip is to loop, or its flesh to come to rest. Where it loops, the session does.
  void find_end(const BakeOptions& options);

  // After each step of the session.
  void note_step();
  // The frame at `elapsed`, which lies in the last step; methods without memory go there. `time`: on the clip's time
  // line. Milliseconds of the frame's report are left to the caller. Throws simulation_error where the flesh is not
  // what flesh can be (run_watch.h).
  FrameReport& record(double elapsed, double time);
  // The same without a look at whether it can be, and without a report: for a frame that was looked at already.
  void append_again(double elapsed, Recording& recording);

  // Records a frame of a later cycle of a clip that loops, in place of that of the cycle before. Returns the difference
  // between the two, in the vertices' own frames, metres, and in the controls.
  struct Change {
    std::vector<Vec3> points;
    std::vector<double> curves;
  };
  Change record_again(int round, std::int64_t frame);
  // A share of such a change more, in a recorded frame.
  void add(double share, const Change& change, std::int64_t frame);
  // What would make a recorded frame the same as another.
  Change change_to(std::int64_t other, std::int64_t frame);

  // Of methods that answer with controls: of all frames recorded, one after the other.
  std::vector<double>& curves() { return curves_; }

  // Once all is recorded: flesh that is to come to rest does. Adds what is said at the end.
  BakeResult finish();

 private:
  void show(const Moment& due);
  void clamp_in_clip(Moment moment);
  void keep_watch(const Moment& due, double time, BodyMeasures& measures);
  double shown_volume_ratio() const;
  void append(const Moment& due, Recording& recording);
  void append_positions(std::size_t part, const Pose& pose, const std::vector<Vec3>& surface,
                        PartRecording& recorded) const;
  void append_curves(double elapsed);
  void report_cuts();
  ClipEnd end_by_motion();
  void loop_through(const Affine& travel);
  void turn_frames(const Moment& moment);
  Change recorded(std::int64_t frame);

  const Character& character_;
  const Scene& scene_;
  const Clip* clip_;
  TimeLine time_;
  Session session_;
  const DeformerTraits& traits_;
  RunWatch watch_;
  std::vector<Vec3> goal_, displacement_;  // of the frame that is recorded
  std::vector<double> curves_;
  std::vector<HeldRecord> held_;
  int iterations_ = 0;  // since the last frame
  bool still_ = true;   // since the last frame
  Seam seam_;
  std::optional<Mat3> comes_to_rest_;  // how the first pose is turned into the last one
  VertexFrames frames_;                // of the frame that is changed
  bool accessories_ = false;           // are recorded
  BakeResult result_;
};

}  // namespace sinew
