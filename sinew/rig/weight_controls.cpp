#include "sinew/rig/weight_controls.h"

#include <algorithm>
#include <utility>

#include "sinew/base/index.h"

namespace sinew {

std::vector<std::string> unique_names(const Skeleton& skeleton) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    std::string name = skeleton.joints[j].name;
    if (!taken.insert(name).second) {
      name += " (node " + std::to_string(j) + ")";
      taken.insert(name);
    }
    names.push_back(name);
  }
  return names;
}

std::vector<WeightControl> weight_controls(const Character& character, const SimulationSurface& surface,
                                           std::set<std::string> taken) {
  const std::size_t nodes = character.skeleton.joints.size();
  std::vector<std::size_t> count(nodes, 0);
  std::vector<const Part*> shown(nodes, nullptr);
  for (const int part_index : surface.parts) {
    const Part& part = character.parts[index(part_index)];
    count[index(part.joint)] = std::max(count[index(part.joint)], part.targets.size());
    shown[index(part.joint)] = &part;
  }
  const std::vector<std::string> names = unique_names(character.skeleton);
  std::vector<WeightControl> controls;
  for (std::size_t j = 0; j < nodes; ++j)
    for (std::size_t t = 0; t < count[j]; ++t) {
      WeightControl control{{}, static_cast<int>(j), static_cast<int>(t)};
      RigParameter& parameter = control.parameter;
      parameter.control = "target " + std::to_string(t);
      if (const std::vector<std::string>& given = shown[j]->target_names; t < given.size() && !given[t].empty())
        parameter.control = given[t];
      parameter.name = names[j] + "." + parameter.control;
      if (!taken.insert(parameter.name).second) {
        parameter.name += " (target " + std::to_string(t) + ")";
        taken.insert(parameter.name);
      }
      parameter.unit = RigUnit::weight;
      const std::vector<double>& weights = character.skeleton.joints[j].rest_weights;
      parameter.rest = t < weights.size() ? weights[t] : 0;
      // The range has both signs, since a shape that physics may only add would swing one way.
      parameter.lower = parameter.rest - 1;
      parameter.upper = parameter.rest + 1;
      controls.push_back(std::move(control));
    }
  return controls;
}

void read_weights(std::span<const WeightControl> controls, const Pose& pose, std::span<double> values) {
  for (std::size_t c = 0; c < controls.size(); ++c) {
    const std::size_t node = index(controls[c].node), target = index(controls[c].target);
    const bool posed = node < pose.morph_weights.size() && target < pose.morph_weights[node].size();
    values[c] = posed ? pose.morph_weights[node][target] : controls[c].parameter.rest;
  }
}

}  // namespace sinew
