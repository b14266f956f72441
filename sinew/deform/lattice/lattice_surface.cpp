#include "sinew/deform/lattice/lattice_surface.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

constexpr std::size_t lattice_surface_grain = 256;

class LatticeCarrier final : public SurfaceCarrier {
 public:
  explicit LatticeCarrier(std::shared_ptr<const LatticeBody> body)
      : body_(std::move(body)), position_(body_->description.role.size()) {}
  std::size_t points() const override { return position_.size(); }
  std::size_t surface_vertices() const override { return body_->description.surface.rows(); }

  void displace(std::span<const Affine> bones, std::span<const Vec3> local, std::span<Vec3> surface) override {
    const LatticeDescription& d = body_->description;
    const bool rig = body_->reference == LatticeReference::rig;
    find_present(local);
    predict_functions(d, bones, present_, pose_);
    std::fill(position_.begin(), position_.end(), Vec3{});
    for (int function : present_) {
      const auto f = static_cast<std::size_t>(function);
      position_[f] = (rig ? Vec3{} : pose_.functions.goal[f]) + pose_.functions.rotation[f] * local[f];
    }
    reconstruct_surface(*body_, position_, surface);
    if (!rig) {
      goal_.resize(surface.size());
      pose_points(skin_of(d.surface_rest, d.surface_influences, d.skinning), bones, goal_);
      parallel_for(surface.size(), lattice_surface_grain, [&](std::size_t s) { surface[s] -= goal_[s]; });
    }
  }

 private:
  // Functions that may move the surface; of detail, those that are not zero.
  void find_present(std::span<const Vec3> local) {
    present_.clear();
    const auto coarse = static_cast<std::size_t>(body_->description.coarse_functions);
    for (std::size_t f = 0; f < local.size(); ++f)
      if (f < coarse || dot(local[f], local[f]) > 0) present_.push_back(static_cast<int>(f));
  }

  std::shared_ptr<const LatticeBody> body_;
  LatticePose pose_;
  std::vector<int> present_;  // functions, ascending
  std::vector<Vec3> goal_;    // of the surface
  std::vector<Vec3> position_;
};

}  // namespace

std::unique_ptr<SurfaceCarrier> surface_carrier(std::shared_ptr<const LatticeBody> body) {
  return std::make_unique<LatticeCarrier>(std::move(body));
}

void reconstruct_surface(const LatticeBody& body, std::span<const Vec3> position, std::span<Vec3> surface) {
  multiply(body.description.surface, position, surface);
}

}  // namespace sinew
