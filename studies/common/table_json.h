// Tables as JSON: an object with the tables by name; each has a title and rows, which are objects by column title.
#pragma once

#include <span>
#include <string>

#include "studies/common/table.h"

namespace sinew {

// Numbers that are not finite become null.
std::string tables_json(std::span<const Table> tables);

}  // namespace sinew
