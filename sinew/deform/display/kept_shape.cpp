#include "sinew/deform/display/kept_shape.h"

#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

// Things on a bone that shrinks to less than this, or grows beyond the inverse, keep their size.
constexpr double least_growth = 1e-3;

Vec3 moved_by(const RigidMotion& motion, const Vec3& point) {
  const Vec3 arm = point - motion.centre;
  return motion.translation + motion.rotation * arm - arm;
}

}  // namespace

void move_rigidly(const KeptShape& shape, std::span<const Vec3> goal, std::span<Vec3> displacement,
                  std::vector<RigidMotion>& motions) {
  motions.resize(shape.rigid.size());
  parallel_for(shape.rigid.size(), 1, [&](std::size_t g) {
    const RigidFooting& footing = shape.footing[g];
    for (const Foot& foot : footing.feet) {
      Vec3 skin;
      for (std::size_t k = 0; k < 3; ++k) skin += foot.place[k] * displacement[index(foot.corners[k])];
      displacement[index(foot.vertex)] = skin;
    }
    motions[g] = rigid_fit(footing.on, goal, displacement, footing.steadying);
    for (const int v : shape.rigid[g].vertices) displacement[index(v)] = moved_by(motions[g], goal[index(v)]);
  });
  const std::vector<GluedVertex>& glued = shape.glued;
  for (std::size_t k = 0; k < glued.size();) {
    const std::size_t v = index(glued[k].vertex);
    Vec3 along;
    for (const Vec3 flesh = displacement[v]; k < glued.size() && index(glued[k].vertex) == v; ++k)
      along += glued[k].weight * (moved_by(motions[index(glued[k].group)], goal[v]) - flesh);
    displacement[v] += along;
  }
}

// Groups that grow are grown first, about their middle, where they stay.
void keep_rigid_groups(const KeptShape& shape, std::span<const Affine> bones, std::span<Vec3> goal,
                       std::span<Vec3> displacement, std::vector<RigidMotion>& motions) {
  const auto scale = [&](std::size_t g, double growth) {
    const RigidGroup& group = shape.rigid[g];
    Vec3 middle;
    for (std::size_t k = 0; k < group.vertices.size(); ++k) middle += group.weight[k] * goal[index(group.vertices[k])];
    for (const int vertex : group.vertices) {
      const std::size_t v = index(vertex);
      const Vec3 grown = middle + growth * (goal[v] - middle);
      displacement[v] += goal[v] - grown;
      goal[v] = grown;
    }
  };
  std::vector<std::pair<std::size_t, double>> grown;
  for (std::size_t g = 0; g < shape.grows_with.size(); ++g) {
    if (shape.grows_with[g] < 0) continue;
    const double growth = std::cbrt(std::abs(determinant(bones[index(shape.grows_with[g])].linear)));
    if (!(growth > least_growth && growth < 1 / least_growth) || std::abs(growth - 1) < 1e-12) continue;
    scale(g, growth);
    grown.push_back({g, growth});
  }
  move_rigidly(shape, goal, displacement, motions);
  for (const auto& [g, growth] : grown) scale(g, 1 / growth);
}

}  // namespace sinew
