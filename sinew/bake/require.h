// What checks of settings are made of.
#pragma once

#include <string>

#include "sinew/base/error.h"

namespace sinew {

// Throws a usage error with this sentence where `holds` is false.
inline void require(bool holds, const std::string& sentence) {
  if (!holds) throw usage_error(sentence);
}

}  // namespace sinew
