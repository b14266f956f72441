#include "sinew/deform/collider_settings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr Word<ColliderShape> shapes[] = {{"plane", ColliderShape::plane},
                                          {"sphere", ColliderShape::sphere},
                                          {"capsule", ColliderShape::capsule},
                                          {"box", ColliderShape::box},
                                          {"mesh", ColliderShape::mesh}};

// Whether a collider has one of these shapes.
template <ColliderShape... shapes>
constexpr auto has_shape = [](const ColliderSettings& c) { return ((c.shape == shapes) || ...); };

// Default rounding of a box relative to its least side: sharp edges would abruptly rotate flesh that slides
// over them.
constexpr double usual_rounding = 0.1;
// Sine of the least angle between a box's front and its upward direction.
constexpr double least_turn = 1e-6;

double least_side(const ColliderSettings& box) { return std::min({box.width, box.height, box.depth}); }

bool has_sides(const ColliderSettings& box) {
  return norm(cross(box.up, box.front)) > least_turn * norm(box.up) * norm(box.front);
}

// Right-handed columns: across, up, and out of the front. Those of a scaled or sheared joint are at right angles too.
Mat3 box_axes(const Vec3& up, const Vec3& front) {
  const Vec3 forward = normalized(front), across = normalized(cross(up, forward));
  return Mat3::from_columns(across, cross(forward, across), forward);
}

BoxCollider box_collider(const ColliderSettings& box, const Affine& motion, double scale) {
  const Vec3 half = 0.5 * scale * Vec3{box.width, box.height, box.depth};
  const double rounding = scale * box.rounding.value_or(usual_rounding * least_side(box));
  return {motion * box.point, box_axes(motion.linear * box.up, motion.linear * box.front), half,
          std::min({rounding, half.x, half.y, half.z})};
}

void add_collider(const ColliderSettings& collider, const std::shared_ptr<const SolidMesh>& solid, const Affine& motion,
                  Colliders& colliders) {
  const double scale = std::cbrt(std::abs(determinant(motion.linear)));
  switch (collider.shape) {
    case ColliderShape::plane:
      colliders.planes.push_back({motion * collider.point, motion.linear * collider.normal});
      return;
    case ColliderShape::sphere:
      colliders.capsules.push_back(sphere_collider(motion * collider.point, scale * collider.radius));
      return;
    case ColliderShape::capsule:
      colliders.capsules.push_back({motion * collider.point, motion * collider.other_end, scale * collider.radius});
      return;
    case ColliderShape::box:
      colliders.boxes.push_back(box_collider(collider, motion, scale));
      return;
    case ColliderShape::mesh:
      colliders.meshes.push_back(mesh_collider(solid, motion));
      return;
  }
}

}  // namespace

