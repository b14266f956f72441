// Where a rig moves its skin wrongly: every joint is turned through 60 degrees, forwards and back, around three axes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"

namespace sinew {

struct WeightFault {
  enum class Kind {
    collapses,  // folds onto itself: `amount` is the width that is left, relative to that at rest; below 0: turned over
    stretches,  // `amount`: the length, relative to that at rest
    wrong_bone,  // follows `joint`, but lies at `other`: `amount` is how many times nearer that is
  };
  Kind kind = Kind::stretches;
  std::string joint;  // that is turned, or followed
  std::string other;  // the joint of the nearest bone, for wrong_bone
  Vec3 turn;          // the turn that shows it: a rotation vector, degrees, along the axes of rest space
  double amount = 1;
  double severity = 0;  // the larger, the worse: the excess, weighted by the extent of the place
  Vec3 place;           // the middle of the place, rest space, metres
  double radius = 0;    // of the place, metres
  std::size_t triangles = 0;
};

// The faults of a character with skin weights, the worst first, at most `most`. Skin that at 60 degrees is less than
// twice as long and more than a fifth as wide as at rest is no fault, nor are places smaller than a ten-thousandth of
// the skin. Same bits for any number of threads. Throws input_error if there is no skin, Stopped where `progress` asks
// for it.
std::vector<WeightFault> weight_report(const Character& character, std::size_t most = 20,
                                       const Progress& progress = {});

// "knee.L, turned by 60° around x: the skin stretches to 2.3 times its length at (0.1, 0.5, 0.05) m".
std::string weight_fault_sentence(const WeightFault& fault);

}  // namespace sinew
