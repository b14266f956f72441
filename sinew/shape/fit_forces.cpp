#include "sinew/shape/fit_forces.h"

#include <cmath>
#include <utility>

#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

// Weight of a force's work beside the distance that it leaves, relative to what the skin yields to forces like it.
constexpr double work_of_forces = 0.03;
constexpr KrylovOptions fit_of_forces{.tolerance = 1e-3, .max_iterations = 40};
// The fit is repeated for what is left, as long as this falls to less than so much of itself.
constexpr int most_fits = 8;
constexpr double worthwhile = 0.95;

std::vector<Vec3> in_threes(std::span<const double> numbers) {
  std::vector<Vec3> vectors(numbers.size() / 3);
  for (std::size_t k = 0; k < numbers.size(); ++k) vectors[k / 3][k % 3] = numbers[k];
  return vectors;
}

void move_skin(const SparseRows& skin, std::span<const Vec3> points, std::span<double> moved) {
  for (std::size_t s = 0; s < skin.rows(); ++s) {
    const Vec3 here = row_times(skin, s, points);
    for (std::size_t k = 0; k < 3; ++k) moved[3 * s + k] = here[k];
  }
}

}  // namespace

std::vector<PointForce> forces_for_skin(ShapeBody& body, std::span<const Vec3> target_displacement) {
  const SparseRows& skin = body.skin();
  std::vector<double> target(3 * target_displacement.size());
  for (std::size_t k = 0; k < target.size(); ++k) target[k] = target_displacement[k / 3][k % 3];
  const double size = dot(target, target);
  if (!(size > 0)) return {};
  const auto yielding = [&](std::span<const double> on_skin, std::span<double> moved) {
    move_skin(skin, body.small_displacements(carry_forces(skin, in_threes(on_skin))), moved);
  };
  std::vector<double> moved(target.size()), more(target.size()), on_skin(target.size()), left = target;
  yielding(target, moved);
  const double weight = work_of_forces * dot(target, moved) / size;
  const auto weighted = [&](std::span<const double> from, std::span<double> to) {
    yielding(from, to);
    add_scaled(weight, from, to);
  };
  std::vector<PointForce> best;
  double least = size;
  for (int fit = 0; fit < most_fits; ++fit) {
    std::fill(more.begin(), more.end(), 0.0);
    ConjugateGradients().solve(weighted, {}, left, more, fit_of_forces);
    add_scaled(1, more, on_skin);
    std::vector<PointForce> forces = carry_forces(skin, in_threes(on_skin));
    move_skin(skin, body.displacements(forces), moved);
    scale(1, target, left);
    add_scaled(-1, moved, left);
    const double here = dot(left, left);
    if (fit > 0 && !(here < worthwhile * worthwhile * least)) break;
    least = here;
    best = std::move(forces);
  }
  return best;
}

}  // namespace sinew
