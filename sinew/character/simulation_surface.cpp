#include "sinew/character/simulation_surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/figures.h"
#include "sinew/linalg/rotation.h"
#include "sinew/mesh/surface/weld.h"

namespace sinew {
namespace {

bool nearly_equal(const Affine& a, const Affine& b) {
  double difference = norm(a.translation - b.translation), size = norm(a.translation);
  difference += frobenius_norm(a.linear - b.linear);
  size += frobenius_norm(a.linear);
  return difference <= 1e-4 * size;
}

// Skin weight that each joint of a skin carries in all, over the parts that use it.
std::vector<double> joint_shares(const Character& character, int skin) {
  std::vector<double> share(character.skins[static_cast<std::size_t>(skin)].joints.size(), 0.0);
  for (const Part& part : character.parts) {
    if (part.skin != skin || !part.triangles) continue;
    for (const Influences& influences : part.influences)
      for (int k = 0; k < influences.count; ++k)
        share[static_cast<std::size_t>(influences.joint[static_cast<std::size_t>(k)])] +=
            influences.weight[static_cast<std::size_t>(k)];
  }
  return share;
}

// The similarity (metres) nearest to what the default pose does with a skin's bind space: the weighted
// mean of its joints' skinning matrices, freed of shear. Mirroring rigs keep their reflection.
struct BindSum {
  Mat3 linear = Mat3::zero();
  Vec3 image, origin;  // weighted sums of M c and of c, c the joint's bind position
  double scale = 0, reflected = 0, weight = 0;
};

// `to_shared`: the skin's bind space to the one that the sum is over; empty: they are the same.
void add_skin(const Character& character, int skin_index, const std::optional<Affine>& to_shared, const Pose& pose,
              const std::vector<double>& share, BindSum& sum) {
  const Skin& skin = character.skins[static_cast<std::size_t>(skin_index)];
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    if (share[j] <= 0 || !is_invertible(skin.inverse_bind[j])) continue;
    const Affine bind = to_shared ? skin.inverse_bind[j] * inverse(*to_shared) : skin.inverse_bind[j];
    const Affine matrix = pose.world[static_cast<std::size_t>(skin.joints[j])] * bind;
    const double det = determinant(matrix.linear);
    if (!std::isfinite(det) || det == 0) continue;
    const Vec3 position = inverse(bind).translation;
    sum.linear += matrix.linear * (share[j] / std::cbrt(std::abs(det)));
    sum.image += share[j] * (matrix * position);
    sum.origin += share[j] * position;
    sum.scale += share[j] * std::cbrt(std::abs(det));
    sum.reflected += det < 0 ? share[j] : 0;
    sum.weight += share[j];
  }
}

Affine similarity(const BindSum& sum, double metres_per_unit) {
  if (sum.weight <= 0) return {Mat3::identity() * metres_per_unit, {}};
  const bool mirror = sum.reflected > sum.weight / 2;
  // A reflection is a rotation times -1; the closest one to A is minus the closest rotation to -A.
  const Mat3 rotation = mirror ? closest_rotation(sum.linear * -1.0) * -1.0 : closest_rotation(sum.linear);
  const Mat3 linear = rotation * (sum.scale / sum.weight * metres_per_unit);
  return {linear, sum.image * (metres_per_unit / sum.weight) - linear * (sum.origin / sum.weight)};
}

// Where no vertex of the character has weights: what all joints do alike, as skins do that were made for the default
// pose, or else the similarity with all joints counted alike.
Affine unweighted_rest_transform(const Character& character, int skin_index, const Pose& pose) {
  const Skin& skin = character.skins[static_cast<std::size_t>(skin_index)];
  const auto matrix = [&](std::size_t j) {
    return pose.world[static_cast<std::size_t>(skin.joints[j])] * skin.inverse_bind[j];
  };
  bool alike = true;
  for (std::size_t j = 0; j < skin.joints.size() && alike; ++j) alike = nearly_equal(matrix(0), matrix(j));
  if (alike && is_invertible(matrix(0))) return Affine{Mat3::identity() * character.metres_per_unit, {}} * matrix(0);
  BindSum sum;
  add_skin(character, skin_index, {}, pose, std::vector<double>(skin.joints.size(), 1.0), sum);
  return similarity(sum, character.metres_per_unit);
}

// A skin's inverse bind matrices by joint.
using Binds = std::map<int, Affine>;

Binds binds_of(const Skin& skin) {
  Binds binds;
  for (std::size_t j = 0; j < skin.joints.size(); ++j)
    if (is_invertible(skin.inverse_bind[j])) binds.emplace(skin.joints[j], skin.inverse_bind[j]);
  return binds;
}

// The transform from the bind space of one skin to that of another: none where a joint is bound alike, else the one
// that all joints agree on, two at least. Meshes of one body often have a bind space each, moved by the mesh's place.
struct SpaceChange {
  bool known = false;
  std::optional<Affine> transform{};
};

SpaceChange between_bind_spaces(const Binds& from, const Binds& to) {
  std::optional<Affine> found;
  std::size_t agreeing = 0;
  bool agree = true;
  for (const auto& [joint, bind] : from) {
    const auto other = to.find(joint);
    if (other == to.end()) continue;
    if (nearly_equal(other->second, bind)) return {true};
    if (!found) found = inverse(other->second) * bind;
    agree = agree && nearly_equal(other->second * *found, bind);
    ++agreeing;
  }
  return agree && agreeing >= 2 ? SpaceChange{true, found} : SpaceChange{};
}

// The place of a skin's bind space among those that are one but for their place.
struct BindSpace {
  std::size_t first = 0;             // the first skin of its group
  std::optional<Affine> to_first{};  // empty: it is the same space
};

std::vector<BindSpace> group_bind_spaces(const Character& character) {
  const std::size_t count = character.skins.size();
  std::vector<Binds> binds;
  for (const Skin& skin : character.skins) binds.push_back(binds_of(skin));
  std::vector<BindSpace> spaces(count);
  std::vector<char> placed(count, 0);
  for (std::size_t first = 0; first < count; ++first) {
    if (placed[first]) continue;
    std::vector<std::size_t> reached{first};
    placed[first] = 1;
    spaces[first].first = first;
    for (std::size_t next = 0; next < reached.size(); ++next)
      for (std::size_t other = first + 1; other < count; ++other) {
        if (placed[other]) continue;
        const SpaceChange change = between_bind_spaces(binds[other], binds[reached[next]]);
        if (!change.known) continue;
        const std::optional<Affine>& onward = spaces[reached[next]].to_first;
        spaces[other] = {first, change.transform && onward ? *onward * *change.transform
                                : change.transform         ? change.transform
                                                           : onward};
        placed[other] = 1;
        reached.push_back(other);
      }
  }
  return spaces;
}

// Rest transforms (bind space to rest space) per skin. Skins of one group share one rest space: else each would take
// its own from the joints that carry it, a sword's from the hand.
std::vector<Affine> rest_transforms(const Character& character, const Pose& pose, bool weighted) {
  const std::size_t count = character.skins.size();
  const std::vector<BindSpace> spaces = group_bind_spaces(character);
  std::vector<BindSum> sums(count);
  for (std::size_t k = 0; k < count; ++k)
    add_skin(character, static_cast<int>(k), spaces[k].to_first, pose, joint_shares(character, static_cast<int>(k)),
             sums[spaces[k].first]);
  std::vector<Affine> transforms(count);
  for (std::size_t k = 0; k < count; ++k) {
    transforms[k] = weighted ? similarity(sums[spaces[k].first], character.metres_per_unit)
                             : unweighted_rest_transform(character, static_cast<int>(k), pose);
    if (weighted && spaces[k].to_first) transforms[k] = transforms[k] * *spaces[k].to_first;
  }
  return transforms;
}

// Bones in the order of first use; (skin, slot) pairs with one joint and one bind are one bone.
struct BoneTable {
  std::vector<Bone> bones;
  std::vector<std::vector<int>> bone_of;  // [skin][slot]; -1 only where a whole skin has no bone
};

// A stand-in for joints that have no bone of their own: of the same skin, the nearest ancestor's or the first.
void lend_bones(const Character& character, const Skin& skin, std::vector<int>& slots) {
  std::map<int, int> bone_of_joint;
  int first = -1;
  for (std::size_t j = 0; j < slots.size(); ++j) {
    if (slots[j] < 0) continue;
    bone_of_joint.emplace(skin.joints[j], slots[j]);
    if (first < 0) first = slots[j];
  }
  for (std::size_t j = 0; j < slots.size(); ++j) {
    if (slots[j] >= 0) continue;
    slots[j] = first;
    int ancestor = skin.joints[j];
    while ((ancestor = character.skeleton.joints[static_cast<std::size_t>(ancestor)].parent) >= 0) {
      const auto found = bone_of_joint.find(ancestor);
      if (found == bone_of_joint.end()) continue;
      slots[j] = found->second;
      break;
    }
  }
}

// `used`: per skin, whether its joints are looked at.
BoneTable collect_bones(const Character& character, const std::vector<Affine>& rest_transform,
                        const std::vector<char>& used) {
  BoneTable table;
  std::map<int, std::vector<int>> bones_of_joint;
  for (std::size_t s = 0; s < character.skins.size(); ++s) {
    const Skin& skin = character.skins[s];
    const Affine to_bind = inverse(rest_transform[s]);
    std::vector<int>& slots = table.bone_of.emplace_back();
    if (!used[s]) continue;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      if (!is_invertible(skin.inverse_bind[j])) {
        slots.push_back(-1);
        continue;
      }
      const Affine rest_to_joint = skin.inverse_bind[j] * to_bind;
      std::vector<int>& known = bones_of_joint[skin.joints[j]];
      const auto same = std::find_if(known.begin(), known.end(), [&](int b) {
        return nearly_equal(table.bones[static_cast<std::size_t>(b)].rest_to_joint, rest_to_joint);
      });
      if (same != known.end()) {
        slots.push_back(*same);
        continue;
      }
      Bone bone;
      bone.joint = skin.joints[j];
      bone.name = character.skeleton.joints[static_cast<std::size_t>(bone.joint)].name;
      bone.rest_to_joint = rest_to_joint;
      slots.push_back(static_cast<int>(table.bones.size()));
      known.push_back(slots.back());
      table.bones.push_back(bone);
    }
    lend_bones(character, skin, slots);
  }
  for (std::size_t b = 0; b < table.bones.size(); ++b) {
    int ancestor = table.bones[b].joint;
    while (table.bones[b].parent < 0) {
      ancestor = character.skeleton.joints[static_cast<std::size_t>(ancestor)].parent;
      if (ancestor < 0) break;
      // Among the bones of that joint take the one of the same bind, else the first.
      const auto found = bones_of_joint.find(ancestor);
      if (found != bones_of_joint.end() && !found->second.empty()) table.bones[b].parent = found->second.front();
    }
  }
  return table;
}

