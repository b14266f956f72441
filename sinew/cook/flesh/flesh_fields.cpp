#include "sinew/cook/flesh/flesh_fields.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/mesh/corner_means.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Stiffness of the trace that holds everything, as a share of E per square height of the character.
constexpr double least_hold = 0.5;
// Flesh is resolved where the part is this many cells deep; below `thin_cells` not at all.
constexpr double thin_cells = 0.4, resolved_cells = 1.1;
// Of a skull: how much stiffer than flesh it is, and the rigid share of it.
constexpr double skull_stiffness = 20, skull_core = 0.95;
// A vertex counts as held by a bone from this proximity on; a piece needs this many of them, since
// fewer leave it free to turn.
constexpr double held_proximity = 0.2;
constexpr int held_vertices = 4;

}  // namespace

std::vector<char> loose_pieces(const TetrahedralMesh& mesh, const FleshMap& map) {
  std::vector<int> component;
  measure_quality(mesh, &component);
  const int count = component.empty() ? 0 : *std::max_element(component.begin(), component.end()) + 1;
  std::vector<int> held(static_cast<std::size_t>(count), 0);
  std::vector<char> seen(mesh.positions.size(), 0);
  for (std::size_t t = 0; t < component.size(); ++t)
    for (int corner : mesh.tetrahedra[t]) {
      const auto v = static_cast<std::size_t>(corner);
      if (seen[v]) continue;
      seen[v] = 1;
      held[static_cast<std::size_t>(component[t])] += map.core[v] || map.bone_proximity[v] >= held_proximity;
    }
  std::vector<char> loose(component.size());
  for (std::size_t t = 0; t < loose.size(); ++t)
    loose[t] = held[static_cast<std::size_t>(component[t])] < held_vertices;
  return loose;
}

BoneSettings bone_settings(const std::vector<Bone>& bones, const Anatomy& anatomy, const FleshSettings& settings) {
  BoneSettings result{std::vector<double>(bones.size(), 1.0),           std::vector<double>(bones.size(), 1.0),
                      std::vector<double>(bones.size(), settings.core), {},
                      std::vector<double>(bones.size(), 1.0),           false};
  for (std::size_t b = 0; b < anatomy.bones.size(); ++b) {
    if (anatomy.bones[b].tissue == Tissue::flesh) continue;
    result.stiffness[b] = skull_stiffness;
    result.core[b] = std::max(skull_core, settings.core);
  }
  result.anatomy_stiffness = result.stiffness;
  for (const JointSettings& joint : settings.joints) {
    bool used = false;
    for (std::size_t b = 0; b < bones.size(); ++b) {
      if (!matches(joint.joints, bones[b].name)) continue;
      used = true;
      result.stiffness[b] = result.set_stiffness[b] = joint.stiffness;
      result.damping[b] = joint.damping;
      if (joint.core) result.core[b] = *joint.core;
      result.damping_varies |= joint.damping != 1;
    }
    if (!used)
      throw usage_error("joint '" + joint.joints +
                        "': no bone of the skin has such a name; `sinew info --json` lists them.");
  }
  return result;
}

std::vector<FieldInUse> fields_of_flesh(const FleshSettings& settings) {
  std::vector<FieldInUse> fields = {{field("stiffness"), 1},
                                    {field("damping"), 1},
                                    {field("rigid"), 0},
                                    {field("density"), 1},
                                    {field("poisson"), settings.poisson}};
  if (skinning_of(settings) == SkinningKind::volume) fields.push_back({field("give"), 1});
  for (std::size_t region = 0; region < region_fields; ++region) fields.push_back({field("region_1") + region, 0});
  return fields;
}

std::vector<FieldInUse> fields_in_use(const FleshSettings& settings) {
  std::vector<FieldInUse> fields = fields_of_flesh(settings);
  if (settings.lattice.linearization != Linearization::blended) fields.resize(fields.size() - region_fields);
  return fields;
}

std::vector<double> blend_to_vertices(const std::vector<Influences>& influences, const std::vector<double>& per_bone) {
  std::vector<double> result(influences.size(), 1.0);
  for (std::size_t v = 0; v < influences.size(); ++v) {
    if (influences[v].count == 0) continue;
    double sum = 0;
    for (int k = 0; k < influences[v].count; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      sum += influences[v].weight[slot] * per_bone[static_cast<std::size_t>(influences[v].joint[slot])];
    }
    result[v] = sum;
  }
  return result;
}

