#include "sinew/character/figures.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// Two skeletons are one figure where the box of the smaller one's skin lies in the other's by this share of its own
// size.
constexpr double inside_share = 0.5;
// And it is a part of that figure rather than another beside a long thing: it is no larger than this, of the other's
// volume.
constexpr double largest_inside = 1;

// The joint above all others of its skeleton: joints of skins, each below the nearest one.
int top_joint(const Skeleton& skeleton, const std::vector<char>& of_skins, int joint) {
  int top = joint;
  for (int up = joint; up >= 0; up = skeleton.joints[static_cast<std::size_t>(up)].parent)
    if (of_skins[static_cast<std::size_t>(up)]) top = up;
  return top;
}

struct Group {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double volume = 0;
  std::vector<std::size_t> parts;
};

// How much of the box lies in the other's: a flat one counts by its other sides.
double share_inside(const Group& box, const Group& other) {
  double share = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double side = box.high[axis] - box.low[axis];
    const double common = std::min(box.high[axis], other.high[axis]) - std::max(box.low[axis], other.low[axis]);
    if (side > 0) share *= std::clamp(common / side, 0.0, 1.0);
    if (side <= 0 && common < 0) return 0;
  }
  return share;
}

void take_over(Group& from, Group& to) {
  to.low = min(to.low, from.low);
  to.high = max(to.high, from.high);
  to.volume += from.volume;
  to.parts.insert(to.parts.end(), from.parts.begin(), from.parts.end());
  from.parts.clear();
}

}  // namespace

double volume_about_middle(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  if (positions.empty()) return 0;
  Vec3 middle;
  for (const Vec3& x : positions) middle += x / static_cast<double>(positions.size());
  double sum = 0;
  for (const Triangle& t : triangles) {
    const Vec3 a = positions[static_cast<std::size_t>(t[0])] - middle,
               b = positions[static_cast<std::size_t>(t[1])] - middle,
               c = positions[static_cast<std::size_t>(t[2])] - middle;
    sum += dot(a, cross(b, c)) / 6;
  }
  return std::abs(sum);
}

std::vector<int> figures_of_parts(const Character& character) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<char> of_skins(skeleton.joints.size(), 0);
  for (const Part& part : character.parts)
    if (is_skinned_surface(part))
      for (const int joint : character.skins[static_cast<std::size_t>(part.skin)].joints)
        of_skins[static_cast<std::size_t>(joint)] = 1;
  // A skin's joints are one skeleton, however they hang in the file.
  DisjointSets sets(skeleton.joints.size());
  for (const Part& part : character.parts) {
    if (!is_skinned_surface(part)) continue;
    const std::vector<int>& joints = character.skins[static_cast<std::size_t>(part.skin)].joints;
    for (const int joint : joints) {
      sets.unite(joint, joints.front());
      sets.unite(joint, top_joint(skeleton, of_skins, joint));
    }
  }
  const Pose pose = sample(skeleton, nullptr, 0);
  std::map<int, Group> by_skeleton;
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    const Part& part = character.parts[p];
    if (!is_skinned_surface(part)) continue;
    Group& group = by_skeleton[sets.find(character.skins[static_cast<std::size_t>(part.skin)].joints.front())];
    const std::vector<Vec3> positions = posed_positions(character, part, pose);
    for (const Vec3& x : positions) {
      group.low = min(group.low, x);
      group.high = max(group.high, x);
    }
    group.volume += volume_about_middle(positions, part.surface.triangles);
    group.parts.push_back(p);
  }
  std::vector<Group> groups;
  for (auto& [joint, group] : by_skeleton) groups.push_back(std::move(group));
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.volume > b.volume; });
  // Clothes and eyes that come with a skeleton of their own.
  for (std::size_t k = groups.size(); k-- > 1;)
    for (std::size_t other = 0; other < k; ++other)
      if (groups[k].volume <= largest_inside * groups[other].volume &&
          share_inside(groups[k], groups[other]) >= inside_share) {
        take_over(groups[k], groups[other]);
        break;
      }
  std::erase_if(groups, [](const Group& group) { return group.parts.empty(); });
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.volume > b.volume; });
  std::vector<int> figure(character.parts.size(), -1);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::size_t p : groups[g].parts) figure[p] = static_cast<int>(g);
  return figure;
}

}  // namespace sinew
