#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/shape/shape_body.h"

namespace sinew {
namespace {

// Forces are small if they displace the skin by less than this share of the body's extent. Products of lattices are in
// single precision, so that still smaller displacements would be noise.
constexpr double most_small = 1e-3, least_small = 3e-4;
constexpr int most_scalings = 4;

class LatticeShapeBody final : public ShapeBody {
 public:
  LatticeShapeBody(std::shared_ptr<const LatticeBody> body, const LatticeGrid& grid, std::vector<double> fill)
      : body_(std::move(body)),
        mesh_(grid.tetrahedra.mesh),
        values_(grid.values),
        fill_(std::move(fill)),
        flesh_(lattice_flesh(body_)) {
    if (body_->run.linearization == Linearization::blended)
      throw usage_error("the linearization blended knows no force rigs; use another one.");
  }

  std::size_t points() const override { return body_->description.role.size(); }
  const SparseRows& skin() const override { return body_->description.surface; }

  // The functions of the coarsest level are those of the lattice's own vertices, and reproduce what is linear.
  std::vector<Vec3> rigid_motion(const Vec3& shift, const Vec3& turn, const Vec3& centre) const override {
    const LatticeDescription& d = body_->description;
    std::vector<Vec3> motion(points());
    for (std::size_t f = 0; f < index(d.coarse_functions); ++f)
      if (is_free(f)) motion[f] = shift + cross(turn, d.rest[f] - centre);
    return motion;
  }

  // The functions are linear on the tetrahedra: their integrals are combinations of those of the corners'.
  std::vector<PointForce> integrate(const ForceField& field) const override {
    std::vector<Vec3> at_corners(mesh_.positions.size());
    add_forces(integrate_forces(field, mesh_, fill_), 1, at_corners);
    std::vector<PointForce> forces = carry_forces(values_, at_corners);
    std::erase_if(forces, [&](const PointForce& each) { return !is_free(index(each.point)); });
    return forces;
  }

  std::vector<PointForce> integrate(const StrainField&) const override { refuse_strain(); }

  std::vector<PointStiffening> stiffening(const StiffeningField&) const override { refuse_stiffening(); }

  void stiffen(std::span<const PointStiffening> stiffening) override {
    if (!stiffening.empty()) refuse_stiffening();
  }

  std::vector<double> work(const ForceDensities& fields, std::span<const Vec3> displacements) const override {
    std::vector<Vec3> free(displacements.begin(), displacements.end()), at_corners(mesh_.positions.size());
    for (std::size_t f = 0; f < free.size(); ++f)
      if (!is_free(f)) free[f] = {};
    multiply(values_, free, at_corners);
    return integrate_work(fields, mesh_, fill_, at_corners);
  }

  std::vector<double> work(const StrainDerivatives&, std::span<const Vec3>) const override { refuse_strain(); }

  std::vector<double> work(const StiffeningDerivatives&, std::span<const Vec3>, std::span<const Vec3>) override {
    refuse_stiffening();
  }

  void set_pose(std::span<const Affine> bones) override {
    bones_.assign(bones.begin(), bones.end());
    predict_pose(body_->description, bones_, pose_);
  }

  std::vector<Vec3> displacements(std::span<const PointForce> forces, const StaticSearch&) override {
    const RigState rig{0, bones_, {}, nullptr, forces};
    flesh_->reset(rig, {flesh_->step(), bones_, {}, nullptr, forces});
    const std::span<const Vec3> found = flesh_->local_displacements();
    return {found.begin(), found.end()};
  }

