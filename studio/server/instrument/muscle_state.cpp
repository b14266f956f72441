#include "studio/server/instrument/muscle_state.h"

#include <cstddef>
#include <string>

#include "sinew/cook/muscles/muscle_activation.h"
#include "sinew/cook/muscles/muscles_in_body.h"

namespace sinew::studio {
namespace {

PageJson end_state(const MuscleFile& file, const Muscle& muscle, const MuscleEnd& end,
                   const SimulationSurface& surface) {
  const Bone& bone = surface.bones[static_cast<std::size_t>(bone_of_end(file, muscle, end, surface))];
  PageJson to_joint = PageJson::array();
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) to_joint.push_back(bone.rest_to_joint.linear(row, column));
    to_joint.push_back(bone.rest_to_joint.translation[row]);
  }
  return {{"joint", bone.joint},
          {"place", {end.place.x, end.place.y, end.place.z}},
          {"rest_to_joint", std::move(to_joint)}};
}

// The word for what activates it. A number that is not the muscle's own was set by hand.
const char* source_of(const Muscle& muscle, const MuscleActivation& activation) {
  switch (activation.source) {
    case ActivationSource::turn:
      return "angle";
    case ActivationSource::control:
      return "control";
    case ActivationSource::constant:
      break;
  }
  return muscle.activation == activation ? "file" : "hand";
}

}  // namespace

PageJson muscles_state(const Scene& scene) {
  const auto* activations = dynamic_cast<const MuscleActivations*>(scene.muscles.get());
  if (!activations || !scene.muscle_lines) return nullptr;
  const MuscleFile& file = activations->file();
  const MuscleLines lines = scene.muscle_lines();
  PageJson list = PageJson::array();
  for (std::size_t m = 0; m < file.muscles.size(); ++m) {
    const Muscle& muscle = file.muscles[m];
    const MuscleActivation& by = activations->of(m);
    PageJson state{{"name", muscle.name},
                   {"length", lines.lines[m].length},
                   {"radius", lines.lines[m].radius},
                   {"origin", end_state(file, muscle, muscle.origin, *scene.surface)},
                   {"insertion", end_state(file, muscle, muscle.insertion, *scene.surface)},
                   {"by", source_of(muscle, by)}};
    if (by.source == ActivationSource::constant) state["value"] = by.value;
    if (by.source == ActivationSource::control) state["control"] = by.control;
    list.push_back(std::move(state));
  }
  return {{"list", std::move(list)}, {"left_out", file.left_out}};
}

}  // namespace sinew::studio
