#include "sinew/bake/mixed_proof/reference.h"

#include <algorithm>
#include <optional>

#include "sinew/bake/mixed_proof/free_rotations.h"
#include "sinew/bake/mixed_proof/measures.h"
#include "sinew/bake/volume_measures.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"

namespace sinew {
namespace {

struct Pair {
  std::vector<Vec3> mixed;
  FreeEquilibrium free;
};

// Nothing where one of the two is not found.
std::optional<Pair> solve_both(PosedBody& body, const std::vector<Affine>& pose, ReferenceRow& row) {
  Pair pair;
  try {
    Stopwatch watch;
    body.pose(pose, pair.mixed);
    row.milliseconds = watch.lap() * 1e3;
    pair.free = free_equilibrium(*body.body(), body.load(), pair.mixed);
    row.reference_milliseconds = watch.seconds() * 1e3;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::simulation) throw;
    return {};
  }
  return pair;
}

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, distance(a[v], b[v]));
  return most;
}

}  // namespace

std::vector<ReferenceRow> compare_with_free_rotations(const std::string& name, const TetrahedralMesh& mesh,
                                                      const std::vector<Bone>& bones, const std::vector<Affine>& pose,
                                                      const Material& material, double length,
                                                      const std::vector<double>& reaches, const Progress& progress) {
  std::vector<ReferenceRow> rows;
  for (const MixedMaterial kind : mixed_materials) {
    std::vector<std::optional<Pair>> pairs;
    const FreeEquilibrium* least = nullptr;
    const std::size_t first = rows.size();
    for (const double reach : reaches) {
      report_or_stop(progress, "freeing rotations: " + name,
                     static_cast<double>(rows.size()) / static_cast<double>(mixed_materials.size() * reaches.size()));
      PosedBody body(mesh, bones, material, {kind, reach});
      rows.emplace_back();
      rows.back().pose = name;
      rows.back().material = kind;
      rows.back().reach = reach;
      pairs.push_back(solve_both(body, pose, rows.back()));
      if (!pairs.back()) continue;
      rows.back().energy = elastic_energy(*body.body(), pairs.back()->mixed);
    }
    for (const auto& pair : pairs)
      if (pair && (!least || pair->free.energy < least->energy)) least = &pair->free;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (!pairs[k]) continue;
      ReferenceRow& row = rows[first + k];
      row.solved = true;
      row.reference_energy = least->energy;
      row.reference_iterations = pairs[k]->free.iterations;
      row.rms = rms_distance(pairs[k]->mixed, least->positions) / length;
      row.max = largest_distance(pairs[k]->mixed, least->positions) / length;
      row.volume = measure_volumes(mesh, pairs[k]->mixed).ratio;
      row.reference_volume = measure_volumes(mesh, least->positions).ratio;
    }
  }
  return rows;
}

std::vector<ReferenceRow> reference_experiment(const Bar& bar, const Material& material, const Progress& progress) {
  struct Turn {
    const char* name;
    Vec3 axis;
    double degrees;
  };
  std::vector<ReferenceRow> rows;
  const Turn poses[] = {{"bar bent by 60 degrees", {0, 0, 1}, 60},
                        {"bar bent by 90 degrees", {0, 0, 1}, 90},
                        {"bar bent by 120 degrees", {0, 0, 1}, 120},
                        {"bar twisted by 120 degrees", {1, 0, 0}, 120}};
  double done = 0;
  for (const Turn& pose : poses) {
    const auto more = compare_with_free_rotations(pose.name, bar.lattice.mesh, bar.bones,
                                                  turned(bar, pose.axis, pose.degrees), material, bar.width, {0, 1},
                                                  part_of(progress, done / 4, (done + 1) / 4));
    rows.insert(rows.end(), more.begin(), more.end());
    ++done;
  }
  return rows;
}

}  // namespace sinew
