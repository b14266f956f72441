#include "sinew/bake/bake_rig_space.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/bake/checkpoint_numbers.h"
#include "sinew/bake/fingerprint.h"
#include "sinew/bake/frame_loop.h"
#include "sinew/bake/record_frames.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/deform/rig_space/adaptive_steps.h"

namespace sinew {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

class Bake {
 public:
  Bake(const Character& character, const RigSpaceScene& scene, const RigSpaceSettings& settings,
       const RigAnimation* animation, const BakeOptions& options)
      : scene_(scene),
        settings_(settings),
        animation_(animation),
        options_(options),
        loop_(frame_loop(time_line(character, options), settings.step)),
        motion_(scene.body, *scene.rig, scene.free, scene.dynamics),
        result_(empty_result(character, scene.surface, options, loop_.time)) {
    for (const RigParameter& parameter : scene.rig->parameters()) p_.push_back(parameter.rest);
    rest_ = p_;
    result_.report.steps_per_second = 1 / settings.step;
    curves_.clip = options.clip;
    curves_.parameters = scene.free;
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint(character);
  }

  BakeResult run(const Progress& progress) {
    start();
    watch_.lap();
    run_frames(loop_, "simulating",
               {[this] { advance(); }, [this] { record_frame(); }, [this](Checkpoint& state) { save(state); }}, options_,
               fingerprint_, progress, result_);
    curves_.times = result_.recording.times;
    result_.curves = std::move(curves_);
    note_statistics();
    return std::move(result_);
  }

 private:
  void key(double elapsed, std::span<double> p) const {
    std::copy(rest_.begin(), rest_.end(), p.begin());
    if (animation_) animation_->sample(loop_.time.clip_time(elapsed), p);
    for (const int i : scene_.free) p[index(i)] = rest_[index(i)];
  }

  void start() {
    std::vector<double> next = p_;
    key(0, p_);
    key(settings_.step, next);
    motion_.reset(p_, next, settings_.step);
    now_.assign(motion_.free_values().begin(), motion_.free_values().end());
    before_ = now_;
    loop_.passes.start.assign(motion_.positions().begin(), motion_.positions().end());
    if (const std::optional<Checkpoint> state = resumed(loop_, options_, fingerprint_, result_)) load(*state);
  }

  void advance() {
    before_ = now_;
    const double begin = loop_.elapsed();
    ++loop_.steps;
    try {
      if (settings_.adaptive) {
        advance_adaptively(motion_, [&](double seconds, std::span<double> p) { key(begin + seconds, p); }, settings_.step, p_,
                           adaptive_);
      } else {
        key(loop_.elapsed(), p_);
        motion_.advance(p_, settings_.step);
      }
    } catch (const Error& error) {
      throw Error(error.kind(), "at " + std::to_string(loop_.clip_time()) + " s, " + error.what());
    }
    iterations_ += motion_.statistics().iterations;
    now_.assign(motion_.free_values().begin(), motion_.free_values().end());
    if (loop_.pass_is_over()) {
      end_pass(loop_, motion_.positions(), scene_.height, result_);
      curves_.values.clear();
    }
  }

  void record_frame() {
    std::vector<double> p = p_;
    key(loop_.due(), p);
    Rig& rig = *scene_.whole_rig;
    std::vector<Vec3> goal(rig.vertices()), moved(rig.vertices());
    rig.evaluate(p, goal);
    for (std::size_t i = 0; i < scene_.free.size(); ++i) {
      const double value = now_[i] + loop_.beyond() * (before_[i] - now_[i]);
      p[index(scene_.free[i])] = value;
      curves_.values.push_back(value);
    }
    rig.evaluate(p, moved);
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] -= goal[v];
    append_frame(scene_.surface, moved, result_.recording);
    result_.report.frames.push_back({loop_.frame_time(), watch_.lap() * 1e3, iterations_,
                                     motion_.elastic_energy() + motion_.kinetic_energy(), 1, motion_.smallest_volume_ratio()});
    iterations_ = 0;
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
    Fingerprint print;
    const auto add = [&print](const auto& values) { print.add(values); };
    add(body.mesh.positions);
    add(body.mass);
    add(body.material.shear);
    add(body.material.lambda);
    add(body.interior.column);
    add(body.interior.value);
    add(body.correction.rest.value);
    add(scene_.free);
    add(rest_);
    print.add_clip(clip_of(character, options_));
    const RigSpaceDynamics& d = scene_.dynamics;
    add(d.range);
    add(std::array{loop_.time.begin, loop_.time.length, options_.frames_per_second, settings_.step, d.linearity, d.stiffness_damping,
                   d.mass_damping, d.gravity.y, d.limit_start, d.limit_stiffness, d.tolerance});
    add(std::array{options_.clip, options_.loop ? 1 : 0, settings_.adaptive ? 1 : 0, static_cast<int>(d.rest),
                   static_cast<int>(d.interior), d.deferred ? 1 : 0, d.predictor ? 1 : 0, static_cast<int>(body.material.law)});
    return print.value();
  }

  void save(Checkpoint& state) const {
    const RigSpaceState& s = motion_.state();
    std::vector<double>& numbers = state.now.numbers;
    numbers = s.free;
    numbers.insert(numbers.end(), s.rate.begin(), s.rate.end());
    append_vectors(numbers, s.x);
    append_vectors(numbers, s.velocity);
    append_vectors(numbers, s.interior_offset);
    numbers.insert(numbers.end(), s.jacobian_at.begin(), s.jacobian_at.end());
    for (const std::vector<double>* matrix : {&s.damping, &s.next_damping, &s.hessian}) {
      numbers.push_back(static_cast<double>(matrix->size()));
      numbers.insert(numbers.end(), matrix->begin(), matrix->end());
    }
    numbers.push_back(s.hessian_step);
    numbers.push_back(adaptive_.halvings);
    numbers.insert(numbers.end(), before_.begin(), before_.end());
    append_vectors(state.pass_start, loop_.passes.start);
    state.before.numbers = curves_.values;
  }

  void load(const Checkpoint& state) {
    const std::string file = options_.checkpoint.string();
    CheckpointNumbers take(state.now.numbers, file);
    const std::size_t free = scene_.free.size(), vertices = scene_.body->mesh.positions.size();
    RigSpaceState s;
    s.free = take.numbers(free);
    s.rate = take.numbers(free);
    s.x = take.vectors(vertices);
    s.velocity = take.vectors(vertices);
    s.interior_offset = take.vectors(motion_.state().interior_offset.size());
    s.jacobian_at = take.numbers(p_.size());
    for (std::vector<double>* matrix : {&s.damping, &s.next_damping, &s.hessian})
      *matrix = take.numbers(static_cast<std::size_t>(std::max(0.0, take.number())));
    s.hessian_step = take.number();
    adaptive_.halvings = static_cast<int>(take.number());
    before_ = take.numbers(free);
    motion_.set_state(s);
    now_ = s.free;
    loop_.passes.start = CheckpointNumbers(state.pass_start, file).vectors(vertices);
    curves_.values = state.before.numbers;
  }

  const RigSpaceScene& scene_;
  const RigSpaceSettings& settings_;
  const RigAnimation* animation_;
  const BakeOptions& options_;
  FrameLoop loop_;
  RigSpaceMotion motion_;
  AdaptiveSteps adaptive_;
  std::vector<double> p_, rest_;       // all parameters
  std::vector<double> before_, now_;   // free ones, one step apart
  RigCurves curves_;
  Stopwatch watch_;
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
