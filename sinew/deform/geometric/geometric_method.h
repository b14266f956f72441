// The methods `linear`, `dualquat`, `volume`, `implicit` and `rigid`: geometric skinning alone.
#pragma once

#include <optional>

#include "sinew/deform/geometric/geometric_deformer.h"
#include "sinew/deform/method.h"

namespace sinew {

struct GeometricSettings {
  // height of a ground plane, metres; refused with an error, as geometric skinning has no contact
  std::optional<double> ground;

  static SettingsTable describe();
};

class GeometricMethod final : public MethodOf<GeometricMethod, GeometricSettings> {
 public:
  explicit GeometricMethod(GeometricSkinning skinning) : skinning_(skinning) {}

  const char* name() const override;
  const char* title() const override;
  const char* summary() const override;
  MethodTraits traits() const override;
  Scene cook(const CookInput& input, CookCache& cache, const Progress& progress) const override;

 private:
  GeometricSkinning skinning_;
};

}  // namespace sinew
