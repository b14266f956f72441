// Low-frequency modes of a surface model: how bones excite them, how they vibrate, and how they move the goal (Shi et
// al. 2008, section 6; the modes and their excitation by a moving frame are those of James and Pai, DyRT, 2002).
// Derivation: docs/surface_dynamics.md. In double precision, for fitting; the run-time does the same, and tests hold
// the two equal.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// q(t + h) = now q(t) + before q(t - h) + force f(t). Free vibration has the frequency and the decay of the oscillator
// whatever the step is, and a constant force the answer f / w^2; stable for any frequency.
struct ModeRecurrence {
  double now = 0, before = 0, force = 0;
};
ModeRecurrence mode_recurrence(const SurfaceMode& mode, double step);

// The acceleration f(t), m/s^2, that the bones' second difference over t - h, t and t + h gives the mode.
double mode_force(const SurfaceMode& mode, std::span<const Affine> before, std::span<const Affine> now,
                  std::span<const Affine> next, double step);

// Coordinates at the last step and the one before, metres.
struct ModeState {
  std::vector<double> now, before;
};

// One step, of all modes of the model. `deviation`: of mode_deviation() at t; empty: the surface does not act on them.
// Coordinates that together are more than sixteen times the model's reach stop there.
void step_modes(const SurfaceModel& model, std::span<const Affine> bones_before, std::span<const Affine> bones,
                std::span<const Affine> bones_next, std::span<const double> deviation, ModeState& state);

// Coordinates at every frame of a motion that begins at rest, as if the bones had come to its first frame as they go on
// to the second. Without coupling. Empty where the model has no modes.
std::vector<std::vector<double>> mode_coordinates(const SurfaceModel& model,
                                                  std::span<const std::vector<Affine>> bones);

// Makes all coordinates smaller by one factor where together they are more than the model's reach: as they are shown.
// What vibrates is not limited by it, so that what comes back is in time.
void limit_modes(const SurfaceModel& model, std::span<double> coordinates);

// What modes, limited, add to each vertex: L_i sum_k q_k phi_k(i), L_i the linear part of the blended bones; world,
// metres. So neighbours stay neighbours: it is what the bones make of a surface that modes have moved at rest.
void mode_displacements(const SurfaceModel& model, std::span<const Affine> bones, std::span<const double> coordinates,
                        std::span<Vec3> displacements);

// How a mode turns the surface around each vertex, radians per metre of its coordinate, to first order: the rotation
// that best takes the edges to the neighbours along, by least squares. Nothing where neighbours stand on one line with
// it.
std::vector<Vec3> mode_turns(const SurfaceModel& model, const SurfaceMode& mode);

// How much of each mode is in the distance of a surface from its goal: the coordinates p that minimise
//   sum_i a_i |L_i^T (x_i - g_i) - sum_k p_k phi_k(i)|^2,
// a_i the mean squared length of the edges at i, as its area. `position`: without the modes' displacements.
std::vector<double> mode_deviation(const SurfaceModel& model, std::span<const Affine> bones, std::span<const Vec3> goal,
                                   std::span<const Vec3> position);

}  // namespace sinew
