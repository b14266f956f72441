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
#include "sinew/deform/mixed/movers.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/deform/mixed/rotation_field.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// The part of a cooked body that does not depend on its handles and materials.
struct FilledMixed {
  SimulationSurface surface;
  std::vector<Bone> bones;              // that pose the body (cook/mixed/mixed_bones.h), or that only carry it
  bool bones_pose = true;               // false: handles alone pose the body
  TetrahedralMesh mesh;                 // rest space, metres
  Embedding embedding;                  // of the surface's vertices in `mesh`
  RotationClusters clusters;            // the bone of each element; empty if bones do not pose the body
  std::vector<double> inside_fraction;  // VolumeMesh
  double cell_size = 0;                 // metres
  double height = 0;  // metres: extent of the rest surface along y; for flat characters 0.3 of the largest extent
  std::vector<StageReport> stages;
  std::vector<std::string> notes;  // decisions and ignored settings, as sentences for the user
};

struct CookedMixed : FilledMixed {
  MixedMovers movers;                     // what moves pins and turns elements
  std::vector<std::string> source_names;  // of the sources of rotation (movers.h): bones and frames
  RotationWeights weights;                // of these sources in each element
  BonePins pins;                          // with their movers; those of handles come first
  std::size_t handle_pins = 0;            // number of the handles' pins
  Pinning pinning = Pinning::held;
  std::vector<double> stiffness_multiplier;  // per tetrahedron, settings of joints and paint combined
  std::vector<double> mass;                  // per vertex of the mesh, kilograms
  std::shared_ptr<const MixedBody> body;
};

// A sentence about a part of the body that no bone reaches, for `notes` and `sinew check`.
std::string boneless_sentence(const CookedMixed& mixed, const BonelessPart& part);

// The painted fields that the method obeys.
std::vector<FieldInUse> fields_in_use(const MixedSettings& settings);

// Prepares what a body fills. With `bones_pose` false handles pose it, and its bones only carry it: a mesh without a
// skeleton, bound to its own node (character/bind_parts.h). Throws Stopped where `progress` asks for it.
FilledMixed fill_mixed(const Character& character, const MixedSettings& settings, bool bones_pose = true,
                       const Progress& progress = {});
CookedMixed prepare_mixed(FilledMixed filled, const MixedSettings& settings, const Progress& progress = {});

// Prepares the body. A character without skin weights needs adopt_skeleton() before this, and bind_automatically()
// before its clips are baked. The result has the same bits for any number of threads. Throws Stopped where `progress`
// asks for it.
CookedMixed prepare_mixed(const Character& character, const MixedSettings& settings, const Progress& progress = {});

}  // namespace sinew
