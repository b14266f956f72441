#include "sinew/bake/prepare_lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/elastic/basis_integrals.h"
#include "sinew/elastic/shared_strain.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {
namespace {

constexpr const char* integrating = "integrating over the lattice";

// How stiffly a bone's core holds its flesh, beyond the bone displacement energy: as a share of E per square distance
// from the skin.
constexpr double core_hold = 20;

// Where a place in rest space is in the body of tetrahedra that the character was bound with.
struct Probe {
  EmbeddedPoint point;
  bool inside = false;
};

std::vector<Probe> probe(const TetrahedralMesh& mesh, std::span<const Vec3> places) {
  const Embedding embedding = embed_points(mesh, places);
  std::vector<Probe> result(places.size());
  constexpr double tolerance = -1e-9;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const EmbeddedPoint& p = embedding.points[i];
    result[i].point = p;
    result[i].inside = *std::min_element(p.weights.begin(), p.weights.end()) >= tolerance;
  }
  return result;
}

// Weights of bones, summed up and cut to the heaviest.
class BoneWeights {
 public:
  explicit BoneWeights(std::size_t bones) : weight_(bones, 0.0) {}
  void add(const Influences& influences, double factor) {
    for (int k = 0; k < influences.count; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      double& weight = weight_[static_cast<std::size_t>(influences.joint[slot])];
      if (weight == 0) used_.push_back(influences.joint[slot]);
      weight += factor * influences.weight[slot];
    }
  }
  Influences take() {
    std::sort(used_.begin(), used_.end());
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    std::stable_sort(used_.begin(), used_.end(), [&](int a, int b) { return of(a) > of(b); });
    Influences result;
    double sum = 0;
    for (int bone : used_) {
      if (result.count == max_influences || !(of(bone) > 0)) break;
      const auto slot = static_cast<std::size_t>(result.count++);
      result.joint[slot] = bone;
      result.weight[slot] = of(bone);
      sum += of(bone);
    }
    for (int k = 0; k < result.count; ++k) result.weight[static_cast<std::size_t>(k)] /= sum;
    for (int bone : used_) weight_[static_cast<std::size_t>(bone)] = 0;
    used_.clear();
    return result;
  }

 private:
  double of(int bone) const { return weight_[static_cast<std::size_t>(bone)]; }
  std::vector<double> weight_;
  std::vector<int> used_;
};

Influences influences_at(const FleshDescription& flesh, const Probe& probe, BoneWeights& weights) {
  const Tetrahedron& corner = flesh.mesh.tetrahedra[static_cast<std::size_t>(probe.point.tetrahedron)];
  for (std::size_t k = 0; k < 4; ++k)
    weights.add(flesh.influences[static_cast<std::size_t>(corner[k])], std::max(0.0, probe.point.weights[k]));
  return weights.take();
}

// What the flesh is like in each tetrahedron of the subdivided lattice.
struct FleshInTetrahedra {
  std::vector<double> fill, young, density, bone_stiffness;
  std::vector<Probe> centre;
};

// Samples at the centroid and half way from it to each corner.
FleshInTetrahedra sample_flesh(const FleshScene& scene, const TetrahedralMesh& mesh) {
  const FleshDescription& flesh = scene.body->description;
  constexpr std::size_t samples = 5;
  std::vector<Vec3> places;
  places.reserve(samples * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) {
    Vec3 centre;
    for (int v : t) centre += 0.25 * mesh.positions[static_cast<std::size_t>(v)];
    places.push_back(centre);
    for (int v : t) places.push_back(0.5 * (centre + mesh.positions[static_cast<std::size_t>(v)]));
  }
  const std::vector<Probe> probes = probe(flesh.mesh, places);
  // The core of a bone, which bodies of tetrahedra hold rigidly: springs that hardly give.
  std::vector<double> core(flesh.mesh.tetrahedra.size(), 0.0);
  for (std::size_t t = 0; t < core.size(); ++t)
    for (int corner : flesh.mesh.tetrahedra[t]) {
      const auto v = static_cast<std::size_t>(corner);
      if (scene.map.core[v] && scene.map.thickness[v] > 0)
        core[t] += 0.25 * core_hold * flesh.young[t] / (scene.map.thickness[v] * scene.map.thickness[v]);
    }
  FleshInTetrahedra result;
  const std::size_t count = mesh.tetrahedra.size();
  for (std::vector<double>* field : {&result.fill, &result.young, &result.density, &result.bone_stiffness})
    field->assign(count, 0.0);
  for (std::size_t t = 0; t < count; ++t) {
    double fill = 0, young = 0, bone = 0;
    for (std::size_t k = 0; k < samples; ++k) {
      const Probe& p = probes[samples * t + k];
      if (!p.inside) continue;
      const auto in = static_cast<std::size_t>(p.point.tetrahedron);
      const double share = flesh.inside_fraction[in];
      fill += share;
      young += share * flesh.young[in];
      bone += share * (flesh.bone_stiffness[in] + core[in]);
    }
    result.centre.push_back(probes[samples * t]);
    if (!(fill > 0)) continue;
    result.fill[t] = fill / samples;
    result.young[t] = young / fill;
    result.density[t] = flesh.material.density * result.fill[t];
    result.bone_stiffness[t] = bone / samples;
  }
  return result;
}

