#include "sinew/kinematics/line_of_action.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/body_bones.h"
#include "sinew/kinematics/body_lines.h"
#include "sinew/kinematics/pose_solver.h"
#include "sinew/kinematics/posed_tree.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr int passes = 8;                // over the line: more than one is needed for an eye that is near
constexpr double turned_enough = 1e-12;  // radians: a smaller turn ends the passes
constexpr double met_within = 1e-5;      // of the length of all bones, for pins
constexpr double root_freedom = 0.1;     // of the first bone to be displaced, beside joints of limbs
constexpr int pin_iterations = 60;

// A line of the body in the tree that is posed, with the direction in which each piece is to be seen.
struct GoalPiece {
  int from = 0, to = 0, carrier = 0;  // indices into the tree
  Vec3 direction;                     // in the picture, unit length; zero: any
  double weight = 0;                  // its length in the picture
};

// The line without what is beyond pinned joints: a foot that stands keeps its toes where they are.
BodyLine cut_at_pins(BodyLine line, std::span<const JointPlace> pins) {
  for (const JointPlace& pin : pins) {
    const auto found = std::find(line.joints.begin(), line.joints.end(), pin.joint);
    const auto at = static_cast<std::size_t>(found - line.joints.begin());
    if (found == line.joints.end() || at == line.top) continue;
    if (at < line.top) {
      line.joints.erase(line.joints.begin(), found);
      line.top -= at;
    } else {
      line.joints.erase(found + 1, line.joints.end());
    }
  }
  return line;
}

// Pieces of the line that pins have left of `whole_line`, of which each keeps its share of the stroke.
std::vector<GoalPiece> goal_pieces(const BodyLine& whole_line, const BodyLine& line, std::span<const int> joints,
                                   const Pose& pose, const PicturePlane& plane, const Polyline& stroke) {
  const auto in_tree = [&](int joint) { return index_in(joints, joint); };
  const auto seen = [&](int joint) { return plane.seen(pose.world[index(joint)].translation); };
  std::vector<GoalPiece> pieces;
  double whole = 0;
  for (const LinePiece& piece : pieces_of(whole_line)) {
    pieces.push_back({in_tree(piece.from),
                      in_tree(piece.to),
                      in_tree(piece.carrier),
                      {},
                      distance(seen(piece.from), seen(piece.to))});
    whole += pieces.back().weight;
  }
  if (!(whole > 0)) return pieces;
  double share = 0;
  for (GoalPiece& piece : pieces) {
    const Vec3 begin = stroke.at(share * stroke.length());
    share += piece.weight / whole;
    const Vec3 chord =
        (&piece == &pieces.back() ? stroke.at(stroke.length()) : stroke.at(share * stroke.length())) - begin;
    if (norm(chord) > 1e-9 * stroke.length()) piece.direction = normalized(chord);
  }
  const auto is_left = [&](int in_whole) {
    return in_whole < static_cast<int>(joints.size()) &&
           std::find(line.joints.begin(), line.joints.end(), joints[index(in_whole)]) != line.joints.end();
  };
  std::erase_if(pieces, [&](const GoalPiece& piece) { return !is_left(piece.from) || !is_left(piece.to); });
  return pieces;
}

// A joint's rotation in the world turned about an axis of the world, within the joint's limits.
void turn_joint(const JointTree& tree, int joint, const Quat& turn, const PlacedJoints& placed, TreePose& pose) {
  const int parent = tree.parent[index(joint)];
  const Quat world = turn * placed.rotation[index(joint)];
  const Quat local = parent < 0 ? world : conjugate(placed.rotation[index(parent)]) * world;
  pose.local[index(joint)] = within_limits(tree, index(joint), normalized(local));
}

double turn_left(const GoalPiece& piece, const PicturePlane& plane, const PlacedJoints& placed) {
  if (piece.direction == Vec3{}) return 0;
  // A piece that is carried by its end is turned about this.
  const bool backward = piece.carrier == piece.to;
  const Vec3 &from = placed.place[index(backward ? piece.to : piece.from)],
             &to = placed.place[index(backward ? piece.from : piece.to)];
  return plane.turn_to(backward ? -piece.direction : piece.direction, from, to - from);
}

// Turns the joints of the line, those nearest to the root first, until each piece is seen along its direction.
void follow(const std::vector<GoalPiece>& pieces, const PicturePlane& plane, const JointTree& tree, TreePose& pose) {
  std::vector<const GoalPiece*> ordered;
  for (const GoalPiece& piece : pieces) ordered.push_back(&piece);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const GoalPiece* a, const GoalPiece* b) { return a->carrier < b->carrier; });
  PlacedJoints placed;
  for (int pass = 0; pass < passes; ++pass) {
    double most = 0;
    for (const GoalPiece* piece : ordered) {
      place_joints(tree, pose, placed);
      const double angle = turn_left(*piece, plane, placed);
      if (std::abs(angle) < turned_enough) continue;
      most = std::max(most, std::abs(angle));
      turn_joint(tree, piece->carrier, axis_angle(plane.normal, angle), placed, pose);
    }
    if (most < turned_enough) break;
  }
}

double mean_left(const std::vector<GoalPiece>& pieces, const PicturePlane& plane, const JointTree& tree,
                 const TreePose& pose) {
  PlacedJoints placed;
  place_joints(tree, pose, placed);
  double sum = 0, whole = 0;
  for (const GoalPiece& piece : pieces) {
    sum += piece.weight * std::abs(turn_left(piece, plane, placed));
    whole += piece.weight;
  }
  return whole > 0 ? sum / whole : 0;
}

