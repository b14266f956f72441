#include "studies/capell/limb_lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/winding_number.h"

namespace sinew {
namespace {

constexpr double core_share = 0.25;      // relative to the limb's radius
constexpr double core_stiffening = 1e3;  // of material in the core

struct Slice {
  Vec3 centre, along, across, up;  // unit
  double radius = 0;
  bool in_core = false;
};

std::vector<Slice> slices(const LimbMesh& limb) {
  const std::vector<Vec3>& p = limb.mesh.positions;
  std::size_t each = 0;
  while (each < p.size() && std::abs(p[each].x - p[0].x) < 1e-9) ++each;
  if (each < 4 || p.size() % each != 0 || p.size() / each < 3)
    throw input_error(limb.name + ": its vertices are not in slices across its axis; give another limb.");
  std::vector<char> core(p.size(), 0);
  for (const int v : limb.core) core[static_cast<std::size_t>(v)] = 1;
  std::vector<Slice> result(p.size() / each);
  for (std::size_t s = 0; s < result.size(); ++s) {
    Slice& slice = result[s];
    slice.centre = p[s * each];
    const std::size_t before = s == 0 ? s : s - 1, after = std::min(s + 1, result.size() - 1);
    slice.along = normalized(p[after * each] - p[before * each]);
    slice.up = {0, 0, 1};
    slice.across = cross(slice.up, slice.along);
    for (std::size_t k = 1; k < each; ++k)
      slice.radius = std::max(slice.radius, distance(p[s * each + k], slice.centre));
    slice.in_core = core[s * each] != 0;
  }
  return result;
}

// Every n-th slice, always including the ends and the core's end.
std::vector<std::size_t> chosen(const std::vector<Slice>& all, int every) {
  const auto end = static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [](const Slice& s) { return !s.in_core; }) - all.begin() - 1);
  std::vector<std::size_t> result;
  const auto divide = [&](std::size_t first, std::size_t last) {
    const auto parts = std::max<std::size_t>(1, (last - first) / static_cast<std::size_t>(every));
    for (std::size_t k = 0; k < parts; ++k) result.push_back(first + (last - first) * k / parts);
  };
  divide(0, end);
  divide(end, all.size() - 1);
  result.push_back(all.size() - 1);
  return result;
}

bool in_core(const std::vector<Slice>& all, const Vec3& p) {
  const auto nearest = std::min_element(all.begin(), all.end(), [&](const Slice& a, const Slice& b) {
    return distance(a.centre, p) < distance(b.centre, p);
  });
  const Vec3 d = p - nearest->centre;
  if (!nearest->in_core || norm(d - dot(d, nearest->along) * nearest->along) > core_share * nearest->radius)
    return false;
  return (nearest + 1)->in_core || dot(d, nearest->along) < 0;
}

}  // namespace

