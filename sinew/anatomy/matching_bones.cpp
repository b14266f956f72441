#include "sinew/anatomy/matching_bones.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "sinew/anatomy/body_build.h"
#include "sinew/base/index.h"
#include "sinew/mesh/surface/ray_cast.h"

namespace sinew {
namespace {

// Limbs correspond up to this difference: of the places where they leave the trunk, from root to head, and of the
// logarithms of their lengths.
constexpr double most_unlike = 0.7, weight_of_length = 0.25;
// Joints of corresponding limbs with other names are the same one up to this difference of their shares of the way.
constexpr double same_joint = 0.15;
// Points between two joints that correspond.
constexpr int points_between = 3;
// Skin beside the trunk corresponds up to this ratio of its distances, which are relative to the longest side.
constexpr double most_ratio = 3;

// The skin around a character's skeleton.
class SkinAround {
 public:
  explicit SkinAround(const BodyBuild& build) : build_(build), tree_(build.surface->rest) {}

  std::optional<double> distance(const Vec3& from, const Vec3& direction) const {
    const RayHit hit = cast_ray(tree_, from, direction, 1e-3 * build_.longest, build_.longest);
    if (hit.triangle < 0) return {};
    return hit.distance;
  }

 private:
  const BodyBuild& build_;
  BoundingVolumeHierarchy tree_;
};

// Across a chain that runs along `along`: to the left, where a body that walks upright or on all fours has its belly,
// and the other two.
std::array<Vec3, 4> directions_around(const Vec3& along) {
  const Vec3 left = normalized(Vec3{1, 0, 0} - (along.x / squared_norm(along)) * along);
  const Vec3 belly = normalized(cross(left, along));
  return {left, -left, belly, -belly};
}

class Matching {
 public:
  Matching(const BodyBuild& source, const BodyBuild& target)
      : source_(source),
        target_(target),
        skin_of_source_(source),
        skin_of_target_(target),
        partner_(source.names.size(), -1),
        taken_(target.names.size(), 0),
        in_chain_(source.names.size(), 0) {}

  MatchedBones find() {
    pair_equal_names();
    if (source_.trunk.bones.size() > 1 && target_.trunk.bones.size() > 1) {
      match(source_.trunk, target_.trunk, true);
      match_heads();
    }
    pair_limbs();
    for (std::size_t b = 0; b < partner_.size(); ++b) {
      if (partner_[b] < 0) continue;
      result_.bones.push_back({static_cast<int>(b), partner_[b]});
      if (!in_chain_[b]) result_.points.push_back({source_.head(static_cast<int>(b)), target_.head(partner_[b])});
    }
    return std::move(result_);
  }

 private:
  using Key = std::tuple<std::string, int, int>;

  static std::map<Key, std::vector<int>> by_name(const BodyBuild& build, bool numbered) {
    std::map<Key, std::vector<int>> bones;
    for (std::size_t b = 0; b < build.names.size(); ++b) {
      const BoneName& name = build.names[b];
      if (!name.part.empty()) bones[{name.part, name.side, numbered ? name.number : 0}].push_back(static_cast<int>(b));
    }
    return bones;
  }

  void pair(int source, int target) {
    if (partner_[index(source)] >= 0 || taken_[index(target)]) return;
    partner_[index(source)] = target;
    taken_[index(target)] = 1;
  }

  // Names with their numbers first; then known parts that each character has once, such as a hand.
  void pair_equal_names() {
    for (const bool numbered : {true, false}) {
      const auto of_target = by_name(target_, numbered);
      for (const auto& [key, bones] : by_name(source_, numbered)) {
        const auto found = of_target.find(key);
        if (found == of_target.end() || bones.size() > 1 || found->second.size() > 1) continue;
        if (numbered || is_known_part(std::get<0>(key))) pair(bones[0], found->second[0]);
      }
    }
  }

  bool share_names(const BoneChain& a, const BoneChain& b) const {
    return std::any_of(a.bones.begin(), a.bones.end(), [&](int bone) {
      return partner_[index(bone)] >= 0 &&
             std::find(b.bones.begin(), b.bones.end(), partner_[index(bone)]) != b.bones.end();
    });
  }

  void pair_limbs() {
    struct Candidate {
      double unlike = 0;
      std::size_t source = 0, target = 0;
    };
    std::vector<Candidate> candidates;
    for (std::size_t s = 0; s < source_.limbs.size(); ++s)
      for (std::size_t t = 0; t < target_.limbs.size(); ++t) {
        const BoneChain &a = source_.limbs[s], &b = target_.limbs[t];
        const double ratio = (a.length() / source_.longest) / (b.length() / target_.longest);
        double unlike = std::abs(a.from - b.from) + weight_of_length * std::abs(std::log(ratio));
        if (share_names(a, b)) unlike -= most_unlike;
        if (a.side == b.side && unlike <= most_unlike) candidates.push_back({unlike, s, t});
      }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.unlike < b.unlike; });
    std::vector<char> source_used(source_.limbs.size()), target_used(target_.limbs.size());
    for (const Candidate& each : candidates) {
      if (source_used[each.source] || target_used[each.target]) continue;
      source_used[each.source] = target_used[each.target] = 1;
      match(source_.limbs[each.source], target_.limbs[each.target], false);
    }
    std::vector<int> lacking;
    for (std::size_t t = 0; t < target_used.size(); ++t)
      if (!target_used[t]) lacking.push_back(target_.limbs[t].bones.front());
    for (std::size_t b = 0; b < taken_.size(); ++b)
      result_.target_only.push_back(is_below(static_cast<int>(b), lacking));
  }

