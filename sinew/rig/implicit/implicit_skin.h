// Implicit skinning (after Vaillant et al. 2013): every bone's part of the skin is the level set of a field that moves
// with the bone. Skinned vertices are led back to their own level, so that limbs keep their shape where they bend, and
// stop where the field of other skin begins: creases touch and flatten. docs/skinning.md
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/rig/implicit/field_grid.h"

namespace sinew {

// What projection needs of a surface at rest.
struct ImplicitSkin {
  struct Part {
    int bone = -1;
    int parent = -1;  // the part that it hangs on, or -1
    double radius = 0;  // r, metres: its field falls from 1 to 0 between r inside of its skin and r outside
    FieldGrid distance;  // d, metres, rest space
  };
  std::vector<Part> parts;
  std::vector<int> strongest;     // per vertex: the part that carries most of it; -1: the vertex is not led
  std::vector<int> own_start{0};  // vertices + 1, into `own`
  // Per vertex: the parts whose union it lies on, namely those with a weight on it and those that hang together with the
  // strongest.
  std::vector<int> own;
  std::vector<double> level;  // per vertex: the union's field at rest
  // Per vertex, ascending: other parts whose field at rest is above its level there, and by how much. Skin that touches
  // or overlaps at rest is left so.
  std::vector<std::vector<std::pair<int, double>>> overlap;
  std::vector<int> ring_start{0};  // vertices + 1, into `ring`
  std::vector<int> ring;           // vertices around each in order; none at borders
  // Per entry of `ring`: mean value coordinates at rest (Floater 2003), positive; all 0 where those are not.
  std::vector<double> ring_share;
};

// Null where no part of the skin can be told by a field.
std::shared_ptr<const ImplicitSkin> implicit_skin(const SimulationSurface& surface);

// Leads skinned positions (metres, world; dual quaternions suit best) to their levels. `bones`: rest space to world,
// invertible. Vertices whose field is what it is at rest stay where they are. The result has the same bits for any
// number of threads.
void project_skin(const ImplicitSkin& skin, std::span<const Affine> bones, std::span<Vec3> positions);

}  // namespace sinew
