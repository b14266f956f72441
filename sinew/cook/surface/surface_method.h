// The method `surface`: learned dynamic skinning, by a model that `sinew fit` made (docs/surface_dynamics.md).
#pragma once

#include <optional>
#include <string>

#include "sinew/deform/method.h"

namespace sinew {

struct SurfaceSettings {
  std::string model;                       // file written by `sinew fit` (.sinew)
  std::optional<double> steps_per_second;  // rate that the model is converted to; empty: its own
  std::string
      along;  // painted fields as curves along limbs: a file or its text (files/limb_curves_json.h); empty: none

  static SettingsTable describe();
};

class SurfaceMethod final : public MethodOf<SurfaceMethod, SurfaceSettings> {
 public:
  const char* name() const override { return "surface"; }
  const char* title() const override { return "Surface"; }
  const char* summary() const override { return "a model of `sinew fit`"; }
  MethodTraits traits() const override;
  void check() const override;
  Scene cook(const CookInput& input, CookCache& cache, const Progress& progress) const override;
};

}  // namespace sinew
