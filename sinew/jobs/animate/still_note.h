// What is said where nothing visible came of a clip, or where safety clamps did much of what is seen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bake/run_report.h"
#include "sinew/character/character.h"
#include "sinew/deform/scene.h"

namespace sinew {

// A clip as it was played. `quality`: what came of it.
struct PlayedClip {
  int clip = -1;              // index into Character::clips
  double begin = 0, end = 0;  // seconds on its time line
  Quality quality;
};

// Sentences, mostly none, on clips in which no flesh is seen to move: because nothing moves the character, or for what
// `advice`, of the scene, knows.
std::vector<std::string> explain_stillness(const Character& character, std::span<const PlayedClip> played,
                                           const MotionAdvice& advice);

// One sentence where the strain bound or the limit of what is shown acted on much of a clip, or nothing.
std::string safety_clamp_note(std::span<const ClipReport> clips);

}  // namespace sinew