bool has_influences(const Character& character) {
  for (const Part& part : character.parts) {
    if (!is_skinned_surface(part)) continue;
    for (const Influences& influences : part.influences)
      if (influences.count > 0) return true;
  }
  return false;
}

std::vector<char> skins_in_use(const Character& character) {
  std::vector<char> used(character.skins.size(), 0);
  for (const Part& part : character.parts)
    if (part.skin >= 0) used[static_cast<std::size_t>(part.skin)] = 1;
  return used;
}

Vec3 rest_position(const Bone& bone) { return inverse(bone.rest_to_joint).translation; }

// A bone that carries this much of a vertex somewhere is no helper.
constexpr double leading_weight = 0.75;

void mark_helpers(SimulationSurface& surface) {
  std::vector<char> leads(surface.bones.size(), 0);
  for (const Influences& influences : surface.influences)
    if (influences.count > 0 && influences.weight[0] >= leading_weight)
      leads[static_cast<std::size_t>(influences.joint[0])] = 1;
  for (std::size_t b = 0; b < leads.size(); ++b) {
    if (!leads[b]) continue;
    for (int up = surface.bones[b].parent; up >= 0; up = surface.bones[static_cast<std::size_t>(up)].parent)
      leads[static_cast<std::size_t>(up)] = 1;
  }
  // A skin that blends everywhere has no bones but these.
  if (std::find(leads.begin(), leads.end(), 1) == leads.end()) return;
  for (std::size_t b = 0; b < leads.size(); ++b) surface.bones[b].helper = !leads[b];
}

