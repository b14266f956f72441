// The bar on two bones that the experiments with mixed elements bend and twist.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/elastic/mixed_materials.h"
#include "sinew/mesh/cell_lattice.h"

namespace sinew {

// Along x from 0, with one cell as long as wide.
struct BarShape {
  int along = 24, across = 4;  // cells; even, so that the axis and the joint's section are made of vertices
  double width = 0.1;          // metres
};

struct Bar {
  CellLattice lattice;
  double length = 0, width = 0;  // metres
  std::vector<Bone> bones;       // two along the axis, end to end; the second is the first one's child
  Vec3 joint;                    // where they meet: the middle
  std::vector<int> axis;         // vertices on the axis, in the order of x
};

// Throws usage_error for odd or too few cells, or no width.
Bar make_bar(const BarShape& shape);

// Rest to world of both bones: the first at rest, the second turned about the joint.
std::vector<Affine> turned(const Bar& bar, const Vec3& unit_axis, double degrees);

// All vertices of both end faces, each with its bone. Pins on the axis alone do not tell a body that a bone turns about
// it.
BonePins end_pins(const Bar& bar);

// Area of the section at x = i cells as seen along the posed axis x, over its area at rest: the candy wrapper's neck.
double projected_section(const Bar& bar, std::span<const Vec3> positions, int i);

inline constexpr std::array mixed_materials{MixedMaterial::arap, MixedMaterial::corotated,
                                            MixedMaterial::stable_neo_hookean, MixedMaterial::st_venant_kirchhoff};

std::string_view name_of(MixedMaterial material);

}  // namespace sinew
