#include "sinew/anatomy/body_plan.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/anatomy/mirror_sides.h"
#include "sinew/anatomy/surface_pieces.h"
#include "sinew/base/index.h"
#include "sinew/mesh/surface/weld.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// A foot is the skin in the lowest fraction of the height, with at most a fraction of the body's extent. Two legs under
// a horizontal spine have at least this length relative to the height; shorter ones are flippers.
constexpr double foot_height = 0.1, largest_foot = 0.45, least_leg = 0.3;
// A footprint to which each of two twins contributes this fraction belongs to two feet side by side.
constexpr double own_foot = 0.25, side_by_side = 0.4;
// Prints nearer than this, relative to the longest side, belong to one foot; mirror images are at most so far apart.
constexpr double one_foot = 0.005, mirrored = 0.12;
// A character with less height relative to its length has no legs.
constexpr double least_height = 0.18;
// A bone with less than this fraction of the skin is ignored; a limb has at least this reach relative to the longest
// side.
constexpr double least_carried = 2e-3, least_reach = 0.12;
// Fewest links of a spine; ratio of length to width of a snake; ratio of length to thickness up to which a body is
// round.
constexpr int fewest_spine_links = 3;
constexpr double snake_length = 4.2, round_length = 1.6;
// A character that lies on the ground is modelled with its lowest point there, to this fraction of the longest side; a
// swimming one is not.
constexpr double on_the_ground = 0.01;
// The spine of a swimming character is straight: it rises by less than this fraction of its length.
constexpr double rearing = 0.4;
// A wing is at least this many times as wide as thick.
constexpr double flat_wing = 2.5;

struct Print {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, centre;
  double area = 0;
  std::vector<double> of_bone;
  int bone = -1;
};

struct Extent {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  void include(const Vec3& x) {
    low = min(low, x);
    high = max(high, x);
  }
  Vec3 size() const { return high - low; }
};

Extent extent_of(const SimulationSurface& surface) {
  Extent extent;
  for (const Triangle& triangle : surface.rest.triangles)
    for (const int v : triangle) extent.include(surface.rest.positions[index(v)]);
  return extent;
}

// Prints of the lowest part of the skin on the ground, by connected patches; those with touching boxes are merged.
std::vector<Print> prints_of(const SimulationSurface& surface, const Extent& extent) {
  const TriangleMesh& mesh = surface.rest;
  const double height = extent.size().y, size = longest_side(mesh);
  WeldOptions options;
  options.tolerance = same_place * size;
  const std::vector<int> place = weld(mesh.positions, options).welded;
  DisjointSets sets(mesh.positions.size());
  std::vector<std::size_t> low;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& corners = mesh.triangles[t];
    const auto y = [&](std::size_t k) { return mesh.positions[index(corners[k])].y; };
    if (std::min({y(0), y(1), y(2)}) > extent.low.y + foot_height * height ||
        (y(0) + y(1) + y(2)) / 3 > extent.low.y + 2 * foot_height * height)
      continue;
    low.push_back(t);
    for (const std::size_t k : {1u, 2u}) sets.unite(place[index(corners[0])], place[index(corners[k])]);
  }
  std::vector<Print> prints;
  std::vector<int> print_of(mesh.positions.size(), -1);
  for (const std::size_t t : low) {
    const Triangle& corners = mesh.triangles[t];
    int& of = print_of[index(sets.find(place[index(corners[0])]))];
    if (of < 0) {
      of = static_cast<int>(prints.size());
      prints.emplace_back().of_bone.assign(surface.bones.size(), 0.0);
    }
    Print& print = prints[index(of)];
    const auto at = [&](std::size_t k) -> const Vec3& { return mesh.positions[index(corners[k])]; };
    const Vec3 normal = cross(at(1) - at(0), at(2) - at(0));
    const double area = 0.5 * norm(normal);
    print.area += area;
    print.centre += area * ((at(0) + at(1) + at(2)) / 3);
    for (const int v : corners) {
      print.low = min(print.low, mesh.positions[index(v)]);
      print.high = max(print.high, mesh.positions[index(v)]);
      if (surface.influences[index(v)].count > 0) print.of_bone[index(surface.influences[index(v)].joint[0])] += area;
    }
  }
  const double margin = one_foot * size;
  for (std::size_t a = 0; a < prints.size(); ++a)
    for (std::size_t b = a + 1; b < prints.size();) {
      Print &first = prints[a], &second = prints[b];
      const Vec3 apart = max(first.low - second.high, second.low - first.high);
      if (std::max(apart.x, apart.z) > margin) {
        ++b;
        continue;
      }
      first.low = min(first.low, second.low);
      first.high = max(first.high, second.high);
      first.centre += second.centre;
      first.area += second.area;
      for (std::size_t k = 0; k < first.of_bone.size(); ++k) first.of_bone[k] += second.of_bone[k];
      prints.erase(prints.begin() + static_cast<std::ptrdiff_t>(b));
      b = a + 1;
    }
  for (Print& print : prints) {
    if (print.area > 0) print.centre = print.centre / print.area;
    print.bone = static_cast<int>(std::max_element(print.of_bone.begin(), print.of_bone.end()) - print.of_bone.begin());
  }
  return prints;
}

