// A deformer turns rig states over time into flesh over time. Every method provides one, so that baking, playing live,
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

// Sets every control of a rig at a time between two steps; `time` as in RigState.
using ControlPath = std::function<void(double time, std::span<double> controls)>;

// A force on one of a deformer's points.
struct PointForce {
  int point = -1;  // index into Deformer::points()
  Vec3 force;      // newtons, in the point's own frame: rest space, turned as the rig turns the flesh there

  bool operator==(const PointForce&) const = default;
};

// A displacement of one of a deformer's points.
struct PointDisplacement {
  int point = -1;  // index into Deformer::points()
  Vec3 by;         // metres, in the point's own frame

  bool operator==(const PointDisplacement&) const = default;
};

// Stiffening of the flesh at one of a deformer's points.
struct PointStiffening {
  int point = -1;
  double logarithm = 0;  // natural, of the factor of stiffness

  bool operator==(const PointStiffening&) const = default;
};

// A control that the method computes, but keys fix at the moment (fixed_keys.h).
struct FixedControl {
  int control = -1;            // index into DeformerTraits::curves
  double in = 0;               // seconds until it has the value; 0: it has it now
  double value = 0, rate = 0;  // then, in the control's own unit, and per second

  bool operator==(const FixedControl&) const = default;
};

// The rig at one time. A session sets bones and controls, whatever its scene.
struct RigState {
  double time = 0;                // seconds since the deformer's start; never decreases
  std::span<const Affine> bones;  // per bone: rest space to world, metres
  // One value per control. If the goal follows controls (Scene::follows_controls()), they are the rig's parameters, and
  // `bones` is their pose; otherwise they are weights of morph targets (rig/weight_controls.h).
  std::span<const double> controls{};
  const ControlPath* path = nullptr;  // the controls since the last step; null: they change linearly
  // Forces by which force rigs shape the flesh (shape/), ascending by point, none of them zero; empty: none.
  std::span<const PointForce> forces{};
  // The part of what these forces do that morph targets of the rig show, ascending by point, none of them zero;
  // displayed flesh leaves it out. Empty: none.
  std::span<const PointDisplacement> shown_by_rig{};
  // How force rigs stiffen the flesh, ascending by point, none of them zero; empty: not at all. A tetrahedron is
  // stiffened by the geometric mean of its corners' factors.
  std::span<const PointStiffening> stiffening{};
  std::span<const FixedControl>
      fixed{};  // computed controls that keys fix, ascending; methods without curves ignore it
  // Activation of each muscle of the flesh, 0 to 1; empty: none is active, or there are none.
  std::span<const double> activation{};
};

// A cut in the rig's motion: it moves from `before` to `left`, jumps to `entered` and moves on to `next`.
struct RigCut {
  RigState before, left, entered, next;

  double seconds_before() const { return left.time - before.time; }  // 0: the rig stood still
  double seconds_after() const { return next.time - entered.time; }  // likewise
};

// A count since the run began, for reports.
struct Counter {
  const char* name = "";
  std::int64_t count = 0;
};

// Cost and outcome of one step, for reports. Spans are valid until the deformer is used again.
struct StepStatistics {
  int iterations = 0;                                    // of the solver; 0 for a direct substitution
  double residual = 0;                                   // relative residual of an iterative solver
  int contacts = 0;                                      // surface points held out of colliders
  std::span<const ConstraintError> constraint_errors{};  // per position constraint, in the order of the environment
  std::span<const Counter> counters{};
  std::span<const BallPush> balls{};  // per falling ball, in the order of the environment; empty: none was touched
  bool unfinished = false;            // true if iterations ended before they had converged
};

// State of the body at one time, for reports.
struct BodyMeasures {
  double energy = 0;        // elastic plus kinetic energy relative to the goal, joules
  double volume_ratio = 1;  // volume of the body over its rest volume
  double min_det = 1;       // smallest det F over all elements
};

// A deformer's state between two steps, as plain numbers: checkpoints, undo, tests.
struct Snapshot {
  std::vector<double> numbers;
};

// The parts of an Environment that a method supports.
struct Capabilities {
  bool ground = false, colliders = false, held = false, loads = false, gravity = false;
  bool stiffness = false, damping = false;
  bool shapes = false;  // force rigs
  bool balls = false;   // falling balls

  bool operator==(const Capabilities&) const = default;
};

// Range of a control that a method computes. No run leaves it.
struct ControlRange {
  std::string name;
  double low = 0, high = 0;
};

