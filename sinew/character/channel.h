// The value of one channel of a clip, as glTF 2.0 defines it (appendix C).
#pragma once

#include <span>

#include "sinew/character/clip.h"

namespace sinew {

// `result` gets channel.components values. Before the first and after the last key the end values hold. Rotations come
// out as the keys' arithmetic leaves them: of unit length where keys are and interpolation is linear, else not.
void evaluate(const Channel& channel, double seconds, std::span<double> result);

}  // namespace sinew
