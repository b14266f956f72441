// The method `mixed` as a deformer: without memory, each pose by itself.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/deformer.h"
#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/deform/mixed/rotation_field.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// What it is made of, all of which has to outlive it.
struct MixedPieces {
  std::shared_ptr<const MixedBody> body;
  const TetrahedralMesh& mesh;  // rest space, metres
  const Embedding& embedding;   // of the surface's vertices
  const TriangleMesh& surface;  // at rest
  const RotationWeights& weights;
  const BonePins& pins;
  bool pins_are_held = true;       // else springs draw them
  std::span<const double> mass{};  // per vertex, kilograms
  std::optional<Vec3> gravity{};   // m/s^2; empty: none
  // Something acts at some time: bodies are solved at their own size, also where the rig scales them.
  bool keeps_size = false;
  std::vector<std::string> bones{};  // names, for messages
};

std::unique_ptr<Deformer> mixed_deformer(MixedPieces pieces);

}  // namespace sinew
