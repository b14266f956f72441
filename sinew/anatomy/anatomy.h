// The anatomy of a character that brings none: which skin lies on flesh, which on a skull, and what is a rigid thing.
// It is found from skin weights, connected pieces and shapes, by rules that hold for any character; names only tip what
// these leave undecided (docs/anatomy.md).
#pragma once

#include <string>
#include <vector>

#include "sinew/anatomy/kind.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/character/tissue.h"

namespace sinew {

struct BoneAnatomy {
  Tissue tissue = Tissue::flesh;
  std::string because;  // the evidence, in a few words
};

// Vertices of the surface that move as one rigid body: pieces on one bone, or what is painted so.
struct RigidThing {
  int bone = -1;              // that most of it follows
  std::vector<int> vertices;  // of the surface, rising
  std::string because;
};

// Vertices of the surface that are thin for their width: they bend, and do not stretch.
struct Sheet {
  int bone = -1;              // that most of it follows
  std::vector<int> vertices;  // of the surface, rising; none of a rigid thing
  std::vector<double> out;    // per vertex, in [0, 1]: how far it is from where the sheet begins, of the farthest
  double length = 0;          // metres: how far that is
  double thickness = 0;       // metres; 0 for a single layer of triangles
  std::string because;
};

struct Anatomy {
  KindFound kind;
  std::vector<BoneAnatomy> bones;   // per bone of the surface
  std::vector<RigidThing> rigid;    // no vertex in two of them; those found first
  std::vector<Sheet> sheets;        // largest first
  std::vector<std::string> unsaid;  // bones that carry skin, and that what is said leaves out though it names others
};

// Whether names of bones, meshes and materials tip what skin weights, pieces and shapes leave undecided.
enum class Names { used, ignored };

// What is found, and above it what is said. Throws input_error where that is about another character: a bone that the
// skin does not have or has less often, or other things or sheets than are found.
Anatomy find_anatomy(const SimulationSurface& surface, const SaidAnatomy& said = {}, Names names = Names::used);

// Of that only the rigid things, painted ones among them: what methods keep that have no use for the rest.
std::vector<RigidThing> find_rigid_things(const SimulationSurface& surface);

}  // namespace sinew
