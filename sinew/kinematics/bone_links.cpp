#include "sinew/kinematics/bone_links.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "sinew/base/index.h"

namespace sinew {
namespace {

void link_bone(int source, int target, std::vector<BoneLink>& links) {
  if (source >= 0 && target >= 0) links.push_back({target, source, -1, 0});
}

// `before`: what carries the source's chain.
void link_chains(int before, std::span<const int> source, std::span<const int> target, std::vector<BoneLink>& links) {
  if (source.empty() || before < 0) return;
  const double ratio = static_cast<double>(source.size()) / static_cast<double>(target.size());
  const auto joint = [&](std::size_t k) { return k == 0 ? before : source[k - 1]; };
  for (std::size_t k = 1; k <= target.size(); ++k) {
    const double place = static_cast<double>(k) * ratio;
    const auto below = static_cast<std::size_t>(std::floor(place + 1e-9));
    const double share = place - static_cast<double>(below);
    if (share <= 1e-9)
      links.push_back({target[k - 1], joint(below), -1, 0});
    else
      links.push_back({target[k - 1], joint(below), joint(below + 1), share});
  }
}

void link_limbs(const LimbBones& source, const LimbBones& target, std::vector<BoneLink>& links) {
  link_bone(source.base, target.base, links);
  link_bone(source.upper, target.upper, links);
  link_bone(source.lower, target.lower, links);
  link_bone(source.end, target.end, links);
  link_bone(source.tip, target.tip, links);
}

}  // namespace

std::vector<BoneLink> bone_links(const BodyBones& source, const BodyBones& target) {
  std::vector<BoneLink> links;
  link_bone(source.pelvis, target.pelvis, links);
  if (target.root != target.pelvis) link_bone(source.pelvis, target.root, links);
  link_chains(source.pelvis, source.spine, target.spine, links);
  const int chest = source.spine.empty() ? source.pelvis : source.spine.back();
  // A neck of the source that the target lacks is in the head's rotation; one that the source lacks is halfway.
  if (!source.neck.empty() || source.head < 0)
    link_chains(chest, source.neck, target.neck, links);
  else
    for (std::size_t k = 0; k < target.neck.size(); ++k)
      links.push_back({target.neck[k], chest, source.head,
                       static_cast<double>(k + 1) / static_cast<double>(target.neck.size() + 1)});
  link_bone(source.head, target.head, links);
  for (std::size_t side = 0; side < 2; ++side) {
    link_limbs(source.arms[side], target.arms[side], links);
    link_limbs(source.legs[side], target.legs[side], links);
    for (std::size_t finger = 0; finger < finger_names.size(); ++finger) {
      const std::vector<int>&from = source.fingers[side][finger], &to = target.fingers[side][finger];
      for (std::size_t k = 0; k < std::min(from.size(), to.size()); ++k) link_bone(from[k], to[k], links);
    }
  }
  if (!source.tail.empty())
    for (std::size_t k = 0; k < target.tail.size(); ++k) {
      const std::size_t from = k * source.tail.size() / target.tail.size();
      link_bone(source.tail[from], target.tail[k], links);
    }
  return links;
}

}  // namespace sinew
