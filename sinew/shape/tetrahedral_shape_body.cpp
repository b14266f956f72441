#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/shape/shape_body.h"

namespace sinew {
namespace {

// Products with H are central differences of forces over this share of the body's extent, whose error is about its
// square.
constexpr double difference_of_extent = 1e-5;

class TetrahedralShapeBody final : public ShapeBody {
 public:
  TetrahedralShapeBody(std::shared_ptr<const FleshBody> body, std::unique_ptr<FleshReference> reference)
      : body_(std::move(body)),
        reference_(std::move(reference)),
        rest_factor_(*body_),
        skin_(surface_rows(body_->description)),
        solution_(3 * body_->free_vertex.size()),
        found_(solution_.size()),
        adjoint_(solution_.size()) {
    const Box box = bounds(body_->description.mesh.positions);
    extent_ = norm(box.upper - box.lower);
  }

  std::size_t points() const override { return body_->mass.size(); }
  const SparseRows& skin() const override { return skin_; }

  std::vector<Vec3> rigid_motion(const Vec3& shift, const Vec3& turn, const Vec3& centre) const override {
    std::vector<Vec3> motion(points());
    for (const int v : body_->free_vertex)
      motion[index(v)] = shift + cross(turn, body_->description.mesh.positions[index(v)] - centre);
    return motion;
  }

  std::vector<PointForce> integrate(const ForceField& field) const override {
    return integrate_forces(field, body_->description.mesh, body_->description.inside_fraction);
  }

  std::vector<PointForce> integrate(const StrainField& field) const override {
    const StrainSamples& samples = body_->samples;
    std::vector<Vec3> sum(points());
    for_each_sample(field.centre, field.radius,
                    [&](std::size_t s, const Vec3& middle, std::size_t begin, std::size_t end) {
                      const Mat3 stress = stress_of(s, field.strain(middle));
                      for (std::size_t e = begin; e < end; ++e)
                        sum[index(samples.vertex[e])] += samples.volume[s] * (stress * samples.gradient[e]);
                    });
    for (std::size_t v = 0; v < sum.size(); ++v)
      if (body_->free_index[v] < 0) sum[v] = {};
    return nonzero_forces(sum);
  }

  std::vector<PointStiffening> stiffening(const StiffeningField& field) const override {
    const std::vector<Vec3>& positions = body_->description.mesh.positions;
    std::vector<PointStiffening> found;
    for (std::size_t v = 0; v < positions.size(); ++v) {
      if (distance(positions[v], field.centre) >= field.radius) continue;
      if (const double by = field.logarithm(positions[v]); by != 0) found.push_back({static_cast<int>(v), by});
    }
    return found;
  }

  void stiffen(std::span<const PointStiffening> stiffening) override {
    reference_->stiffen(stiffening);
    if (!frames_.goal.empty()) reference_->set_pose(frames_);
  }

  std::vector<double> work(const ForceDensities& fields, std::span<const Vec3> displacements) const override {
    return integrate_work(fields, body_->description.mesh, body_->description.inside_fraction, displacements);
  }

  std::vector<double> work(const StrainDerivatives& strains, std::span<const Vec3> displacements) const override {
    const StrainSamples& samples = body_->samples;
    std::vector<double> sum(strains.count);
    for_each_sample(strains.centre, strains.radius,
                    [&](std::size_t s, const Vec3& middle, std::size_t begin, std::size_t end) {
                      Mat3 gradient = Mat3::zero();
                      for (std::size_t e = begin; e < end; ++e)
                        if (const std::size_t v = index(samples.vertex[e]); body_->free_index[v] >= 0)
                          gradient += outer(displacements[v], samples.gradient[e]);
                      const Mat3 strain = 0.5 * (gradient + transpose(gradient));
                      strains.add_work(middle, stress_of(s, strain), samples.volume[s], sum);
                    });
    return sum;
  }

  std::vector<double> work(const StiffeningDerivatives& fields, std::span<const Vec3> displacements,
                           std::span<const Vec3> along) override {
    const std::vector<Vec3>& positions = body_->description.mesh.positions;
    std::vector<int> reached;
    for (std::size_t v = 0; v < positions.size(); ++v)
      if (distance(positions[v], fields.centre) < fields.radius) reached.push_back(static_cast<int>(v));
    std::vector<double> by_vertex(reached.size()), direction(solution_.size()), sum(fields.count);
    gather(displacements, solution_);
    gather(along, direction);
    reference_->find_work_by_stiffening(solution_, direction, reached, by_vertex);
    for (std::size_t k = 0; k < reached.size(); ++k) fields.add(positions[index(reached[k])], by_vertex[k], sum);
    return sum;
  }

  void set_pose(std::span<const Affine> bones) override {
    const FleshDescription& d = body_->description;
    predict_frames(points_of(d), bones, frames_);
    reference_->set_pose(frames_);
    for (std::vector<double>* last : {&found_, &adjoint_}) std::fill(last->begin(), last->end(), 0.0);
  }

