#include "sinew/cook/mixed/prepare_mixed.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/base/index.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/body_binding.h"
#include "sinew/cook/fill_surface.h"
#include "sinew/cook/flesh/flesh_fields.h"
#include "sinew/cook/mixed/mixed_bones.h"
#include "sinew/cook/mixed/mixed_handles.h"
#include "sinew/cook/painted_surface.h"
#include "sinew/deform/setting.h"
#include "sinew/files/handles_json.h"

namespace sinew {
namespace {

// Default stiffness of springs of tied pins, as a multiple of a cell's own stiffness, E times its size.
constexpr double spring_in_cells = 10;
constexpr std::size_t most_parts_named = 3;

// Returns -1 if no corner has weight on a bone that poses the body.
int strongest_bone(const Tetrahedron& corners, std::span<const Influences> influences, const PosingBones& bones,
                   std::vector<double>& weight) {
  std::vector<int> touched;
  for (const int v : corners) {
    const Influences& vertex = influences[index(v)];
    for (std::size_t k = 0; k < index(vertex.count); ++k) {
      const int bone = bones.of_surface_bone[index(vertex.joint[k])];
      if (bone < 0) continue;
      weight[index(bone)] += vertex.weight[k];
      touched.push_back(bone);
    }
  }
  int best = -1;
  for (const int bone : touched)
    if (best < 0 || weight[index(bone)] > weight[index(best)] ||
        (weight[index(bone)] == weight[index(best)] && bone < best))
      best = bone;
  for (const int bone : touched) weight[index(bone)] = 0;
  return best;
}

// Each element takes the bone with the largest sum of its corners' weights. Weights of bones that do not pose the body
// count for the bone that stands in for them. `influences` are per mesh vertex, over the surface's bones
// (body_influences()). Elements without weights take the bone of the nearest element that has some; if no element has
// any, they get -1 and are boneless.
RotationClusters weight_clusters(const TetrahedralMesh& mesh, std::span<const Influences> influences,
                                 const PosingBones& bones) {
  RotationClusters clusters;
  std::vector<double> weight(bones.bones.size(), 0.0);
  for (const Tetrahedron& corners : mesh.tetrahedra) {
    clusters.bone.push_back(strongest_bone(corners, influences, bones, weight));
    clusters.boneless.push_back(clusters.bone.back() < 0);
  }
  follow_nearest_elements(mesh, clusters);
  return clusters;
}

// The numbers of joints as multipliers.
struct JointStiffness {
  std::vector<double> posing;  // per bone that poses the body
  // Per bone of the surface, beside those: what a joint that poses nothing has more than the bone that stands in for
  // it (PosingBones). Empty if all are 1.
  std::vector<double> helping;
};

JointStiffness stiffness_of_joints(const FilledMixed& mixed, const std::vector<MixedJoint>& joints) {
  JointStiffness stiffness{std::vector<double>(mixed.bones.size(), 1.0), {}};
  const std::vector<Bone>& all = mixed.surface.bones;
  std::vector<double> named(all.size(), 0.0);  // 0: no entry names it
  const auto set = [](std::vector<double>& values, const std::vector<Bone>& bones, const MixedJoint& joint) {
    bool found = false;
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (matches(joint.joints, bones[b].name)) values[b] = joint.stiffness, found = true;
    return found;
  };
  for (const MixedJoint& joint : joints) {
    const bool poses = set(stiffness.posing, mixed.bones, joint);
    const bool is_there = mixed.surface.weighted && set(named, all, joint);
    if (!poses && !is_there)
      throw usage_error("joint '" + joint.joints +
                        "': no bone that moves the body has such a name; `sinew info --json` lists the nodes.");
  }
  if (std::none_of(named.begin(), named.end(), [](double factor) { return factor > 0; })) return stiffness;
  const PosingBones posing = bones_that_pose(mixed.surface, mixed.height);
  stiffness.helping.assign(all.size(), 1.0);
  for (std::size_t b = 0; b < all.size(); ++b) {
    const int stands_in = posing.of_surface_bone[b];
    if (named[b] > 0) stiffness.helping[b] = named[b] / (stands_in < 0 ? 1 : stiffness.posing[index(stands_in)]);
  }
  if (std::all_of(stiffness.helping.begin(), stiffness.helping.end(), [](double factor) { return factor == 1; }))
    stiffness.helping.clear();
  return stiffness;
}

// Per element, the mean of its corners' blended factors.
std::vector<double> skinned_factors(const FilledMixed& mixed, std::span<const double> per_surface_bone) {
  const std::vector<Influences> influences = body_influences(mixed.mesh, mixed.embedding, mixed.surface, {});
  std::vector<double> per_vertex;
  for (const Influences& vertex : influences) {
    double factor = vertex.count > 0 ? 0 : 1;
    for (std::size_t k = 0; k < index(vertex.count); ++k)
      factor += vertex.weight[k] * per_surface_bone[index(vertex.joint[k])];
    per_vertex.push_back(factor);
  }
  return mean_over_corners(mixed.mesh, per_vertex);
}

// Blends the multipliers as rotations are blended.
std::vector<double> blend_to_elements(const RotationWeights& weights, const std::vector<double>& per_bone) {
  std::vector<double> result(weights.size(), 0.0);
  for (std::size_t t = 0; t < result.size(); ++t)
    for (int k = weights.start[t]; k < weights.start[t + 1]; ++k)
      result[t] += weights.weight[static_cast<std::size_t>(k)] *
                   per_bone[static_cast<std::size_t>(weights.bone[static_cast<std::size_t>(k)])];
  return result;
}

// A painted field per element; empty where it is not painted.
std::vector<double> painted_elements(const CookedMixed& mixed, std::size_t field, double unpainted) {
  const std::vector<double> values =
      field_in_volume(mixed.mesh, mixed.embedding, mixed.surface.fields, field, unpainted);
  return values.empty() ? values : mean_over_corners(mixed.mesh, values);
}

std::vector<double> stiffness_multipliers(const CookedMixed& mixed, const MixedSettings& settings) {
  const JointStiffness joints = stiffness_of_joints(mixed, settings.joints);
  std::vector<double> of_sources = joints.posing;
  of_sources.resize(mixed.movers.bones);
  of_sources.resize(mixed.movers.sources(), 1.0);
  std::vector<double> result = blend_to_elements(mixed.weights, of_sources);
  const std::vector<double> painted = painted_elements(mixed, field("stiffness"), 1);
  for (std::size_t t = 0; t < painted.size(); ++t) result[t] *= painted[t];
  if (!joints.helping.empty()) {
    const std::vector<double> helped = skinned_factors(mixed, joints.helping);
    for (std::size_t t = 0; t < helped.size(); ++t) result[t] *= helped[t];
  }
  return result;
}

// A skeleton that stands beside its surface poses little of it.
void note_missing_bones(FilledMixed& mixed) {
  const std::size_t joints = mixed.surface.bones.size(), bones = mixed.bones.size();
  if (mixed.surface.weighted || 2 * bones >= joints) return;
  mixed.notes.push_back("Only " + std::to_string(bones) + " of " + std::to_string(joints) +
                        " joints have a bone in the flesh: if more should, the file's default pose is not the one in "
                        "which the surface was modelled; export the character in that pose.");
}

void note_boneless_parts(CookedMixed& mixed) {
  const std::vector<BonelessPart>& parts = mixed.pins.boneless_parts;
  for (std::size_t k = 0; k < std::min(parts.size(), most_parts_named); ++k)
    mixed.notes.push_back(boneless_sentence(mixed, parts[k]));
  if (parts.size() > most_parts_named)
    mixed.notes.push_back(std::to_string(parts.size() - most_parts_named) +
                          " more parts that no bone reaches follow the nearest parts that one does.");
}

RotationClusters find_clusters(const Character& character, const FilledMixed& mixed, const PosingBones& posing,
                               MixedClusters rule, const Progress& progress) {
  const bool weighted = mixed.surface.weighted;
  if (rule == MixedClusters::weights && !weighted)
    throw usage_error("clusters: " + character.file + " has no skin weights; choose segment, midpoint or hierarchy.");
  if (rule == MixedClusters::weights || (rule == MixedClusters::automatic && weighted)) {
    RotationClusters clusters =
        weight_clusters(mixed.mesh, body_influences(mixed.mesh, mixed.embedding, mixed.surface, progress), posing);
    // All of a skin's weights may be on helper bones.
    if (clusters.bone.front() >= 0) return clusters;
  }
  return rotation_clusters(mixed.mesh, mixed.bones,
                           rule == MixedClusters::midpoint    ? ClusterRule::midpoint
                           : rule == MixedClusters::hierarchy ? ClusterRule::hierarchy
                                                              : ClusterRule::segment);
}

// Finds whose rotation the elements take, and what is pinned.
void bind_to_movers(CookedMixed& mixed, const MixedSettings& settings) {
  const std::vector<HandleSettings> handles = handles_of_setting(settings.handles);
  const std::span<const Bone> bones = mixed.bones_pose ? std::span<const Bone>(mixed.bones) : std::span<const Bone>{};
  const PlacedHandles placed =
      place_handles({mixed.surface, mixed.mesh, mixed.embedding, mixed.height}, handles, bones.size());
  const std::vector<Bone> sources = rotation_sources(bones, placed, handles);
  const RotationClusters clusters = clusters_of_sources(mixed.mesh, mixed.clusters, sources, placed);
  mixed.movers = placed.movers;
  mixed.weights = smooth_weights(mixed.mesh, sources, clusters.bone, {settings.smooth});
  BonePins held = pins_of_handles(placed);
  mixed.handle_pins = held.vertex.size();
  BonePinOptions options;
  options.pinned_bones = bones.size();
  mixed.pins = bone_pins(mixed.mesh, sources, clusters, options, std::move(held));
  mixed.source_names.clear();
  for (const Bone& source : sources) mixed.source_names.push_back(source.name);
}

}  // namespace

std::string boneless_sentence(const CookedMixed& mixed, const BonelessPart& part) {
  char place[96];
  std::snprintf(place, sizeof(place), "(%.3g, %.3g, %.3g) m", part.centre.x, part.centre.y, part.centre.z);
  return "A part of the body that no bone reaches, around " + std::string(place) +
         " in the rest pose, follows the nearest part that one does, with '" +
         mixed.source_names[static_cast<std::size_t>(part.bone)] + "'.";
}

std::vector<FieldInUse> fields_in_use(const MixedSettings& settings) {
  return {{field("stiffness"), 1}, {field("density"), 1}, {field("poisson"), settings.poisson}};
}

FilledMixed fill_mixed(const Character& character, const MixedSettings& settings, bool bones_pose,
                       const Progress& progress) {
  check_settings(settings_of(settings));
  FilledMixed filled;
  Stopwatch watch;
  const auto finish_stage = [&](const char* name) { filled.stages.push_back({name, watch.lap()}); };

  filled.surface = painted_surface(character, settings.color_stiffness, settings.along, fields_in_use(settings));
  filled.height = standing_height(filled.surface);
  const PosingBones posing = bones_that_pose(filled.surface, filled.height);
  filled.bones = posing.bones;
  filled.bones_pose = bones_pose;
  if (bones_pose) note_missing_bones(filled);
  finish_stage("surface");

  VolumeMesh volume = fill_surface(character, filled.surface.rest, {settings.tetrahedra, settings.cell_size},
                                   part_of(progress, 0.0, 0.7));
  filled.mesh = std::move(volume.mesh);
  filled.embedding = std::move(volume.embedding);
  filled.inside_fraction = std::move(volume.inside_fraction);
  filled.cell_size = volume.cell_size;
  finish_stage("volume");
  if (!bones_pose) return filled;

  report_or_stop(progress, "finding the bones of all elements", 0.7);
  filled.clusters = find_clusters(character, filled, posing, settings.clusters, part_of(progress, 0.7, 1));
  finish_stage("clusters");
  return filled;
}

CookedMixed prepare_mixed(FilledMixed filled, const MixedSettings& settings, const Progress& progress) {
  check_settings(settings_of(settings));
  CookedMixed mixed;
  static_cast<FilledMixed&>(mixed) = std::move(filled);
  Stopwatch watch;
  const auto finish_stage = [&](const char* name) { mixed.stages.push_back({name, watch.lap()}); };

  report_or_stop(progress, "smoothing rotations over the body", 0);
  bind_to_movers(mixed, settings);
  mixed.pinning = settings.pins;
  mixed.stiffness_multiplier = stiffness_multipliers(mixed, settings);
  note_boneless_parts(mixed);
  finish_stage("bind");

  report_or_stop(progress, "assembling the equations", 0.6);
  std::vector<double> young = mixed.stiffness_multiplier;
  for (double& value : young) value *= settings.young;
  ElementFields fields;
  fields.material = {settings.young, settings.poisson, settings.density};
  fields.young = young;
  fields.inside_fraction = mixed.inside_fraction;
  std::vector<double> density = painted_elements(mixed, field("density"), 1);
  for (double& value : density) value *= settings.density;
  fields.density = density;
  const std::vector<double> poisson = painted_elements(mixed, field("poisson"), settings.poisson);
  fields.poisson = poisson;
  mixed.mass = lumped_mass(mixed.mesh, fields);
  const StretchEnergy& energy = settings.energy ? *settings.energy : stretch_energy(settings.material);
  const double spring = settings.spring.value_or(spring_in_cells * settings.young * mixed.cell_size);
  mixed.body = std::make_shared<const MixedBody>(mixed_body(
      mixed.mesh.positions, strain_samples(mixed.mesh, Element::linear, fields), energy,
      settings.pins == Pinning::held ? held_pins(mixed.pins) : tied_pins(mixed.pins, spring, mixed.handle_pins)));
  finish_stage("cook");
  report_or_stop(progress, "assembling the equations", 1.0);
  return mixed;
}

CookedMixed prepare_mixed(const Character& character, const MixedSettings& settings, const Progress& progress) {
  return prepare_mixed(fill_mixed(character, settings, true, part_of(progress, 0, 0.7)), settings,
                       part_of(progress, 0.7, 1));
}

}  // namespace sinew
