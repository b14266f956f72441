// Curves along limbs in a project: the setting `along` of its method (docs/studio_protocol.md, Paint).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/deform/limb_curves.h"
#include "sinew/deform/method.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

inline constexpr std::size_t most_limb_curves = 1000;  // of a method, as in a file

// The curves of a method; empty if it has none of its own. Throws input_error for files that cannot be read.
std::vector<LimbCurve> limb_curves_of(const MethodChoice& choice);
// Whether the method has the setting.
bool has_limb_curves(const MethodChoice& choice);

// The curves after an edit: `json` is the curve at `index`, where the number of curves adds one; empty text: it is
// removed. Throws Error for curves that cannot be read, for fields that the method does not obey, and for chains that
// the surface lacks.
std::vector<LimbCurve> with_limb_curve(std::vector<LimbCurve> curves, std::size_t index, const std::string& json,
                                       const MethodChoice& choice, const SimulationSurface& surface);

// The setting's value: the curves as an object, or an empty text.
std::string along_value(const std::vector<LimbCurve>& curves);

// For pages: the curves, or null if the method cannot have any; nothing is thrown for files that cannot be read.
PageJson limbs_json(const MethodChoice& choice);

}  // namespace sinew::studio
