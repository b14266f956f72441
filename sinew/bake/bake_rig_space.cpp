#include "sinew/bake/bake_rig_space.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/bake/checkpoint.h"
#include "sinew/bake/loop_passes.h"
#include "sinew/bake/record_frames.h"
#include "sinew/bake/time_line.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/deform/rig_space/adaptive_steps.h"

namespace sinew {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

void append(std::vector<double>& numbers, std::span<const Vec3> vectors) {
  for (const Vec3& v : vectors) numbers.insert(numbers.end(), {v.x, v.y, v.z});
}

// Takes numbers off a checkpoint in the order in which they were put there.
class Taker {
 public:
  Taker(std::span<const double> numbers, std::string file) : rest_(numbers), file_(std::move(file)) {}

  std::vector<double> numbers(std::size_t count) {
    if (rest_.size() < count)
      throw input_error(file_ + ": the checkpoint holds another body's state; start again without --resume.");
    std::vector<double> result(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count));
    rest_ = rest_.subspan(count);
    return result;
  }
  std::vector<Vec3> vectors(std::size_t count) {
    const std::vector<double> flat = numbers(3 * count);
    std::vector<Vec3> result(count);
    for (std::size_t v = 0; v < count; ++v) result[v] = {flat[3 * v], flat[3 * v + 1], flat[3 * v + 2]};
    return result;
  }

 private:
  std::span<const double> rest_;
  std::string file_;
};

class Bake {
 public:
  Bake(const Character& character, const RigSpaceScene& scene, const RigSpaceSettings& settings,
       const RigAnimation* animation, const BakeOptions& options)
      : scene_(scene),
        settings_(settings),
        animation_(animation),
        options_(options),
        time_(time_line(character, options)),
        motion_(scene.body, *scene.rig, scene.free, scene.dynamics),
        result_(empty_result(character, scene.surface, options, time_)) {
    for (const RigParameter& parameter : scene.rig->parameters()) p_.push_back(parameter.rest);
    rest_ = p_;
    result_.report.steps_per_second = 1 / settings.step;
    curves_.clip = options.clip;
    curves_.parameters = scene.free;
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint(character);
  }

