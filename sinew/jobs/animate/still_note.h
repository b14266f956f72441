// What is said where nothing visible came of a clip, or where last resorts did much of what is seen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/run_report.h"

namespace sinew {

// A clip as it was played. `quality`: what came of it.
struct PlayedClip {
  int clip = -1;              // index into Character::clips
  double begin = 0, end = 0;  // seconds on its time line
  Quality quality;
};

// Sentences, mostly none, on clips in which no flesh is seen to move: because nothing moves the character, because its
// skin is rigid, or because the flesh is too stiff for the clip, with what would change that. `scene`: of the method
// flesh, made by these settings; null for other methods, of which only the first can be said.
std::vector<std::string> explain_stillness(const Character& character, std::span<const PlayedClip> played,
                                           const FleshScene* scene, const FleshSettings& settings);

// One sentence where the strain bound or the limit of what is shown acted on much of a clip, or nothing.
std::string last_resort_note(std::span<const ClipReport> clips);

}  // namespace sinew
