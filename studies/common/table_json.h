// Tables as JSON: an object by the tables' names; each has its title and its rows, objects by the columns' titles.
#pragma once

#include <span>
#include <string>

#include "studies/common/table.h"

namespace sinew {

// Numbers that are not finite become null.
std::string tables_json(std::span<const Table> tables);

}  // namespace sinew
