#include "sinew/bake/bake_flesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "sinew/bake/checkpoint.h"
#include "sinew/bake/flesh_environment.h"
#include "sinew/bake/flesh_frames.h"
#include "sinew/bake/loop_passes.h"
#include "sinew/bake/record_frames.h"
#include "sinew/bake/time_line.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_flesh.h"

namespace sinew {
namespace {

class Bake {
 public:
  Bake(const Character& character, const FleshScene& scene, const FleshSettings& settings, const BakeOptions& options)
      : character_(character),
        scene_(scene),
        options_(options),
        clip_(clip_of(character, options)),
        time_(time_line(character, options, settings.preroll)),
        deformer_(make_flesh(scene, settings)),
        environment_(character, scene, settings),
        frames_(scene),
        before_(frames_.points()),
        now_(before_.size()),
        result_(empty_result(character, scene.surface, options, time_)) {
    result_.report.steps_per_second = 1 / deformer_->step();
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint(settings);
  }

  BakeResult run(const Progress& progress) {
    start();
    Stopwatch since_checkpoint;
    frame_watch_.lap();
    while (frame_ < time_.frames || passes_.looping) {
      // A pass may end a little after its last frame: the clip's end is no multiple of anything.
      if (frame_ == time_.frames || !frame_is_reached()) {
        advance();
        continue;
      }
      record_frame();
      if (!report(progress, "simulating " + result_.report.name, fraction_done())) {
        result_.complete = frame_ == time_.frames && !passes_.looping;
        if (!options_.checkpoint.empty()) checkpoint();
        break;
      }
      if (!options_.checkpoint.empty() && since_checkpoint.seconds() > options_.checkpoint_seconds) {
        checkpoint();
        since_checkpoint.lap();
      }
    }
    set_times(time_, frame_, result_.recording);
    return std::move(result_);
  }

 private:
  // Seconds since the pre-roll's end at which the next frame is due. In a loop, frames before the last
  // pass are dropped: the pass counter moves when a pass ends.
  double due() const { return static_cast<double>(passes_.done) * time_.length + time_.frame_offset(frame_); }
  double elapsed(std::int64_t steps) const { return static_cast<double>(steps) * deformer_->step() - time_.preroll; }
  bool frame_is_reached() const { return elapsed(steps_) >= due() - 1e-9 * deformer_->step(); }
  double fraction_done() const { return static_cast<double>(frame_) / static_cast<double>(time_.frames); }

  std::vector<Affine> bones_at(double clip_time) const {
    return bone_transforms(character_, scene_.surface, sample(character_.skeleton, clip_, clip_time));
  }

  void start() {
    if (options_.resume && !options_.checkpoint.empty() && std::filesystem::exists(options_.checkpoint)) {
      resume();
      return;
    }
    const std::vector<Affine> first = bones_at(time_.clip_time(elapsed(0)));
    const std::vector<Affine> second = bones_at(time_.clip_time(elapsed(1)));
    deformer_->reset({0, first}, {deformer_->step(), second});
    copy_displacements(now_);
    before_ = now_;
    passes_.start = now_;
    passes_.looping = options_.loop && time_.length > 0;
  }

  void advance() {
    before_.swap(now_);
    ++steps_;
    const std::vector<Affine> bones = bones_at(time_.clip_time(elapsed(steps_)));
    if (!environment_.empty()) set_environment(bones);
    deformer_->advance({elapsed(steps_), bones});
    if (!environment_.empty()) note_conflict();
    iterations_ += deformer_->statistics().iterations;
    copy_displacements(now_);
    if (passes_.looping && elapsed(steps_) >= static_cast<double>(passes_.done + 1) * time_.length) {
      end_pass(now_, scene_.height, passes_, result_);
      frame_ = 0;
    }
  }

