// The method `mixed` as a deformer. It has no memory: each pose is solved by itself.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/deformer.h"
#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/movers.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/deform/mixed/rotation_field.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

inline constexpr Capabilities mixed_obeys{.ground = true, .colliders = true, .loads = true, .gravity = true};

// Parts of the deformer. All references and spans must outlive it.
struct MixedPieces {
  std::shared_ptr<const MixedBody> body;
  const TetrahedralMesh& mesh;     // rest space, metres
  const Embedding& embedding;      // embedding of the surface's vertices
  const TriangleMesh& surface;     // surface at rest
  const RotationWeights& weights;  // of the sources of rotation (movers.h)
  const BonePins& pins;            // each with its mover
  const MixedMovers& movers;
  std::size_t held_pins = 0;       // number of the first pins that are held; the others are springs
  std::span<const double> mass{};  // per vertex, kilograms
  std::optional<Vec3> gravity{};   // m/s^2; empty: none
  // True if any load acts at any time: bodies are then solved at their own size, also where the rig scales them.
  bool keeps_size = false;
  std::vector<std::string> bones{};  // names, for messages
};

std::unique_ptr<Deformer> mixed_deformer(MixedPieces pieces);

}  // namespace sinew
