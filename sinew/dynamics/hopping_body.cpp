#include "sinew/dynamics/hopping_body.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"
#include "sinew/dynamics/gait.h"
#include "sinew/dynamics/units.h"
#include "sinew/kinematics/two_bone.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double lifted_thigh = 0.6, lifted_knee = 1.7;  // of the other leg, radians
constexpr double level_below = 0.12;                     // share of the leg over the ground under which a foot is level

// A turn in model space that a link takes before the one that it has.
void turn_link(const JointTree& tree, const PlacedJoints& placed, int link, const Quat& turn, TreePose& pose) {
  const int above = tree.parent[index(link)];
  pose.local[index(link)] = normalized(conjugate(placed.rotation[index(above)]) * turn * placed.rotation[index(link)]);
}

struct FootSole {
  Vec3 from_ankle;    // to the lowest skin under the middle of the foot, model space, metres
  double radius = 0;  // mean distance of its skin from the middle, level, metres
};

FootSole sole_of(const CharacterLinks& links, int foot, const PlacedJoints& placed) {
  std::vector<Vec3> skin;
  for (std::size_t k = 0; k < links.body.size(); ++k) {
    if (!is_part_of_foot(links, static_cast<int>(k), foot)) continue;
    for (const Vec3& point : links.body.skin_points[k]) skin.push_back(placed(static_cast<int>(k), point));
  }
  Vec3 middle;
  for (const Vec3& at : skin) middle += at / static_cast<double>(skin.size());
  FootSole sole;
  for (const Vec3& at : skin) {
    middle.y = std::min(middle.y, at.y);
    sole.radius += norm(level(at - middle)) / static_cast<double>(skin.size());
  }
  sole.from_ankle = middle - placed.place[index(foot)];
  return sole;
}

// The pose in which the leg that hops hangs straight from its hip to its sole, and the other one is lifted.
void stretch_and_lift(const CharacterLinks& links, const LegLinks& lifted, HoppingBody& hopping) {
  const JointTree& tree = links.body.tree;
  const LegLinks& leg = hopping.leg;
  const Vec3 down{0, -1, 0};
  PlacedJoints placed;
  place_joints(tree, hopping.upright, placed);
  const Quat foot = placed.rotation[index(leg.foot)];
  const auto turn = [&](int link, const Quat& by) {
    turn_link(tree, placed, link, by, hopping.upright);
    place_joints(tree, hopping.upright, placed);
  };
  turn(leg.thigh, shortest_turn(normalized(placed.place[index(leg.shin)] - placed.place[index(leg.thigh)]), down));
  // The foot stays level; the shin turns until the way from the knee to the sole, not to the ankle, hangs straight.
  for (int round = 0; round < 8; ++round) {
    turn(leg.foot, foot * conjugate(placed.rotation[index(leg.foot)]));
    const Vec3 sole = placed.place[index(leg.foot)] + hopping.sole;
    turn(leg.shin, shortest_turn(normalized(sole - placed.place[index(leg.shin)]), down));
  }
  turn(leg.foot, foot * conjugate(placed.rotation[index(leg.foot)]));
  turn(lifted.thigh, rotation_exponential(hopping.left * -lifted_thigh));
  turn(lifted.shin, rotation_exponential(hopping.left * lifted_knee));
}

// Links that move as one, as one link with its axes those of model space and its joint at `place`.
void add_merged(const CharacterLinks& links, const PlacedJoints& placed, const std::vector<char>& chosen,
                const Vec3& place, const char* name, ArticulatedBody& body) {
  const JointTree& tree = links.body.tree;
  double mass = 0;
  Vec3 centre;
  for (std::size_t k = 0; k < links.body.size(); ++k) {
    if (!chosen[k]) continue;
    mass += tree.mass[k];
    centre += tree.mass[k] * placed(static_cast<int>(k), tree.mass_centre[k]);
  }
  centre = centre / mass;
  Mat3 inertia = 0.0 * Mat3::identity();
  for (std::size_t k = 0; k < links.body.size(); ++k) {
    if (!chosen[k]) continue;
    const Mat3 turn = to_matrix(placed.rotation[k]);
    const Vec3 from = placed(static_cast<int>(k), tree.mass_centre[k]) - centre;
    // The parallel axis theorem (Steiner).
    inertia = inertia + turn * links.body.inertia[k] * transpose(turn) +
              tree.mass[k] * (squared_norm(from) * Mat3::identity() - outer(from, from));
  }
  body.tree.mass.push_back(mass);
  body.tree.mass_centre.push_back(centre - place);
  body.inertia.push_back(inertia);
  body.name.push_back(name);
  body.joint.push_back(-1);
  body.capsule.push_back({});
  body.skin_points.push_back({});
}

