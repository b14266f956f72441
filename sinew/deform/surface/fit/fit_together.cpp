#include "sinew/deform/surface/fit/fit_together.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/deform/surface/fit/fit_alone.h"
#include "sinew/deform/surface/fit/stability.h"
#include "sinew/deform/surface/fit/surface_gradient.h"
#include "sinew/linalg/bounded/bounded_minimization.h"

namespace sinew {
namespace {

constexpr int iterations_averaged = 10;

// How the parameters of a model lie in one vector: per vertex the restoration, then beta, gamma, lambda, delta.
class Layout {
 public:
  Layout(const SurfaceModel& model, const FitTogetherOptions& options)
      : vertices_(model.rest.size()), restoration_(model.shape.empty() ? 1 : 6), options_(options) {}

  std::size_t per_vertex() const { return restoration_ + 4; }
  std::size_t size() const { return vertices_ * per_vertex(); }
  bool anisotropic() const { return restoration_ == 6; }

  std::vector<double> from(const SurfaceModel& model) const {
    std::vector<double> x(size());
    for (std::size_t i = 0; i < vertices_; ++i) {
      double* q = &x[i * per_vertex()];
      const VertexParameters& p = model.parameters[i];
      if (anisotropic())
        cholesky(to_matrix(model.shape[i]) * p.alpha, q);
      else
        q[0] = p.alpha;
      const double others[] = {p.beta, p.gamma, p.lambda, p.delta};
      std::copy(std::begin(others), std::end(others), q + restoration_);
    }
    return x;
  }

  // Into the model, scaled down where steps would not be stable. The factors go to `scale`.
  void to(std::span<const double> x, SurfaceModel& model, std::vector<double>& scale) const {
    scale.resize(vertices_);
    parallel_for(vertices_, surface_grain, [&](std::size_t i) {
      const double* q = &x[i * per_vertex()];
      const double s = stable_share(load_of(q), options_.stiffest);
      scale[i] = s;
      const double* o = q + restoration_;
      model.parameters[i] = {s * q[0], s * o[0], s * o[1], s * o[2], s * o[3]};
      if (anisotropic()) set_restoration(model, i, product(q) * s);
    });
  }

  // dE/dx from dE/dparameters.
  void gradient(std::span<const double> x, const std::vector<double>& scale, const std::vector<VertexGradient>& by,
                std::span<double> g) const {
    parallel_for(vertices_, surface_grain, [&](std::size_t i) {
      const double* q = &x[i * per_vertex()];
      double* to = &g[i * per_vertex()];
      if (anisotropic())
        lower_triangle(by[i].restoration * factor(q) * 2.0, to);  // d(L L^T), symmetric gradient
      else
        to[0] = by[i].parameter[0];
      for (std::size_t k = 0; k < 4; ++k) to[restoration_ + k] = by[i].parameter[k + 1];
      if (scale[i] >= 1) return;
      // p = s(x) P(x), s = stiffest / load(x): dE/dx = s (dE/dP) - s / load (dE/dP . P) dload/dx.
      const double along = (anisotropic() ? inner(by[i].restoration, product(q)) : to[0] * q[0]) +
                           std::inner_product(q + restoration_, q + per_vertex(), to + restoration_, 0.0);
      std::array<double, 10> load{};
      load_gradient(q, load.data());
      for (std::size_t k = 0; k < per_vertex(); ++k)
        to[k] = scale[i] * to[k] - scale[i] * scale[i] / options_.stiffest * along * load[k];
    });
  }

  void bounds(std::vector<double>& lower, std::vector<double>& upper) const {
    lower.assign(size(), 0.0);
    upper.assign(size(), 1.0);
    for (std::size_t i = 0; i < vertices_; ++i) {
      const std::size_t at = i * per_vertex();
      if (anisotropic())
        for (const std::size_t k : {1u, 3u, 4u}) lower[at + k] = -1;
      upper[at + restoration_ + 2] = largest_parameter[3];
      if (!options_.damping) upper[at + restoration_ + 3] = 0;
    }
  }

 private:
  static Mat3 factor(const double* q) { return {{q[0], 0, 0, q[1], q[2], 0, q[3], q[4], q[5]}}; }
  static Mat3 product(const double* q) { return factor(q) * transpose(factor(q)); }
  static void lower_triangle(const Mat3& m, double* q) {
    q[0] = m(0, 0), q[1] = m(1, 0), q[2] = m(1, 1), q[3] = m(2, 0), q[4] = m(2, 1), q[5] = m(2, 2);
  }
  static double inner(const Mat3& a, const Mat3& b) {
    double sum = 0;
    for (std::size_t k = 0; k < 9; ++k) sum += a.m[k] * b.m[k];
    return sum;
  }

