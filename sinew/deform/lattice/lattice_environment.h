// What acts on flesh in a lattice from outside over one step: points of its surface that are held, and solid shapes
// that the surface does not enter (docs/constraints.md).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/contact/colliders.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// A point of the surface that the body carries: a vertex of LatticeDescription::surface, or a mean of up to three.
struct SurfaceSpot {
  std::array<int, 3> vertex{-1, -1, -1};  // -1: none
  std::array<double, 3> weight{};         // sum to one
};
inline SurfaceSpot at_vertex(int vertex) { return {{vertex, -1, -1}, {1, 0, 0}}; }

// A point that is grabbed, or one of a belt's ring.
struct HeldPoint {
  SurfaceSpot spot;
  Vec3 target;       // metres, world: where it is as the step ends
  Vec3 velocity;     // m/s, world: of the target there
  std::string name;  // for messages: of the grab, or of the belt
  // Points of one belt have one number and follow each other; -1: a point by itself. A belt counts as much as a point
  // by itself where they cannot all be met.
  int belt = -1;
  double share = 1;  // of the belt's skin, the point's own
};

// How far a belt, or a point by itself, is from where it should be after a step.
struct HeldMisfit {
  std::string name;
  bool belt = false;
  double mean = 0, largest = 0;  // metres; the mean over the belt's skin
};

struct LatticeEnvironment {
  std::vector<HeldPoint> held;  // where they contradict each other, each is met in part
  // As the step ends, and the same shapes as it begins, which is how fast they move; empty: they stand still.
  Colliders colliders, colliders_before;
  // Height of a ground plane, metres: it yields to goals that the animator pressed into it (docs/flesh.md, Ground), as
  // no collider does.
  std::optional<double> ground;

  bool touches() const { return ground || !colliders.empty(); }
};

// A belt: points of the surface that keep the ring which they form at rest, and go where `now` (rest space to world,
// metres) takes it. `before` is where it was taken `step` seconds earlier. `share`: of the belt's skin, each vertex's;
// empty: all the same. `number` tells the belts of one environment apart.
std::vector<HeldPoint> belt(const LatticeBody& body, std::span<const int> vertices, std::span<const double> share,
                            const Affine& before, const Affine& now, double step, const std::string& name,
                            int number = 0);

// Throws usage_error naming what is not finite, does not exist or cannot be.
void check_environment(const LatticeBody& body, const LatticeEnvironment& environment);

// Row of phi_i at the spot over all functions.
SparseRows values_at_spots(const LatticeBody& body, std::span<const HeldPoint> held);

// The shown surface is offset_s + sum_i p_i phi_i(x_s): what the rig's own surface differs from the body's by under the
// rig reference, nothing under the elastic one. Metres, world.
void predict_surface_offsets(const LatticeBody& body, std::span<const Affine> bones, const LatticePose& pose,
                             std::vector<Vec3>& offset);

// Where a spot of the surface is, metres, world, with the rig as it is at `bones`; `position` per function.
Vec3 place_of_spot(const LatticeBody& body, const SurfaceSpot& spot, std::span<const Affine> bones,
                   std::span<const Vec3> position);

}  // namespace sinew
