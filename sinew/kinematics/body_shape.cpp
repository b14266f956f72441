#include "sinew/kinematics/body_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double full_turn = 6.283185307179586;
const Vec3 shape_forward{0, 0, 1}, shape_left{1, 0, 0}, shape_up{0, 1, 0};

// The bone of the body that carries each joint: the joint itself, or the nearest above it; -1: none does.
std::vector<int> carrying_bone(const Skeleton& skeleton, const BodyBones& bones) {
  std::vector<char> is_bone(skeleton.joints.size(), 0);
  for (const int joint : joints_of(bones)) is_bone[index(joint)] = 1;
  std::vector<int> carrier(skeleton.joints.size(), -1);
  for (const int joint : skeleton.parents_first) {
    const int parent = skeleton.joints[index(joint)].parent;
    carrier[index(joint)] = is_bone[index(joint)] != 0 ? joint : parent >= 0 ? carrier[index(parent)] : -1;
  }
  return carrier;
}

// The joint at the top of the trunk.
int top_of_trunk(const BodyBones& bones) { return bones.neck.empty() ? bones.head : bones.neck.front(); }

}  // namespace

BodyShape::BodyShape(const RiggedBody& body, const AnatomicalFrames& frames, std::span<const SkinPoint> skin)
    : body_(body), frames_(frames) {
  const BodyBones& bones = body.bones;
  const auto place = [&](int joint) { return body.reference.position[index(joint)]; };
  const Vec3 up = frames.axes.column(1);
  if (top_of_trunk(bones) >= 0) {
    std::vector<int> joints{bones.pelvis >= 0 ? bones.pelvis : bones.root};
    for (const int joint : bones.spine)
      if (joint != joints.front()) joints.push_back(joint);
    set_axis(trunk, std::move(joints), place(top_of_trunk(bones)), shape_up, shape_left);
  }
  const std::vector<int> carrier = carrying_bone(*body.skeleton, bones);
  if (bones.head >= 0) {
    double top = 0;
    for (const SkinPoint& point : skin)
      if (carrier[index(point.joint)] == bones.head) top = std::max(top, dot(point.place - place(bones.head), up));
    set_axis(head, {bones.head}, place(bones.head) + top * up, shape_up, shape_left);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    const LimbBones& leg = bones.legs[side];
    set_axis(static_cast<Part>(left_thigh + side), {leg.upper}, place(leg.lower), -shape_up, shape_left);
    if (leg.end >= 0 || leg.marker >= 0)
      set_axis(static_cast<Part>(left_shin + side), {leg.lower}, place(leg.end_joint()), -shape_up, shape_left);
    const LimbBones& arm = bones.arms[side];
    const Vec3 outward = side == 0 ? shape_left : -shape_left;
    if (arm.upper < 0 || arm.lower < 0) continue;
    set_axis(static_cast<Part>(left_upper_arm + side), {arm.upper}, place(arm.lower), outward, shape_up);
    if (arm.end >= 0 || arm.marker >= 0)
      set_axis(static_cast<Part>(left_forearm + side), {arm.lower}, place(arm.end_joint()), outward, shape_up);
  }
  std::vector<int> part_of_joint(carrier.size(), -1);
  for (std::size_t joint = 0; joint < carrier.size(); ++joint)
    for (std::size_t part = 0; part < parts; ++part)
      if (std::count(axes_[part].joints.begin(), axes_[part].joints.end(), carrier[joint]) > 0)
        part_of_joint[joint] = static_cast<int>(part);
  for (std::size_t part = 0; part < parts; ++part)
    if (!set_radii(static_cast<Part>(part), skin, part_of_joint)) axes_[part] = {};
}

Quat BodyShape::frame(int joint, const PosedJoints& pose) const {
  return pose.rotation[index(joint)] * frames_.frame_to_joint[index(joint)];
}

// Leaves a part without an axis where that has no length.
void BodyShape::set_axis(Part part, std::vector<int> joints, const Vec3& end, const Vec3& up, const Vec3& aside) {
  constexpr double shortest = 1e-3;  // of the leg
  Axis axis;
  axis.up = up;
  axis.aside = aside;
  const PosedJoints pose{body_.reference.position, body_.reference.rotation};
  std::vector<double> lengths;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Vec3 to = k + 1 < joints.size() ? pose.position[index(joints[k + 1])] : end;
    const Vec3 piece = rotate(conjugate(frame(joints[k], pose)), to - pose.position[index(joints[k])]);
    if (!(dot(piece, up) > shortest * frames_.leg_length)) continue;  // bent back, or nothing
    axis.joints.push_back(joints[k]);
    axis.piece.push_back(piece);
    lengths.push_back(norm(piece));
  }
  double whole = 0, done = 0;
  for (const double length : lengths) whole += length;
  for (const double length : lengths) {
    axis.begin.push_back(done / whole);
    done += length;
  }
  axis.begin.push_back(1);
  axes_[part] = std::move(axis);
}

