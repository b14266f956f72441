#include "sinew/cook/lattice/lattice_fields.h"

#include <algorithm>
#include <cstddef>

#include "sinew/base/error.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/shares_around.h"

namespace sinew {
namespace {

// How stiffly a bone's core holds its flesh, beyond the bone displacement energy: as a share of E per square distance
// from the skin. Bodies of tetrahedra hold it rigidly; a lattice has no vertices there to hold.
constexpr double core_hold = 20;

Influences influences_at(const FleshDescription& flesh, const EmbeddedPoint& point, InfluenceMean& mean) {
  const Tetrahedron& corner = flesh.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
  for (std::size_t k = 0; k < 4; ++k)
    mean.add(flesh.influences[static_cast<std::size_t>(corner[k])], std::max(0.0, point.weights[k]));
  return mean.take();
}

// Per tetrahedron of the body: springs of the bones' cores, N/m per m^3.
std::vector<double> core_stiffness(const CookedFlesh& scene) {
  const FleshDescription& flesh = scene.body->description;
  std::vector<double> core(flesh.mesh.tetrahedra.size(), 0.0);
  for (std::size_t t = 0; t < core.size(); ++t)
    for (int corner : flesh.mesh.tetrahedra[t]) {
      const auto v = static_cast<std::size_t>(corner);
      if (scene.map.core[v] && scene.map.thickness[v] > 0)
        core[t] += 0.25 * core_hold * flesh.young[t] / (scene.map.thickness[v] * scene.map.thickness[v]);
    }
  return core;
}

}  // namespace

LatticeFields lattice_fields(const CookedFlesh& scene, const TetrahedralMesh& mesh) {
  const FleshDescription& flesh = scene.body->description;
  // At the middle and half way from it to each corner.
  constexpr std::size_t samples = 5;
  std::vector<Vec3> places, middles;
  places.reserve(samples * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) {
    Vec3 middle;
    for (int v : t) middle += 0.25 * mesh.positions[static_cast<std::size_t>(v)];
    middles.push_back(middle);
    places.push_back(middle);
    for (int v : t) places.push_back(0.5 * (middle + mesh.positions[static_cast<std::size_t>(v)]));
  }
  const SharesAround around = shares_around(EmbeddingSearch(flesh.mesh), places);
  const std::vector<double> core = core_stiffness(scene);
  LatticeFields result;
  result.influences = influences_at(scene, middles);
  const std::size_t count = mesh.tetrahedra.size();
  for (std::vector<double>* field : {&result.fill, &result.young, &result.density, &result.bone_stiffness})
    field->assign(count, 0.0);
  for (std::size_t t = 0; t < count; ++t) {
    double fill = 0, young = 0, bone = 0, damping = 0, density = 0, poisson = 0;
    const auto first = static_cast<std::size_t>(around.start[samples * t]),
               end = static_cast<std::size_t>(around.start[samples * (t + 1)]);
    for (std::size_t k = first; k < end; ++k) {
      const auto in = static_cast<std::size_t>(around.tetrahedron[k]);
      const double share = around.share[k] * flesh.inside_fraction[in];
      fill += share;
      young += share * flesh.young[in];
      bone += share * (flesh.bone_stiffness[in] + core[in]);
      damping += flesh.damping.empty() ? 0 : share * flesh.damping[in];
      density += flesh.density.empty() ? 0 : share * flesh.density[in];
      poisson += flesh.poisson.empty() ? 0 : share * flesh.poisson[in];
    }
    if (!flesh.damping.empty()) result.damping.push_back(fill > 0 ? damping / fill : 1.0);
    if (!flesh.poisson.empty()) result.poisson.push_back(fill > 0 ? poisson / fill : flesh.material.poisson);
    if (!(fill > 0)) continue;
    result.fill[t] = fill / samples;
    result.young[t] = young / fill;
    result.density[t] = flesh.density.empty() ? flesh.material.density * result.fill[t] : density / samples;
    result.bone_stiffness[t] = bone / samples;
  }
  return result;
}

std::vector<Influences> influences_at(const CookedFlesh& scene, std::span<const Vec3> places) {
  InfluenceMean mean(scene.surface.bones.size());
  std::vector<Influences> result;
  for (const EmbeddedPoint& point : embed_points(scene.body->description.mesh, places).points)
    result.push_back(influences_at(scene.body->description, point, mean));
  return result;
}

std::vector<int> bones_of_chains(const SimulationSurface& surface, const ControlLattice& lattice) {
  std::vector<int> result;
  for (const LatticeBone& chain : lattice.bones) {
    const auto bone = std::find_if(surface.bones.begin(), surface.bones.end(),
                                   [&](const Bone& candidate) { return candidate.name == chain.name; });
    if (bone == surface.bones.end())
      throw input_error("bone '" + chain.name +
                        "' of the lattice: the character has no bone of that name; `sinew info --json` lists them.");
    result.push_back(static_cast<int>(bone - surface.bones.begin()));
  }
  return result;
}

}  // namespace sinew
