// Opens a character with motions of other files, as jobs do.
#pragma once

#include <filesystem>
#include <span>

#include "sinew/jobs/motion/add_motions.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

inline OpenedCharacter open_with_motions(const std::filesystem::path& file, const SizeRequest& size,
                                         std::span<const MotionRequest> motions,
                                         const std::filesystem::path& map = {}) {
  OpenedCharacter opened = open_rigged_character(file, size);
  add_motions(motions, map, opened);
  return opened;
}

}  // namespace sinew
