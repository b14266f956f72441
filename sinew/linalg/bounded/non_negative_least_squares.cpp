#include "sinew/linalg/bounded/non_negative_least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/linalg/dot_kernel.h"

namespace sinew {
namespace {

// A column depends on those in use if no more than this fraction of its square is outside their span: what rounding
// leaves of the diagonal.
constexpr double dependent = 1e-14;

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// The part of the equations that determines the unknowns.
struct Quadratic {
  std::size_t unknowns = 0;
  std::span<const double> matrix, right;

  double at(std::size_t i, std::size_t j) const { return matrix[i * unknowns + j]; }
};

void check(const Quadratic& equations, const NonNegativeOptions& options) {
  const std::size_t n = equations.unknowns;
  if (equations.matrix.size() != n * n || equations.right.size() != n ||
      (!options.penalty.empty() && options.penalty.size() != n) ||
      (!options.start.empty() && options.start.size() != n))
    throw usage_error(
        "Least squares of unknowns that are not negative: the matrix, the right side, penalties and the start "
        "differ in length; give one number per unknown.");
  if (!all_finite(equations.matrix) || !all_finite(equations.right) || !all_finite(options.penalty) ||
      !all_finite(options.start))
    throw simulation_error(
        "Least squares of unknowns that are not negative: an equation holds numbers that are not finite.");
}

// The nonzero unknowns and the Cholesky factor of their matrix. If the sum is given, `shift` on every entry changes the
// objective by a constant and makes the matrix definite for affinely independent columns.
class Passive {
 public:
  Passive(const Quadratic& equations, double shift)
      : equations_(equations), shift_(shift), position_(equations.unknowns, -1) {
    members_.reserve(equations.unknowns);
    row_.reserve(equations.unknowns + 1);
    rows_.reserve(equations.unknowns * (equations.unknowns + 1) / 2);
  }

  std::size_t size() const { return members_.size(); }
  std::size_t operator[](std::size_t k) const { return members_[k]; }
  bool contains(std::size_t j) const { return position_[j] >= 0; }
  double diagonal(std::size_t j) const { return equations_.at(j, j) + shift_; }

  // Returns false and changes nothing if the column depends on the members'.
  bool append(std::size_t j) {
    if (!factorize(j)) return false;
    add(j);
    return true;
  }
  // Removes a member; later ones move up, and their rows are computed again.
  void remove(std::size_t k) {
    const ScratchVector<std::size_t> followers(members_.begin() + static_cast<std::ptrdiff_t>(k) + 1, members_.end());
    for (std::size_t i = k; i < members_.size(); ++i) position_[members_[i]] = -1;
    members_.resize(k);
    rows_.resize(k * (k + 1) / 2);
    for (const std::size_t j : followers) {
      // Fewer columns are less dependent on each other; a contradiction is rounding, and is corrected.
      if (!factorize(j)) row_.back() = std::sqrt(dependent * diagonal(j));
      add(j);
    }
  }
  // d such that the columns' combination with weights d is -1 times that of the j that append() refused.
  ScratchVector<double> dependence() const {
    ScratchVector<double> d(row_.begin(), row_.end() - 1);
    backward(d);
    for (double& v : d) v = -v;
    return d;
  }
  ScratchVector<double> solve(ScratchVector<double> right) const {
    for (std::size_t i = 0; i < right.size(); ++i)
      right[i] = (right[i] - dot_in_eight_sums(row(i), right.data(), i)) / row(i)[i];
    backward(right);
    return right;
  }

 private:
  const double* row(std::size_t i) const { return rows_.data() + i * (i + 1) / 2; }
  void add(std::size_t j) {
    position_[j] = static_cast<int>(members_.size());
    members_.push_back(j);
    rows_.insert(rows_.end(), row_.begin(), row_.end());
  }
  bool factorize(std::size_t j) {
    const std::size_t n = members_.size();
    row_.resize(n + 1);
    for (std::size_t i = 0; i < n; ++i)
      row_[i] = (equations_.at(j, members_[i]) + shift_ - dot_in_eight_sums(row(i), row_.data(), i)) / row(i)[i];
    const double pivot = diagonal(j) - dot_in_eight_sums(row_.data(), row_.data(), n);
    row_[n] = std::sqrt(std::max(pivot, 0.0));
    return pivot > dependent * diagonal(j);
  }
  void backward(ScratchVector<double>& x) const {
    for (std::size_t i = x.size(); i-- > 0;) {
      x[i] /= row(i)[i];
      for (std::size_t k = 0; k < i; ++k) x[k] -= row(i)[k] * x[i];
    }
  }

