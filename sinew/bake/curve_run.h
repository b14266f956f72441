// Simulates the curves of a clip frame by frame, and simulates them again around edited keys.
//
//   CurveRun run(character, scene, {.clip = 0});
//   while (!run.done()) run.advance();                       // run.curves(): frames so far
//   const std::size_t first = run.change(scene_with_other_keys);   // frames before it keep their values
//   while (!run.done()) run.advance();
//
// The states of the flesh are kept every so many frames, so that an edit begins again from the last one before it has
// an effect. The result has the same bits as a run from the start.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/bake/output/rig_curves.h"
#include "sinew/bake/time_line.h"
#include "sinew/character/character.h"
#include "sinew/deform/scene.h"
#include "sinew/session/session.h"

namespace sinew {

struct CurveRunOptions {
  int clip = -1;  // index into Character::clips; -1: the rest pose
  double frames_per_second = 30;
  int cycles = 1;           // passes over the clip, as a loop; the curves are those of the newest one
  double kept_every = 0.2;  // seconds of the clip between two kept states
};

class CurveRun {
 public:
  // Character and scene must outlive this. Throws usage_error for scenes without curves, and what Session throws.
  CurveRun(const Character& character, const Scene& scene, const CurveRunOptions& options);

  bool done() const { return next_ >= cycles_ * frames(); }
  // Simulates up to the next frame. Throws simulation_error if that fails.
  void advance();
  // Frame of the clip that advance() computes next.
  std::size_t next_frame() const { return next_ % frames(); }
  std::size_t frames() const { return static_cast<std::size_t>(time_.frames); }
  double frames_per_second() const { return time_.frames_per_second; }
  double start() const { return time_.begin; }  // clip time of the first frame, seconds
  // The computed controls, in the order of the curves.
  std::span<const ControlRange> controls() const { return session_->traits().curves; }

  // The curves so far: all frames of a cycle that has passed, then those of the next one in their place.
  const RigCurves& curves() const { return curves_; }

  // Goes on in a scene of the same character that differs in its keys alone. Returns the first frame that is computed
  // again. The scene before it must last until then.
  std::size_t change(const Scene& scene);

 private:
  struct Kept {
    std::size_t next = 0;
    SessionState state;
  };

  void begin();
  double due() const;

  const Character& character_;
  const Scene* scene_;
  const Clip* clip_;
  const RigAnimation* controls_ = nullptr;
  TimeLine time_;
  std::size_t cycles_ = 1, kept_every_ = 1;  // frames
  std::optional<Session> session_;           // none after change() was stopped
  double step_ = 0;                          // of the session, seconds
  std::size_t next_ = 0;                     // frame over all cycles
  RigCurves curves_;
  std::vector<Kept> kept_;  // ascending
};

}  // namespace sinew
