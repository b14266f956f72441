// Releases the display clamps while held points or colliders drive the flesh, and restores them smoothly afterwards;
// forces of the rig release the display limit alone
// (docs/flesh.md, What is displayed).
#pragma once

#include <span>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"

namespace sinew {

class ClampRelease {
 public:
  // Call once, with the rig of the start. `points`: Deformer::points().
  void begin(const RigState& rig, std::span<const Vec3> points);

  // Call after a step of `seconds`. `period`: slowest oscillation of the flesh, seconds. `points`: Deformer::points().
  void step(const SimulationSurface& surface, const RigState& rig, const Environment& environment,
            std::span<const Vec3> points, double seconds, double period);
  // Call in place of step() where nothing changes.
  void hold() { earlier_ = now_; }

  // Fraction, 0 to 1, by which the strain limit is released, and displacement that the display limit lets pass, metres.
  // `before` as in Deformer::displacements().
  double share(double before) const { return now_.share + before * (earlier_.share - now_.share); }
  double driven(double before) const { return now_.driven + before * (earlier_.driven - now_.driven); }
  bool any() const { return now_.share > 0 || now_.driven > 0; }

  static constexpr std::size_t numbers = 4;  // numbers that save() appends
  void save(Snapshot& snapshot) const;
  // Throws input_error if no run can have written the numbers. `reach` as in Deformer::load(). `used` false: validates
  // them without loading.
  void load(std::span<const double> saved, double reach, bool used);

 private:
  struct State {
    double share = 0, driven = 0;
  };
  State earlier_, now_;  // a step apart
};

}  // namespace sinew
