#include "sinew/shape/presets.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/shape/face.h"

namespace sinew {
namespace {

using enum TemplateKind;
using enum GuideKind;

// Faces are soft and far from bone: ShapeRig::balance of their pieces.
constexpr double balance_of_faces = 2.5;

const std::vector<const char*> heads{"head", "skull", "face"};
const std::vector<const char*> trunks{"chest",    "ribs",  "spine2", "spine_02", "spine1",
                                      "spine_01", "spine", "torso",  "body"};
const std::vector<const char*> upper_arms{"upper_arm_l", "upperarm_l", "leftarm",  "upper_arm.l",
                                          "l_upperarm",  "upper_arm",  "upperarm", "arm"};

const std::vector<ShapePreset>& presets() {
  static const std::vector<ShapePreset> all{
      {.name = "breathing",
       .help = "The chest rises and falls",
       .control = "breathe",
       .breathes = true,
       .bones = trunks,
       .pieces = {{.kind = bump, .slide = 0.3, .distance = 0.5, .radius = 1.4, .displacement = 0.16}}},
      {.name = "biceps",
       .help = "The upper arm bulges as the elbow bends to 90 degrees",
       .full = 90,
       .bones = upper_arms,
       .pieces = {{.kind = bulge, .slide = 0.55, .distance = 0.15, .radius = 1.5, .displacement = -0.17}}},
      {.name = "chest_flex",
       .help = "The two sides of the chest swell",
       .control = "flex",
       .bones = trunks,
       .pieces = {{.suffix = "_l",
                   .kind = bump,
                   .slide = 0.6,
                   .distance = 0.8,
                   .orbit = 40,
                   .radius = 0.5,
                   .displacement = 0.08},
                  {.suffix = "_r",
                   .kind = bump,
                   .slide = 0.6,
                   .distance = 0.8,
                   .orbit = -40,
                   .radius = 0.5,
                   .displacement = 0.08}}},
      {.name = "smile",
       .help = "The corners of the mouth go up",
       .control = "smile",
       .bones = heads,
       .pieces = {{.suffix = "_l",
                   .guide = free,
                   .place = {0.3, 0, 0},
                   .push = {0.5, 0.8, -0.3},
                   .depth = 0.1,
                   .radius = 0.24,
                   .displacement = 0.12},
                  {.suffix = "_r",
                   .guide = free,
                   .place = {-0.3, 0, 0},
                   .push = {-0.5, 0.8, -0.3},
                   .depth = 0.1,
                   .radius = 0.24,
                   .displacement = 0.12}}},
      {.name = "frown",
       .help = "The corners of the mouth and the brows go down",
       .control = "frown",
       .bones = heads,
       .pieces = {{.suffix = "_mouth_l",
                   .guide = free,
                   .place = {0.3, 0, 0},
                   .push = {0.2, -1, 0},
                   .depth = 0.1,
                   .radius = 0.24,
                   .displacement = 0.1},
                  {.suffix = "_mouth_r",
                   .guide = free,
                   .place = {-0.3, 0, 0},
                   .push = {-0.2, -1, 0},
                   .depth = 0.1,
                   .radius = 0.24,
                   .displacement = 0.1},
                  {.suffix = "_brow_l",
                   .guide = free,
                   .of_head = true,
                   .place = {0.25, 0.5, 0.7},
                   .push = {-0.4, -0.9, 0},
                   .depth = 0.1,
                   .radius = 0.24,
                   .displacement = 0.07},
                  {.suffix = "_brow_r",
                   .guide = free,
                   .of_head = true,
                   .place = {-0.25, 0.5, 0.7},
                   .push = {0.4, -0.9, 0},
                   .depth = 0.1,
                   .radius = 0.24,
                   .displacement = 0.07}}},
      {.name = "nostrils",
       .help = "The nostrils flare",
       .control = "flare",
       .on_nose = true,
       .bones = heads,
       .pieces = {{.suffix = "_l",
                   .kind = torus,
                   .guide = skin,
                   .place = {0.15, 0, 0},
                   .radius = 0.12,
                   .ring = 0.14,
                   .displacement = -0.06},
                  {.suffix = "_r",
                   .kind = torus,
                   .guide = skin,
                   .place = {-0.15, 0, 0},
                   .radius = 0.12,
                   .ring = 0.14,
                   .displacement = -0.06}}},
      {.name = "cheek_puff",
       .help = "The cheeks are blown up",
       .control = "puff",
       .bones = heads,
       .pieces = {{.suffix = "_l",
                   .kind = bump,
                   .guide = skin,
                   .of_head = true,
                   .place = {0.6, -0.25, 0.6},
                   .depth = 0.15,
                   .radius = 0.5,
                   .displacement = 0.15},
                  {.suffix = "_r",
                   .kind = bump,
                   .guide = skin,
                   .of_head = true,
                   .place = {-0.6, -0.25, 0.6},
                   .depth = 0.15,
                   .radius = 0.5,
                   .displacement = 0.15}}},
      {.name = "double_chin",
       .help = "The throat hangs below the chin",
       .control = "chin",
       .bones = heads,
       .pieces = {{.kind = bump,
                   .guide = skin,
                   .of_head = true,
                   .place = {0, -0.8, 0.6},
                   .depth = 0.1,
                   .radius = 0.5,
                   .displacement = 0.14}}}};
  return all;
}

// The vertices of the skin that a bone dominates.
std::vector<Vec3> skin_of(const SimulationSurface& surface, std::size_t bone) {
  std::vector<Vec3> points;
  for (std::size_t v = 0; v < surface.influences.size(); ++v) {
    const Influences& on = surface.influences[v];
    if (on.count > 0 && index(on.joint[0]) == bone) points.push_back(surface.rest.positions[v]);
  }
  return points;
}

double distance_from(const Vec3& p, const BoneSegment& segment) {
  const Vec3 along = segment.tail - segment.head;
  const double squared = squared_norm(along);
  const double t = squared > 0 ? std::clamp(dot(p - segment.head, along) / squared, 0.0, 1.0) : 0;
  return distance(p, segment.head + t * along);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::size_t find_bone(const ShapePreset& preset, const std::string& named, const SimulationSurface& surface) {
  if (!named.empty()) return static_cast<std::size_t>(&bone_named(surface, named) - surface.bones.data());
  for (const char* word : preset.bones)
    for (std::size_t b = 0; b < surface.bones.size(); ++b)
      if (!surface.bones[b].helper && lower(surface.bones[b].name).find(word) != std::string::npos &&
          !skin_of(surface, b).empty())
        return b;
  throw usage_error(std::string("no bone of this character has a name that the preset ") + preset.name +
                    " knows; name one by --guide bone:NAME (`sinew info` lists them).");
}

// Turns about x, y and z, in this order, degrees, that take y to `direction`.
Vec3 turns_to(const Vec3& direction) {
  constexpr double degrees_of = 180 / std::numbers::pi;
  // Rz Rx y = (-sin z cos x, cos z cos x, sin x).
  const double x = std::asin(std::clamp(direction.z, -1.0, 1.0));
  return {x * degrees_of, 0, std::atan2(-direction.x, direction.y) * degrees_of};
}

// The size by which lengths of a piece are meant: its radius is no less than the skin can show.
double size_on(const Face& face, const PresetPiece& piece) {
  return std::max(piece.of_head ? face.head : face.size, face.detail / (piece.radius + piece.ring));
}

// Sideways by the head, since mouths reach around muzzles.
Vec3 place_of(const Face& face, const PresetPiece& piece) {
  const Vec3& place = piece.place;
  if (!piece.of_head) return face.beside({place.x * face.head, place.y * face.size, 0});
  return face.middle + face.head * (place.x * face.left + place.y * face.up + place.z * face.forward);
}

void set(const ShapeRig& rig, std::vector<double>& eta, const char* name, double value) {
  const std::vector<ShapeParameter> rows = parameters_of(rig);
  const std::size_t row = find_parameter(rows, name);
  if (row < rows.size()) eta[row] = value;
}

}  // namespace

std::span<const ShapePreset> shape_presets() { return presets(); }

const ShapePreset& shape_preset(const std::string& name) {
  std::string known;
  for (const ShapePreset& preset : presets()) {
    if (preset.name == name) return preset;
    known += (known.empty() ? "" : ", ") + std::string(preset.name);
  }
  throw usage_error("there is no preset '" + name + "'; choose one of " + known + ".");
}

std::vector<ShapeRig> preset_rigs(const ShapePreset& preset, const std::string& name, const std::optional<Guide>& guide,
                                  const std::vector<std::string>& controls, const SimulationSurface& surface) {
  const std::size_t carrier = find_bone(preset, guide && guide->kind == GuideKind::bone ? guide->bone : "", surface);
  const std::vector<Vec3> skin_points = skin_of(surface, carrier);
  if (skin_points.empty())
    throw usage_error("the bone '" + surface.bones[carrier].name + "' carries hardly any skin; choose another one.");
  const BoneSegment& segment = main_segment(surface.bones[carrier]);
  double around = 0;
  for (const Vec3& p : skin_points) around += distance_from(p, segment) / static_cast<double>(skin_points.size());
  const bool placed = guide && guide->kind == GuideKind::skin;
  const Face face =
      find_face(skin_points, surface.rest, preset.on_nose, placed ? std::optional(guide->point) : std::nullopt);
  std::vector<std::string> driven_by = controls;
  if (driven_by.empty() && preset.control) driven_by = {preset.control};
  for (const Bone& child : surface.bones)
    if (driven_by.empty() && !child.helper && child.parent == static_cast<int>(carrier)) driven_by = {child.name};
  if (driven_by.empty())
    throw usage_error("the bone '" + surface.bones[carrier].name +
                      "' has no joint below it that could drive the preset; " + "name a control by --control.");

  std::vector<ShapeRig> rigs;
  const BoundingVolumeHierarchy on_skin(surface.rest);
  for (const PresetPiece& piece : preset.pieces) {
    ShapeRig rig;
    rig.name = name + piece.suffix;
    rig.kind = piece.kind;
    rig.by_displacement = true;
    rig.balance = piece.guide == GuideKind::bone ? 0 : balance_of_faces;
    rig.controls = driven_by;
    rig.guide.kind = piece.guide;
    const double size = piece.guide == GuideKind::bone ? around : size_on(face, piece);
    std::vector<double> eta = usual_parameters(rig);
    set(rig, eta, "radius", piece.radius * size);
    set(rig, eta, "ring", piece.ring * size);
    set(rig, eta, "slide", piece.slide);
    set(rig, eta, "distance", piece.distance * size);
    set(rig, eta, "orbit", piece.orbit);
    set(rig, eta, "depth", piece.depth * size);
    rig.guide.bone = piece.guide == GuideKind::bone ? surface.bones[carrier].name : "";
    rig.guide.point = on_skin.closest_point(place_of(face, piece)).point;
    if (piece.guide == GuideKind::free) {
      const Vec3 push = normalized(piece.push.x * face.left + piece.push.y * face.up + piece.push.z * face.forward);
      const Vec3 place = rig.guide.point - piece.depth * size * face.forward, turns = turns_to(push);
      const char* names[] = {"x", "y", "z"};
      const char* turn_names[] = {"turn_x", "turn_y", "turn_z"};
      for (std::size_t k = 0; k < 3; ++k) set(rig, eta, names[k], place[k]), set(rig, eta, turn_names[k], turns[k]);
    }
    std::vector<double> none = eta;
    none[amplitude_parameter] = 0;
    eta[amplitude_parameter] = piece.displacement * size;
    rig.samples = {{{0}, std::move(none)}, {{preset.full}, std::move(eta)}};
    rigs.push_back(std::move(rig));
  }
  return rigs;
}

ShapeRig template_on_skin(const std::string& kind, const std::string& name, const Vec3& point,
                          const SimulationSurface& surface) {
  constexpr double share = 0.5, push = 0.2, ring = 1.5;  // radius by size; displacement and ring by radius
  ShapeRig rig;
  rig.name = name;
  const auto word = std::find_if(std::begin(template_words), std::end(template_words),
                                 [&](const Word<TemplateKind>& each) { return each.word == kind; });
  if (word == std::end(template_words) || !has_guide(word->value))
    throw usage_error("there is no template '" + kind + "' with a guide; use bump, bulge, radial or torus.");
  rig.kind = word->value;
  rig.by_displacement = true;
  rig.controls = {name};
  const ClosestPoint nearest = BoundingVolumeHierarchy(surface.rest).closest_point(point);
  if (nearest.triangle < 0) throw usage_error("there is no skin for a template to be on.");
  rig.guide = {GuideKind::skin, "", nearest.point};
  const Influences& on = surface.influences[index(surface.rest.triangles[index(nearest.triangle)][0])];
  const std::size_t bone = on.count > 0 ? index(on.joint[0]) : 0;
  const std::vector<Vec3> skin_points = skin_of(surface, bone);
  double around = 0;
  for (const Vec3& p : skin_points)
    around += distance_from(p, main_segment(surface.bones[bone])) / static_cast<double>(skin_points.size());
  const double radius = around > 0 ? share * around : 0.05 * standing_height(surface);
  std::vector<double> eta = usual_parameters(rig);
  set(rig, eta, "radius", radius);
  set(rig, eta, "ring", ring * radius);
  std::vector<double> none = eta;
  none[amplitude_parameter] = 0;
  eta[amplitude_parameter] = push * radius;
  rig.samples = {{{0}, std::move(none)}, {{1}, std::move(eta)}};
  return rig;
}

AbstractControl breathing_control(const std::string& name) {
  constexpr double seconds = 4;
  constexpr int keys = 16;
  AbstractControl control{name, 0, {}, true};
  for (int k = 0; k <= keys; ++k)
    control.keys.push_back({seconds * k / keys, 0.5 - 0.5 * std::cos(2 * std::numbers::pi * k / keys)});
  return control;
}

}  // namespace sinew
