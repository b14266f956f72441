#include "sinew/cook/rig_space_settings.h"

#include <cmath>

#include "sinew/cook/require.h"
#include "sinew/base/error.h"

namespace sinew {
void check_any_free(const RigSpaceSettings& s) {
  require(!s.free.empty(),
          "--free: name the controls that physics may move, such as --free 'belly*'; `sinew info --json` lists the nodes.");
}

void check_rig_space_settings(const RigSpaceSettings& s) {
  require_young(s.young.value_or(1));
  require(s.poisson > -1 && s.poisson < 0.5, "poisson: must lie between -1 and 0.5.");
  require(s.density > 0 && std::isfinite(s.density), "density: must be a positive number of kilograms per cubic metre.");
  require(!s.damping || (*s.damping >= 0 && *s.damping <= 10), "damping: must lie between 0 and 10.");
  require(!s.gravity || s.reference == Reference::elastic,
          "gravity: with the reference rig every pose carries its own weight already; leave it out or choose the reference elastic.");
  require(s.tetrahedra >= 100 && s.tetrahedra <= 200'000, "tetrahedra: must lie between 100 and 200000.");
  require(!s.cell_size || (*s.cell_size > 0 && std::isfinite(*s.cell_size)), "cell_size: must be a positive number of metres.");
  require(!s.ground, "ground: the method rigspace knows no ground; leave it out or choose --method flesh.");
  require(s.step >= 1e-4 && s.step <= 0.1, "step: must lie between 0.0001 and 0.1 s.");
  require(s.linearity > 0 && s.linearity <= 0.1, "linearity: must lie between 0 and 0.1 of the height.");
  require(s.limit >= 0 && std::isfinite(s.limit), "limit: must not be negative.");
  require(s.poses >= 4 && s.poses <= 1000, "poses: must lie between 4 and 1000.");
  require(s.candidates >= 4 && s.candidates <= 500, "candidates: must lie between 4 and 500.");
  require(s.key_error >= 0 && s.key_error <= 0.1, "key_error: must lie between 0 and 0.1 of the height.");
  for (const RigSpaceControl& c : s.controls) {
    if (!(c.stiffness > 0 && std::isfinite(c.stiffness)))
      throw usage_error("controls '" + c.controls + "': stiffness must be a positive number.");
    if (c.range && !(*c.range > 0 && std::isfinite(*c.range)))
      throw usage_error("controls '" + c.controls + "': range must be a positive number.");
  }
}

}  // namespace sinew
