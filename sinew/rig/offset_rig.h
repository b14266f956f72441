// What physics adds to an animator's keys: a rig with its parameters as they are keyed, and offsets on top of some of
// them.
//
// The offset of a rotation turns in the frame that the keys have turned already, exp(r) = exp(r_key) exp(q), since a
// rotation vector is no sum of others; everything else adds up, p = p_key + (q - rest). Where nothing is keyed the
// offset is the parameter's value, to the bit.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/rig.h"

namespace sinew {

// `p`: values of all of a rig's parameters as they are keyed, which those of `moved` get their offsets on top of. A
// rotation vector stays the nearest to the keyed one of those that mean the same.
void add_offsets(const std::vector<RigParameter>& parameters, std::span<const int> moved,
                 std::span<const double> offsets, std::span<double> p);

class OffsetRig : public Rig {
 public:
  // `rig` must outlive this. `moved`: its parameters that have offsets.
  OffsetRig(Rig& rig, std::vector<int> moved);

  // The rig's own, which are keyed, then an offset for each of those that are moved, with its name, rest and range.
  const std::vector<RigParameter>& parameters() const override { return parameters_; }
  // Their indices.
  std::vector<int> offsets() const;

  std::size_t vertices() const override { return rig_.vertices(); }
  void evaluate(std::span<const double> p, std::span<Vec3> s) override;
  void evaluate_many(std::span<const double> p, std::span<Vec3> s) override;
  // By offsets alone: throws usage_error where a column is none.
  bool jacobian(std::span<const double> p, std::span<const int> columns, RigJacobian& result) override;

 private:
  std::vector<double> together(std::span<const double> p) const;

  Rig& rig_;
  std::vector<int> moved_;
  std::vector<RigParameter> parameters_;
};

}  // namespace sinew
