#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/shape/shape_body.h"

namespace sinew {
namespace {

class TetrahedralShapeBody final : public ShapeBody {
 public:
  TetrahedralShapeBody(std::shared_ptr<const FleshBody> body, std::unique_ptr<FleshReference> reference)
      : body_(std::move(body)),
        reference_(std::move(reference)),
        rest_factor_(*body_),
        skin_(surface_rows(body_->description)),
        solution_(3 * body_->free_vertex.size()) {}

  std::size_t points() const override { return body_->mass.size(); }
  const SparseRows& skin() const override { return skin_; }

  std::vector<PointForce> integrate(const ForceField& field) const override {
    return integrate_forces(field, body_->description.mesh, body_->description.inside_fraction);
  }

  void set_pose(std::span<const Affine> bones) override {
    const FleshDescription& d = body_->description;
    predict_frames(d.mesh.positions, d.influences, bones, frames_);
    reference_->set_pose(frames_);
  }

  std::vector<Vec3> displacements(std::span<const PointForce> forces) override {
    scatter_forces(*body_, forces, local_);
    const StepStatistics statistics = reference_->find_rest(local_, solution_);
    if (statistics.iterations >= most_rest_iterations)
      throw simulation_error("the flesh finds no equilibrium under the forces of its rigs; make them smaller.");
    require_finite(solution_);
    return per_point();
  }

  std::vector<PointForce> forces(std::span<const Vec3> displacements) override {
    for (std::size_t f = 0; f < body_->free_vertex.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) solution_[3 * f + k] = displacements[index(body_->free_vertex[f])][k];
    local_.resize(solution_.size());
    reference_->forces_at_rest(solution_, local_);
    std::vector<PointForce> result;
    for (std::size_t f = 0; f < body_->free_vertex.size(); ++f)
      if (const Vec3 force{local_[3 * f], local_[3 * f + 1], local_[3 * f + 2]}; force != Vec3{})
        result.push_back({body_->free_vertex[f], force});
    return result;
  }

  std::vector<Vec3> small_displacements(std::span<const PointForce> forces) override {
    scatter_forces(*body_, forces, local_);
    rest_factor_.get().solve(local_, solution_);
    require_finite(solution_);
    return per_point();
  }

 private:
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
  std::vector<double> local_, solution_;  // 3 numbers per free vertex
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
