#include "sinew/dynamics/striding/planar_biped.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/gait.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double usual_arm_swing = 0.5;

Quat about_x(double angle) { return axis_angle({1, 0, 0}, angle); }

// Mass, first moment and inertia in the plane of several links.
struct PlanarSum {
  double mass = 0;
  Vec3 first;
  double square = 0;  // int y^2 + z^2 dm, and the links' own inertias

  void add(double link_mass, const Vec3& centre, double inertia) {
    mass += link_mass;
    first += centre * link_mass;
    square += inertia + link_mass * (centre.y * centre.y + centre.z * centre.z);
  }
  PlanarPart about(const Vec3& joint) const {
    const Vec3 centre = first / mass;
    const Vec3 from{0, centre.y - joint.y, centre.z - joint.z};
    return {mass, from, square - mass * (centre.y * centre.y + centre.z * centre.z)};
  }
};

PlanarPart mean(const PlanarPart& a, const PlanarPart& b) {
  return {0.5 * (a.mass + b.mass), (a.centre + b.centre) * 0.5, 0.5 * (a.inertia + b.inertia)};
}

Vec3 turned(const Vec3& v, double angle) { return rotate(about_x(angle), v); }

struct Sole {
  Vec3 heel, toe;  // from the ankle, in the plane
};

// The ends of a foot's skin near the ground. Toes bend: a foot rolls over its own skin's end, or over seven tenths of
// the way to the tip where that is farther.
template <class InPlane>
Sole sole_of(const CharacterLinks& links, int foot, const PlacedJoints& placed, const InPlane& in_plane,
             const Vec3& ankle_at, double leg) {
  constexpr double rolls_over = 0.7, least_heel = 0.03;  // of the tip; of the leg
  const double low = lowest_sole(links, foot, placed) - ankle_at.y;
  double back = HUGE_VAL, front = -HUGE_VAL, tip = -HUGE_VAL;
  for (std::size_t k = index(foot); k < links.body.size(); ++k) {
    const bool toes = static_cast<int>(k) != foot;
    if (!is_part_of_foot(links, static_cast<int>(k), foot)) continue;
    for (const Vec3& own : links.body.skin_points[k]) {
      const Vec3 point = in_plane(placed(static_cast<int>(k), own)) - ankle_at;
      if (point.y > 0.5 * low) continue;
      back = std::min(back, point.z);
      tip = std::max(tip, point.z);
      if (!toes) front = std::max(front, point.z);
    }
  }
  return {{0, low, std::min(back, -least_heel * leg)}, {0, low, std::max(front, rolls_over * tip)}};
}

}  // namespace

ArticulatedBody planar_body(const PlanarMeasures& measures) {
  ArticulatedBody body;
  const auto add = [&](const char* name, int parent, const Vec3& offset, const PlanarPart& part) {
    body.tree.parent.push_back(parent);
    body.tree.offset.push_back(offset);
    body.tree.mass.push_back(part.mass);
    body.tree.mass_centre.push_back(part.centre);
    body.name.push_back(name);
    body.joint.push_back(-1);
    body.inertia.push_back(Mat3::identity() * part.inertia);
    body.capsule.push_back({});
    body.skin_points.emplace_back();
  };
  add("trunk", -1, {}, measures.trunk);
  for (std::size_t leg = 0; leg < 2; ++leg) {
    const int thigh = static_cast<int>(body.size());
    add("thigh", 0, {}, measures.thigh);
    add("shank", thigh, {0, -measures.thigh_length, 0}, measures.shank);
    add("foot", thigh + 1, {0, -measures.shank_length, 0}, measures.foot);
    body.skin_points.back() = {measures.heel, measures.toe};
  }
  return body;
}

PlanarMeasures planar_person() {
  return {{53.5, {0, 0.35, 0}, 3},
          {8.5, {0, -0.2, 0}, 0.15},
          {3.5, {0, -0.2, 0}, 0.05},
          {1.25, {0, -0.04, 0.06}, 0.005},
          0.46,
          0.46,
          {0, -0.08, -0.05},
          {0, -0.08, 0.15}};
}

LegMuscles muscles_for(const PlanarMeasures& measures) {
  const PlanarMeasures person = planar_person();
  const auto bounded = [](double factor) { return std::clamp(factor, 0.6, 1.8); };
  const double leg = measures.leg() / person.leg(), mass = measures.mass() / person.mass();
  const double foot = measures.toe.z / person.toe.z / leg;
  const double trunk =
      measures.trunk.mass * measures.trunk.centre.y / (person.trunk.mass * person.trunk.centre.y) / (leg * mass);
  return leg_muscles(measures.mass(), measures.leg(), bounded(foot), bounded(trunk));
}