// clang-format off
SettingsTable ColliderSettings::describe() {
  const auto side = [](const char* key, const Member<double>& length, const char* help) {
    return Setting{.key = key, .value = length, .help = help, .range = above(0), .unit = units::metres,
                   .recooks = Recooks::run, .applies = has_shape<ColliderShape::box>};
  };
  return {
      {.key = "shape", .value = choice(&ColliderSettings::shape, shapes), .help = "What it is",
       .recooks = Recooks::run},
      {.key = "point", .value = &ColliderSettings::point, .help = "Of a plane", .unit = units::metres,
       .recooks = Recooks::run, .applies = has_shape<ColliderShape::plane>},
      {.key = "normal", .value = &ColliderSettings::normal, .help = "Of a plane, away from what is solid",
       .recooks = Recooks::run, .applies = has_shape<ColliderShape::plane>,
       .rule = [](const ColliderSettings& c) { return norm(c.normal) > 0 ? "" : "must have a length."; }},
      {.key = "centre", .value = &ColliderSettings::point, .help = "Of a sphere or box", .unit = units::metres,
       .recooks = Recooks::run, .applies = has_shape<ColliderShape::sphere, ColliderShape::box>},
      {.key = "front", .value = &ColliderSettings::front, .help = "Of a box, the way that its front looks",
       .recooks = Recooks::run, .applies = has_shape<ColliderShape::box>,
       .rule = [](const ColliderSettings& c) { return norm(c.front) > 0 ? "" : "must have a length."; }},
      {.key = "up", .value = &ColliderSettings::up, .help = "Of a box, the way that its height goes",
       .recooks = Recooks::run, .applies = has_shape<ColliderShape::box>,
       .rule = [](const ColliderSettings& c) {
         return has_sides(c) ? "" : "must have a length and must not be along `front`.";
       }},
      side("width", &ColliderSettings::width, "Of a box's front"),
      side("height", &ColliderSettings::height, "Of a box's front"),
      side("depth", &ColliderSettings::depth, "Of a box, from its front to its back"),
      {.key = "rounding", .value = &ColliderSettings::rounding, .help = "Radius of a box's edges",
       .range = from(0), .unit = units::metres, .none = "a tenth of its least side", .recooks = Recooks::run,
       .applies = has_shape<ColliderShape::box>,
       .rule = [](const ColliderSettings& c) {
         return c.rounding && *c.rounding > 0.5 * least_side(c) ? "must be at most half of the least side." : "";
       }},
      {.key = "from", .value = &ColliderSettings::point, .help = "One end of a capsule's axis", .unit = units::metres,
       .recooks = Recooks::run, .applies = has_shape<ColliderShape::capsule>},
      {.key = "to", .value = &ColliderSettings::other_end, .help = "The other end of a capsule's axis",
       .unit = units::metres, .recooks = Recooks::run, .applies = has_shape<ColliderShape::capsule>},
      {.key = "radius", .value = &ColliderSettings::radius, .help = "Of a sphere or capsule", .range = above(0),
       .unit = units::metres, .recooks = Recooks::run,
       .applies = has_shape<ColliderShape::sphere, ColliderShape::capsule>},
      {.key = "file", .value = &ColliderSettings::file, .file = true,
       .help = "Of a mesh, an OBJ file in metres; its inside is solid",
       .none = "`node` of the character's own file", .empty_is_null = true, .recooks = Recooks::run,
       .applies = has_shape<ColliderShape::mesh>},
      {.key = "node", .value = &ColliderSettings::node,
       .help = "Of a mesh in the character's own file, the node that shows it, which moves it unless `joint` does",
       .none = "`file`", .empty_is_null = true, .recooks = Recooks::run,
       .applies = has_shape<ColliderShape::mesh>,
       .rule = [](const ColliderSettings& c) {
         if (c.shape != ColliderShape::mesh || c.file.empty() != c.node.empty()) return "";
         return c.file.empty() ? "must name a node, or `file` a mesh." : "must be empty where `file` names a mesh.";
       }},
      {.key = "falls", .value = &ColliderSettings::falls,
       .help = "A sphere is let go as the clip begins: it falls, and flesh and ball push each other",
       .recooks = Recooks::run, .applies = has_shape<ColliderShape::sphere>},
      {.key = "density", .value = &ColliderSettings::density, .help = "Of a sphere that falls",
       .range = {.least = 1, .most = 100000}, .unit = units::density, .recooks = Recooks::run,
       .applies = has_shape<ColliderShape::sphere>},
      {.key = "bounce", .value = &ColliderSettings::bounce,
       .help = "Speed after over speed before, where a sphere that falls bounces on ground and colliders",
       .range = {.least = 0, .most = 1}, .recooks = Recooks::run, .applies = has_shape<ColliderShape::sphere>},
      {.key = "joint", .value = &ColliderSettings::joint, .help = "Name of the joint that it moves with",
       .none = "it stays in the world", .empty_is_null = true, .recooks = Recooks::run},
  };
}
// clang-format on

JointMotion::JointMotion(const Character& character, const std::string& joint, const std::string& what)
    : metres_per_unit_(character.metres_per_unit) {
  if (joint.empty()) return;
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == joint; });
  if (found == joints.end())
    throw usage_error(what + ": " + character.file + " has no joint '" + joint +
                      "'; `sinew info --json` lists the nodes.");
  joint_ = static_cast<int>(found - joints.begin());
  const Pose rest = sample(character.skeleton, nullptr, 0);
  const Affine to_units{Mat3::identity() * (1 / character.metres_per_unit), {}};
  default_pose_to_joint_ = inverse(rest.world[static_cast<std::size_t>(joint_)]) * to_units;
}

Affine JointMotion::in(const Pose& pose) const {
  if (joint_ < 0) return {};
  const Affine metres{Mat3::identity() * metres_per_unit_, {}};
  return metres * (pose.world[static_cast<std::size_t>(joint_)] * default_pose_to_joint_);
}

MovingColliders::MovingColliders(const Character& character, const std::vector<ColliderSettings>& settings,
                                 std::vector<std::shared_ptr<const SolidMesh>> solids)
    : settings_(settings), solids_(std::move(solids)) {
  solids_.resize(settings.size());
  for (std::size_t c = 0; c < settings.size(); ++c)
    motion_.emplace_back(character, settings[c].joint.empty() ? settings[c].node : settings[c].joint,
                         "colliders[" + std::to_string(c) + "]");
}

Colliders MovingColliders::in(const Pose& pose) const {
  Colliders colliders;
  in(pose, colliders);
  return colliders;
}

void MovingColliders::in(const Pose& pose, Colliders& colliders) const {
  colliders.clear();
  for (std::size_t c = 0; c < settings_.size(); ++c)
    add_collider(settings_[c], solids_[c], motion_[c].in(pose), colliders);
}

}  // namespace sinew
