#include "sinew/deform/rig_space/static_interior.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr int most_steps = 100;
constexpr double step_tolerance =
    1e-8;  // of the height: longest step of a vertex at which the interior counts as at rest

}  // namespace

StaticInterior::StaticInterior(const RigSpaceBody& body, TetrahedralEnergy& energy)
    : body_(body), energy_(energy), hessian_(energy.hessian_pattern()), gradient_(body.mesh.positions.size()) {
  interior_number_.assign(body.mesh.positions.size(), -1);
  for (std::size_t i = 0; i < body.interior_vertices(); ++i)
    interior_number_[body.boundary_vertices() + i] = static_cast<int>(i);
}

void StaticInterior::factor(std::span<const Vec3> x) {
  const int count = static_cast<int>(body_.interior_vertices());
  for (const HyperelasticTangent form : {HyperelasticTangent::exact, HyperelasticTangent::definite}) {
    energy_.hessian(x, form, hessian_);
    const BlockMatrix inner = principal_submatrix(hessian_, interior_number_, count);
    if (!analysed_) cholesky_.analyze(inner);
    analysed_ = true;
    try {
      cholesky_.factor(inner);
      return;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::simulation || form == HyperelasticTangent::definite) throw;
    }
  }
}

int StaticInterior::solve(std::span<Vec3> x) {
  const std::size_t boundary = body_.boundary_vertices(), count = body_.interior_vertices();
  if (count == 0) return 0;
  std::vector<double> residual(3 * count), step(3 * count);
  std::vector<Vec3> start(x.begin(), x.end());
  double here = energy_.energy(x, gradient_);
  for (int steps = 1; steps <= most_steps; ++steps) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t c = 0; c < 3; ++c) residual[3 * i + c] = -gradient_[boundary + i][c];
    factor(x);
    cholesky_.solve(residual, step);
    double slope = 0, longest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 s{step[3 * i], step[3 * i + 1], step[3 * i + 2]};
      longest = std::max(longest, norm(s));
      slope += dot(gradient_[boundary + i], s);
    }
    if (!std::isfinite(longest)) break;
    std::copy(x.begin(), x.end(), start.begin());
    double share = 1, there = here;
    for (;; share *= 0.5) {
      for (std::size_t i = 0; i < count; ++i)
        x[boundary + i] = start[boundary + i] + Vec3{step[3 * i], step[3 * i + 1], step[3 * i + 2]} * share;
      there = energy_.energy(x, gradient_);
      if (there <= here + 1e-4 * share * slope || longest * share <= step_tolerance * body_.height) break;
    }
    here = there;
    if (longest * share <= step_tolerance * body_.height) return steps;
  }
  throw simulation_error("the inside of the body found no equilibrium in " + std::to_string(most_steps) +
                         " steps; the rig folds its surface too far for a body of this material.");
}

ReducedBasis StaticInterior::basis(std::span<const Vec3> x, const ReducedBasis& boundary) {
  const std::size_t outer = body_.boundary_vertices(), count = body_.interior_vertices(), columns = boundary.columns;
  factor(x);  // leaves K in hessian_
  // Right sides -K_qb G_b, a column after the other.
  std::vector<double> right(3 * count * columns, 0.0);
  for (std::size_t i = 0; i < count; ++i)
    for (auto k = index(hessian_.row_start[outer + i]); k < index(hessian_.row_start[outer + i + 1]); ++k) {
      const std::size_t other = index(hessian_.column[k]);
      if (other >= outer) continue;
      for (auto e = index(boundary.start[other]); e < index(boundary.start[other + 1]); ++e) {
        const double* value = boundary.value.data() + e * 3 * tile_width;
        for (std::size_t j = 0; j < tile_width; ++j) {
          const std::size_t column = index(boundary.tile[e]) * tile_width + j;
          if (column >= columns) break;
          const Vec3 force = hessian_.block[k] * Vec3{value[j], value[tile_width + j], value[2 * tile_width + j]};
          for (std::size_t c = 0; c < 3; ++c) right[3 * (column * count + i) + c] -= force[c];
        }
      }
    }
  cholesky_.solve(right, right, static_cast<int>(columns));
  ReducedBasisBuilder builder(columns);
  for (std::size_t v = 0; v < outer; ++v) {
    builder.add_row(boundary, v, 1);
    builder.finish_row();
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double* d = right.data() + 3 * (column * count + i);
      builder.add(column, {d[0], d[1], d[2]});
    }
    builder.finish_row();
  }
  return builder.take();
}

}  // namespace sinew