  const Quadratic& equations_;
  double shift_;
  ScratchVector<std::size_t> members_;
  ScratchVector<int> position_;  // per unknown: its index among the members, or -1
  ScratchVector<double> rows_;   // of the factor, each up to its diagonal, one after the other
  ScratchVector<double> row_;    // of the one that append() was asked for last
};

class Solver {
 public:
  Solver(const Quadratic& equations, const NonNegativeOptions& options, std::span<double> w)
      : equations_(equations),
        options_(options),
        n_(equations.unknowns),
        linear_(equations.right.begin(), equations.right.end()),
        passive_(equations, options.sum_to_one ? mean_diagonal(equations) : 0),
        refused_(n_, 0),
        w_(w) {
    for (std::size_t j = 0; j < options.penalty.size(); ++j) linear_[j] -= options.penalty[j] / 2;
  }

  NonNegativeEnd solve() {
    if (n_ == 0) {
      end_.converged = true;
      return end_;
    }
    begin();
    // Three steps per unknown is the usual number in the literature.
    const int most = 50 + 20 * static_cast<int>(n_);
    while (end_.changes <= most) {
      const std::size_t j = most_wanted();
      if (j == n_) {
        end_.converged = true;
        break;
      }
      if (passive_.append(j))
        settle(j);
      else
        replace(j);
    }
    if (options_.sum_to_one) {
      double sum = 0;
      for (const double w : w_) sum += w;
      for (double& w : w_) w /= sum;
    }
    return end_;
  }

 private:
  static double mean_diagonal(const Quadratic& equations) {
    double sum = 0;
    for (std::size_t j = 0; j < equations.unknowns; ++j) sum += equations.at(j, j);
    return sum > 0 ? sum / static_cast<double>(equations.unknowns) : 1;
  }

  void begin() {
    double sum = 0;
    for (std::size_t j = 0; j < options_.start.size(); ++j)
      if (options_.start[j] > 0 && passive_.append(j)) {
        w_[j] = options_.start[j];
        sum += options_.start[j];
      }
    if (options_.sum_to_one && !(sum > 0)) {
      // Starts with the best single one.
      std::size_t best = 0;
      const auto objective = [&](std::size_t j) { return equations_.at(j, j) - 2 * linear_[j]; };
      for (std::size_t j = 1; j < n_; ++j)
        if (objective(j) < objective(best)) best = j;
      passive_.append(best);
      w_[best] = 1;
    } else if (sum > 0) {
      if (options_.sum_to_one)
        for (double& w : w_) w /= sum;
      settle(n_);
    }
  }

  // Computes all multipliers, and returns the zero unknown with the strongest pull relative to the length of its
  // column; n if there is none.
  std::size_t most_wanted() {
    ScratchVector<double> multiplier(linear_), terms(n_);
    for (std::size_t j = 0; j < n_; ++j) terms[j] = std::abs(linear_[j]);
    for (std::size_t k = 0; k < passive_.size(); ++k) {
      const std::size_t i = passive_[k];
      const double w = w_[i];
      const double* row = equations_.matrix.data() + i * n_;
      for (std::size_t j = 0; j < n_; ++j) {
        multiplier[j] -= row[j] * w;
        terms[j] += std::abs(row[j]) * w;
      }
    }
    if (options_.sum_to_one) {
      double of_sum = 0;  // the unknown's own multiplier
      for (std::size_t k = 0; k < passive_.size(); ++k) of_sum += w_[passive_[k]] * multiplier[passive_[k]];
      for (std::size_t j = 0; j < n_; ++j) {
        multiplier[j] -= of_sum;
        terms[j] += std::abs(of_sum);
      }
    }
    std::size_t wanted = n_;
    double most = 0;
    end_.violation = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      if (passive_.contains(j) || !(multiplier[j] > 0)) continue;
      const double share = multiplier[j] / terms[j];
      end_.violation = std::max(end_.violation, share);
      const double pull = multiplier[j] / std::sqrt(passive_.diagonal(j));
      if (share > options_.tolerance && !refused_[j] && pull > most) {
        most = pull;
        wanted = j;
      }
    }
    return wanted;
  }

  // The minimum over the members alone, without regard to signs.
  ScratchVector<double> members_minimum() const {
    const std::size_t p = passive_.size();
    ScratchVector<double> right(p);
    for (std::size_t k = 0; k < p; ++k) right[k] = linear_[passive_[k]];
    ScratchVector<double> z = passive_.solve(std::move(right));
    if (options_.sum_to_one) {
      const ScratchVector<double> ones = passive_.solve(ScratchVector<double>(p, 1.0));
      double sum = 1, of_ones = 0;
      for (std::size_t k = 0; k < p; ++k) {
        sum -= z[k];
        of_ones += ones[k];
      }
      for (std::size_t k = 0; k < p; ++k) z[k] += sum / of_ones * ones[k];
    }
    return z;
  }

