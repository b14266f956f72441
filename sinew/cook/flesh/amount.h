// How much of a character's flesh is seen to move in its own clips: what a look is about (docs/binding.md, From a look
// to physical units). An estimate in milliseconds, before there is a body that runs: every sampled point of the skin
// swings by itself, as softly as it sags, driven by the accelerations that the rig gives it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// How the rig alone moves some vertices of the surface.
struct SampledMotion {
  std::vector<int> vertices;  // of the surface, rising
  struct ClipMotion {
    std::string clip;
    std::vector<Vec3> acceleration;  // per time and vertex, metres per second squared, world
  };
  std::vector<ClipMotion> clips;
  double interval = 0;  // between times, seconds
};

// Of at most a dozen clips, evenly from all, and of each at most two seconds.
SampledMotion sample_motion(const Character& character, const SimulationSurface& surface);

// Of one clip alone, and of all of this range, seconds; at most half a minute.
SampledMotion sample_motion(const Character& character, const SimulationSurface& surface, int clip, double begin,
                            double end);

// What one sampled vertex is like.
struct Swing {
  double sag = 0;    // metres, under one g
  double limit = 0;  // it is shown no farther from the rig than this, metres (displacement_limits()); infinity: none
  double reach = 0;  // it is to swing no farther than this in lively clips, metres: reach_of()
};

// To the limit; where that is so small that flesh within it is hardly seen, to twice the limit at most, of which nine
// tenths are seen. Metres; `longest`: side of the character.
double reach_of(double limit, double longest);

// Per clip: how far the flesh is seen from the rig, metres: the largest displacement over time, of which 95 % of the
// vertices stay below.
std::vector<double> seen_in_clips(const SampledMotion& motion, std::span<const Swing> swings, double damping_ratio);

// Per sampled vertex: how far the flesh swings, whatever its limit, in a lively clip: three quarters of the clips that
// move it at all have less of it. Metres.
std::vector<double> lively_swings(const SampledMotion& motion, std::span<const Swing> swings, double damping_ratio);

// By what to multiply all sags so that the median of the clips that move the flesh at all shows `seen` metres; but no
// more than leaves half of the flesh within its reach in lively clips. Within `least` and `most`, or 1 where no clip
// moves it.
double amount_factor(const SampledMotion& motion, std::span<const Swing> swings, double damping_ratio, double seen,
                     double least, double most);

}  // namespace sinew
