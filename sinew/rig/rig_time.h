// Animation of rigs that have a time line of their own: their parameter "time" selects the second to evaluate.
#pragma once

#include <vector>

#include "sinew/character/rig.h"

namespace sinew {

// Sets the parameter "time" to the seconds of the clip's time line. A rig without that parameter is not animated.
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
