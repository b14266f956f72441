#include "sinew/mesh/lattice_building/coarsen_improve.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/mesh/lattice_building/coarsen_star.h"

namespace sinew {
namespace {

constexpr double first_step = 0.2, least_step = 0.01;  // of the wanted edge length
constexpr int smoothings_per_round = 4;

// Directions in which a vertex is tried: towards the middle of its neighbours, and along the axes of a frame; only
// along its chain if it is on one.
std::vector<Vec3> directions(const TetrahedralComplex& complex, int vertex, bool boundary, double step) {
  const Vec3 p = complex.positions[index(vertex)];
  std::vector<Vec3> result;
  if (complex.on_chain(vertex)) {
    const std::vector<int>& chain = complex.chains[index(complex.chains_of[index(vertex)][0])];
    const auto at = std::find(chain.begin(), chain.end(), vertex);
    for (int w : {*(at - 1), *(at + 1)}) {
      const Vec3 along = complex.positions[index(w)] - p;
      result.push_back(std::min(step, 0.5 * norm(along)) * normalized(along));
    }
    return result;
  }
  Vec3 normal{0, 0, 1}, middle;
  std::vector<int> around;
  if (boundary) {
    Vec3 sum;
    for (const auto& t : boundary_triangles(complex, vertex)) {
      const Vec3 &x = complex.positions[index(t[1])], &y = complex.positions[index(t[2])];
      sum += cross(x - p, y - p);
      around.push_back(t[1]);
    }
    normal = normalized(sum);
  } else {
    around = neighbours(complex, vertex);
  }
  for (int w : around) middle += complex.positions[index(w)] / static_cast<double>(around.size());
  if (!(squared_norm(normal) > 0)) normal = {0, 0, 1};
  const Vec3 least = std::abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 u = normalized(cross(normal, least)), v = cross(normal, u);
  result.push_back(0.5 * (middle - p));
  for (const Vec3& axis : {normal, u, v}) {
    result.push_back(-step * axis);
    result.push_back(step * axis);
  }
  if (boundary)  // tangentially and inwards at once
    for (const Vec3& axis : {u, v, -u, -v}) result.push_back(0.7 * step * (axis - normal));
  return result;
}

bool is_movable(const TetrahedralComplex& complex, int vertex) {
  if (complex.star[index(vertex)].empty()) return false;
  const std::vector<int>& chains = complex.chains_of[index(vertex)];
  if (chains.empty()) return true;
  const std::vector<int>& chain = complex.chains[index(chains[0])];
  return chains.size() == 1 && chain.front() != vertex && chain.back() != vertex;
}

struct Trial {
  double energy;  // coarse
  Vec3 position;
};

bool move_to(TetrahedralComplex& complex, int vertex, const Vec3& position) {
  const Replacement moved = moved_vertex(complex, vertex, position);
  std::vector<int> points, home;
  if (!(smallest_mean_ratio(moved) > 0) || !distribute_points(complex, moved, points, home)) return false;
  replace(complex, moved, points, home);
  return true;
}

}  // namespace

int smooth(TetrahedralComplex& complex, std::span<const double> size, double snugness, std::vector<double>& step) {
  int moves = 0, failed = -1;
  TrialStar star(complex);
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < complex.positions.size(); ++i) {
    const int v = static_cast<int>(i);
    const double h = size[index(complex.like[i])];
    if (!is_movable(complex, v) || step[i] < least_step * h) continue;
    const bool boundary = on_boundary(complex, v);
    const double volume_weight = boundary ? snugness * 8.5 / (h * h * h) : 0;
    const Vec3 p = complex.positions[i];
    star.around_vertex(v);
    const double enough = star.energy(p, volume_weight, HUGE_VAL) * (1 - 1e-4);
    trials.clear();
    for (const Vec3& d : directions(complex, v, boundary, step[i])) {
      const double energy = star.energy(p + d, volume_weight, enough);
      if (energy < enough) trials.push_back({coarse(energy), p + d});
    }
    std::stable_sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) { return a.energy < b.energy; });
    const auto covering = std::find_if(trials.begin(), trials.end(),
                                       [&](const Trial& trial) { return star.covers(trial.position, failed); });
    const bool moved = covering != trials.end() && move_to(complex, v, covering->position);
    moves += moved;
    step[i] *= moved ? 1.2 : 0.5;
  }
  return moves;
}

void improve(TetrahedralComplex& complex, std::span<const double> size, const ImproveOptions& options,
             const Progress& progress) {
  for (int round = 0; round < options.rounds; ++round) {
    report_or_stop(progress, "smoothing the lattice", double(round) / options.rounds);
    flip_edges_and_faces(complex);
    std::vector<double> step(complex.positions.size());
    for (std::size_t v = 0; v < step.size(); ++v) step[v] = first_step * size[index(complex.like[v])];
    for (int k = 0; k < smoothings_per_round; ++k) smooth(complex, size, options.snugness, step);
  }
}

}  // namespace sinew
