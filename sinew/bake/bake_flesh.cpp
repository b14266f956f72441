#include "sinew/bake/bake_flesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sinew/bake/check_checkpoint.h"
#include "sinew/bake/checkpoint_numbers.h"
#include "sinew/bake/fingerprint.h"
#include "sinew/bake/flesh_environment.h"
#include "sinew/bake/flesh_frames.h"
#include "sinew/bake/frame_loop.h"
#include "sinew/bake/held_notes.h"
#include "sinew/bake/record_frames.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/deform/lattice/lattice_flesh.h"

namespace sinew {
namespace {

class FleshBake {
 public:
  FleshBake(const Character& character, const FleshScene& scene, const FleshSettings& settings, const BakeOptions& options)
      : character_(character),
        scene_(scene),
        options_(options),
        clip_(clip_of(character, options)),
        deformer_(make_flesh(scene, settings)),
        loop_(frame_loop(time_line(character, options, settings.preroll), deformer_->step())),
        environment_(character, scene, settings),
        frames_(character, scene, settings, clip_ ? clip_->name : "rest"),
        before_(frames_.points()),
        now_(before_.size()),
        result_(empty_result(character, scene.surface, options, loop_.time)) {
    result_.report.steps_per_second = 1 / loop_.step;
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint(settings);
  }

  BakeResult run(const Progress& progress) {
    start();
    frame_watch_.lap();
    run_frames(loop_, "simulating",
               {[this] { advance(); }, [this] { record_frame(); }, [this](Checkpoint& state) { save(state); }}, options_,
               fingerprint_, progress, result_);
    say_misfits(held_, scene_.height, result_);
    return std::move(result_);
  }

 private:
  std::vector<Affine> bones_at(double clip_time) const {
    return bone_transforms(character_, scene_.surface, sample(character_.skeleton, clip_, clip_time));
  }

  void start() {
    if (const std::optional<Checkpoint> state = resumed(loop_, options_, fingerprint_, result_)) {
      load(*state);
      return;
    }
    const std::vector<Affine> first = bones_at(loop_.time.clip_time(loop_.elapsed(0)));
    const std::vector<Affine> second = bones_at(loop_.time.clip_time(loop_.elapsed(1)));
    deformer_->reset({0, first}, {loop_.step, second});
    copy_displacements(now_);
    before_ = now_;
    loop_.passes.start = now_;
  }

  void advance() {
    before_.swap(now_);
    ++loop_.steps;
    const std::vector<Affine> bones = bones_at(loop_.clip_time());
    if (!environment_.empty()) set_environment(bones);
    deformer_->advance({loop_.elapsed(), bones});
    frames_.note_step(bones);
    if (!environment_.empty())
      add_misfits(dynamic_cast<const LatticeDeformer&>(*deformer_).misfits(), loop_.clip_time(), held_);
    iterations_ += deformer_->statistics().iterations;
    copy_displacements(now_);
    if (loop_.pass_is_over()) end_pass(loop_, now_, scene_.height, result_);
  }

  void set_environment(const std::vector<Affine>& bones) {
    const double before = loop_.time.clip_time(loop_.elapsed(loop_.steps - 1)), now = loop_.clip_time();
    const Pose pose_before = sample(character_.skeleton, clip_, before), pose_now = sample(character_.skeleton, clip_, now);
    const std::vector<Affine> bones_before = bones_at(before);
    dynamic_cast<LatticeDeformer&>(*deformer_)
        .set_environment(environment_.over({before, pose_before, bones_before}, {now, pose_now, bones}, loop_.step));
  }

  void copy_displacements(std::vector<Vec3>& target) const {
    const std::span<const Vec3> local = deformer_->local_displacements();
    target.assign(local.begin(), local.end());
  }

