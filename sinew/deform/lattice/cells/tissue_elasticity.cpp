// True elasticity (deform/flesh/goal_elasticity.h) between the points of lattice_tissue.h. Matrices are those of the
// linear law in the cells' predicted frames, which precondition its steps.
#include <numeric>
#include <utility>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/flesh/goal_elasticity.h"
#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "sinew/deform/lattice/solver/unknown_vectors.h"

namespace sinew {
namespace {

constexpr std::size_t tissue_patch_grain = 32, tissue_point_grain = 256, tissue_function_grain = 64;
// Shear of samples that resist change of volume alone, as a share of their bulk modulus: the kernel skips those of
// none.
constexpr double shear_of_volume = 1e-6;

template <class Real>
Row<Real> row(const Vec3& v) {
  return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z), 0};
}

StrainSamples with_shear(const LatticeTissue& tissue) {
  StrainSamples samples = tissue.samples;
  for (std::size_t s = tissue.single; s < samples.size(); ++s)
    samples.shear[s] = std::max(samples.shear[s], shear_of_volume * samples.lambda[s]);
  return samples;
}

template <class Real>
class TissueElasticity final : public LatticeElasticity {
 public:
  explicit TissueElasticity(const LatticeBody& body)
      : body_(body),
        tissue_(body.description.tissue),
        law_(body.run.nonlinear->law),
        from_goal_(body.reference == LatticeReference::rig),
        linear_(cell_elasticity(body, CellFrames::predicted)),
        elasticity_(patch_elasticity<Real>(tissue_.patch, with_shear(tissue_))),
        functions_(transpose(tissue_.points)),
        natural_(elasticity_.patches.size()),
        moved_(body.description.role.size()),
        field_(tissue_.points.rows()),
        rate_(damps_strain() ? field_.size() : 0),
        force_(elasticity_.vertex.size()),
        sum_(field_.size()) {
    law_of_volume_.most_stretch = law_.most_stretch;
    while (first_mean_ < natural_.size() && patch_sample(first_mean_) < tissue_.single) ++first_mean_;
    std::vector<int> number(field_.size());
    std::iota(number.begin(), number.end(), -1);  // the origin has no force
    rows_ = patch_rows(elasticity_.vertex, number, number.size() - 1);
  }

  void activate(const ActiveFunctions& active) override {
    active_ = &active;
    linear_->activate(active);
  }

  void set_pose(const LatticePose& pose, std::span<const Vec3> position) override {
    pose_ = &pose;
    linear_->set_pose(pose, position);
    origin_ = pose.functions.goal.empty() ? Vec3{} : pose.functions.goal.front();
    if (!from_goal_) return set_rest();
    const auto coarse = static_cast<std::size_t>(body_.description.coarse_functions);
    for (std::size_t f = 0; f < moved_.size(); ++f) moved_[f] = f < coarse ? pose.functions.goal[f] - origin_ : Vec3{};
    carry_points(field_);
    parallel_chunks(natural_.size(), tissue_patch_grain, [&](std::size_t begin, std::size_t end) {
      set_natural_shape<Real>(elasticity_.patches, field_, law_.most_stretch, begin, end, natural_);
    });
  }

  void subtract_force(double factor, std::span<const Vec3> position, std::span<const Vec3> addition,
                      std::span<double> residual) override {
    find_forces(position, addition);
    parallel_for(sum_.size() - 1, tissue_point_grain, [&](std::size_t p) {
      const Row<Real> sum = rows_.sum(p, force_);
      sum_[p + 1] = {double{sum.x}, double{sum.y}, double{sum.z}};
    });
    parallel_for(active_->unknowns(), tissue_function_grain, [&](std::size_t u) {
      const auto f = static_cast<std::size_t>(active_->unknown_function[u]);
      add_to_unknown(residual, u, -factor * row_times(functions_, f, sum_));
    });
    if (!damps_cells()) return;
    // Damping that varies is that of the linear law.
    linear_->subtract_force(factor, pose_->functions.goal, addition, residual);
    still_.assign(addition.size(), {});
    if (!from_goal_) linear_->subtract_force(-factor, pose_->functions.goal, still_, residual);
  }

  void apply_system(std::span<const double> from, std::span<double> to) override { linear_->apply_system(from, to); }
  void apply_stiffness(std::span<const double> from, std::span<double> to) override {
    linear_->apply_stiffness(from, to);
  }
  bool symmetric() const override { return true; }

