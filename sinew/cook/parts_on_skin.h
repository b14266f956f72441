// Rigid parts and the skin under them: eyes and brows on a face, buttons on a belly, an object in a hand. Parts move
// with the skin under them, and that skin moves rigidly with them, so that parts neither sink in nor come off.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/display/kept_shape.h"

namespace sinew {

struct PartsOnSkin {
  std::vector<RigidPart> parts;       // touching parts of one bone, and those that follow the same skin, are merged
  std::vector<RigidFooting> footing;  // per part
  std::vector<GluedVertex> glued;     // groups are indices of `parts`
};

// True if about some axis through the middle of its feet a part's vertices are, RMS, more than twice as far away as its
// feet are, or if it has no feet: the skin there does not tell how the part turns. Horns, antlers and fins stand free;
// eyes in sockets, teeth in rows and buttons do not. `rest`: the surface's rest positions.
bool stands_free(std::span<const Vec3> rest, const RigidPart& part, std::span<const Foot> feet);

// A part lies on the skin that it touches if that skin follows the part's bone, its parent, children or siblings; a
// sword beside a leg does not lie on it. Skin directly under a part follows it fully, skin around it gradually less.
//
// `has_flesh`, if given: whether a simulated body moves a part's own vertices, as one with the skin. Such a part
// follows them where it stands free, and less of the skin around it follows.
PartsOnSkin parts_on_skin(const SimulationSurface& surface, const std::vector<RigidPart>& parts,
                          const std::function<bool(const RigidPart&)>& has_flesh = {});

}  // namespace sinew