std::vector<char> below(const JointTree& tree, int top) {
  std::vector<char> chosen(tree.size());
  for (std::size_t k = index(top); k < tree.size(); ++k)
    chosen[k] = static_cast<int>(k) == top || (tree.parent[k] >= top && chosen[index(tree.parent[k])]);
  return chosen;
}

}  // namespace

double hop_heading(const TreePose& pose) { return twist_angle(pose.local[0], {0, 1, 0}); }

HoppingBody hopping_body(const CharacterLinks& links, const TreePose& standing) {
  const GaitControl walk(links, standing, Gait{}, 0);
  HoppingBody hopping;
  hopping.upright = walk.standing();
  hopping.ahead = walk.ahead();
  hopping.left = cross({0, 1, 0}, hopping.ahead);
  PlacedJoints placed;
  const JointTree& tree = links.body.tree;
  place_joints(tree, hopping.upright, placed);
  hopping.leg = walk.legs()[1];  // the right one
  const FootSole sole = sole_of(links, hopping.leg.foot, placed);
  hopping.sole = sole.from_ankle;
  hopping.foot_radius = sole.radius;
  stretch_and_lift(links, walk.legs()[0], hopping);
  place_joints(tree, hopping.upright, placed);

  const LegLinks& leg = hopping.leg;
  const std::vector<char> whole_leg = below(tree, leg.thigh), shin = below(tree, leg.shin);
  std::vector<char> trunk(tree.size()), thigh(tree.size());
  for (std::size_t k = 0; k < tree.size(); ++k) {
    trunk[k] = !whole_leg[k];
    thigh[k] = whole_leg[k] && !shin[k];
  }
  if (!(distance(placed.place[index(leg.thigh)], placed.place[index(leg.shin)]) > 0 &&
        distance(placed.place[index(leg.shin)], placed.place[index(leg.foot)]) > 0))
    throw usage_error("A leg that hops needs a thigh and a shin that are longer than 0.");
  const Vec3 root = placed.place[0], hip = placed.place[index(leg.thigh)], knee = placed.place[index(leg.shin)];
  ArticulatedBody& body = hopping.body;
  body.tree.parent = {-1, 0, 1};
  body.tree.offset = {{}, hip - root, knee - hip};
  add_merged(links, placed, trunk, root, "trunk", body);
  add_merged(links, placed, thigh, hip, "thigh", body);
  add_merged(links, placed, shin, knee, "shin", body);
  body.skin_points[2] = {placed.place[index(leg.foot)] + hopping.sole - knee};
  return hopping;
}

TreePose pose_of_hopping(const CharacterLinks& links, const HoppingBody& hopping, const TreePose& pose, double ground,
                         const FootMove& move) {
  const JointTree& tree = links.body.tree;
  const LegLinks& leg = hopping.leg;
  PlacedJoints upright, three, placed;
  place_joints(tree, hopping.upright, upright);
  place_joints(hopping.body.tree, pose, three);
  TreePose result = hopping.upright;
  result.root = pose.root;
  result.local[0] = normalized(pose.local[0] * hopping.upright.local[0]);
  place_joints(tree, result, placed);
  const auto set = [&](int link, const Quat& rotation) {
    const int above = tree.parent[index(link)];
    result.local[index(link)] = normalized(conjugate(placed.rotation[index(above)]) * rotation);
    place_joints(tree, result, placed);
  };
  set(leg.thigh, three.rotation[1] * upright.rotation[index(leg.thigh)]);
  set(leg.shin, three.rotation[2] * upright.rotation[index(leg.shin)]);

  // The foot is level near the ground and turns with the shin above.
  const Vec3 stands_at = three(2, hopping.body.skin_points[2][0]);
  const double length = norm(hopping.body.tree.offset[2]) + norm(hopping.body.skin_points[2][0]);
  const double up = (stands_at.y - ground) / (level_below * length);
  const Quat heading = axis_angle({0, 1, 0}, hop_heading(pose));
  const Vec3 off = rotation_logarithm(normalized(three.rotation[2] * conjugate(heading)));
  const Quat foot = rotation_exponential(off * smooth_step(up)) * axis_angle({0, 1, 0}, move.turn) * heading;
  const Vec3 ankle = stands_at + move.by - rotate(foot, hopping.sole);
  const TwoBonePose bent =
      solve_two_bones({placed.place[index(leg.thigh)], placed.place[index(leg.shin)], placed.place[index(leg.foot)]},
                      {ankle, {}, rotate(three.rotation[0], hopping.left), false, 1});
  const Quat thigh = bent.root * placed.rotation[index(leg.thigh)],
             shin = bent.middle * placed.rotation[index(leg.shin)];
  set(leg.thigh, thigh);
  set(leg.shin, shin);
  set(leg.foot, foot * upright.rotation[index(leg.foot)]);
  return result;
}

}  // namespace sinew
