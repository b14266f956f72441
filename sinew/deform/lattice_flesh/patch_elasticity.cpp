#include "sinew/deform/lattice_flesh/patch_elasticity.h"

#include <algorithm>

namespace sinew {
namespace {

struct Strain {
  Mat3 twice;     // 2 e
  double trace;   // of e
};

Strain strain_of(const Mat3& gradient, double load) {
  Strain strain{gradient + transpose(gradient), trace(gradient) - 3 * load};
  for (std::size_t k = 0; k < 3; ++k) strain.twice(k, k) -= 2 * load;
  return strain;
}

// V (2 mu e + lambda tr(e) I)
Mat3 weighted_stress(const Strain& strain, double shear, double lambda) {
  Mat3 stress = strain.twice * shear;
  for (std::size_t k = 0; k < 3; ++k) stress(k, k) += lambda * strain.trace;
  return stress;
}

template <class Real>
Vec3 gradient(const Patch<Real>& patch, std::size_t corner, std::size_t lane) {
  const auto& g = patch.gradient[corner - 1];
  return {double{g[0][lane]}, double{g[1][lane]}, double{g[2][lane]}};
}

// Of one tetrahedron: R^T F.
template <class Real>
Mat3 turned_gradient(const PatchPose<Real>& pose, std::size_t p, std::size_t lane) {
  const Patch<Real>& patch = pose.patches[p];
  const auto position = [&](std::size_t corner) {
    const Row<Real>& row = pose.position[static_cast<std::size_t>(patch.corner[corner][lane])];
    return Vec3{double{row.x}, double{row.y}, double{row.z}};
  };
  Mat3 sum = Mat3::zero();
  for (std::size_t k = 1; k < 4; ++k) sum += outer(position(k) - position(0), gradient(patch, k, lane));
  return transpose(pose.frame[p]) * sum;
}

}  // namespace

template <class Real>
std::vector<Patch<Real>> patch_elasticity(const TetrahedralMesh& mesh, Element element, const StrainSamples& samples) {
  const std::size_t count = mesh.tetrahedra.size();
  const std::vector<int> patch_of = cluster_tetrahedra(mesh, patch_size);
  std::vector<Patch<Real>> patches(patch_of.empty() ? std::size_t{0} : static_cast<std::size_t>(*std::max_element(patch_of.begin(), patch_of.end())) + 1);
  std::vector<double> volume(patches.size(), 0.0);
  for (std::size_t t = 0; t < count; ++t) volume[static_cast<std::size_t>(patch_of[t])] += samples.volume[t];
  for (std::size_t t = 0; t < count; ++t) {
    const auto p = static_cast<std::size_t>(patch_of[t]);
    Patch<Real>& patch = patches[p];
    const auto lane = static_cast<std::size_t>(patch.count++);
    patch.shear[lane] = static_cast<Real>(samples.shear[t] * samples.volume[t]);
    patch.lambda[lane] = static_cast<Real>(samples.lambda[t] * samples.volume[t]);
    patch.share[lane] = static_cast<Real>(samples.volume[t] / volume[p]);
    for (std::size_t k = 0; k < 4; ++k) patch.corner[k][lane] = mesh.tetrahedra[t][k];
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& g = samples.gradient[static_cast<std::size_t>(samples.start[t]) + k + 1];
      for (std::size_t axis = 0; axis < 3; ++axis) patch.gradient[k][axis][lane] = static_cast<Real>(g[axis]);
    }
  }
  for (std::size_t p = 0; p < patches.size() && element == Element::patch; ++p) {   // samples of patches follow those of tetrahedra
    patches[p].mean_shear = static_cast<Real>(samples.shear[count + p] * samples.volume[count + p]);
    patches[p].mean_lambda = static_cast<Real>(samples.lambda[count + p] * samples.volume[count + p]);
  }
  return patches;
}

template <class Real>
void patch_forces_reference(const PatchPose<Real>& pose, std::size_t begin, std::size_t end, std::span<Row<Real>> force) {
  for (std::size_t p = begin; p < end; ++p) {
    const Patch<Real>& patch = pose.patches[p];
    const double load{pose.load[p]};
    Mat3 mean = Mat3::zero();
    for (std::size_t t = 0; t < patch_lanes; ++t) mean += turned_gradient(pose, p, t) * double{patch.share[t]};
    const Mat3 mean_stress = weighted_stress(strain_of(mean, load), double{patch.mean_shear}, double{patch.mean_lambda});
    for (std::size_t t = 0; t < patch_lanes; ++t) {
      const Mat3 own = weighted_stress(strain_of(turned_gradient(pose, p, t), load), double{patch.shear[t]}, double{patch.lambda[t]});
      const Mat3 stress = pose.frame[p] * (own + mean_stress * double{patch.share[t]});
      Vec3 all;
      for (std::size_t k = 3; k > 0; --k) {
        const Vec3 f = stress * gradient(patch, k, t);
        force[force_row(p, k, t)] = {static_cast<Real>(f.x), static_cast<Real>(f.y), static_cast<Real>(f.z), 0};
        all += f;
      }
      force[force_row(p, 0, t)] = {static_cast<Real>(-all.x), static_cast<Real>(-all.y), static_cast<Real>(-all.z), 0};
    }
  }
}

template std::vector<Patch<double>> patch_elasticity<double>(const TetrahedralMesh&, Element, const StrainSamples&);
template std::vector<Patch<float>> patch_elasticity<float>(const TetrahedralMesh&, Element, const StrainSamples&);
template void patch_forces_reference<double>(const PatchPose<double>&, std::size_t, std::size_t, std::span<Row<double>>);
template void patch_forces_reference<float>(const PatchPose<float>&, std::size_t, std::size_t, std::span<Row<float>>);

}  // namespace sinew
