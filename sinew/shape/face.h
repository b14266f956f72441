// Where the face of a head is, by its skin alone: the mouth or the nose, and how large things there are. Heads look
// along +z. People have a flat face as wide as the head; animals have a muzzle, which is narrower, and may hang below
// the middle of the head.
#pragma once

#include <optional>
#include <span>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct Face {
  Vec3 middle;             // of the head's skin, rest space, metres
  double head = 0;         // mean distance of the head's skin from its middle, metres
  double size = 0;         // `head` of a person whose face is as wide as this one, at most `head`, metres
  double half_width = 0;   // of the face at the anchor, metres
  double detail = 0;       // length of the skin's edges at the anchor, median, metres
  Vec3 anchor;             // on the skin, in the middle of the mouth or on the tip of the nose
  Vec3 left, up, forward;  // unit axes
  // A place beside the anchor: to the character's left, up and forward, metres. Beyond the face's width it goes back
  // along the cheek.
  Vec3 beside(const Vec3& by) const;
};

// `head`: points of the skin that the head's bone dominates; `skin`: all of it. `given`: the anchor, in place of the
// one that is found.
Face find_face(std::span<const Vec3> head, const TriangleMesh& skin, bool on_nose, const std::optional<Vec3>& given);

}  // namespace sinew
