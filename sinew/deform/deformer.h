// A deformer turns rig states over time into flesh over time. Every method is one, so that baking, playing live,
// recording and comparing do not know which method they run (docs/deformer.md).
//
//   std::unique_ptr<Deformer> deformer = scene.bare();           // scene.h; cook/cook.h makes scenes
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
#include <vector>

#include "sinew/deform/environment.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Controls of a rig between two steps; `time` as in RigState. Sets every control.
using ControlPath = std::function<void(double time, std::span<double> controls)>;

// The rig at one time. A session sets bones and controls, whatever its scene.
struct RigState {
  double time = 0;                // seconds on the deformer's own, ever growing time line
  std::span<const Affine> bones;  // per bone: rest space to world, metres
  // One value per control. Where the goal follows controls (Scene::follows_controls()), they are the parameters of that
  // rig and have posed the bones; else weights of morph targets (rig/weight_controls.h).
  std::span<const double> controls{};
  const ControlPath* path = nullptr;  // of the controls since the last step; null: on a line
};

// A cut of the rig's motion: it is at `left`, moving as it did since `before`, and then at `entered`, from where it
// moves on to `next`. No motion lies between `left` and `entered`.
struct RigCut {
  RigState before, left, entered, next;

  double seconds_before() const { return left.time - before.time; }  // 0: it stood still
  double seconds_after() const { return next.time - entered.time; }  // likewise
};

// Sum since the run began, for reports.
struct Counter {
  const char* name = "";
  std::int64_t count = 0;
};

// What one step cost and left, for reports. Spans are valid until the deformer is used again.
struct StepStatistics {
  int iterations = 0;                     // of the linear solver; 0 for a direct substitution
  double residual = 0;                    // relative, where iterated
  int contacts = 0;                       // surface points held out of colliders
  std::span<const HeldMisfit> misfits{};  // per position constraint, in the order of the environment
  std::span<const Counter> counters{};
};

// What a report says about the body at one time.
struct BodyMeasures {
  double energy = 0;        // joules: elastic and kinetic, measured against the goal
  double volume_ratio = 1;  // of the body, over rest
  double min_det = 1;       // smallest det F over all elements
};

// A deformer's state between two steps, as plain numbers: checkpoints, undo, tests.
struct Snapshot {
  std::vector<double> numbers;
};

// What of an Environment a method obeys.
struct Capabilities {
  bool ground = false, colliders = false, held = false, loads = false, gravity = false;
};

// Range of a control that a method answers with, within which any run keeps it.
struct ControlRange {
  std::string name;
  double low = 0, high = 0;
};

// What a method is like, for those who run it.
struct DeformerTraits {
  Capabilities can;
  double step = 0;  // seconds; 0: without memory, each time stands for itself. Of several, the shortest
  // Lengths that steps can have: seconds, rising, whole multiples of `step`, which is the first. Empty: `step` alone.
  std::vector<double> steps;
  // True: physics moves flesh away from where the rig has it, and flesh comes to rest there. False: the method has
  // shapes of its own.
  bool around_goal = true;
  bool has_volume = true;  // BodyMeasures::volume_ratio and min_det are the body's
  double period = 1;       // seconds: of the slowest swing, about
  // Energy below which the body counts as at rest, joules; infinity: the method does not measure energy.
  double least_energy = std::numeric_limits<double>::infinity();
  std::vector<int> bone_of_point;  // per point of points(): the bone that it follows most, or -1; empty where these are
                                   // no displacements from the rig
  std::vector<ControlRange> curves;  // controls that the method answers with
};

// The surface of a body that carries it by points, for clamps that act before the surface follows
// (display/displayed_deformer.h).
class EmbeddedSurface {
 public:
  virtual ~EmbeddedSurface() = default;

  virtual std::span<const Vec3> earlier_points() const = 0;  // Deformer::points() one step before
  // Displacements of the surface from the goal by such points: metres, world, per vertex.
  virtual void displace(const RigState& rig, std::span<const Vec3> points, std::span<Vec3> surface) = 0;
};

class Deformer {
 public:
  virtual ~Deformer() = default;

  virtual const DeformerTraits& traits() const = 0;  // the same at all times
  double step() const { return traits().step; }

  // Lengths that steps can have, seconds, rising.
  std::span<const double> steps() const {
    return traits().steps.empty() ? std::span(&traits().step, 1) : std::span<const double>(traits().steps);
  }
  virtual std::size_t chosen_step() const { return 0; }  // index into these
  // The steps that follow have this length. `earlier`: the rig one such step before the end of the last one. Position
  // and velocity of the flesh do not change, nor do displacements between the last two steps.
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

  // Displacements of the flesh from there: metres, world, per vertex of the surface. `before` says where between the
  // last two steps: 0 at the end of the last step and 1 at its beginning, with `rig` the rig at that time.
  virtual void displacements(const RigState& rig, double before, std::span<Vec3> surface) = 0;

  // Positions of the flesh, metres, world: the sum of both, unless a method knows them more directly.
  virtual void surface(const RigState& rig, double before, std::span<Vec3> surface);

  // Points that tell one state from another, metres: where all of them come back, a loop is closed.
  virtual std::span<const Vec3> points() const = 0;
  // Null: the surface does not follow those points.
  virtual EmbeddedSurface* embedded() { return nullptr; }

  // Of the state as it is, with the rig as it was at the last step.
  virtual BodyMeasures measure(const RigState& rig) { return (void)rig, BodyMeasures{}; }
  virtual StepStatistics statistics() const { return {}; }

  // Of methods that answer with controls: their values, as displacements() has the surface.
  virtual void curves(double before, std::span<double> values) const { (void)before, (void)values; }

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

// `values`: of such controls, those of one time or of several after each other. Throws input_error where no run can
// have left them.
void check_curves(std::span<const ControlRange> curves, std::span<const double> values);

// Energy below which a body of so many kilograms and metres of height counts as at rest, joules.
double least_energy(double mass, double height);

// p_now + before (p_before - p_now), per point.
void between_steps(std::span<const Vec3> earlier, std::span<const Vec3> now, double before, std::span<Vec3> between);

}  // namespace sinew
