// Masses of links from the flesh that they carry: integrals over the inside of a character's skin.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// Mass, first and second moments of a part of a solid.
struct MassMoments {
  double mass = 0;             // kilograms
  Vec3 first;                  // int x dm, kg m
  Mat3 second = Mat3::zero();  // int x x^T dm, kg m^2

  Vec3 centre() const { return mass > 0 ? first / mass : Vec3{}; }
  // int (|r|^2 I - r r^T) dm about the centre, kg m^2, in the axes of x.
  Mat3 inertia() const;
  // int r r^T dm / mass about the centre: square metres.
  Mat3 spread() const;
  MassMoments& operator+=(const MassMoments& other);
};

// Per bone of the surface, the flesh that follows it, in rest space: the inside of the skin (winding number above 1/2)
// at points that fill it evenly, about 25,000, each shared out by the skin weights at the nearest point of the skin.
// Only the main figure counts. `density`: kg/m^3. Throws input_error where the skin encloses nothing.
std::vector<MassMoments> flesh_of_bones(const SimulationSurface& surface, double density);

}  // namespace sinew
