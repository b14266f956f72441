#include "sinew/shape/edit_shapes.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/shape/control_values.h"
#include "sinew/shape/presets.h"

namespace sinew {
namespace {

void declare_controls(ShapeFile& file, const ShapeRig& rig, bool breathes, const Character& character,
                      const SimulationSurface& surface, std::vector<AbstractControl>& declared) {
  for (const std::string& name : rig.controls) {
    if (control_source(name, file, character, surface) != ControlSource::unknown) continue;
    declared.push_back(breathes ? breathing_control(name) : AbstractControl{name, 0, {}, false});
    file.controls.push_back(declared.back());
  }
}

bool is_driven_by(const ShapeRig& rig, const std::string& control) {
  return std::find(rig.controls.begin(), rig.controls.end(), control) != rig.controls.end();
}

// Removes those among `controls` that are the file's and drive no rig.
void drop_idle_controls(ShapeFile& file, const std::vector<std::string>& controls) {
  std::erase_if(file.controls, [&](const AbstractControl& control) {
    return std::find(controls.begin(), controls.end(), control.name) != controls.end() &&
           std::none_of(file.rigs.begin(), file.rigs.end(),
                        [&](const ShapeRig& rig) { return is_driven_by(rig, control.name); });
  });
}

}  // namespace

std::vector<AbstractControl> add_rigs(ShapeFile& file, std::vector<ShapeRig> rigs, bool breathes,
                                      const Character& character, const SimulationSurface& surface) {
  std::vector<AbstractControl> declared;
  for (ShapeRig& rig : rigs) {
    declare_controls(file, rig, breathes, character, surface, declared);
    std::erase_if(file.rigs, [&](const ShapeRig& other) { return other.name == rig.name; });
    file.rigs.push_back(std::move(rig));
  }
  return declared;
}

ShapeRig& rig_in(ShapeFile& file, const std::string& name) {
  const auto found =
      std::find_if(file.rigs.begin(), file.rigs.end(), [&](const ShapeRig& rig) { return rig.name == name; });
  if (found != file.rigs.end()) return *found;
  std::string known;
  for (const ShapeRig& rig : file.rigs) known += (known.empty() ? "" : ", ") + rig.name;
  throw usage_error("there is no rig '" + name + "'; " +
                    (known.empty() ? "there are none." : "choose one of " + known + "."));
}

void replace_rig(ShapeFile& file, const std::string& name, ShapeRig rig, const Character& character,
                 const SimulationSurface& surface) {
  ShapeRig& there = rig_in(file, name);
  const bool taken = rig.name != name && std::any_of(file.rigs.begin(), file.rigs.end(),
                                                     [&](const ShapeRig& other) { return other.name == rig.name; });
  if (taken) throw usage_error("there is a rig '" + rig.name + "' already; choose another name.");
  const std::vector<std::string> before = std::exchange(there, std::move(rig)).controls;
  std::vector<AbstractControl> declared;
  declare_controls(file, there, false, character, surface, declared);
  drop_idle_controls(file, before);
}

void remove_rig(ShapeFile& file, const std::string& name) {
  const std::vector<std::string> controls = rig_in(file, name).controls;
  std::erase_if(file.rigs, [&](const ShapeRig& rig) { return rig.name == name; });
  drop_idle_controls(file, controls);
}

}  // namespace sinew