  // Moves towards the members' minimum; members that reach zero leave, until it is reached. `joined`: the member just
  // added at zero.
  void settle(std::size_t joined) {
    ++end_.changes;
    while (passive_.size() > 0) {
      const ScratchVector<double> z = members_minimum();
      if (joined < n_ && !(z.back() > 0)) {  // its pull was due to rounding
        passive_.remove(passive_.size() - 1);
        refused_[joined] = 1;
        return;
      }
      joined = n_;
      double share = 1;
      for (std::size_t k = 0; k < z.size(); ++k)
        if (!(z[k] > 0)) share = std::min(share, w_[passive_[k]] / (w_[passive_[k]] - z[k]));
      std::fill(refused_.begin(), refused_.end(), 0);
      for (std::size_t k = z.size(); k-- > 0;) {
        double& w = w_[passive_[k]];
        // Rounding may leave those that block a little above zero.
        const bool blocks = !(z[k] > 0) && w <= share * (w - z[k]) * (1 + 1e-14);
        w = blocks ? 0 : share == 1 ? z[k] : w + share * (z[k] - w);
        if (blocks || !(w > 0)) {
          w = 0;
          passive_.remove(k);
          ++end_.changes;
        }
      }
      if (share == 1) return;
    }
  }

  // The column of j depends on the members': moves along the direction that changes only the penalties, until a member
  // is zero.
  void replace(std::size_t j) {
    const ScratchVector<double> d = passive_.dependence();
    double share = std::numeric_limits<double>::infinity();
    std::size_t leaving = d.size();
    for (std::size_t k = 0; k < d.size(); ++k)
      if (d[k] < 0 && w_[passive_[k]] / -d[k] < share) {
        share = w_[passive_[k]] / -d[k];
        leaving = k;
      }
    // Without a penalty, a pull of a column that depends on others is rounding, and adds nothing.
    if (leaving == d.size() || options_.penalty.empty()) {
      refused_[j] = 1;
      return;
    }
    for (std::size_t k = 0; k < d.size(); ++k)
      w_[passive_[k]] = k == leaving ? 0 : std::max(w_[passive_[k]] + share * d[k], 0.0);
    w_[j] = share;
    passive_.remove(leaving);
    if (!passive_.append(j)) {
      refused_[j] = 1;
      w_[j] = 0;
    }
    settle(n_);
  }

  const Quadratic& equations_;
  const NonNegativeOptions& options_;
  std::size_t n_;
  ScratchVector<double> linear_;  // A^T b - c / 2
  Passive passive_;
  ScratchVector<char> refused_;  // since the last step
  std::span<double> w_;          // the solution so far
  NonNegativeEnd end_;
};

}  // namespace

NormalEquations normal_equations(std::span<const double> columns, std::size_t rows, std::span<const double> b) {
  if (rows == 0 || columns.size() % rows != 0 || (!b.empty() && b.size() != rows))
    throw usage_error("Normal equations: columns and right side differ in length; give them the same number of rows.");
  NormalEquations equations;
  const std::size_t n = equations.unknowns = columns.size() / rows;
  equations.matrix.resize(n * n);
  equations.right.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* a = columns.data() + i * rows;
    for (std::size_t j = 0; j <= i; ++j)
      equations.matrix[i * n + j] = equations.matrix[j * n + i] = dot_in_eight_sums(a, columns.data() + j * rows, rows);
    if (!b.empty()) equations.right[i] = dot_in_eight_sums(a, b.data(), rows);
  }
  if (!b.empty()) equations.square = dot_in_eight_sums(b.data(), b.data(), rows);
  return equations;
}

NormalEquations reduced(const NormalEquations& equations, std::span<const int> kept) {
  NormalEquations result;
  result.unknowns = kept.size();
  result.square = equations.square;
  for (const int i : kept) {
    result.right.push_back(equations.right[static_cast<std::size_t>(i)]);
    for (const int j : kept)
      result.matrix.push_back(equations.at(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
  }
  return result;
}

double squared_residual(const NormalEquations& equations, std::span<const double> w) {
  double sum = equations.square;
  for (std::size_t i = 0; i < equations.unknowns; ++i)
    if (w[i] != 0)
      sum += w[i] * (dot_in_eight_sums(equations.matrix.data() + i * equations.unknowns, w.data(), equations.unknowns) -
                     2 * equations.right[i]);
  return std::max(sum, 0.0);
}

NonNegativeEnd non_negative_minimum(std::span<const double> matrix, std::span<const double> right,
                                    const NonNegativeOptions& options, std::span<double> w) {
  const Quadratic equations{w.size(), matrix, right};
  check(equations, options);
  const ScratchVector<double> start(options.start.begin(), options.start.end());
  NonNegativeOptions from_copy = options;
  from_copy.start = start;
  std::fill(w.begin(), w.end(), 0.0);
  return Solver(equations, from_copy, w).solve();
}

NonNegativeSolution non_negative_least_squares(const NormalEquations& equations, const NonNegativeOptions& options) {
  NonNegativeSolution solution;
  solution.w.resize(equations.unknowns);
  static_cast<NonNegativeEnd&>(solution) = non_negative_minimum(equations.matrix, equations.right, options, solution.w);
  return solution;
}

}  // namespace sinew
