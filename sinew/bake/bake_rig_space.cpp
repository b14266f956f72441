#include "sinew/bake/bake_rig_space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/bake/check_checkpoint.h"
#include "sinew/bake/checkpoint_numbers.h"
#include "sinew/bake/fingerprint.h"
#include "sinew/bake/frame_loop.h"
#include "sinew/bake/record_frames.h"
#include "sinew/bake/run_watch.h"
#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/stopwatch.h"
#include "sinew/deform/rig_space/adaptive_steps.h"

namespace sinew {
namespace {

// Of a free parameter: how many times its range physics may have taken it beyond.
constexpr double most_ranges = 100;

// How many times stiffer than at rest a body may have become.
constexpr double most_stiffening = 1e6;

// Whether every pair of rows is such as a definite matrix has them; true for none.
bool is_definite(const std::vector<double>& matrix) {
  const auto size = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      if (!(std::abs(matrix[i * size + j]) <= (1 + 1e-6) * std::sqrt(matrix[i * size + i] * matrix[j * size + j]))) return false;
  return true;
}

struct ShownFrame {
  std::vector<Vec3> goal, displacement;  // metres, world, by vertex of the surface
  double volume_ratio = 1;
};

class RigSpaceBake {
 public:
  RigSpaceBake(const Character& character, const RigSpaceScene& scene, const RigSpaceSettings& settings,
       const RigAnimation* animation, const BakeOptions& options)
      : scene_(scene),
        settings_(settings),
        animation_(animation),
        options_(options),
        loop_(frame_loop(time_line(character, options), settings.step)),
        motion_(scene.body, *scene.rig, scene.free, scene.dynamics),
        run_watch_(character, scene.surface, watched(character, scene, options)),
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
  static WatchedRun watched(const Character& character, const RigSpaceScene& scene, const BakeOptions& options) {
    const std::vector<double>& mass = scene.body->mass;
    const Clip* clip = clip_of(character, options);
    WatchedRun run;
    run.clip = clip ? clip->name : "rest";
    run.height = scene.height;
    if (scene.material.frequency > 0) run.period = 1 / scene.material.frequency;
    run.least_energy = least_energy(std::accumulate(mass.begin(), mass.end(), 0.0), scene.height);
    return run;
  }

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
      if (error.kind() == ErrorKind::simulation) throw;  // gets its time from the loop of frames
      throw Error(error.kind(), "at " + std::to_string(loop_.clip_time()) + " s, " + error.what());
    }
    iterations_ += motion_.statistics().iterations;
    now_.assign(motion_.free_values().begin(), motion_.free_values().end());
    if (loop_.pass_is_over()) {
      end_pass(loop_, motion_.positions(), scene_.height, result_);
      curves_.values.clear();
    }
  }

  // Of the free parameters at the frame that is due.
  std::vector<double> values_at(const FrameLoop& loop) const {
    std::vector<double> values(now_.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = now_[i] + loop.beyond() * (before_[i] - now_[i]);
    return values;
  }

  // The surface with these values of the free parameters, beside where the keyed ones alone put it.
  ShownFrame shown_at(const FrameLoop& loop, std::span<const double> values) {
    std::vector<double> p = p_;
    key(loop.due(), p);
    Rig& rig = *scene_.whole_rig;
    std::vector<Vec3> goal(rig.vertices()), moved(rig.vertices());
    rig.evaluate(p, goal);
    for (std::size_t i = 0; i < values.size(); ++i) p[index(scene_.free[i])] = values[i];
    rig.evaluate(p, moved);
    const double ratio = enclosed_volume_ratio(scene_.surface.rest, goal, moved);
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] -= goal[v];
    return {std::move(goal), std::move(moved), ratio};
  }

  Recording last_frame_again() {
    const FrameLoop last = at_last_frame(loop_);
    Recording again = empty_copy(result_.recording);
    append_frame(scene_.surface, shown_at(last, values_at(last)).displacement, again);
    return again;
  }

  void keep_watch(const ShownFrame& shown) {
    WatchedFrame watched;
    watched.time = loop_.frame_time();
    watched.elapsed = loop_.due();
    watched.displacement = shown.displacement;
    watched.volume_ratio = shown.volume_ratio;
    watched.stretch = std::max(1.0, extent(shown.goal) / extent(scene_.surface.rest.positions));
    watched.bounded = false;  // by what the rig's controls can do
    watched.energy = motion_.elastic_energy() + motion_.kinetic_energy();
    watched.still = std::equal(shown.goal.begin(), shown.goal.end(), goal_.begin(), goal_.end());
    run_watch_.look(watched);
  }

