// Closes loops: simulates further cycles of the clip until the remaining difference between cycles is known to decay
// (docs/baking.md, Loops).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// A decaying oscillation sampled once per frame: e(t) = now(t) e(0) + before(t) e(-1), t in frames.
struct DecayingSwing {
  double rate = 0.9;   // ratio of a frame's amplitude to the previous frame's
  double angle = 0.5;  // radians per frame

  double now(double frames) const;
  double before(double frames) const;
};

// The range of oscillations that flesh can have.
struct SwingBounds {
  DecayingSwing slowest, fastest;  // the rate falls and the angle rises from the first to the second
};

// Fits a decaying oscillation to the last few differences between two cycles, one frame apart and of the same points,
// by Prony's method: least squares of e(t + 1) = c1 e(t) + c2 e(t - 1), clamped to `bounds`. Without enough differences
// the result is the middle of the bounds.
DecayingSwing fit_decay(std::span<const std::vector<Vec3>> differences, const SwingBounds& bounds);

class LoopClosing {
 public:
  struct Limits {
    std::int64_t frames = 1;  // recorded frames per cycle
    double length = 1;        // length of a cycle, in frames
    double tolerance = 0;     // metres: smaller differences are ignored
    double window = 3;        // frames that must agree in succession to close the loop
    double enough = 1e300;    // frames after which the remaining difference may be treated as one decaying oscillation
    SwingBounds swing{};
  };
  explicit LoopClosing(const Limits& limits) : limits_(limits) {}

  // Adds the difference between a frame of cycle 1, 2, ... and the same frame of the previous cycle: `points` in the
  // vertices' own frames, metres; `curves` for methods that compute controls. Each cycle is added from its first
  // frame on. Returns true if no further frame is needed.
  bool add(int cycle, std::int64_t frame, std::vector<Vec3> points, std::vector<double> curves);

  // Treats everything that remains as one decaying oscillation.
  void give_up() { swing_ = fit_decay(points_, limits_.swing); }

  bool fades() const { return swing_.has_value(); }
  // Sum of the changes that all later cycles would make to a recorded frame.
  void due(std::int64_t frame, std::span<Vec3> points, std::span<double> curves) const;

 private:
  Limits limits_;
  int cycle_ = 1;
  std::int64_t frame_ = 0, alike_ = 0;
  std::vector<std::vector<Vec3>> points_;    // differences of the last few frames of this cycle
  std::vector<std::vector<double>> curves_;  // differences of their curves
  std::optional<DecayingSwing> swing_;
};

}  // namespace sinew
