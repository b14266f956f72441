// The skin divided into the parts of single bones, with points that tell the shape of each: what implicit skinning fits
// fields to.
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/rig/implicit/hermite_field.h"

namespace sinew {

struct SkinPart {
  int bone = -1;                      // that carries it
  int parent = -1;                    // the part that it hangs on, or -1
  std::vector<OrientedPoint> points;  // on its skin and around its closed ends: rest space, metres
  std::vector<Vec3> skin;             // points spread over its skin, without domes: rest space, metres
  double radius = 0;                  // mean distance of its skin from its bone, metres
};

struct SkinParts {
  std::vector<SkinPart> parts;
  std::vector<int> of_bone;    // per bone: its part, or that of the nearest ancestor that has one; -1: none
  std::vector<int> of_vertex;  // per vertex: the part that carries most of it; -1: none
  // Per vertex: 1 where its part's shape is told by the connected piece of skin that it is on. Eyes, hair and clothes
  // over skin are pieces of their own.
  std::vector<char> on_shape;
};

// Helper bones and those with hardly any skin have no part of their own. Ends where a part's skin goes on in another's
// are closed by a dome around the joint.
SkinParts skin_parts(const SimulationSurface& surface);

}  // namespace sinew
