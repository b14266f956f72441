// The method `rigspace`: dynamics whose only unknowns are parameters of the rig (docs/rig_space.md).
#pragma once

#include "sinew/cook/rig_space/rig_space_settings.h"
#include "sinew/deform/method.h"

namespace sinew {

class RigSpaceMethod final : public MethodOf<RigSpaceMethod, RigSpaceSettings> {
 public:
  const char* name() const override { return "rigspace"; }
  const char* title() const override { return "Rig space"; }
  const char* summary() const override { return "moves the rig's own controls"; }
  MethodTraits traits() const override;
  void check() const override;
  void suit(const SimulationSurface& surface) override;
  Scene cook(const CookInput& input, CookCache& cache, const Progress& progress) const override;
  bool is_quick(const CookInput& input, const CookCache& cache) const override;
};

}  // namespace sinew
