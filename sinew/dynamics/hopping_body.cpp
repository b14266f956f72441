#include "sinew/dynamics/hopping_body.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/gait.h"
#include "sinew/dynamics/rigid_body_engine.h"
#include "sinew/dynamics/units.h"
#include "sinew/kinematics/two_bone.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double lifted_thigh = 0.6, lifted_knee = 1.7;  // of the other leg, radians
constexpr double begins_above = 0.1;                     // height of the foot at first, share of the leg
constexpr double level_below = 0.12;                     // share of the leg over the ground under which a foot is level
constexpr double stands_below = 0.003;                   // height of a foot that stands, share of the leg
constexpr double hopping_step = 1.0 / 2000;              // seconds; the ankle is light beside the trunk
constexpr double error_of_heavy_leg = 0.15;              // Hop::ahead_by_error; a leg is a sixth of a person
constexpr double back_to_line = 0.3;                     // speed aside for each metre from the line, 1/s
constexpr double most_hopping_lean = 1.0;                // radians
constexpr double most_hopping_seconds = 600;

double smooth(double t) { return t * t * (3 - 2 * t); }

double heading_of(const TreePose& pose) { return twist_angle(pose.local[0], {0, 1, 0}); }

// A turn in model space that a link takes before the one that it has.
void turn_link(const JointTree& tree, const PlacedJoints& placed, int link, const Quat& turn, TreePose& pose) {
  const int above = tree.parent[index(link)];
  pose.local[index(link)] = normalized(conjugate(placed.rotation[index(above)]) * turn * placed.rotation[index(link)]);
}

bool is_part_of_foot(const CharacterLinks& links, int link, int foot) {
  return link == foot || (links.foot[index(link)] && links.body.tree.parent[index(link)] == foot);
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

Vec3 foot_of(const ArticulatedBody& body, const TreePose& pose) {
  PlacedJoints placed;
  place_joints(body.tree, pose, placed);
  return placed(2, body.skin_points[2][0]);
}

// A frame of the body of three links.
struct HoppingFrame {
  TreePose pose;
  Vec3 foot;           // the point that stands
  double heading = 0;  // radians
  bool stands = false;
};

// How feet move in each frame so that they stay as they are in the middle of each stance, and between stances from the
// one to the other.
std::vector<FootMove> moves_of_foot(const std::vector<HoppingFrame>& frames) {
  std::vector<FootMove> moves(frames.size());
  std::size_t left = 0;  // the last frame on the ground
  for (std::size_t begin = 0; begin < frames.size();) {
    std::size_t end = begin + 1;
    while (end < frames.size() && frames[end].stands == frames[begin].stands) ++end;
    if (frames[begin].stands) {
      const HoppingFrame& middle = frames[(begin + end) / 2];
      for (std::size_t f = begin; f < end; ++f)
        moves[f] = {level(middle.foot - frames[f].foot), middle.heading - frames[f].heading};
      const FootMove first = moves[left], last = moves[begin];
      for (std::size_t f = left + 1; f < begin; ++f) {
        const double t = smooth(static_cast<double>(f - left) / static_cast<double>(begin - left));
        moves[f] = {first.by + (last.by - first.by) * t, first.turn + (last.turn - first.turn) * t};
      }
      left = end - 1;
    }
    begin = end;
  }
  for (std::size_t f = left + 1; f < frames.size(); ++f) moves[f] = moves[left];
  return moves;
}

void check_hopping(const HoppingOptions& options) {
  if (!(options.seconds > 0 && options.seconds <= most_hopping_seconds))
    throw usage_error("--seconds: hopping lasts more than 0 and at most 600 seconds.");
  if (!(std::abs(options.speed) <= 10)) throw usage_error("--speed: a body hops at 10 m/s at most.");
}

}  // namespace

