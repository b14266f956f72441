// The method `mixed`: quasi-static shapes of an elastic body that its bones pose (docs/mixed_characters.md).
#pragma once

#include "sinew/cook/mixed/mixed_settings.h"
#include "sinew/deform/method.h"

namespace sinew {

class MixedMethod final : public MethodOf<MixedMethod, MixedSettings> {
 public:
  const char* name() const override { return "mixed"; }
  const char* title() const override { return "Mixed"; }
  const char* summary() const override { return "no skin weights needed"; }
  MethodTraits traits() const override;
  Scene cook(const CookInput& input, CookCache& cache, const Progress& progress) const override;
  bool is_quick(const CookInput& input, const CookCache& cache) const override;
};

}  // namespace sinew