// True if the print belongs to two feet side by side: to a pair of bones on either side of its centre and of the centre
// of the whole.
bool of_twins(const Print& print, const BoneRegions& regions, const std::vector<Side>& sides, const Vec3& whole,
              double longest) {
  double all = 0;
  int second = -1;
  for (std::size_t b = 0; b < print.of_bone.size(); ++b) {
    all += print.of_bone[b];
    if (static_cast<int>(b) != print.bone && sides[b] == Side::paired &&
        (second < 0 || print.of_bone[b] > print.of_bone[index(second)]))
      second = static_cast<int>(b);
  }
  if (sides[index(print.bone)] != Side::paired || second < 0 || print.of_bone[index(second)] < own_foot * all)
    return false;
  const Vec3 one = regions.bones[index(print.bone)].centre, other = regions.bones[index(second)].centre;
  const Vec3 size = print.high - print.low, apart = one - other, middle = (print.low + print.high) / 2;
  for (const std::size_t axis : {std::size_t{0}, std::size_t{2}})
    if (std::abs(apart[axis]) > side_by_side * size[axis] &&
        std::abs(apart[2 - axis]) < 0.5 * side_by_side * std::abs(apart[axis]) &&
        std::abs((one[axis] + other[axis]) / 2 - middle[axis]) < 0.5 * side_by_side * std::abs(apart[axis]) &&
        std::abs(middle[axis] - whole[axis]) < one_foot * longest)
      return true;
  return false;
}

// Height above the ground at which the limb of a print begins, where its bones leave the symmetry plane. 0 where bones
// do not tell, e.g. for feet whose bones are children of the root.
double leg_length(const SimulationSurface& surface, const std::vector<Side>& sides, const Print& print, double ground) {
  double top = 0;
  int links = 0;
  for (int b = print.bone; b >= 0 && sides[index(b)] != Side::middle; b = surface.bones[index(b)].parent) {
    if (surface.bones[index(b)].parent < 0) break;
    top = std::max(top, inverse(surface.bones[index(b)].rest_to_joint).translation.y - ground);
    ++links;
  }
  return links > 1 ? top : 0;
}

