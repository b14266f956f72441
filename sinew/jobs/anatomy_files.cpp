#include "sinew/jobs/anatomy_files.h"

#include "sinew/anatomy/accessories.h"
#include "sinew/files/anatomy_json.h"
#include "sinew/jobs/pictures/three_sides.h"

namespace sinew {
namespace {

constexpr Vec3 flesh_color{0.80, 0.42, 0.36}, skull_color{0.86, 0.80, 0.62}, rigid_color{0.25, 0.42, 0.62},
    shell_color{0.35, 0.62, 0.38};

const std::string& name_of(const SimulationSurface& surface, int bone) {
  return surface.bones[static_cast<std::size_t>(bone)].name;
}

}  // namespace

Image anatomy_picture(const SimulationSurface& surface, const Anatomy& anatomy) {
  std::vector<Vec3> colors(surface.rest.positions.size());
  for (std::size_t v = 0; v < colors.size(); ++v) {
    const Influences& influences = surface.influences[v];
    double skull = 0;
    for (int k = 0; k < influences.count; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      if (anatomy.bones[static_cast<std::size_t>(influences.joint[slot])].tissue == Tissue::skull)
        skull += influences.weight[slot];
    }
    colors[v] = flesh_color + skull * (skull_color - flesh_color);
  }
  for (const ThinShell& shell : anatomy.shells)
    for (const int v : shell.vertices) colors[static_cast<std::size_t>(v)] = shell_color;
  for (const RigidPart& thing : anatomy.rigid)
    for (const int v : thing.vertices) colors[static_cast<std::size_t>(v)] = rigid_color;
  return three_sides({{surface.rest, colors, "red flesh, pale skull, blue rigid, green sheet"}});
}

std::string anatomy_text(const Character& character, const SimulationSurface& surface, const Anatomy& anatomy) {
  std::string text = std::string("kind   ") + name_of(anatomy.body_plan.plan) + ": " + anatomy.body_plan.because + "\n";
  const std::size_t heading = text.size();
  for (std::size_t b = 0; b < anatomy.bones.size(); ++b)
    if (anatomy.bones[b].tissue == Tissue::skull)
      text += "skull  " + surface.bones[b].name + ": " + anatomy.bones[b].because + "\n";
  for (const RigidPart& thing : anatomy.rigid)
    text += "rigid  " + std::to_string(thing.vertices.size()) + " vertices on " + name_of(surface, thing.bone) + ": " +
            thing.because + "\n";
  for (const ThinShell& shell : anatomy.shells)
    text += "sheet  " + std::to_string(shell.vertices.size()) + " vertices on " + name_of(surface, shell.bone) + ": " +
            shell.because + "\n";
  if (text.size() == heading) text += "flesh everywhere\n";
  for (const Accessory& accessory : find_accessories(character, surface)) {
    text += "worn   ";
    for (const int node : accessory.nodes)
      text += (node == accessory.nodes.front() ? "" : ", ") +
              character.skeleton.joints[static_cast<std::size_t>(node)].name;
    text += " on " + name_of(surface, accessory.bone) + ": hangs there without a skin, goes along with the flesh\n";
  }
  return text;
}

std::string anatomy_changes(const SimulationSurface& surface, const Anatomy& named, const Anatomy& nameless) {
  std::string text;
  for (std::size_t b = 0; b < named.bones.size(); ++b)
    if (named.bones[b].tissue != nameless.bones[b].tissue)
      text += surface.bones[b].name + " would be " + name_of(nameless.bones[b].tissue) + ". ";
  const auto covered = [](const Anatomy& anatomy) {
    std::size_t count = 0;
    for (const RigidPart& thing : anatomy.rigid) count += thing.vertices.size();
    return count;
  };
  if (covered(named) != covered(nameless))
    text +=
        std::to_string(covered(nameless)) + " vertices would be rigid, not " + std::to_string(covered(named)) + ". ";
  return "names  " +
         (text.empty() ? std::string("change nothing") : "without them: " + text.substr(0, text.size() - 1)) + "\n";
}

}  // namespace sinew
