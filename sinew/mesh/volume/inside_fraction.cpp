#include "sinew/mesh/volume/inside_fraction.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/clipping.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Many lines are in faces of elements, since both come from one lattice. They count within this fraction of their
// spacing, so that rounding (and the unit of the file) does not decide about them.
constexpr double tolerance = 1e-6;

// The part of the line p + t * axis, t in [from, to], within the cell extended by `slack`, metres.
bool clip_line(const ConvexCell& cell, const Vec3& p, std::size_t axis, double slack, double& from, double& to) {
  for (const HalfSpace& h : cell.faces) {
    const double rate = h.normal[axis], value = dot(h.normal, p) - h.offset, length = norm(h.normal);
    if (rate > tolerance * length)
      from = std::max(from, -value / rate);
    else if (rate < -tolerance * length)
      to = std::min(to, -value / rate);
    else if (value < -slack * length)
      return false;
  }
  return from + slack < to;
}

struct Lengths {
  double solid = 0, total = 0;
  double ends = 0;  // number of chord ends on the surface within the cell; those near its faces count partly
};

// `piece`: graph nodes that count, increasing; empty: all.
Lengths measure_along(const SolidSampling& sampling, const std::array<Vec3, 4>& corners, const ConvexCell& cell,
                      std::size_t axis, std::span<const int> piece) {
  const CubeGrid& grid = sampling.grid();
  const double h = sampling.fine();
  const Vec3 low = min(min(corners[0], corners[1]), min(corners[2], corners[3]));
  const Vec3 high = max(max(corners[0], corners[1]), max(corners[2], corners[3]));
  const std::size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
  const auto line = [&](double x, std::size_t k) { return (x - grid.origin[k]) / h; };
  const auto belongs = [&](int node) { return std::binary_search(piece.begin(), piece.end(), node); };
  Lengths lengths;
  for (int j = static_cast<int>(std::ceil(line(low[a], a) - tolerance)); j <= line(high[a], a) + tolerance; ++j)
    for (int k = static_cast<int>(std::ceil(line(low[b], b) - tolerance)); k <= line(high[b], b) + tolerance; ++k) {
      Vec3 p;
      p[a] = grid.origin[a] + h * j;
      p[b] = grid.origin[b] + h * k;
      double from = low[axis], to = high[axis];
      if (!clip_line(cell, p, axis, tolerance * h, from, to)) continue;
      lengths.total += to - from;
      for (int i = static_cast<int>(std::floor(line(from, axis))); i <= line(to, axis); ++i) {
        CubeIndex c;
        std::array<int, 3> u;
        c[axis] = i / subdivisions, u[axis] = i % subdivisions;
        c[a] = j / subdivisions, u[a] = j % subdivisions;
        c[b] = k / subdivisions, u[b] = k % subdivisions;
        const int cube = sampling.find(c);
        if (cube < 0) continue;
        const auto add = [&](double begin, double end) {
          lengths.solid += std::max(0.0, std::min(end, to) - std::max(begin, from));
        };
        const double begin = grid.origin[axis] + h * i;
        if (!sampling.is_near(cube)) {
          if (piece.empty() || belongs(sampling.deep_node(cube))) add(begin, begin + h);
          continue;
        }
        sampling.for_each_chord(cube, u, axis, [&](const Chord& chord) {
          if (!piece.empty() && !belongs(chord.first) && !belongs(chord.last)) return;
          add(chord.from, chord.to);
          const int first_triangle = sampling.triangle_node(0);
          // The weight of an end near the cell's border falls gradually, so that rounding does not decide about it.
          const auto within = [&](double end) { return std::clamp(std::min(end - from, to - end) / h, 0.0, 1.0); };
          if (chord.first >= first_triangle) lengths.ends += within(chord.from);
          if (chord.last >= first_triangle) lengths.ends += within(chord.to);
        });
      }
    }
  return lengths;
}

}  // namespace

std::vector<double> inside_fractions(const SolidSampling& sampling, const JoinedPieces& joined) {
  std::vector<double> fractions(joined.mesh.tetrahedra.size(), 1.0);
  parallel_for(fractions.size(), 64, [&](std::size_t e) {
    const std::array<Vec3, 4> corners = corners_of(joined.mesh, e);
    if (joined.full[e] && !joined.duplicated[e]) return;
    const ConvexCell cell = tetrahedron_cell(corners);
    const std::span<const int> piece = joined.duplicated[e] ? joined.nodes[e] : std::span<const int>{};
    // Lines across the surface measure exactly, lines along it arbitrarily: each direction is weighted by the number of
    // times it met the surface.
    double weighted = 0, weights = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Lengths lengths = measure_along(sampling, corners, cell, axis, piece);
      if (!(lengths.total > 0)) continue;
      const double weight = lengths.ends + 1e-3 * lengths.total / sampling.fine();
      weighted += weight * lengths.solid / lengths.total;
      weights += weight;
    }
    // The centre decides for an element without lines, and in part for one that lines barely touch.
    const double few = 1e-3;
    if (weights < few) {
      const Vec3 centre = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
      if (sampling.surface().winding_number(centre) > 0.5) weighted += few - weights;
      weights = few;
    }
    fractions[e] = std::clamp(weighted / weights, 0.0, 1.0);
  });
  return fractions;
}

}  // namespace sinew
