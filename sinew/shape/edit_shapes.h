// Edits of a file of force rigs, as values.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

// Adds rigs in place of those with the same names. Controls of theirs that neither the file nor the character has
// become controls of the file, at 0, or keyed as breathing where `breathes`. Returns these. Throws as control_source()
// does.
std::vector<AbstractControl> add_rigs(ShapeFile& file, std::vector<ShapeRig> rigs, bool breathes,
                                      const Character& character, const SimulationSurface& surface);

// The rig of this name. Throws usage_error listing the names.
ShapeRig& rig_in(ShapeFile& file, const std::string& name);
// Puts a rig, which may have another name, in place of that one. Throws as rig_in() does, and usage_error if yet
// another rig has its name.
void replace_rig(ShapeFile& file, const std::string& name, ShapeRig rig, const Character& character,
                 const SimulationSurface& surface);
// Also removes controls of the file that drove this rig alone. Throws as rig_in() does.
void remove_rig(ShapeFile& file, const std::string& name);

}  // namespace sinew
