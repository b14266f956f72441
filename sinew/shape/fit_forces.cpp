#include "sinew/shape/fit_forces.h"

#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

// Weight of a force's work beside its distance from the target, relative to what the skin yields to forces like it.
constexpr double work_of_forces = 1e-3;
constexpr KrylovOptions fit_of_forces{.tolerance = 1e-4, .max_iterations = 60};

std::vector<Vec3> in_threes(std::span<const double> numbers) {
  std::vector<Vec3> vectors(numbers.size() / 3);
  for (std::size_t k = 0; k < numbers.size(); ++k) vectors[k / 3][k % 3] = numbers[k];
  return vectors;
}

}  // namespace

std::vector<PointForce> forces_for_skin(ShapeBody& body, std::span<const Vec3> target_displacement) {
  const SparseRows& skin = body.skin();
  std::vector<double> target(3 * target_displacement.size());
  for (std::size_t k = 0; k < target.size(); ++k) target[k] = target_displacement[k / 3][k % 3];
  const double size = dot(target, target);
  if (!(size > 0)) return {};
  // Small displacements of the body's points under forces on the skin, and those of the skin.
  const auto of_points = [&](std::span<const double> on_skin) {
    return body.small_displacements(carry_forces(skin, in_threes(on_skin)));
  };
  const auto yielding = [&](std::span<const double> on_skin, std::span<double> moved) {
    const std::vector<Vec3> points = of_points(on_skin);
    for (std::size_t s = 0; s < skin.rows(); ++s) {
      const Vec3 here = row_times(skin, s, points);
      for (std::size_t k = 0; k < 3; ++k) moved[3 * s + k] = here[k];
    }
  };
  std::vector<double> on_skin(target.size()), moved(target.size());
  yielding(target, moved);
  const double weight = work_of_forces * dot(target, moved) / size;
  const auto weighted = [&](std::span<const double> from, std::span<double> to) {
    yielding(from, to);
    add_scaled(weight, from, to);
  };
  ConjugateGradients().solve(weighted, {}, target, on_skin, fit_of_forces);
  return body.forces(of_points(on_skin));
}

}  // namespace sinew
