// Checks the plausibility of a run. With any method, flesh does not tear, turn inside out, leave the character or gain
// energy from nothing; if it does, the run ends with an error instead of nonsense.
//
// The bounds are wide: they separate numerical failure from violent motion, and do not measure quality.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/scene.h"

namespace sinew {

struct WatchedFrame {
  double time = 0;                     // clip time, seconds
  double elapsed = 0;                  // seconds since the run began, over all cycles of a loop
  std::span<const Vec3> displacement;  // per surface vertex, metres, world: from the rig's position, or from rest
  std::span<const Vec3> state;         // per body point: the method's own displacements, metres; may be empty
  double driven = 0;        // metres: distance by which drags, or the method itself, may take flesh from the rig
  double stretch = 1;       // largest factor by which the rig scales the character
  bool bounded = true;      // displacements are relative to the rig, and flesh stays near it
  double volume_ratio = 1;  // volume of the body relative to that in the rig's pose; negative: inside out
  double energy = 0;        // joules, relative to the goal
  bool still = false;       // neither the rig nor drags moved since the last frame
};

struct WatchedRun {
  std::string clip;   // name
  double height = 1;  // metres
  double period = 1;  // seconds, of the slowest oscillation of the flesh, approximately
  double least_energy = std::numeric_limits<double>::infinity();  // joules below which the body is at rest; infinity:
                                                                  // no energy is reported
  std::vector<std::string> state_joint;  // per body point: the joint that it follows most; may be empty
};

// Largest allowed distance of a vertex from the rig, metres, where displacements are bounded. `height` of the character
// in metres; `stretch` and `driven` as in WatchedFrame.
double farthest_from_rig(double height, double stretch, double driven);

// Largest factor by which any bone (rest space to world) scales lengths; at least 1.
double largest_stretch(std::span<const Affine> bones);
// Largest factor by which the scene's rig scales lengths; at least 1. `goal`: the surface that it gives with these
// bones.
double stretch_of(const Scene& scene, std::span<const Affine> bones, std::span<const Vec3> goal);

// True if a bone itself turns its surroundings inside out, or shrinks them to less than a tenth of their volume.
bool any_collapsed(std::span<const Affine> bones);

// Ratio of the volumes that `displayed` and `rig` enclose, both per vertex of `surface`; 1 if the rig's surface
// encloses almost nothing, as thin shells do.
double enclosed_volume_ratio(const TriangleMesh& surface, std::span<const Vec3> rig, std::span<const Vec3> displayed);

class RunWatch {
 public:
  // `character` and `surface` must outlive this.
  RunWatch(const Character& character, const SimulationSurface& surface, WatchedRun run);

  // Checks a frame. Call it for each recorded frame, in order. Throws simulation_error that names file, clip, time and
  // place.
  void look(const WatchedFrame& frame);

 private:
  void check_distances(const WatchedFrame& frame) const;
  void check_tears(const WatchedFrame& frame) const;
  void check_volume(const WatchedFrame& frame);
  void check_energy(const WatchedFrame& frame);
  [[noreturn]] void end(const WatchedFrame& frame, const std::string& what) const;
  std::string place(std::size_t vertex) const;

  const Character& character_;
  const SimulationSurface& surface_;
  WatchedRun run_;
  int frames_inside_out_ = 0;          // in a row, so far
  std::optional<double> still_since_;  // seconds
  double most_energy_ = 0;             // joules: maximum in the first oscillations since then
};

}  // namespace sinew
