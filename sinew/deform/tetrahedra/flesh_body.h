// The elastic body of a character in tetrahedra: everything that does not change during simulation. Cooked once by
// cook_flesh(), then shared by any number of running deformers.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/character/skinning.h"
#include "sinew/deform/flesh/flesh_dynamics.h"
#include "sinew/deform/flesh/muscle_fibres.h"
#include "sinew/deform/tetrahedra/vertex_compliance.h"
#include "sinew/elastic/generalized_alpha.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {

struct ImplicitSkin;

// Material of a body and its attachment to the bones. Per-vertex vectors have one entry per vertex of `mesh`,
// per-tetrahedron vectors one per tetrahedron.
struct FleshDescription {
  TetrahedralMesh mesh;  // rest space, metres
  Embedding embedding;   // embedding of the surface
  // Surface as skinned by the rig alone: rest positions, rest space, metres, and skin weights. Empty: skinned as the
  // embedding carries it.
  std::vector<Vec3> surface_rest{};
  std::vector<Influences> surface_influences{};
  Skinning skinning{};   // how bones pose the goals of the surface and of the body's vertices
  SparseRows carried{};  // SkinnedPoints::carried of the body's vertices; empty where skinning corrects nothing
  std::vector<Influences> influences;  // per vertex: bones (indices into RigState::bones) and weights
  std::vector<char> core;              // per vertex: 1 if it follows its bones exactly
  Material material;
  Element element = Element::patch;
  std::vector<double> young;            // per tetrahedron, pascals
  std::vector<double> density{};        // per tetrahedron, kg/m^3, or empty: the material's
  std::vector<double> poisson{};        // per tetrahedron, Poisson's ratio, or empty: the material's
  std::vector<double> inside_fraction;  // per tetrahedron: fraction of the volume inside the body
  std::vector<double> bone_stiffness;   // per tetrahedron: bone displacement energy (Capell 2004, 5.11), N/m per m^3
  // Per vertex: 1 on loose pieces and thin shells without a bone inside, which keep the rig's shape under either
  // reference. Empty: none.
  std::vector<char> keeps_rig_shape;
  // Per vertex: display limit of its displacement, metres, or empty. Tissue stiffens under strain but a linear system
  // does not, so that clips with accelerations of tens of g would inflate it.
  std::vector<double> limit;
  // Per surface vertex: farthest that obstacles push it away from the rig, metres. Empty: any distance.
  std::vector<double> push_reach{};
  // Fields of the surface's parts, by which skin stays out of other skin; null: it passes through itself.
  std::shared_ptr<const ImplicitSkin> creases{};
  std::vector<double> damping;  // per tetrahedron: multiplier of the Rayleigh damping, or empty (all 1)
  MuscleFibres muscles{};       // fibres whose forces nonlinear flesh in tetrahedra has
  // Rayleigh damping D = mass_damping M + stiffness_damping S, acting on the velocity relative to the goal.
  double mass_damping = 0;       // 1/s
  double stiffness_damping = 0;  // s
};

// The body's vertices, as bones pose their goals.
SkinnedPoints points_of(const FleshDescription& description);

class FactorLevels;

// Immutable. Free vertices are numbered in the order of the mesh; vectors over free unknowns hold x, y, z of each.
struct FleshBody {
  FleshDescription description;
  StrainSamples samples;
  std::vector<double> mass;         // per vertex, kg
  std::vector<int> free_vertex;     // free -> vertex
  std::vector<int> free_index;      // vertex -> free, or -1 for core vertices
  BlockMatrix elastic_stiffness;    // S without bone displacement energy, all vertices
  std::vector<double> bone_spring;  // per vertex: diagonal of the bone displacement energy's Hessian, N/m
  BlockMatrix stiffness;            // S with the bone displacement energy, free x free
  BlockMatrix damping;              // D, free x free; no rows where damping is uniform (D = a M + b S)

  FleshDynamics dynamics;
  GeneralizedAlpha method;
  BlockCholesky factor;  // of mass_factor M + force_factor (S + velocity_factor D), free x free; see factor_poses
  std::shared_ptr<VertexCompliance>
      compliance;  // compliance of the vertices that carry the surface, computed from `factor` as contacts need it
  std::shared_ptr<FactorLevels> factor_levels;  // factors for stiffness and damping that change (factor_levels.h)
  std::optional<BlockCholesky> static_factor;   // factor of S, free x free; empty if not requested or S is not definite

  bool uniform_damping() const { return damping.rows == 0; }
};

// Assembles masses, springs and stiffness; factorises nothing. `same_pattern`: a body of the same tetrahedra, elements
// and cores, whose ordering is reused. Throws input_error for empty or inverted bodies.
FleshBody assemble_flesh(FleshDescription description, const FleshBody* same_pattern = nullptr);

// Copies a body, to be scaled and cooked independently.
FleshBody copy_assembled(const FleshBody& body);

// Multiplies every elastic modulus and spring of an assembled body by `factor`.
void scale_stiffness(FleshBody& body, double factor);

// Adds springs of the bone displacement energy to an assembled body. `density`: per tetrahedron, N/m per m^3.
void add_bone_stiffness(FleshBody& body, std::span<const double> density);

// Returns a body without factors, which cannot be simulated: it describes the flesh for a control lattice.
std::shared_ptr<FleshBody> uncooked_flesh(FleshBody assembled, const FleshDynamics& dynamics);

// Factorises the system of one step, and that of static equilibrium if requested, after which the body can be
// simulated. Throws simulation_error if the system of a step is not definite, Stopped if `progress` requests it.
std::shared_ptr<const FleshBody> cook_flesh(FleshBody body, const FleshDynamics& dynamics,
                                            const Progress& progress = {});

// Factorises the system of a step whose S and D are multiplied by `scale`, into a factor of the body's pattern.
// `stiffness`: that of the factors (FleshDynamics::factor_poses).
void factor_step(const FleshBody& body, const BlockMatrix& stiffness, double scale, BlockCholesky& factor);

// Returns a compliance without columns for the vertices that carry the surface.
std::shared_ptr<VertexCompliance> surface_compliance(const FleshBody& body);

// Returns the factor of S. Throws simulation_error if there is none because a part of the body is attached to nothing.
const BlockCholesky& static_factor(const FleshBody& body);

// The factor of S, made on first use where the body has none.
class RestFactor {
 public:
  // `body` must outlive this.
  explicit RestFactor(const FleshBody& body) : body_(body) {}
  // Throws simulation_error naming the rigid motion that is free if a part of the body is attached to nothing.
  const BlockCholesky& get();

 private:
  const FleshBody& body_;
  std::optional<BlockCholesky> own_;
};

// Sag of the flesh from its bones under its own weight, the largest over gravity of 9.81 m/s^2 along the three axes. It
// is inversely proportional to stiffness, and so gives the stiffness for a wanted softness.
struct Sag {
  std::vector<double> of_vertex;  // per vertex of the body, metres
  double whole = 0;               // metres: 95 % of the free mass is displaced by less
};

// `share`: weight of each vertex's mass, in [0, 1]; if nearly nothing has weight, all mass counts.
Sag sag_under_gravity(const FleshBody& body, std::span<const double> share, const Progress& progress = {});

}  // namespace sinew
