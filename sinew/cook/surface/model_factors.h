// Factors of a learned model's parameters per vertex, painted or given along limbs: the fields alpha_factor to
// delta_factor (docs/settings.md, Paint).
#pragma once

#include <vector>

#include "sinew/deform/limb_curves.h"
#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// The painted fields that a model which plays obeys: its factors, and what is rigid.
std::vector<FieldInUse> model_fields_in_use();

// Whether any factor differs from one anywhere.
bool has_factors(const Fields& fields);

// Multiplies the parameters, within their ranges. `fields` are those of the surface that the model was made for. What
// would be unstable is scaled when the model is cooked (cook_runtime_file()).
void multiply_parameters(const Fields& fields, SurfaceModel& model);

}  // namespace sinew