  std::vector<Vec3> displacements(std::span<const PointForce> forces, const StaticSearch& search) override {
    scatter_forces(*body_, forces, local_);
    solution_ = found_;
    const StepStatistics statistics = reference_->find_rest(local_, solution_, {search.onward, search.tolerance});
    if (statistics.iterations >= most_rest_iterations)
      throw simulation_error("the flesh finds no equilibrium under the forces of its rigs; make them smaller.");
    require_finite(solution_);
    found_ = solution_;
    return per_point();
  }

  std::vector<PointForce> forces(std::span<const Vec3> displacements) override {
    gather(displacements, solution_);
    local_.resize(solution_.size());
    reference_->forces_at_rest(solution_, local_);
    std::vector<PointForce> result;
    for (std::size_t f = 0; f < body_->free_vertex.size(); ++f)
      if (const Vec3 force{local_[3 * f], local_[3 * f + 1], local_[3 * f + 2]}; force != Vec3{})
        result.push_back({body_->free_vertex[f], force});
    return result;
  }

  std::vector<Vec3> adjoint(std::span<const Vec3> displacements, std::span<const Vec3> gradient,
                            const StaticSearch& search) override {
    const std::size_t numbers = solution_.size();
    std::vector<double> at(numbers), right(numbers), ahead(numbers), behind(numbers), force(numbers);
    gather(displacements, at);
    gather(gradient, right);
    std::fill(solution_.begin(), solution_.end(), 0.0);
    if (std::all_of(right.begin(), right.end(), [](double each) { return each == 0; })) return per_point();
    if (search.onward) solution_ = adjoint_;
    const LinearOperator hessian = [&](std::span<const double> from, std::span<double> to) {
      double most = 0;
      for (const double each : from) most = std::max(most, std::abs(each));
      const double step = difference_of_extent * extent_ / most;
      for (std::size_t k = 0; k < numbers; ++k) ahead[k] = at[k] + step * from[k], behind[k] = at[k] - step * from[k];
      reference_->forces_at_rest(ahead, to);
      reference_->forces_at_rest(behind, force);
      for (std::size_t k = 0; k < numbers; ++k) to[k] = (to[k] - force[k]) / (2 * step);
    };
    const BlockCholesky& factor = rest_factor_.get();
    ConjugateGradients().solve(hessian,
                               [&](std::span<const double> from, std::span<double> to) { factor.solve(from, to); },
                               right, solution_, {.tolerance = search.adjoint_tolerance});
    adjoint_ = solution_;
    return per_point();
  }

  std::span<const Mat3> rotations() const override { return frames_.rotation; }

  std::vector<Vec3> small_displacements(std::span<const PointForce> forces) override {
    scatter_forces(*body_, forces, local_);
    rest_factor_.get().solve(local_, solution_);
    require_finite(solution_);
    return per_point();
  }

 private:
  // Calls visit(sample, its middle, first and last entry) for the strain samples whose middle is in a ball.
  template <class Visit>
  void for_each_sample(const Vec3& centre, double radius, const Visit& visit) const {
    const StrainSamples& samples = body_->samples;
    const std::vector<Vec3>& positions = body_->description.mesh.positions;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const auto begin = index(samples.start[s]), end = index(samples.start[s + 1]);
      Vec3 middle;
      for (std::size_t e = begin; e < end; ++e) middle += positions[index(samples.vertex[e])];
      middle = middle / static_cast<double>(end - begin);
      if (samples.volume[s] == 0 || distance(middle, centre) >= radius) continue;
      visit(s, middle, begin, end);
    }
  }
  Mat3 stress_of(std::size_t sample, const Mat3& strain) const {
    const StrainSamples& samples = body_->samples;
    return (2 * samples.shear[sample]) * strain + (samples.lambda[sample] * trace(strain)) * Mat3::identity();
  }
  void gather(std::span<const Vec3> per_point, std::span<double> free) const {
    for (std::size_t f = 0; f < body_->free_vertex.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) free[3 * f + k] = per_point[index(body_->free_vertex[f])][k];
  }
  std::vector<Vec3> per_point() const {
    std::vector<Vec3> result(points());
    scatter_displacements(*body_, solution_, result);
    return result;
  }

  std::shared_ptr<const FleshBody> body_;
  std::unique_ptr<FleshReference> reference_;
  RestFactor rest_factor_;
  SparseRows skin_;
  VertexFrames frames_;
  double extent_ = 0;                     // metres
  std::vector<double> local_, solution_;  // 3 numbers per free vertex
  std::vector<double> found_, adjoint_;   // results of the last searches in this pose
};

}  // namespace

std::unique_ptr<ShapeBody> tetrahedral_shape_body(std::shared_ptr<const FleshBody> body,
                                                  std::unique_ptr<FleshReference> reference) {
  return std::make_unique<TetrahedralShapeBody>(std::move(body), std::move(reference));
}

std::unique_ptr<ShapeBody> tetrahedral_shape_body(std::shared_ptr<const FleshBody> body, const TissueLaw& law) {
  QuasiNewton how;
  how.law = law;
  how.precision = TissuePrecision::doubles;
  return tetrahedral_shape_body(body, quasi_newton_reference(body, how));
}

}  // namespace sinew
