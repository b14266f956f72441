// Lower bound for restoration that is almost zero in one direction.
#pragma once

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

inline constexpr double least_restoration = 0.1;  // fraction of a vertex's largest eigenvalue

// Raises the eigenvalues of every vertex's restoration to at least the fraction `least` of the largest, which stays as
// it is, and with it stability. If an example never moves flesh in some direction, the fit finds no restoration there,
// and another motion would throw it as far as the model's reach. No effect without shapes.
void lift_weak_directions(SurfaceModel& model, double least = least_restoration);

}  // namespace sinew
