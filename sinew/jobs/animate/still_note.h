// Notes about clips without visible flesh motion, and about safety clamps that acted often.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bake/run_report.h"
#include "sinew/character/character.h"
#include "sinew/deform/scene.h"

namespace sinew {

// A clip as it was played, with the quality of the result.
struct PlayedClip {
  int clip = -1;              // seconds, clip time
  double begin = 0, end = 0;  // seconds on its time line
  Quality quality;
};

// Why nothing of the clip's flesh is seen to move, as the end of a sentence; empty: it is seen, or nothing is known.
std::string why_still(const Character& character, const PlayedClip& clip, const MotionAdvice& advice);

// Sentences, usually none, about clips without visible flesh motion: because the character does not move, or for the
// reasons in the scene's `advice`.
std::vector<std::string> explain_stillness(const Character& character, std::span<const PlayedClip> played,
                                           const MotionAdvice& advice);

// A sentence about the strain limit or the display clamp if it acted on much of a clip; otherwise empty.
std::string safety_clamp_note(std::span<const ClipReport> clips);

}  // namespace sinew
