// The anatomy of a character that does not provide one: which skin lies on flesh, which on a skull, and which parts are
// rigid. Found from skin weights, connected pieces and shapes by rules that hold for any character; names only decide
// what these leave open (docs/anatomy.md).
#pragma once

#include <string>
#include <vector>

#include "sinew/anatomy/body_plan.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/character/tissue.h"

namespace sinew {

// The tissue of the skin that a bone carries.
struct BoneAnatomy {
  Tissue tissue = Tissue::flesh;
  std::string because;  // the evidence, in a few words
};

// Part of the surface that moves as a rigid body: pieces on a single bone, or vertices painted rigid.
struct RigidPart {
  int bone = -1;              // the bone that most of it follows
  std::vector<int> vertices;  // vertices of the surface, ascending
  std::string because;
};

// A thin shell: part of the surface whose thickness is small against its width. It bends, but does not stretch.
struct ThinShell {
  int bone = -1;              // the bone that most of it follows
  std::vector<int> vertices;  // vertices of the surface, ascending; none of a rigid part
  std::vector<double> out;    // per vertex, 0 to 1: distance from the root of the shell, relative to the largest
  double length = 0;          // largest distance from the root, metres
  double thickness = 0;       // metres; 0 for a single layer of triangles
  std::string because;
};

// The anatomy of a character: its body plan, and what its skin lies on.
struct Anatomy {
  BodyPlanFound body_plan;
  std::vector<BoneAnatomy> bones;           // per bone of the surface
  std::vector<RigidPart> rigid;             // disjoint: found ones, then painted ones
  std::vector<ThinShell> shells;            // largest first
  std::vector<std::string> unlisted_bones;  // bones with skin that a user's list of bones leaves out
};

// Whether names of bones, meshes and materials may decide what skin weights, pieces and shapes leave open.
enum class Names { used, ignored };

// Finds the anatomy and applies the user's `overrides`. Throws input_error where these belong to another character:
// they name a bone that the skin does not have (or has fewer times), or other rigid parts or shells than
// were found.
Anatomy find_anatomy(const SimulationSurface& surface, const AnatomyOverrides& overrides = {},
                     Names names = Names::used);

// Finds only the rigid parts, painted ones included, for methods that need nothing else.
std::vector<RigidPart> find_rigid_parts(const SimulationSurface& surface);

}  // namespace sinew
