// Shape preservation: eyes, teeth and plates move as rigid bodies whatever the flesh under them does. It works on the
// displayed surface, frame by frame, and knows nothing of how a method moves it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/rigid_fit.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// A vertex of a rigid group on the skin that it touches: weights of a triangle's corners, none of any group.
struct Foot {
  int vertex = -1;
  Triangle corners{};
  std::array<double, 3> place{};
};

// A rigid group's motion is fitted to all of its vertices, moved by their own flesh, or to its feet, moved by the skin
// under them.
struct RigidFooting {
  RigidGroup on;
  std::vector<Foot> feet;  // of all vertices of `on`, or empty
  double steadying = 0;    // metres squared: feet that are nearer to each other turn the group less (rigid_fit)
};

// A vertex of skin that goes along with a rigid group that lies on it.
struct GluedVertex {
  int vertex = -1;  // of the surface, in no group
  int group = -1;
  double weight = 0;  // in (0, 1]: share of the way from where the flesh has it to where the group's motion takes it
};

struct KeptShape {
  std::vector<RigidGroup> rigid;      // no vertex in two of them
  std::vector<RigidFooting> footing;  // per group
  std::vector<GluedVertex> glued;     // by vertices, rising; the weights of one vertex have a sum of 1 at most
  std::vector<int> grows_with;  // per group: the bone (of RigState::bones) whose size it takes, or -1; empty: none does
};

// Each group moved by the translation and rotation that is nearest to the displacements of its footing; the skin under
// it goes along. `motions` are those of the groups.
void move_rigidly(const KeptShape& shape, std::span<const Vec3> goal, std::span<Vec3> displacement,
                  std::vector<RigidMotion>& motions);

// The same in a pose of bones (rest space to world), whose size the groups take that grow. `goal` is changed on the
// way, and is as it was afterwards up to rounding.
void keep_rigid_groups(const KeptShape& shape, std::span<const Affine> bones, std::span<Vec3> goal,
                       std::span<Vec3> displacement, std::vector<RigidMotion>& motions);

}  // namespace sinew