// Properties of a method that its callers depend on.
struct DeformerTraits {
  Capabilities can;
  // Settings with which the method can do all that MethodTraits::obeys says, for messages: "elasticity nonlinear".
  const char* all_with = "";
  double step = 0;  // shortest step, seconds; 0: no memory, every time is independent
  // Available step lengths, seconds: ascending multiples of `step`, which is the first. Empty: `step` alone.
  std::vector<double> steps;
  // True: the surface that the rig gives is the rest state of the flesh. False: the method has rest shapes of its own.
  bool around_goal = true;
  bool has_volume = true;  // BodyMeasures::volume_ratio and min_det are meaningful
  double period = 1;       // approximate period of the slowest oscillation, seconds
  // Energy below which the body counts as at rest, joules. Infinity: the method does not measure energy.
  double least_energy = std::numeric_limits<double>::infinity();
  std::vector<int> bone_of_point;    // per point of points(): its dominant bone, or -1; empty if points() are not
                                     // displacements from the rig
  std::vector<ControlRange> curves;  // controls that the method computes
};

// A surface embedded in a body of points, for clamps that limit the points before the surface follows them
// (display/displayed_deformer.h).
class EmbeddedSurface {
 public:
  virtual ~EmbeddedSurface() = default;

  virtual std::span<const Vec3> earlier_points() const = 0;  // Deformer::points() one step earlier
  // Displacements of the surface from the goal for given points: metres, world, per vertex.
  virtual void displace(const RigState& rig, std::span<const Vec3> points, std::span<Vec3> surface) = 0;
};

class Deformer {
 public:
  virtual ~Deformer() = default;

  virtual const DeformerTraits& traits() const = 0;  // constant
  double step() const { return traits().step; }

  // Available step lengths, seconds, ascending.
  std::span<const double> steps() const {
    return traits().steps.empty() ? std::span(&traits().step, 1) : std::span<const double>(traits().steps);
  }
  virtual std::size_t chosen_step() const { return 0; }  // index into steps()
  // Sets the length of the following steps. `earlier`: the rig one step of the new length before the end of the last
  // step. Position and velocity of the flesh do not change, nor do displacements between the last two steps.
  virtual void choose_step(std::size_t choice, const RigState& earlier) { (void)choice, (void)earlier; }

  // Puts the flesh into static equilibrium at `rig` with its forces, without loads of an environment, with the velocity
  // that takes the rig to `next` in one shortest step.
  virtual void reset(const RigState& rig, const RigState& next) = 0;

  // Takes one internal step that ends at `rig`; `environment` acts during it.
  virtual void advance(const RigState& rig, const Environment& environment) = 0;

  // Replaces a step at a cut of the rig. Displacements from the goal and their rates, in each point's own frame, do not
  // change, and no force acts. Methods that cannot do this reset().
  virtual void carry(const RigCut& cut) { reset(cut.entered, cut.next); }

  // The surface as the rig alone poses it: metres, world, per vertex.
  virtual void goal(const RigState& rig, std::span<Vec3> surface) = 0;

  // Displacements of the flesh from goal(): metres, world, per vertex of the surface. `before` is the position within
  // the last step, from 0 at its end to 1 at its beginning, and `rig` the rig at that time.
  virtual void displacements(const RigState& rig, double before, std::span<Vec3> surface) = 0;

  // Positions of the flesh, metres, world: goal() plus displacements(), unless overridden.
  virtual void surface(const RigState& rig, double before, std::span<Vec3> surface);

  // Points whose positions, metres, identify a state: a loop is closed when all of them have returned.
  virtual std::span<const Vec3> points() const = 0;
  // The surface that follows points(). Null: it does not.
  virtual EmbeddedSurface* embedded() { return nullptr; }

  // Measures the current state. `rig`: the rig at the last step.
  virtual BodyMeasures measure(const RigState& rig) { return (void)rig, BodyMeasures{}; }
  virtual StepStatistics statistics() const { return {}; }

  // Rotations of the body's elements in the last step, rest to world, where they are an input of the method; else
  // empty.
  virtual std::span<const Mat3> element_rotations() const { return {}; }

  // Values of the computed controls (DeformerTraits::curves) at the time `before`, as in displacements().
  virtual void curves(double before, std::span<double> values) const { (void)before, (void)values; }

  virtual void save(Snapshot& snapshot) const = 0;
  // Restores a state that save() wrote with the rig at `rig`. Call reset() first. `reach`: upper bound of any distance
  // from the origin, metres. Throws input_error if no run of this scene can have written the numbers.
  virtual void load(const Snapshot& snapshot, const RigState& rig, double reach) = 0;
  // Replaces reset() and load() for a state of another scene that has the same points and other materials. `next` as
  // in reset().
  virtual void take_over(const Snapshot& snapshot, const RigState& rig, const RigState& next, double reach) {
    reset(rig, next);
    load(snapshot, rig, reach);
  }

 private:
  std::vector<Vec3> goal_;
};

// `values`: one per control, for one time or for several in sequence. Throws input_error if a value is out of range.
void check_curves(std::span<const ControlRange> curves, std::span<const double> values);

// Energy below which a body counts as at rest, joules. `mass` in kilograms, `height` in metres.
double least_energy(double mass, double height);

// Interpolates per point: now + before (earlier - now).
void between_steps(std::span<const Vec3> earlier, std::span<const Vec3> now, double before, std::span<Vec3> between);

}  // namespace sinew