// Of each function, what the skeleton does with it; where a bone moves it, which.
struct Drive {
  std::vector<FunctionRole> role;
  std::vector<int> bone;
};

Drive skeleton_drive(const SimulationSurface& surface, const ControlLattice& lattice, const SubdividedLattice& subdivided,
                     std::size_t functions) {
  Drive drive{std::vector<FunctionRole>(functions, FunctionRole::free), std::vector<int>(functions, -1)};
  const auto coarse = static_cast<std::size_t>(subdivided.vertices[0]);
  for (std::size_t b = 0; b < lattice.bones.size(); ++b) {
    const auto bone = std::find_if(surface.bones.begin(), surface.bones.end(),
                                   [&](const Bone& candidate) { return candidate.name == lattice.bones[b].name; });
    if (bone == surface.bones.end())
      throw input_error("bone '" + lattice.bones[b].name +
                        "' of the lattice: the character has no bone of that name; `sinew info --json` lists them.");
    bool head = true;
    for (int vertex : subdivided.bones[b]) {
      const auto f = static_cast<std::size_t>(vertex);
      if (f >= functions) continue;
      if (f >= coarse) {
        drive.role[f] = FunctionRole::zero;
        continue;
      }
      // Where bones meet, the joint belongs to the one that begins there.
      if (drive.role[f] == FunctionRole::free || head) drive.bone[f] = static_cast<int>(bone - surface.bones.begin());
      drive.role[f] = FunctionRole::driven;
      head = false;
    }
  }
  return drive;
}

// Mean gradients and volume of the flesh per cell, for measures.
void measure_cells(const StrainSamples& samples, std::span<const int> sample_cell, LatticeDescription& description) {
  const CellMatrices& cells = description.cells;
  description.cell_volume.assign(cells.cells(), 0.0);
  description.cell_gradient.assign(cells.function.size(), Vec3{});
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const auto c = static_cast<std::size_t>(sample_cell[s]);
    description.cell_volume[c] += samples.volume[s];
    for (auto k = static_cast<std::size_t>(samples.start[s]); k < static_cast<std::size_t>(samples.start[s + 1]); ++k) {
      const auto first = cells.function.begin() + cells.start[c], last = cells.function.begin() + cells.start[c + 1];
      const auto at = std::lower_bound(first, last, samples.vertex[k]) - cells.function.begin();
      description.cell_gradient[static_cast<std::size_t>(at)] += samples.volume[s] * samples.gradient[k];
    }
  }
  for (std::size_t c = 0; c < cells.cells(); ++c)
    for (auto e = static_cast<std::size_t>(cells.start[c]); e < static_cast<std::size_t>(cells.start[c + 1]); ++e)
      if (description.cell_volume[c] > 0) description.cell_gradient[e] = description.cell_gradient[e] / description.cell_volume[c];
}

SparseRows values_at(const LatticeTetrahedra& tetrahedra, const SparseRows& basis, const Embedding& embedding) {
  SparseRows corners;  // points x vertices
  corners.columns = static_cast<int>(tetrahedra.mesh.positions.size());
  for (const EmbeddedPoint& point : embedding.points) {
    const Tetrahedron& t = tetrahedra.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    std::array<std::pair<int, double>, 4> entry;
    for (std::size_t k = 0; k < 4; ++k) entry[k] = {t[k], point.weights[k]};
    std::sort(entry.begin(), entry.end());
    for (const auto& [vertex, weight] : entry) {
      corners.column.push_back(vertex);
      corners.value.push_back(weight);
    }
    corners.start.push_back(static_cast<int>(corners.column.size()));
  }
  return product(corners, basis);
}

}  // namespace

