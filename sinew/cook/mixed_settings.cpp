#include "sinew/cook/mixed_settings.h"

#include <cmath>

#include "sinew/cook/require.h"
#include "sinew/base/error.h"

namespace sinew {
namespace {

bool positive(double value) { return value > 0 && std::isfinite(value); }

}  // namespace

void check_mixed_settings(const MixedSettings& s) {
  require_young(s.young);
  require(s.poisson >= 0 && s.poisson <= 0.49, "poisson: must lie between 0 and 0.49.");
  require(s.tetrahedra >= 20 && s.tetrahedra <= 5'000'000, "tetrahedra: must lie between 20 and 5000000.");
  require(!s.cell_size || positive(*s.cell_size), "cell size: must be positive, in metres.");
  require(s.smooth >= 0 && s.smooth <= 100, "smooth: must lie between 0 and 100.");
  require(!s.spring || positive(*s.spring), "spring: must be positive, in newtons per metre.");
  require(!s.spring || s.pins == Pinning::tied, "spring: held pins have no springs; set pins to tied.");
  require(positive(s.density), "density: must be positive, in kilograms per cubic metre.");
  require(!s.ground || std::isfinite(*s.ground), "ground: must be finite, in metres.");
  check_collider_settings(s.colliders);
  check_poke_settings(s.pokes);
  for (const MixedJoint& joint : s.joints)
    require(positive(joint.stiffness), "joint '" + joint.joints + "': stiffness must be positive.");
}

}  // namespace sinew
