#include <array>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/shape/static_flesh.h"

namespace sinew {
namespace {

QuasiNewton in_doubles(const TissueLaw& law) {
  QuasiNewton how;
  how.law = law;
  how.precision = TissuePrecision::doubles;
  return how;
}

class TetrahedralStaticFlesh final : public StaticFlesh {
 public:
  TetrahedralStaticFlesh(std::shared_ptr<const FleshBody> body, const TissueLaw& law)
      : body_(std::move(body)),
        reference_(quasi_newton_reference(body_, in_doubles(law))),
        rows_(surface_rows(body_->description)),
        rest_factor_(*body_),
        factor_(rest_factor_.get()) {}

  std::size_t points() const override { return body_->mass.size(); }
  std::span<const int> free_points() const override { return body_->free_vertex; }
  const SparseRows& skin() const override { return rows_; }
  double mean_shear() const override { return sinew::mean_shear(body_->description); }
  double least_tolerance() const override { return 0; }

  void set_tissue(std::span<const PointStiffening> stiffening, std::span<const PointForce> load) override {
    reference_->stiffen(stiffening);
    if (load.empty())
      load_.clear();
    else
      scatter_forces(*body_, load, load_);
  }

  void set_pose(std::span<const Affine> bones) override {
    const FleshDescription& d = body_->description;
    predict_frames(points_of(d), bones, frames_);
    reference_->set_pose(frames_);
  }

  void displace_skin(std::span<const Vec3> local, std::span<Vec3> skin) override {
    surface_displacement(*body_, frames_, local, skin);
  }

  void find_forces(std::span<const double> u, std::span<double> forces) override {
    reference_->forces_at_rest(u, forces);
    for (double& each : forces) each = -each;
    for (std::size_t k = 0; k < load_.size(); ++k) forces[k] += load_[k];
  }

  const BlockMatrix& stiffness() const override { return body_->stiffness; }
  const BlockCholesky& factor() const override { return factor_; }

 private:
  std::shared_ptr<const FleshBody> body_;
  std::unique_ptr<FleshReference> reference_;
  SparseRows rows_;
  RestFactor rest_factor_;  // of the stiffness at rest
  const BlockCholesky& factor_;
  VertexFrames frames_;
  std::vector<double> load_;  // empty: none
};

}  // namespace

double mean_shear(const FleshDescription& d) {
  double sum = 0, volumes = 0;
  for (std::size_t t = 0; t < d.mesh.tetrahedra.size(); ++t) {
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = d.mesh.positions[index(d.mesh.tetrahedra[t][k])];
    const double part = volume(x[0], x[1], x[2], x[3]) * (d.inside_fraction.empty() ? 1 : d.inside_fraction[t]);
    const double poisson = d.poisson.empty() ? d.material.poisson : d.poisson[t];
    sum += part * d.young[t] / (2 * (1 + poisson));
    volumes += part;
  }
  return sum / volumes;
}

std::unique_ptr<StaticFlesh> tetrahedral_static_flesh(std::shared_ptr<const FleshBody> body, const TissueLaw& law) {
  return std::make_unique<TetrahedralStaticFlesh>(std::move(body), law);
}

}  // namespace sinew
