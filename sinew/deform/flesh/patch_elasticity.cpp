#include "sinew/deform/flesh/patch_elasticity.h"

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

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
      patch.slot[c][t] = static_cast<std::uint8_t>(
          4 * (std::lower_bound(own.begin(), own.end(), patch.corner[c][t] / 4) - own.begin()));
  patch.vertex_begin = static_cast<int>(all.size());
  all.insert(all.end(), own.begin(), own.end());
  patch.vertex_end = static_cast<int>(all.size());
}

}  // namespace

template <class Real>
PatchElasticity<Real> patch_elasticity(std::span<const int> patch, const StrainSamples& samples) {
  std::vector<Patch<Real>> patches(
      patch.empty() ? std::size_t{0} : static_cast<std::size_t>(*std::max_element(patch.begin(), patch.end())) + 1);
  std::vector<double> volume(patches.size(), 0.0);
  for (std::size_t t = 0; t < patch.size(); ++t) volume[static_cast<std::size_t>(patch[t])] += samples.volume[t];
  for (std::size_t t = 0; t < patch.size(); ++t) {
    const auto p = static_cast<std::size_t>(patch[t]);
    Patch<Real>& to = patches[p];
    const auto lane = static_cast<std::size_t>(to.count++);
    to.shear[lane] = static_cast<Real>(samples.shear[t] * samples.volume[t]);
    to.lambda[lane] = static_cast<Real>(samples.lambda[t] * samples.volume[t]);
    to.share[lane] = static_cast<Real>(samples.volume[t] / volume[p]);
    const auto first = static_cast<std::size_t>(samples.start[t]);
    for (std::size_t k = 0; k < 4; ++k) to.corner[k][lane] = 4 * samples.vertex[first + k];
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& g = samples.gradient[first + k + 1];
      for (std::size_t axis = 0; axis < 3; ++axis) to.gradient[k][axis][lane] = static_cast<Real>(g[axis]);
    }
  }
  PatchElasticity<Real> elasticity;
  for (Patch<Real>& own : patches) list_vertices(own, elasticity.vertex);
  elasticity.patches = std::move(patches);
  return elasticity;
}

template <class Real>
PatchElasticity<Real> patch_elasticity(const TetrahedralMesh& mesh, Element element, const StrainSamples& samples) {
  const std::size_t count = mesh.tetrahedra.size();
  PatchElasticity<Real> elasticity = patch_elasticity<Real>(cluster_tetrahedra(mesh, patch_size), samples);
  std::vector<Patch<Real>>& patches = elasticity.patches;
  for (std::size_t p = 0; p < patches.size() && element == Element::patch;
       ++p) {  // samples of patches follow those of tetrahedra
    patches[p].mean_shear = static_cast<Real>(samples.shear[count + p] * samples.volume[count + p]);
    patches[p].mean_lambda = static_cast<Real>(samples.lambda[count + p] * samples.volume[count + p]);
  }
  return elasticity;
}

PatchRows patch_rows(std::span<const int> vertex, std::span<const int> free_index, std::size_t free_vertices) {
  PatchRows rows{std::vector<int>(free_vertices + 1, 0), {}};
  const auto for_each = [&](const auto& visit) {
    for (std::size_t row = 0; row < vertex.size(); ++row)
      if (const int f = free_index[static_cast<std::size_t>(vertex[row])]; f >= 0)
        visit(static_cast<std::size_t>(f), row);
  };
  for_each([&](std::size_t f, std::size_t) { ++rows.start[f + 1]; });
  for (std::size_t f = 0; f < free_vertices; ++f) rows.start[f + 1] += rows.start[f];
  rows.row.resize(static_cast<std::size_t>(rows.start.back()));
  std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
  for_each(
      [&](std::size_t f, std::size_t row) { rows.row[static_cast<std::size_t>(next[f]++)] = static_cast<int>(row); });
  return rows;
}

template <class Real>
std::vector<char> rig_shaped_patches(const PatchElasticity<Real>& elasticity, std::span<const char> keeps) {
  std::vector<char> shaped(elasticity.patches.size(), 0);
  for (std::size_t p = 0; p < shaped.size() && !keeps.empty(); ++p) {
    const std::span<const int> vertices = elasticity.vertices_of(p);
    shaped[p] =
        std::all_of(vertices.begin(), vertices.end(), [&](int v) { return keeps[static_cast<std::size_t>(v)] != 0; });
  }
  return shaped;
}

Quat mean_orientation(std::span<const int> vertices, const VertexFrames& frames) {
  const Quat& first = frames.orientation[static_cast<std::size_t>(vertices.front())];
  Quat sum{0, 0, 0, 0};
  for (const int v : vertices) {
    const Quat& q = frames.orientation[static_cast<std::size_t>(v)];
    const double sign = dot(q, first) < 0 ? -1 : 1;
    sum.x += sign * q.x;
    sum.y += sign * q.y;
    sum.z += sign * q.z;
    sum.w += sign * q.w;
  }
  return normalized(sum);
}

template std::vector<char> rig_shaped_patches<double>(const PatchElasticity<double>&, std::span<const char>);
template std::vector<char> rig_shaped_patches<float>(const PatchElasticity<float>&, std::span<const char>);
template PatchElasticity<double> patch_elasticity<double>(const TetrahedralMesh&, Element, const StrainSamples&);
template PatchElasticity<float> patch_elasticity<float>(const TetrahedralMesh&, Element, const StrainSamples&);
template PatchElasticity<double> patch_elasticity<double>(std::span<const int>, const StrainSamples&);
template PatchElasticity<float> patch_elasticity<float>(std::span<const int>, const StrainSamples&);

}  // namespace sinew
