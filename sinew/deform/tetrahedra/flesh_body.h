// The body of a fleshed character: everything that does not change while it moves. Cooked once by
// cook_flesh(), then shared by any number of running deformers.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/deform/flesh/flesh_dynamics.h"
#include "sinew/deform/tetrahedra/vertex_compliance.h"
#include "sinew/elastic/generalized_alpha.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// What a body is made of and how it hangs on its bones. Per-vertex vectors have one entry per vertex
// of `mesh`, per-tetrahedron vectors one per tetrahedron.
struct FleshDescription {
  TetrahedralMesh mesh;  // rest space, metres
  Embedding embedding;   // of the surface that the body carries
  // How the rig alone carries that surface: rest space, metres. Empty: as the body carries it.
  std::vector<Vec3> surface_rest{};
  std::vector<Influences> surface_influences{};
  std::vector<Influences> influences;  // per vertex: bones (as indices into RigState::bones) and weights
  std::vector<char> core;              // per vertex: 1 where it follows its bones exactly
  Material material;
  Element element = Element::patch;
  std::vector<double> young;            // per tetrahedron, pascals
  std::vector<double> density{};        // per tetrahedron, kg/m^3, or empty: the material's
  std::vector<double> poisson{};        // per tetrahedron, Poisson's ratio, or empty: the material's
  std::vector<double> inside_fraction;  // per tetrahedron
  std::vector<double> bone_stiffness;   // per tetrahedron: bone displacement energy (Capell 2004, 5.11), N/m per m^3
  // Per vertex: 1 where there is no bone inside to decide the shape by, on loose pieces and on sheets; they keep the
  // rig's shape under either reference. Empty: none.
  std::vector<char> keeps_rig_shape;
  // Per vertex: how far its displacement is shown at most, metres, or empty. Tissue stiffens under strain, a
  // linear system does not; clips that accelerate by tens of g would blow it up like a balloon.
  std::vector<double> limit;
  // Per vertex of the surface: how far obstacles push it away from the rig at most, metres. Empty: any distance.
  std::vector<double> push_reach{};
  std::vector<double> damping;  // per tetrahedron: multiplier of the Rayleigh damping, or empty (all 1)
  // Rayleigh damping D = mass_damping M + stiffness_damping S, acting on the velocity relative to the goal.
  double mass_damping = 0;       // 1/s
  double stiffness_damping = 0;  // s
};

// Immutable asset. Free vertices are numbered in the order of the mesh; vectors over free unknowns
// hold x, y, z of each.
struct FleshBody {
  FleshDescription description;
  StrainSamples samples;
  std::vector<double> mass;         // per vertex, kg
  std::vector<int> free_vertex;     // free -> vertex
  std::vector<int> free_index;      // vertex -> free, or -1 for core vertices
  BlockMatrix elastic_stiffness;    // S without bone displacement energy, all vertices
  std::vector<double> bone_spring;  // per vertex: diagonal of the bone displacement energy's Hessian, N/m
  BlockMatrix stiffness;            // S with it, free x free
  BlockMatrix damping;              // D, free x free; no rows where damping is uniform (D = a M + b S)

  FleshDynamics dynamics;
  GeneralizedAlpha method;
  BlockCholesky factor;  // of mass_factor M + force_factor (S + velocity_factor D), free x free
  std::shared_ptr<VertexCompliance>
      compliance;  // by `factor`, of the vertices that carry the surface, as contact asks for it
  std::optional<BlockCholesky> static_factor;  // of S, free x free; empty where not asked for or S is not definite

  bool uniform_damping() const { return damping.rows == 0; }
};

// Masses, springs and stiffness, without any factorisation yet. A body of the same tetrahedra, elements and cores lends
// its ordering. Throws input_error for empty or inverted bodies.
FleshBody assemble_flesh(FleshDescription description, const FleshBody* same_pattern = nullptr);

// Another body of the same tetrahedra, to be scaled and cooked by itself.
FleshBody copy_assembled(const FleshBody& body);

// Multiplies every elastic modulus and spring of an assembled body: all of them are proportional to it.
void scale_stiffness(FleshBody& body, double factor);

// Adds springs of the bone displacement energy to an assembled body: density per tetrahedron, N/m per m^3.
void add_bone_stiffness(FleshBody& body, std::span<const double> density);

// A body that tells where flesh is and what it is like, and has no factor to move by: for flesh in a control lattice.
std::shared_ptr<FleshBody> uncooked_flesh(FleshBody assembled, const FleshDynamics& dynamics);

// Factorises the system of one step, and that of static equilibrium where there is one; from then on the body can
// run. Throws simulation_error where the system of a step is not definite, Stopped where `progress` asks for it.
std::shared_ptr<const FleshBody> cook_flesh(FleshBody body, const FleshDynamics& dynamics,
                                            const Progress& progress = {});

// The body's factor of S. Throws simulation_error where it has none: a part of it hangs on nothing.
const BlockCholesky& static_factor(const FleshBody& body);

// How far the flesh hangs from its bones under its own weight, the largest over gravity of 9.81 m/s^2 along the three
// axes. Inversely proportional to stiffness, so it tells how stiff a wanted softness is.
struct Sag {
  std::vector<double> of_vertex;  // per vertex of the body, metres
  double whole = 0;               // metres: what 95 % of the free mass stays below
};

// Each vertex's mass counts by `share` (one entry per vertex, in [0, 1]); where next to nothing counts, all of it does.
Sag sag_under_gravity(const FleshBody& body, std::span<const double> share, const Progress& progress = {});

}  // namespace sinew