  // Cholesky factor of a matrix that is positive semi-definite to rounding.
  static void cholesky(const Mat3& a, double* q) {
    const auto root = [](double v) { return std::sqrt(std::max(v, 0.0)); };
    const auto over = [](double v, double d) { return d > 1e-9 ? v / d : 0.0; };
    q[0] = root(a(0, 0));
    q[1] = over(a(1, 0), q[0]);
    q[3] = over(a(2, 0), q[0]);
    q[2] = root(a(1, 1) - q[1] * q[1]);
    q[4] = over(a(2, 1) - q[3] * q[1], q[2]);
    q[5] = root(a(2, 2) - q[3] * q[3] - q[4] * q[4]);
  }

  // k + 2 c, with the trace of the restoration's matrix for its largest eigenvalue.
  double load_of(const double* q) const {
    const double* o = q + restoration_;
    return stability_load({anisotropic() ? trace(product(q)) : q[0], o[0], o[1], o[2], o[3]});
  }
  void load_gradient(const double* q, double* to) const {
    for (std::size_t k = 0; k < restoration_; ++k) to[k] = anisotropic() ? 2 * q[k] : 1;
    const double others[] = {2, 1, 4, 2};
    std::copy(std::begin(others), std::end(others), to + restoration_);
  }

  std::size_t vertices_, restoration_;
  const FitTogetherOptions& options_;
};

// weight / (2 n) sum over edges |x_i - x_j|^2, edges counted from both ends.
double add_smoothness(const SurfaceModel& model, double weight, std::size_t per_vertex, std::span<const double> x,
                      std::span<double> gradient) {
  const double share = weight / static_cast<double>(model.rest.size());
  return 0.5 * share * ordered_sum(model.rest.size(), surface_grain, [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t i = begin; i < end; ++i)
             for (int k = model.first_neighbour[i]; k < model.first_neighbour[i + 1]; ++k) {
               const auto j = static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)]);
               for (std::size_t a = 0; a < per_vertex; ++a) {
                 const double d = x[i * per_vertex + a] - x[j * per_vertex + a];
                 sum += 0.5 * d * d;
                 gradient[i * per_vertex + a] += share * d;
               }
             }
           return sum;
         });
}

}  // namespace

FitTogetherResult fit_together(SurfaceModel& model, std::span<const SurfaceExample> examples,
                               const FitTogetherOptions& options,
                               const std::function<bool(int iteration, double error)>& proceed) {
  FitTogetherResult result;
  const Layout layout(model, options);
  std::vector<double> x = layout.from(model), lower, upper, scale;
  layout.bounds(lower, upper);
  std::vector<VertexGradient> by;
  layout.to(x, model, scale);
  SurfaceGradient error_gradient(model, examples, options.error);
  result.before = error_gradient(model, by);
  result.after = result.before;
  const double unit = result.before.goal_sum;  // E is measured by what the goal is off by
  if (!(result.before.sum > 0) || !(unit > 0)) return result;

  const auto function = [&](std::span<const double> at, std::span<double> gradient) {
    layout.to(at, model, scale);
    const double error = error_gradient(model, by).sum / unit;
    layout.gradient(at, scale, by, gradient);
    for (double& g : gradient) g /= unit;
    const double smooth =
        options.smoothness > 0 ? add_smoothness(model, options.smoothness, layout.per_vertex(), at, gradient) : 0;
    return error + smooth;
  };
  BoundedMinimizationOptions box;
  box.iterations = options.iterations;
  box.evaluations = 2 * options.iterations + 5;
  box.memory = 20;
  box.relative_decrease = 1e-9;
  std::vector<double> history;
  bool converged = false;
  const BoundedMinimum minimum = minimize_in_box(function, lower, upper, x, box, [&](int iteration, double value) {
    history.push_back(value);
    const auto k = static_cast<std::size_t>(iteration);
    converged = iteration >= options.least_iterations && iteration > iterations_averaged &&
                history[k - 1 - iterations_averaged] - value < options.tolerance * iterations_averaged;
    return !converged && (!proceed || proceed(iteration, value));
  });
  layout.to(x, model, scale);
  result.after = surface_error(model, examples, options.error);
  result.iterations = minimum.iterations;
  result.evaluations = minimum.evaluations;
  result.converged = converged || minimum.converged;
  return result;
}

}  // namespace sinew
