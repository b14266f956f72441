#include "studies/rig_space/reference.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/rig_space/static_interior.h"
#include "sinew/linalg/dense_cholesky.h"
#include "studies/reference/boundary_rig.h"
#include "studies/rig_space/rig_second_derivatives.h"

namespace sinew {
namespace {

using EigenMatrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Eigen::Index row(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

struct RigSpaceReference::Step {
  double h = 0;
  std::vector<double> p;      // all parameters
  std::vector<Vec3> target;   // x_n + h v_n
  std::vector<Vec3> x;        // boundary by the rig, then interior
  Vector gradient;            // by free parameters
  std::vector<double> inner;  // by interior vertices
  EigenMatrix curvature;      // sum over the boundary of force times second derivative of the rig
  EigenMatrix boundary;       // db/dp: 3 boundary vertices x free
  Vector change;              // of the free parameters
  std::vector<double> inner_change;
  double slope = 0, length = 0;  // of the direction; root mean square motion, metres
};

RigSpaceReference::RigSpaceReference(std::shared_ptr<const RigSpaceBody> body, Rig& rig, std::vector<int> free,
                                     const RigSpaceReferenceOptions& options)
    : body_(std::move(body)),
      boundary_rig_(std::make_unique<BoundaryRig>(*body_, rig)),
      free_(std::move(free)),
      options_(options),
      energy_(body_->mesh, body_->material),
      gradient_(body_->mesh.positions.size()) {
  energy_.activate(std::vector<char>(body_->mesh.positions.size(), 1));
  hessian_ = energy_.hessian_pattern();
  interior_number_.assign(body_->mesh.positions.size(), -1);
  for (std::size_t i = 0; i < body_->interior_vertices(); ++i)
    interior_number_[body_->boundary_vertices() + i] = static_cast<int>(i);
}

RigSpaceReference::~RigSpaceReference() = default;

std::vector<double> RigSpaceReference::with_free(std::span<const double> p, std::span<const double> values) const {
  std::vector<double> result(p.begin(), p.end());
  for (std::size_t i = 0; i < free_.size(); ++i) result[index(free_[i])] = values[i];
  return result;
}

void RigSpaceReference::reset(std::span<const double> p, std::span<const double> p_next, double h) {
  statistics_ = {};
  free_values_.clear();
  for (const int i : free_) free_values_.push_back(boundary_rig_->parameters()[index(i)].rest);
  const std::size_t boundary = body_->boundary_vertices();
  const std::vector<double> now = with_free(p, free_values_);
  differences_ = std::make_unique<RigDifferences>(*boundary_rig_, free_, now);
  x_ = body_->mesh.positions;
  boundary_rig_->evaluate(now, std::span<Vec3>(x_).first(boundary));
  if (body_->has_skinning()) place_interior(*body_, x_);
  StaticInterior inside(*body_, energy_);
  inside.solve(x_);
  std::vector<Vec3> after = x_;
  boundary_rig_->evaluate(with_free(p_next, free_values_), std::span<Vec3>(after).first(boundary));
  inside.solve(after);
  velocity_.resize(x_.size());
  for (std::size_t v = 0; v < x_.size(); ++v) velocity_[v] = (after[v] - x_[v]) / h;
}

double RigSpaceReference::value(const Step& step) const {
  double inertia = 0;
  for (std::size_t v = 0; v < step.x.size(); ++v) {
    const Vec3 away = step.x[v] - step.target[v];
    inertia += body_->mass[v] * (0.5 * squared_norm(away) / (step.h * step.h) - dot(options_.gravity, away));
  }
  return inertia + energy_.energy(step.x);
}

// Gradient of H, and the part of its second derivative that comes from the rig alone.
void RigSpaceReference::derivatives(Step& step) {
  const std::size_t boundary = body_->boundary_vertices(), columns = free_.size();
  energy_.energy(step.x, gradient_);
  for (std::size_t v = 0; v < step.x.size(); ++v)
    gradient_[v] += body_->mass[v] * ((step.x[v] - step.target[v]) / (step.h * step.h) - options_.gravity);
  RigJacobian jacobian;
  differences_->jacobian(step.p, jacobian);
  step.boundary.setZero(row(3 * boundary), row(columns));
  step.gradient.setZero(row(columns));
  for (std::size_t c = 0; c < columns; ++c)
    for (auto k = index(jacobian.start[c]); k < index(jacobian.start[c + 1]); ++k) {
      const auto v = index(jacobian.vertex[k]);
      for (std::size_t axis = 0; axis < 3; ++axis)
        step.boundary(row(3 * v + axis), row(c)) = jacobian.derivative[k][axis];
      step.gradient(row(c)) += dot(jacobian.derivative[k], gradient_[v]);
    }
  step.curvature.setZero(row(columns), row(columns));
  if (options_.second_derivatives) {
    const RigSecondDerivatives second = rig_second_derivatives(*boundary_rig_, *differences_, step.p);
    statistics_.rig_evaluations += static_cast<std::int64_t>(second.evaluations);
    for (std::size_t pair = 0; pair < second.pair.size(); ++pair) {
      double sum = 0;
      for (auto k = index(second.start[pair]); k < index(second.start[pair + 1]); ++k)
        sum += dot(second.derivative[k], gradient_[index(second.vertex[k])]);
      const auto [a, b] = second.pair[pair];
      step.curvature(a, b) = step.curvature(b, a) = sum;
    }
  }
  step.inner.resize(3 * body_->interior_vertices());
  for (std::size_t i = 0; i < body_->interior_vertices(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) step.inner[3 * i + axis] = gradient_[boundary + i][axis];
}

// Newton direction by the Schur complement of the interior. False if the equations are not definite.
bool RigSpaceReference::direction(Step& step, HyperelasticTangent form) {
  const std::size_t boundary = body_->boundary_vertices(), inside = body_->interior_vertices(), columns = free_.size();
  energy_.hessian(step.x, form, hessian_);
  const double inverse = 1 / (step.h * step.h);
  for (std::size_t v = 0; v < step.x.size(); ++v) {
    Mat3& block = hessian_.block[index(find_block(hessian_, static_cast<int>(v), static_cast<int>(v)))];
    for (std::size_t axis = 0; axis < 3; ++axis) block(axis, axis) += body_->mass[v] * inverse;
  }
  const BlockMatrix inner = principal_submatrix(hessian_, interior_number_, static_cast<int>(inside));
  if (!analysed_) cholesky_.analyze(inner);
  analysed_ = true;
  try {
    cholesky_.factor(inner);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::simulation) throw;
    return false;
  }
  // K J_b: the upper part for the boundary, the lower for the interior.
  EigenMatrix outer = EigenMatrix::Zero(row(3 * boundary), row(columns)),
              coupling = EigenMatrix::Zero(row(3 * inside), row(columns));
  for (std::size_t v = 0; v < step.x.size(); ++v)
    for (auto k = index(hessian_.row_start[v]); k < index(hessian_.row_start[v + 1]); ++k) {
      const auto other = index(hessian_.column[k]);
      if (other >= boundary) continue;
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> block(hessian_.block[k].m);
      if (v < boundary)
        outer.middleRows<3>(row(3 * v)) += block * step.boundary.middleRows<3>(row(3 * other));
      else
        coupling.middleRows<3>(row(3 * (v - boundary))) += block * step.boundary.middleRows<3>(row(3 * other));
    }
  EigenMatrix solved(coupling.rows(), coupling.cols() + 1);
  solved.leftCols(row(columns)) = coupling;
  solved.col(row(columns)) = Eigen::Map<const Vector>(step.inner.data(), row(3 * inside));
  const auto numbers = static_cast<std::size_t>(solved.size());
  cholesky_.solve({solved.data(), numbers}, {solved.data(), numbers}, static_cast<int>(columns) + 1);

  EigenMatrix reduced = step.boundary.transpose() * outer + step.curvature;
  reduced -= coupling.transpose() * solved.leftCols(row(columns));
  DenseCholesky factor;
  if (!factor.factor({reduced.data(), columns * columns}, columns)) return false;
  const Vector right = -step.gradient + coupling.transpose() * solved.col(row(columns));
  step.change.resize(right.size());
  factor.solve({right.data(), columns}, {step.change.data(), columns});
  const Vector inner_change = -solved.col(row(columns)) - solved.leftCols(row(columns)) * step.change;
  step.inner_change.assign(inner_change.data(), inner_change.data() + inner_change.size());
  step.slope =
      step.gradient.dot(step.change) + Eigen::Map<const Vector>(step.inner.data(), row(3 * inside)).dot(inner_change);

  const Vector outer_change = step.boundary * step.change;
  double sum = 0, mass = 0;
  for (std::size_t v = 0; v < step.x.size(); ++v) {
    const double squared = v < boundary ? outer_change.segment<3>(row(3 * v)).squaredNorm()
                                        : inner_change.segment<3>(row(3 * (v - boundary))).squaredNorm();
    sum += body_->mass[v] * squared;
    if (squared > 0) mass += body_->mass[v];
  }
  step.length = mass > 0 ? std::sqrt(sum / mass) : 0;
  return std::isfinite(step.slope) && step.slope <= 0;
}

void RigSpaceReference::advance(std::span<const double> p, double h) {
  const std::size_t boundary = body_->boundary_vertices(), inside = body_->interior_vertices();
  Step step;
  step.h = h;
  step.p = with_free(p, free_values_);
  step.target = x_;
  for (std::size_t v = 0; v < x_.size(); ++v) step.target[v] += velocity_[v] * h;
  step.x = step.target;
  boundary_rig_->evaluate(step.p, std::span<Vec3>(step.x).first(boundary));
  ++statistics_.rig_evaluations;
  double here = value(step);
  for (statistics_.iterations = 1; statistics_.iterations <= options_.max_iterations; ++statistics_.iterations) {
    ++statistics_.all_iterations;
    const std::size_t before = differences_->evaluations();
    derivatives(step);
    statistics_.rig_evaluations += static_cast<std::int64_t>(differences_->evaluations() - before);
    if (!direction(step, HyperelasticTangent::exact)) {
      step.curvature.setZero();
      if (!direction(step, HyperelasticTangent::definite))
        throw simulation_error("the equations of a step of the reference method have no solution.");
    }
    const std::vector<double> p_start = step.p;
    const std::vector<Vec3> x_start = step.x;
    double share = 1;
    for (;; share *= 0.5) {
      for (std::size_t i = 0; i < free_.size(); ++i)
        step.p[index(free_[i])] = p_start[index(free_[i])] + share * step.change(row(i));
      boundary_rig_->evaluate(step.p, std::span<Vec3>(step.x).first(boundary));
      ++statistics_.rig_evaluations;
      for (std::size_t i = 0; i < inside; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
          step.x[boundary + i][axis] = x_start[boundary + i][axis] + share * step.inner_change[3 * i + axis];
      const double there = value(step);
      if (there <= here + 1e-4 * share * step.slope ||
          share * step.length <= 1e-3 * options_.tolerance * body_->height ||
          std::abs(step.slope) <= 1e-14 * std::abs(here)) {
        here = there;
        break;
      }
    }
    if (share * step.length <= options_.tolerance * body_->height) break;
  }
  for (std::size_t v = 0; v < x_.size(); ++v) {
    if (!is_finite(step.x[v])) throw simulation_error("the body got positions that are no numbers.");
    velocity_[v] = (step.x[v] - x_[v]) / h;
  }
  x_ = step.x;
  for (std::size_t i = 0; i < free_.size(); ++i) free_values_[i] = step.p[index(free_[i])];
  ++statistics_.steps;
}

}  // namespace sinew
