// Prepares a body for mixed finite elements from a character and settings: surface, volume mesh, clusters, pins,
// factorisation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/mixed/mixed_settings.h"
#include "sinew/deform/cook_report.h"
#include "sinew/deform/limb_curves.h"
#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/deform/mixed/rotation_field.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct CookedMixed {
  SimulationSurface surface;
  std::vector<Bone> bones;  // that pose the body (cook/mixed/mixed_bones.h)
  TetrahedralMesh mesh;     // rest space, metres
  Embedding embedding;      // of the surface's vertices in `mesh`
  RotationClusters clusters;
  RotationWeights weights;
  BonePins pins;
  Pinning pinning = Pinning::held;
  std::vector<double> stiffness_multiplier;  // per tetrahedron, settings of joints and paint combined
  std::vector<double> mass;                  // per vertex of the mesh, kilograms
  std::shared_ptr<const MixedBody> body;
  double height = 0;  // metres: extent of the rest surface along y; for flat characters 0.3 of the largest extent
  std::vector<StageReport> stages;
  std::vector<std::string> notes;  // decisions and ignored settings, as sentences for the user
};

// A sentence about a part of the body that no bone reaches, for `notes` and `sinew check`.
std::string boneless_sentence(const CookedMixed& mixed, const BonelessPart& part);

// The painted fields that the method obeys.
std::vector<FieldInUse> fields_in_use(const MixedSettings& settings);

// Prepares the body. A character without skin weights needs adopt_skeleton() before this, and bind_automatically()
// before its clips are baked. The result has the same bits for any number of threads. Throws Stopped where `progress`
// asks for it.
CookedMixed prepare_mixed(const Character& character, const MixedSettings& settings, const Progress& progress = {});

}  // namespace sinew
