#include "studies/mixed/reference.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/mesh/volume_measures.h"
#include "studies/common/measures.h"
#include "studies/mixed/free_rotations.h"
#include "studies/mixed/limb_joints.h"

namespace sinew {
namespace {

struct Pair {
  std::vector<Vec3> mixed;
  FreeEquilibrium free;
};

// Empty if one of the two is not found.
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
                                                      const std::vector<Affine>& pose, double length,
                                                      const MakeBody& make_body, const Progress& progress) {
  constexpr std::array reaches{0.0, 1.0};
  std::vector<ReferenceRow> rows;
  for (const MixedMaterial material : mixed_materials) {
    std::vector<std::optional<Pair>> pairs;
    const std::size_t first = rows.size();
    for (const double reach : reaches) {
      report_or_stop(progress, "freeing rotations: " + name,
                     static_cast<double>(rows.size()) / static_cast<double>(mixed_materials.size() * reaches.size()));
      PosedBody body = make_body(material, reach);
      rows.emplace_back();
      rows.back().pose = name;
      rows.back().material = material;
      rows.back().reach = reach;
      pairs.push_back(solve_both(body, pose, rows.back()));
      if (pairs.back()) rows.back().energy = elastic_energy(*body.body(), pairs.back()->mixed);
    }
    const FreeEquilibrium* least = nullptr;
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
    bool ends_held;
  };
  constexpr std::array<Turn, 3> turns{{{"bar bent by 90 degrees", {0, 0, 1}, 90, false},
                                       {"bar bent by 120 degrees", {0, 0, 1}, 120, false},
                                       {"bar twisted by 120 degrees, ends held", {1, 0, 0}, 120, true}}};
  std::vector<ReferenceRow> rows;
  for (std::size_t k = 0; k < turns.size(); ++k) {
    const auto share = [&](std::size_t done) { return static_cast<double>(done) / static_cast<double>(turns.size()); };
    const auto more = compare_with_free_rotations(
        turns[k].name, bar.lattice.mesh, turned(bar, turns[k].axis, turns[k].degrees), bar.width,
        [&](MixedMaterial kind, double reach) {
          return PosedBody(bar.lattice.mesh, bar.bones, material, {kind, reach},
                           turns[k].ends_held ? end_pins(bar) : BonePins{});
        },
        part_of(progress, share(k), share(k + 1)));
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

std::vector<ReferenceRow> character_reference(const Character& character, const std::string& name, int tetrahedra,
                                              const Progress& progress) {
  MixedSettings settings;
  settings.tetrahedra = tetrahedra;
  settings.clusters = MixedClusters::segment;
  const CookedMixed scene = prepare_mixed(character, settings);
  std::vector<LimbTurn> turns;
  std::vector<int> joints;
  for (const auto& [limb, degrees] : {std::pair{Limb::hip, 60.0}, std::pair{Limb::elbow, 90.0}}) {
    const int bone = find_limb(scene.bones, limb);
    if (bone < 0) continue;
    turns.push_back(bend_of(scene.bones, bone, limb));
    turns.back().degrees = degrees;
    joints.push_back(scene.bones[static_cast<std::size_t>(bone)].joint);
  }
  if (turns.empty())
    throw input_error(character.file +
                      ": no bone is named like a left thigh or forearm; give a character on two legs.");
  return compare_with_free_rotations(
      name + ", hip at 60 and elbow at 90 degrees", scene.mesh,
      turned_bones(character.skeleton, scene.bones, turns, joints), scene.height,
      [&](MixedMaterial material, double reach) {
        MixedSettings chosen = settings;
        chosen.material = material;
        chosen.smooth = reach;
        return PosedBody(prepare_mixed(character, chosen));
      },
      progress);
}

}  // namespace sinew
