#include "sinew/deform/flesh/fibre_elasticity.h"

#include <algorithm>
#include <compare>

#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

// Lists the corners of all fibres by vertex, in the order of the fibres.
template <class Real>
FibreEntries<Real> entries_of(std::span<const FibreGroup<Real>> groups, std::size_t fibres) {
  struct Corner {
    int vertex, fibre, corner;
    auto operator<=>(const Corner&) const = default;
  };
  std::vector<Corner> all;
  for (std::size_t f = 0; f < fibres; ++f) {
    const std::size_t g = f / patch_size, lane = f % patch_size;
    for (int c = 0; c < 4; ++c)
      all.push_back({groups[g].corner[c][lane] / 4, static_cast<int>(patch_lanes * g + lane), c});
  }
  std::sort(all.begin(), all.end());
  FibreEntries<Real> entries;
  for (const auto& [vertex, fibre, corner] : all) {
    if (entries.vertex.empty() || entries.vertex.back() != vertex) {
      entries.vertex.push_back(vertex);
      entries.start.push_back(static_cast<int>(entries.fibre.size()));
    }
    const auto at = static_cast<std::size_t>(fibre);
    entries.fibre.push_back(fibre);
    entries.coefficient.push_back(groups[at / patch_lanes].coefficient[corner][at % patch_lanes]);
  }
  entries.start.push_back(static_cast<int>(entries.fibre.size()));
  return entries;
}

}  // namespace

template <class Real>
Vec3 FibreElasticity<Real>::gradient(std::size_t k, std::span<const Row<Real>> tension) const {
  Row<Real> sum;
  for (auto e = static_cast<std::size_t>(entries.start[k]); e < static_cast<std::size_t>(entries.start[k + 1]); ++e) {
    const Row<Real>& t = tension[static_cast<std::size_t>(entries.fibre[e])];
    const Real c = entries.coefficient[e];
    sum = {sum.x + c * t.x, sum.y + c * t.y, sum.z + c * t.z, sum.zero + c * t.zero};  // all four: one vector operation
  }
  return {double{sum.x}, double{sum.y}, double{sum.z}};
}

template <class Real>
FibreElasticity<Real> fibre_elasticity(const TetrahedralMesh& mesh, std::span<const double> inside,
                                       const MuscleFibres& muscles) {
  constexpr std::size_t in_group = patch_size;
  FibreElasticity<Real> elasticity;
  elasticity.groups.resize((muscles.fibres.size() + in_group - 1) / in_group);
  for (std::size_t f = 0; f < muscles.fibres.size(); ++f) {
    const MuscleFibre& fibre = muscles.fibres[f];
    const BodyMuscle& muscle = muscles.muscles[static_cast<std::size_t>(fibre.muscle)];
    const auto t = static_cast<std::size_t>(fibre.tetrahedron);
    const ShapeGradients shape = shape_gradients(mesh, t);
    const double volume = shape.volume * fibre.share * (inside.empty() ? 1 : inside[t]);
    FibreGroup<Real>& group = elasticity.groups[f / in_group];
    const std::size_t lane = f % in_group;
    for (std::size_t c = 0; c < 4; ++c) {
      group.coefficient[c][lane] = static_cast<Real>(dot(fibre.direction, shape.gradient[c]));
      group.corner[c][lane] = 4 * mesh.tetrahedra[t][c];
    }
    group.over_optimal[lane] = static_cast<Real>(1 / muscle.optimal_stretch);
    group.active[lane] = static_cast<Real>(volume * muscle.stress);
    group.passive[lane] = static_cast<Real>(volume * muscle.stress * muscle.passive);
    group.muscle[lane] = fibre.muscle;
  }
  elasticity.entries = entries_of<Real>(elasticity.groups, muscles.fibres.size());
  return elasticity;
}

template <class Real>
void set_fibre_goal(const FibreGroup<Real>& group, std::span<const Vec3> goal, bool from_goal, double most_stretch,
                    FibrePose<Real>& pose) {
  for (std::size_t lane = 0; lane < patch_lanes; ++lane) {
    const auto at = [&](std::size_t c) { return goal[static_cast<std::size_t>(group.corner[c][lane]) / 4]; };
    Vec3 along;
    for (std::size_t c = 1; c < 4; ++c) along += double{group.coefficient[c][lane]} * (at(c) - at(0));
    const double natural = from_goal ? std::clamp(norm(along), 1 / most_stretch, most_stretch) : 1;
    for (std::size_t k = 0; k < 3; ++k) pose.goal[k][lane] = static_cast<Real>(along[k]);
    pose.natural[lane] = static_cast<Real>(natural);
    pose.over_natural[lane] = static_cast<Real>(1 / natural);
  }
}

template <class Real>
void set_fibre_start(const FibreGroup<Real>& group, std::span<const Vec3> position, FibrePose<Real>& pose) {
  for (std::size_t lane = 0; lane < patch_lanes; ++lane) {
    const auto at = [&](std::size_t c) { return position[static_cast<std::size_t>(group.corner[c][lane]) / 4]; };
    Vec3 along;
    for (std::size_t c = 1; c < 4; ++c) along += double{group.coefficient[c][lane]} * (at(c) - at(0));
    pose.before[lane] = static_cast<Real>(norm(along));
  }
}

template <class Real>
void set_activation(const FibreGroup<Real>& group, std::span<const double> activation, FibrePose<Real>& pose) {
  for (std::size_t lane = 0; lane < patch_lanes; ++lane)
    pose.activation[lane] =
        activation.empty() ? Real{0} : static_cast<Real>(activation[static_cast<std::size_t>(group.muscle[lane])]);
}

template struct FibreElasticity<double>;
template struct FibreElasticity<float>;
template FibreElasticity<double> fibre_elasticity<double>(const TetrahedralMesh&, std::span<const double>,
                                                          const MuscleFibres&);
template FibreElasticity<float> fibre_elasticity<float>(const TetrahedralMesh&, std::span<const double>,
                                                        const MuscleFibres&);
template void set_fibre_goal<double>(const FibreGroup<double>&, std::span<const Vec3>, bool, double,
                                     FibrePose<double>&);
template void set_fibre_goal<float>(const FibreGroup<float>&, std::span<const Vec3>, bool, double, FibrePose<float>&);
template void set_fibre_start<double>(const FibreGroup<double>&, std::span<const Vec3>, FibrePose<double>&);
template void set_fibre_start<float>(const FibreGroup<float>&, std::span<const Vec3>, FibrePose<float>&);
template void set_activation<double>(const FibreGroup<double>&, std::span<const double>, FibrePose<double>&);
template void set_activation<float>(const FibreGroup<float>&, std::span<const double>, FibrePose<float>&);

}  // namespace sinew
