// A character that can fly: its links, its wings and a tail, and what a stroke does with them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/dynamics/flight/find_wings.h"
#include "sinew/dynamics/joint_drives.h"

namespace sinew {

// How wings beat. Angles are radians.
struct Stroke {
  double frequency = 3;     // beats per second
  double amplitude = 0.5;   // of the wing's way up and down
  double offset = 0.1;      // by which wings are held up in the middle of a beat
  double incidence = 0.08;  // by which the leading edge is raised in the mean
  double twist = 0.2;       // by which it is lowered where the wing comes down fastest
  double sweep = 0.1;       // by which wings go forward, the most at the end of the beat down
  double back = 0;          // by which wings are swept back in the mean
  double lag = 0.3;         // of outer joints behind the first, of a beat's 2 pi
  double climb = 0.8;       // amplitude, as a share, for each share of the speed that the body is to climb faster
  double push = 0.5;        // amplitude, as a share, for each share of the speed that it is too slow
  double pitch = 0.5;       // radians that it is to raise its head for each share of the speed likewise
  double bank = 1;          // radians that it is to bank for each radian that it heads aside
};
inline constexpr std::size_t stroke_numbers = 12;
std::array<double, stroke_numbers> numbers_of(const Stroke& stroke);
Stroke stroke_of(const std::array<double, stroke_numbers>& numbers);

struct Flyer {
  CharacterLinks links;
  FoundWings wings;
  std::vector<WingStrip> strips;  // of wings and tail; the last two are the tail's: level, which steers, and upright
  std::vector<Quat> bound;        // per link: rotation in the bind pose, joint to rest space
  std::vector<double> scale;      // per link, share of its wing's amplitude that it adds to the one before; 0: held
  std::vector<JointDrive> drives;
  double mass = 0;   // kilograms
  double ahead = 0;  // way from the mass centre forward to the wings' mean quarter chord, metres
};

// Masses are scaled so that the wings carry the body at `speed`, m/s, with a coefficient of lift of 0.6, or to `mass`
// where it is more than 0: what flies is lighter than flesh. A tail of a fifth of the wings' area steers. Throws
// input_error if the character has no wings.
Flyer make_flyer(const Character& character, const SimulationSurface& surface, CharacterLinks links, double speed,
                 double mass);

// A command to wings and tail at one time, which comes on top of the stroke.
struct WingCommand {
  double amplitude = 1;  // factor
  double roll = 0;       // incidence more on the right than on the left, which rolls the body to the left
  double tail = 0;       // radians by which the tail's trailing edge is raised, which raises the head
  double yaw = 0;        // radians by which its upright part turns the body to the right
};

// Rotations that links are driven to after so many beats.
void wing_targets(const Flyer& flyer, const Stroke& stroke, const WingCommand& command, double beats,
                  std::span<Quat> targets);

}  // namespace sinew
