// A session over a clip, and what is recorded of it: how every bake, at whatever pace, makes its frames.
#pragma once

#include <vector>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/held_notes.h"
#include "sinew/bake/run_watch.h"
#include "sinew/bake/time_line.h"
#include "sinew/session/session.h"

namespace sinew {

class ClipRecorder {
 public:
  // `controls`: as for bake(). All must outlive this.
  ClipRecorder(const Character& character, const Scene& scene, const RigAnimation* controls,
               const BakeOptions& options);

  Session& session() { return session_; }
  const TimeLine& time() const { return time_; }
  BakeResult& result() { return result_; }

  // After each step of the session.
  void note_step();
  // The frame at `elapsed`, which lies in the last step; methods without memory go there. `time`: on the clip's time line.
  // Milliseconds of the frame's report are left to the caller. Throws simulation_error where the flesh is not what flesh
  // can be (run_watch.h).
  FrameReport& record(double elapsed, double time);
  // The same without a look at whether it can be, and without a report: for a frame that was looked at already.
  void append_again(double elapsed, Recording& recording);

  // Of methods that answer with controls: of all frames recorded, one after the other.
  std::vector<double>& curves() { return curves_; }

  // Adds what is said once all is recorded.
  BakeResult finish();

 private:
  void show(const Moment& due);
  void keep_watch(const Moment& due, double time, BodyMeasures& measures);
  double shown_volume_ratio() const;
  void append(const Moment& due, Recording& recording);
  void append_positions(std::size_t part, const Pose& pose, const std::vector<Vec3>& surface,
                        PartRecording& recorded) const;
  void append_curves(double elapsed);

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
  BakeResult result_;
};

}  // namespace sinew
