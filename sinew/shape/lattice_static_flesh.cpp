#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/flesh/quasi_newton_step.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/lattice_surface.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"
#include "sinew/rig/skinned_points.h"
#include "sinew/shape/static_flesh.h"

namespace sinew {
namespace {

class LatticeStaticFlesh final : public StaticFlesh {
 public:
  LatticeStaticFlesh(std::shared_ptr<const LatticeBody> body, double mean_shear)
      : body_(std::move(body)),
        mean_shear_(mean_shear),
        active_(active_functions(body_->description.role, std::vector(points(), Activity::solved))),
        equations_(*body_),
        residual_(3 * active_.unknowns()) {
    if (body_->run.linearization == Linearization::blended)
      throw usage_error("the linearization blended knows no force rigs; use another one.");
    equations_.activate(active_);
    const LatticeDescription& d = body_->description;
    stiffness_ = assemble_cells(d.cells, unknowns_below(d, points(), false), static_factors);
    factor_.analyze(stiffness_);
    factor_.factor(stiffness_);
  }

  std::size_t points() const override { return body_->description.role.size(); }
  std::span<const int> free_points() const override { return active_.unknown_function; }
  const SparseRows& skin() const override { return body_->description.surface; }
  double mean_shear() const override { return mean_shear_; }
  double least_tolerance() const override { return rest_tolerance_of_floats; }

  void set_tissue(std::span<const PointStiffening> stiffening, std::span<const PointForce> load) override {
    if (!stiffening.empty() || !load.empty())
      throw usage_error(
          "control lattices know no force rigs with strain or stiffness; leave these out, or fit in tetrahedra.");
  }

  void set_pose(std::span<const Affine> bones) override {
    predict_pose(body_->description, bones, pose_);
    position_ = pose_.functions.goal;
    equations_.elasticity().set_pose(pose_, position_);
    rig_.clear();
    if (body_->reference == LatticeReference::rig) return;
    rig_.resize(skin().rows());
    const LatticeDescription& d = body_->description;
    pose_points(skin_of(d.surface_rest, d.surface_influences, d.skinning), bones, rig_);
  }

  void displace_skin(std::span<const Vec3> local, std::span<Vec3> skin) override {
    const bool own = !rig_.empty();  // the surface is the body's own, not the rig's
    std::vector<Vec3> moved(points());
    for (std::size_t f = 0; f < moved.size(); ++f)
      moved[f] = (own ? pose_.functions.goal[f] : Vec3{}) + pose_.functions.rotation[f] * local[f];
    reconstruct_surface(*body_, moved, skin);
    for (std::size_t s = 0; s < rig_.size(); ++s) skin[s] -= rig_[s];
  }

  void find_forces(std::span<const double> u, std::span<double> forces) override {
    for (std::size_t k = 0; k < active_.unknowns(); ++k) {
      const std::size_t f = index(active_.unknown_function[k]);
      position_[f] = pose_.functions.goal[f] + pose_.functions.rotation[f] * Vec3{u[3 * k], u[3 * k + 1], u[3 * k + 2]};
    }
    equations_.static_residual(pose_, position_, residual_);
    for (std::size_t k = 0; k < active_.unknowns(); ++k) {
      const Vec3 local = transpose_times(pose_.functions.rotation[index(active_.unknown_function[k])],
                                         {residual_[3 * k], residual_[3 * k + 1], residual_[3 * k + 2]});
      for (std::size_t i = 0; i < 3; ++i) forces[3 * k + i] = local[i];
    }
  }

  const BlockMatrix& stiffness() const override { return stiffness_; }
  const BlockCholesky& factor() const override { return factor_; }

 private:
  std::shared_ptr<const LatticeBody> body_;
  double mean_shear_ = 0;
  ActiveFunctions active_;  // all that may be
  LatticeEquations equations_;
  BlockMatrix stiffness_;
  BlockCholesky factor_;
  LatticePose pose_;
  std::vector<Vec3> position_;    // per function, world
  std::vector<Vec3> rig_;         // of the elastic reference: the skin as the rig poses it, world
  std::vector<double> residual_;  // world
};

}  // namespace

std::unique_ptr<StaticFlesh> lattice_static_flesh(std::shared_ptr<const LatticeBody> body, double mean_shear) {
  return std::make_unique<LatticeStaticFlesh>(std::move(body), mean_shear);
}

}  // namespace sinew
