// Sizes of force rigs as displacements: amplitudes under which the skin moves as far at rest as a rig says, and rigs
// that do so together.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/shape/shape_body.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

// The farthest that forces would move the skin at rest if flesh were linear, metres.
double reach_of(std::span<const PointForce> forces, ShapeBody& body);

// A body that is stiffer while this lives.
class StiffenedBody {
 public:
  StiffenedBody(ShapeBody& body, std::span<const PointStiffening> stiffening);
  ~StiffenedBody();
  StiffenedBody(const StiffenedBody&) = delete;
  StiffenedBody& operator=(const StiffenedBody&) = delete;

 private:
  ShapeBody& body_;
  const bool is_;
};

// The stiffening of the flesh by a sample; empty if it has none.
std::vector<PointStiffening> stiffening_at(const ShapeRig& rig, const ShapeSample& sample,
                                           const SimulationSurface& surface, const ShapeBody& body);

// Amplitudes for displacements while a rig is edited: by linear flesh, times a factor. An exact search sets the factor
// to that by which tissue which stiffens takes more than linear flesh.
struct AmplitudeSearch {
  bool rough = false;  // true: without searches for equilibrium
  double factor = 1;   // of the last search; read where `rough`
};

// The amplitude, as a force, under which the skin moves as far at rest as the sample's amplitude says, metres, in its
// stiffness, to 1 % unless the flesh has several equilibria there. One substitution gives it for small displacements,
// and a few searches for equilibrium correct it for tissue that stiffens. Poses `body` at rest. `search`: null: exact.
// Throws simulation_error if the skin does not move, or the body is not held.
double amplitude_for_displacement(const ShapeRig& rig, const ShapeSample& sample, const SimulationSurface& surface,
                                  ShapeBody& body, AmplitudeSearch* search = nullptr);
// The inverse: the displacement that the sample's amplitude, as a force, makes, metres, of the amplitude's sign.
double displacement_of_amplitude(const ShapeRig& rig, const ShapeSample& sample, const SimulationSurface& surface,
                                 ShapeBody& body);

// Rigs whose amplitudes are displacements, such as the pieces of a preset, with those of their last samples multiplied
// by one factor: under all of them together the skin moves as far at rest as the largest of them said, to 0.2 %. Rigs
// that do not disturb each other stay what they are. Poses `body` at rest. Throws as amplitude_for_displacement() does,
// usage_error for rigs by force, and simulation_error where the rigs hold each other.
std::vector<ShapeRig> sized_together(std::vector<ShapeRig> rigs, const SimulationSurface& surface, ShapeBody& body);

}  // namespace sinew