struct Legs {
  int count = 0;
  double length = 0;  // mean over the legs whose bones tell it, metres
};
Legs count_legs(const SimulationSurface& surface, const BoneRegions& regions, const std::vector<Side>& sides,
                const Extent& extent) {
  const Vec3 size = extent.size();
  const double longest = std::max({size.x, size.y, size.z});
  if (size.y < least_height * longest) return {};
  std::vector<Print> feet = prints_of(surface, extent);
  const double wide = std::max(size.x, size.z);
  const Vec3 whole = (extent.low + extent.high) / 2;
  std::erase_if(feet, [&](const Print& print) {
    const Vec3 own = print.high - print.low;
    return std::max(own.x, own.z) > largest_foot * wide && !of_twins(print, regions, sides, whole, longest);
  });
  Vec3 centre = (extent.low + extent.high) / 2;
  if (!feet.empty()) {
    Vec3 sum;
    for (const Print& foot : feet) sum += foot.centre;
    centre = sum / static_cast<double>(feet.size());
  }
  int twice = 0;
  for (const Print& foot : feet) twice += of_twins(foot, regions, sides, whole, longest) ? 2 : 0;
  int most = 0;
  for (const std::size_t axis : {std::size_t{0}, std::size_t{2}}) {
    std::vector<char> taken(feet.size(), 0);
    int count = 0;
    for (std::size_t a = 0; a < feet.size(); ++a) {
      if (taken[a] || of_twins(feet[a], regions, sides, whole, longest)) continue;
      Vec3 image = feet[a].centre;
      image[axis] = 2 * centre[axis] - image[axis];
      std::size_t best = a;
      double nearest = mirrored * longest;
      for (std::size_t b = a + 1; b < feet.size(); ++b) {
        const double away = std::hypot(image.x - feet[b].centre.x, image.z - feet[b].centre.z);
        if (taken[b] || feet[a].bone == feet[b].bone || away >= nearest) continue;
        nearest = away;
        best = b;
      }
      if (best == a) continue;
      taken[best] = 1;
      count += 2;
    }
    most = std::max(most, count);
  }
  Legs legs{std::max(most, twice)};
  double known = 0;
  for (const Print& foot : feet)
    if (const double length = leg_length(surface, sides, foot, extent.low.y); length > 0)
      legs.length += length, known += 1;
  if (known > 0) legs.length /= known;
  return legs;
}

class Skeletons {
 public:
  Skeletons(const SimulationSurface& surface, const BoneRegions& regions)
      : surface_(surface), regions_(regions), size_(longest_side(surface)), sides_(sides_of(regions, size_)) {}

  bool counts(std::size_t b) const { return regions_.bones[b].area > least_carried * regions_.area; }
  Vec3 joint(std::size_t b) const { return inverse(surface_.bones[b].rest_to_joint).translation; }

  // The longest chain of bones in the symmetry plane, from end to end.
  std::vector<std::size_t> spine() const {
    std::vector<std::size_t> best;
    for (std::size_t b = 0; b < sides_.size(); ++b) {
      if (!middle(b)) continue;
      std::vector<std::size_t> two[2];  // the longest chains down from here
      for (const int child : regions_.children[b]) keep_longest(down(index(child)), two);
      std::vector<std::size_t> chain(two[0].rbegin(), two[0].rend());
      chain.push_back(b);
      chain.insert(chain.end(), two[1].begin(), two[1].end());
      if (chain.size() > best.size()) best = chain;
    }
    return best;
  }

  // Number of limbs in pairs, with two bones or more, or with one if it is a wing, off the symmetry plane of the body.
  int limbs() const {
    int count = 0;
    for (std::size_t b = 0; b < sides_.size(); ++b)
      if (sides_[b] == Side::paired && leaves_middle(b) && regions_.bones[b].branch_depth >= 1 &&
          reach(b) >= least_reach * size_)
        ++count;
    return count;
  }
  int wings() const {
    int count = 0;
    for (std::size_t b = 0; b < sides_.size(); ++b) {
      const BoneRegion& region = regions_.bones[b];
      if (sides_[b] == Side::paired && counts(b) && region.spread.y > flat_wing * region.spread.z) ++count;
    }
    return count;
  }
  int carrying() const {
    int count = 0;
    for (std::size_t b = 0; b < sides_.size(); ++b) count += counts(b);
    return count;
  }
  const std::vector<Side>& sides() const { return sides_; }

 private:
  bool middle(std::size_t b) const { return sides_[b] == Side::middle && counts(b); }

