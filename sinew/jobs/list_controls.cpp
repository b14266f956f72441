#include "sinew/jobs/list_controls.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/index.h"
#include "sinew/cook/rig_space/choose_controls.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"

namespace sinew {
namespace {

constexpr double frames_per_second = 30;

// Per node: share of the skin that its bones and those below it carry.
std::vector<double> moved_by_nodes(const Character& character, const SimulationSurface& surface) {
  const std::vector<double> carried = carried_skin(surface);
  double all = 0;
  for (const double area : carried) all += area;
  std::vector<double> share(character.skeleton.joints.size(), 0.0);
  for (std::size_t b = 0; b < carried.size(); ++b)
    for (int node = surface.bones[b].joint; node >= 0; node = character.skeleton.joints[index(node)].parent)
      share[index(node)] += all > 0 ? carried[b] / all : 0;
  return share;
}

// Share of the vertices that a morph target moves.
double moved_by_weight(CharacterRig& rig, int parameter) {
  std::vector<double> rest;
  for (const RigParameter& p : rig.parameters()) rest.push_back(p.rest);
  RigJacobian jacobian;
  rig.jacobian(rest, std::vector<int>{parameter}, jacobian);
  return static_cast<double>(jacobian.vertex.size()) / static_cast<double>(rig.vertices());
}

// Adds a clip's effect on the parameters.
void look_at(const CharacterRig& rig, const Clip& clip, std::vector<ListedParameter>& parameters) {
  const ClipAnimation animation(rig, clip);
  const std::vector<char> still = animation.still();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (animation.keyed()[i]) (still[i] ? parameters[i].held : parameters[i].clips).push_back(clip.name);
  std::vector<double> p;
  for (const RigParameter& parameter : rig.parameters()) p.push_back(parameter.rest);
  const int frames = 1 + static_cast<int>(std::ceil((clip.end - clip.start) * frames_per_second));
  for (int frame = 0; frame < frames; ++frame) {
    animation.sample(std::min(clip.end, clip.start + frame / frames_per_second), p);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (!animation.keyed()[i] || still[i]) continue;
      parameters[i].least = std::min(parameters[i].least, p[i]);
      parameters[i].most = std::max(parameters[i].most, p[i]);
    }
  }
}

}  // namespace

std::vector<ListedControl> list_controls(const Character& character) {
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  std::vector<ListedParameter> parameters;
  for (const RigParameter& parameter : rig.parameters())
    parameters.push_back({parameter, parameter.rest, parameter.rest, {}, {}});
  for (const Clip& clip : character.clips) look_at(rig, clip, parameters);

  const std::vector<double> moved = moved_by_nodes(character, surface);
  std::map<int, std::string> hanging;  // per node
  for (const HangingBone& bone : controls_in_flesh(surface))
    hanging[surface.bones[index(bone.bone)].joint] = bone.because;
  std::vector<ListedControl> controls;
  int last_node = -1;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const NodeParameter& of = rig.node_parameters()[i];
    const bool weight = of.kind == NodeParameterKind::weight;
    if (weight || of.node != last_node || controls.empty()) {
      ListedControl control{parameters[i].parameter.control, of.node, moved[index(of.node)], {}, {}};
      if (weight)
        control.moves = moved_by_weight(rig, static_cast<int>(i));
      else if (const auto found = hanging.find(of.node); found != hanging.end())
        control.hangs = found->second;
      controls.push_back(std::move(control));
      last_node = weight ? -1 : of.node;
    }
    controls.back().parameters.push_back(std::move(parameters[i]));
  }
  std::erase_if(controls, [](const ListedControl& control) { return !(control.moves > 0); });
  return controls;
}

}  // namespace sinew
