#include "sinew/rigging/mirror_joints.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

namespace sinew {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words{
    {{"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}}};
constexpr std::array<std::pair<char, char>, 2> letters{{{'l', 'r'}, {'L', 'R'}}};
constexpr std::string_view separators = "._- ";

std::optional<std::string> with_other_word(const std::string& name) {
  for (const auto& [left, right] : words)
    for (const auto& [from, to] : {std::pair(left, right), std::pair(right, left)})
      if (const std::size_t at = name.find(from); at != std::string::npos) {
        std::string other = name;
        return other.replace(at, from.size(), to);
      }
  return std::nullopt;
}

// Replaces the letter at `at`, which must be separated from the rest by a separator at `beside`.
std::optional<std::string> with_other_letter(const std::string& name, std::size_t at, std::size_t beside) {
  if (separators.find(name[beside]) == std::string_view::npos) return std::nullopt;
  for (const auto& [left, right] : letters) {
    std::string other = name;
    other[at] = name[at] == left ? right : left;
    if (name[at] == left || name[at] == right) return other;
  }
  return std::nullopt;
}

double coordinate(const Vec3& position, MirrorAxis axis) { return axis == MirrorAxis::x ? position.x : position.z; }

bool is_beside(const PlacedJoint& joint, const MirrorPlane& plane) {
  return std::abs(coordinate(joint.position, plane.axis) - plane.at) > plane.tolerance;
}

// Looking along +z with y up, +x is on the left; looking along +x, -z is.
bool is_on_left(const PlacedJoint& joint, const MirrorPlane& plane) {
  const double away = coordinate(joint.position, plane.axis) - plane.at;
  return plane.axis == MirrorAxis::x ? away > 0 : away < 0;
}

void name_sides(std::vector<PlacedJoint>& joints, const MirrorPlane& plane) {
  std::map<std::string, std::string> renamed;
  for (PlacedJoint& joint : joints) {
    if (!is_beside(joint, plane) || other_side(joint.name)) continue;
    const std::string name = joint.name + (is_on_left(joint, plane) ? ".L" : ".R");
    renamed[joint.name] = name;
    joint.name = name;
  }
  for (PlacedJoint& joint : joints)
    if (const auto found = renamed.find(joint.parent); found != renamed.end()) joint.parent = found->second;
}

}  // namespace

Vec3 mirror_image(Vec3 position, const MirrorPlane& plane) {
  double& across = plane.axis == MirrorAxis::x ? position.x : position.z;
  across = 2 * plane.at - across;
  return position;
}

Vec3 centred(Vec3 position, const MirrorPlane& plane, double reach) {
  double& across = plane.axis == MirrorAxis::x ? position.x : position.z;
  if (plane.axis != MirrorAxis::none && std::abs(across - plane.at) <= reach) across = plane.at;
  return position;
}

std::optional<std::string> other_side(const std::string& name) {
  if (std::optional<std::string> other = with_other_word(name)) return other;
  if (name.size() < 3) return std::nullopt;
  if (std::optional<std::string> other = with_other_letter(name, name.size() - 1, name.size() - 2)) return other;
  return with_other_letter(name, 0, 1);
}

std::vector<PlacedJoint> mirrored_joints(std::vector<PlacedJoint> joints, const MirrorPlane& plane,
                                         const std::string& file) {
  check_joints(joints, file);
  if (plane.axis == MirrorAxis::none) return joints;
  name_sides(joints, plane);
  std::map<std::string, bool> beside;
  for (const PlacedJoint& joint : joints) beside[joint.name] = is_beside(joint, plane);
  const std::size_t placed = joints.size();
  for (std::size_t j = 0; j < placed; ++j) {
    const PlacedJoint& joint = joints[j];
    const std::string partner = other_side(joint.name).value_or("");
    if (!beside.at(joint.name) || beside.contains(partner)) continue;
    const bool follows_partner = !joint.parent.empty() && beside.at(joint.parent);
    PlacedJoint mirrored{partner, follows_partner ? *other_side(joint.parent) : joint.parent,
                         mirror_image(joint.position, plane)};
    joints.push_back(std::move(mirrored));
  }
  check_joints(joints, file);
  return joints;
}

}  // namespace sinew
