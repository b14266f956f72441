// Families of skinning that the comparison poses: methods with settings in which they can be compared.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/deform/method.h"
#include "studies/skinning/bends.h"

namespace sinew {

struct SkinningFamily {
  std::string name;  // for tables
  MethodChoice method;
};

// The family that others are compared with.
inline constexpr const char* nonlinear_family = "flesh, nonlinear";

struct FamilyOptions {
  bool geometric = true, physical = true;  // which families; distances need the physical ones
  int tetrahedra = 8000;                   // number wanted, of bodies in tetrahedra
  int cells = 400;                         // number wanted, of the control lattice
  double most_rest = 8;                    // seconds after the bend within which flesh has to come to rest
  double quiet = 1e-6;                     // largest motion in a frame that counts as rest, in heights
};

// All geometric methods of cook/methods.h, mixed elements, springs, flesh in a control lattice (elastic, as it is by
// default) and, last, flesh in tetrahedra with nonlinear elasticity, which is the reference. Flesh has no weight here,
// takes the shape that elasticity gives it around bones that turn as dual quaternions, and is damped so that it comes
// to rest soon.
std::vector<SkinningFamily> skinning_families(const FamilyOptions& options);

// The skin of one family in one bend.
struct BentSkin {
  std::vector<Vec3> positions;  // per vertex of the surface: metres, world; empty where the family failed
  double microseconds = 0;      // a frame at 30 frames per second, on one thread: median while the joint turns
  bool at_rest = true;          // false: it still moved at the end
};

// Plays the bends on a scene: the joint turns within half a second, and then rests until the skin has come to rest.
// `bent`: the bones that the bends were made of.
std::vector<BentSkin> play_bends(const Character& character, const Scene& scene, std::span<const Bone> bent,
                                 std::span<const Bend> bends, const FamilyOptions& options,
                                 const Progress& progress = {});

}  // namespace sinew