  std::vector<std::size_t> down(std::size_t b) const {
    std::vector<std::size_t> longest;
    for (const int child : regions_.children[b]) {
      std::vector<std::size_t> chain = down(index(child));
      if (chain.size() > longest.size()) longest = std::move(chain);
    }
    if (middle(b)) longest.insert(longest.begin(), b);
    return longest;
  }
  static void keep_longest(std::vector<std::size_t> chain, std::vector<std::size_t> (&two)[2]) {
    if (chain.size() > two[0].size()) {
      two[1] = std::move(two[0]);
      two[0] = std::move(chain);
    } else if (chain.size() > two[1].size()) {
      two[1] = std::move(chain);
    }
  }
  // True if no bone above it is one of a pair.
  bool leaves_middle(std::size_t b) const {
    for (int up = surface_.bones[b].parent; up >= 0; up = surface_.bones[index(up)].parent)
      if (sides_[index(up)] == Side::paired && counts(index(up))) return false;
    return true;
  }
  double reach(std::size_t b) const {
    const Vec3 from = joint(b);
    double most = 0;
    std::vector<std::size_t> open{b};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (counts(at)) most = std::max(most, distance(from, regions_.bones[at].centre));
      for (const int child : regions_.children[at]) open.push_back(index(child));
    }
    return most;
  }

  const SimulationSurface& surface_;
  const BoneRegions& regions_;
  double size_;
  std::vector<Side> sides_;
};

std::string number(double value) {
  const long tenths = std::lround(10 * value);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

const char* name_of(BodyPlan plan) {
  switch (plan) {
    case BodyPlan::other:
      return "other";
    case BodyPlan::biped:
      return "biped";
    case BodyPlan::quadruped:
      return "quadruped";
    case BodyPlan::insect:
      return "insect";
    case BodyPlan::fish:
      return "fish";
    case BodyPlan::snake:
      return "snake";
    case BodyPlan::blob:
      return "blob";
    case BodyPlan::robot:
      return "robot";
  }
  return "";
}

BodyPlanFound find_body_plan(const SimulationSurface& surface, const BoneRegions& regions, int plates) {
  if (!surface.weighted || regions.area <= 0) return {BodyPlan::other, "it has no skin weights"};
  if (plates > 0) return {BodyPlan::robot, "made of plates, on " + std::to_string(plates) + " bones"};
  const Extent extent = extent_of(surface);
  const Skeletons bones(surface, regions);
  const Legs legs = count_legs(surface, regions, bones.sides(), extent);
  const std::vector<std::size_t> spine = bones.spine();
  Extent along;
  for (const std::size_t bone : spine) along.include(bones.joint(bone));
  const auto links = static_cast<int>(spine.size()) - 1;
  const Vec3 size = extent.size(), run = along.size();
  const bool level = links >= fewest_spine_links && std::hypot(run.x, run.z) > 1.5 * run.y;
  const bool flippers = legs.count == 2 && level && legs.length > 0 && legs.length < least_leg * size.y;
  if (legs.count >= 2 && !flippers) {
    const std::string because = std::to_string(legs.count) + " legs, in pairs, stand on the ground";
    return {legs.count >= 5 ? BodyPlan::insect : legs.count > 2 ? BodyPlan::quadruped : BodyPlan::biped, because};
  }

  const int limbs = bones.limbs();
  if (limbs >= 6) return {BodyPlan::insect, std::to_string(limbs) + " limbs, in pairs"};
  const double longest = std::max({size.x, size.y, size.z});
  const double width = regions.area / (3.14159265358979 * longest);  // of a tube with the same skin area
  if (links >= fewest_spine_links && limbs == 0 && longest > snake_length * width)
    return {BodyPlan::snake, "a spine of " + std::to_string(links) + " links, " + number(longest / width) +
                                 " times as long as wide, and no limbs"};
  if (level) {
    if (limbs == 0 && std::abs(extent.low.y) < on_the_ground * longest)
      return {BodyPlan::snake, "a spine of " + std::to_string(links) + " links that lies on the ground, and no limbs"};
    if (limbs == 0 && run.y > rearing * std::hypot(run.x, run.z))
      return {BodyPlan::snake, "a spine of " + std::to_string(links) + " links that rears up, and no limbs"};
    return {BodyPlan::fish, "a spine of " + std::to_string(links) + " links along the ground, and no legs"};
  }
  const int wings = bones.wings();
  if (wings >= 2) return {BodyPlan::insect, std::to_string(wings) + " wings, and no legs"};
  if (limbs == 0 && std::max({size.x, size.y, size.z}) < round_length * std::min({size.x, size.y, size.z}))
    return {BodyPlan::blob, std::to_string(bones.carrying()) + " bones, no limbs, and about as wide as long"};
  return {BodyPlan::other, "neither legs on the ground nor a spine along it"};
}

}  // namespace sinew
