// The latest poses of one skin. Skinning that corrects the whole skin (skinned_points.h) takes longer than all else of
// a pose, and a step of flesh asks for the same one several times: for its body, its obstacles and what is displayed.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "sinew/base/function_ref.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A whole skin in one pose. May be shared by threads.
class SkinPose {
 public:
  explicit SkinPose(std::vector<Vec3> positions) : positions_(std::move(positions)) {}

  // Per vertex, metres, world.
  const std::vector<Vec3>& positions() const { return positions_; }
  // The way to the positions from those of dual quaternions, which `skinned` returns when it is asked for first.
  std::shared_ptr<const std::vector<Vec3>> correction(FunctionRef<std::vector<Vec3>()> skinned) const;

 private:
  std::vector<Vec3> positions_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const std::vector<Vec3>> correction_;
};

// May be shared by threads.
class SkinPoses {
 public:
  // The pose of these bones (rest space to world): one that is kept where the bones are the same to the bit, else that
  // with the positions that `find` returns.
  std::shared_ptr<const SkinPose> at(std::span<const Affine> bones, FunctionRef<std::vector<Vec3>()> find);

 private:
  struct Kept {
    std::vector<Affine> bones;
    std::shared_ptr<const SkinPose> pose;
  };
  std::shared_ptr<const SkinPose> kept(std::span<const Affine> bones);

  std::mutex mutex_;
  std::vector<Kept> kept_;  // the latest first
};

}  // namespace sinew
