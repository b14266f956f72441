#include "studies/reference/quartic_potential.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "studies/reference/sample_groups.h"

namespace sinew {
namespace {

using std::size_t;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMatrix = Eigen::Map<const Matrix>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Vector = Eigen::Map<Eigen::VectorXd>;

constexpr size_t group_grain = 4, quartic_potential_function_grain = 16;

size_t pairs_of(size_t functions) { return functions * (functions + 1) / 2; }

// Number of the pair (a, b) or (b, a) of k functions.
size_t pair_number(size_t a, size_t b, size_t k) {
  if (a > b) std::swap(a, b);
  return a * (2 * k - a + 1) / 2 + (b - a);
}

Eigen::Index index(size_t i) { return static_cast<Eigen::Index>(i); }

Vec3 at(const std::vector<double>& numbers, size_t i) {
  return {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

// The unit vector t with sum_i t_i g_i = 0 on all samples, from the matrix of sum V g_i . g_j; zeros if there is none.
std::vector<double> constant_of(std::span<const double> products, size_t functions) {
  const SymmetricEigen eigen = symmetric_eigen(products, functions);
  if (functions == 0 || !(std::abs(eigen.values.back()) <= 1e-12 * eigen.values.front()))
    return std::vector<double>(functions, 0.0);
  const std::span<const double> least = eigen.vector(functions - 1);
  return {least.begin(), least.end()};
}

// Copies the given samples.
StrainSamples subset(const StrainSamples& samples, const std::vector<int>& members) {
  StrainSamples result;
  for (const int member : members) {
    const auto s = static_cast<size_t>(member);
    const auto begin = samples.start[s], end = samples.start[s + 1];
    result.vertex.insert(result.vertex.end(), samples.vertex.begin() + begin, samples.vertex.begin() + end);
    result.gradient.insert(result.gradient.end(), samples.gradient.begin() + begin, samples.gradient.begin() + end);
    result.start.push_back(static_cast<int>(result.vertex.size()));
    result.volume.push_back(samples.volume[s]);
    result.shear.push_back(samples.shear[s]);
    result.lambda.push_back(samples.lambda[s]);
  }
  return result;
}

// Largest number of entries of a group's tensors: a quarter of a megabyte, 17 functions. Beyond that, a lattice's
// tensors would take gigabytes, and minutes to compute.
constexpr size_t most_numbers = 32768;

bool tensors_pay(size_t functions, size_t samples) {
  const size_t pairs = pairs_of(functions);
  return pairs * (pairs + 3 * functions) <= most_numbers &&
         tensor_cost(static_cast<int>(functions)) <
             quadrature_cost(static_cast<int>(functions), static_cast<int>(samples));
}

}  // namespace

// Fitted to bench/potential_bench.cpp, within 25 % from 4 to 27 functions: a force, a stiffness, and the constant cost
// of a cell.
double tensor_cost(int functions) {
  const double k = functions, pairs = k * (k + 1) / 2;
  return pairs * (0.5 * pairs + 0.6 * k) + k * k * (2.5 * pairs + 3 * k) + 400;
}
double quadrature_cost(int functions, int samples) {
  const double k = functions;
  return samples * (4.2 * k + 7.5 * k * k + 50);
}

QuarticPotential::QuarticPotential(const StrainSamples& samples, int functions, QuarticEvaluation how)
    : functions_(functions) {
  for (const int v : samples.vertex)
    if (v < 0 || v >= functions)
      throw usage_error("the body has a sample of function " + std::to_string(v) + ", but " +
                        std::to_string(functions) + " functions only; count them all.");
  pattern_ = block_pattern(functions, samples.vertex, samples.start);
  const SampleGroups groups = group_by_functions(samples);
  std::vector<size_t> chosen;
  std::vector<int> with_tensors, rest;
  for (size_t g = 0; g < groups.functions.size(); ++g) {
    const bool tensors =
        how == QuarticEvaluation::tensors ||
        (how == QuarticEvaluation::fastest && tensors_pay(groups.functions[g].size(), groups.samples[g].size()));
    if (tensors) chosen.push_back(g);
    std::vector<int>& side = tensors ? with_tensors : rest;
    side.insert(side.end(), groups.samples[g].begin(), groups.samples[g].end());
  }
  std::sort(with_tensors.begin(), with_tensors.end());
  std::sort(rest.begin(), rest.end());

  stiffness_ = rest_stiffness(subset(samples, with_tensors), functions);
  groups_.resize(chosen.size());
  parallel_for(chosen.size(), 1, [&](size_t g) {
    groups_[g] = make_group(samples, groups.functions[chosen[g]], groups.samples[chosen[g]]);
  });
  groups_of_function_.resize(static_cast<size_t>(functions));
  for (size_t g = 0; g < groups_.size(); ++g)
    for (size_t c = 0; c < groups_[g].functions.size(); ++c)
      groups_of_function_[static_cast<size_t>(groups_[g].functions[c])].emplace_back(static_cast<int>(g),
                                                                                     static_cast<int>(c));
  if (!rest.empty()) {
    rest_samples_ = std::make_unique<StrainSamples>(subset(samples, rest));
    rest_ = std::make_unique<GreenStrainEnergy>(*rest_samples_, functions);
    rest_hessian_ = rest_->hessian_pattern();
  }
}

QuarticPotential::Group QuarticPotential::make_group(const StrainSamples& samples, const std::vector<int>& functions,
                                                     const std::vector<int>& members) {
  const size_t k = functions.size(), pairs = pairs_of(k);
  Group group;
  group.functions = functions;
  group.cubic.assign(pairs * 3 * k, 0.0);
  group.quartic.assign(pairs * pairs, 0.0);
  for (std::vector<double>* numbers : {&group.gram, &group.third, &group.fourth}) numbers->resize(pairs);
  for (std::vector<double>* numbers : {&group.q, &group.force}) numbers->resize(3 * k);

  std::vector<Vec3> gradient(k);
  std::vector<double> products(k * k);
  std::vector<double> sum(k * k, 0.0);
  for (const int member : members) {
    const auto s = static_cast<size_t>(member);
    std::fill(gradient.begin(), gradient.end(), Vec3{});
    for (auto e = static_cast<size_t>(samples.start[s]); e < static_cast<size_t>(samples.start[s + 1]); ++e) {
      const auto place = std::lower_bound(functions.begin(), functions.end(), samples.vertex[e]) - functions.begin();
      gradient[static_cast<size_t>(place)] += samples.gradient[e];
    }
    for (size_t a = 0; a < k; ++a)
      for (size_t b = 0; b < k; ++b) products[a * k + b] = dot(gradient[a], gradient[b]);
    for (size_t ab = 0; ab < k * k; ++ab) sum[ab] += samples.volume[s] * products[ab];
    const auto product = [&](size_t a, size_t b) { return products[a * k + b]; };
    const double half_lambda = 0.5 * samples.volume[s] * samples.lambda[s];
    const double half_shear = 0.5 * samples.volume[s] * samples.shear[s];
    double* cubic = group.cubic.data();
    for (size_t a = 0, pair = 0; a < k; ++a)
      for (size_t b = a; b < k; ++b, ++pair) {
        for (size_t c = 0; c < k; ++c) {
          const Vec3 h = gradient[c] * (half_lambda * product(a, b)) +
                         (gradient[a] * product(b, c) + gradient[b] * product(a, c)) * half_shear;
          for (size_t i = 0; i < 3; ++i) *cubic++ += h[i];
        }
        double* quartic = group.quartic.data() + pair * (pairs + 1);  // from the diagonal on
        for (size_t c = a; c < k; ++c)
          for (size_t d = c == a ? b : c; d < k; ++d)
            *quartic++ += half_lambda * product(a, b) * product(c, d) +
                          half_shear * (product(a, c) * product(b, d) + product(a, d) * product(b, c));
      }
  }
  for (size_t row = 0; row < pairs; ++row)
    for (size_t column = 0; column < row; ++column)
      group.quartic[row * pairs + column] = group.quartic[column * pairs + row];
  group.constant = constant_of(sum, k);
  return group;
}

void QuarticPotential::check(size_t length) const {
  if (length != static_cast<size_t>(functions_))
    throw usage_error("the elastic energy of " + std::to_string(functions_) + " functions needs as many vectors, not " +
                      std::to_string(length) + ".");
}

// X, T and Y of every group, and K q.
void QuarticPotential::prepare(std::span<const Vec3> q) {
  check(q.size());
  flat_.resize(3 * q.size());
  product_.resize(flat_.size());
  for (size_t i = 0; i < q.size(); ++i)
    for (size_t c = 0; c < 3; ++c) flat_[3 * i + c] = q[i][c];
  multiply(stiffness_, flat_, product_);
  parallel_for(groups_.size(), group_grain, [&](size_t g) {
    Group& group = groups_[g];
    const size_t k = group.functions.size(), pairs = group.gram.size();
    Vec3 translation;
    for (size_t a = 0; a < k; ++a) translation += group.constant[a] * q[static_cast<size_t>(group.functions[a])];
    for (size_t a = 0; a < k; ++a) {
      const Vec3 moved = q[static_cast<size_t>(group.functions[a])] - group.constant[a] * translation;
      for (size_t c = 0; c < 3; ++c) group.q[3 * a + c] = moved[c];
    }
    for (size_t a = 0, pair = 0; a < k; ++a)
      for (size_t b = a; b < k; ++b, ++pair) group.gram[pair] = (a == b ? 1 : 2) * dot(at(group.q, a), at(group.q, b));
    const ConstVector gram(group.gram.data(), index(pairs)), local(group.q.data(), index(3 * k));
    Vector(group.third.data(), index(pairs)).noalias() =
        ConstMatrix(group.cubic.data(), index(pairs), index(3 * k)) * local;
    Vector(group.fourth.data(), index(pairs)).noalias() =
        ConstMatrix(group.quartic.data(), index(pairs), index(pairs)) * gram;
  });
}

double QuarticPotential::energy(std::span<const Vec3> q) {
  prepare(q);
  const double quadratic = ordered_sum(flat_.size(), 512, [&](size_t begin, size_t end) {
    double sum = 0;
    for (size_t i = begin; i < end; ++i) sum += flat_[i] * product_[i];
    return 0.5 * sum;
  });
  const double higher = ordered_sum(groups_.size(), group_grain, [&](size_t begin, size_t end) {
    double sum = 0;
    for (size_t g = begin; g < end; ++g)
      for (size_t pair = 0; pair < groups_[g].gram.size(); ++pair)
        sum += groups_[g].gram[pair] * (groups_[g].third[pair] + 0.25 * groups_[g].fourth[pair]);
    return sum;
  });
  return quadratic + higher + (rest_ ? rest_->energy(q) : 0);
}

// K q + H X + (2 T + Y) q.
void QuarticPotential::gradient(std::span<const Vec3> q, std::span<Vec3> gradient) {
  check(gradient.size());
  prepare(q);
  parallel_for(groups_.size(), group_grain, [&](size_t g) {
    Group& group = groups_[g];
    const size_t k = group.functions.size(), pairs = group.gram.size();
    Vector(group.force.data(), index(3 * k)).noalias() =
        ConstMatrix(group.cubic.data(), index(pairs), index(3 * k)).transpose() *
        ConstVector(group.gram.data(), index(pairs));
    for (size_t a = 0, pair = 0; a < k; ++a)
      for (size_t b = a; b < k; ++b, ++pair) {
        const double factor = 2 * group.third[pair] + group.fourth[pair];
        for (size_t c = 0; c < 3; ++c) {
          group.force[3 * a + c] += factor * group.q[3 * b + c];
          if (b != a) group.force[3 * b + c] += factor * group.q[3 * a + c];
        }
      }
  });
  if (rest_) {
    rest_gradient_.resize(q.size());
    rest_->gradient(q, rest_gradient_);
  }
  parallel_for(q.size(), quartic_potential_function_grain, [&](size_t i) {
    Vec3 sum = at(product_, i);
    for (const auto& [g, c] : groups_of_function_[i])
      sum += at(groups_[static_cast<size_t>(g)].force, static_cast<size_t>(c));
    gradient[i] = rest_ ? sum + rest_gradient_[i] : sum;
  });
}

// Blocks (c, d) of one group for all its d:
//   (2 T_cd + Y_cd) I + 2 sum_b (H_c,db (x) q_b + q_b (x) H_d,cb + q_b (x) sum_f D_cbdf q_f)
void QuarticPotential::add_hessian_row(const Group& group, size_t c, std::vector<Mat3>& row) {
  const size_t k = group.functions.size(), pairs = group.gram.size();
  row.assign(k, Mat3::zero());
  std::vector<Vec3> along(k);
  for (size_t b = 0; b < k; ++b) {
    const Vec3 qb = at(group.q, b);
    const size_t cb = pair_number(c, b, k);
    const double* cubic = group.cubic.data() + cb * 3 * k;
    for (size_t d = 0; d < k; ++d) along[d] = {cubic[3 * d], cubic[3 * d + 1], cubic[3 * d + 2]};
    const double* quartic = group.quartic.data() + cb * pairs;
    for (size_t d = 0; d < k; ++d) {
      const Vec3 qd = at(group.q, d);
      Vec3 sum = qd * *quartic++;
      for (size_t f = d + 1; f < k; ++f, ++quartic) {
        sum += at(group.q, f) * *quartic;
        along[f] += qd * *quartic;
      }
      along[d] += sum;
    }
    for (size_t d = 0; d < k; ++d) {
      const double* h = group.cubic.data() + (pair_number(d, b, k) * k + c) * 3;
      row[d] += outer(qb, along[d]) + outer({h[0], h[1], h[2]}, qb);
    }
  }
  for (size_t d = 0; d < k; ++d) {
    const size_t cd = pair_number(c, d, k);
    row[d] *= 2;
    for (size_t i = 0; i < 3; ++i) row[d](i, i) += 2 * group.third[cd] + group.fourth[cd];
  }
}

void QuarticPotential::hessian(std::span<const Vec3> q, BlockMatrix& hessian) {
  if (hessian.rows != functions_ || hessian.block.size() != pattern_.block.size())
    throw usage_error("the Hessian of " + std::to_string(functions_) + " functions needs the energy's own pattern.");
  prepare(q);
  if (rest_) rest_->hessian(q, rest_hessian_);
  parallel_chunks(static_cast<size_t>(functions_), quartic_potential_function_grain, [&](size_t first, size_t last) {
    std::vector<size_t> place(static_cast<size_t>(functions_));  // of a column among the blocks of the row
    std::vector<Mat3> row;
    for (size_t i = first; i < last; ++i) {
      for (auto e = static_cast<size_t>(hessian.row_start[i]); e < static_cast<size_t>(hessian.row_start[i + 1]); ++e) {
        place[static_cast<size_t>(hessian.column[e])] = e;
        hessian.block[e] = Mat3::zero();
      }
      const auto add_row_of = [&](const BlockMatrix& part) {
        for (auto e = static_cast<size_t>(part.row_start[i]); e < static_cast<size_t>(part.row_start[i + 1]); ++e)
          hessian.block[place[static_cast<size_t>(part.column[e])]] += part.block[e];
      };
      add_row_of(stiffness_);
      if (rest_) add_row_of(rest_hessian_);
      for (const auto& [g, c] : groups_of_function_[i]) {
        const Group& group = groups_[static_cast<size_t>(g)];
        add_hessian_row(group, static_cast<size_t>(c), row);
        for (size_t d = 0; d < row.size(); ++d) hessian.block[place[static_cast<size_t>(group.functions[d])]] += row[d];
      }
    }
  });
}

}  // namespace sinew
