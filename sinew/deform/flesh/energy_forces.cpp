#include "sinew/deform/flesh/energy_forces.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/elastic/mixed_materials.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

// The gradients of a patch's tetrahedra and, in the mean's lane, their mean.
using LaneGradients = std::array<Mat3, patch_lanes>;

template <class Real>
Vec3 vector_of(const Row<Real>& row) {
  return {double{row.x}, double{row.y}, double{row.z}};
}

template <class Real>
Vec3 shape_gradient(const Patch<Real>& patch, std::size_t corner, std::size_t lane) {
  const auto& of = patch.gradient[corner];
  return {double{of[0][lane]}, double{of[1][lane]}, double{of[2][lane]}};
}

template <class Real>
const Row<Real>& row_at(std::span<const Row<Real>> x, const Patch<Real>& patch, std::size_t corner, std::size_t lane) {
  return x[static_cast<std::size_t>(patch.corner[corner][lane]) / 4];
}

template <class Real>
LaneGradients lane_gradients(const Patch<Real>& patch, std::span<const Row<Real>> x) {
  LaneGradients d;
  d.fill(Mat3::zero());
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(patch.count); ++lane) {
    const Vec3 x0 = vector_of(row_at(x, patch, 0, lane));
    for (std::size_t k = 0; k < 3; ++k)
      d[lane] += outer(vector_of(row_at(x, patch, k + 1, lane)) - x0, shape_gradient(patch, k, lane));
    d[mean_lane] += d[lane] * double{patch.share[lane]};
  }
  return d;
}

template <class Real>
Mat3 inverse_goal(const NaturalPatch<Real>& natural, std::size_t lane) {
  Mat3 inverse;
  for (std::size_t k = 0; k < 9; ++k) inverse(k / 3, k % 3) = double{natural.inverse[k][lane]};
  return inverse;
}

// The rest volume of a tetrahedron, whose corners' gradients span the inverse of its edges: cubic metres.
template <class Real>
double rest_volume(const Patch<Real>& patch, std::size_t lane) {
  const Vec3 a = shape_gradient(patch, 0, lane), b = shape_gradient(patch, 1, lane), c = shape_gradient(patch, 2, lane);
  return 1 / (6 * std::abs(dot(a, cross(b, c))));
}

// Rest volumes of a patch's tetrahedra and, in the mean's lane, of all of them.
template <class Real>
std::array<double, patch_lanes> lane_volumes(const Patch<Real>& patch) {
  std::array<double, patch_lanes> volume{};
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(patch.count); ++lane)
    volume[mean_lane] += volume[lane] = rest_volume(patch, lane);
  return volume;
}

// The energy of one strain sample, joules, and its dU/dD, newton metres.
struct SampleStress {
  double energy = 0;
  Mat3 stress;
};

// `volume`: of the sample in the natural shape, cubic metres.
template <class Real>
SampleStress sample_stress(const GoalPose<Real>& pose, const StretchEnergy& psi, const NaturalPatch<Real>& natural,
                           std::size_t lane, double volume, const Mat3& d, const Mat3& rate) {
  const Mat3 inverse = inverse_goal(natural, lane);
  const Mat3 f = pose.from_goal ? Mat3::identity() + d * inverse : d;
  const Mat3 q = closest_rotation(f);
  const LameModuli moduli{double{natural.shear[lane]} / volume, double{natural.lambda[lane]} / volume};
  const Mandel stretch = to_mandel(transpose(q) * f);
  const Mandel viscous = to_mandel(transpose(q) * (pose.from_goal ? rate * inverse : rate));
  const Mandel stress = psi.gradient(stretch, moduli) + viscous * (2 * moduli.shear) +
                        Mandel::identity() * (moduli.lambda * trace(viscous));
  const Mat3 first = q * to_matrix(stress * volume);
  return {volume * psi.value(stretch, moduli), pose.from_goal ? first * transpose(inverse) : first};
}

// Adds the forces of a tetrahedron's stress at its corners.
template <class Real>
void add_at_corners(const Patch<Real>& patch, std::size_t lane, const Mat3& stress, std::span<Row<Real>> to) {
  Vec3 first;
  for (std::size_t corner = 4; corner-- > 0;) {
    const Vec3 f = corner > 0 ? stress * shape_gradient(patch, corner - 1, lane) : first;
    first -= f;
    Row<Real>& row = to[static_cast<std::size_t>(patch.slot[corner][lane]) / 4];
    row.x += static_cast<Real>(f.x), row.y += static_cast<Real>(f.y), row.z += static_cast<Real>(f.z);
  }
}

}  // namespace

template <class Real>
double energy_forces(const GoalPose<Real>& pose, const TissueLaw& law, std::size_t begin, std::size_t end,
                     std::span<Row<Real>> force) {
  double total = 0;
  for (std::size_t p = begin; p < end; ++p) {
    const Patch<Real>& patch = pose.patches[p];
    const LaneGradients d = lane_gradients(patch, pose.displacement);
    LaneGradients rate;
    rate.fill(Mat3::zero());
    if (!pose.rate.empty()) rate = lane_gradients(patch, pose.rate);
    const std::array<double, patch_lanes> at_rest = lane_volumes(patch);
    std::array<SampleStress, patch_lanes> samples;
    for (std::size_t lane = 0; lane < patch_lanes; ++lane) {
      samples[lane].stress = Mat3::zero();
      if (!(pose.natural[p].shear[lane] > 0)) continue;
      const Mat3 inverse = inverse_goal(pose.natural[p], lane);
      const double volume = at_rest[lane] / (pose.from_goal ? determinant(inverse) : 1);
      samples[lane] = sample_stress(pose, *law.energy, pose.natural[p], lane, volume, d[lane], rate[lane]);
      total += samples[lane].energy;
    }
    const std::span<Row<Real>> to = force.subspan(static_cast<std::size_t>(patch.vertex_begin),
                                                  static_cast<std::size_t>(patch.vertex_end - patch.vertex_begin));
    std::fill(to.begin(), to.end(), Row<Real>{});
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(patch.count); ++lane)
      add_at_corners(patch, lane, samples[lane].stress + samples[mean_lane].stress * double{patch.share[lane]}, to);
  }
  return total;
}

template double energy_forces<double>(const GoalPose<double>&, const TissueLaw&, std::size_t, std::size_t,
                                      std::span<Row<double>>);
template double energy_forces<float>(const GoalPose<float>&, const TissueLaw&, std::size_t, std::size_t,
                                     std::span<Row<float>>);

}  // namespace sinew
