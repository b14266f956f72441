#include "sinew/cook/flesh/look.h"

#include <cmath>
#include <numbers>

namespace sinew {

LookValues look_values(Look look) {
  switch (look) {
    case Look::subtle:
      return {0.005, 0.25, 0.008};
    case Look::natural:
      return {0.013, 0.16, 0.018};
    case Look::lively:
      return {0.030, 0.10, 0.03};
  }
  return {0.013, 0.16, 0.018};
}

double look_frequency(Look look, double height) {
  return std::sqrt(standard_gravity / (look_values(look).sag * height)) / (2 * std::numbers::pi);
}

}  // namespace sinew
