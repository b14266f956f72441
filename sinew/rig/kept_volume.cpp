#include "sinew/rig/kept_volume.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/index.h"
#include "sinew/mesh/surface/closed_surface.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/topology.h"
#include "sinew/rig/bone_distance.h"

namespace sinew {
namespace {

// Enclosed volume relative to the area to the power of 3/2 (a ball: 0.094); what has less is a sheet.
constexpr double sheet = 0.005;
constexpr double least_part = 1e-5;  // of the whole volume: smaller parts are left alone
constexpr double bends = 0.01;       // share of a piece's skin that others than its main bone must carry

// Per triangle, its connected piece, numbered in the order of their first triangles.
std::vector<int> pieces_of(const std::vector<Triangle>& triangles, std::size_t vertices) {
  DisjointSets sets(vertices);
  for (const Triangle& t : triangles) sets.unite(t[0], t[1]), sets.unite(t[1], t[2]);
  std::vector<int> number(vertices, -1), piece;
  int count = 0;
  for (const Triangle& t : triangles) {
    int& n = number[index(sets.find(t[0]))];
    if (n < 0) n = count++;
    piece.push_back(n);
  }
  return piece;
}

// Stops of a closed walk along edges, in chains as far as they hang together, and back to `home` between them.
std::vector<int> walk_along(std::vector<std::array<int, 2>> edges, int home) {
  std::vector<int> stops;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (stops.empty() || stops.back() != edges[k][0]) {
      if (!stops.empty()) stops.push_back(home);
      stops.push_back(edges[k][0]);
    }
    stops.push_back(edges[k][1]);
    for (std::size_t next = k + 1; next < edges.size(); ++next)
      if (edges[next][0] == edges[k][1]) {
        std::swap(edges[k + 1], edges[next]);
        break;
      }
  }
  if (stops.size() > 1 && stops.front() == stops.back())
    stops.pop_back();
  else
    stops.push_back(home);
  return stops;
}

struct PieceMeasure {
  double six_volumes = 0, area = 0;
  std::map<int, double> by_bone;  // area
};

// Enclosed volumes near nothing for the area.
bool is_sheet(double volume, double area) { return !(std::abs(volume) > sheet * std::pow(area, 1.5)); }

// Assembles the constraints of a surface.
class Assembly {
 public:
  explicit Assembly(const SimulationSurface& surface)
      : surface_(surface), x_(surface.rest.positions), of_bone_(surface.bones.size(), -1) {
    kept_.positions = x_;
    kept_.influences = surface.influences;
    kept_.packed = packed_influences(surface.influences);
    kept_.triangles = closed_off(surface.rest);
    area_ = vertex_areas(surface.rest);
    find_pieces();
    if (kept_.constraints.empty()) return;
    find_rings();
    find_spine();
    find_parts();
    find_shares();
    find_give();
    find_rest();
  }

  std::shared_ptr<const KeptVolume> result() {
    return kept_.constraints.empty() ? nullptr : std::make_shared<const KeptVolume>(std::move(kept_));
  }

 private:
  template <class Visit>
  void each_influence(std::size_t vertex, const Visit& visit) const {
    const Influences& on = surface_.influences[vertex];
    for (std::size_t k = 0; k < index(on.count); ++k) visit(index(on.joint[k]), on.weight[k]);
  }

  std::vector<PieceMeasure> measure_pieces(const std::vector<int>& piece) const {
    std::vector<PieceMeasure> pieces;
    for (std::size_t t = 0; t < kept_.triangles.size(); ++t) {
      if (index(piece[t]) >= pieces.size()) pieces.resize(index(piece[t]) + 1);
      PieceMeasure& to = pieces[index(piece[t])];
      const Triangle& c = kept_.triangles[t];
      const Vec3 a = x_[index(c[0])] - x_[0], b = x_[index(c[1])] - x_[0], d = x_[index(c[2])] - x_[0];
      const double area = norm(cross(b - a, d - a)) / 2;
      to.six_volumes += dot(a, cross(b, d));
      to.area += area;
      for (const int v : c)
        each_influence(index(v), [&](std::size_t bone, double weight) {
          to.by_bone[static_cast<int>(bone)] += weight * area / 3;
        });
    }
    return pieces;
  }

  // A piece of one bone keeps its volume by itself.
  void find_pieces() {
    const std::vector<int> piece = pieces_of(kept_.triangles, x_.size());
    std::vector<int> constraint;
    for (const PieceMeasure& m : measure_pieces(piece)) {
      int main = -1;
      double most = 0, sum = 0;
      for (const auto& [bone, area] : m.by_bone) {
        sum += area;
        if (area > most) main = bone, most = area;
      }
      const bool kept = main >= 0 && !is_sheet(m.six_volumes / 6, m.area) && most < (1 - bends) * sum;
      constraint.push_back(kept ? static_cast<int>(kept_.constraints.size()) : -1);
      if (!kept) continue;
      VolumeConstraint whole{true, main};
      for (const auto& [bone, area] : m.by_bone) whole.size_by.emplace_back(bone, area / sum);
      kept_.constraints.push_back(std::move(whole));
      whole_ += std::abs(m.six_volumes / 6);
    }
    piece_of_vertex_.assign(x_.size(), -1);
    for (std::size_t t = 0; t < kept_.triangles.size(); ++t) {
      kept_.piece.push_back(constraint[index(piece[t])]);
      for (const int v : kept_.triangles[t]) piece_of_vertex_[index(v)] = kept_.piece.back();
    }
  }

