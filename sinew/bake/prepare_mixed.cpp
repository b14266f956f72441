#include "sinew/bake/prepare_mixed.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/bake/fill_surface.h"
#include "sinew/bake/flesh_fields.h"
#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/base/stopwatch.h"

namespace sinew {
namespace {

// Springs of tied pins, where none are given, as a multiple of E times the cells' size, which is what a cell resists.
constexpr double spring_in_cells = 10;

// Helpers move flesh, but no flesh is around them that would be theirs.
std::vector<Bone> bones_without_helpers(const std::vector<Bone>& bones) {
  std::vector<int> number(bones.size(), -1);
  std::vector<Bone> kept;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (bones[b].helper) continue;
    number[b] = static_cast<int>(kept.size());
    kept.push_back(bones[b]);
  }
  // No helper has a child that is none.
  for (Bone& bone : kept)
    if (bone.parent >= 0) bone.parent = number[static_cast<std::size_t>(bone.parent)];
  return kept;
}

std::vector<double> stiffness_per_bone(const std::vector<Bone>& bones, const std::vector<MixedJoint>& joints) {
  std::vector<double> stiffness(bones.size(), 1.0);
  for (const MixedJoint& joint : joints) {
    bool used = false;
    for (std::size_t b = 0; b < bones.size(); ++b) {
      if (!matches(joint.joints, bones[b].name)) continue;
      stiffness[b] = joint.stiffness;
      used = true;
    }
    if (!used)
      throw usage_error("joint '" + joint.joints +
                        "': no bone that moves the body has such a name; `sinew info --json` lists the joints.");
  }
  return stiffness;
}

// Blended as the rotations are.
std::vector<double> blend_to_elements(const RotationWeights& weights, const std::vector<double>& per_bone) {
  std::vector<double> result(weights.size(), 0.0);
  for (std::size_t t = 0; t < result.size(); ++t)
    for (int k = weights.start[t]; k < weights.start[t + 1]; ++k)
      result[t] += weights.weight[static_cast<std::size_t>(k)] *
                   per_bone[static_cast<std::size_t>(weights.bone[static_cast<std::size_t>(k)])];
  return result;
}

std::vector<double> stiffness_multipliers(const MixedScene& scene, const MixedSettings& settings) {
  std::vector<double> result = blend_to_elements(scene.weights, stiffness_per_bone(scene.bones, settings.joints));
  if (!scene.surface.painted_stiffness) return result;
  std::vector<double> painted(scene.mesh.positions.size(), 1.0);
  multiply_painted(scene.mesh, scene.embedding, scene.surface.stiffness, painted);
  const std::vector<double> per_element = mean_over_corners(scene.mesh, painted);
  for (std::size_t t = 0; t < result.size(); ++t) result[t] *= per_element[t];
  return result;
}

void note_boneless_parts(const Character& character, MixedScene& scene) {
  for (const BonelessPart& part : scene.pins.boneless_parts)
    scene.notes.push_back("A part of the body that no bone reaches, around (" + std::to_string(part.centre.x) + ", " +
                          std::to_string(part.centre.y) + ", " + std::to_string(part.centre.z) +
                          ") m, follows the nearest part, there the bone '" +
                          scene.bones[static_cast<std::size_t>(part.bone)].name + "'.");
  (void)character;
}

}  // namespace

MixedScene prepare_mixed(const Character& character, const MixedSettings& settings, const Progress& progress) {
  check_mixed_settings(settings);
  MixedScene scene;
  Stopwatch watch;
  const auto finish_stage = [&](const char* name) { scene.stages.push_back({name, watch.lap()}); };

  scene.surface = simulation_surface(character, settings.color_stiffness);
  scene.bones = bones_without_helpers(scene.surface.bones);
  scene.height = standing_height(scene.surface.rest);
  finish_stage("surface");

  VolumeMeshingOptions meshing;
  meshing.target_tetrahedra = settings.tetrahedra;
  meshing.cell_size = settings.cell_size;
  VolumeMesh volume = fill_surface(character, scene.surface.rest, meshing, part_of(progress, 0.0, 0.5));
  scene.mesh = std::move(volume.mesh);
  scene.embedding = std::move(volume.embedding);
  finish_stage("volume");

  report_or_stop(progress, "finding the bones of all elements", 0.5);
  scene.clusters = rotation_clusters(scene.mesh, scene.bones, settings.clusters);
  report_or_stop(progress, "smoothing rotations over the body", 0.7);
  scene.weights = smooth_weights(scene.mesh, scene.bones, scene.clusters.bone, {settings.smooth});
  scene.pins = bone_pins(scene.mesh, scene.bones, scene.clusters);
  scene.pinning = settings.pins;
  scene.stiffness_multiplier = stiffness_multipliers(scene, settings);
  note_boneless_parts(character, scene);
  finish_stage("bind");

  report_or_stop(progress, "assembling the equations", 0.9);
  std::vector<double> young = scene.stiffness_multiplier;
  for (double& value : young) value *= settings.young;
  const ElementFields fields{{settings.young, settings.poisson, settings.density}, young, volume.inside_fraction};
  scene.mass = lumped_mass(scene.mesh, fields);
  const double spring = settings.spring.value_or(spring_in_cells * settings.young * volume.cell_size);
  scene.body = std::make_shared<const MixedBody>(
      mixed_body(scene.mesh.positions, strain_samples(scene.mesh, Element::linear, fields),
                 stretch_energy(settings.material),
                 settings.pins == Pinning::held ? held_pins(scene.pins) : tied_pins(scene.pins, spring)));
  finish_stage("cook");
  report_or_stop(progress, "assembling the equations", 1.0);
  return scene;
}

}  // namespace sinew
