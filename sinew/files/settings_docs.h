// Settings as tables in Markdown: those of docs/settings.md.
#pragma once

#include <string>

#include "sinew/deform/setting.h"

namespace sinew {

// A table of the settings, which hold their defaults, one of each further section, and one of the items of each list.
std::string table_markdown(const Settings& settings);

}  // namespace sinew
