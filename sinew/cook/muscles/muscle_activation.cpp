#include "sinew/cook/muscles/muscle_activation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

bool any_matches(const std::string& pattern, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return matches(pattern, name); });
}

// Each muscle with its own activation, or that of the last pattern that matches it.
std::vector<MuscleActivation> activations_of(const MuscleFile& muscles, const ActivationFile& given) {
  std::vector<MuscleActivation> result;
  for (const Muscle& muscle : muscles.muscles) result.push_back(muscle.activation);
  for (const NamedActivation& named : given.activations) {
    bool used = any_matches(named.muscles, muscles.left_out);
    const bool is_name = std::any_of(muscles.muscles.begin(), muscles.muscles.end(),
                                     [&](const Muscle& muscle) { return muscle.name == named.muscles; });
    for (std::size_t m = 0; m < result.size(); ++m)
      if (is_name ? muscles.muscles[m].name == named.muscles : matches(named.muscles, muscles.muscles[m].name)) {
        result[m] = named.activation;
        used = true;
      }
    if (!used) {
      std::string names;
      for (const Muscle& muscle : muscles.muscles) names += (names.empty() ? "" : ", ") + muscle.name;
      throw input_error(given.file + ": no muscle is called '" + named.muscles + "'; there are " + names + ".");
    }
  }
  return result;
}

// Muscles that a control drives, as rigs that have one control each.
ShapeFile controlled(const MuscleFile& muscles, std::span<const MuscleActivation> activations,
                     const ActivationFile& given) {
  ShapeFile file;
  file.file = given.file.empty() ? muscles.file : given.file;
  file.controls = given.controls;
  for (std::size_t m = 0; m < activations.size(); ++m) {
    ShapeRig rig;
    rig.name = muscles.muscles[m].name;
    if (activations[m].source == ActivationSource::control) rig.controls = {activations[m].control};
    file.rigs.push_back(std::move(rig));
  }
  return file;
}

// Rises smoothly from 0 to 1.
double smooth_share(double value, double from, double to) {
  const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

std::vector<std::string> notes_of_left_out(const MuscleFile& muscles, const ActivationFile& given) {
  std::vector<std::string> notes, names;
  for (const Muscle& muscle : muscles.muscles) names.push_back(muscle.name);
  for (const NamedActivation& named : given.activations)
    if (any_matches(named.muscles, muscles.left_out) && !any_matches(named.muscles, names))
      notes.push_back(given.file + ": '" + named.muscles +
                      "' flexes nothing: this muscle is left out, as it would lie in no flesh.");
  return notes;
}

MuscleActivations::MuscleActivations(const MuscleFile& muscles, const ActivationFile& given, const Character& character,
                                     const SimulationSurface& surface)
    : file_(muscles),
      clip_(given.clip),
      controls_(controlled(muscles, activations_of(muscles, given), given), {}, character, surface, "muscle") {
  const std::vector<MuscleActivation> activations = activations_of(muscles, given);
  for (std::size_t m = 0; m < activations.size(); ++m) {
    const Muscle& muscle = muscles.muscles[m];
    names_.push_back(muscle.name);
    Source source{activations[m], muscle_lever(muscles, muscle, surface), 0};
    if (source.activation.source == ActivationSource::control) source.control = controls_.of_rig(m)[0];
    if (source.activation.source == ActivationSource::turn && !source.lever.turns())
      throw input_error(muscles.file + ": muscle '" + muscle.name +
                        "': turns no bone, since its ends are on one bone or in line with the joint; give its "
                        "activation as a number or by a control.");
    sources_.push_back(std::move(source));
  }
}

void MuscleActivations::find(const Pose& pose, double clip_time, std::span<const Affine> bones,
                             std::vector<double>& activation) const {
  std::vector<double> values(controls_.size());
  controls_.find(pose, clip_time, values);
  activation.resize(sources_.size());
  for (std::size_t m = 0; m < sources_.size(); ++m) {
    const Source& source = sources_[m];
    const MuscleActivation& by = source.activation;
    double value = by.value;
    if (by.source == ActivationSource::control) value = values[source.control];
    if (by.source == ActivationSource::turn) {
      const Mat3 turned = transpose(closest_rotation(bones[index(source.lever.origin)].linear)) *
                          closest_rotation(bones[index(source.lever.insertion)].linear);
      value = twist_about(to_quaternion(turned), source.lever.axis);
    }
    activation[m] = by.source == ActivationSource::constant ? value : smooth_share(value, by.from, by.to);
  }
}

}  // namespace sinew
