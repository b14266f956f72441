#include "sinew/deform/rig_space/interior_relaxation.h"

#include <cmath>

namespace sinew {

InteriorRelaxation::InteriorRelaxation(const RigSpaceBody& body)
    : body_(body), energy_(body.mesh, body.material), gradient_(body.mesh.positions.size()) {
  const std::size_t boundary = body.boundary_vertices();
  std::vector<char> moves(body.mesh.positions.size(), 0);
  std::vector<int> number(body.mesh.positions.size(), -1);
  for (std::size_t i = 0; i < body.interior_vertices(); ++i) {
    if (!body.correction.rest.moves(i)) continue;
    moves[boundary + i] = 1;
    number[boundary + i] = static_cast<int>(moving_.size());
    moving_.push_back(i);
  }
  if (moving_.empty()) return;
  energy_.activate(moves);
  BlockMatrix hessian = energy_.hessian_pattern();
  energy_.hessian(body.mesh.positions, HyperelasticTangent::exact, hessian);
  const BlockMatrix inner = principal_submatrix(hessian, number, static_cast<int>(moving_.size()));
  cholesky_.analyze(inner);
  cholesky_.factor(inner);
  step_.resize(3 * moving_.size());
}

double InteriorRelaxation::iterate(std::span<Vec3> x, std::span<const Mat3> rotations, std::span<Vec3> offset) {
  if (moving_.empty()) return 0;
  const std::size_t boundary = body_.boundary_vertices();
  const double here = energy_.energy(x, gradient_);
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const Vec3 force = transpose(rotations[moving_[k]]) * gradient_[boundary + moving_[k]];
    for (std::size_t axis = 0; axis < 3; ++axis) step_[3 * k + axis] = -force[axis];
  }
  cholesky_.solve(step_, step_);
  const auto step = [&](std::size_t k) { return Vec3{step_[3 * k], step_[3 * k + 1], step_[3 * k + 2]}; };
  tried_.assign(x.begin(), x.end());
  constexpr int halvings = 4;
  double share = 1;
  for (int halved = 0; halved <= halvings; ++halved, share *= 0.5) {
    for (const std::size_t i : moving_) tried_[boundary + i] = x[boundary + i];
    for (std::size_t k = 0; k < moving_.size(); ++k)
      tried_[boundary + moving_[k]] += rotations[moving_[k]] * step(k) * share;
    if (!(energy_.energy(tried_) < here)) continue;
    double sum = 0;
    for (std::size_t k = 0; k < moving_.size(); ++k) {
      x[boundary + moving_[k]] = tried_[boundary + moving_[k]];
      offset[moving_[k]] += step(k) * share;
      sum += squared_norm(step(k)) * share * share;
    }
    return std::sqrt(sum / static_cast<double>(moving_.size()));
  }
  return 0;
}

}  // namespace sinew