std::shared_ptr<const LatticeBody> prepare_lattice(const FleshScene& scene, const ControlLattice& lattice,
                                                   const FleshSettings& settings, const Progress& progress) {
  const FleshDescription& flesh = scene.body->description;
  // Functions count as linear on the tetrahedra, so these are one level finer than the functions.
  const SubdividedLattice subdivided = subdivide(lattice, settings.lattice.basis, settings.lattice.levels);
  const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(subdivided);
  const SparseRows values = hierarchical_basis(subdivided, settings.lattice.levels);
  const auto functions = static_cast<std::size_t>(values.columns);
  report_or_stop(progress, integrating, 0.2);
  const TetrahedronBasis basis = functions_on_tetrahedra(tetrahedra.mesh, values);
  const FleshInTetrahedra in = sample_flesh(scene, tetrahedra.mesh);
  report_or_stop(progress, integrating, 0.4);

  // Frames: one per cell of the coarsest lattice.
  const auto cells = lattice.cells();
  std::vector<int> tetrahedron_cell;
  for (int h : tetrahedra.hexahedron) tetrahedron_cell.push_back(subdivided.cell[static_cast<std::size_t>(h)]);
  const ElementFields fields{flesh.material, in.young, in.fill};
  std::vector<int> sample_tetrahedron;
  StrainSamples samples = basis_strain_samples(tetrahedra.mesh, basis, fields, sample_tetrahedron);
  std::vector<int> sample_cell;
  for (int t : sample_tetrahedron) sample_cell.push_back(tetrahedron_cell[static_cast<std::size_t>(t)]);

  LatticeDescription description;
  description.coarse_functions = subdivided.vertices[0];
  description.rest.assign(functions, Vec3{});
  std::copy(lattice.positions.begin(), lattice.positions.end(), description.rest.begin());
  description.place.assign(subdivided.positions.begin(), subdivided.positions.begin() + static_cast<std::ptrdiff_t>(functions));
  const Drive drive = skeleton_drive(scene.surface, lattice, subdivided, functions);
  description.role = drive.role;
  BoneWeights weights(scene.surface.bones.size());
  const std::vector<Probe> at_functions = probe(flesh.mesh, description.place);
  for (std::size_t f = 0; f < functions; ++f) {
    Influences influences = influences_at(flesh, at_functions[f], weights);
    if (drive.bone[f] >= 0) {
      influences = {};
      influences.count = 1;
      influences.joint[0] = drive.bone[f];
      influences.weight[0] = 1;
    }
    description.influences.push_back(influences);
  }

  std::vector<int> group = sample_cell;
  samples = share_strain(samples, group, 0);
  std::vector<int> all_sample_cell = sample_cell;
  {
    std::vector<int> present = sample_cell;
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    all_sample_cell.insert(all_sample_cell.end(), present.begin(), present.end());
  }
  description.cells = cell_matrices(samples, all_sample_cell, static_cast<int>(cells), tetrahedra.mesh, basis, tetrahedron_cell,
                                    in.density, in.bone_stiffness);
  StrainSamples single = samples;
  single.volume.resize(sample_cell.size());
  single.start.resize(sample_cell.size() + 1);
  measure_cells(single, sample_cell, description);
  report_or_stop(progress, integrating, 0.6);

  description.weight = basis_weights(tetrahedra.mesh, basis, in.density, static_cast<int>(functions));
  std::vector<std::vector<std::size_t>> of_cell(cells);
  for (std::size_t t = 0; t < tetrahedra.mesh.tetrahedra.size(); ++t)
    of_cell[static_cast<std::size_t>(tetrahedron_cell[t])].push_back(t);
  for (std::size_t c = 0; c < cells; ++c) {
    Vec3 centre;
    double total = 0;
    const bool empty = std::all_of(of_cell[c].begin(), of_cell[c].end(), [&](std::size_t t) { return !(in.fill[t] > 0); });
    for (std::size_t t : of_cell[c]) {
      const Tetrahedron& corner = tetrahedra.mesh.tetrahedra[t];
      const auto x = [&](std::size_t k) -> const Vec3& { return tetrahedra.mesh.positions[static_cast<std::size_t>(corner[k])]; };
      const double share = volume(x(0), x(1), x(2), x(3)) * (empty ? 1 : in.fill[t]);
      if (!(share > 0)) continue;
      centre += share * 0.25 * (x(0) + x(1) + x(2) + x(3));
      total += share;
      const Tetrahedron& flesh_corner = flesh.mesh.tetrahedra[static_cast<std::size_t>(in.centre[t].point.tetrahedron)];
      for (std::size_t k = 0; k < 4; ++k)
        weights.add(flesh.influences[static_cast<std::size_t>(flesh_corner[k])],
                    share * std::max(0.0, in.centre[t].point.weights[k]));
    }
    description.cell_centre.push_back(centre / total);
    description.cell_influences.push_back(weights.take());
  }

  const Embedding embedding = embed_points(tetrahedra.mesh, scene.surface.rest.positions);
  description.surface = values_at(tetrahedra, values, embedding);
  description.surface_rest = scene.surface.rest.positions;
  description.surface_influences = scene.surface.influences;
  for (const EmbeddedPoint& point : flesh.embedding.points) {
    double limit = 0;
    const Tetrahedron& corner = flesh.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    for (std::size_t k = 0; k < 4; ++k) limit += point.weights[k] * flesh.limit[static_cast<std::size_t>(corner[k])];
    description.surface_limit.push_back(std::max(0.0, limit));
  }
  description.mass_damping = flesh.mass_damping;
  description.stiffness_damping = flesh.stiffness_damping;

  if (!settings.young) {
    const std::vector<double> share(description.surface_rest.size(), 1.0);
    scale_stiffness(description, sag_under_gravity(description, share) / scene.material.sag);
  }
  return cook_lattice(std::move(description),
                      settings.reference == Reference::rig ? LatticeReference::rig : LatticeReference::elastic,
                      scene.body->dynamics, part_of(progress, 0.7, 1.0));
}

}  // namespace sinew
