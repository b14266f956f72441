#include "sinew/bake/bake.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sinew/bake/check_checkpoint.h"
#include "sinew/bake/clip_recorder.h"
#include "sinew/bake/frame_loop.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/fingerprint.h"
#include "sinew/deform/snapshot_numbers.h"

namespace sinew {
namespace {

// A recorder in the loop of frames, with its checkpoints.
class Bake {
 public:
  Bake(const Character& character, const Scene& scene, const RigAnimation* controls, const BakeOptions& options)
      : character_(character),
        scene_(scene),
        options_(options),
        clip_(clip_of(character, options)),
        recorder_(character, scene, controls, options),
        session_(recorder_.session()),
        traits_(session_.traits()),
        loop_(frame_loop(recorder_.time(), traits_.step)) {
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint();
  }

  BakeResult run(const Progress& progress) {
    BakeResult& result = recorder_.result();
    loop_.passes.start.assign(points().begin(), points().end());
    if (const std::optional<Checkpoint> saved = resumed(loop_, options_, fingerprint_, result)) load(*saved);
    frame_watch_.lap();
    const FrameWork work{[this] { advance(); }, [this] { record(); }, [this](Checkpoint& state) { save(state); }};
    run_frames(loop_, scene_.activity, work, options_, fingerprint_, progress, result);
    return recorder_.finish();
  }

 private:
  std::span<const Vec3> points() const { return session_.deformer().points(); }

  void advance() {
    ++loop_.steps;
    session_.step();
    recorder_.note_step();
    if (!loop_.pass_is_over()) return;
    end_pass(loop_, points(), scene_.height, recorder_.result());
    recorder_.curves().clear();
  }

  void record() {
    recorder_.record(loop_.due(), loop_.frame_time()).milliseconds = frame_watch_.lap() * 1e3;
  }

  std::uint64_t fingerprint() const {
    Fingerprint print;
    print.add(std::array{scene_.fingerprint});
    print.add(scene_.method);
    print.add_clip(clip_);
    print.add(std::array{loop_.time.begin, loop_.time.length, options_.frames_per_second, loop_.step,
                         loop_.time.preroll, character_.metres_per_unit, static_cast<double>(options_.clip),
                         options_.loop ? 1.0 : 0.0});
    for (const TimedAction& timed : options_.take) {
      const Action& action = timed.action;
      print.add(
          std::array{timed.elapsed, static_cast<double>(static_cast<int>(action.kind)), action.radius, action.seconds});
      print.add(std::array{action.point, action.force, action.target, action.gravity});
      print.add(action.name);
    }
    return print.value();
  }

  void save(Checkpoint& saved) {
    const SessionState state = session_.save();
    saved.now = state.deformer;
    for (const ActiveGrab& grab : state.grabs) append_vectors(saved.hands, std::span(&grab.hand, 1));
    append_vectors(saved.pass_start, loop_.passes.start);
    saved.curves = recorder_.curves();
  }

  void load(const Checkpoint& saved) {
    const std::string file = options_.checkpoint.string();
    const double reach = farthest();
    check_recording_within(recorder_.result().recording, reach, file);
    try {
      SessionState state;
      state.steps = loop_.steps;
      state.shown = at_last_frame(loop_).due();
      state.deformer = saved.now;
      for (const Vec3& hand : SnapshotNumbers(saved.hands).vectors(saved.hands.size() / 3))
        state.grabs.emplace_back().hand = hand;
      session_.load(state, reach);
      loop_.passes.start = SnapshotNumbers(saved.pass_start).vectors(points().size());
      if (saved.pass_start.size() != 3 * loop_.passes.start.size()) throw forged_state("where its pass began");
      check_within(loop_.passes.start, 2 * reach, "where its flesh was");
      session_.deformer().check_curves(saved.curves);
      if (saved.curves.size() != traits_.curves * static_cast<std::size_t>(loop_.frame))
        throw forged_state("its number of values");
      recorder_.curves() = saved.curves;
    } catch (const Error& error) {
      throw Error(error.kind(), file + ": " + error.what());
    }
    if (traits_.step > 0) check_last_frame(recorder_.result().recording, last_frame_again(), file);
  }

  // How far from the origin flesh can be over the clip: metres.
  double farthest() {
    if (scene_.rest_controls.empty()) return farthest_reach(character_, scene_.bones, clip_, loop_, scene_.height);
    double reach = 0;
    std::vector<Vec3> by_rig(scene_.surface->rest.positions.size());
    FrameLoop at = loop_;
    for (at.frame = 0; at.frame < loop_.frame; ++at.frame) {
      session_.goal(session_.moment_at(at.due()), by_rig);
      for (const Vec3& x : by_rig) reach = std::max(reach, norm(x));
    }
    return reach + heights_beyond_goal * scene_.height;
  }

  Recording last_frame_again() {
    Recording again = empty_copy(recorder_.result().recording);
    recorder_.append_again(at_last_frame(loop_).due(), again);
    return again;
  }

  const Character& character_;
  const Scene& scene_;
  const BakeOptions& options_;
  const Clip* clip_;
  ClipRecorder recorder_;
  Session& session_;
  const DeformerTraits& traits_;
  FrameLoop loop_;
  Stopwatch frame_watch_;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace

BakeResult bake(const Character& character, const Scene& scene, const RigAnimation* controls,
                const BakeOptions& options, const Progress& progress) {
  return Bake(character, scene, controls, options).run(progress);
}

}  // namespace sinew
