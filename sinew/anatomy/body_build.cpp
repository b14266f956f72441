#include "sinew/anatomy/body_build.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// A limb's tip is at a side if it is farther from the trunk's root than this, relative to the longest side.
constexpr double beside_the_middle = 0.04;
// A limb carries at least this share of the skin.
constexpr double least_limb = 5e-3;

void measure(BoneChain& chain) {
  chain.way.assign(1, 0.0);
  for (std::size_t k = 1; k < chain.points.size(); ++k)
    chain.way.push_back(chain.way.back() + distance(chain.points[k - 1], chain.points[k]));
}

class BodyBuilder {
 public:
  explicit BodyBuilder(BodyBuild& build) : build_(build), bones_(build.surface->bones), regions_(build.regions) {}

  void find() {
    for (const Bone& bone : bones_) build_.names.push_back(bone_name(bone.name));
    name_legs();
    find_left();
    find_trunk();
    find_limbs();
  }

 private:
  // "LeftLeg" is a shin below "LeftUpLeg", and otherwise what carries a thigh.
  void name_legs() {
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      const int parent = bones_[b].parent;
      if (build_.names[b].part == "leg" && parent >= 0 && build_.names[index(parent)].part == "thigh")
        build_.names[b].part = "shin";
    }
  }

  // From the bones of the right to those of the left.
  void find_left() {
    std::array<Vec3, 2> sum;
    std::array<double, 2> area{};
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      if (build_.names[b].side == 0) continue;
      const std::size_t side = build_.names[b].side > 0 ? 1 : 0;
      sum[side] += regions_.bones[b].area * build_.head(static_cast<int>(b));
      area[side] += regions_.bones[b].area;
    }
    if (!(area[0] > 0 && area[1] > 0)) return;
    Vec3 across = sum[1] / area[1] - sum[0] / area[0];
    across.y = 0;
    if (is_aside(norm(across))) build_.left = normalized(across);
  }

  void find_trunk() {
    int root = -1, head = -1;
    for (std::size_t b = 0; b < bones_.size(); ++b)
      if (bones_[b].parent < 0 && (root < 0 || regions_.bones[b].branch_area > regions_.bones[index(root)].branch_area))
        root = static_cast<int>(b);
    for (std::size_t b = 0; b < bones_.size() && head < 0; ++b)
      if (build_.names[b].part == "head" && is_below(static_cast<int>(b), root)) head = static_cast<int>(b);
    BoneChain& trunk = build_.trunk;
    for (int b = head; b >= 0; b = bones_[index(b)].parent) trunk.bones.insert(trunk.bones.begin(), b);
    if (head < 0) descend(root, true, trunk.bones);
    middle_ = trunk.bones;
    start_at_rump(trunk.bones);
    for (const int b : trunk.bones) trunk.points.push_back(build_.head(b));
    if (head < 0 || trunk.points.size() < 2) trunk.points.push_back(tip(trunk.bones.back()));
    measure(trunk);
  }

  // A root without skin, or in the middle of the body, is no end of the trunk.
  void start_at_rump(std::vector<int>& trunk) const {
    const auto carries = [&](int b) { return regions_.bones[index(b)].area > 0; };
    const Vec3& end = build_.head(trunk.back());
    auto start = trunk.begin();
    for (auto each = trunk.begin(); each != trunk.end(); ++each)
      if (carries(*each) &&
          (!carries(*start) || distance(build_.head(*each), end) > distance(build_.head(*start), end)))
        start = each;
    if (start + 1 < trunk.end()) trunk.erase(trunk.begin(), start);
  }

  void find_limbs() {
    const BoneChain& trunk = build_.trunk;
    for (const int middle : middle_)
      for (const int child : regions_.children[index(middle)]) {
        if (std::find(middle_.begin(), middle_.end(), child) != middle_.end()) continue;
        if (bones_[index(child)].helper || regions_.bones[index(child)].branch_area < least_limb * regions_.area)
          continue;
        BoneChain limb;
        descend(child, false, limb.bones);
        for (const int b : limb.bones) limb.points.push_back(build_.head(b));
        limb.points.push_back(tip(limb.bones.back()));
        measure(limb);
        limb.from = trunk.length() > 0 ? trunk.nearest(limb.points.front()) / trunk.length() : 0;
        limb.side = side_of(limb);
        build_.limbs.push_back(std::move(limb));
      }
  }

  bool is_below(int bone, int root) const {
    while (bone >= 0 && bone != root) bone = bones_[index(bone)].parent;
    return bone == root;
  }

  Vec3 tip(int bone) const {
    const std::vector<BoneSegment>& segments = bones_[index(bone)].segments;
    return std::max_element(segments.begin(), segments.end(),
                            [](const BoneSegment& a, const BoneSegment& b) {
                              return distance(a.head, a.tail) < distance(b.head, b.tail);
                            })
        ->tail;
  }

  // Follows the child that carries the most skin; along the middle only, for a trunk.
  void descend(int bone, bool in_the_middle, std::vector<int>& chain) const {
    for (int next = bone; next >= 0;) {
      chain.push_back(next);
      int best = -1;
      for (const int child : regions_.children[index(next)]) {
        if (bones_[index(child)].helper) continue;
        if (in_the_middle && is_aside(dot(build_.left, build_.head(child) - build_.head(bone)))) continue;
        if (best < 0 || regions_.bones[index(child)].branch_area > regions_.bones[index(best)].branch_area)
          best = child;
      }
      next = best;
    }
  }

  bool is_aside(double out) const { return std::abs(out) > beside_the_middle * build_.longest; }

  int side_of(const BoneChain& limb) const {
    for (const int b : limb.bones)
      if (build_.names[index(b)].side != 0) return build_.names[index(b)].side;
    const double out = dot(build_.left, limb.points.back() - build_.trunk.points.front());
    return !is_aside(out) ? 0 : out > 0 ? 1 : -1;
  }

  BodyBuild& build_;
  const std::vector<Bone>& bones_;
  const BoneRegions& regions_;
  std::vector<int> middle_;  // bones from the root to the head
};

}  // namespace

Vec3 BoneChain::at(double metres) const {
  std::size_t k = 1;
  while (k + 1 < points.size() && way[k] < metres) ++k;
  const double length = way[k] - way[k - 1];
  const double share = length > 0 ? std::clamp((metres - way[k - 1]) / length, 0.0, 1.0) : 0;
  return points[k - 1] + share * (points[k] - points[k - 1]);
}

double BoneChain::nearest(const Vec3& p) const {
  double best = 0, least = HUGE_VAL;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const Vec3 along = points[k + 1] - points[k];
    const double squared = squared_norm(along);
    const double share = squared > 0 ? std::clamp(dot(p - points[k], along) / squared, 0.0, 1.0) : 0;
    const double off = distance(p, points[k] + share * along);
    if (off >= least) continue;
    least = off;
    best = std::lerp(way[k], way[k + 1], share);
  }
  return best;
}

BodyBuild::BodyBuild(const SimulationSurface& of) : surface(&of), regions(bone_regions(of)), longest(longest_side(of)) {
  BodyBuilder(*this).find();
}

}  // namespace sinew
