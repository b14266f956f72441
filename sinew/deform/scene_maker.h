// A method as those see it who know its name alone: its settings, and what it makes of a character. A new method is a
// folder with one of these, and a line in cook/scene_makers.cpp.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/deform/scene.h"
#include "sinew/deform/setting.h"

namespace sinew {

class SceneMaker {
 public:
  virtual ~SceneMaker() = default;

  virtual const char* name() const = 0;       // as on the command line
  virtual const char* summary() const = 0;    // half a sentence for --help
  virtual Settings settings() { return {}; }  // bound to this
  virtual bool keeps_rigid() const {
    return true;
  }  // whether rigid things keep their shape; skinning is shown as it is

  // `notes`: what was decided or ignored, for people. Throws usage_error for settings that the character cannot meet,
  // input_error for characters that the method cannot work with.
  virtual Scene make(const Character& character, std::vector<std::string>& notes) const = 0;
};

}  // namespace sinew