  void record_frame() {
    const std::vector<double> values = values_at(loop_);
    ShownFrame shown = shown_at(loop_, values);
    keep_watch(shown);
    goal_ = std::move(shown.goal);
    append_frame(scene_.surface, shown.displacement, result_.recording);
    curves_.values.insert(curves_.values.end(), values.begin(), values.end());
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
    const double reach = farthest_reach();
    check_recording_within(result_.recording, reach, file);
    for (const std::vector<double>* numbers : {&state.now.numbers, &state.before.numbers, &state.pass_start})
      check_numbers_within(*numbers, std::numeric_limits<double>::max(), "the state of its flesh", file);
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
      *matrix = take.numbers(matrix_size(take.number(), file));
    s.hessian_step = take.number();
    const double halvings = take.number();
    before_ = take.numbers(free);
    take.finish();
    check_state(s, halvings, reach, file);
    check_free_values(s.free, file);
    check_free_values(before_, file);
    check_free_values(state.before.numbers, file);
    adaptive_.halvings = static_cast<int>(halvings);
    motion_.set_state(s);
    now_ = s.free;
    loop_.passes.start = checkpoint_vectors(state.pass_start, vertices, file);
    check_vectors_within(loop_.passes.start, reach, "where its body was", file);
    curves_.values = state.before.numbers;
    if (curves_.values.size() != free * static_cast<std::size_t>(loop_.frame)) throw forged_checkpoint(file, "its number of values");
    check_last_frame(result_.recording, last_frame_again(), file);
  }

  // One that is there, or none.
  std::size_t matrix_size(double numbers, const std::string& file) const {
    const double columns = static_cast<double>(motion_.padded_columns());
    if (numbers != 0 && numbers != columns * columns) throw forged_checkpoint(file, "the size of a matrix");
    return static_cast<std::size_t>(numbers);
  }

  void check_state(const RigSpaceState& s, double halvings, double reach, const std::string& file) const {
    const double h = settings_.step, shortest = std::ldexp(h, -adaptive_.most_halvings);
    check_vectors_within(s.x, reach, "where its body is", file);
    check_vectors_within(s.interior_offset, reach, "where its body is", file);
    check_vectors_within(s.velocity, 10 * reach / shortest, "how fast its body is", file);
    if (!(halvings >= 0 && halvings <= adaptive_.most_halvings && halvings == std::floor(halvings)))
      throw forged_checkpoint(file, "the length of its steps");
    if (!(s.hessian_step >= 0 && s.hessian_step <= h)) throw forged_checkpoint(file, "the length of its steps");
    for (std::size_t i = 0; i < s.rate.size(); ++i)
      if (!(std::abs(s.rate[i]) * shortest <= farthest_value(i))) throw forged_checkpoint(file, "how fast its controls are");
    std::vector<double> keyed_then = s.jacobian_at;
    for (std::size_t i = 0; i < scene_.free.size(); ++i) {
      if (!(std::abs(s.jacobian_at[index(scene_.free[i])] - rest_[index(scene_.free[i])]) <= farthest_value(i)))
        throw forged_checkpoint(file, "where its controls were");
      keyed_then[index(scene_.free[i])] = rest_[index(scene_.free[i])];
    }
    std::vector<Vec3> goal(scene_.rig->vertices());
    try {
      scene_.rig->evaluate(keyed_then, goal);
    } catch (const Error&) {
      throw forged_checkpoint(file, "where its controls were");
    }
    check_vectors_within(goal, reach, "where its controls were", file);
    if (!is_definite(s.hessian)) throw forged_checkpoint(file, "a matrix");
    // Damping need not be definite where the body is far from rest; motion_ is still where the run began.
    double damping = 0;
    for (const double entry : motion_.state().next_damping) damping = std::max(damping, std::abs(entry));
    for (const std::vector<double>* matrix : {&s.damping, &s.next_damping})
      check_numbers_within(*matrix, most_stiffening * damping, "a matrix", file);
  }

  // From its rest value, that physics may have taken the free parameter i.
  double farthest_value(std::size_t i) const {
    const RigParameter& parameter = scene_.rig->parameters()[index(scene_.free[i])];
    const double factor = scene_.dynamics.range.empty() ? 1 : std::max(1.0, scene_.dynamics.range[i]);
    return most_ranges * factor * (parameter.upper - parameter.lower);
  }

  // One or several times a value per free parameter.
  void check_free_values(std::span<const double> values, const std::string& file) const {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::size_t i = k % scene_.free.size();
      if (!(std::abs(values[k] - rest_[index(scene_.free[i])]) <= farthest_value(i)))
        throw forged_checkpoint(file, "'" + scene_.rig->parameters()[index(scene_.free[i])].name + "'");
    }
  }

  // Where the keyed controls take the surface, and a hundred heights beyond. Metres, world.
  double farthest_reach() {
    std::vector<double> p = p_;
    std::vector<Vec3> goal(scene_.whole_rig->vertices());
    double reach = 0;
    FrameLoop at = loop_;
    for (at.frame = 0; at.frame < loop_.frame; ++at.frame) {
      key(at.due(), p);
      scene_.whole_rig->evaluate(p, goal);
      for (const Vec3& x : goal) reach = std::max(reach, norm(x));
    }
    return reach + heights_beyond_goal * scene_.height;
  }

  const RigSpaceScene& scene_;
  const RigSpaceSettings& settings_;
  const RigAnimation* animation_;
  const BakeOptions& options_;
  FrameLoop loop_;
  RigSpaceMotion motion_;
  RunWatch run_watch_;
  std::vector<Vec3> goal_;  // the surface where the keyed controls alone had it, at the last frame
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
  return RigSpaceBake(character, scene, settings, animation, options).run(progress);
}

}  // namespace sinew
