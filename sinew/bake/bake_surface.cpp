#include "sinew/bake/bake_surface.h"

#include "sinew/bake/frame_loop.h"
#include "sinew/bake/record_frames.h"
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
        options_(options),
        loop_(frame_loop(time_line(character, options), scene.model->step())),
        body_(scene.model),
        result_(empty_result(character, scene.surface, options, loop_.time)) {
    result_.report.steps_per_second = 1 / loop_.step;
  }

  BakeResult run(const Progress& progress) {
    body_.reset(bones_at(0), bones_at(loop_.step));
    body_.offsets(now_);
    before_ = loop_.passes.start = now_;
    watch_.lap();
    run_frames(loop_, "moving", {[this] { advance(); }, [this] { record_frame(); }, {}}, options_, 0, progress, result_);
    return std::move(result_);
  }

 private:
  std::vector<Affine> bones_at(double elapsed) const {
    return bone_transforms(character_, scene_.surface, sample(character_.skeleton, clip_, loop_.time.clip_time(elapsed)));
  }

  void advance() {
    before_.swap(now_);
    ++loop_.steps;
    try {
      body_.step(bones_at(loop_.elapsed()));
    } catch (const Error& error) {
      throw simulation_error("at " + std::to_string(loop_.clip_time()) + " s, " + error.what());
    }
    body_.offsets(now_);
    if (loop_.pass_is_over()) end_pass(loop_, now_, scene_.height, result_);
  }

  void record_frame() {
    append_frame(scene_.surface, between_steps(before_, now_, loop_.beyond()), result_.recording);
    body_.positions(positions_);
    std::vector<Vec3> goal = positions_;
    for (std::size_t v = 0; v < goal.size(); ++v) goal[v] -= now_[v];
    const double rig_volume = enclosed_volume(scene_.surface.rest, goal);
    const double ratio = rig_volume != 0 ? enclosed_volume(scene_.surface.rest, positions_) / rig_volume : 1;
    result_.report.frames.push_back({loop_.frame_time(), watch_.lap() * 1e3, 0, 0, ratio, 1});
  }

  const Character& character_;
  const SurfaceScene& scene_;
  const Clip* clip_;
  const BakeOptions& options_;
  FrameLoop loop_;
  SurfaceBody body_;
  std::vector<Vec3> before_, now_, positions_;  // offsets one step apart
  Stopwatch watch_;
  BakeResult result_;
};

}  // namespace

BakeResult bake_surface(const Character& character, const SurfaceScene& scene, const BakeOptions& options,
                        const Progress& progress) {
  return Bake(character, scene, options).run(progress);
}

}  // namespace sinew