  void record_frame() {
    std::vector<Vec3> local = between_steps(before_, now_, loop_.beyond());
    const double clip_time = loop_.time.clip_time(loop_.due());
    const Pose pose = sample(character_.skeleton, clip_, clip_time);
    const std::vector<Affine> bones = bone_transforms(character_, scene_.surface, pose);
    const BodyMeasures measures = deformer_->measure({loop_.elapsed(), bones});
    frames_.record({loop_.due(), {clip_time, pose, bones}, measures}, environment_, local, result_.recording);
    result_.report.frames.push_back({loop_.frame_time(), frame_watch_.lap() * 1e3, iterations_,
                                     measures.energy, measures.volume_ratio, measures.min_det});
    iterations_ = 0;
  }

  std::uint64_t fingerprint(const FleshSettings& settings) const {
    const FleshBody& body = *scene_.body;
    const FleshDescription& d = body.description;
    Fingerprint print;
    const auto add = [&print](const auto& values) { print.add(values); };
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
    print.add_clip(clip_);
    add(std::array{loop_.time.begin, loop_.time.length, options_.frames_per_second, loop_.step, loop_.time.preroll, d.mass_damping,
                   d.stiffness_damping, static_cast<double>(options_.clip), options_.loop ? 1.0 : 0.0,
                   settings.reference == Reference::rig ? 0.0 : 1.0, settings.ground.value_or(-1e300), settings.gravity.x,
                   settings.gravity.y, settings.gravity.z, settings.spectral_radius, solver_tolerance(settings),
                   settings.warping == Warping::element ? 0.0 : 1.0,
                   static_cast<double>(static_cast<int>(scene_.body->dynamics.gravity_in_rest))});
    return print.value();
  }

  void save(Checkpoint& state) const {
    deformer_->save(state.now);
    append_vectors(state.before.numbers, before_);
    append_vectors(state.pass_start, loop_.passes.start);
  }

  void load(const Checkpoint& state) {
    const std::string file = options_.checkpoint.string();
    const double reach = farthest_reach(character_, scene_.surface.bones, clip_, loop_, scene_.height);
    check_recording_within(result_.recording, reach, file);
    check_numbers_within(state.now.numbers, largest_number(reach), "the state of its flesh", file);
    try {
      deformer_->load(state.now);
    } catch (const Error& error) {
      throw Error(error.kind(), file + ": " + error.what());
    }
    copy_displacements(now_);
    before_ = checkpoint_vectors(state.before.numbers, now_.size(), file);
    loop_.passes.start = checkpoint_vectors(state.pass_start, now_.size(), file);
    for (const std::vector<Vec3>* displacements : {&now_, &before_, &loop_.passes.start})
      check_vectors_within(*displacements, 2 * reach, "where its flesh is", file);
    check_last_frame(result_.recording, last_frame_again(), file);
  }

  // Of any number of a state: lengths, what changes these and their velocities over a step, and forces on the body's mass.
  double largest_number(double reach) const {
    double mass = 0;
    for (const double m : scene_.body->mass) mass += m;
    const double rate = 1 / loop_.step;
    return 10 * reach * std::max(1.0, rate * rate) * std::max(1.0, mass);
  }

  Recording last_frame_again() {
    const FrameLoop last = at_last_frame(loop_);
    std::vector<Vec3> local = between_steps(before_, now_, last.beyond());
    Recording again = empty_copy(result_.recording);
    frames_.append(bones_at(last.time.clip_time(last.due())), local, again);
    return again;
  }

  const Character& character_;
  const FleshScene& scene_;
  const BakeOptions& options_;
  const Clip* clip_;
  std::unique_ptr<Deformer> deformer_;
  FrameLoop loop_;
  FleshEnvironment environment_;
  FleshFrames frames_;
  std::vector<Vec3> before_, now_;  // local displacements one step apart
  Stopwatch frame_watch_;
  int iterations_ = 0;
  std::vector<HeldRecord> held_;
  std::uint64_t fingerprint_ = 0;
  BakeResult result_;
};

}  // namespace

BakeResult bake_flesh(const Character& character, const FleshScene& scene, const FleshSettings& settings,
                      const BakeOptions& options, const Progress& progress) {
  return FleshBake(character, scene, settings, options).run(progress);
}

}  // namespace sinew