  void set_environment(const std::vector<Affine>& bones) {
    const double before = time_.clip_time(elapsed(steps_ - 1)), now = time_.clip_time(elapsed(steps_));
    const Pose pose_before = sample(character_.skeleton, clip_, before), pose_now = sample(character_.skeleton, clip_, now);
    const std::vector<Affine> bones_before = bones_at(before);
    dynamic_cast<LatticeDeformer&>(*deformer_)
        .set_environment(environment_.over({before, pose_before, bones_before}, {now, pose_now, bones}, deformer_->step()));
  }

  // Each contradiction once, with when it first was one.
  void note_conflict() {
    const std::string& note = dynamic_cast<const LatticeDeformer&>(*deformer_).note();
    if (note.empty() || !noted_.insert(note).second) return;
    result_.notes.push_back(result_.report.name + ", from " + std::to_string(time_.clip_time(elapsed(steps_))) + " s on: " + note);
  }

  void copy_displacements(std::vector<Vec3>& target) const {
    const std::span<const Vec3> local = deformer_->local_displacements();
    target.assign(local.begin(), local.end());
  }

  void record_frame() {
    const double over = elapsed(steps_) - due();
    const double share = std::clamp(over / deformer_->step(), 0.0, 1.0);  // of the step before, steps_ > 0 then
    std::vector<Vec3> local = between_steps(before_, now_, share);
    const double clip_time = time_.clip_time(due());
    const std::vector<Affine> bones = bones_at(clip_time);
    frames_.record(bones, local, result_.recording);
    const BodyMeasures measures = deformer_->measure({elapsed(steps_), bones});
    result_.report.frames.push_back({time_.begin + time_.frame_offset(frame_), frame_watch_.lap() * 1e3, iterations_,
                                     measures.energy, measures.volume_ratio, measures.min_det});
    iterations_ = 0;
    ++frame_;
  }

  std::uint64_t fingerprint(const FleshSettings& settings) const {
    const FleshBody& body = *scene_.body;
    const FleshDescription& d = body.description;
    std::uint64_t hash = hash_bytes(nullptr, 0);
    const auto add = [&hash](const auto& values) {
      hash = hash_bytes(values.data(), values.size() * sizeof(values[0]), hash);
    };
    add(d.mesh.positions);
    add(d.core);
    add(d.limit);
    add(d.keeps_rig_shape);
    add(body.mass);
    add(body.stiffness.block);
    add(body.damping.block);
    if (scene_.lattice) {
      const LatticeDescription& lattice = scene_.lattice->description;
      add(lattice.rest);
      add(lattice.cells.stiffness);
      add(lattice.cells.mass);
      add(lattice.cell_damping);
      add(lattice.surface.value);
      add(lattice.surface.column);
      const LatticeRun& run = scene_.lattice->run;
      add(std::array{static_cast<int>(run.linearization), static_cast<int>(run.warping), static_cast<int>(run.integrator),
                     run.adaptation.on ? 1 : 0, run.adaptation.most_functions, static_cast<int>(run.held_by)});
      add(run.adaptation.threshold);
    }
    for (const ColliderSettings& c : settings.colliders) {
      add(std::array{c.point, c.other_end, c.normal});
      add(std::array{c.radius, static_cast<double>(static_cast<int>(c.shape))});
      add(c.joint);
    }
    for (const GrabSettings& g : settings.grabs) {
      add(std::array{g.point, g.to});
      add(std::array{g.begin.value_or(-HUGE_VAL), g.end.value_or(HUGE_VAL), g.reach});
      add(g.joint);
    }
    for (const BeltSettings& b : settings.belts) {
      add(std::array{b.point, b.normal});
      add(std::array{b.width, b.radius, b.size});
      add(b.joint);
    }
    for (const Influences& influences : d.influences) {
      add(influences.joint);
      add(influences.weight);
    }
    for (const EmbeddedPoint& point : d.embedding.points) add(point.weights);
    for (const Channel& channel : clip_ ? clip_->channels : std::vector<Channel>{}) {
      add(std::array{channel.joint, static_cast<int>(channel.path), static_cast<int>(channel.interpolation)});
      add(channel.times);
      add(channel.values);
    }
    const double numbers[] = {time_.begin,
                              time_.length,
                              options_.frames_per_second,
                              deformer_->step(),
                              time_.preroll,
                              d.mass_damping,
                              d.stiffness_damping,
                              static_cast<double>(options_.clip),
                              options_.loop ? 1.0 : 0.0,
                              settings.reference == Reference::rig ? 0.0 : 1.0,
                              settings.ground.value_or(-1e300),
                              settings.gravity.x,
                              settings.gravity.y,
                              settings.gravity.z,
                              settings.spectral_radius,
                              solver_tolerance(settings),
                              settings.warping == Warping::element ? 0.0 : 1.0,
                              static_cast<double>(static_cast<int>(scene_.body->dynamics.gravity_in_rest))};
    return hash_bytes(numbers, sizeof(numbers), hash);
  }

