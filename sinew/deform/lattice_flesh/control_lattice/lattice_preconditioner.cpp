#include "sinew/deform/lattice_flesh/control_lattice/lattice_preconditioner.h"

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 256;

Vec3 at(std::span<const double> values, std::size_t i) { return {values[3 * i], values[3 * i + 1], values[3 * i + 2]}; }
void put(std::span<double> values, std::size_t i, const Vec3& v) {
  for (std::size_t k = 0; k < 3; ++k) values[3 * i + k] = v[k];
}

}  // namespace

LatticePreconditioner::LatticePreconditioner(const LatticeBody& body, const BlockCholesky* whole,
                                             const BlockCholesky& coarse, std::span<const Mat3> detail)
    : body_(body), whole_(whole), coarse_(coarse), detail_(detail) {}

void LatticePreconditioner::activate(const ActiveFunctions& active) {
  active_ = &active;
  const bool all = whole_ && static_cast<std::size_t>(whole_->rows()) == active.unknowns();
  direct_ = static_cast<std::size_t>(all ? whole_->rows() : coarse_.rows());
  local_.resize(3 * direct_);
}

void LatticePreconditioner::apply(const LatticePose& pose, std::span<const double> from, std::span<double> to) {
  const auto rotation = [&](std::size_t u) -> const Mat3& {
    return pose.functions.rotation[static_cast<std::size_t>(active_->unknown_function[u])];
  };
  parallel_for(direct_, grain, [&](std::size_t u) { put(local_, u, transpose_times(rotation(u), at(from, u))); });
  if (direct_ > 0) {
    const bool all = direct_ == active_->unknowns() && whole_ && static_cast<std::size_t>(whole_->rows()) == direct_;
    (all ? *whole_ : coarse_).solve(local_, local_);
  }
  parallel_for(direct_, grain, [&](std::size_t u) { put(to, u, rotation(u) * at(local_, u)); });
  parallel_for(active_->unknowns() - direct_, grain, [&](std::size_t k) {
    const std::size_t u = direct_ + k;
    const Mat3& inverse = detail_[static_cast<std::size_t>(active_->unknown_function[u])];
    put(to, u, rotation(u) * (inverse * transpose_times(rotation(u), at(from, u))));
  });
}

}  // namespace sinew
