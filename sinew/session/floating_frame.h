// The frame in which a free body is simulated. Flesh is computed as displacements from a goal, which bones place. The
// goal of a body that no bone holds is its natural shape, placed by a rigid motion that follows the body, a step ahead.
// The motion is only a frame of reference: time is integrated in the world, and no force depends on it.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/scene.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/rigid_fit.h"

namespace sinew {

// Placement of a body relative to its natural shape.
struct RigidPlacement {
  Quat rotation;
  Vec3 position;  // of its middle, metres, world

  bool operator==(const RigidPlacement&) const = default;
};

// A frame of reference that follows a free body step by step.
class FloatingFrame {
 public:
  struct State {
    RigidPlacement now, before;      // frames at the ends of the last two steps
    RigidPlacement fitted, earlier;  // placements of the body there
    double step = 0;                 // seconds between them

    bool operator==(const State&) const = default;
  };

  // The state as numbers for checkpoints, and back; throws forged_state() for another number of them.
  static std::vector<double> numbers_of(const State& state);
  static State state_of(std::span<const double> numbers);

  // Places the frame where the body is, a surface of so many vertices around `middle` (metres, world), as if it had
  // moved so in a step before.
  FloatingFrame(std::size_t vertices, const Vec3& middle, const Toss& toss, double step);

  // The motion that places the goal, `seconds` after the end of the last step; negative: within it.
  Affine at(double seconds) const;

  // Ends a step of length `seconds`, at whose end at(seconds) placed the surface's `goal`, and `displacement` is that
  // of the body from it: metres, world.
  void step_to(double seconds, std::span<const Vec3> goal, std::span<const Vec3> displacement);

  const State& state() const { return state_; }
  // Throws forged_state() (deform/snapshot_numbers.h) for positions beyond `reach` and for quaternions that are not of
  // unit length.
  void load(const State& state, double reach);

 private:
  RigidPlacement placement(double seconds) const;

  RigidGroup whole_;
  Vec3 middle_;  // metres
  State state_;
};

}  // namespace sinew
