// What is wrong or unusual in a character, element by element, and what Sinew does about it.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"

namespace sinew {

struct Defect {
  std::string name;           // the field's word for it, e.g. "unweighted vertex"
  std::string where;          // part, skin, joint or clip by name and number; empty: the whole file
  std::string kind;           // what the elements are: "vertex", "triangle", "joint", "part", "channel", ...
  std::vector<int> elements;  // their numbers; may be empty. Joints are numbered as the file's nodes
  std::string action;         // one sentence: what Sinew does about it
  bool fatal = false;         // Sinew cannot work with the file
};

// "name in where (kind 3 and 4 more): action", without the file.
std::string sentence(const Defect& defect);

// Throws input_error with the first defect that Sinew cannot work with.
void refuse_fatal(const std::string& file, const std::vector<Defect>& defects);

// Defects of skeleton, skins, weights, clips and node transforms that show in the character itself.
// Those that reading repaired come from character_from.
std::vector<Defect> find_defects(const Character& character);

// Throws input_error where the clip takes joints beyond all measure, which find_defects() names without being fatal:
// the character's other clips can be played. Null: the rest pose.
void refuse_stray_clip(const Character& character, const Clip* clip);

// Defects of the surface that gets flesh (the skinned parts, or all where nothing is skinned) in the
// default pose, welded along seams: see mesh/surface/defects.h. Numbers are those of the parts.
std::vector<Defect> find_surface_defects(const Character& character);

}  // namespace sinew
