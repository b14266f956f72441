// Estimates how far a character's flesh visibly moves in its own clips, which decides what a look means in physical
// units (docs/binding.md, From a look to physical units). Takes milliseconds and needs no simulated body: every
// sampled point of the skin is an independent oscillator with a frequency that follows from its sag, driven by the
// accelerations that the rig gives it.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// Accelerations that the rig alone gives to some vertices of the surface.
struct SampledMotion {
  std::vector<int> vertices;  // surface vertices, ascending
  struct ClipMotion {
    std::string clip;
    std::vector<Vec3> acceleration;  // per time and vertex, metres per second squared, world
  };
  std::vector<ClipMotion> clips;
  double interval = 0;  // between times, seconds
};

// Samples at most twelve clips, spread evenly over all clips, and at most two seconds of each.
SampledMotion sample_motion(const Character& character, const SimulationSurface& surface);

// Samples one clip, over the whole range from `begin` to `end` in seconds, but at most half a minute.
SampledMotion sample_motion(const Character& character, const SimulationSurface& surface, int clip, double begin,
                            double end);

// Response of one sampled vertex.
struct Swing {
  double sag = 0;  // metres, under one g
  double limit =
      0;  // largest displacement from the rig that is displayed, metres (displacement_limits()); infinity: no limit
  double reach = 0;  // largest swing wanted in lively clips, metres: reach_of()
  // Displacement at which nonlinear tissue is e times as stiff as at rest, metres; infinity: it is linear, and its
  // displayed displacement is limited instead.
  double stiffening = std::numeric_limits<double>::infinity();
};

// Largest swing wanted for a displacement limit, metres: the limit itself, or up to twice the limit where that is so
// small that motion within it is hardly visible; nine tenths of such motion are displayed. `longest` is the character's
// longest side, metres.
double reach_of(double limit, double longest);

// Visible amplitude per clip, metres: the 95th percentile over the vertices of the largest displacement over time.
std::vector<double> visible_amplitudes(const SampledMotion& motion, std::span<const Swing> swings,
                                       double damping_ratio);

// Swing of each sampled vertex in a lively clip, metres, regardless of its limit: the upper quartile over the clips
// that move it at all.
std::vector<double> lively_swings(const SampledMotion& motion, std::span<const Swing> swings, double damping_ratio);

inline constexpr double largest_visible = 0.05;  // share of the longest side; larger motion looks like a defect

// Visible amplitudes that a look wants, metres.
struct WantedAmplitude {
  double median = 0;                                         // over the clips that move the flesh at all
  double largest = std::numeric_limits<double>::infinity();  // of all clips
};
// Factor for all sags that makes the median visible amplitude that wanted. It is reduced until at least half of the
// flesh stays within its reach in lively clips and no clip exceeds the largest, and clamped to [least, most]. It is 1
// if no clip moves the flesh.
double sag_factor(const SampledMotion& motion, std::span<const Swing> swings, double damping_ratio,
                  const WantedAmplitude& wanted, double least, double most);

}  // namespace sinew
