#include "sinew/deform/surface/fit/weak_directions.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/surface/fit/fit_alone.h"
#include "sinew/deform/surface/surface_motion.h"
#include "sinew/linalg/rotation.h"

namespace sinew {

void lift_weak_directions(SurfaceModel& model, double least) {
  if (model.shape.empty()) return;
  parallel_for(model.rest.size(), surface_grain, [&](std::size_t i) {
    const SignedSvd svd = signed_svd(to_matrix(model.shape[i]) * model.parameters[i].alpha);
    const double floor = least * svd.sigma.x;
    if (!(svd.sigma.z < floor)) return;
    // Symmetric and without negative eigenvalues but for rounding: u is v, and sigma are the eigenvalues.
    const Vec3 lifted{svd.sigma.x, std::max(svd.sigma.y, floor), floor};
    set_restoration(model, i, svd.v * Mat3::diagonal(lifted) * transpose(svd.v));
  });
}

}  // namespace sinew
