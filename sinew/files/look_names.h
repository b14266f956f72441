// What looks and references are called in settings.
#pragma once

#include "sinew/cook/flesh_settings.h"
#include "sinew/files/settings_fields.h"

namespace sinew {

inline constexpr Names<Look, 3> looks{{{"subtle", Look::subtle}, {"natural", Look::natural}, {"lively", Look::lively}}};
inline constexpr Names<Reference, 2> references{{{"rig", Reference::rig}, {"elastic", Reference::elastic}}};

}  // namespace sinew