// The largest distance of the skin in each cell; cells without skin take the mean of their neighbours. Returns false
// where there are too few points.
bool BodyShape::set_radii(Part part, std::span<const SkinPoint> skin, std::span<const int> part_of_joint) {
  Axis& axis = axes_[part];
  std::array<std::array<double, sides>, rings> found{};
  const PosedJoints pose{body_.reference.position, body_.reference.rotation};
  std::size_t known = 0;
  for (const SkinPoint& point : skin) {
    if (part_of_joint[index(point.joint)] != static_cast<int>(part)) continue;
    const OnPiece at = on_piece(axis, point.place, pose);
    const double along = axis.begin[at.piece] + at.share * (axis.begin[at.piece + 1] - axis.begin[at.piece]);
    const double away = norm(at.away);
    if (!(along >= 0 && along < 1 && away > 0 && away < std::numeric_limits<double>::infinity())) continue;
    const double around = std::atan2(dot(at.away, axis.aside), dot(at.away, shape_forward)) / full_turn;
    const auto ring = static_cast<std::size_t>(along * rings);
    const auto side = static_cast<std::size_t>((around < 0 ? around + 1 : around) * sides) % sides;
    if (found[ring][side] == 0) ++known;
    found[ring][side] = std::max(found[ring][side], away);
  }
  constexpr std::size_t enough = sides;  // a few points tell no shape
  if (known < enough) return false;
  while (known < rings * sides) {
    const auto before = found;
    for (std::size_t ring = 0; ring < rings; ++ring)
      for (std::size_t side = 0; side < sides; ++side) {
        if (before[ring][side] > 0) continue;
        double sum = 0;
        int count = 0;
        const auto add = [&](std::size_t r, std::size_t s) {
          if (before[r][s] > 0) sum += before[r][s], ++count;
        };
        add(ring, (side + 1) % sides);
        add(ring, (side + sides - 1) % sides);
        if (ring > 0) add(ring - 1, side);
        if (ring + 1 < rings) add(ring + 1, side);
        if (count > 0) found[ring][side] = sum / count, ++known;
      }
  }
  axis.radius = found;
  return true;
}

// The piece of the axis nearest to the point.
BodyShape::OnPiece BodyShape::on_piece(const Axis& axis, const Vec3& point, const PosedJoints& pose) const {
  OnPiece best;
  double least = INFINITY;
  for (std::size_t k = 0; k < axis.joints.size(); ++k) {
    const Vec3 local = rotate(conjugate(frame(axis.joints[k], pose)), point - pose.position[index(axis.joints[k])]);
    const double share = dot(local, axis.up) / dot(axis.piece[k], axis.up);
    const bool first = k == 0, last = k + 1 == axis.joints.size();
    const double within = std::clamp(share, first ? share : 0.0, last ? share : 1.0);
    const Vec3 offset = local - within * axis.piece[k];
    if (norm(offset) >= least) continue;
    least = norm(offset);
    const double beyond = dot(offset, axis.up);
    best = {k, within, beyond, offset - beyond * axis.up};
  }
  return best;
}

double BodyShape::radius(const Axis& axis, double along, double around) const {
  const double ring = std::clamp(along * rings - 0.5, 0.0, rings - 1.0);
  const double turns = around / full_turn, side = (turns - std::floor(turns)) * sides - 0.5 + sides;
  const auto r = std::min(static_cast<std::size_t>(ring), rings - 2), s = static_cast<std::size_t>(side);
  const double up = ring - static_cast<double>(r), on = side - static_cast<double>(s);
  const auto at = [&](std::size_t a, std::size_t b) { return axis.radius[a][b % sides]; };
  return (1 - up) * ((1 - on) * at(r, s) + on * at(r, s + 1)) + up * ((1 - on) * at(r + 1, s) + on * at(r + 1, s + 1));
}

BodyShape::Place BodyShape::place_of(Part part, const Vec3& point, const PosedJoints& pose) const {
  const Axis& axis = axes_[part];
  const OnPiece at = on_piece(axis, point, pose);
  Place place;
  place.along = axis.begin[at.piece] + at.share * (axis.begin[at.piece + 1] - axis.begin[at.piece]);
  place.piece = at.piece;
  place.pieces = axis.joints.size();
  place.beyond = at.beyond;
  place.around = std::atan2(dot(at.away, axis.aside), dot(at.away, shape_forward));
  place.gap = norm(at.away) - radius(axis, place.along, place.around);
  return place;
}

Vec3 BodyShape::point_at(Part part, const Place& place, const PosedJoints& pose) const {
  const Axis& axis = axes_[part];
  std::size_t k = place.piece;
  if (place.pieces != axis.joints.size())
    for (k = 0; k + 1 < axis.joints.size() && place.along >= axis.begin[k + 1];) ++k;
  const double share = (place.along - axis.begin[k]) / (axis.begin[k + 1] - axis.begin[k]);
  const Vec3 away = std::cos(place.around) * shape_forward + std::sin(place.around) * axis.aside;
  const double distance = std::max(0.0, radius(axis, place.along, place.around) + place.gap);
  const Vec3 local = share * axis.piece[k] + place.beyond * axis.up + distance * away;
  return pose.position[index(axis.joints[k])] + rotate(frame(axis.joints[k], pose), local);
}

}  // namespace sinew
