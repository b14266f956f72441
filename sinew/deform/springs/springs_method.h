// The method `springs`: joints swing on springs, and the skin follows. It is the baseline for flesh.
#pragma once

#include "sinew/deform/method.h"
#include "sinew/deform/springs/springs_settings.h"

namespace sinew {

inline constexpr Capabilities springs_obeys{.ground = true, .colliders = true, .gravity = true};

class SpringsMethod final : public MethodOf<SpringsMethod, SpringsSettings> {
 public:
  const char* name() const override { return "springs"; }
  const char* title() const override { return "Springs"; }
  const char* summary() const override { return "on joints, as in games"; }
  MethodTraits traits() const override {
    MethodTraits traits{.keeps_rigid = true, .obeys = springs_obeys, .fields = {{field("rigid"), 0}}};
    if (values.skinning == SkinningKind::volume) traits.fields.push_back({field("give"), 1});
    return traits;
  }
  void suit(const SimulationSurface& surface) override { values.swing = joints_that_may_swing(surface.bones); }
  Scene cook(const CookInput& input, CookCache& cache, const Progress& progress) const override;
};

}  // namespace sinew