HoppingBody hopping_body(const CharacterLinks& links, const TreePose& standing) {
  const GaitControl walk(links, standing, Gait{}, 0);
  HoppingBody hopping;
  hopping.upright = walk.standing();
  hopping.ahead = walk.ahead();
  hopping.left = cross({0, 1, 0}, hopping.ahead);
  PlacedJoints placed;
  const JointTree& tree = links.body.tree;
  place_joints(tree, hopping.upright, placed);
  std::vector<LegLinks> legs = legs_of(links);
  const auto side = [&](const LegLinks& leg) { return dot(placed.place[index(leg.thigh)], hopping.left); };
  if (side(legs[0]) > side(legs[1])) std::swap(legs[0], legs[1]);
  hopping.leg = legs[0];  // the right one
  const FootSole sole = sole_of(links, hopping.leg.foot, placed);
  hopping.sole = sole.from_ankle;
  hopping.foot_radius = sole.radius;
  stretch_and_lift(links, legs[1], hopping);
  place_joints(tree, hopping.upright, placed);

  const LegLinks& leg = hopping.leg;
  const std::vector<char> whole_leg = below(tree, leg.thigh), shin = below(tree, leg.shin);
  std::vector<char> trunk(tree.size()), thigh(tree.size());
  for (std::size_t k = 0; k < tree.size(); ++k) {
    trunk[k] = !whole_leg[k];
    thigh[k] = whole_leg[k] && !shin[k];
  }
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
  const double up = std::clamp((stands_at.y - ground) / (level_below * length), 0.0, 1.0);
  const Quat heading = axis_angle({0, 1, 0}, heading_of(pose));
  const Vec3 off = rotation_logarithm(normalized(three.rotation[2] * conjugate(heading)));
  const Quat foot = rotation_exponential(off * smooth(up)) * axis_angle({0, 1, 0}, move.turn) * heading;
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

Hopping hop_along(const CharacterLinks& links, const HoppingBody& hopping, const HoppingOptions& options,
                  const Progress& progress) {
  check_hopping(options);
  Hop hop;
  hop.velocity = hopping.ahead * options.speed;
  hop.foot_radius = hopping.foot_radius;
  hop.ahead_by_error = error_of_heavy_leg;
  HopControl control(hopping.body, hop, hopping.left);
  EngineOptions engine_options;
  engine_options.step = hopping_step;
  engine_options.ground = options.ground;
  engine_options.inertia_added = inertia_added(control.drives(), engine_options.step);
  RigidBodyEngine engine(hopping.body, engine_options);
  const double leg = norm(hopping.body.tree.offset[2]) + norm(hopping.body.skin_points[2][0]);
  BodyState state = control.beginning(options.ground, begins_above * leg);
  state.pose.root += level(hopping.upright.root);
  engine.set_state(state);

  Hopping result;
  std::vector<HoppingFrame> frames;
  std::vector<Vec3> torque(hopping.body.size());
  const auto steps = std::lround(options.seconds / hopping_step);
  const long of_frame = std::max(1L, std::lround(1 / (options.frames_per_second * hopping_step)));
  Vec3 half_way;
  double half_time = 0;
  for (long s = 0; s <= steps; ++s) {
    const double time = static_cast<double>(s) * hopping_step;
    const TreePose& pose = engine.state().pose;
    if (s % of_frame == 0) {
      result.times.push_back(time);
      const Vec3 foot = foot_of(hopping.body, pose);
      frames.push_back({pose, foot, heading_of(pose), foot.y < options.ground + stands_below * leg});
      const Vec3 way = pose.root - level(hopping.upright.root);
      result.aside = std::max(result.aside, std::abs(dot(way, hopping.left)));
      if (2 * s <= steps) {
        half_way = pose.root;
        half_time = time;
      } else {
        result.speed = dot(pose.root - half_way, hopping.ahead) / (time - half_time);
      }
      report_or_stop(progress, "hopping", static_cast<double>(s) / static_cast<double>(steps + 1));
    }
    if (std::acos(std::clamp(rotate(pose.local[0], {0, 1, 0}).y, -1.0, 1.0)) > most_hopping_lean) {
      result.fell = time;
      break;
    }
    const double aside = dot(pose.root - hopping.upright.root, hopping.left);
    control.want(hopping.ahead * options.speed - hopping.left * std::clamp(back_to_line * aside, -0.2, 0.2));
    control.torques(engine.state(), norm(engine.ground_forces()[2]), hopping_step, torque);
    if (s < steps) engine.step(torque, {});
  }
  const std::vector<FootMove> moves = moves_of_foot(frames);
  for (std::size_t f = 0; f < frames.size(); ++f)
    result.poses.push_back(pose_of_hopping(links, hopping, frames[f].pose, options.ground, moves[f]));
  result.phases = control.phases();
  return result;
}

}  // namespace sinew
