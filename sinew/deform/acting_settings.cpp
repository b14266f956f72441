#include "sinew/deform/acting_settings.h"

#include <cmath>

#include "sinew/base/error.h"

namespace sinew {

void check_poke_settings(const std::vector<PokeSettings>& pokes) {
  for (std::size_t k = 0; k < pokes.size(); ++k) {
    const PokeSettings& p = pokes[k];
    const std::string name = "pokes[" + std::to_string(k) + "]";
    if (!is_finite(p.point) || !is_finite(p.force)) throw usage_error(name + ": point and force must be finite.");
    if (!(p.radius >= 0 && std::isfinite(p.radius)))
      throw usage_error(name + ": the radius must not be negative, in metres.");
    if ((p.begin && !std::isfinite(*p.begin)) || (p.end && !std::isfinite(*p.end)))
      throw usage_error(name + ": begin and end must be finite, in seconds.");
    if (p.begin && p.end && !(*p.begin <= *p.end)) throw usage_error(name + ": must begin before it ends.");
  }
}

}  // namespace sinew
