// Components (Capell 2004, section 7.2): how a patch of skin changes its shape, taken from one character to be put on
// any other: a smile, a nostril, a bulge.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Displacements of a round patch on a grid in its tangent plane, over [-1, 1] in both directions, in units of the
// patch's radius: across, along the normal, and up, in the frame of the skin there.
struct ShapeComponent {
  static constexpr int side = 33;  // points of the grid in each direction
  std::string name;
  std::string from;                // the character that it was taken from
  double radius = 0, height = 0;   // of the patch and the character there, metres
  std::vector<Vec3> displacement;  // side * side, rows from down to up
};

// A place for a component on the skin.
struct ComponentPlace {
  Vec3 centre;        // rest space, metres; the nearest point of the skin counts
  double radius = 0;  // metres
  double spin = 0;    // degrees, about the normal
  bool mirrored = false;
};

// The place where a shape is: around the middle of what it moves, large enough for nearly all of it. `displacement`:
// per vertex of the skin, rest space, metres. Throws usage_error if nothing moves.
ComponentPlace place_of(const SimulationSurface& surface, std::span<const Vec3> displacement);

// Takes the shape of a patch. Throws usage_error if the skin does not reach the patch.
ShapeComponent extract_component(const SimulationSurface& surface, std::span<const Vec3> displacement,
                                 const ComponentPlace& place);

// Displacements of the skin with the component there, per vertex, rest space, metres; they fade out at the patch's rim.
std::vector<Vec3> deploy_component(const ShapeComponent& component, const SimulationSurface& surface,
                                   const ComponentPlace& place);

// Throws input_error naming the file, the field and a remedy.
std::string component_json(const ShapeComponent& component);
ShapeComponent component_from_json(std::string_view text, const std::string& file);

}  // namespace sinew
