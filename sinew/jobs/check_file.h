// What is wrong with a character file, and whether it can be animated: what `sinew check` says.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/defects.h"

namespace sinew {

// What Sinew decides by itself, a line each: the size, what is skull and what rigid, which clips loop, how much the
// flesh is seen to move.
struct Decision {
  std::string about;  // "size", "anatomy", "loops", "amount"
  std::string what;   // a sentence
};

// The findings about a file.
struct FileCheck {
  std::vector<Defect> defects;  // those that must be mended first, then those that were decided, then the fine ones
  std::vector<std::string> methods;  // of `sinew animate` that take the file, the default first; empty: none
  std::vector<Decision> decisions;   // empty where the file cannot be animated
  std::string size;                  // what was decided, for people; empty where the file cannot be read
  std::string refusal;  // the sentence with which `animate` refuses the file; empty where a method takes it
};

// Reads a .glb, .gltf, .vrm or .obj and gives it a body as `animate` would, so that both agree. Throws Error only where
// `progress` asks for a stop.
FileCheck check_file(const std::string& file, const Progress& progress = {});

}  // namespace sinew
