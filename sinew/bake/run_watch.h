// A watch over what a run records. Whatever the method, flesh tears nowhere, is not turned inside out, does not leave
// the character, and gets no energy from nowhere; a run in which it does ends with a sentence instead of with nonsense.
//
// The bounds are wide: they tell numbers that went wrong from flesh that is thrown about, and are no measure of
// quality.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

struct WatchedFrame {
  double time = 0;     // seconds on the clip's time line
  double elapsed = 0;  // seconds since the run began: of a loop, over all its passes
  std::span<const Vec3>
      displacement;             // per vertex of the surface, metres, world: from where the rig has it, or from rest
  std::span<const Vec3> state;  // per point of the body: the method's own displacements, metres; empty: it has none
  double driven = 0;            // metres: how far hands, or what a method may do, drive flesh away from the rig
  double stretch = 1;           // by which the rig enlarges the character, at most
  bool bounded = true;          // whether displacements are from the rig, which flesh does not leave
  double volume_ratio = 1;      // of the body, over what the rig makes of it; below zero: turned inside out
  double energy = 0;            // joules, against the goal
  bool still = false;           // neither rig nor hands have moved since the last frame
};

struct WatchedRun {
  std::string clip;                                               // its name
  double height = 1;                                              // metres
  double period = 1;                                              // seconds: of the flesh's slowest swing, about
  double least_energy = std::numeric_limits<double>::infinity();  // joules: less is rest; infinity: energy is not told
  std::vector<std::string> state_joint;  // per point of the body: the joint that it follows most; may be empty
};

// The distance at which a vertex may be seen from the rig, in metres, where displacements are bounded: of a character
// so high, which the rig enlarges by `stretch`, and whose flesh hands or the method drive so far.
double farthest_from_rig(double height, double stretch, double driven);

// Diagonal of the box around points, metres.
double extent(std::span<const Vec3> points);

// By how much bones (rest space to world) enlarge what they carry, the largest; at least 1.
double largest_stretch(std::span<const Affine> bones);

// Whether some bone turns what it carries inside out itself, or leaves it less than a tenth of its volume.
bool any_collapsed(std::span<const Affine> bones);

// The volume that `shown` encloses over that which `rig` does, both per vertex of `surface`; 1 where the rig's surface
// encloses next to nothing, as sheets do.
double enclosed_volume_ratio(const TriangleMesh& surface, std::span<const Vec3> rig, std::span<const Vec3> shown);

class RunWatch {
 public:
  // `character` and `surface` must outlive this.
  RunWatch(const Character& character, const SimulationSurface& surface, WatchedRun run);

  // Of each frame that is recorded, in order. Throws simulation_error that names file, clip, time and place.
  void look(const WatchedFrame& frame);

 private:
  void look_for_strays(const WatchedFrame& frame) const;
  void look_for_tears(const WatchedFrame& frame) const;
  void look_at_volume(const WatchedFrame& frame);
  void look_at_energy(const WatchedFrame& frame);
  [[noreturn]] void end(const WatchedFrame& frame, const std::string& what) const;
  std::string place(std::size_t vertex) const;

  const Character& character_;
  const SimulationSurface& surface_;
  WatchedRun run_;
  int frames_inside_out_ = 0;          // in a row, up to now
  std::optional<double> still_since_;  // seconds
  double most_energy_ = 0;             // joules: in the first swings since then
};

}  // namespace sinew
