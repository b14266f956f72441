// Shape preservation: eyes, teeth and plates move as rigid bodies on the flesh under them. It works on the displayed
// surface, frame by frame, for any method.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/rigid_fit.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// The place on the skin that a vertex of a rigid group touches: a triangle outside all groups, with corner weights.
struct Foot {
  int vertex = -1;
  Triangle corners{};
  std::array<double, 3> place{};
};

// The points that a rigid group's motion is fitted to: its own vertices, or its feet on the skin.
struct RigidFooting {
  RigidGroup on;
  std::vector<Foot> feet;  // one per vertex of `on`, or empty
  double steadying = 0;    // metres squared; feet close together turn the group less (rigid_fit)
};

// A vertex of skin that follows a rigid group lying on it.
struct GluedVertex {
  int vertex = -1;  // vertex of the surface, in no group
  int group = -1;
  double weight = 0;  // in (0, 1]: blends from the flesh's position to the group's motion
};

struct KeptShape {
  std::vector<RigidGroup> rigid;      // disjoint groups
  std::vector<RigidFooting> footing;  // per group
  std::vector<GluedVertex> glued;     // ascending by vertex; weights of one vertex sum to at most 1
  std::vector<int> grows_with;        // per group: index of the bone whose scale it takes, or -1; empty: none
};

// Moves each group by the rigid motion that fits the displacements of its footing best, and the glued skin with it.
// `motions` receives the groups' motions.
void move_rigidly(const KeptShape& shape, std::span<const Vec3> goal, std::span<Vec3> displacement,
                  std::vector<RigidMotion>& motions);

// Like move_rigidly(), with groups scaled by their bones (rest space to world; KeptShape::grows_with). `goal` is
// modified during the call and restored up to rounding.
void keep_rigid_groups(const KeptShape& shape, std::span<const Affine> bones, std::span<Vec3> goal,
                       std::span<Vec3> displacement, std::vector<RigidMotion>& motions);

}  // namespace sinew
