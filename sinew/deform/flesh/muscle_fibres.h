// Muscles inside a body of flesh: elements that have a fibre along which they pull.
#pragma once

#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// A muscle of a body.
struct BodyMuscle {
  double stress = 3e5;         // largest active stress, pascals, per area of the rest shape
  double optimal_stretch = 1;  // stretch from the rest shape at which the muscle is strongest, > 0
  double passive = 1;          // multiple of `stress` that scales the passive curve; 0: fibres do not resist
};

// A tetrahedron's part in a muscle.
struct MuscleFibre {
  int tetrahedron = -1;
  int muscle = -1;   // index into MuscleFibres::muscles
  Vec3 direction;    // of the fibre, of unit length, rest space
  double share = 1;  // of the tetrahedron's flesh that is muscle, (0, 1]
};

struct MuscleFibres {
  std::vector<BodyMuscle> muscles;
  std::vector<MuscleFibre> fibres;  // any number per tetrahedron

  bool empty() const { return fibres.empty(); }
};

}  // namespace sinew
