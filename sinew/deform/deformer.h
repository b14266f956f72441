// A deformer turns rig states over time into flesh over time. Every method is one, so that baking, playing live,
// recording and comparing do not know which method they run (docs/deformer.md).
//
//   std::unique_ptr<Deformer> deformer = scene.deformer();       // scene.h; cook/cook.h makes scenes
//   const double step = deformer->step();
//   deformer->reset({0, bones}, {step, next});
//   deformer->advance({step, next}, environment);                // once per step, with the bones at its end
//   deformer->surface({step, next}, 0, positions);               // metres, world, per vertex of the scene's surface
//
// One thread at a time; several deformers may run on several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/deform/environment.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Controls of a rig between two steps; `time` as in RigState. Sets every control.
using ControlPath = std::function<void(double time, std::span<double> controls)>;

// The rig at one time.
struct RigState {
  double time = 0;                     // seconds on the deformer's own, ever growing time line
  std::span<const Affine> bones;       // per bone: rest space to world, metres
  std::span<const double> controls{};  // of a rig that has some (character/rig.h): one value each; else empty
  const ControlPath* path = nullptr;   // of the controls since the last step; null: on a line
};

// A cut of the rig's motion: it is at `left`, moving as it did since `before`, and then at `entered`, from where it
// moves on to `next`. No motion lies between `left` and `entered`.
struct RigCut {
  RigState before, left, entered, next;

  double seconds_before() const { return left.time - before.time; }  // 0: it stood still
  double seconds_after() const { return next.time - entered.time; }  // likewise
};

// What one step cost and left, for reports.
struct StepStatistics {
  int iterations = 0;   // of the linear solver; 0 for a direct substitution
  double residual = 0;  // relative, where iterated
  int contacts = 0;     // surface points held out of colliders
};

// What a report says about the body at one time.
struct BodyMeasures {
  double energy = 0;        // joules: elastic and kinetic, measured against the goal
  double volume_ratio = 1;  // of the body, over rest
  double min_det = 1;       // smallest det F over all elements
};

// What held back the flesh as displacements() had it last, where elasticity alone did not do: docs/flesh.md, What is
// shown.
struct LastResorts {
  double strain_bound = 0;  // share of the surface's vertices that it moved
  double limit = 0;         // share of the body's points that are shown nearer to the rig by more than a tenth
};

// A deformer's state between two steps, as plain numbers: checkpoints, undo, tests.
struct Snapshot {
  std::vector<double> numbers;
};

// What of an Environment a method obeys.
struct Capabilities {
  bool ground = false, colliders = false, held = false, loads = false, gravity = false;
};

// What a method is like, for those who run it.
struct DeformerTraits {
  Capabilities can;
  double step = 0;  // seconds; 0: without memory, each time stands for itself. Of several, the shortest
  // Flesh that physics moves away from where the rig has it, and that comes to rest there. False: the method has shapes
  // of its own.
  bool around_goal = true;
  bool bounded = false;    // flesh keeps as near to its goal as strain explains; farther is an error (bake/run_watch.h)
  double leads = 0;        // metres: how far the method may lead flesh away from the rig by itself
  bool has_volume = true;  // BodyMeasures::volume_ratio and min_det are the body's
  double period = 1;       // seconds: of the slowest swing, about
  double least_energy = std::numeric_limits<double>::infinity();  // joules: less is rest; infinity: energy is not told
  std::vector<int> bone_of_point;  // per point of points(): the bone that it follows most, or -1; empty where these are
                                   // no displacements from the rig
  std::size_t curves = 0;          // controls that it answers with
};

class Deformer {
 public:
  virtual ~Deformer() = default;

  virtual const DeformerTraits& traits() const = 0;  // the same at all times
  double step() const { return traits().step; }

  // The lengths that steps can have: seconds, rising, whole multiples of the first, which is that of traits().
  virtual std::span<const double> steps() const { return {&traits().step, 1}; }
  virtual std::size_t chosen_step() const { return 0; }  // index into these
  // The steps that follow have this length. `earlier`: the rig one such step before the end of the last one. Position
  // and velocity of the flesh do not change, nor does what is shown between the last two steps.
  virtual void choose_step(std::size_t choice, const RigState& earlier) { (void)choice, (void)earlier; }

