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

Vec3 vec(const PaddedVec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

PatchElasticity patch_elasticity(const TetrahedralMesh& mesh, Element element, const StrainSamples& samples) {
  const std::size_t count = mesh.tetrahedra.size();
  const std::vector<int> patch_of = cluster_tetrahedra(mesh, element == Element::linear ? 1 : patch_size);
  const auto patches = patch_of.empty() ? std::size_t{0} : static_cast<std::size_t>(*std::max_element(patch_of.begin(), patch_of.end())) + 1;
  std::vector<std::vector<std::size_t>> members(patches);
  for (std::size_t t = 0; t < count; ++t) members[static_cast<std::size_t>(patch_of[t])].push_back(t);

  PatchElasticity result;
  result.tetrahedra.reserve(count);
  for (std::size_t p = 0; p < patches; ++p) {
    Patch patch;
    patch.tetrahedron_begin = static_cast<int>(result.tetrahedra.size());
    patch.vertex_begin = static_cast<int>(result.vertex.size());
    std::vector<int> vertices;
    for (std::size_t t : members[p]) vertices.insert(vertices.end(), mesh.tetrahedra[t].begin(), mesh.tetrahedra[t].end());
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    double volume = 0;
    for (std::size_t t : members[p]) volume += samples.volume[t];
    for (std::size_t t : members[p]) {
      PatchTetrahedron& tetrahedron = result.tetrahedra.emplace_back();
      tetrahedron.shear = samples.shear[t] * samples.volume[t];
      tetrahedron.lambda = samples.lambda[t] * samples.volume[t];
      tetrahedron.share = samples.volume[t] / volume;
      for (std::size_t k = 0; k < 4; ++k)
        tetrahedron.corner[k] = static_cast<std::uint16_t>(std::lower_bound(vertices.begin(), vertices.end(), mesh.tetrahedra[t][k]) - vertices.begin());
      for (std::size_t k = 0; k < 3; ++k) tetrahedron.gradient[k] = samples.gradient[static_cast<std::size_t>(samples.start[t]) + k + 1];
    }
    if (element == Element::patch) {   // samples of patches follow those of tetrahedra
      patch.shear = samples.shear[count + p] * samples.volume[count + p];
      patch.lambda = samples.lambda[count + p] * samples.volume[count + p];
    }
    result.vertex.insert(result.vertex.end(), vertices.begin(), vertices.end());
    patch.tetrahedron_end = static_cast<int>(result.tetrahedra.size());
    patch.vertex_end = static_cast<int>(result.vertex.size());
    result.patches.push_back(patch);
  }
  return result;
}

PatchFrame patch_frame(const Mat3& r) {
  PatchFrame frame;
  for (std::size_t k = 0; k < 3; ++k) frame.row[k] = {r(k, 0), r(k, 1), r(k, 2), 0};
  return frame;
}

void patch_forces_reference(const PatchElasticity& elasticity, std::size_t patch, const PatchFrame& frame, double load,
                            std::span<const PaddedVec3> position, std::span<PaddedVec3> force) {
  const Patch& p = elasticity.patches[patch];
  const Mat3 rotation = transpose(Mat3::from_columns(vec(frame.row[0]), vec(frame.row[1]), vec(frame.row[2])));
  const auto local = [&](std::uint16_t corner) {
    const int v = elasticity.vertex[static_cast<std::size_t>(p.vertex_begin) + corner];
    return transpose_times(rotation, vec(position[static_cast<std::size_t>(v)]));
  };
  const auto gradient = [&](const PatchTetrahedron& t) {
    Mat3 sum = Mat3::zero();
    for (std::size_t k = 0; k < 3; ++k) sum += outer(local(t.corner[k + 1]) - local(t.corner[0]), t.gradient[k]);
    return sum;
  };
  Mat3 mean = Mat3::zero();
  for (int i = p.tetrahedron_begin; i < p.tetrahedron_end; ++i) {
    const PatchTetrahedron& t = elasticity.tetrahedra[static_cast<std::size_t>(i)];
    mean += t.share * gradient(t);
  }
  const Mat3 mean_stress = weighted_stress(strain_of(mean, load), p.shear, p.lambda);
  for (int e = p.vertex_begin; e < p.vertex_end; ++e) force[static_cast<std::size_t>(e)] = {};
  for (int i = p.tetrahedron_begin; i < p.tetrahedron_end; ++i) {
    const PatchTetrahedron& t = elasticity.tetrahedra[static_cast<std::size_t>(i)];
    const Mat3 stress = rotation * (weighted_stress(strain_of(gradient(t), load), t.shear, t.lambda) + t.share * mean_stress);
    const auto add = [&](std::size_t corner, const Vec3& f) {
      PaddedVec3& sum = force[static_cast<std::size_t>(p.vertex_begin) + t.corner[corner]];
      sum = {sum.x + f.x, sum.y + f.y, sum.z + f.z, 0};
    };
    for (std::size_t k = 0; k < 3; ++k) add(k + 1, stress * t.gradient[k]);
    add(0, stress * -(t.gradient[0] + t.gradient[1] + t.gradient[2]));
  }
}

}  // namespace sinew
