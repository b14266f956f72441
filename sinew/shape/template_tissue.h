// Changes of the tissue (ShapeSample::strain, ShapeSample::stiffness). Both are full at the centre c of a template with
// a guide, or of a field's region, and fade with the bell B of its support R:
//
//   s(x) = 1 + (strain - 1) B(|x - c|, R),   E = (s - 1) a a^T + (s^-1/2 - 1) (I - a a^T),
//
// with a the first axis, is the strain of the flesh's natural shape; log(stiffness) B(|x - c|, R) is the logarithm of
// the factor of its stiffness. In an ellipsoid with the half axes A, B(|A^-1 (x - c)|, 1) is in place of B.
#pragma once

#include <vector>

#include "sinew/shape/force_integral.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

struct TissueChange {
  Affine frame;                      // of the template at rest, to rest space, metres
  double radius = 0;                 // of its support, metres
  double strain = 1, stiffness = 1;  // as in ShapeSample
  Mat3 to_ball = Mat3::identity();   // takes x - c to a ball of this radius
};
// Not for `painted`.
TissueChange tissue_change(const ShapeRig& rig, const ShapeSample& sample, const SimulationSurface& surface);

StrainField strain_of(const TissueChange& change);
StiffeningField stiffening_of(const TissueChange& change);

// The ellipsoid of a change.
TissueRegion region_of(const TissueChange& change);

// Derivatives by parameters of a template with a guide. `by_parameter`: how the change itself changes with each of
// them, member by member.
StrainDerivatives strain_derivatives(const TissueChange& change, std::vector<TissueChange> by_parameter);
StiffeningDerivatives stiffening_derivatives(const TissueChange& change, std::vector<TissueChange> by_parameter);

}  // namespace sinew