// Segments to the child bones; a leaf reaches along its flesh, from the joint through the weighted
// centre of its vertices to where they end.
void add_segments(SimulationSurface& surface) {
  std::vector<Vec3> sum(surface.bones.size());
  std::vector<double> weight(surface.bones.size(), 0.0);
  for (std::size_t v = 0; v < surface.influences.size(); ++v)
    for (int k = 0; k < surface.influences[v].count; ++k) {
      const auto bone = static_cast<std::size_t>(surface.influences[v].joint[static_cast<std::size_t>(k)]);
      const double w = surface.influences[v].weight[static_cast<std::size_t>(k)];
      sum[bone] += w * surface.rest.positions[v];
      weight[bone] += w;
    }
  for (const Bone& bone : surface.bones) {
    if (bone.parent < 0 || bone.helper) continue;
    Bone& parent = surface.bones[static_cast<std::size_t>(bone.parent)];
    parent.segments.push_back({rest_position(parent), rest_position(bone)});
  }
  for (std::size_t b = 0; b < surface.bones.size(); ++b) {
    Bone& bone = surface.bones[b];
    if (!bone.segments.empty()) continue;
    const Vec3 head = rest_position(bone);
    Vec3 tail = head;
    if (weight[b] > 0) {
      const Vec3 direction = normalized(sum[b] / weight[b] - head);
      double reach = 0, total = 0;
      for (std::size_t v = 0; v < surface.influences.size(); ++v)
        for (int k = 0; k < surface.influences[v].count; ++k)
          if (surface.influences[v].joint[static_cast<std::size_t>(k)] == static_cast<int>(b)) {
            const double w = surface.influences[v].weight[static_cast<std::size_t>(k)];
            reach += w * std::fmax(0.0, dot(surface.rest.positions[v] - head, direction));
            total += w;
          }
      // Twice the mean reach is about the end of evenly spread flesh; a little less stays inside it.
      tail = head + direction * (1.6 * reach / total);
    }
    bone.segments.push_back({head, tail});
  }
}

