// Shapes that force rigs are to give the skin (docs/shape_control.md): a mesh of another file, or a morph target of the
// character.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct ShapeTarget {
  // Where each vertex of the skin shall be, world, metres; empty: the target has other vertices.
  std::vector<Vec3> vertices;
  TriangleMesh mesh;  // world, metres; where `vertices` is empty
};

// The skin in `pose` with a morph target, by its name or as NODE.TARGET, at weight 1. Throws usage_error that names
// those that there are.
ShapeTarget morph_target_shape(const Character& character, const SimulationSurface& surface, Pose pose,
                               const std::string& name);

// All meshes of a .glb, .gltf, .vrm or .obj file at rest: world, with `metres` per unit of the file. Throws input_error
// if there are no triangles, or a vertex is no number.
TriangleMesh mesh_of_file(const std::string& file, double metres);

// That as a target, in the same units as the character's file times `scale`. `skin`: the
// skin in the pose of the target, world, metres. Throws input_error if it has no triangles or is clearly of another
// size, with a scale that fits.
ShapeTarget target_of_file(const std::string& file, double scale, const Character& character,
                           const SimulationSurface& surface, std::span<const Vec3> skin);

// World positions of the skin's vertices, metres, from those of the parts of a character with the same vertices.
std::vector<Vec3> skin_of_parts(const SimulationSurface& surface, const std::vector<std::vector<Vec3>>& of_part,
                                double metres_per_unit);

}  // namespace sinew
