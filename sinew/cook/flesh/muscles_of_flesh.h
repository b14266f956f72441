// Muscles of the settings, as the flesh has them (cook/muscles/).
#pragma once

#include <memory>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/muscles/muscle_points.h"
#include "sinew/cook/muscles/muscles_in_body.h"
#include "sinew/deform/muscle_controls.h"
#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

// The muscles that the settings name, in this body. Empty if they name none. Throws input_error and usage_error with a
// sentence.
MusclesInBody muscles_of_settings(const FleshSettings& settings, const Character& character,
                                  const SimulationSurface& surface, const FleshDescription& description);

// Gives the body its muscles, without their stress, after its stiffness and Poisson's ratio are set.
void add_muscles(const MusclesInBody& muscles, const FleshSettings& settings, FleshDescription& description);

// Sets the stress of the body's muscles. `young`: Young's modulus of the flesh, pascals.
void set_muscle_stress(const MuscleFile& file, double young, MuscleFibres& fibres);
// Adds springs that hold tendons, and flesh that muscles are attached to, to their bones, N/m per m^3 of each
// tetrahedron. Those of a tendon together yield to the largest isometric force of the muscle by the strain of a tendon;
// attached flesh has as many in each layer of elements, so that finer bodies hold it more firmly. `fibres`: of the
// body, with their stress.
void hold_tendons(const MusclesInBody& muscles, const MuscleFibres& fibres, std::vector<double>& springs);

// The activation of these muscles in poses; null if there are none. Throws input_error with a sentence.
std::shared_ptr<const MuscleControls> muscle_controls(const FleshSettings& settings, const MuscleFile& muscles,
                                                      const Character& character, const SimulationSurface& surface);

// Their lines in a body of flesh.
MuscleLines muscle_lines(std::shared_ptr<const FleshBody> body, const MusclePoints& points);

}  // namespace sinew
