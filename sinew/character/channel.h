// The value of one channel of a clip, as glTF 2.0 defines it (appendix C).
#pragma once

#include <span>

#include "sinew/character/clip.h"

namespace sinew {

// `result` receives channel.components values. The end values hold before the first and after the last key. Rotations
// are not normalised: they have unit length only if the keys do and interpolation is linear.
void evaluate(const Channel& channel, double seconds, std::span<double> result);

}  // namespace sinew
