#include "sinew/dynamics/legs.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"

namespace sinew {

std::vector<LegLinks> legs_of(const CharacterLinks& links) {
  std::vector<LegLinks> legs;
  const auto parent = [&](int link) { return links.body.tree.parent[index(link)]; };
  for (std::size_t k = 0; k < links.body.size(); ++k) {
    const int foot = static_cast<int>(k), shin = parent(foot), thigh = shin >= 0 ? parent(shin) : -1;
    if (!links.foot[k] || thigh < 1 || !links.bears[index(shin)] || links.foot[index(shin)] ||
        !links.bears[index(thigh)] || links.body.skin_points[k].empty())
      continue;
    legs.push_back({thigh, shin, foot});
  }
  return legs;
}

bool is_part_of_foot(const CharacterLinks& links, int link, int foot) {
  return link == foot || (links.foot[index(link)] && links.body.tree.parent[index(link)] == foot);
}

double lowest_sole(const CharacterLinks& links, int foot, const PlacedJoints& placed) {
  double low = HUGE_VAL;
  for (std::size_t k = index(foot); k < links.body.size(); ++k) {
    if (!is_part_of_foot(links, static_cast<int>(k), foot)) continue;
    for (const Vec3& point : links.body.skin_points[k]) low = std::min(low, placed(static_cast<int>(k), point).y);
  }
  return low;
}

}  // namespace sinew
