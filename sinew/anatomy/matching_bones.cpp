#include "sinew/anatomy/matching_bones.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

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
// Shortest part of a chain between places that correspond, as a share of it.
constexpr double least_part = 0.05;
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
std::array<Vec3, 4> directions_around(const Vec3& along, const Vec3& to_the_left) {
  const Vec3 left = normalized(to_the_left - (dot(along, to_the_left) / squared_norm(along)) * along);
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
        limb_of_source_(source.limbs.size(), -1),
        limb_of_target_(target.limbs.size(), -1),
        in_chain_(source.names.size(), 0) {}

  MatchedBones find() {
    pair_equal_names();
    pair_limbs();
    if (limbs_ == 0 && std::none_of(partner_.begin(), partner_.end(), [](int partner) { return partner >= 0; }))
      return {};
    match_trunks();
    result_.source_limb = limbs_of(source_, limb_of_source_, [&](int bone) { return partner_[index(bone)] >= 0; });
    result_.target_limb = limbs_of(target_, limb_of_target_, [&](int bone) { return taken_[index(bone)] != 0; });
    for (std::size_t b = 0; b < partner_.size(); ++b) {
      if (partner_[b] < 0) continue;
      result_.bones.push_back({static_cast<int>(b), partner_[b]});
      if (!in_chain_[b]) result_.points.push_back({source_.head(static_cast<int>(b)), target_.head(partner_[b])});
    }
    return std::move(result_);
  }

 private:
  struct Anchor {
    double source = 0, target = 0;  // metres of the way
  };
  struct Numbered {
    int number = 0, bone = -1;
    auto operator<=>(const Numbered&) const = default;
  };
  // Bones by part and side, ascending by number.
  using ByName = std::map<std::pair<std::string, int>, std::vector<Numbered>>;

  static ByName by_name(const BodyBuild& build) {
    ByName bones;
    for (std::size_t b = 0; b < build.names.size(); ++b) {
      const BoneName& name = build.names[b];
      if (!name.part.empty()) bones[{name.part, name.side}].push_back({name.number, static_cast<int>(b)});
    }
    for (auto& [name, group] : bones) std::sort(group.begin(), group.end());
    return bones;
  }

  void pair(int source, int target) {
    if (partner_[index(source)] >= 0 || taken_[index(target)]) return;
    partner_[index(source)] = target;
    taken_[index(target)] = 1;
  }

  // Bones of one name correspond if both have the same numbers of them, such as fingers; a spine of three and one of
  // two links do not. A known part that each has once needs no number.
  void pair_equal_names() {
    const ByName of_target = by_name(target_);
    for (const auto& [name, group] : by_name(source_)) {
      const auto found = of_target.find(name);
      if (found == of_target.end() || found->second.size() != group.size()) continue;
      const std::vector<Numbered>& other = found->second;
      const bool once = group.size() == 1 && is_known_part(name.first);
      const bool same = std::equal(group.begin(), group.end(), other.begin(),
                                   [](const Numbered& a, const Numbered& b) { return a.number == b.number; });
      const bool distinct = std::adjacent_find(group.begin(), group.end(), [](const Numbered& a, const Numbered& b) {
                              return a.number == b.number;
                            }) == group.end();
      if (once || (same && distinct))
        for (std::size_t k = 0; k < group.size(); ++k) pair(group[k].bone, other[k].bone);
    }
  }

  void match_trunks() {
    if (source_.trunk.bones.size() < 2 || target_.trunk.bones.size() < 2) return;
    match(source_.trunk, target_.trunk, branching_, true);
    match_heads();
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
    for (const Candidate& each : candidates) {
      if (limb_of_source_[each.source] >= 0 || limb_of_target_[each.target] >= 0) continue;
      limb_of_source_[each.source] = limb_of_target_[each.target] = ++limbs_;
      add_branching(source_.limbs[each.source], target_.limbs[each.target]);
      match(source_.limbs[each.source], target_.limbs[each.target], {}, false);
    }
  }

  // Bones beside the trunk and limbs belong to what carries them. The first ones of a limb, up to one that corresponds,
  // may be the trunk in the other: shoulders.
  template <class Corresponds>
  static std::vector<int> limbs_of(const BodyBuild& build, const std::vector<int>& numbers,
                                   const Corresponds& corresponds) {
    std::vector<int> limb(build.names.size(), 0);
    for (std::size_t b = 0; b < limb.size(); ++b)
      for (int up = static_cast<int>(b); up >= 0 && limb[b] == 0; up = build.surface->bones[index(up)].parent)
        for (std::size_t k = 0; k < numbers.size(); ++k)
          if (build.limbs[k].bones.front() == up) limb[b] = numbers[k];
    for (std::size_t k = 0; k < numbers.size(); ++k)
      for (const int bone : build.limbs[k].bones) {
        if (numbers[k] < 0 || corresponds(bone)) break;
        limb[index(bone)] = open_limb;
      }
    return limb;
  }

  // Where a limb of each side leaves the trunk: a name of a spine says less of a body than its shoulders.
  void add_branching(const BoneChain& a, const BoneChain& b) {
    Vec3 source = a.points.front(), target = b.points.front();
    for (std::size_t k = 0; k < a.bones.size(); ++k)
      if (const auto at = std::find(b.bones.begin(), b.bones.end(), partner_[index(a.bones[k])]); at != b.bones.end()) {
        source = a.points[k];
        target = b.points[static_cast<std::size_t>(at - b.bones.begin())];
        break;
      }
    if (a.side != 0) branching_.push_back({source_.trunk.nearest(source), target_.trunk.nearest(target)});
  }

  // Places of two chains that correspond, in their order: `known` ones, joints that have been paired, and the ends.
  // A point that contradicts an earlier one, or is next to it, is left out.
  std::vector<Anchor> anchors_of(const BoneChain& a, const BoneChain& b, std::vector<Anchor> known) const {
    for (std::size_t k = 0; k < a.bones.size(); ++k)
      if (const auto at = std::find(b.bones.begin(), b.bones.end(), partner_[index(a.bones[k])]); at != b.bones.end())
        known.push_back({a.way[k], b.way[static_cast<std::size_t>(at - b.bones.begin())]});
    if (known.empty()) known.push_back({0, 0});
    known.push_back({a.length(), b.length()});
    std::vector<Anchor> chosen;
    for (const Anchor& each : known)
      if (std::all_of(chosen.begin(), chosen.end(), [&](const Anchor& other) {
            const double there = (each.source - other.source) / a.length(),
                         here = (each.target - other.target) / b.length();
            return there * here > 0 && std::min(std::abs(there), std::abs(here)) > least_part;
          }))
        chosen.push_back(each);
    std::sort(chosen.begin(), chosen.end(), [](const Anchor& x, const Anchor& y) { return x.source < y.source; });
    return chosen;
  }

  // Joints of two chains that correspond by their names, or else by their places; points between them.
  void match(const BoneChain& a, const BoneChain& b, const std::vector<Anchor>& known, bool with_skin) {
    if (!(a.length() > 0 && b.length() > 0)) return;
    const std::vector<Anchor> anchors = anchors_of(a, b, known);
    for (std::size_t k = 0; k + 1 < anchors.size(); ++k) {
      const Anchor &from = anchors[k], &to = anchors[k + 1];
      for (int p = k == 0 ? 0 : 1; p <= points_between + 1; ++p) {
        const double share = static_cast<double>(p) / (points_between + 1);
        const PointPair here{a.at(std::lerp(from.source, to.source, share)),
                             b.at(std::lerp(from.target, to.target, share))};
        result_.points.push_back(here);
        if (with_skin) match_skin(here, a.points.back() - a.points.front(), b.points.back() - b.points.front());
      }
    }
    for (const int bone : a.bones) in_chain_[index(bone)] = 1;
    pair_by_place(a, b);
  }

  void pair_by_place(const BoneChain& a, const BoneChain& b) {
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
    const std::array<Vec3, 4> source = directions_around(source_along, source_.left),
                              target = directions_around(target_along, target_.left);
    for (std::size_t d = 0; d < 4; ++d) match_ray(from, source[d], target[d]);
  }

  // Faces look forward, however a neck holds them.
  void match_heads() {
    const int source = source_.trunk.bones.back(), target = target_.trunk.bones.back();
    const BoneRegion &a = source_.regions.bones[index(source)], &b = target_.regions.bones[index(target)];
    if (source_.names[index(source)].part != "head" || target_.names[index(target)].part != "head") return;
    if (!(a.area > 0 && b.area > 0)) return;
    const PointPair centre{a.centre, b.centre};
    match_ray(centre, source_.left, target_.left);
    match_ray(centre, -source_.left, -target_.left);
    match_ray(centre, source_.forward(), target_.forward());
    match_ray(centre, {0, 1, 0}, {0, 1, 0});
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
  std::vector<int> partner_;                          // per bone of the source, of the target; -1: none
  std::vector<char> taken_;                           // per bone of the target
  std::vector<int> limb_of_source_, limb_of_target_;  // per limb: its number in both; -1: the other lacks it
  std::vector<char> in_chain_;                        // per bone of the source: points of its chain stand for it
  int limbs_ = 0;
  std::vector<Anchor> branching_;  // of the trunks
  MatchedBones result_;
};

}  // namespace

MatchedBones matching_bones(const SimulationSurface& source, const SimulationSurface& target) {
  if (source.bones.empty() || target.bones.empty()) return {};
  const BodyBuild from(source), to(target);
  return Matching(from, to).find();
}

}  // namespace sinew
