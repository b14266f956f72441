// Figures 6.5 to 6.8: a bulge of a bent arm, a flexed chest and breathing, made on one character, moved to others and
// animated (Capell 2004, section 6.8).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// A rig in static equilibrium.
struct StillRig {
  std::string name;
  std::vector<Vec3> without, with;  // the skin, world, metres
  double farthest = 0;              // metres; nan: there is no equilibrium
  double outward = 0;               // mean displacement along the normal, where it is a third of the farthest, metres
};

struct FrameOfRigs {
  double time = 0;  // seconds since the clip's begin
  std::vector<Vec3> without, with;
};

struct RiggedCharacter {
  std::string name;
  double height = 0;         // metres
  double surface_error = 0;  // of the lattice that was fitted, root mean square, relative to the height; 0: the first
  std::vector<Triangle> triangles;
  std::vector<StillRig> rigs;
  std::vector<FrameOfRigs> frames;  // of its first clip; empty: it has none
  double most = 0;                  // that rigs move the skin in it, metres
};

// The first one is that on which rigs are made: `joint` is its elbow. Flesh has so many tetrahedra.
std::vector<RiggedCharacter> moved_rigs(const std::filesystem::path& source, const std::string& joint,
                                        const std::vector<std::filesystem::path>& targets, int tetrahedra,
                                        const Progress& progress = {});

}  // namespace sinew
