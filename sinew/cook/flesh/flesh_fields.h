// Settings and paint as fields over bones, vertices and tetrahedra of a body.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/character/body_binding.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/deform/limb_curves.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Settings of the bones; one entry per bone.
struct BoneSettings {
  std::vector<double> stiffness, damping, core;  // multipliers; `core`: share of the local thickness
  std::vector<double> anatomy_stiffness;         // `stiffness` by the anatomy alone
  std::vector<double> set_stiffness;             // `stiffness` by the settings alone; 1 where they have none
  bool damping_varies = false;
};

// Values found by the anatomy, overridden by the settings of single joints. Throws usage_error naming a pattern that no
// bone matches.
BoneSettings bone_settings(const std::vector<Bone>& bones, const Anatomy& anatomy, const FleshSettings& settings);

// The painted fields that flesh may obey.
std::vector<FieldInUse> fields_of_flesh(const FleshSettings& settings);
// The painted fields that flesh obeys with these settings: regions under the blended linearisation alone.
std::vector<FieldInUse> fields_in_use(const FleshSettings& settings);

// Blends a value per bone to the body's vertices by their weights; 1 where a vertex has none.
std::vector<double> blend_to_vertices(const std::vector<Influences>& influences, const std::vector<double>& per_bone);

// A field of the table that is painted on the surface, carried into the volume: per vertex of the body, within the
// field's range, and `unpainted` where no paint reaches (1 for multipliers, else the setting). Empty where the field is
// not painted.
std::vector<double> field_in_volume(const TetrahedralMesh& mesh, const Embedding& embedding, const Fields& painted,
                                    std::size_t field, double unpainted = 1);

// Multiplies `per_vertex` by such a field; values without paint do not change.
void multiply_painted(const TetrahedralMesh& mesh, const Embedding& embedding, const Fields& painted, std::size_t field,
                      std::vector<double>& per_vertex);

std::vector<double> mean_over_corners(const TetrahedralMesh& mesh, const std::vector<double>& per_vertex);

// Per tetrahedron, 1 where it belongs to a piece of the body that no bone holds: capes, fins, hair, armour.
std::vector<char> loose_pieces(const TetrahedralMesh& mesh, const FleshMap& map);

// Density of the springs of the bone displacement energy (Capell 2004, 5.11) per tetrahedron, N/m per m^3:
// strong at the core, falling to a trace near the skin. `young` is per tetrahedron, pascals; `hold` scales
// it; `height` is the character's, metres.
std::vector<double> bone_stiffness(const TetrahedralMesh& mesh, const FleshMap& map, const std::vector<double>& young,
                                   double hold, double height);

// Per tetrahedron, in [0, 1]: its share in parts too thin for the cells to resolve flesh around a bone (hands, ears,
// capes, all loose pieces). Springs of even stiffness decide their softness, not elasticity.
std::vector<double> thin_parts(const TetrahedralMesh& mesh, const FleshMap& map, const std::vector<char>& loose,
                               double cell_size);

// Per vertex, in [0, 1]: its share of flesh that the cells resolve, the mean over its tetrahedra of 1 - thin.
std::vector<double> resolved_share(const TetrahedralMesh& mesh, const std::vector<double>& thin);

// Largest displacement from the rig with which each body vertex is displayed, metres: `share` of its distance from the
// bone, at most `most`. The limits of two vertices differ by at most `share` of their distance, so that flesh far
// beyond them is displayed with a strain of about `share`.
std::vector<double> displacement_limits(const TetrahedralMesh& mesh, const FleshMap& map, double share, double most);

}  // namespace sinew
