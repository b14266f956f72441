#include "sinew/deform/lattice/solver/blended_regions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/rotation.h"

namespace sinew {

struct BlendedRegions::Region {
  std::size_t bone = 0;
  std::vector<int> function;  // of the region, ascending
  std::vector<double> share;  // per function: W(b, i), over all regions that have it summing to 1
  std::vector<double> root_share;
  std::vector<int> unknown;  // per function of the region: number, or -1
  BlockMatrix stiffness;     // S over its functions
  SparseRows mass, hold;
  std::vector<double> weight;  // int rho phi_i dV over the region's cells
  BlockCholesky factor;
};

namespace {

double weight_of(const Influences& influences, int bone) {
  for (int k = 0; k < influences.count; ++k)
    if (influences.joint[static_cast<std::size_t>(k)] == bone) return influences.weight[static_cast<std::size_t>(k)];
  return 0;
}

const std::vector<Influences>& region_weights(const LatticeDescription& d) {
  return d.regions.empty() ? d.influences : d.regions;
}

// The bones that all functions of a cell have weight for; where there are none, the one they have most of.
std::vector<int> bones_of_cell(const LatticeDescription& d, std::size_t cell) {
  std::map<int, std::pair<int, double>> seen;  // bone -> functions with it, sum of weights
  int functions = 0;
  for (int e = d.cells.start[cell]; e < d.cells.start[cell + 1]; ++e) {
    const auto f = static_cast<std::size_t>(d.cells.function[static_cast<std::size_t>(e)]);
    if (d.level[f] > 0) continue;  // the vertices of the cell decide
    ++functions;
    const Influences& weights = region_weights(d)[f];
    for (int k = 0; k < weights.count; ++k) {
      auto& [count, sum] = seen[weights.joint[static_cast<std::size_t>(k)]];
      ++count;
      sum += weights.weight[static_cast<std::size_t>(k)];
    }
  }
  std::vector<int> bones;
  int best = -1;
  double most = 0;
  for (const auto& [bone, tally] : seen) {
    if (tally.first == functions) bones.push_back(bone);
    if (tally.second > most) {
      most = tally.second;
      best = bone;
    }
  }
  if (bones.empty() && best >= 0) bones.push_back(best);
  return bones;
}

// The cells in `members` alone.
CellMatrices subset(const CellMatrices& all, std::span<const std::size_t> members) {
  CellMatrices result;
  for (std::size_t c : members) {
    const auto first = all.function.begin() + all.start[c], last = all.function.begin() + all.start[c + 1];
    result.function.insert(result.function.end(), first, last);
    result.start.push_back(static_cast<int>(result.function.size()));
    const auto begin = static_cast<std::ptrdiff_t>(all.offset[c]), end = static_cast<std::ptrdiff_t>(all.offset[c + 1]);
    result.stiffness.insert(result.stiffness.end(), all.stiffness.begin() + begin, all.stiffness.begin() + end);
    result.mass.insert(result.mass.end(), all.mass.begin() + begin, all.mass.begin() + end);
    result.hold.insert(result.hold.end(), all.hold.begin() + begin, all.hold.begin() + end);
    result.offset.push_back(result.stiffness.size());
  }
  return result;
}

}  // namespace

BlendedRegions::BlendedRegions(const LatticeBody& body, double mass_factor, double stiffness_factor) : body_(body) {
  const LatticeDescription& d = body.description;
  std::map<int, std::vector<std::size_t>> members;
  for (std::size_t c = 0; c < d.cells.cells(); ++c)
    for (int bone : bones_of_cell(d, c)) members[bone].push_back(c);
  std::vector<double> total(d.role.size(), 0.0);
  for (const auto& [bone, cells] : members) {
    Region region;
    region.bone = static_cast<std::size_t>(bone);
    const CellMatrices matrices = subset(d.cells, cells);
    region.function = matrices.function;
    std::sort(region.function.begin(), region.function.end());
    region.function.erase(std::unique(region.function.begin(), region.function.end()), region.function.end());
    std::erase_if(region.function, [&](int f) {
      const FunctionRole role = d.role[static_cast<std::size_t>(f)];
      return role == FunctionRole::zero || role == FunctionRole::absent;
    });
    std::vector<int> slot(d.role.size(), -1), unknown(d.role.size(), -1);
    int unknowns = 0;
    for (std::size_t k = 0; k < region.function.size(); ++k) {
      const auto f = static_cast<std::size_t>(region.function[k]);
      slot[f] = static_cast<int>(k);
      region.unknown.push_back(d.role[f] == FunctionRole::free ? unknowns++ : -1);
      unknown[f] = region.unknown.back();
      // A trace for those that a cell without a common bone brought in.
      constexpr double trace = 1e-3;
      region.share.push_back(weight_of(region_weights(d)[f], bone) + trace);
      total[f] += region.share.back();
    }
    const auto slots = static_cast<int>(region.function.size());
    region.stiffness = assemble_cells(matrices, slot, std::array{CellFactors{0, 1, 0}});
    region.mass = assemble_scalars(matrices, matrices.mass, slot, slots);
    region.hold = assemble_scalars(matrices, matrices.hold, slot, slots);
    // The coarsest functions sum to one, so that their columns of M sum to the weights.
    region.weight.assign(region.function.size(), 0.0);
    for (std::size_t k = 0; k < region.function.size(); ++k)
      for (int e = region.mass.start[k]; e < region.mass.start[k + 1]; ++e)
        if (d.level[static_cast<std::size_t>(
                region.function[static_cast<std::size_t>(region.mass.column[static_cast<std::size_t>(e)])])] == 0)
          region.weight[k] += region.mass.value[static_cast<std::size_t>(e)];
    if (unknowns > 0) {
      const BlockMatrix system =
          assemble_cells(matrices, unknown, std::array{CellFactors{mass_factor, stiffness_factor, stiffness_factor}});
      region.factor.analyze(system);
      region.factor.factor(system, FactorPrecision::double_precision);
    }
    regions_.push_back(std::move(region));
  }
  for (Region& region : regions_)
    for (std::size_t k = 0; k < region.share.size(); ++k) {
      region.share[k] /= total[static_cast<std::size_t>(region.function[k])];
      region.root_share.push_back(std::sqrt(region.share[k]));
    }
}

BlendedRegions::~BlendedRegions() = default;
BlendedRegions::BlendedRegions(BlendedRegions&&) noexcept = default;

void BlendedRegions::blend(std::span<const Affine> bones, const RegionLoad& load, std::vector<double> Region::*share,
                           std::span<Vec3> change) const {
  std::vector<std::vector<double>> solutions(regions_.size());
  std::vector<Mat3> rotations(regions_.size());
  parallel_for(regions_.size(), 1, [&](std::size_t r) {
    const Region& region = regions_[r];
    rotations[r] = to_matrix(closest_rotation(bones[region.bone].linear, Quat{}));
    std::vector<Vec3> residual(region.function.size());
    load(region, rotations[r], residual);
    std::vector<double>& solution = solutions[r];
    solution.assign(3 * static_cast<std::size_t>(region.factor.rows()), 0.0);
    for (std::size_t k = 0; k < residual.size(); ++k)
      for (std::size_t q = 0; region.unknown[k] >= 0 && q < 3; ++q)
        solution[3 * static_cast<std::size_t>(region.unknown[k]) + q] = residual[k][q];
    if (!solution.empty()) region.factor.solve(solution, solution);  // line 3
  });
  // Line 4.
  std::fill(change.begin(), change.end(), Vec3{});
  for (std::size_t r = 0; r < regions_.size(); ++r)
    for (std::size_t k = 0; k < regions_[r].function.size(); ++k) {
      const int unknown = regions_[r].unknown[k];
      if (unknown < 0) continue;
      const double* const s = solutions[r].data() + 3 * unknown;
      change[static_cast<std::size_t>(regions_[r].function[k])] +=
          (regions_[r].*share)[k] * (rotations[r] * Vec3{s[0], s[1], s[2]});
    }
}

void BlendedRegions::solve(const LatticePose& pose, std::span<const Affine> bones, const Load& load,
                           std::span<Vec3> change) const {
  const LatticeDescription& d = body_.description;
  // Lines 2 of the algorithm: everything into the frame of the bone.
  const auto balance = [&](const Region& region, const Mat3& rotation, std::span<Vec3> residual) {
    const std::size_t n = region.function.size();
    std::vector<double> displacement(3 * n), force(3 * n);
    std::vector<Vec3> inertia(n), held(n), product(n);
    const Vec3 origin = bones[region.bone] * Vec3{};
    for (std::size_t k = 0; k < n; ++k) {
      const auto f = static_cast<std::size_t>(region.function[k]);
      const Vec3 x = load.position[f] + load.rate[f];
      const Vec3 local = f < static_cast<std::size_t>(d.coarse_functions)
                             ? transpose_times(rotation, x - origin) - d.rest[f]
                             : transpose_times(rotation, x);
      for (std::size_t q = 0; q < 3; ++q) displacement[3 * k + q] = local[q];
      inertia[k] = transpose_times(rotation, load.inertia[f]);
      held[k] = transpose_times(rotation, x - pose.functions.goal[f]);
      residual[k] = (load.force_factor * region.weight[k]) * transpose_times(rotation, load.gravity[f]);
    }
    multiply(region.stiffness, displacement, force);
    multiply(region.mass, inertia, product);
    for (std::size_t k = 0; k < n; ++k)
      residual[k] += product[k] - load.force_factor * Vec3{force[3 * k], force[3 * k + 1], force[3 * k + 2]};
    multiply(region.hold, held, product);
    for (std::size_t k = 0; k < n; ++k) residual[k] -= load.force_factor * product[k];
  };
  blend(bones, balance, &Region::share, change);
}

void BlendedRegions::answer_inertia(std::span<const Affine> bones, std::span<const Vec3> inertia,
                                    std::span<Vec3> change) const {
  const auto impulse = [&](const Region& region, const Mat3& rotation, std::span<Vec3> residual) {
    std::vector<Vec3> local(residual.size());
    for (std::size_t k = 0; k < local.size(); ++k)
      local[k] = transpose_times(rotation, inertia[static_cast<std::size_t>(region.function[k])]);
    multiply(region.mass, local, residual);
  };
  blend(bones, impulse, &Region::share, change);
}

void BlendedRegions::answer_forces(std::span<const Affine> bones, std::span<const Vec3> force,
                                   std::span<Vec3> change) const {
  const auto share_of = [&](const Region& region, const Mat3& rotation, std::span<Vec3> residual) {
    for (std::size_t k = 0; k < residual.size(); ++k)
      residual[k] =
          region.root_share[k] * transpose_times(rotation, force[static_cast<std::size_t>(region.function[k])]);
  };
  blend(bones, share_of, &Region::root_share, change);
}

}  // namespace sinew