  // Whether a bone of the target is one of `roots` or below it, and no counterpart comes first.
  bool is_below(int bone, const std::vector<int>& roots) const {
    for (; bone >= 0 && !taken_[index(bone)]; bone = target_.surface->bones[index(bone)].parent)
      if (std::find(roots.begin(), roots.end(), bone) != roots.end()) return true;
    return false;
  }

  struct Anchor {
    double source = 0, target = 0;  // metres of the way
  };

  // Joints of two chains that have been paired, in the order of both, and the ends.
  std::vector<Anchor> anchors_of(const BoneChain& a, const BoneChain& b) const {
    std::vector<Anchor> anchors;
    std::size_t after = 0;
    for (std::size_t k = 0; k < a.bones.size(); ++k) {
      const auto at = std::find(b.bones.begin(), b.bones.end(), partner_[index(a.bones[k])]);
      const auto place = static_cast<std::size_t>(at - b.bones.begin());
      if (at == b.bones.end() || place < after) continue;
      anchors.push_back({a.way[k], b.way[place]});
      after = place + 1;
    }
    if (anchors.empty()) anchors.push_back({0, 0});
    if (anchors.back().source < a.length() && anchors.back().target < b.length())
      anchors.push_back({a.length(), b.length()});
    return anchors;
  }

  // Joints of two chains that correspond by their names, or else by their places; points between them.
  void match(const BoneChain& a, const BoneChain& b, bool with_skin) {
    const std::vector<Anchor> anchors = anchors_of(a, b);
    for (std::size_t k = 0; k + 1 < anchors.size(); ++k) {
      const Anchor &from = anchors[k], &to = anchors[k + 1];
      for (int p = k == 0 ? 0 : 1; p <= points_between + 1; ++p) {
        const double share = static_cast<double>(p) / (points_between + 1);
        const PointPair here{a.at(std::lerp(from.source, to.source, share)),
                             b.at(std::lerp(from.target, to.target, share))};
        result_.points.push_back(here);
        if (with_skin) match_skin(here, a.at(to.source) - a.at(from.source), b.at(to.target) - b.at(from.target));
      }
    }
    for (const int bone : a.bones) in_chain_[index(bone)] = 1;
    pair_by_place(a, b);
  }

  void pair_by_place(const BoneChain& a, const BoneChain& b) {
    if (!(a.length() > 0 && b.length() > 0)) return;
    for (std::size_t k = 0; k < a.bones.size(); ++k) {
      double least = same_joint;
      int best = -1;
      for (std::size_t j = 0; j < b.bones.size(); ++j) {
        const double off = std::abs(a.way[k] / a.length() - b.way[j] / b.length());
        if (taken_[index(b.bones[j])] || off > least) continue;
        least = off;
        best = b.bones[j];
      }
      if (best >= 0) pair(a.bones[k], best);
    }
  }

  void match_skin(const PointPair& from, const Vec3& source_along, const Vec3& target_along) {
    const std::array<Vec3, 4> source = directions_around(source_along), target = directions_around(target_along);
    for (std::size_t d = 0; d < 4; ++d) match_ray(from, source[d], target[d]);
  }

  // Faces look forward, however a neck holds them.
  void match_heads() {
    const int source = source_.trunk.bones.back(), target = target_.trunk.bones.back();
    const BoneRegion &a = source_.regions.bones[index(source)], &b = target_.regions.bones[index(target)];
    if (source_.names[index(source)].part != "head" || target_.names[index(target)].part != "head") return;
    if (!(a.area > 0 && b.area > 0)) return;
    for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
      match_ray({a.centre, b.centre}, direction, direction);
  }

  void match_ray(const PointPair& from, const Vec3& source_direction, const Vec3& target_direction) {
    if (!is_finite(source_direction) || !is_finite(target_direction)) return;
    const auto source = skin_of_source_.distance(from.source, source_direction),
               target = skin_of_target_.distance(from.target, target_direction);
    if (!source || !target) return;
    const double ratio = (*source / source_.longest) / (*target / target_.longest);
    if (ratio > most_ratio || ratio < 1 / most_ratio) return;
    result_.skin.push_back({from.source + *source * source_direction, from.target + *target * target_direction});
  }

  const BodyBuild &source_, &target_;
  SkinAround skin_of_source_, skin_of_target_;
  std::vector<int> partner_;    // per bone of the source, of the target; -1: none
  std::vector<char> taken_;     // per bone of the target
  std::vector<char> in_chain_;  // per bone of the source: points of its chain stand for it
  MatchedBones result_;
};

}  // namespace

MatchedBones matching_bones(const SimulationSurface& source, const SimulationSurface& target) {
  if (source.bones.empty() || target.bones.empty()) return {};
  const BodyBuild from(source), to(target);
  return Matching(from, to).find();
}

}  // namespace sinew
