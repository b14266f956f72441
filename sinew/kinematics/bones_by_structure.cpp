#include <algorithm>
#include <string>

#include "sinew/base/index.h"
#include "sinew/kinematics/find_body_bones.h"

namespace sinew {
namespace {

// Chains mirror each other up to these shares: of their length, and of the distance between their ends.
constexpr double same_length = 0.06, same_height = 0.15;
// A pair of limbs is at least so long, as a share of the largest distance between two joints along the up axis.
constexpr double least_limb = 0.15;

// Two chains of joints that leave one joint on both sides of the body.
struct ChainPair {
  int from = -1;
  std::vector<int> one, other;
  double length = 0;
  double height = 0;  // of the ends along the up axis
};

class StructureSearch {
 public:
  StructureSearch(const Skeleton& skeleton, std::span<const Vec3> rest, const Vec3& up)
      : skeleton_(skeleton), rest_(rest), up_(up), children_(skeleton.joints.size()) {
    double low = 0, high = 0;
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
      if (skeleton.joints[j].parent >= 0) children_[index(skeleton.joints[j].parent)].push_back(static_cast<int>(j));
      const double height = dot(rest[j], up);
      low = j == 0 ? height : std::min(low, height);
      high = j == 0 ? height : std::max(high, height);
    }
    size_ = high - low;
    next_.assign(skeleton.joints.size(), -1);
    std::vector<double> reach(skeleton.joints.size(), 0.0);
    for (auto at = skeleton.parents_first.rbegin(); at != skeleton.parents_first.rend(); ++at) {
      const int parent = skeleton.joints[index(*at)].parent;
      if (parent < 0) continue;
      const double length = reach[index(*at)] + norm(rest[index(*at)] - rest[index(parent)]);
      if (next_[index(parent)] >= 0 && length <= reach[index(parent)]) continue;
      reach[index(parent)] = length;
      next_[index(parent)] = *at;
    }
  }

  BodyBones find() const {
    BodyBones bones;
    bones.found_by = "structure";
    const std::vector<ChainPair> pairs = mirrored_pairs();
    const auto legs = std::min_element(pairs.begin(), pairs.end(),
                                       [](const ChainPair& a, const ChainPair& b) { return a.height < b.height; });
    if (legs == pairs.end()) return bones;
    const ChainPair* arms = nullptr;
    for (const ChainPair& pair : pairs)
      if (&pair != &*legs && dot(rest_[index(pair.one.front())], up_) > dot(rest_[index(legs->one.front())], up_) &&
          !descends_from(skeleton_, pair.from, legs->one.front()) &&
          !descends_from(skeleton_, pair.from, legs->other.front()) && (arms == nullptr || pair.length > arms->length))
        arms = &pair;
    const Vec3 left = left_of(*legs);
    set_pair(*legs, left, bones.legs);
    if (arms != nullptr) {
      set_pair(*arms, left, bones.arms);
      for (LimbBones& arm : bones.arms) arm.tip = -1;
      bones.head = head_above(*arms);
    }
    find_trunk(skeleton_, bones);
    return bones;
  }

 private:
  // The longest way down from a joint, from it on.
  std::vector<int> longest_chain(int joint) const {
    std::vector<int> chain;
    for (; joint >= 0; joint = next_[index(joint)]) chain.push_back(joint);
    return chain;
  }

  double length_of(const std::vector<int>& chain) const {
    double length = 0;
    for (std::size_t k = 1; k < chain.size(); ++k) length += norm(rest_[index(chain[k])] - rest_[index(chain[k - 1])]);
    return length;
  }

  std::vector<ChainPair> mirrored_pairs() const {
    std::vector<ChainPair> pairs;
    for (const int from : skeleton_.parents_first) {
      std::vector<std::vector<int>> chains;
      for (const int child : children_[index(from)]) chains.push_back(longest_chain(child));
      for (std::size_t a = 0; a < chains.size(); ++a)
        for (std::size_t b = a + 1; b < chains.size(); ++b) add_if_mirrored(from, chains[a], chains[b], pairs);
    }
    return pairs;
  }

  void add_if_mirrored(int from, const std::vector<int>& a, const std::vector<int>& b,
                       std::vector<ChainPair>& pairs) const {
    if (a.size() < 2 || b.size() < 2) return;
    const double length = length_of(a), other = length_of(b);
    if (length < least_limb * size_ || std::abs(length - other) > same_length * std::max(length, other)) return;
    const Vec3 end = rest_[index(a.back())], mirrored = rest_[index(b.back())], apart = end - mirrored;
    const double distance = norm(apart);
    if (distance <= 0 || std::abs(dot(apart, up_)) > same_height * distance) return;
    // The joint that carries both lies in the plane between them.
    const Vec3 middle = (end + mirrored) / 2;
    if (std::abs(dot(rest_[index(from)] - middle, apart)) > same_height * distance * distance) return;
    pairs.push_back({from, a, b, length, dot(middle, up_)});
  }

  // The body's left, horizontal: across the legs, on the side that makes feet point forward, and where they point
  // nowhere, a file's usual forward: +z, or -y where z is up.
  Vec3 left_of(const ChainPair& legs) const {
    const auto foot = [&](const std::vector<int>& chain) {
      return rest_[index(chain.back())] - rest_[index(chain[chain.size() - 2])];
    };
    Vec3 forward = foot(legs.one) + foot(legs.other);
    forward = forward - dot(forward, up_) * up_;
    if (norm(forward) < 0.05 * legs.length) forward = up_.z > 0.5 ? Vec3{0, -1, 0} : Vec3{0, 0, 1};
    Vec3 across = rest_[index(legs.one.back())] - rest_[index(legs.other.back())];
    across = normalized(across - dot(across, up_) * up_);
    return dot(cross(up_, forward), across) >= 0 ? across : -across;
  }

  void set_pair(const ChainPair& pair, const Vec3& left, std::array<LimbBones, 2>& limbs) const {
    const bool one_is_left = dot(rest_[index(pair.one.back())] - rest_[index(pair.other.back())], left) > 0;
    const auto limb = [&](const std::vector<int>& chain) {
      return limb_of_chain(skeleton_, rest_, chain, std::string(chain.size(), ' '));
    };
    limbs[0] = limb(one_is_left ? pair.one : pair.other);
    limbs[1] = limb(one_is_left ? pair.other : pair.one);
  }

  // The last joint of the chain that leaves the arms' joint upward.
  int head_above(const ChainPair& arms) const {
    std::vector<int> best;
    double highest = dot(rest_[index(arms.from)], up_);
    for (const int child : children_[index(arms.from)]) {
      if (child == arms.one.front() || child == arms.other.front()) continue;
      const std::vector<int> chain = longest_chain(child);
      if (const double top = dot(rest_[index(chain.back())], up_); top > highest) {
        highest = top;
        best = chain;
      }
    }
    while (best.size() > 1 && is_end_marker(skeleton_.joints[index(best.back())].name)) best.pop_back();
    return best.empty() ? -1 : best.back();
  }

  const Skeleton& skeleton_;
  std::span<const Vec3> rest_;
  Vec3 up_;
  std::vector<std::vector<int>> children_;
  std::vector<int> next_;  // per joint: the child on the longest way down, or -1
  double size_ = 0;
};

}  // namespace

BodyBones bones_by_structure(const Skeleton& skeleton, std::span<const Vec3> rest, const Vec3& up) {
  return StructureSearch(skeleton, rest, up).find();
}

}  // namespace sinew