  BakeResult run(const Progress& progress) {
    start();
    Stopwatch since_checkpoint;
    watch_.lap();
    while (frame_ < time_.frames || passes_.looping) {
      if (frame_ == time_.frames || elapsed(steps_) < due() - 1e-9 * settings_.step) {
        advance();
        continue;
      }
      record_frame();
      if (!report(progress, "simulating " + result_.report.name,
                  static_cast<double>(frame_) / static_cast<double>(time_.frames))) {
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
    curves_.times = result_.recording.times;
    result_.curves = std::move(curves_);
    note_statistics();
    return std::move(result_);
  }

 private:
  double elapsed(std::int64_t steps) const { return static_cast<double>(steps) * settings_.step; }
  double due() const { return static_cast<double>(passes_.done) * time_.length + time_.frame_offset(frame_); }

  void key(double elapsed, std::span<double> p) const {
    std::copy(rest_.begin(), rest_.end(), p.begin());
    if (animation_) animation_->sample(time_.clip_time(elapsed), p);
    for (const int i : scene_.free) p[index(i)] = rest_[index(i)];
  }

  void start() {
    std::vector<double> next = p_;
    key(0, p_);
    key(settings_.step, next);
    motion_.reset(p_, next, settings_.step);
    now_.assign(motion_.free_values().begin(), motion_.free_values().end());
    before_ = now_;
    passes_.start.assign(motion_.positions().begin(), motion_.positions().end());
    passes_.looping = options_.loop && time_.length > 0;
    if (options_.resume && !options_.checkpoint.empty() && std::filesystem::exists(options_.checkpoint)) resume();
  }

  void advance() {
    before_ = now_;
    const double begin = elapsed(steps_);
    ++steps_;
    try {
      if (settings_.adaptive) {
        advance_adaptively(motion_, [&](double seconds, std::span<double> p) { key(begin + seconds, p); }, settings_.step, p_,
                           adaptive_);
      } else {
        key(elapsed(steps_), p_);
        motion_.advance(p_, settings_.step);
      }
    } catch (const Error& error) {
      throw Error(error.kind(), "at " + std::to_string(time_.clip_time(elapsed(steps_))) + " s, " + error.what());
    }
    iterations_ += motion_.statistics().iterations;
    now_.assign(motion_.free_values().begin(), motion_.free_values().end());
    if (passes_.looping && elapsed(steps_) >= static_cast<double>(passes_.done + 1) * time_.length) {
      end_pass(motion_.positions(), scene_.height, passes_, result_);
      curves_.values.clear();
      frame_ = 0;
    }
  }

  void record_frame() {
    const double share = std::clamp((elapsed(steps_) - due()) / settings_.step, 0.0, 1.0);  // of the step before
    std::vector<double> p = p_;
    key(due(), p);
    Rig& rig = *scene_.whole_rig;
    std::vector<Vec3> goal(rig.vertices()), moved(rig.vertices());
    rig.evaluate(p, goal);
    for (std::size_t i = 0; i < scene_.free.size(); ++i) {
      const double value = now_[i] + share * (before_[i] - now_[i]);
      p[index(scene_.free[i])] = value;
      curves_.values.push_back(value);
    }
    rig.evaluate(p, moved);
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] -= goal[v];
    append_frame(scene_.surface, moved, result_.recording);
    result_.report.frames.push_back({time_.begin + time_.frame_offset(frame_), watch_.lap() * 1e3, iterations_,
                                     motion_.elastic_energy() + motion_.kinetic_energy(), 1, motion_.smallest_volume_ratio()});
    iterations_ = 0;
    ++frame_;
  }

  void note_statistics() {
    const RigSpaceStatistics& s = motion_.statistics();
    RigSpaceReport& report = result_.report.rig_space.emplace();
    report.steps = s.steps;
    report.rig_evaluations = s.rig_evaluations;
    report.jacobians = s.jacobians;
    report.roll_backs = s.roll_backs;
  }

  std::uint64_t fingerprint(const Character& character) const {
    const RigSpaceBody& body = *scene_.body;
    std::uint64_t hash = hash_bytes(nullptr, 0);
    const auto add = [&hash](const auto& values) { hash = hash_bytes(values.data(), values.size() * sizeof(values[0]), hash); };
    add(body.mesh.positions);
    add(body.mass);
    add(body.material.shear);
    add(body.material.lambda);
    add(body.interior.column);
    add(body.interior.value);
    add(body.correction.rest.value);
    add(scene_.free);
    add(rest_);
    if (const Clip* clip = clip_of(character, options_))
      for (const Channel& channel : clip->channels) {
        add(std::array{channel.joint, static_cast<int>(channel.path), static_cast<int>(channel.interpolation)});
        add(channel.times);
        add(channel.values);
      }
    const RigSpaceDynamics& d = scene_.dynamics;
    add(d.range);
    add(std::array{time_.begin, time_.length, options_.frames_per_second, settings_.step, d.linearity, d.stiffness_damping,
                   d.mass_damping, d.gravity.y, d.limit_start, d.limit_stiffness, d.tolerance});
    add(std::array{options_.clip, options_.loop ? 1 : 0, settings_.adaptive ? 1 : 0, static_cast<int>(d.rest),
                   static_cast<int>(d.interior), d.deferred ? 1 : 0, d.predictor ? 1 : 0, static_cast<int>(body.material.law)});
    return hash;
  }

  void checkpoint() const {
    Checkpoint state;
    state.fingerprint = fingerprint_;
    state.steps_done = steps_;
    state.pass = passes_.looping ? passes_.done : -1 - passes_.done;
    state.frames_done = frame_;
    const RigSpaceState& s = motion_.state();
    std::vector<double>& numbers = state.now.numbers;
    numbers = s.free;
    numbers.insert(numbers.end(), s.rate.begin(), s.rate.end());
    append(numbers, s.x);
    append(numbers, s.velocity);
    append(numbers, s.interior_offset);
    numbers.insert(numbers.end(), s.jacobian_at.begin(), s.jacobian_at.end());
    for (const std::vector<double>* matrix : {&s.damping, &s.next_damping, &s.hessian}) {
      numbers.push_back(static_cast<double>(matrix->size()));
      numbers.insert(numbers.end(), matrix->begin(), matrix->end());
    }
    numbers.push_back(s.hessian_step);
    numbers.push_back(adaptive_.halvings);
    numbers.insert(numbers.end(), before_.begin(), before_.end());
    append(state.pass_start, passes_.start);
    state.before.numbers = curves_.values;
    state.frames = result_.report.frames;
    for (const PartRecording& part : result_.recording.parts) state.displacement.push_back(part.displacement);
    write_checkpoint(options_.checkpoint, state);
  }

  void resume() {
    const Checkpoint state = read_checkpoint(options_.checkpoint, fingerprint_);
    const std::string file = options_.checkpoint.string();
    steps_ = state.steps_done;
    passes_.looping = state.pass >= 0;
    passes_.done = passes_.looping ? state.pass : -1 - state.pass;
    result_.loop_passes = static_cast<int>(passes_.done);
    frame_ = state.frames_done;
    Taker take(state.now.numbers, file);
    const std::size_t free = scene_.free.size(), vertices = scene_.body->mesh.positions.size();
    RigSpaceState s;
    s.free = take.numbers(free);
    s.rate = take.numbers(free);
    s.x = take.vectors(vertices);
    s.velocity = take.vectors(vertices);
    s.interior_offset = take.vectors(motion_.state().interior_offset.size());
    s.jacobian_at = take.numbers(p_.size());
    for (std::vector<double>* matrix : {&s.damping, &s.next_damping, &s.hessian})
      *matrix = take.numbers(static_cast<std::size_t>(std::max(0.0, take.numbers(1)[0])));
    s.hessian_step = take.numbers(1)[0];
    adaptive_.halvings = static_cast<int>(take.numbers(1)[0]);
    before_ = take.numbers(free);
    motion_.set_state(s);
    now_ = s.free;
    passes_.start = Taker(state.pass_start, file).vectors(vertices);
    curves_.values = state.before.numbers;
    result_.report.frames = state.frames;
    if (state.displacement.size() != result_.recording.parts.size())
      throw input_error(file + ": the checkpoint records other parts; start again without --resume.");
    for (std::size_t p = 0; p < state.displacement.size(); ++p)
      result_.recording.parts[p].displacement = state.displacement[p];
  }

  const RigSpaceScene& scene_;
  const RigSpaceSettings& settings_;
  const RigAnimation* animation_;
  const BakeOptions& options_;
  TimeLine time_;
  RigSpaceMotion motion_;
  AdaptiveSteps adaptive_;
  std::vector<double> p_, rest_;       // all parameters
  std::vector<double> before_, now_;   // free ones, one step apart
  RigCurves curves_;
  LoopPasses passes_;
  Stopwatch watch_;
  std::int64_t frame_ = 0, steps_ = 0;
  int iterations_ = 0;
  std::uint64_t fingerprint_ = 0;
  BakeResult result_;
};

}  // namespace

void refuse_keyed(const RigSpaceScene& scene, const RigAnimation& animation, const std::string& file, const std::string& clip) {
  const std::vector<char> still = animation.still();
  for (const int i : scene.free)
    if (animation.keyed()[index(i)] && !still[index(i)])
      throw input_error(file + ": clip '" + clip + "' has keys for '" + scene.rig->parameters()[index(i)].name +
                        "', which is to be free; take it out of --free, or its keys out of the clip.");
}

BakeResult bake_rig_space(const Character& character, const RigSpaceScene& scene, const RigSpaceSettings& settings,
                          const RigAnimation* animation, const BakeOptions& options, const Progress& progress) {
  if (animation) refuse_keyed(scene, *animation, character.file, character.clips[index(options.clip)].name);
  return Bake(character, scene, settings, animation, options).run(progress);
}

}  // namespace sinew