bool same_weights(const Influences& a, const Influences& b) {
  if (a.count != b.count) return false;
  for (int k = 0; k < a.count; ++k) {
    const auto slot = static_cast<std::size_t>(k);
    if (a.joint[slot] != b.joint[slot] || std::abs(a.weight[slot] - b.weight[slot]) > 1e-3) return false;
  }
  return true;
}

double diagonal(std::span<const Vec3> positions) {
  if (positions.empty()) return 0;
  Vec3 lower = positions[0], upper = positions[0];
  for (const Vec3& p : positions) {
    lower = min(lower, p);
    upper = max(upper, p);
  }
  return norm(upper - lower);
}

// Skin joints to bones; where two joints share a bone, their weights add up.
Influences over_bones(const Influences& over_joints, const std::vector<int>& bone_of) {
  Influences result;
  for (int k = 0; k < over_joints.count; ++k) {
    const int bone = bone_of[static_cast<std::size_t>(over_joints.joint[static_cast<std::size_t>(k)])];
    const auto end = result.joint.begin() + result.count;
    const auto slot = static_cast<std::size_t>(std::find(result.joint.begin(), end, bone) - result.joint.begin());
    if (slot == static_cast<std::size_t>(result.count)) {
      result.joint[slot] = bone;
      ++result.count;
    }
    result.weight[slot] += over_joints.weight[static_cast<std::size_t>(k)];
    for (std::size_t s = slot; s > 0 && result.weight[s] > result.weight[s - 1]; --s) {
      std::swap(result.weight[s], result.weight[s - 1]);
      std::swap(result.joint[s], result.joint[s - 1]);
    }
  }
  return result;
}

