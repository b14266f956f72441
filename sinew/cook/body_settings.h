// Settings-table rows that several methods share: body resolution, material and time stepping.
#pragma once

#include <optional>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/deform/setting.h"

namespace sinew {

Setting tetrahedra_setting(const Member<int>& tetrahedra, double least, double most);
Setting cell_size_setting(const Member<std::optional<double>>& cell_size);
// `young` is an optional value where an empty one leaves the decision to the look.
Setting young_setting(SettingValue young);
Setting poisson_setting(const Member<double>& poisson, const Range& range);
Setting density_setting(const Member<double>& density);
Setting color_stiffness_setting(const Member<bool>& color_stiffness);

Setting look_setting(const Member<Look>& look);
Setting reference_setting(const Member<Reference>& reference);
Setting damping_setting(const Member<std::optional<double>>& damping);
// `step`: a number, or an optional one, chosen where it is left empty, of which `none` says how in a few words.
Setting step_setting(SettingValue step, const Range& range, const char* none = nullptr);

}  // namespace sinew
