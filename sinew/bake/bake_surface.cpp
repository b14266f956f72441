#include "sinew/bake/bake_surface.h"

#include <array>

#include "sinew/bake/check_checkpoint.h"
#include "sinew/bake/checkpoint_numbers.h"
#include "sinew/bake/fingerprint.h"
#include "sinew/bake/frame_loop.h"
#include "sinew/bake/record_frames.h"
#include "sinew/bake/run_watch.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"

namespace sinew {
namespace {

class SurfaceBake {
 public:
  SurfaceBake(const Character& character, const SurfaceScene& scene, const BakeOptions& options)
      : character_(character),
        scene_(scene),
        clip_(clip_of(character, options)),
        options_(options),
        loop_(frame_loop(time_line(character, options), scene.model->step())),
        body_(scene.model),
        run_watch_(character, scene.surface, watched(scene, clip_)),
        result_(empty_result(character, scene.surface, options, loop_.time)) {
    result_.report.steps_per_second = 1 / loop_.step;
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint();
  }

  BakeResult run(const Progress& progress) {
    if (const std::optional<Checkpoint> state = resumed(loop_, options_, fingerprint_, result_)) {
      load(*state);
    } else {
      body_.reset(bones_at(0), bones_at(loop_.step));
      body_.offsets(now_);
      before_ = loop_.passes.start = now_;
    }
    watch_.lap();
    run_frames(loop_, "moving", {[this] { advance(); }, [this] { record_frame(); }, [this](Checkpoint& state) { save(state); }},
               options_, fingerprint_, progress, result_);
    return std::move(result_);
  }

 private:
  static WatchedRun watched(const SurfaceScene& scene, const Clip* clip) {
    WatchedRun run;
    run.clip = clip ? clip->name : "rest";
    run.height = scene.height;
    return run;
  }

  std::vector<Affine> bones_at(double elapsed) const {
    return bone_transforms(character_, scene_.surface, sample(character_.skeleton, clip_, loop_.time.clip_time(elapsed)));
  }

  void advance() {
    before_.swap(now_);
    ++loop_.steps;
    body_.step(bones_at(loop_.elapsed()));
    body_.offsets(now_);
    if (loop_.pass_is_over()) end_pass(loop_, now_, scene_.height, result_);
  }

  void record_frame() {
    const std::vector<Vec3> shown = between_steps(before_, now_, loop_.beyond());
    body_.positions(positions_);
    std::vector<Vec3> goal = positions_;
    for (std::size_t v = 0; v < goal.size(); ++v) goal[v] -= now_[v];
    const double ratio = enclosed_volume_ratio(scene_.surface.rest, goal, positions_);
    WatchedFrame watched;
    watched.time = loop_.frame_time();
    watched.elapsed = loop_.due();
    watched.displacement = shown;
    watched.stretch = largest_stretch(bones_at(loop_.due()));
    watched.bounded = false;  // but by the model's own reach, within which neighbours may stand on either side
    watched.led = 2 * scene_.description.reach;
    watched.volume_ratio = ratio;
    run_watch_.look(watched);
    append_frame(scene_.surface, shown, result_.recording);
    result_.report.frames.push_back({loop_.frame_time(), watch_.lap() * 1e3, 0, 0, ratio, 1});
  }

  // The model itself is told apart by the run-time's own state.
  std::uint64_t fingerprint() const {
    Fingerprint print;
    print.add(scene_.surface.rest.positions);
    for (const std::vector<int>& vertices : scene_.surface.vertex_of) print.add(vertices);
    for (const Bone& bone : scene_.surface.bones) print.add(std::array{bone.rest_to_joint});
    print.add_clip(clip_);
    print.add(std::array{loop_.time.begin, loop_.time.length, options_.frames_per_second, loop_.step, character_.metres_per_unit,
                         static_cast<double>(options_.clip), options_.loop ? 1.0 : 0.0});
    return print.value();
  }

  void save(Checkpoint& state) const {
    state.now.numbers = body_.save();
    append_vectors(state.before.numbers, before_);
    append_vectors(state.pass_start, loop_.passes.start);
  }

  void load(const Checkpoint& state) {
    const std::string file = options_.checkpoint.string();
    const double reach = farthest_reach(character_, scene_.surface.bones, clip_, loop_, scene_.height);
    check_recording_within(result_.recording, reach, file);
    try {
      body_.load(state.now.numbers);
    } catch (const Error& error) {
      throw Error(error.kind(), file + ": " + error.what());
    }
    body_.offsets(now_);
    before_ = checkpoint_vectors(state.before.numbers, now_.size(), file);
    loop_.passes.start = checkpoint_vectors(state.pass_start, now_.size(), file);
    for (const std::vector<Vec3>* offsets : {&now_, &before_, &loop_.passes.start})
      check_vectors_within(*offsets, 2 * reach, "where its flesh is", file);
    Recording again = empty_copy(result_.recording);
    append_frame(scene_.surface, between_steps(before_, now_, at_last_frame(loop_).beyond()), again);
    check_last_frame(result_.recording, again, file);
  }

  const Character& character_;
  const SurfaceScene& scene_;
  const Clip* clip_;
  const BakeOptions& options_;
  FrameLoop loop_;
  SurfaceBody body_;
  RunWatch run_watch_;
  std::vector<Vec3> before_, now_, positions_;  // offsets one step apart
  Stopwatch watch_;
  std::uint64_t fingerprint_ = 0;
  BakeResult result_;
};

}  // namespace

BakeResult bake_surface(const Character& character, const SurfaceScene& scene, const BakeOptions& options,
                        const Progress& progress) {
  return SurfaceBake(character, scene, options).run(progress);
}

}  // namespace sinew
