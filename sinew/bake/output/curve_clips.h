// Curves of free parameters as a clip that tools play: channels on nodes and morph weights, with no more keys than an
// error bound on the surface needs.
#pragma once

#include <span>
#include <string>

#include "sinew/bake/output/rig_curves.h"
#include "sinew/character/clip.h"
#include "sinew/character/rig.h"
#include "sinew/rig/skeleton_rig.h"

namespace sinew {

struct CurveClip {
  Clip clip;                   // linear channels on what the free parameters change, and nothing else
  int keys = 0, all_keys = 0;  // over all channels, and what one per frame would be
  double largest_error = 0;    // metres, of a surface vertex on any frame against one key per frame
};

// Adds what the curves are on a frame to the parameters `p` of `rig`, as they are keyed then.
void add_curves(const Rig& rig, const RigCurves& curves, std::size_t frame, std::span<double> p);

// One key per frame: what is keyed and the curves together. What `animation` (null: nothing is keyed) keys of the same
// channels, other axes of a rotation or other morph weights, is in them too.
CurveClip clip_of_curves(const CharacterRig& rig, const RigAnimation* animation, const RigCurves& curves,
                         const std::string& name);

// Keys thinned as far as the surface, moved by `animation` too (null: nothing is keyed), stays within `bound` metres of
// where one key per frame puts it, on every frame. `rig`: of the whole surface.
CurveClip thinned_clip(CharacterRig& rig, const RigAnimation* animation, const RigCurves& curves,
                       const std::string& name, double bound);

}  // namespace sinew
