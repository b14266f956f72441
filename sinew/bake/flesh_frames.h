// From flesh to a recording: what every run over a clip does with its frames.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/session/clip_environment.h"
#include "sinew/cook/flesh_settings.h"
#include "sinew/cook/prepare.h"
#include "sinew/bake/recording.h"
#include "sinew/bake/run_watch.h"
#include "sinew/deform/flesh/body_motion.h"

namespace sinew {

// A frame that is due.
struct FleshFrame {
  double elapsed = 0;            // seconds since the pre-roll's end, over all passes of a loop
  const ClipMoment& moment;     // with the rig as it is then
  const BodyMeasures& measures;  // of the last step
};

class FleshFrames {
 public:
  // All must outlive this. `clip`: its name.
  FleshFrames(const Character& character, const FleshScene& scene, const FleshSettings& settings,
              const std::string& clip);

  std::size_t points() const { return carrier_->points(); }  // that a deformer answers for

  // Of every step: where the bones are.
  void note_step(std::span<const Affine> bones);

  // Appends the surface to each part of the recording. `local`: per point, as a deformer has them or between two steps;
  // limited in place. Throws simulation_error where the flesh is not what flesh can be (run_watch.h).
  void record(const FleshFrame& frame, const ClipEnvironment& environment, std::span<Vec3> local,
              Recording& recording);

  // The same without a look at whether it can be: for a frame that was looked at already. `bones`: of the frame.
  void append(std::span<const Affine> bones, std::span<Vec3> local, Recording& recording);

 private:
  double shown_volume_ratio(std::span<const Affine> bones) const;

  const FleshScene& scene_;
  const FleshSettings& settings_;
  std::unique_ptr<SurfaceCarrier> carrier_;
  RunWatch watch_;
  std::vector<Vec3> surface_, state_;
  std::vector<Affine> bones_;  // at the last step
  bool still_ = true;          // since the last frame
};

}  // namespace sinew
