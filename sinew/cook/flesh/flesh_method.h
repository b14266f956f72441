// The method `flesh`: elastic flesh on top of the rig, in tetrahedra or in a control lattice (docs/flesh.md).
#pragma once

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/deform/method.h"

namespace sinew {

class FleshMethod final : public MethodOf<FleshMethod, FleshSettings> {
 public:
  const char* name() const override { return "flesh"; }
  const char* title() const override { return "Flesh"; }
  const char* summary() const override { return "physics on top of the rig"; }
  MethodTraits traits() const override;
  Scene cook(const CookInput& input, CookCache& cache, const Progress& progress) const override;
  // True if only looks or damping changed, so that tetrahedra, lattice, paint and force rigs stay.
  bool is_quick(const CookInput& input, const CookCache& cache) const override;
  // The method in tetrahedra, if a lattice would have to be built or read; with rough shapes, if force rigs would have
  // to be cooked.
  std::unique_ptr<Method> draft(const CookInput& input, const CookCache& cache) const override;

  // True for drafts: force rigs that are not cooked yet move the skin about as far as they say.
  bool rough_shapes = false;
};

}  // namespace sinew
