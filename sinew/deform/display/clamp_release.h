// Release of the display clamps: where held points or colliders drive the flesh, it is displayed where it is, and the
// clamps come back once nothing does (docs/flesh.md, What is displayed).
#pragma once

#include <span>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"

namespace sinew {

class ClampRelease {
 public:
  void reset() { *this = {}; }

  // After a step of so many seconds. `period`: of the flesh's slowest swing, seconds. `points`: Deformer::points().
  void step(const SimulationSurface& surface, const RigState& rig, const Environment& environment,
            std::span<const Vec3> points, double seconds, double period);
  // In place of a step: nothing changes over it.
  void hold() { earlier_ = now_; }

  // `before` as in Deformer::displacements(): the share, 0 to 1, by which the strain limit is released, and the driven
  // displacement that the display limit leaves alone, metres.
  double share(double before) const { return now_.share + before * (earlier_.share - now_.share); }
  double driven(double before) const { return now_.driven + before * (earlier_.driven - now_.driven); }
  bool any() const { return now_.share > 0; }

  static constexpr std::size_t numbers = 4;  // of a snapshot
  void save(Snapshot& snapshot) const;
  // Throws input_error where no run can have left the numbers. `reach` as in Deformer::load(). Not `used`: they are
  // looked at only.
  void load(std::span<const double> saved, double reach, bool used);

 private:
  struct State {
    double share = 0, driven = 0;
  };
  State earlier_, now_;  // a step apart
};

}  // namespace sinew