PlanarCharacter planar_character(const CharacterLinks& links, const TreePose& standing, double ground) {
  const GaitControl upright(links, standing, Gait{}, ground);
  PlanarCharacter character;
  character.standing = upright.standing();
  character.ahead = upright.ahead();
  character.left = cross({0, 1, 0}, character.ahead);
  character.ground = ground;
  const JointTree& tree = links.body.tree;
  PlacedJoints& placed = character.placed;
  place_joints(tree, character.standing, placed);
  const auto in_plane = [&](const Vec3& p) { return Vec3{0, p.y, dot(p, character.ahead)}; };
  character.legs = {upright.legs()[0], upright.legs()[1]};

  // Everything that hangs on a part turns with it.
  character.part.assign(links.body.size(), planar_trunk);
  for (std::size_t leg = 0; leg < 2; ++leg) {
    character.part[index(character.legs[leg].thigh)] = static_cast<int>(thigh_of(leg));
    character.part[index(character.legs[leg].shin)] = static_cast<int>(thigh_of(leg) + 1);
    character.part[index(character.legs[leg].foot)] = static_cast<int>(thigh_of(leg) + 2);
  }
  std::vector<char> is_part(links.body.size(), 0);
  for (const LegLinks& leg : character.legs)
    for (const int link : {leg.thigh, leg.shin, leg.foot}) is_part[index(link)] = 1;
  for (std::size_t k = 1; k < links.body.size(); ++k)
    if (!is_part[k]) character.part[k] = character.part[index(tree.parent[k])];

  std::array<PlanarSum, planar_links> sums{};
  for (std::size_t k = 0; k < links.body.size(); ++k) {
    const Mat3 turn = to_matrix(placed.rotation[k]);
    const Mat3 inertia = turn * links.body.inertia[k] * transpose(turn);
    sums[index(character.part[k])].add(tree.mass[k], in_plane(placed(static_cast<int>(k), tree.mass_centre[k])),
                                       dot(character.left, inertia * character.left));
  }
  PlanarMeasures& m = character.measures;
  m.thigh_length = m.shank_length = 0;
  std::array<PlanarPart, 2> thighs, shanks, feet;
  Vec3 hip_place;
  for (std::size_t leg = 0; leg < 2; ++leg) {
    const LegLinks& own = character.legs[leg];
    const Vec3 hip_at = in_plane(placed.place[index(own.thigh)]), knee_at = in_plane(placed.place[index(own.shin)]),
               ankle_at = in_plane(placed.place[index(own.foot)]);
    hip_place += hip_at * 0.5;
    const auto angle_of = [](const Vec3& down) { return std::atan2(-down.z, -down.y); };
    const std::size_t at = thigh_of(leg);
    character.bound[at] = angle_of(knee_at - hip_at);
    character.bound[at + 1] = angle_of(ankle_at - knee_at);
    m.thigh_length += 0.5 * norm(knee_at - hip_at);
    m.shank_length += 0.5 * norm(ankle_at - knee_at);
    const auto straight = [&](PlanarPart part, double bound) {
      part.centre = turned(part.centre, -bound);
      return part;
    };
    thighs[leg] = straight(sums[at].about(hip_at), character.bound[at]);
    shanks[leg] = straight(sums[at + 1].about(knee_at), character.bound[at + 1]);
    feet[leg] = sums[at + 2].about(ankle_at);
    // The sole's ends: the skin that lies farthest behind and ahead among what is near the ground.
    const Sole sole = sole_of(links, own.foot, placed, in_plane, ankle_at, norm(hip_at - ankle_at));
    m.heel += sole.heel * 0.5;
    m.toe += sole.toe * 0.5;
  }
  m.thigh = mean(thighs[0], thighs[1]);
  m.shank = mean(shanks[0], shanks[1]);
  m.foot = mean(feet[0], feet[1]);
  m.trunk = sums[planar_trunk].about(hip_place);
  if (!(m.thigh_length > 0 && m.shank_length > 0 && m.toe.z > m.heel.z && m.toe.z > 0))
    throw usage_error("The body has no legs to stride with: thighs, shanks and feet need a length.");
  for (const int arm : links.upper_arms) {
    const bool is_left = dot(placed.place[index(arm)] - placed.place[0], character.left) > 0;
    character.arms.push_back({arm, is_left ? 1 : 0});
  }
  return character;
}

TreePose pose_of_planar(const CharacterLinks& links, const PlanarCharacter& character, const PlanarPose& pose) {
  const JointTree& tree = links.body.tree;
  std::vector<double> turn(links.body.size());
  for (std::size_t k = 0; k < turn.size(); ++k)
    turn[k] = pose.angle[index(character.part[k])] - character.bound[index(character.part[k])];
  for (std::size_t leg = 0; leg < 2; ++leg) {
    const std::size_t foot = thigh_of(leg) + 2;
    for (std::size_t k = 0; k < turn.size(); ++k)
      if (character.part[k] == static_cast<int>(foot) && static_cast<int>(k) != character.legs[leg].foot)
        turn[k] = std::min(turn[k], 0.0);
  }
  for (const auto& [arm, leg] : character.arms) {
    const double swing = usual_arm_swing * pose.angle[thigh_of(index(leg))];
    for (std::size_t k = index(arm); k < turn.size(); ++k) {
      const auto hangs_on = [&](int link) {
        while (link > arm) link = tree.parent[index(link)];
        return link == arm;
      };
      if (hangs_on(static_cast<int>(k))) turn[k] = swing;
    }
  }
  std::vector<Quat> world(turn.size());
  TreePose result;
  result.local.resize(turn.size());
  for (std::size_t k = 0; k < turn.size(); ++k) {
    world[k] = normalized(rotation_exponential(character.left * turn[k]) * character.placed.rotation[k]);
    result.local[k] = k == 0 ? world[k] : normalized(conjugate(world[index(tree.parent[k])]) * world[k]);
  }
  // The hips' middle is where the planar body's hip is, the first link where that puts it.
  PlacedJoints at;
  place_joints(tree, result, at);
  const Vec3 middle = (at.place[index(character.legs[0].thigh)] + at.place[index(character.legs[1].thigh)]) * 0.5;
  const Vec3 rest = (character.placed.place[index(character.legs[0].thigh)] +
                     character.placed.place[index(character.legs[1].thigh)]) *
                    0.5;
  const Vec3 wanted = level(rest) + character.ahead * pose.z + Vec3{0, character.ground + pose.y, 0};
  result.root = result.root + (wanted - middle);
  return result;
}

}  // namespace sinew
