// Any deformer over the motion of a rig, recorded as what it adds to the rig; and what such recordings have in common.
#pragma once

#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"

namespace sinew {

// The bones of a clip, from its start on.
struct RigMotion {
  const Character& character;
  const SimulationSurface& surface;
  const Clip& clip;
  double stop = 0;  // seconds since its start: from there on the rig stands still

  std::vector<Affine> at(double seconds) const;  // since the clip's start
};

// frames x n: the way from where the rig has each vertex to where it is shown, metres, world.
using Displacements = std::vector<std::vector<Vec3>>;

struct Performance {
  Displacements frames;
  double step_microseconds = 0;  // median time of a step
  double show_microseconds = 0;  // and of what it takes to show a frame
};

// Frames 1, 2, ... of so many a second, up to `seconds`. Steps of the deformer must divide frames.
Performance perform(Deformer& deformer, const RigMotion& motion, double seconds, double frames_per_second,
                    const Progress& progress = {});

double root_mean_square(const Displacements& frames);  // over frames and vertices
double largest(const Displacements& frames);
Displacements difference(const Displacements& a, const Displacements& b);

// When the surface is fastest where the rig has it, seconds since the clip's start, in its last two thirds up to
// `seconds`.
double fastest_moment(const RigMotion& motion, double seconds);

// The motion that a recording shows most of: the field over its vertices, of length 1, along which its frames have the
// largest sum of squares.
std::vector<Vec3> principal_motion(const Displacements& frames);
std::vector<double> along(const Displacements& frames, std::span<const Vec3> motion);

// x(t) = e^(-d w t) (A cos(w t sqrt(1 - d^2)) + B sin(...)), w = 2 pi f, nearest to samples from t = 0 on, in least
// squares.
struct Ringing {
  double frequency = 0;  // f, hertz
  double damping = 0;    // d, ratio to critical
  double left = 0;       // share of the samples' root mean square that it leaves
};
// `about`: hertz, right within a factor of four.
Ringing ringing(std::span<const double> samples, double interval, double about);

}  // namespace sinew