LimbLattice limb_lattice(const LimbMesh& limb, const LimbLatticeShape& shape) {
  const std::vector<Slice> all = slices(limb);
  const std::vector<std::size_t> at = chosen(all, shape.every);
  const int sectors = shape.sectors, circles = shape.core_cells ? 1 + shape.layers : 1;
  const int each = 1 + circles * sectors;
  LimbLattice result;
  ControlLattice& lattice = result.lattice;
  const auto vertex = [&](int slice, int circle, int sector) {
    return slice * each + (circle < 0 ? 0 : 1 + circle * sectors + sector % sectors);
  };
  // A polygon that encloses the limb, also between two slices.
  constexpr double margin = 1.01, beyond_ends = 0.001;
  for (std::size_t s = 0; s < at.size(); ++s) {
    const Slice& slice = all[at[s]];
    double outer = 0;
    for (std::size_t k = s == 0 ? 0 : at[s - 1]; k <= at[std::min(s + 1, at.size() - 1)]; ++k) {
      const bool next_to = k + 1 >= at[s] && k <= at[s] + 1;
      outer = std::max(outer, all[k].radius * (next_to ? 1 : 0.98));
    }
    outer *= margin / std::cos(std::numbers::pi / sectors);
    Vec3 centre = slice.centre;
    if (s == 0) centre -= beyond_ends * slice.along;
    if (s + 1 == at.size()) centre += beyond_ends * slice.along;
    lattice.positions.push_back(centre);
    for (int c = 0; c < circles; ++c)
      for (int k = 0; k < sectors; ++k) {
        const double angle = 2 * std::numbers::pi * k / sectors, core = core_share * slice.radius;
        const double radius = shape.core_cells ? core + (outer - core) * c / shape.layers : outer;
        lattice.positions.push_back(centre + radius * (std::cos(angle) * slice.across + std::sin(angle) * slice.up));
      }
  }
  const auto slices_of_core =
      static_cast<int>(std::count_if(at.begin(), at.end(), [&](std::size_t s) { return all[s].in_core; }));
  for (int s = 0; s + 1 < static_cast<int>(at.size()); ++s)
    for (int k = 0; k < sectors; ++k) {
      add_prism(lattice, {vertex(s, -1, 0), vertex(s, 0, k + 1), vertex(s, 0, k), vertex(s + 1, -1, 0),
                          vertex(s + 1, 0, k + 1), vertex(s + 1, 0, k)});
      result.core_cell.push_back(shape.core_cells && s + 1 < slices_of_core);
      for (int c = 0; c + 1 < circles; ++c) {
        add_hexahedron(lattice, {vertex(s, c, k), vertex(s, c + 1, k), vertex(s, c + 1, k + 1), vertex(s, c, k + 1),
                                 vertex(s + 1, c, k), vertex(s + 1, c + 1, k), vertex(s + 1, c + 1, k + 1),
                                 vertex(s + 1, c, k + 1)});
        result.core_cell.push_back(0);
      }
    }
  for (int chain = 0; chain < (shape.core_cells ? 1 + sectors : 1); ++chain) {
    LatticeBone& bone = lattice.bones.emplace_back();
    bone.name = "core " + std::to_string(chain);
    for (int s = 0; s < slices_of_core; ++s)
      bone.vertices.push_back(chain == 0 ? vertex(s, -1, 0) : vertex(s, 0, chain - 1));
  }
  return result;
}

LatticeFields limb_fields(const LimbMesh& limb, const LimbLattice& lattice, const LatticeGrid& grid,
                          const Material& material) {
  const TriangleMesh surface{limb.mesh.positions, boundary_surface(limb.mesh).triangles};
  const BoundingVolumeHierarchy tree(surface);
  const WindingNumber winding(tree);
  const std::vector<Slice> all = slices(limb);
  const TetrahedralMesh& mesh = grid.tetrahedra.mesh;
  const std::size_t count = mesh.tetrahedra.size();
  LatticeFields fields;
  fields.fill.assign(count, 0.0);
  fields.young.assign(count, 0.0);
  fields.density.assign(count, 0.0);
  fields.bone_stiffness.assign(count, 0.0);
  Influences core;
  core.count = 1;
  core.weight[0] = 1;
  fields.influences.assign(count, core);
  const bool has_core_cells =
      std::find(lattice.core_cell.begin(), lattice.core_cell.end(), 1) != lattice.core_cell.end();
  constexpr std::size_t grain = 64;
  parallel_for(count, grain, [&](std::size_t t) {
    const Tetrahedron& corner = mesh.tetrahedra[t];
    // Sample points: the centres of the tetrahedron's four corner parts and of the remaining parts.
    int inside = 0, stiff = 0;
    constexpr int samples = 5;
    for (std::size_t k = 0; k < samples; ++k) {
      Vec3 p;
      for (std::size_t c = 0; c < 4; ++c)
        p += (k == 4 ? 0.25 : k == c ? 0.625 : 0.125) * mesh.positions[static_cast<std::size_t>(corner[c])];
      inside += winding(p) > 0.5;
      stiff += has_core_cells ? lattice.core_cell[static_cast<std::size_t>(grid.cell[t])] != 0 : in_core(all, p);
    }
    fields.fill[t] = static_cast<double>(inside) / samples;
    fields.young[t] = material.young * (2 * stiff > samples ? core_stiffening : 1.0);
    fields.density[t] = material.density * fields.fill[t];
  });
  return fields;
}

}  // namespace sinew
