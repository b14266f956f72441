#include "sinew/session/action.h"

#include <cmath>

#include "sinew/base/error.h"

namespace sinew {

void check_action(const Action& action) {
  if (!is_finite(action.point) || !is_finite(action.force) || !is_finite(action.target) || !is_finite(action.gravity))
    throw usage_error("the numbers of an action must be finite.");
  if (action.radius && !(*action.radius >= 0 && std::isfinite(*action.radius)))
    throw usage_error("the radius of a poke or a grab must not be negative.");
  if (action.kind != Action::Kind::poke) return;
  if (!(action.seconds > 0 && std::isfinite(action.seconds))) throw usage_error("a poke must act for some seconds.");
}

}  // namespace sinew
