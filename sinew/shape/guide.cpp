#include "sinew/shape/guide.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {
namespace {

constexpr Range any_turn = between(-360, 360);

constexpr ShapeParameter bone_parameters[] = {
    {"slide", {}, 0.5, between(-1, 2), "Place along the bone: 0 at its joint, 1 at its end"},
    {"distance", units::metres, 0, {}, "Distance from the bone"},
    {"orbit", units::degrees, 0, any_turn, "Side of the bone on which it is, about the bone; 0: in front"},
    {"spin", units::degrees, 0, any_turn, "Turns the template about the bone's direction"}};
constexpr ShapeParameter skin_parameters[] = {
    {"depth", units::metres, 0, {}, "Depth below the skin"},
    {"spin", units::degrees, 0, any_turn, "Turns the template about the skin's normal"}};
constexpr ShapeParameter free_parameters[] = {{"x", units::metres, 0, {}, "Place of its centre, rest space"},
                                              {"y", units::metres, 0, {}, "Place of its centre, rest space"},
                                              {"z", units::metres, 0, {}, "Place of its centre, rest space"},
                                              {"turn_x", units::degrees, 0, any_turn, "Turns it about x, first"},
                                              {"turn_y", units::degrees, 0, any_turn, "Turns it about y, after x"},
                                              {"turn_z", units::degrees, 0, any_turn, "Turns it about z, last"}};

// Cosine from which an axis is too near to a direction to say which way is across.
constexpr double too_near = 0.9;

Mat3 turn(const Vec3& axis, double angle_in_degrees) {
  return to_matrix(axis_angle(axis, angle_in_degrees * std::numbers::pi / 180));
}

// The unit vector across `along` that is nearest to `wanted`, or to `otherwise` where that is along it.
Vec3 across(const Vec3& along, const Vec3& wanted, const Vec3& otherwise) {
  const Vec3 chosen = std::abs(dot(along, wanted)) < too_near ? wanted : otherwise;
  return normalized(chosen - dot(chosen, along) * along);
}

Affine bone_anchor(const BoneSegment& segment) {
  Vec3 x = normalized(segment.tail - segment.head);
  if (!(norm(x) > 0)) x = {0, 1, 0};
  const Vec3 y = across(x, {0, 0, 1}, {0, 1, 0});
  return {Mat3::from_columns(x, y, cross(x, y)), segment.head};
}

void move_on_bone(const BoneSegment& segment, std::span<double> p, const Vec3& to) {
  constexpr double on_the_bone = 1e-9;  // metres: nearer than that it has no side
  const Vec3 way = transpose_times(bone_anchor(segment).linear, to - segment.head);
  const double length = distance(segment.head, segment.tail);
  if (length > 0) p[0] = std::clamp(way.x / length, bone_parameters[0].range.least, bone_parameters[0].range.most);
  p[1] = std::hypot(way.y, way.z);
  if (p[1] > on_the_bone) p[2] = std::atan2(way.z, way.y) * 180 / std::numbers::pi;
}

Affine skin_anchor(const Vec3& anchor, const TriangleMesh& skin) {
  const ClosestPoint nearest = BoundingVolumeHierarchy(skin).closest_point(anchor);
  if (nearest.triangle < 0) throw input_error("there is no skin for a guide to be on.");
  const Triangle& corners = skin.triangles[index(nearest.triangle)];
  // Normals of the corners, blended, turn smoothly as the guide slides over the skin.
  Vec3 y;
  for (const Triangle& t : skin.triangles) {
    const Vec3 area =
        area_vector(skin.positions[index(t[0])], skin.positions[index(t[1])], skin.positions[index(t[2])]);
    for (std::size_t k = 0; k < 3; ++k)
      if (std::find(t.begin(), t.end(), corners[k]) != t.end()) y += nearest.barycentric[k] * area;
  }
  y = normalized(y);
  if (!(norm(y) > 0)) throw input_error("the skin has no direction where the guide is; move it a little.");
  const Vec3 x = across(y, {0, 1, 0}, {0, 0, 1});
  return {Mat3::from_columns(x, y, cross(x, y)), nearest.point};
}

}  // namespace

std::span<const ShapeParameter> parameters_of(GuideKind kind) {
  switch (kind) {
    case GuideKind::bone:
      return bone_parameters;
    case GuideKind::skin:
      return skin_parameters;
    case GuideKind::free:
      break;
  }
  return free_parameters;
}

const Bone& bone_named(const SimulationSurface& surface, const std::string& name) {
  const auto found =
      std::find_if(surface.bones.begin(), surface.bones.end(), [&](const Bone& bone) { return bone.name == name; });
  if (found == surface.bones.end())
    throw input_error("there is no bone '" + name + "' that carries skin; `sinew info` lists the joints.");
  return *found;
}

const BoneSegment& main_segment(const Bone& bone) {
  return *std::max_element(bone.segments.begin(), bone.segments.end(), [](const BoneSegment& a, const BoneSegment& b) {
    return distance(a.head, a.tail) < distance(b.head, b.tail);
  });
}

void move_guide(Guide& guide, std::span<double> p, const Vec3& to, const SimulationSurface& surface) {
  switch (guide.kind) {
    case GuideKind::bone:
      return move_on_bone(main_segment(bone_named(surface, guide.bone)), p, to);
    case GuideKind::skin:
      guide.point = BoundingVolumeHierarchy(surface.rest).closest_point(to).point;
      return;
    case GuideKind::free:
      break;
  }
  for (std::size_t k = 0; k < 3; ++k) p[k] = to[k];
}

GuideAnchor::GuideAnchor(const Guide& guide, const SimulationSurface& surface) : kind_(guide.kind) {
  if (kind_ == GuideKind::bone) {
    const BoneSegment& segment = main_segment(bone_named(surface, guide.bone));
    anchor_ = bone_anchor(segment);
    along_ = segment.tail - segment.head;
  }
  if (kind_ == GuideKind::skin) anchor_ = skin_anchor(guide.point, surface.rest);
}

Affine GuideAnchor::frame(std::span<const double> p) const {
  switch (kind_) {
    case GuideKind::bone: {
      const Mat3 side = anchor_.linear * turn({1, 0, 0}, p[2]);
      return {side * turn({1, 0, 0}, p[3]), anchor_.translation + p[0] * along_ + p[1] * side.column(1)};
    }
    case GuideKind::skin:
      return {anchor_.linear * turn({0, 1, 0}, p[1]), anchor_.translation - p[0] * anchor_.linear.column(1)};
    case GuideKind::free:
      break;
  }
  return {turn({0, 0, 1}, p[5]) * turn({0, 1, 0}, p[4]) * turn({1, 0, 0}, p[3]), {p[0], p[1], p[2]}};
}

Affine guide_frame(const Guide& guide, std::span<const double> p, const SimulationSurface& surface) {
  return GuideAnchor(guide, surface).frame(p);
}

}  // namespace sinew
