// Defects of a character file, element by element, and how Sinew handles them.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"

namespace sinew {

struct Defect {
  std::string name;           // technical term, "unweighted vertex"
  std::string where;          // part, skin, joint or clip by name and number; empty: the whole file
  std::string kind;           // type of the elements: "vertex", "triangle", "joint", "part", "channel", ...
  std::vector<int> elements;  // their numbers; may be empty. Joints are numbered as the file's nodes
  std::string action;         // one sentence on how Sinew handles it
  bool fatal = false;         // Sinew cannot work with the file
};

// "name in where (kind 3 and 4 more): action", without the file.
std::string sentence(const Defect& defect);

// Throws input_error with the first defect that Sinew cannot work with.
void refuse_fatal(const std::string& file, const std::vector<Defect>& defects);

// Finds defects of skeleton, skins, weights, clips and node transforms.
// Defects that reading repaired are reported by character_from().
std::vector<Defect> find_defects(const Character& character);

// Throws input_error if the clip moves joints absurdly far (find_outlier_channels). find_defects() does not report this
// as fatal, since other clips can be played. Null: the rest pose.
void refuse_outlier_clip(const Character& character, const Clip* clip);

// Finds defects of the surface that gets flesh (the skinned parts, or all if none is skinned) in the default pose,
// welded along seams (mesh/surface/defects.h). Elements are numbered as in the parts.
std::vector<Defect> find_surface_defects(const Character& character);

}  // namespace sinew
