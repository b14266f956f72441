#include "sinew/deform/flesh/patch_elasticity.h"

#include <algorithm>
#include <utility>

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

template <class Real>
Mat3 rotation_of(const PatchFrame<Real>& frame) {
  Mat3 rotation;
  for (std::size_t k = 0; k < 9; ++k) rotation(k / 3, k % 3) = double{frame.entry[k]};
  return rotation;
}

// Of one tetrahedron: R^T F.
template <class Real>
Mat3 turned_gradient(const PatchPose<Real>& pose, std::size_t p, std::size_t lane) {
  const Patch<Real>& patch = pose.patches[p];
  const auto position = [&](std::size_t corner) {
    const Row<Real>& row = pose.position[static_cast<std::size_t>(patch.corner[corner][lane] / 4)];
    return Vec3{double{row.x}, double{row.y}, double{row.z}};
  };
  Mat3 sum = Mat3::zero();
  for (std::size_t k = 1; k < 4; ++k) sum += outer(position(k) - position(0), gradient(patch, k, lane));
  return transpose(rotation_of(pose.frame[p])) * sum;
}

// Appends the patch's vertices to `all`, and tells each corner its own among them.
template <class Real>
void list_vertices(Patch<Real>& patch, std::vector<int>& all) {
  std::vector<int> own;
  for (const auto& corner : patch.corner)
    for (int t = 0; t < patch.count; ++t) own.push_back(corner[t] / 4);
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  for (std::size_t c = 0; c < 4; ++c)
    for (int t = 0; t < patch.count; ++t)
      patch.slot[c][t] = static_cast<std::uint8_t>(4 * (std::lower_bound(own.begin(), own.end(), patch.corner[c][t] / 4) - own.begin()));
  patch.vertex_begin = static_cast<int>(all.size());
  all.insert(all.end(), own.begin(), own.end());
  patch.vertex_end = static_cast<int>(all.size());
}

}  // namespace

template <class Real>
PatchElasticity<Real> patch_elasticity(const TetrahedralMesh& mesh, Element element, const StrainSamples& samples) {
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
    for (std::size_t k = 0; k < 4; ++k) patch.corner[k][lane] = 4 * mesh.tetrahedra[t][k];
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& g = samples.gradient[static_cast<std::size_t>(samples.start[t]) + k + 1];
      for (std::size_t axis = 0; axis < 3; ++axis) patch.gradient[k][axis][lane] = static_cast<Real>(g[axis]);
    }
  }
  for (std::size_t p = 0; p < patches.size() && element == Element::patch; ++p) {   // samples of patches follow those of tetrahedra
    patches[p].mean_shear = static_cast<Real>(samples.shear[count + p] * samples.volume[count + p]);
    patches[p].mean_lambda = static_cast<Real>(samples.lambda[count + p] * samples.volume[count + p]);
  }
  PatchElasticity<Real> elasticity;
  for (Patch<Real>& patch : patches) list_vertices(patch, elasticity.vertex);
  elasticity.patches = std::move(patches);
  return elasticity;
}

template <class Real>
void patch_forces_reference(const PatchPose<Real>& pose, std::size_t begin, std::size_t end, std::span<Row<Real>> force) {
  for (std::size_t p = begin; p < end; ++p) {
    const Patch<Real>& patch = pose.patches[p];
    const double load{pose.load[p]};
    Mat3 mean = Mat3::zero();
    for (std::size_t t = 0; t < patch_lanes; ++t) mean += turned_gradient(pose, p, t) * double{patch.share[t]};
    Row<Real>* to = &force[static_cast<std::size_t>(patch.vertex_begin)];
    std::fill(to, to + (patch.vertex_end - patch.vertex_begin), Row<Real>{});
    const auto add = [&](std::size_t corner, std::size_t t, const Vec3& f) {
      Row<Real>& row = to[patch.slot[corner][t] / 4];
      row.x += static_cast<Real>(f.x);
      row.y += static_cast<Real>(f.y);
      row.z += static_cast<Real>(f.z);
    };
    const Mat3 mean_stress = weighted_stress(strain_of(mean, load), double{patch.mean_shear}, double{patch.mean_lambda});
    for (std::size_t t = 0; t < patch_lanes; ++t) {
      const Mat3 own = weighted_stress(strain_of(turned_gradient(pose, p, t), load), double{patch.shear[t]}, double{patch.lambda[t]});
      const Mat3 stress = rotation_of(pose.frame[p]) * (own + mean_stress * double{patch.share[t]});
      Vec3 all;
      for (std::size_t k = 3; k > 0; --k) {
        const Vec3 f = stress * gradient(patch, k, t);
        add(k, t, f);
        all += f;
      }
      add(0, t, -1 * all);
    }
  }
}

template PatchElasticity<double> patch_elasticity<double>(const TetrahedralMesh&, Element, const StrainSamples&);
template PatchElasticity<float> patch_elasticity<float>(const TetrahedralMesh&, Element, const StrainSamples&);
template void patch_forces_reference<double>(const PatchPose<double>&, std::size_t, std::size_t, std::span<Row<double>>);
template void patch_forces_reference<float>(const PatchPose<float>&, std::size_t, std::size_t, std::span<Row<float>>);

}  // namespace sinew
