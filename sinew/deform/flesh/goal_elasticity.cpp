#include "sinew/deform/flesh/goal_elasticity.h"

namespace sinew {

template <class Real>
void set_natural_rest(const Patch<Real>& patch, const Quat& guess, NaturalPatch<Real>& natural) {
  const double rotation[4] = {guess.x, guess.y, guess.z, guess.w};
  for (std::size_t lane = 0; lane < patch_lanes; ++lane) {
    for (std::size_t k = 0; k < 9; ++k) natural.inverse[k][lane] = k % 4 == 0;
    for (std::size_t k = 0; k < 4; ++k) natural.rotation[k][lane] = static_cast<Real>(rotation[k]);
    natural.shear[lane] = lane == mean_lane ? patch.mean_shear : patch.shear[lane];
    natural.lambda[lane] = lane == mean_lane ? patch.mean_lambda : patch.lambda[lane];
  }
}

template void set_natural_rest<double>(const Patch<double>&, const Quat&, NaturalPatch<double>&);
template void set_natural_rest<float>(const Patch<float>&, const Quat&, NaturalPatch<float>&);

}  // namespace sinew
