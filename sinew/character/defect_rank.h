// Severity of a defect for animation.
#pragma once

#include "sinew/character/defects.h"

namespace sinew {

enum class DefectRank {
  must_be_mended,  // Sinew cannot animate the file
  was_decided,     // Sinew made a repair or choice that may be wrong
  fine             // no effect on flesh
};

DefectRank rank_of(const Defect& defect);

// "must be mended", "was decided", "fine".
const char* name_of(DefectRank rank);

}  // namespace sinew
