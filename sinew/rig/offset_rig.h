// Offsets that physics adds to an animator's keys: a rig with its keyed parameters, and offsets on top of some of them.
//
// The offset of a rotation applies in the frame that the keys have rotated, exp(r) = exp(r_key) exp(q), since rotation
// vectors do not add; all other parameters do, p = p_key + (q - rest). Where a parameter is not keyed, the offset is
// its value, to the bit.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/rig.h"

namespace sinew {

// Adds offsets to the parameters `moved`. `p` has the keyed values of all parameters of a rig. Of the equivalent
// rotation vectors, the result is the one nearest to the keyed vector.
void add_offsets(const std::vector<RigParameter>& parameters, std::span<const int> moved,
                 std::span<const double> offsets, std::span<double> p);

class OffsetRig : public Rig {
 public:
  // `rig` must outlive this. `moved`: indices of the parameters that have offsets.
  OffsetRig(Rig& rig, std::vector<int> moved);

  // The rig's own parameters, which are keyed, followed by an offset for each of the moved ones, with its name, rest
  // value and range.
  const std::vector<RigParameter>& parameters() const override { return parameters_; }
  // Indices of the offsets among the parameters.
  std::vector<int> offsets() const;

  std::size_t vertices() const override { return rig_.vertices(); }
  void evaluate(std::span<const double> p, std::span<Vec3> s) override;
  void evaluate_many(std::span<const double> p, std::span<Vec3> s) override;
  // Derivatives with respect to offsets only: throws usage_error where a column is not one.
  bool jacobian(std::span<const double> p, std::span<const int> columns, RigJacobian& result) override;

 private:
  std::vector<double> together(std::span<const double> p) const;

  Rig& rig_;
  std::vector<int> moved_;
  std::vector<RigParameter> parameters_;
};

}  // namespace sinew
