#include "sinew/kinematics/graph/standing_soles.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double low_share = 0.03, slow_share = 0.15;  // of the height; per second
constexpr double weight_of_soles = 50;                 // of all that stand together, relative to the cloud

}  // namespace

std::vector<char> standing_soles(std::span<const Vec3> positions, std::size_t points, double height,
                                 double frames_per_second) {
  std::vector<char> standing(positions.size(), 0);
  if (points == 0) return standing;
  const std::size_t frames = positions.size() / points;
  double ground = HUGE_VAL;
  for (const Vec3& p : positions) ground = std::min(ground, p.y);
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t k = 0; k < points; ++k) {
      const std::size_t before = f > 0 ? f - 1 : f, after_it = f + 1 < frames ? f + 1 : f;
      const double seconds = static_cast<double>(after_it - before) / frames_per_second;
      const double way = distance(positions[after_it * points + k], positions[before * points + k]);
      const bool slow = seconds == 0 || way < slow_share * height * seconds;
      standing[f * points + k] = slow && positions[f * points + k].y < ground + low_share * height;
    }
  return standing;
}

GroundAlignment align_windows(const WindowPoints& first, const WindowPoints& second, std::span<const double> weights) {
  std::vector<double> all;
  for (std::size_t k = 0; k < first.cloud.size(); ++k) all.push_back(weights[k % weights.size()]);
  GroundAlignment aligned = align_on_ground(first.cloud, second.cloud, all);
  std::vector<Vec3> a(first.cloud.begin(), first.cloud.end()), b(second.cloud.begin(), second.cloud.end());
  double cloud = 0;
  for (const double weight : all) cloud += weight;
  for (std::size_t k = 0; k < first.soles.size(); ++k)
    if (first.standing[k] && second.standing[k]) {
      a.push_back(first.soles[k]);
      b.push_back(second.soles[k]);
    }
  if (a.size() == all.size()) return aligned;
  const std::size_t standing = a.size() - all.size();
  all.resize(a.size(), weight_of_soles * cloud / static_cast<double>(standing));
  aligned.motion = align_on_ground(a, b, all).motion;
  return aligned;
}

}  // namespace sinew
