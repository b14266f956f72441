// What --help and --help-all print about a verb's options.
#pragma once

#include <string>

#include "sinew/cli/options.h"

namespace sinew::cli {

// Two columns, at most `help_width` wide, under the groups' headings; `everything`: advanced ones too.
std::string option_table(const OptionSet& options, bool everything);

// Options that the table leaves out unless everything is asked for.
int advanced_count(const OptionSet& options);

// One row of two columns: `name`, and `text` broken at blanks.
std::string help_row(const std::string& name, const std::string& text);

}  // namespace sinew::cli
