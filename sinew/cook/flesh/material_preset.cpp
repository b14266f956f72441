#include "sinew/cook/flesh/material_preset.h"

#include <cmath>
#include <numbers>

namespace sinew {

MaterialPreset material_preset(Look look) {
  switch (look) {
    case Look::subtle:
      return {0.005, 0.25, 0.008, 0.021};
    case Look::natural:
      return {0.013, 0.16, 0.018, 0.034};
    case Look::lively:
      return {0.030, 0.10, 0.03, 0.051};
  }
  return material_preset(Look::natural);
}

double preset_frequency(Look look, double height) {
  return std::sqrt(standard_gravity / (material_preset(look).sag * height)) / (2 * std::numbers::pi);
}

}  // namespace sinew
