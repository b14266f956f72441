#include "sinew/rig/skin_poses.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sinew {
namespace {

// A step has two poses, and a frame that is displayed may have another one.
constexpr std::size_t most_skin_poses = 4;

bool same_bits(std::span<const Affine> a, std::span<const Affine> b) {
  static_assert(sizeof(Affine) == 12 * sizeof(double), "no padding, whose bits would differ");
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace

// Found without the lock: a thread that waited for another one's tasks could hold one of them.
std::shared_ptr<const std::vector<Vec3>> SkinPose::correction(FunctionRef<std::vector<Vec3>()> skinned) const {
  {
    const std::lock_guard lock(mutex_);
    if (correction_) return correction_;
  }
  std::vector<Vec3> correction = skinned();
  for (std::size_t v = 0; v < correction.size(); ++v) correction[v] = positions_[v] - correction[v];
  const std::lock_guard lock(mutex_);
  if (!correction_) correction_ = std::make_shared<const std::vector<Vec3>>(std::move(correction));
  return correction_;
}

std::shared_ptr<const SkinPose> SkinPoses::kept(std::span<const Affine> bones) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return same_bits(kept.bones, bones); });
  if (found == kept_.end()) return nullptr;
  std::rotate(kept_.begin(), found, found + 1);
  return kept_.front().pose;
}

std::shared_ptr<const SkinPose> SkinPoses::at(std::span<const Affine> bones, FunctionRef<std::vector<Vec3>()> find) {
  if (std::shared_ptr<const SkinPose> pose = kept(bones)) return pose;
  Kept latest{{bones.begin(), bones.end()}, std::make_shared<const SkinPose>(find())};
  const std::lock_guard lock(mutex_);
  kept_.insert(kept_.begin(), std::move(latest));
  if (kept_.size() > most_skin_poses) kept_.pop_back();
  return kept_.front().pose;
}

}  // namespace sinew
