#include "sinew/deform/lattice/solver/active_functions.h"

namespace sinew {

ActiveFunctions active_functions(std::span<const FunctionRole> role, std::span<const Activity> activity) {
  ActiveFunctions active;
  active.slot.assign(role.size(), -1);
  active.unknown.assign(role.size(), -1);
  for (std::size_t f = 0; f < role.size(); ++f) {
    const bool driven = role[f] == FunctionRole::driven;
    if (role[f] == FunctionRole::zero || role[f] == FunctionRole::absent || (!driven && activity[f] == Activity::off))
      continue;
    active.slot[f] = static_cast<int>(active.function.size());
    active.function.push_back(static_cast<int>(f));
    if (driven || activity[f] != Activity::solved) continue;
    active.unknown[f] = static_cast<int>(active.unknown_function.size());
    active.unknown_function.push_back(static_cast<int>(f));
    active.unknown_slot.push_back(active.slot[f]);
  }
  return active;
}

}  // namespace sinew