// Appends a part's painted values that act on what plays, or neutral ones.
void append_fields(const Part& part, bool color_stiffness, Fields& fields) {
  for (std::size_t f = 0; f < painted_fields.size(); ++f) {
    if (!acts_in_scenes(painted_fields[f])) continue;
    std::vector<double> values = part.fields[f];
    if (f == field("stiffness") && color_stiffness && values.empty())
      for (const Vec3& color : part.colors) values.push_back(color.x);
    values.resize(part.surface.positions.size(), painted_fields[f].neutral);
    fields[f].insert(fields[f].end(), values.begin(), values.end());
  }
}

// One part in rest space, with its influences over bones and its painted fields.
void append_part(const Character& character, int part_index, const Affine& to_rest, const std::vector<int>& bone_of,
                 bool color_stiffness, SimulationSurface& surface) {
  const Part& part = character.parts[static_cast<std::size_t>(part_index)];
  const int offset = static_cast<int>(surface.rest.positions.size());
  std::vector<int>& map = surface.vertex_of.emplace_back();
  for (std::size_t v = 0; v < part.surface.positions.size(); ++v) {
    map.push_back(offset + static_cast<int>(v));
    surface.rest.positions.push_back(to_rest * part.surface.positions[v]);
    surface.influences.push_back(over_bones(part.influences[v], bone_of));
  }
  append_fields(part, color_stiffness, surface.fields);
  const bool mirrored = determinant(to_rest.linear) < 0;
  for (Triangle triangle : part.surface.triangles) {
    if (mirrored) std::swap(triangle[1], triangle[2]);
    for (int& v : triangle) v += offset;
    surface.rest.triangles.push_back(triangle);
  }
  surface.parts.push_back(part_index);
  surface.part_names.push_back(part.name + " " + part.material_name);
}

void weld_surface(SimulationSurface& surface) {
  WeldOptions options;
  options.tolerance = 1e-6 * diagonal(surface.rest.positions);
  options.equal = [&surface](int a, int b) {
    return same_weights(surface.influences[static_cast<std::size_t>(a)],
                        surface.influences[static_cast<std::size_t>(b)]);
  };
  const WeldMap map = weld(surface.rest.positions, options);
  surface.rest = apply_weld(surface.rest, map);
  std::erase_if(surface.rest.triangles, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  std::vector<Influences> influences;
  for (int source : map.source) influences.push_back(surface.influences[static_cast<std::size_t>(source)]);
  surface.influences.swap(influences);
  for (std::size_t f = 0; f < painted_fields.size(); ++f) {
    if (!acts_in_scenes(painted_fields[f])) continue;
    std::vector<double> values;
    for (int source : map.source) values.push_back(surface.fields[f][static_cast<std::size_t>(source)]);
    if (std::all_of(values.begin(), values.end(), [f](double v) { return is_neutral(painted_fields[f], v); }))
      values.clear();
    surface.fields[f].swap(values);
  }
  for (std::vector<int>& vertices : surface.vertex_of)
    for (int& v : vertices) v = map.welded[static_cast<std::size_t>(v)];
}

void find_figures(const Character& character, SimulationSurface& surface) {
  const std::vector<int> of_part = figures_of_parts(character);
  if (std::all_of(of_part.begin(), of_part.end(), [](int figure) { return figure <= 0; })) return;
  surface.figure.assign(surface.rest.positions.size(), 0);
  for (std::size_t k = 0; k < surface.parts.size(); ++k)
    for (const int v : surface.vertex_of[k])
      surface.figure[static_cast<std::size_t>(v)] = of_part[static_cast<std::size_t>(surface.parts[k])];
}

}  // namespace

