// Closing a loop: flesh that began at rest runs on into further rounds of the clip, until what still differs from the
// round before is known to die away (docs/baking.md, Loops).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// A swing that dies away, seen once a frame: e(t) = now(t) e(0) + before(t) e(-1), t in frames.
struct DyingSwing {
  double rate = 0.9;   // of a frame's amplitude to the one before
  double angle = 0.5;  // radians a frame

  double now(double frames) const;
  double before(double frames) const;
};

// Swings that flesh can have.
struct SwingBounds {
  DyingSwing slowest, fastest;  // rate falls, angle rises from the one to the other
};

// The damped oscillation nearest to the last few differences between two cycles, one frame apart, of the same points
// each: by Prony's method, e(t + 1) = c1 e(t) + c2 e(t - 1) in the sense of least squares, within `bounds`. Too few
// differences give the middle of the bounds.
DyingSwing dying_swing(std::span<const std::vector<Vec3>> differences, const SwingBounds& bounds);

class LoopClosing {
 public:
  struct Limits {
    std::int64_t frames = 1;  // of a round that are recorded
    double length = 1;        // of a round, in frames
    double tolerance = 0;     // metres: less is no difference
    double window = 3;        // frames over which nothing may differ: closed
    double enough = 1e300;    // frames, after which what still differs may die away as one swing
    SwingBounds swing{};
  };
  explicit LoopClosing(const Limits& limits) : limits_(limits) {}

  // Adds the difference between a frame of cycle 1, 2 and so on and the same frame of the cycle before: `points` in the
  // vertices' own frames, metres; `curves` for methods that answer with some. Each cycle is added from its first frame
  // on. Returns true if no further frame is needed.
  bool add(int round, std::int64_t frame, std::vector<Vec3> points, std::vector<double> curves);

  // Whatever else may come, it dies away from here.
  void give_up() { swing_ = dying_swing(points_, limits_.swing); }

  bool fades() const { return swing_.has_value(); }
  // What all rounds to come would add to a recorded frame.
  void due(std::int64_t frame, std::span<Vec3> points, std::span<double> curves) const;

 private:
  Limits limits_;
  int round_ = 1;
  std::int64_t frame_ = 0, alike_ = 0;
  std::vector<std::vector<Vec3>> points_;    // of the last few frames of this round
  std::vector<std::vector<double>> curves_;  // of the same
  std::optional<DyingSwing> swing_;
};

}  // namespace sinew
