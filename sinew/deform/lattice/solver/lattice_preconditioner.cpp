#include "sinew/deform/lattice/solver/lattice_preconditioner.h"

#include <utility>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t lattice_preconditioner_grain = 1024;

Vec3 vec3_at(std::span<const double> values, std::size_t i) {
  return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}
void put(std::span<double> values, std::size_t i, const Vec3& v) {
  for (std::size_t k = 0; k < 3; ++k) values[3 * i + k] = v[k];
}

}  // namespace

LatticePreconditioner::LatticePreconditioner(const LatticeBody& body, const BlockCholesky& whole,
                                             const BlockCholesky& coarse, std::span<const Mat3> detail, double share)
    : body_(body), whole_(whole), coarse_(coarse), detail_(detail), share_(share) {
  const CellMatrices& cells = body.description.cells;
  std::vector<std::vector<std::pair<int, double>>> around(body.description.role.size());
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    const auto n = static_cast<std::size_t>(cells.functions_of(c));
    for (std::size_t k = 0; k < n; ++k) {
      const Mat3& block = cells.stiffness[cells.offset[c] + k * n + k];
      around[static_cast<std::size_t>(cells.function[static_cast<std::size_t>(cells.start[c]) + k])].push_back(
          {static_cast<int>(c), block(0, 0) + block(1, 1) + block(2, 2)});
    }
  }
  if (!body.systems->nodal.empty()) children_ = transpose(body.systems->nodal.parents);
  around_start_.push_back(0);
  for (const auto& entries : around) {
    for (const auto& [cell, weight] : entries) {
      around_cell_.push_back(cell);
      around_share_.push_back(weight);
    }
    around_start_.push_back(static_cast<int>(around_cell_.size()));
  }
}

void LatticePreconditioner::activate(const ActiveFunctions& active) {
  active_ = &active;
  use_whole_ = active.unknowns() == body_.free_functions();
  direct_ = static_cast<std::size_t>((use_whole_ ? whole_ : coarse_).rows());
  if (use_whole_) {
    row_function_ = body_.systems->factor_function;
    values_.assign(body_.description.role.size(), {});
  } else {
    row_function_ = active.unknown_function;
  }
  local_.resize(3 * direct_);
  rotation_.resize(row_function_.size());
}

void LatticePreconditioner::set_pose(const LatticePose& pose) {
  parallel_for(row_function_.size(), lattice_preconditioner_grain, [&](std::size_t row) {
    const auto f = static_cast<std::size_t>(row_function_[row]);
    const Quat& reference = pose.functions.orientation[f];
    Quat sum{0, 0, 0, 0};
    for (auto k = static_cast<std::size_t>(around_start_[f]); k < static_cast<std::size_t>(around_start_[f + 1]); ++k) {
      const Quat& q = pose.cells.orientation[static_cast<std::size_t>(around_cell_[k])];
      const double share = dot(q, reference) < 0 ? -around_share_[k] : around_share_[k];
      sum.x += share * q.x;
      sum.y += share * q.y;
      sum.z += share * q.z;
      sum.w += share * q.w;
    }
    rotation_[row] = dot(sum, sum) > 0 ? to_matrix(normalized(sum)) : pose.functions.rotation[f];
  });
}

// H^-1 R (factor) R^T H^-T over values at vertices, or R (factor) R^T where there is no H: r - P^T r on the way in and
// v - P v on the way out, P the weights of the parents (nodal_transform.h).
void LatticePreconditioner::apply_whole(std::span<const double> from, std::span<double> to) {
  const NodalTransform& nodal = body_.systems->nodal;
  const auto force = [&](std::size_t f) {
    return active_->unknown[f] < 0 ? Vec3{} : vec3_at(from, static_cast<std::size_t>(active_->unknown[f]));
  };
  parallel_for(direct_, lattice_preconditioner_grain, [&](std::size_t row) {
    const auto f = static_cast<std::size_t>(row_function_[row]);
    Vec3 sum = force(f);
    if (!nodal.empty())
      for (auto e = static_cast<std::size_t>(children_.start[f]); e < static_cast<std::size_t>(children_.start[f + 1]);
           ++e)
        sum -= children_.value[e] * force(static_cast<std::size_t>(children_.column[e]));
    put(local_, row, transpose_times(rotation_[row], sum));
  });
  whole_.solve(local_, local_);
  parallel_for(direct_, lattice_preconditioner_grain, [&](std::size_t row) {
    values_[static_cast<std::size_t>(row_function_[row])] = rotation_[row] * vec3_at(local_, row);
  });
  parallel_for(active_->unknowns(), lattice_preconditioner_grain, [&](std::size_t u) {
    const auto f = static_cast<std::size_t>(active_->unknown_function[u]);
    Vec3 value = values_[f];
    if (!nodal.empty())
      for (auto e = static_cast<std::size_t>(nodal.parents.start[f]);
           e < static_cast<std::size_t>(nodal.parents.start[f + 1]); ++e)
        value -= nodal.parents.value[e] * values_[static_cast<std::size_t>(nodal.parents.column[e])];
    put(to, u, share_ * value);
  });
}

void LatticePreconditioner::apply(std::span<const double> from, std::span<double> to) {
  if (use_whole_) {
    apply_whole(from, to);
    return;
  }
  parallel_for(direct_, lattice_preconditioner_grain,
               [&](std::size_t u) { put(local_, u, transpose_times(rotation_[u], vec3_at(from, u))); });
  if (direct_ > 0) coarse_.solve(local_, local_);
  parallel_for(direct_, lattice_preconditioner_grain,
               [&](std::size_t u) { put(to, u, share_ * (rotation_[u] * vec3_at(local_, u))); });
  parallel_for(active_->unknowns() - direct_, lattice_preconditioner_grain, [&](std::size_t k) {
    const std::size_t u = direct_ + k;
    const Mat3& inverse = detail_[static_cast<std::size_t>(active_->unknown_function[u])];
    put(to, u, share_ * (rotation_[u] * (inverse * transpose_times(rotation_[u], vec3_at(from, u)))));
  });
}

}  // namespace sinew
