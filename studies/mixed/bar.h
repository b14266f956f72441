// A bar on two bones for the experiments with mixed elements.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/elastic/mixed_materials.h"
#include "studies/reference/cell_lattice.h"

namespace sinew {

// The bar's axis is x from 0; its cells are cubes.
struct BarShape {
  // Numbers of cells; even, so that there are vertices on the axis and on the joint's section.
  int along = 24, across = 4;
  double width = 0.1;  // metres
};

struct Bar {
  CellLattice lattice;
  double length = 0, width = 0;  // metres
  std::vector<Bone> bones;       // two along the axis, end to end; the second is a child of the first
  Vec3 joint;                    // where they meet, in the middle
  std::vector<int> axis;         // vertices on the axis, ordered by x
};

// Throws usage_error for odd or too few cells, or no width.
Bar make_bar(const BarShape& shape);

// Rest to world maps of both bones: the first at rest, the second rotated about the joint.
std::vector<Affine> turned(const Bar& bar, const Vec3& unit_axis, double degrees);

// All vertices of both end faces, each pinned to its bone. (Pins on the axis alone do not transmit rotation of a bone
// about it.)
BonePins end_pins(const Bar& bar);

// Area of the section at x = i cells, projected along the posed axis x, relative to rest. Shows the neck of a candy
// wrapper.
double projected_section(const Bar& bar, std::span<const Vec3> positions, int i);

inline constexpr std::array mixed_materials{MixedMaterial::arap, MixedMaterial::corotated,
                                            MixedMaterial::stable_neo_hookean, MixedMaterial::st_venant_kirchhoff};

std::string_view name_of(MixedMaterial material);

}  // namespace sinew
