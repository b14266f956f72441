// A ninth method, as somebody outside would write it: the whole skin sways sideways on one damped spring that the rig's
// motion drives. It is heavy in that it prepares what a run shares, keeps it in the cache, and has settings of its own.
#pragma once

#include "sinew/deform/method.h"

namespace sinew::test {

struct SwaySettings {
  double frequency = 2;  // hertz
  double damping = 0.2;  // ratio to critical

  static SettingsTable describe();
};

class SwayMethod final : public MethodOf<SwayMethod, SwaySettings> {
 public:
  const char* name() const override { return "sway"; }
  const char* title() const override { return "Sway"; }
  const char* summary() const override { return "the whole skin on one spring"; }
  MethodTraits traits() const override { return {.keeps_rigid = true}; }
  Scene cook(const CookInput& input, CookCache& cache, const Progress& progress) const override;
  bool is_quick(const CookInput& input, const CookCache& cache) const override;

  static int preparations;  // how often anything but settings was prepared, in this process
};

}  // namespace sinew::test