  // Static equilibrium at `rig`, moving along with it at `next` - `rig` over one step, the shortest. Nothing acts on it
  // but what advance() is given.
  virtual void reset(const RigState& rig, const RigState& next) = 0;

  // One internal step, to `rig`, under what acts over it.
  virtual void advance(const RigState& rig, const Environment& environment) = 0;

  // In place of a step, where the rig is cut: flesh is carried along. Its displacements from the goal, in each point's
  // own frame, and how fast these change, stay what they are, and nothing pushes it. Of methods that cannot: as
  // reset().
  virtual void carry(const RigCut& cut) { reset(cut.entered, cut.next); }

  // Where the rig alone puts the surface: metres, world, per vertex.
  virtual void goal(const RigState& rig, std::span<Vec3> surface) = 0;

  // The way from there to where the flesh is shown: metres, world, per vertex of the surface. What is shown may lie
  // between the last two steps: `before` is 0 at the end of the last step and 1 at its beginning, `rig` the rig at that
  // time.
  virtual void displacements(const RigState& rig, double before, std::span<Vec3> surface) = 0;

  virtual LastResorts last_resorts() const { return {}; }

  // Displacements that were changed after they had been told, within the bounds of what is shown again: things that are
  // rigid, and edges (kept_shape.h). last_resorts() tells of them then.
  virtual void keep_shape(const RigState& rig, std::span<Vec3> displacements) { (void)rig, (void)displacements; }

  // Where the flesh is shown, metres, world: the sum of both, unless a method knows it more directly.
  virtual void surface(const RigState& rig, double before, std::span<Vec3> surface);

  // Points that tell one state from another, metres: where all of them come back, a loop is closed.
  virtual std::span<const Vec3> points() const = 0;

  // Of the state as it is, with the rig as it was at the last step.
  virtual BodyMeasures measure(const RigState& rig) = 0;
  virtual const StepStatistics& statistics() const = 0;
  virtual std::span<const HeldMisfit> misfits() const {
    return {};
  }  // in the last step, in the order of the environment
  // Metres: how far the method, or what it has obeyed, may have led flesh away from the rig.
  virtual double led() const { return traits().leads; }

  // In [0, 1]: how far bounds of what is shown make way for what leads the flesh; `before` as in displacements().
  virtual double yielding(double before) const { return (void)before, 0.0; }

  // Of methods that answer with controls: their values, as displacements() has the surface.
  virtual void curves(double before, std::span<double> values) const { (void)before, (void)values; }
  // `values`: recorded ones, of one frame or several after each other. Throws input_error where no run of this scene
  // can have left them.
  virtual void check_curves(std::span<const double> values) const { (void)values; }
  // Sums since the run began, by name: for reports.
  virtual std::vector<std::pair<std::string, std::int64_t>> counters() const { return {}; }

  virtual void save(Snapshot& snapshot) const = 0;
  // Goes on from a state that save() left with the rig at `rig`. Call reset() before. `reach`: metres from the origin
  // that nothing can be beyond. Throws input_error where no run of this scene can have left the numbers.
  virtual void load(const Snapshot& snapshot, const RigState& rig, double reach) = 0;
  // In place of reset() and load(), from a deformer of another scene with the same points and other materials; `next`
  // as in reset().
  virtual void take_over(const Snapshot& snapshot, const RigState& rig, const RigState& next, double reach) {
    reset(rig, next);
    load(snapshot, rig, reach);
  }

 private:
  std::vector<Vec3> goal_;
};

// Throws usage_error for what acts and the method does not obey, naming the method and those that do.
void check_capabilities(const std::string& method, const Capabilities& can, const Environment& environment);

// Joules that are none: they lift so many kilograms by next to nothing of the height, metres.
double least_energy(double mass, double height);

// p_now + before (p_before - p_now), per point.
void between_steps(std::span<const Vec3> earlier, std::span<const Vec3> now, double before, std::span<Vec3> between);

}  // namespace sinew