  double energy(std::span<const Vec3> position) override {
    still_.assign(position.size(), {});
    return find_forces(position, still_);
  }

 private:
  bool damps_cells() const { return !body_.description.cell_damping.empty(); }
  bool damps_strain() const { return !damps_cells() && body_.description.stiffness_damping > 0; }

  std::size_t patch_sample(std::size_t patch) const {
    return static_cast<std::size_t>(
        std::lower_bound(tissue_.patch.begin(), tissue_.patch.end(), static_cast<int>(patch)) - tissue_.patch.begin());
  }

  // The natural shape is that at rest, and the rotation that the skeleton predicts for the cell a first guess.
  void set_rest() {
    for (std::size_t s = 0, lane = 0; s < tissue_.samples.size(); ++s) {
      const auto p = static_cast<std::size_t>(tissue_.patch[s]);
      lane = s > 0 && tissue_.patch[s - 1] == tissue_.patch[s] ? lane + 1 : 0;
      const Quat& guess = pose_->cells.orientation[static_cast<std::size_t>(tissue_.cell[s])];
      if (lane == 0) set_natural_rest(elasticity_.patches[p], guess, natural_[p]);
      const double rotation[4] = {guess.x, guess.y, guess.z, guess.w};
      for (std::size_t k = 0; k < 4; ++k) natural_[p].rotation[k][lane] = static_cast<Real>(rotation[k]);
    }
  }

  // The points' values for the coefficients moved_.
  void carry_points(std::vector<Row<Real>>& to) const {
    parallel_for(to.size(), tissue_point_grain,
                 [&](std::size_t p) { to[p] = row<Real>(row_times(tissue_.points, p, moved_)); });
  }

  // Sets force_ to dU/dx of each patch on its points. Returns the energy, joules.
  double find_forces(std::span<const Vec3> position, std::span<const Vec3> addition) {
    if (!rate_.empty()) {
      std::copy(addition.begin(), addition.end(), moved_.begin());
      carry_points(rate_);
    }
    const auto coarse = static_cast<std::size_t>(body_.description.coarse_functions);
    parallel_for(moved_.size(), tissue_point_grain, [&](std::size_t f) {
      moved_[f] = position[f] - (from_goal_ ? pose_->functions.goal[f] : f < coarse ? origin_ : Vec3{});
    });
    carry_points(field_);
    const GoalPose<Real> pose{elasticity_.patches, natural_, field_, rate_, from_goal_};
    const auto find = [&](std::size_t first, std::size_t last, const TissueLaw& law) {
      return ordered_sum(last - first, tissue_patch_grain, [&](std::size_t begin, std::size_t end) {
        return goal_forces<Real>(pose, law, first + begin, first + end, force_);
      });
    };
    return find(0, first_mean_, law_) + find(first_mean_, natural_.size(), law_of_volume_);
  }

  const LatticeBody& body_;
  const LatticeTissue& tissue_;
  TissueLaw law_, law_of_volume_;  // the latter does not stiffen
  bool from_goal_;
  std::unique_ptr<LatticeElasticity> linear_;
  PatchElasticity<Real> elasticity_;
  std::size_t first_mean_ = 0;  // the first patch of samples that measure means
  PatchRows rows_;              // per point but the origin
  SparseRows functions_;        // functions x points
  const ActiveFunctions* active_ = nullptr;
  const LatticePose* pose_ = nullptr;
  Vec3 origin_;  // world, metres: positions are relative to it, so that floats resolve them anywhere
  std::vector<NaturalPatch<Real>> natural_;  // per patch
  std::vector<Vec3> moved_, still_;          // per function
  std::vector<Row<Real>> field_, rate_;      // per point: displacement or position, and rate times the damping
  std::vector<Row<Real>> force_;             // per point of each patch
  std::vector<Vec3> sum_;                    // per point: force, newtons, world
};

}  // namespace

std::unique_ptr<LatticeElasticity> tissue_elasticity(const LatticeBody& body) {
  if (body.run.nonlinear->precision == TissuePrecision::floats) return std::make_unique<TissueElasticity<float>>(body);
  return std::make_unique<TissueElasticity<double>>(body);
}

}  // namespace sinew
