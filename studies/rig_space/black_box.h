// A rig that can only be evaluated, as in the paper.
#pragma once

#include "sinew/character/rig.h"

namespace sinew {

// Hides derivatives and everything else that a rig knows about itself. The rig must outlive this.
class BlackBox : public Rig {
 public:
  explicit BlackBox(Rig& rig) : rig_(rig) {}
  const std::vector<RigParameter>& parameters() const override { return rig_.parameters(); }
  std::size_t vertices() const override { return rig_.vertices(); }
  void evaluate(std::span<const double> p, std::span<Vec3> s) override { rig_.evaluate(p, s); }
  void evaluate_many(std::span<const double> p, std::span<Vec3> s) override { rig_.evaluate_many(p, s); }

 private:
  Rig& rig_;
};

}  // namespace sinew
