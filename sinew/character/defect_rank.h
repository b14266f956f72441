// How much a defect matters to somebody who wants to animate a file.
#pragma once

#include "sinew/character/defects.h"

namespace sinew {

enum class DefectRank {
  must_be_mended,  // Sinew cannot animate the file
  was_decided,     // Sinew repaired something or made a choice, which may not be what was meant
  fine             // nothing that flesh minds
};

DefectRank rank_of(const Defect& defect);

// "must be mended", "was decided", "fine".
const char* name_of(DefectRank rank);

}  // namespace sinew
