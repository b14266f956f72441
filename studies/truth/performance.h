// Recordings of any deformer over the motion of a rig, as displacements from the rig, and measurements on them.
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
  double stop = 0;  // seconds since the start; the rig stands still from there on

  std::vector<Affine> at(double seconds) const;  // time since the clip's start
};

// frames x n: vector from the rig's position of each vertex to its output position, metres, world.
using Displacements = std::vector<std::vector<Vec3>>;

struct Performance {
  Displacements frames;
  double step_microseconds = 0;  // median time of a step
  double show_microseconds = 0;  // median time to compute a frame's output
};

// Frames 1, 2, ... at `frames_per_second`, up to `seconds`. Steps of the deformer must divide frames.
Performance perform(Deformer& deformer, const RigMotion& motion, double seconds, double frames_per_second,
                    const Progress& progress = {});

double root_mean_square(const Displacements& frames);  // over frames and vertices
double largest(const Displacements& frames);
Displacements difference(const Displacements& a, const Displacements& b);

// Time at which the rig's surface is fastest, seconds since the clip's start, in the last two thirds of `seconds`.
double fastest_moment(const RigMotion& motion, double seconds);

// Dominant motion of a recording: the field over its vertices, of length 1, onto which the frames have the largest sum
// of squared projections.
std::vector<Vec3> principal_motion(const Displacements& frames);
std::vector<double> along(const Displacements& frames, std::span<const Vec3> motion);

// Least-squares fit of x(t) = e^(-d w t) (A cos(w t sqrt(1 - d^2)) + B sin(...)), w = 2 pi f, to samples from t = 0 on.
struct Ringing {
  double frequency = 0;  // f, hertz
  double damping = 0;    // d, ratio to critical
  double left = 0;       // residual, as a fraction of the samples' root mean square
};
// `about`: estimate of the frequency, hertz, accurate to a factor of four.
Ringing ringing(std::span<const double> samples, double interval, double about);

}  // namespace sinew
