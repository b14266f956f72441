// Checks whether a character file can be animated, and lists its defects: the job of `sinew check`.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/defects.h"

namespace sinew {

// An automatic decision, as one line: the size, which parts are skulls or rigid, which clips loop, the visible
// amplitude.
struct Decision {
  std::string about;  // "size", "anatomy", "loops", "amount"
  std::string what;   // a sentence
};

// The findings about a file.
struct FileCheck {
  std::vector<Defect> defects;       // first those that the user must mend, then repaired ones, then harmless ones
  std::vector<std::string> methods;  // methods of `sinew animate` that accept the file, the default first; empty: none
  std::vector<Decision> decisions;   // empty if the file cannot be animated
  std::string size;                  // the decided size, for the user; empty if the file cannot be read
  std::string refusal;               // the sentence with which `animate` refuses the file; empty if a method accepts it
};

// Reads a .glb, .gltf, .vrm or .obj and builds its body exactly as `animate` does. Throws Error only if `progress` asks
// for a stop.
FileCheck check_file(const std::string& file, const Progress& progress = {});

}  // namespace sinew
