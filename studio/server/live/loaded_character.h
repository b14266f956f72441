// A character and its scene. Both are immutable and may be used by the player and the cook worker at once.
#pragma once

#include <cstdint>
#include <memory>

#include "sinew/deform/scene.h"
#include "sinew/jobs/open_character.h"

namespace sinew::studio {

struct LoadedCharacter {
  std::uint32_t number = 0;                       // of the character
  std::shared_ptr<const OpenedCharacter> opened;  // with motions of other files
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const OpenedCharacter> read;  // as its file has it

  bool operator==(const LoadedCharacter&) const = default;  // the same objects
};

}  // namespace sinew::studio