// Brings pinned joints back to their places, at first without a change of the line. Returns the largest distance left.
double hold_pins(std::vector<PoseGoal> goals, const std::vector<GoalPiece>& pieces, const JointTree& tree,
                 TreePose& pose) {
  if (goals.empty()) return 0;
  double size = 0;
  for (const Vec3& offset : tree.offset) size += norm(offset);
  PlacedJoints placed;
  place_joints(tree, pose, placed);
  std::vector<double> freedom(tree.size(), 1), in_line = freedom;
  // Joints above the line carry it, and those of the line hold its shape.
  for (const GoalPiece& piece : pieces)
    for (int j = piece.carrier; j >= 0; j = tree.parent[index(j)]) in_line[index(j)] = 0;
  // A line with a pin goes along with it.
  const auto on_line = std::find_if(goals.begin(), goals.end(), [&](const PoseGoal& goal) {
    return std::any_of(pieces.begin(), pieces.end(),
                       [&](const GoalPiece& piece) { return piece.from == goal.joint || piece.to == goal.joint; });
  });
  // Feet that hang elsewhere would go along with the whole skeleton.
  const bool stays = std::any_of(goals.begin(), goals.end(), [](const PoseGoal& goal) { return goal.point != Vec3{}; });
  if (on_line != goals.end() && !stays) pose.root += on_line->target - placed.place[index(on_line->joint)];

  // Turns of joints above the line only displace the body, which the root does already.
  int top = static_cast<int>(tree.size());
  for (const GoalPiece& piece : pieces) top = std::min(top, piece.carrier);
  if (!pieces.empty())
    for (int j = tree.parent[index(top)]; j >= 0; j = tree.parent[index(j)]) freedom[index(j)] = 0;

  const std::size_t pins = goals.size();
  const TreePose along_line = pose;
  double missed = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (attempt == 2) {  // the line gives way
      pose = along_line;
      place_joints(tree, pose, placed);
      for (const GoalPiece& piece : pieces) {
        PoseGoal goal;
        goal.kind = GoalKind::orientation;
        goal.joint = piece.carrier;
        goal.rotation = placed.rotation[index(piece.carrier)];
        goal.priority = 2;
        goals.push_back(goal);
      }
    }
    const PoseSolverOptions options{attempt < 2 ? in_line : freedom, attempt == 0 || stays ? 0 : root_freedom,
                                    pin_iterations};
    const PoseSolution solution = solve_pose(tree, goals, options, pose);
    missed = 0;
    for (std::size_t g = 0; g < pins; ++g)
      if (goals[g].kind == GoalKind::position) missed = std::max(missed, solution.missed[g]);
    if (missed <= met_within * size) break;
  }
  return missed;
}

}  // namespace

PicturePlane plane_of(const DrawnLine& drawn) {
  if (drawn.points.size() < 2 || !(norm(drawn.normal) > 0)) throw usage_error("A line needs two points and a plane.");
  const PicturePlane plane{drawn.points.front(), normalized(drawn.normal), drawn.eye};
  if (drawn.eye && !(plane.height(*drawn.eye) > 0)) throw usage_error("The eye is behind the plane of the line.");
  return plane;
}

Polyline stroke_of(const DrawnLine& drawn, const PicturePlane& plane) {
  std::vector<Vec3> points;
  for (const Vec3& point : drawn.points) points.push_back(point - plane.normal * plane.height(point));
  Polyline stroke(std::move(points));
  if (!(stroke.length() > 0)) throw usage_error("The line has no length.");
  return stroke;
}

LineOfAction line_of_action(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose,
                            const DrawnLine& drawn, const LineOptions& options) {
  const PicturePlane plane = plane_of(drawn);
  const Polyline stroke = stroke_of(drawn, plane);
  if (options.through >= 0) check_bone(bone, options.through);
  for (const JointPlace& pin : options.pinned) check_bone(bone, pin.joint);
  const BodyLine whole = line_under(skeleton, bone, pose, plane, stroke, options.through);
  if (whole.joints.empty()) throw usage_error("The character has no line of bones that could follow a stroke there.");
  const BodyLine line = cut_at_pins(whole, options.pinned);

  const int first = first_bone(skeleton, bone, line.joints[line.top]);
  std::vector<int> ends{line.joints.front(), line.joints.back()};
  std::vector<JointPlace> pins;
  for (const JointPlace& pin : options.pinned) {
    if (!descends_from(skeleton, pin.joint, first)) continue;  // what is not connected stays
    ends.push_back(pin.joint);
    pins.push_back(pin);
  }
  const std::vector<int> joints = joints_between(skeleton, first, ends);
  PosedTree posed = posed_tree(skeleton, pose, joints);
  if (!options.limits.empty())
    for (const int joint : joints)
      posed.tree.limits.push_back(joint == first ? std::nullopt : options.limits[index(joint)]);
  const TreePose before = posed.pose;
  const std::vector<GoalPiece> pieces = goal_pieces(whole, line, joints, pose, plane, stroke);
  follow(pieces, plane, posed.tree, posed.pose);
  LineOfAction result;
  result.missed = hold_pins(pin_goals(pins, joints, pose, 0), pieces, posed.tree, posed.pose);
  result.off = mean_left(pieces, plane, posed.tree, posed.pose);
  result.joints = line.joints;
  result.turned = turned_joints(skeleton, pose, joints, before, posed.pose);
  result.moved = posed.pose.root - before.root;
  return result;
}

}  // namespace sinew
