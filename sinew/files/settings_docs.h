// Settings as Markdown tables, for docs/settings.md.
#pragma once

#include <string>

#include "sinew/deform/setting.h"

namespace sinew {

// One table of the settings, which must hold their defaults, one per further section, and one for the items of each
// list.
std::string table_markdown(ConstSettings settings);

}  // namespace sinew
