// Force optimisation (Capell 2004, section 6.5.2): forces on the skin that give it a target shape in a pose of the
// skeleton, for a *surface deformation rig* (shape_rig.h).
//
// The thesis minimises C_surf + omega C_smooth, the mean squared distance from the target and the smoothness of what
// moves the skin there. Here elastic energy is the smoothness, so that what is left out first is what flesh resists
// most, and the springs of pulled_skin.h are the distance: k_s = a_s mu / (omega h), with a_s the area of a skin
// vertex, mu the flesh's shear modulus and h the height. Detail of wavelengths below omega h is smoothed.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"
#include "sinew/shape/pulled_skin.h"

namespace sinew {

struct SkinFitOptions {
  // Detail shorter than about this share of the height is smoothed (noise of scans: 0.1).
  double smoothness = 1e-3;
  // Per skin vertex, in [0, 1]: how much it counts, for targets of a part of the skin (the thesis' lasso). The rest
  // moves as the flesh carries it. Empty: all of it.
  std::vector<double> weight{};
  // Forces on the flesh other than those sought, and its stiffening, such as those of a strain; per point of the body.
  std::vector<PointForce> load{};
  std::vector<PointStiffening> stiffening{};
  bool between = true;  // false: SkinFit::between stays empty
  // The bones at a share of the way to the pose, in [0, 1], where the control of the forces is what poses; empty: the
  // pose is the same all the way.
  std::function<std::vector<Affine>(double share)> way{};
};

// Distances of the skin from its target: what counts, weighted by area; metres.
struct SkinDistance {
  double rms = 0, largest = 0;
};

// Forces that make a share of a fitted displacement, at that share of the way to the pose.
struct PartOfFit {
  double share = 0;          // in (0, 1)
  std::vector<Vec3> forces;  // as in SkinFit
};

struct SkinFit {
  std::vector<Vec3> forces;  // per skin vertex, newtons, in the skin's frames: rest space, turned with the rig
  // Of static equilibrium under these forces alone, per point of the body, in its own frame, metres.
  std::vector<Vec3> displacements;
  // Between no forces and these, ascending by share, such that interpolated forces move the skin evenly although tissue
  // stiffens and is stretched on the way; empty if forces that grow evenly do.
  std::vector<PartOfFit> between;
  SkinDistance before, after;  // after: in that equilibrium
  double smoothness = 0;       // with which the forces hold the shape by themselves: that of the options, or more
  int iterations = 0;
  bool converged = false;
};

// Where each vertex of the skin shall be: world, metres. For targets with the character's own vertices.
PulledSkin::Targets vertex_targets(std::vector<Vec3> positions);

// Any triangle mesh, world, metres: its closest point. What faces the other way, or lies beyond a border of the mesh,
// pulls nothing. `skin`: the triangles of the skin. Both must outlive the result.
PulledSkin::Targets surface_targets(const TriangleMesh& target, std::span<const Triangle> skin);

// `closest`: the targets are those of surface_targets(), which are found again as the skin moves: first with much
// smoothing. `bones`: the pose, rest space to world. Throws simulation_error where the body is not held, usage_error if
// nothing counts.
SkinFit fit_skin(StaticFlesh& flesh, const SimulationSurface& surface, std::span<const Affine> bones,
                 const PulledSkin::Targets& targets, bool closest, const SkinFitOptions& options = {},
                 const Progress& progress = {});

}  // namespace sinew
