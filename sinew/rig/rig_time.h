// Rigs with a time line of their own have a parameter "time": what is animated there, they evaluate at that second.
#pragma once

#include <vector>

#include "sinew/character/rig.h"

namespace sinew {

// Sets the parameter "time" to the seconds of the clip's time line; a rig without one is not animated at all.
class TimeAnimation : public RigAnimation {
 public:
  explicit TimeAnimation(const Rig& rig) : keyed_(rig.parameters().size(), 0) {
    for (std::size_t i = 0; i < keyed_.size(); ++i) keyed_[i] = rig.parameters()[i].name == "time";
  }
  void sample(double seconds, std::span<double> p) const override {
    for (std::size_t i = 0; i < keyed_.size(); ++i)
      if (keyed_[i]) p[i] = seconds;
  }
  const std::vector<char>& keyed() const override { return keyed_; }

 private:
  std::vector<char> keyed_;
};

}  // namespace sinew
