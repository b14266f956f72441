// A character and its scene. Both are immutable and may be used by the player and the cook worker at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "sinew/deform/scene.h"
#include "sinew/jobs/motion/add_motions.h"
#include "sinew/jobs/open_character.h"

namespace sinew::studio {

// Motions that a character is given, and the file of bones named by hand for them; empty: none.
struct AskedMotions {
  std::vector<MotionRequest> motions;
  std::filesystem::path map;

  bool operator==(const AskedMotions&) const = default;
};

struct LoadedCharacter {
  std::uint32_t number = 0;                       // of the character
  std::shared_ptr<const OpenedCharacter> opened;  // with motions of other files
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const OpenedCharacter> read;  // as its file has it
  AskedMotions asked{};                         // motions that `opened` has

  bool operator==(const LoadedCharacter&) const = default;  // the same objects
};

}  // namespace sinew::studio
