#include "sinew/dynamics/flight/find_wings.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/kinematics/anatomical_frames.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double most_thick = 0.4;              // of the width
constexpr double least_sideways = 0.4;          // of the way from the joint to the middle of its skin
constexpr double mirrored_within = 0.1;         // of the body's longest side
constexpr double least_of_largest = 0.4;        // areas of further pairs
constexpr double least_of_skin = 0.08;          // area of a pair, of the whole skin's: hands are less
constexpr std::size_t across = 12, along = 48;  // cells of a wing, in its span and its chord

struct SkinOfBone {
  double area = 0;  // of its triangles, square metres
  Vec3 middle, normal;
  bool flat = false;
};

// The skin of a bone and of all below it. `below`: per bone, whether it is one of these.
SkinOfBone skin_of(const SimulationSurface& surface, std::span<const int> bone_of, const std::vector<char>& below) {
  SkinOfBone skin;
  Mat3 second = Mat3::zero();
  const auto each_triangle = [&](auto&& use) {
    for (const Triangle& t : surface.rest.triangles) {
      bool inside = true;
      for (const int v : t) inside = inside && bone_of[index(v)] >= 0 && below[index(bone_of[index(v)])];
      if (!inside) continue;
      const Vec3 &a = surface.rest.positions[index(t[0])], &b = surface.rest.positions[index(t[1])],
                 &c = surface.rest.positions[index(t[2])];
      use(a, b, c, norm(cross(b - a, c - a)) / 2);
    }
  };
  each_triangle([&](const Vec3& a, const Vec3& b, const Vec3& c, double area) {
    skin.area += area;
    skin.middle += area * ((a + b + c) / 3);
  });
  if (!(skin.area > 0)) return skin;
  skin.middle = skin.middle / skin.area;
  each_triangle([&](const Vec3& a, const Vec3& b, const Vec3& c, double area) {
    for (const Vec3& p : {a, b, c}) {
      const Vec3 r = p - skin.middle;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) second(i, j) += area / (3 * skin.area) * r[i] * r[j];
    }
  });
  const SymmetricEigen eigen = symmetric_eigen(second.m, 3);
  const std::span<const double> least = eigen.vector(2);
  skin.normal = {least[0], least[1], least[2]};
  skin.flat = eigen.values[2] < most_thick * most_thick * eigen.values[1];
  return skin;
}

// Turns that bring the wing to its side, and then flat.
Quat spread_of(const SkinOfBone& skin, const Vec3& joint, double side) {
  const Vec3 sideways{side, 0, 0};
  Vec3 out = sideways - dot(sideways, skin.normal) * skin.normal;
  // A wing that is folded back or up points to its middle.
  if (const Vec3 way = normalized(skin.middle - joint); norm(out) < 0.5 || dot(way, sideways) < 0.5) out = way;
  const Quat aside = shortest_turn(out, sideways);
  Vec3 up = rotate(aside, skin.normal);
  if (up.y < 0) up = -up;
  return normalized(shortest_turn({0, up.y, up.z}, {0, 1, 0}) * aside);
}

struct BindPlace {
  Quat rotation;
  Vec3 place;
};
BindPlace bind_place(const Bone& bone) {
  const Affine world = inverse(bone.rest_to_joint);
  return {orientation_of(world), world.translation};
}

bool covers(const Vec3& a, const Vec3& b, const Vec3& c, double x, double z) {
  const auto edge = [&](const Vec3& p, const Vec3& q) { return (q.x - p.x) * (z - p.z) - (q.z - p.z) * (x - p.x); };
  const double u = edge(a, b), v = edge(b, c), w = edge(c, a);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

class WingMaker {
 public:
  WingMaker(const Skeleton& skeleton, const SimulationSurface& surface, const CharacterLinks& links,
            std::span<const int> bone_of)
      : skeleton_(skeleton), surface_(surface), links_(links), bone_of_(bone_of) {}

  // The wing of a bone; appends its strips.
  Wing make(std::size_t bone, const std::vector<char>& below, const SkinOfBone& skin, double side,
            std::vector<WingStrip>& strips) const {
    Wing wing;
    wing.joint = surface_.bones[bone].joint;
    wing.link = static_cast<int>(link_of_joint(skeleton_, links_.body, wing.joint));
    wing.side = side;
    const Vec3 joint = bind_place(surface_.bones[bone]).place;
    wing.spread = spread_of(skin, joint, side);
    // Seen from above, spread: x outward.
    std::vector<std::array<Vec3, 3>> triangles;
    double least_z = HUGE_VAL, most_z = -HUGE_VAL, height = 0;
    for (const Triangle& t : surface_.rest.triangles) {
      std::array<Vec3, 3> own;
      bool inside = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const int b = bone_of_[index(t[k])];
        inside = inside && b >= 0 && below[index(b)];
        own[k] = rotate(wing.spread, surface_.rest.positions[index(t[k])] - joint);
        own[k].x *= side;
      }
      if (!inside) continue;
      for (const Vec3& p : own) {
        wing.length = std::max(wing.length, p.x);
        least_z = std::min(least_z, p.z);
        most_z = std::max(most_z, p.z);
        height += p.y;
      }
      triangles.push_back(own);
    }
    height /= 3 * static_cast<double>(triangles.size());
    const double width = wing.length / across, depth = (most_z - least_z) / along;
    for (std::size_t i = 0; i < across; ++i) {
      const double x = (static_cast<double>(i) + 0.5) * width;
      double lead = -HUGE_VAL, trail = HUGE_VAL, covered = 0;
      for (std::size_t j = 0; j < along; ++j) {
        const double z = least_z + (static_cast<double>(j) + 0.5) * depth;
        if (std::none_of(triangles.begin(), triangles.end(),
                         [&](const auto& t) { return covers(t[0], t[1], t[2], x, z); }))
          continue;
        lead = std::max(lead, z + depth / 2);
        trail = std::min(trail, z - depth / 2);
        covered += depth;
      }
      if (!(covered > 0)) continue;
      const double quarter = lead - (lead - trail) / 4, area = covered * width;
      add_strip(wing, joint + rotate(conjugate(wing.spread), {side * x, height, quarter}), area, below, strips);
      wing.area += area;
      wing.balance += area * (joint.z + quarter);
    }
    if (wing.area > 0) wing.balance /= wing.area;
    return wing;
  }

 private:
  // The strip moves with the skin nearest to it.
  void add_strip(const Wing& wing, const Vec3& place, double area, const std::vector<char>& below,
                 std::vector<WingStrip>& strips) const {
    double nearest = HUGE_VAL;
    int bone = -1;
    for (std::size_t v = 0; v < bone_of_.size(); ++v) {
      const int own = bone_of_[v];
      if (own < 0 || !below[index(own)]) continue;
      if (const double d = distance(place, surface_.rest.positions[v]); d < nearest) nearest = d, bone = own;
    }
    const std::size_t link = link_of_joint(skeleton_, links_.body, surface_.bones[index(bone)].joint);
    BindPlace frame;
    for (const Bone& each : surface_.bones)
      if (each.joint == links_.body.joint[link]) frame = bind_place(each);
    const Quat to_link = conjugate(frame.rotation), unspread = conjugate(wing.spread);
    strips.push_back({static_cast<int>(link), rotate(to_link, place - frame.place),
                      rotate(to_link, rotate(unspread, {0, 0, 1})), rotate(to_link, rotate(unspread, {0, 1, 0})),
                      area});
  }

  const Skeleton& skeleton_;
  const SimulationSurface& surface_;
  const CharacterLinks& links_;
  std::span<const int> bone_of_;
};

}  // namespace