SimulationSurface simulation_surface(const Character& character, bool color_stiffness) {
  SimulationSurface surface;
  const Pose pose = sample(character.skeleton, nullptr, 0);
  surface.weighted = has_influences(character);
  const std::vector<Affine> rest_transform = rest_transforms(character, pose, surface.weighted);
  BoneTable table =
      collect_bones(character, rest_transform,
                    surface.weighted ? std::vector<char>(character.skins.size(), 1) : skins_in_use(character));
  surface.bones = std::move(table.bones);
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    const Part& part = character.parts[p];
    if (!is_skinned_surface(part)) continue;
    const auto skin = static_cast<std::size_t>(part.skin);
    if (std::find(table.bone_of[skin].begin(), table.bone_of[skin].end(), -1) != table.bone_of[skin].end())
      throw input_error(character.file + ": skin '" + character.skins[skin].name +
                        "' has singular inverse bind matrices only, so that no bone has a place; bind the mesh again.");
    append_part(character, static_cast<int>(p), rest_transform[skin], table.bone_of[skin], color_stiffness, surface);
  }
  if (surface.rest.triangles.empty())
    throw input_error(character.file + ": has no skinned triangles; " + remedy_without_weights(character) + ".");
  weld_surface(surface);
  find_figures(character, surface);
  if (surface.weighted) mark_helpers(surface);
  add_segments(surface);
  return surface;
}

std::vector<Affine> bone_transforms(const Character& character, std::span<const Bone> bones, const Pose& pose) {
  std::vector<Affine> transforms(bones.size());
  bone_transforms(character, bones, pose, transforms);
  return transforms;
}

void bone_transforms(const Character& character, std::span<const Bone> bones, const Pose& pose,
                     std::span<Affine> transforms) {
  const Affine metres{Mat3::identity() * character.metres_per_unit, {}};
  for (std::size_t b = 0; b < bones.size(); ++b)
    transforms[b] = metres * (pose.world[static_cast<std::size_t>(bones[b].joint)] * bones[b].rest_to_joint);
}

std::vector<Affine> bone_transforms(const Character& character, const SimulationSurface& surface, const Pose& pose) {
  return bone_transforms(character, surface.bones, pose);
}

namespace {

// `figure`: per vertex; only what is of the first counts. Empty: all does.
Vec3 extent_of(const TriangleMesh& mesh, std::span<const int> figure = {}) {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (const Triangle& triangle : mesh.triangles)
    for (int v : triangle) {
      if (!figure.empty() && figure[static_cast<std::size_t>(v)] != 0) continue;
      low = min(low, mesh.positions[static_cast<std::size_t>(v)]);
      high = max(high, mesh.positions[static_cast<std::size_t>(v)]);
    }
  return high - low;
}

}  // namespace

namespace {

double height_of(const Vec3& extent) {
  constexpr double flattest_extent = 0.3;
  return std::max(extent.y, flattest_extent * std::max(extent.x, extent.z));
}

double longest_of(const Vec3& extent) { return std::max({extent.x, extent.y, extent.z}); }

}  // namespace

double standing_height(const TriangleMesh& mesh) { return height_of(extent_of(mesh)); }
double longest_side(const TriangleMesh& mesh) { return longest_of(extent_of(mesh)); }
double standing_height(const SimulationSurface& surface) { return height_of(extent_of(surface.rest, surface.figure)); }
double longest_side(const SimulationSurface& surface) { return longest_of(extent_of(surface.rest, surface.figure)); }

}  // namespace sinew
