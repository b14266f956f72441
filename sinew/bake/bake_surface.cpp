#include "sinew/bake/bake_surface.h"

#include <algorithm>
#include <cmath>

#include "sinew/bake/loop_passes.h"
#include "sinew/bake/record_frames.h"
#include "sinew/bake/time_line.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"

namespace sinew {
namespace {

// Seen from the first vertex, so that what an open surface is said to enclose does not change when it moves.
double enclosed_volume(const TriangleMesh& mesh, std::span<const Vec3> positions) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    const auto at = [&](std::size_t k) { return positions[static_cast<std::size_t>(t[k])] - positions[0]; };
    sum += dot(at(0), cross(at(1), at(2))) / 6;
  }
  return sum;
}

class Bake {
 public:
  Bake(const Character& character, const SurfaceScene& scene, const BakeOptions& options)
      : character_(character),
        scene_(scene),
        clip_(clip_of(character, options)),
        time_(time_line(character, options)),
        body_(scene.model),
        step_(scene.model->step()),
        result_(empty_result(character, scene.surface, options, time_)) {
    result_.report.steps_per_second = 1 / step_;
  }

  BakeResult run(const Progress& progress) {
    const std::vector<Affine> first = bones_at(0), second = bones_at(step_);
    body_.reset(first, second);
    body_.offsets(now_);
    before_ = passes_.start = now_;
    passes_.looping = time_.loop && time_.length > 0;
    watch_.lap();
    while (frame_ < time_.frames || passes_.looping) {
      if (frame_ == time_.frames || elapsed() < due() - 1e-9 * step_) {
        advance();
        continue;
      }
      record_frame();
      if (!report(progress, "moving " + result_.report.name, static_cast<double>(frame_) / static_cast<double>(time_.frames))) {
        result_.complete = frame_ == time_.frames && !passes_.looping;
        break;
      }
    }
    set_times(time_, frame_, result_.recording);
    return std::move(result_);
  }

 private:
  double elapsed() const { return static_cast<double>(steps_) * step_; }
  double due() const { return static_cast<double>(passes_.done) * time_.length + time_.frame_offset(frame_); }
  std::vector<Affine> bones_at(double elapsed) const {
    return bone_transforms(character_, scene_.surface, sample(character_.skeleton, clip_, time_.clip_time(elapsed)));
  }

  void advance() {
    before_.swap(now_);
    ++steps_;
    try {
      body_.step(bones_at(elapsed()));
    } catch (const Error& error) {
      throw simulation_error("at " + std::to_string(time_.clip_time(elapsed())) + " s, " + error.what());
    }
    body_.offsets(now_);
    if (passes_.looping && elapsed() >= static_cast<double>(passes_.done + 1) * time_.length) {
      end_pass(now_, scene_.height, passes_, result_);
      frame_ = 0;
    }
  }

  void record_frame() {
    const double share = std::clamp((elapsed() - due()) / step_, 0.0, 1.0);  // of the step before
    append_frame(scene_.surface, between_steps(before_, now_, share), result_.recording);
    body_.positions(positions_);
    std::vector<Vec3> goal = positions_;
    for (std::size_t v = 0; v < goal.size(); ++v) goal[v] -= now_[v];
    const double rig_volume = enclosed_volume(scene_.surface.rest, goal);
    const double ratio = rig_volume != 0 ? enclosed_volume(scene_.surface.rest, positions_) / rig_volume : 1;
    result_.report.frames.push_back({time_.begin + time_.frame_offset(frame_), watch_.lap() * 1e3, 0, 0, ratio, 1});
    ++frame_;
  }

  const Character& character_;
  const SurfaceScene& scene_;
  const Clip* clip_;
  TimeLine time_;
  SurfaceBody body_;
  double step_;
  std::vector<Vec3> before_, now_, positions_;  // offsets one step apart
  LoopPasses passes_;
  Stopwatch watch_;
  std::int64_t frame_ = 0, steps_ = 0;
  BakeResult result_;
};

}  // namespace

BakeResult bake_surface(const Character& character, const SurfaceScene& scene, const BakeOptions& options,
                        const Progress& progress) {
  return Bake(character, scene, options).run(progress);
}

}  // namespace sinew