std::vector<double> field_in_volume(const TetrahedralMesh& mesh, const Embedding& embedding, const Fields& painted,
                                    std::size_t field, double unpainted) {
  if (painted[field].empty()) return {};
  const PaintedField& row = painted_fields[field];
  std::vector<double> offset;
  for (const double value : painted[field]) offset.push_back(is_neutral(row, value) ? 0 : value - unpainted);
  std::vector<double> values = extend_into_volume(mesh, embedding, offset, 1);
  for (double& value : values) value = std::clamp(unpainted + value, row.least, row.most);
  return values;
}

void multiply_painted(const TetrahedralMesh& mesh, const Embedding& embedding, const Fields& painted, std::size_t field,
                      std::vector<double>& per_vertex) {
  const std::vector<double> factor = field_in_volume(mesh, embedding, painted, field);
  for (std::size_t v = 0; v < factor.size(); ++v) per_vertex[v] *= factor[v];
}

std::vector<double> mean_over_corners(const TetrahedralMesh& mesh, const std::vector<double>& per_vertex) {
  return corner_means(mesh, [&](std::size_t v) { return per_vertex[v]; });
}

std::vector<double> bone_stiffness(const TetrahedralMesh& mesh, const FleshMap& map, const std::vector<double>& young,
                                   double hold, double height) {
  const double least = least_hold / (height * height);
  std::vector<double> result = corner_means(mesh, [&](std::size_t v) {
    return least + (map.thickness[v] > 0 ? map.bone_proximity[v] / (map.thickness[v] * map.thickness[v]) : 0.0);
  });
  for (std::size_t t = 0; t < result.size(); ++t) result[t] *= hold * young[t];
  return result;
}

std::vector<double> thin_parts(const TetrahedralMesh& mesh, const FleshMap& map, const std::vector<char>& loose,
                               double cell_size) {
  std::vector<double> result = corner_means(mesh, [&](std::size_t v) {
    const double resolved =
        std::clamp((map.solid_depth[v] / cell_size - thin_cells) / (resolved_cells - thin_cells), 0.0, 1.0);
    return 1 - resolved * resolved * (3 - 2 * resolved);
  });
  for (std::size_t t = 0; t < result.size(); ++t)
    if (loose[t]) result[t] = 1;
  return result;
}

std::vector<double> resolved_share(const TetrahedralMesh& mesh, const std::vector<double>& thin) {
  std::vector<double> sum(mesh.positions.size(), 0.0), count(mesh.positions.size(), 0.0);
  for (std::size_t t = 0; t < thin.size(); ++t)
    for (int v : mesh.tetrahedra[t]) {
      sum[static_cast<std::size_t>(v)] += 1 - thin[t];
      count[static_cast<std::size_t>(v)] += 1;
    }
  for (std::size_t v = 0; v < sum.size(); ++v) sum[v] = count[v] > 0 ? sum[v] / count[v] : 0;
  return sum;
}

std::vector<double> displacement_limits(const TetrahedralMesh& mesh, const FleshMap& map, double share, double most) {
  std::vector<double> limits;
  limits.reserve(map.bone_distance.size());
  for (double distance : map.bone_distance) limits.push_back(std::min(share * distance, most));
  // Lowered edge by edge, in both orders by turns, until none is left that is too steep.
  const auto lower = [&](const Tetrahedron& corner) {
    bool lowered = false;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b) {
        const auto low = static_cast<std::size_t>(corner[a]), high = static_cast<std::size_t>(corner[b]);
        const double bound = limits[low] + share * distance(mesh.positions[low], mesh.positions[high]);
        if (limits[high] <= bound) continue;
        limits[high] = bound;
        lowered = true;
      }
    return lowered;
  };
  for (bool lowered = true; lowered;) {
    lowered = false;
    for (auto t = mesh.tetrahedra.begin(); t != mesh.tetrahedra.end(); ++t) lowered |= lower(*t);
    for (auto t = mesh.tetrahedra.rbegin(); lowered && t != mesh.tetrahedra.rend(); ++t) lower(*t);
  }
  return limits;
}

}  // namespace sinew
