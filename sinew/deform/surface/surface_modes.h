// Low-frequency modes of a surface model: excitation by the bones, vibration, and their displacement of the goal (Shi
// et al. 2008, section 6; modes excited by a moving frame are from James and Pai, DyRT, 2002). Derivation:
// docs/surface_dynamics.md. In double precision, for fitting; tests hold the run-time equal.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// Recurrence q(t + h) = now q(t) + before q(t - h) + force f(t). Free vibration has the oscillator's frequency and
// decay for any step, and a constant force gives f / w^2; stable for any frequency.
struct ModeRecurrence {
  double now = 0, before = 0, force = 0;
};
ModeRecurrence mode_recurrence(const SurfaceMode& mode, double step);

// Returns the acceleration f(t), m/s^2, of a mode due to the bones' second difference over t - h, t and t + h.
double mode_force(const SurfaceMode& mode, std::span<const Affine> before, std::span<const Affine> now,
                  std::span<const Affine> next, double step);

// Coordinates at the last step and the one before it, metres.
struct ModeState {
  std::vector<double> now, before;
};

// Advances all modes of the model by one step. `deviation`: mode_deviation() at t; empty: the surface does not act on
// them. The coordinates are limited jointly to sixteen times the model's reach.
void step_modes(const SurfaceModel& model, std::span<const Affine> bones_before, std::span<const Affine> bones,
                std::span<const Affine> bones_next, std::span<const double> deviation, ModeState& state);

// Computes the coordinates at every frame of a motion that begins at rest, with the bones moving before the first frame
// as they do between the first two. Without coupling. Empty if the model has no modes.
std::vector<std::vector<double>> mode_coordinates(const SurfaceModel& model,
                                                  std::span<const std::vector<Affine>> bones);

// Scales the coordinates, for output, by one factor if together they exceed the model's reach. The vibration itself is
// not limited, so that its phase is kept.
void limit_modes(const SurfaceModel& model, std::span<double> coordinates);

// Computes the displacement of each vertex by the limited modes, L_i sum_k q_k phi_k(i), with L_i the linear part of
// the blended bones; world, metres. It is that of skinning the rest surface displaced by the modes.
void mode_displacements(const SurfaceModel& model, std::span<const Affine> bones, std::span<const double> coordinates,
                        std::span<Vec3> displacements);

// Computes the rotation of the surface around each vertex by a mode, radians per metre of its coordinate, to first
// order: the least-squares rotation of the edges to the neighbours. Zero if the vertex and its neighbours are
// collinear.
std::vector<Vec3> mode_turns(const SurfaceModel& model, const SurfaceMode& mode);

// Projects the deviation of a surface from its goal on the modes: returns the coordinates p that minimise
//   sum_i a_i |L_i^T (x_i - g_i) - sum_k p_k phi_k(i)|^2,
// with a_i, standing for the area, the mean squared length of the edges at i. `position`: without the modes'
// displacements.
std::vector<double> mode_deviation(const SurfaceModel& model, std::span<const Affine> bones, std::span<const Vec3> goal,
                                   std::span<const Vec3> position);

}  // namespace sinew
