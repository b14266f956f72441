// What checks of settings are made of.
#pragma once

#include <string>

#include "sinew/base/error.h"

namespace sinew {

// Throws a usage error with this sentence where `holds` is false.
inline void require(bool holds, const std::string& sentence) {
  if (!holds) throw usage_error(sentence);
}

// Young's modulus, pascals. Beyond that of diamond nothing moves, and a number is more likely a slip.
inline void require_young(double young) {
  require(young > 0 && young <= 1e12,
          "young: must be positive and at most 1e12 Pa, which is diamond; flesh has 1e3 to 1e6 Pa.");
}

}  // namespace sinew
