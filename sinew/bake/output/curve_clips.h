// Converts curves of free parameters to a clip that tools play: channels on nodes and morph weights, with as few keys
// as an error bound on the surface allows.
#pragma once

#include <span>
#include <string>

#include "sinew/bake/output/rig_curves.h"
#include "sinew/character/clip.h"
#include "sinew/character/rig.h"
#include "sinew/rig/skeleton_rig.h"

namespace sinew {

struct CurveClip {
  Clip clip;                   // linear channels that the free parameters change
  int keys = 0, all_keys = 0;  // over all channels; `all_keys` is the number with one per frame
  double largest_error = 0;    // metres: surface error relative to one key per frame
};

// Adds a frame of the curves to `p`, the keyed parameters of `rig` at that time.
void add_curves(const Rig& rig, const RigCurves& curves, std::size_t frame, std::span<double> p);

// One key per frame with the sum of keyed motion and curves. Other components of the same channels, such as other axes
// of a rotation or other morph weights, come from `animation` (null: nothing is keyed).
CurveClip clip_of_curves(const CharacterRig& rig, const RigAnimation* animation, const RigCurves& curves,
                         const std::string& name);

// Removes keys as long as the surface, also moved by `animation` (null: nothing is keyed), stays within `bound` metres
// of the result with one key per frame, on every frame. `rig` is that of the whole surface.
CurveClip thinned_clip(CharacterRig& rig, const RigAnimation* animation, const RigCurves& curves,
                       const std::string& name, double bound);

}  // namespace sinew