  std::vector<PointForce> forces(std::span<const Vec3> displacements) override {
    std::vector<Vec3> position(points());
    for (std::size_t f = 0; f < position.size(); ++f)
      position[f] = pose_.functions.goal[f] + pose_.functions.rotation[f] * displacements[f];
    const ActiveFunctions all = active_functions(body_->description.role, std::vector(points(), Activity::solved));
    LatticeEquations equations(*body_);
    equations.activate(all);
    equations.elasticity().set_pose(pose_, position);
    equations.elasticity().linearize(position);
    std::vector<double> residual(3 * all.unknowns());
    equations.static_residual(pose_, position, residual);
    std::vector<PointForce> result;
    for (std::size_t u = 0; u < all.unknowns(); ++u) {
      const int f = all.unknown_function[u];
      const Vec3 force{-residual[3 * u], -residual[3 * u + 1], -residual[3 * u + 2]};
      if (force != Vec3{}) result.push_back({f, transpose_times(pose_.functions.rotation[index(f)], force)});
    }
    return result;
  }

  // The derivative of displacements() in the direction of the gradient: H is symmetric where flesh is warped by
  // elements, and nearly so by vertices.
  std::vector<Vec3> adjoint(std::span<const Vec3> at, std::span<const Vec3> gradient, const StaticSearch&) override {
    const std::vector<PointForce> direction = nonzero_forces(gradient);
    if (direction.empty()) return std::vector<Vec3>(points());
    const std::vector<PointForce> force = forces(at);
    const auto moved = [&](double by) {
      std::vector<Vec3> sum(points());
      add_forces(force, 1, sum);
      add_forces(direction, by, sum);
      return displacements(nonzero_forces(sum), {});
    };
    const std::vector<Vec3> without = moved(0);
    double step = 1;
    std::vector<Vec3> change;
    for (int round = 0; round < most_scalings; ++round) {
      change = moved(step);
      double most = 0;
      for (std::size_t f = 0; f < change.size(); ++f) {
        change[f] = (change[f] - without[f]) / step;
        most = std::max(most, step * norm(change[f]));
      }
      if (!(most > 0) || (most <= most_small * extent() && most >= least_small * extent())) break;
      step *= 0.7 * most_small * extent() / most;
    }
    return change;
  }

  std::span<const Mat3> rotations() const override { return pose_.functions.rotation; }

  std::vector<Vec3> small_displacements(std::span<const PointForce> forces) override {
    const std::vector<Affine> posed = std::exchange(bones_, std::vector<Affine>(bones_.size()));
    double scale = 1;
    std::vector<Vec3> found;
    for (int round = 0; round < most_scalings; ++round) {
      std::vector<PointForce> scaled(forces.begin(), forces.end());
      for (PointForce& each : scaled) each.force *= scale;
      found = displacements(scaled, {});
      double most = 0;
      for (std::size_t s = 0; s < skin().rows(); ++s) most = std::max(most, norm(row_times(skin(), s, found)));
      for (Vec3& each : found) each = each / scale;
      if (!(most > 0) || (most <= most_small * extent() && most >= least_small * extent())) break;
      scale *= 0.7 * most_small * extent() / most;
    }
    bones_ = posed;
    return found;
  }

 private:
  [[noreturn]] static void refuse_strain() {
    throw usage_error("control lattices know no force rigs with strain; use tetrahedra, or leave out 'strain'.");
  }
  [[noreturn]] static void refuse_stiffening() {
    throw usage_error(
        "control lattices know no force rigs that stiffen flesh; use tetrahedra, or leave out 'stiffness'.");
  }
  double extent() const {
    const Box box = bounds(body_->description.surface_rest);
    return norm(box.upper - box.lower);
  }
  bool is_free(std::size_t function) const { return body_->description.role[function] == FunctionRole::free; }

  std::shared_ptr<const LatticeBody> body_;
  TetrahedralMesh mesh_;
  SparseRows values_;  // functions at the mesh's vertices
  std::vector<double> fill_;
  std::unique_ptr<LatticeBodyMotion> flesh_;
  std::vector<Affine> bones_;
  LatticePose pose_;
};

}  // namespace

std::unique_ptr<ShapeBody> lattice_shape_body(std::shared_ptr<const LatticeBody> body, const LatticeGrid& grid,
                                              std::vector<double> fill) {
  return std::make_unique<LatticeShapeBody>(std::move(body), grid, std::move(fill));
}

}  // namespace sinew
