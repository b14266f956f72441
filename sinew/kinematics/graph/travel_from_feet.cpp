#include "sinew/kinematics/graph/travel_from_feet.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double samples_a_second = 60;
constexpr double sole_share = 0.05;  // of the height: how far up the lowest skin reaches
// Shares of the height.
constexpr double on_the_ground = 0.03;  // above the lowest place of the clip
constexpr double as_low = 0.006;        // above the lowest point of the frame
constexpr double in_place = 0.05;       // way of all soles together in a cycle
constexpr double least_speed = 0.1;     // per second; slower feet shift the weight
constexpr double most_uneven = 0.6;     // of the speed: median deviation of soles that tread

double middle_value(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Vec3 mean_place(std::span<const Vec3> points) {
  Vec3 sum;
  for (const Vec3& p : points) sum += p / static_cast<double>(points.size());
  return {sum.x, 0, sum.z};
}

}  // namespace

PointCloud cloud_of_soles(const SimulationSurface& surface, double metres_per_unit, std::size_t count) {
  double lowest = HUGE_VAL;
  for (std::size_t v = 0; v < surface.influences.size(); ++v)
    if (surface.influences[v].count > 0) lowest = std::min(lowest, surface.rest.positions[v].y);
  const double most = lowest + sole_share * standing_height(surface);
  return cloud_of_skin(surface, metres_per_unit, count, [&](const Vec3& at) { return at.y <= most; });
}

Vec3 travel_from_feet(const Skeleton& skeleton, const PointCloud& soles, double height, const Clip& clip) {
  const int steps = static_cast<int>(std::lround((clip.end - clip.start) * samples_a_second));
  const std::size_t points = soles.points.size();
  if (points == 0 || steps < 4) return {};
  SamplingSpace space;
  Pose pose;
  std::vector<std::vector<Vec3>> frames(static_cast<std::size_t>(steps) + 1, std::vector<Vec3>(points));
  double ground = HUGE_VAL;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    sample(skeleton, &clip, clip.start + (clip.end - clip.start) * static_cast<double>(f) / steps, space, pose);
    soles.place(pose, frames[f]);
    for (const Vec3& p : frames[f]) ground = std::min(ground, p.y);
  }
  if (distance(mean_place(frames.front()), mean_place(frames.back())) > in_place * height) return {};
  const double rate = steps / (clip.end - clip.start);
  std::vector<double> x, z;
  for (std::size_t f = 0; f + 1 < frames.size(); ++f) {
    const auto higher = [&](std::size_t k) { return std::max(frames[f][k].y, frames[f + 1][k].y); };
    double lowest = HUGE_VAL;
    for (std::size_t k = 0; k < points; ++k) lowest = std::min(lowest, higher(k));
    if (lowest > ground + on_the_ground * height) continue;
    // A frame counts once, however many points of it stand.
    Vec3 back;
    double count = 0;
    for (std::size_t k = 0; k < points; ++k)
      if (higher(k) <= lowest + as_low * height) back += frames[f][k] - frames[f + 1][k], ++count;
    x.push_back(back.x / count * rate);
    z.push_back(back.z / count * rate);
  }
  if (x.empty()) return {};
  const Vec3 travel{middle_value(x), 0, middle_value(z)};
  std::vector<double> deviations;
  for (std::size_t k = 0; k < x.size(); ++k) deviations.push_back(std::hypot(x[k] - travel.x, z[k] - travel.z));
  const double speed = norm(travel);
  if (speed < least_speed * height || middle_value(deviations) > most_uneven * speed) return {};
  return travel;
}

}  // namespace sinew
