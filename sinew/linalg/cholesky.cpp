#include "sinew/linalg/cholesky.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/linalg/cholesky/numeric.h"
#include "sinew/linalg/cholesky/substitution.h"
#include "sinew/linalg/cholesky/symbolic.h"

namespace sinew {

namespace {

struct Analysis {
  cholesky::Symbolic symbolic;
  cholesky::WorkspaceLayout layout;
  std::vector<int> row_start, column;  // the pattern
  mutable cholesky::WorkMemory memory;
};

}  // namespace

struct BlockCholesky::Factor {
  explicit Factor(std::shared_ptr<const Analysis> of) : analysis(std::move(of)) {}

  std::shared_ptr<const Analysis> analysis;
  FactorPrecision precision = FactorPrecision::double_precision;
  bool factored = false;
  cholesky::Panels<double> double_panels;
  cholesky::Panels<float> single_panels;
  cholesky::Panels<cholesky::Half> half_panels;
  mutable cholesky::WorkspacePool<double> double_pool;
  mutable cholesky::WorkspacePool<float> single_pool;
};

BlockCholesky::BlockCholesky() = default;
BlockCholesky::~BlockCholesky() = default;
BlockCholesky::BlockCholesky(BlockCholesky&&) noexcept = default;
BlockCholesky& BlockCholesky::operator=(BlockCholesky&&) noexcept = default;

void BlockCholesky::analyze(const BlockMatrix& matrix) {
  auto analysis = std::make_shared<Analysis>();
  analysis->symbolic = cholesky::symbolic_factorisation(matrix);
  analysis->layout = cholesky::workspace_layout(analysis->symbolic);
  analysis->row_start = matrix.row_start;
  analysis->column = matrix.column;
  factor_ = std::make_unique<Factor>(std::move(analysis));
}

BlockCholesky BlockCholesky::of_same_pattern() const {
  BlockCholesky other;
  if (factor_) other.factor_ = std::make_unique<Factor>(factor_->analysis);
  return other;
}

void BlockCholesky::factor(const BlockMatrix& matrix, FactorPrecision precision) {
  if (!factor_) analyze(matrix);
  Factor& factor = *factor_;
  const Analysis& analysis = *factor.analysis;
  if (matrix.rows != analysis.symbolic.size || matrix.row_start != analysis.row_start ||
      matrix.column != analysis.column || matrix.block.size() != matrix.column.size())
    throw usage_error("the matrix to be factored does not have the pattern that was analysed");
  factor.factored = false;
  factor.half_panels = {};
  if (precision == FactorPrecision::double_precision) {
    factor.single_panels = {};
    cholesky::numeric_factorisation(matrix, analysis.symbolic, analysis.memory, factor.double_panels);
  } else {
    factor.double_panels = {};
    cholesky::numeric_factorisation(matrix, analysis.symbolic, analysis.memory, factor.single_panels);
    if (precision == FactorPrecision::half_precision) {
      if (cholesky::round_to_half(factor.single_panels, factor.analysis->symbolic, factor.half_panels))
        factor.single_panels = {};
      else
        precision = FactorPrecision::single_precision;
    }
  }
  factor.precision = precision;
  factor.factored = true;
}

void BlockCholesky::solve(std::span<const double> b, std::span<double> x) const { solve(b, x, 1); }

void BlockCholesky::solve(std::span<const double> b, std::span<double> x, int count) const {
  solve_in({}, b, x, count);
}

std::vector<char> BlockCholesky::parts_for(std::span<const int> block_rows) const {
  return cholesky::nodes_of_rows(factor_->analysis->symbolic, block_rows);
}

void BlockCholesky::solve_in(std::span<const char> parts, std::span<const double> b, std::span<double> x,
                             int count) const {
  if (!factor_ || !factor_->factored) throw usage_error("a matrix must be factored before anything is solved with it");
  const Factor& factor = *factor_;
  const std::size_t length = 3 * static_cast<std::size_t>(factor.analysis->symbolic.size);
  if (count < 0 || b.size() != length * static_cast<std::size_t>(count) || x.size() != b.size())
    throw usage_error("a factor of " + std::to_string(factor.analysis->symbolic.size) +
                      " block rows solves for vectors of " + std::to_string(length) + " numbers; " +
                      std::to_string(count) + " vectors in " + std::to_string(b.size()) + " and " +
                      std::to_string(x.size()) + " numbers do not fit");
  const std::size_t vectors = static_cast<std::size_t>(count);
  for (std::size_t v = 0; v < vectors; v += cholesky::most_vectors_at_once) {
    const std::size_t now = std::min(cholesky::most_vectors_at_once, vectors - v);
    const auto from = b.subspan(v * length, now * length);
    const auto to = x.subspan(v * length, now * length);
    const auto substitute = [&](const auto& panels, auto& pool) {
      cholesky::substitute(factor.analysis->symbolic, factor.analysis->layout, panels, pool, from, to, now, parts);
    };
    switch (factor.precision) {
      case FactorPrecision::double_precision:
        substitute(factor.double_panels, factor.double_pool);
        break;
      case FactorPrecision::single_precision:
        substitute(factor.single_panels, factor.single_pool);
        break;
      case FactorPrecision::half_precision:
        substitute(factor.half_panels, factor.single_pool);
        break;
    }
  }
}

int BlockCholesky::rows() const { return factor_ ? factor_->analysis->symbolic.size : 0; }

std::size_t BlockCholesky::factor_entries() const {
  return factor_ ? factor_->double_panels.entries() + factor_->single_panels.entries() + factor_->half_panels.entries()
                 : 0;
}

FactorPrecision BlockCholesky::precision() const {
  return factor_ ? factor_->precision : FactorPrecision::double_precision;
}

double preconditioner_error(const BlockMatrix& matrix, const BlockCholesky& factor) {
  constexpr int steps = 8;
  const std::size_t size = 3 * static_cast<std::size_t>(matrix.rows);
  std::vector<double> error(size), solution(size), product(size);
  // Entries of +1 and -1 without a pattern (a linear congruential generator): parts of every mode.
  std::uint32_t state = 1;
  for (double& value : error) {
    state = state * 1664525u + 1013904223u;
    value = (state >> 31) != 0 ? 1 : -1;
  }
  const auto norm = [](const std::vector<double>& v) {
    return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  };
  double growth = 0, before = norm(error);
  for (int step = 0; step < steps && before > 0; ++step) {
    factor.solve(error, solution);
    multiply(matrix, solution, product);
    for (std::size_t k = 0; k < size; ++k) error[k] = (product[k] - error[k]) / before;
    const double after = norm(error);
    if (!std::isfinite(after)) return std::numeric_limits<double>::infinity();
    growth = after;
    before = after;
  }
  return growth;
}

}  // namespace sinew
