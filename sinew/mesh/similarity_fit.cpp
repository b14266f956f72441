#include "sinew/mesh/similarity_fit.h"

#include "sinew/base/error.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

// Weight of no rotation, against which points that are not on a line decide.
constexpr double resistance_to_turning = 1e-6;

}  // namespace

Affine similarity_fit(std::span<const PointPair> pairs) {
  if (pairs.empty()) throw usage_error("a fit needs points.");
  const double share = 1 / static_cast<double>(pairs.size());
  PointPair centre;
  for (const PointPair& pair : pairs) {
    centre.source += share * pair.source;
    centre.target += share * pair.target;
  }
  Mat3 product = Mat3::zero();
  double source = 0, target = 0;
  for (const PointPair& pair : pairs) {
    const Vec3 from = pair.source - centre.source, to = pair.target - centre.target;
    product += outer(to, from);
    source += squared_norm(from);
    target += squared_norm(to);
  }
  const double steadying = resistance_to_turning * std::sqrt(source * target);
  const Mat3 rotation =
      steadying > 0 ? closest_rotation(product + Mat3::diagonal({steadying, steadying, steadying})) : Mat3::identity();
  double along = 0;
  for (const PointPair& pair : pairs)
    along += dot(pair.target - centre.target, rotation * (pair.source - centre.source));
  const double scale = steadying > 0 && along > 0 ? along / source : 1;
  const Mat3 linear = rotation * scale;
  return {linear, centre.target - linear * centre.source};
}

}  // namespace sinew
