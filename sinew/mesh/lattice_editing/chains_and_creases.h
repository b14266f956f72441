// Bones along the edges of a lattice, and its sharp edges and vertices.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

// Makes edges sharp, or smooth again. Edges of bones always are sharp. Throws usage_error for what is no edge.
ControlLattice with_sharp_edges(const ControlLattice& lattice, std::span<const std::array<int, 2>> edges, bool sharp);
ControlLattice with_sharp_vertices(const ControlLattice& lattice, std::span<const int> vertices, bool sharp);

// Lets a joint move a chain through these vertices, which are sorted along the direction from `head` to `tail`, unless
// it moves this chain already. Throws usage_error where two that follow one another are not joined by an edge.
ControlLattice with_bone_chain(const ControlLattice& lattice, const std::string& name, std::span<const int> vertices,
                               const Vec3& head, const Vec3& tail);
// Takes vertices out of all chains, which fall into pieces there.
ControlLattice without_bones_at(const ControlLattice& lattice, std::span<const int> vertices);

}  // namespace sinew
