// Implicit skinning (after Vaillant et al. 2013): every bone's part of the skin is the zero level of a distance field
// that moves with the bone. Where bones bend, skinned vertices are led back to the level that they had at rest in the
// union of their bones' fields, and stop where the field of other skin begins: creases touch and flatten.
// docs/skinning.md
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/field_grid.h"
#include "sinew/rig/implicit/skin_clusters.h"

namespace sinew {

// A surface at rest, prepared for projection. Vectors have one entry per vertex unless they say otherwise.
struct ImplicitSkin {
  struct Part {
    int bone = -1;      // bone that carries the part
    int parent = -1;    // part that it hangs on, or -1
    double radius = 0;  // mean distance of its skin from its bone: rest space, metres
    // It and its parent, which has no other child, are limbs, whose bones are longer than they are wide, and end in the
    // joint between them, so that they fold there. A finger on its palm, or a thigh on hips, does not.
    bool folds = false;
    bool solid = true;       // false: a thin sheet, which other skin does not touch
    std::vector<Vec3> skin;  // points spread over its skin: rest space, metres
    FieldGrid distance;      // about the signed distance from its skin, negative inside: rest space, metres
  };
  std::vector<Part> parts;
  std::vector<int> unfitted;           // bones with a part of the skin that no field fits, ascending
  std::vector<Vec3> positions;         // rest space, metres
  std::vector<Influences> influences;  // over the bones
  std::vector<int> strongest;  // part that carries most of the vertex; -1: the vertex stays where it was skinned
  std::vector<double> depth;   // distance field of that part at the vertex at rest, metres
  std::vector<Vec3> spine;     // nearest point of that part's bone: rest space, metres
  // Whether the way to the spine leads into the part, 1, or along its skin, 0, as in ears and wings.
  std::vector<double> across;
  std::vector<int> own_start{0};  // vertices + 1, into `own`
  std::vector<int> own;       // the strongest part and those that meet it in a joint and have a weight on the vertex,
                              // ascending: their union is the vertex's surface
  std::vector<double> level;  // union's field at the vertex at rest, metres
  // Parts that the vertex is inside of at rest, ascending, with their fields there, negative, metres. Skin that touches
  // or overlaps at rest is left so.
  std::vector<std::vector<std::pair<int, double>>> overlap;
  // Parts that fold with the vertex's own, but that its way to its spine leads into at rest, ascending, and how far
  // they are deeper there than its own, metres.
  std::vector<std::vector<std::pair<int, double>>> detour;
  std::vector<int> ring_start{0};  // vertices + 1, into `ring`
  std::vector<int> ring;           // vertices that share an edge with the vertex, ascending
  SkinClusters clusters;           // of the vertices that have a part
  // Per part: other parts that its skin touches where they meet, ascending. Those that meet it in a joint and do not
  // fold there go on in it: their closed ends are no skin that could be touched.
  std::vector<std::vector<int>> touchable;

  // Whether two parts meet in a joint, or are the same.
  bool joined(int a, int b) const {
    return a == b || parts[static_cast<std::size_t>(a)].parent == b || parts[static_cast<std::size_t>(b)].parent == a;
  }
};

// Whether two parts are limbs that fold in the joint between them.
bool fold(const ImplicitSkin& skin, int a, int b);

// Null where no part of the skin bends and can be told by a field.
std::shared_ptr<const ImplicitSkin> implicit_skin(const SimulationSurface& surface);

// Corrects positions of the skin by dual quaternions (metres, world). `bones`: rest space to world. A vertex whose
// bones agree about it, and which is no deeper in other skin than at rest, keeps its position to the bit. The result
// has the same bits for any number of threads.
void project_skin(const ImplicitSkin& skin, std::span<const Affine> bones, std::span<Vec3> positions);

// The disagreement of a vertex's bones about where it is: the mean of its distances from where each of them alone would
// take it, by their weights, metres. Keeping a limb's shape moves a vertex by no more than that.
double disagreement(const ImplicitSkin& skin, std::span<const Affine> bones, std::size_t vertex, const Vec3& position);

}  // namespace sinew