  static std::vector<double> numbers_of(const std::vector<Vec3>& vectors) {
    std::vector<double> numbers;
    for (const Vec3& v : vectors) numbers.insert(numbers.end(), {v.x, v.y, v.z});
    return numbers;
  }
  void vectors_from(const std::vector<double>& numbers, std::vector<Vec3>& vectors) const {
    if (numbers.size() != 3 * vectors.size())
      throw input_error(options_.checkpoint.string() +
                        ": the checkpoint holds another body's state; start again without --resume.");
    for (std::size_t v = 0; v < vectors.size(); ++v)
      vectors[v] = {numbers[3 * v], numbers[3 * v + 1], numbers[3 * v + 2]};
  }

  void checkpoint() const {
    Checkpoint state;
    state.fingerprint = fingerprint_;
    state.steps_done = steps_;
    state.pass = passes_.looping ? passes_.done : -1 - passes_.done;
    state.frames_done = frame_;
    deformer_->save(state.now);
    state.before.numbers = numbers_of(before_);
    state.pass_start = numbers_of(passes_.start);
    state.frames = result_.report.frames;
    for (const PartRecording& part : result_.recording.parts) state.displacement.push_back(part.displacement);
    write_checkpoint(options_.checkpoint, state);
  }

  void resume() {
    const Checkpoint state = read_checkpoint(options_.checkpoint, fingerprint_);
    steps_ = state.steps_done;
    passes_.looping = state.pass >= 0;
    passes_.done = passes_.looping ? state.pass : -1 - state.pass;
    result_.loop_passes = static_cast<int>(passes_.done);
    frame_ = state.frames_done;
    deformer_->load(state.now);
    copy_displacements(now_);
    passes_.start = now_;
    vectors_from(state.before.numbers, before_);
    vectors_from(state.pass_start, passes_.start);
    result_.report.frames = state.frames;
    if (state.displacement.size() != result_.recording.parts.size())
      throw input_error(options_.checkpoint.string() +
                        ": the checkpoint records other parts; start again without --resume.");
    for (std::size_t p = 0; p < state.displacement.size(); ++p)
      result_.recording.parts[p].displacement = state.displacement[p];
  }

  const Character& character_;
  const FleshScene& scene_;
  const BakeOptions& options_;
  const Clip* clip_;
  TimeLine time_;
  std::unique_ptr<Deformer> deformer_;
  FleshEnvironment environment_;
  FleshFrames frames_;
  std::vector<Vec3> before_, now_;  // local displacements one step apart
  LoopPasses passes_;
  Stopwatch frame_watch_;
  std::int64_t frame_ = 0, steps_ = 0;
  int iterations_ = 0;
  std::set<std::string> noted_;
  std::uint64_t fingerprint_ = 0;
  BakeResult result_;
};

}  // namespace

BakeResult bake_flesh(const Character& character, const FleshScene& scene, const FleshSettings& settings,
                      const BakeOptions& options, const Progress& progress) {
  return Bake(character, scene, settings, options).run(progress);
}

}  // namespace sinew
