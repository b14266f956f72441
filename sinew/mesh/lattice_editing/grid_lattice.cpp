#include "sinew/mesh/lattice_editing/grid_lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/clipping.h"
#include "sinew/mesh/lattice_editing/lattice_edit.h"
#include "sinew/mesh/surface/winding_number.h"

namespace sinew {
namespace {

constexpr double margin_share = 1e-3;  // of a cube: what touches its side lies in both

// Cubes of one size over the bounds of a surface.
struct Grid {
  Vec3 origin;  // metres, rest space
  double size = 0;
  std::array<int, 3> count{};

  int corner(int i, int j, int k) const { return i + (count[0] + 1) * (j + (count[1] + 1) * k); }
  Vec3 centre(int i, int j, int k) const { return origin + size * Vec3{i + 0.5, j + 0.5, k + 0.5}; }
};

Grid grid_over(const Box& box, int across, const std::optional<SymmetryPlane>& plane) {
  const Vec3 extent = box.upper - box.lower;
  const double longest = std::max({extent.x, extent.y, extent.z});
  if (!(longest > 0)) throw input_error("The surface has no extent; a lattice cannot be put around it.");
  Grid grid;
  grid.size = longest * (1 + margin_share) / across;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double middle = 0.5 * (box.lower[axis] + box.upper[axis]), half = 0.5 * extent[axis];
    if (plane && plane->axis == axis) {
      half += std::abs(middle - plane->at);
      middle = plane->at;
    }
    int count = std::max(1, static_cast<int>(std::ceil(2 * half / grid.size)));
    if (plane && plane->axis == axis) count += count % 2;  // the plane goes between cubes
    grid.count[axis] = count;
    grid.origin[axis] = middle - 0.5 * count * grid.size;
  }
  return grid;
}

}  // namespace

ControlLattice grid_lattice(const TriangleMesh& surface, int across, const std::optional<SymmetryPlane>& plane) {
  if (across < 1 || across > most_grid_cells_across)
    throw usage_error("A grid has 1 to " + std::to_string(most_grid_cells_across) + " cells along its longest side.");
  const Grid grid = grid_over(bounds(surface.positions), across, plane);
  const BoundingVolumeHierarchy tree(surface);
  const WindingNumber winding(tree);
  const double half = (0.5 + margin_share) * grid.size;
  const Vec3 half_box{half, half, half};
  const auto meets = [&](const Vec3& centre) {
    bool found = false;
    tree.for_each_overlapping({centre - half_box, centre + half_box}, [&](int t) {
      const Triangle& triangle = surface.triangles[index(t)];
      found = found || triangle_meets_box({surface.positions[index(triangle[0])], surface.positions[index(triangle[1])],
                                           surface.positions[index(triangle[2])]},
                                          centre, half_box);
    });
    return found || winding(centre) > 0.5;
  };
  ControlLattice lattice;
  for (int k = 0; k <= grid.count[2]; ++k)
    for (int j = 0; j <= grid.count[1]; ++j)
      for (int i = 0; i <= grid.count[0]; ++i) {
        const Vec3 steps{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
        lattice.positions.push_back(grid.origin + grid.size * steps);
      }
  // Symmetric vertices are mirror images to the last bit.
  if (plane)
    for (Vec3& p : lattice.positions)
      if (p[plane->axis] > plane->at) {
        const double steps = std::round((p[plane->axis] - grid.origin[plane->axis]) / grid.size);
        const double image = grid.origin[plane->axis] + grid.size * (grid.count[plane->axis] - steps);
        p[plane->axis] = 2 * plane->at - image;
      }
  for (int k = 0; k < grid.count[2]; ++k)
    for (int j = 0; j < grid.count[1]; ++j)
      for (int i = 0; i < grid.count[0]; ++i) {
        if (!meets(grid.centre(i, j, k))) continue;
        const auto at = [&](int x, int y, int z) { return grid.corner(i + x, j + y, k + z); };
        add_hexahedron(lattice, {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1), at(1, 0, 1),
                                 at(1, 1, 1), at(0, 1, 1)});
      }
  return in_standard_form(without_unused_vertices(std::move(lattice)).lattice);
}

}  // namespace sinew
