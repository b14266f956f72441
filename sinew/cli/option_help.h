// Formats a verb's options for --help and --help-all.
#pragma once

#include <string>

#include "sinew/cli/options.h"

namespace sinew::cli {

// A table of two columns, at most `help_width` wide, under the groups' headings; `everything` includes advanced
// options.
std::string option_table(const OptionSet& options, bool everything);

// Number of options that the table leaves out unless `everything` is set.
int advanced_count(const OptionSet& options);

// One row of two columns: `name`, and `text` wrapped at blanks.
std::string help_row(const std::string& name, const std::string& text);

}  // namespace sinew::cli