FoundWings find_wings(const Skeleton& skeleton, const SimulationSurface& surface, const CharacterLinks& links) {
  const std::size_t bones = surface.bones.size();
  std::vector<int> bone_of;  // per vertex: that of its largest weight
  for (const Influences& own : surface.influences) bone_of.push_back(own.count > 0 ? own.joint[0] : -1);
  if (!surface.figure.empty())
    for (std::size_t v = 0; v < bone_of.size(); ++v)
      if (surface.figure[v] != 0) bone_of[v] = -1;
  std::vector<std::vector<char>> below(bones, std::vector<char>(bones, 0));
  for (std::size_t b = 0; b < bones; ++b)
    for (int up = static_cast<int>(b); up >= 0; up = surface.bones[index(up)].parent) below[index(up)][b] = 1;
  std::vector<SkinOfBone> skins;
  for (std::size_t b = 0; b < bones; ++b) skins.push_back(skin_of(surface, bone_of, below[b]));
  const double size = longest_side(surface);
  double whole = 0;
  for (std::size_t b = 0; b < bones; ++b)
    if (surface.bones[b].parent < 0) whole += skins[b].area;
  const auto is_link = [&](std::size_t bone) {
    return std::find(links.body.joint.begin() + 1, links.body.joint.end(), surface.bones[bone].joint) !=
           links.body.joint.end();
  };

  struct Pair {
    std::size_t left, right;
    double area;
  };
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < bones; ++a) {
    const Vec3 joint = bind_place(surface.bones[a]).place, way = skins[a].middle - joint;
    if (!is_link(a) || !skins[a].flat || skins[a].middle.x <= 0 || way.x < least_sideways * norm(way)) continue;
    for (std::size_t b = 0; b < bones; ++b) {
      const Vec3 mirrored{-skins[b].middle.x, skins[b].middle.y, skins[b].middle.z};
      if (a == b || below[a][b] || below[b][a] || !is_link(b) || !skins[b].flat) continue;
      if (distance(mirrored, skins[a].middle) > mirrored_within * size) continue;
      if (std::abs(skins[a].area - skins[b].area) > 0.25 * skins[a].area) continue;
      if (skins[a].area + skins[b].area < least_of_skin * whole) continue;
      pairs.push_back({a, b, skins[a].area + skins[b].area});
      break;
    }
  }
  // The topmost ones: what hangs on a wing is a part of it.
  std::vector<Pair> tops;
  double largest = 0;
  for (const Pair& pair : pairs) {
    const bool hangs = std::any_of(pairs.begin(), pairs.end(), [&](const Pair& other) {
      return other.left != pair.left && below[other.left][pair.left];
    });
    if (hangs) continue;
    tops.push_back(pair);
    largest = std::max(largest, pair.area);
  }
  FoundWings found;
  const WingMaker maker(skeleton, surface, links, bone_of);
  for (const Pair& pair : tops) {
    if (pair.area < least_of_largest * largest) continue;
    std::vector<WingStrip> strips;
    const std::array<Wing, 2> wings{maker.make(pair.left, below[pair.left], skins[pair.left], 1, strips),
                                    maker.make(pair.right, below[pair.right], skins[pair.right], -1, strips)};
    if (!(wings[0].area > 0 && wings[1].area > 0)) continue;
    found.strips.insert(found.strips.end(), strips.begin(), strips.end());
    const double apart = bind_place(surface.bones[pair.left]).place.x - bind_place(surface.bones[pair.right]).place.x;
    found.span = std::max(found.span, wings[0].length + wings[1].length + apart);
    found.area += wings[0].area + wings[1].area;
    found.pairs.push_back(wings);
  }
  return found;
}

}  // namespace sinew