  void find_rings() {
    std::vector<std::vector<std::array<int, 2>>> edges(x_.size());
    for (const Triangle& t : kept_.triangles)
      for (std::size_t k = 0; k < 3; ++k) edges[index(t[k])].push_back({t[(k + 1) % 3], t[(k + 2) % 3]});
    VolumeGroups& groups = kept_.groups;
    constexpr std::size_t group = VolumeGroups::group;
    for (std::size_t begin = 0; begin < x_.size(); begin += group) {
      std::array<std::vector<int>, group> walk;
      std::size_t most = 0;
      for (std::size_t lane = 0; lane < group; ++lane) {
        const std::size_t v = std::min(begin + lane, x_.size() - 1);  // beyond the last vertex they stay there
        walk[lane] = walk_along(begin + lane == v ? std::move(edges[v]) : std::vector<std::array<int, 2>>{},
                                static_cast<int>(v));
        most = std::max(most, walk[lane].size());
      }
      for (std::size_t k = 0; k < most + most % 2; ++k)
        for (const std::vector<int>& stops : walk) groups.ring.push_back(3 * stops[std::min(k, stops.size() - 1)]);
      groups.ring_start.push_back(static_cast<int>(groups.ring.size() / group));
    }
  }

  void find_spine() {
    kept_.spine = x_;
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (surface_.influences[v].count == 0) continue;
      Vec3 sum;
      each_influence(
          v, [&](std::size_t bone, double weight) { sum += weight * nearest_point(surface_.bones[bone], x_[v]); });
      kept_.spine[v] = sum;
    }
  }

  void find_parts() {
    std::vector<double> volume(surface_.bones.size(), 0.0), area(volume);
    const std::vector<Vec3> vectors = vertex_area_vectors(x_, kept_.triangles);
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (piece_of_vertex_[v] < 0) continue;
      each_influence(v, [&](std::size_t bone, double weight) {
        volume[bone] += weight * dot(x_[v] - kept_.spine[v], vectors[v]) / 6;
        area[bone] += weight * area_[v];
      });
    }
    for (std::size_t b = 0; b < volume.size(); ++b) {
      if (is_sheet(volume[b], area[b]) || std::abs(volume[b]) < least_part * whole_) continue;
      of_bone_[b] = static_cast<int>(kept_.constraints.size());
      const int bone = static_cast<int>(b);
      kept_.constraints.push_back({false, bone, 0, {{bone, 1.0}}});
    }
  }

  void find_shares() {
    VolumeGroups& groups = kept_.groups;
    constexpr std::size_t group = VolumeGroups::group;
    for (std::size_t begin = 0; begin < x_.size(); begin += group) {
      std::map<int, std::array<double, group>> shares;  // ascending
      for (std::size_t lane = 0; lane < group && begin + lane < x_.size(); ++lane) {
        const std::size_t v = begin + lane;
        if (piece_of_vertex_[v] < 0) continue;
        shares[piece_of_vertex_[v]][lane] = 1;
        each_influence(v, [&](std::size_t bone, double weight) {
          if (of_bone_[bone] >= 0) shares[of_bone_[bone]][lane] = weight;
        });
      }
      for (const auto& [constraint, of_lanes] : shares) {
        groups.constraint.push_back(constraint);
        groups.share.insert(groups.share.end(), of_lanes.begin(), of_lanes.end());
      }
      groups.start.push_back(static_cast<int>(groups.constraint.size()));
    }
  }

  // Skin at the mean depth of its parts' flesh, and beyond, gives way fully; skin on the bone not at all. Paint takes
  // the place of both.
  void find_give() {
    std::vector<double> mean(surface_.bones.size(), 0.0), weight(mean);
    kept_.reach.assign(x_.size(), 0.0);
    for (std::size_t v = 0; v < x_.size(); ++v) {
      kept_.reach[v] = distance_to_bones(surface_, surface_.influences[v], x_[v]);
      each_influence(v, [&](std::size_t bone, double w) {
        mean[bone] += w * area_[v] * kept_.reach[v];
        weight[bone] += w * area_[v];
      });
    }
    kept_.give.assign(x_.size(), 0.0);
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (piece_of_vertex_[v] < 0 || surface_.influences[v].count == 0 || !(area_[v] > 0)) continue;
      double usual = 0;
      each_influence(v, [&](std::size_t bone, double w) {
        if (weight[bone] > 0) usual += w * mean[bone] / weight[bone];
      });
      const double depth = usual > 0 ? std::min(1.0, kept_.reach[v] / usual) : 0;
      kept_.give[v] = painted_or(v, depth * depth * (3 - 2 * depth)) / area_[v];
    }
    for (const auto& [from, to] :
         {std::pair(&kept_.give, &kept_.groups.give), std::pair(&kept_.reach, &kept_.groups.reach)}) {
      *to = *from;
      to->resize(VolumeGroups::group * kept_.groups.groups());
    }
  }

  double painted_or(std::size_t v, double found) const {
    const std::vector<double>& painted = surface_.fields[field("give")];
    return painted.empty() || painted[v] < 0 ? found : std::min(1.0, painted[v]);
  }

  // Volumes at rest come from the sums of a pose, so that rest is rest to the bit.
  void find_rest() {
    const std::vector<double> volumes = constrained_volumes(kept_, std::vector<Affine>(surface_.bones.size()), x_);
    for (std::size_t c = 0; c < volumes.size(); ++c) kept_.constraints[c].rest = volumes[c];
  }

  const SimulationSurface& surface_;
  const std::vector<Vec3>& x_;
  KeptVolume kept_;
  std::vector<double> area_;          // per vertex
  std::vector<int> piece_of_vertex_;  // constraint, or -1
  std::vector<int> of_bone_;          // per bone: its part's constraint, or -1
  double whole_ = 0;                  // of all pieces, cubic metres
};

}  // namespace

std::shared_ptr<const KeptVolume> kept_volume(const SimulationSurface& surface) { return Assembly(surface).result(); }

}  // namespace sinew
