#include "sinew/cook/muscles/muscle_points.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/muscles/muscles_in_body.h"
#include "sinew/cook/muscles/spindle.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

constexpr std::size_t muscle_point_grain = 4;

// Weights of the corners by which the point is their mean; all zero for a flat tetrahedron.
std::array<double, 4> weights_in(const std::array<Vec3, 4>& corner, const Vec3& point) {
  const Vec3 a = corner[1] - corner[0], b = corner[2] - corner[0], c = corner[3] - corner[0], p = point - corner[0];
  const double volume = dot(a, cross(b, c));
  if (volume == 0) return {};
  const double of_a = dot(p, cross(b, c)) / volume, of_b = dot(a, cross(p, c)) / volume,
               of_c = dot(a, cross(b, p)) / volume;
  return {1 - of_a - of_b - of_c, of_a, of_b, of_c};
}

// The tetrahedron that contains the point carries it, or the one that it is the least outside of.
MusclePoint carried_by(const TetrahedralMesh& mesh, const Vec3& point) {
  MusclePoint found;
  double best = -HUGE_VAL;
  for (std::size_t t = 0; t < mesh.tetrahedra.size() && best < 0; ++t) {
    const std::array<double, 4> weight = weights_in(corners_of(mesh, t), point);
    const double least = *std::min_element(weight.begin(), weight.end());
    if (weight == std::array<double, 4>{} || !(least > best)) continue;
    best = least;
    found = {mesh.tetrahedra[t], weight};
  }
  return found;
}

}  // namespace

MusclePoints muscle_points(const MuscleFile& file, const TetrahedralMesh& mesh) {
  constexpr std::size_t count = MuscleLines::points;
  MusclePoints result;
  std::vector<Vec3> places;
  for (const Muscle& muscle : file.muscles) {
    const Spindle spindle(places_of(muscle), thickness_of(muscle));
    result.lines.push_back({spindle.length(), thickness_of(muscle)});
    for (std::size_t k = 0; k < count; ++k) places.push_back(spindle.at(static_cast<double>(k) / (count - 1)));
  }
  result.points.resize(places.size());
  parallel_for(places.size(), muscle_point_grain,
               [&](std::size_t p) { result.points[p] = carried_by(mesh, places[p]); });
  return result;
}

}  // namespace sinew
