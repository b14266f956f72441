// Where a session shows its surface, and how far two are apart.
#pragma once

#include <algorithm>
#include <vector>

#include "sinew/session/session.h"

namespace sinew::test {

// Metres, world.
inline std::vector<Vec3> shown(Session& session) {
  std::vector<Vec3> positions(session.scene().surface->rest.positions.size());
  session.surface(positions);
  return positions;
}

// Of their vertices, metres.
inline double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, distance(a[v], b[v]));
  return most;
}

}  // namespace sinew::test
