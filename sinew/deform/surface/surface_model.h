// Flesh as the surface alone (Shi, Zhou, Tong, Desbrun, Bao and Guo 2008): every vertex is pulled to its goal, to where
// its neighbours want it, to its distance from the bones, and dragged along by what moves around it.
// docs/surface_dynamics.md
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/linalg/small.h"

namespace sinew {

// How strongly each force of equation 3 acts on a vertex, as shares of what moves it all the way in one step of the
// model's length: alpha to gamma, delta in [0, 1], lambda in [0, 0.5].
struct VertexParameters {
  double alpha = 1;   // towards the goal (eq. 4)
  double beta = 0;    // towards where the neighbours' shape wants it (eq. 7)
  double gamma = 0;   // towards its distance from the bones (eq. 8)
  double lambda = 0;  // towards the neighbours' mean velocity (eq. 9)
  double delta = 0;   // towards the goal's velocity: the damping that the paper names under its limitations
  bool operator==(const VertexParameters&) const = default;
};

// The shape that neighbours and spokes keep. `rig`: the one that the rig gives the surface at the moment, so that the
// goal is where the flesh comes to rest. `rest`: the one at rest, as in the paper, which pushes collapsed joints out.
enum class ShapeReference { rig, rest };

struct SurfaceBone {
  std::string name;      // of its joint
  Affine rest_to_joint;  // rest space (metres) to joint space (file units)
};

// A piece of a bone, rest space, metres. May have no length.
struct SurfaceSegment {
  int bone = -1;
  Vec3 head, tail;
};

struct Spoke {
  int segment = -1;
  double weight = 0;  // those of one vertex sum to one
};

// Vertices of one part of the character, as its file counts them.
struct SurfaceModelPart {
  std::string name;
  std::vector<int> vertex_of;  // per vertex of the part: vertex of the model
};

inline constexpr int max_surface_influences = 4;

// How the pull towards the goal differs between directions: alpha times this symmetric matrix, of trace 3, takes the
// place of the paper's number alpha. In rest space; it turns with the vertex's strongest bone. Flesh between two bones
// or over a bone is softer sideways than along, which a single number cannot say (docs/surface_dynamics.md).
struct RestorationShape {
  double xx = 1, yy = 1, zz = 1, xy = 0, xz = 0, yz = 0;  // eigenvalues >= 0
  bool operator==(const RestorationShape&) const = default;
};

// Symmetric, as a matrix.
inline Mat3 to_matrix(const RestorationShape& s) { return {{s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz}}; }

// A vibration of the whole body under the skin (section 6 of the paper; docs/surface_dynamics.md, Low-frequency modes).
// Its coordinate q, in metres, follows q'' + 2 z w q' + w^2 q = f, w = 2 pi frequency, and moves the surface at rest,
// before bones move that, by q times the shape.
struct SurfaceMode {
  double frequency = 1;       // hertz, undamped
  double damping_ratio = 0;   // z, in [0, 1]
  std::vector<Vec3> shape;    // n, rest space; the longest has length 1
  std::vector<Affine> drive;  // per bone: G_b of f = -sum_b <G_b, L_b^T d2M_b/dt^2>, L_b the linear part of the map M_b
};

inline constexpr std::size_t max_surface_modes = 16;

struct SurfaceModel {
  double step = 1.0 / 60;  // seconds: of the steps that `parameters` are meant for
  ShapeReference reference = ShapeReference::rig;
  double reach = 1;   // metres: farthest that a vertex may be from its goal
  double height = 1;  // of the character, metres
  std::vector<SurfaceBone> bones;
  std::vector<SurfaceSegment> segments;
  std::vector<Vec3> rest;              // n, rest space, metres
  std::vector<Vec3> normals;           // n, unit, rest space
  std::vector<Influences> influences;  // n, over `bones`, at most max_surface_influences; count 0: stands at rest
  std::vector<int> first_neighbour;    // n + 1 into `neighbours`: the vertices that share an edge with i, rising
  std::vector<int> neighbours;
  std::vector<int> first_spoke;  // n + 1 into `spokes`
  std::vector<Spoke> spokes;
  std::vector<VertexParameters> parameters;  // n
  std::vector<RestorationShape> shape;       // n, or empty: the same in all directions
  // n, metres, or empty: no bounds. What is shown of a vertex's offset d from its goal is d / sqrt(1 + |d|^2 /
  // range^2), which leaves small ones alone and never gets as far as the range: flesh that was learned from a walk does
  // not invent what it would do in a fall.
  std::vector<double> range;
  std::vector<SurfaceMode> modes;  // rising in frequency, at most max_surface_modes; empty: none
  double mode_coupling = 0;        // how much the surface's deviation from its goal excites them; 0: not
  std::vector<SurfaceModelPart> parts;
};

// 1 / range^2 of a vertex, 1/m^2; 0 where there is none. A range of nothing counts as a millionth of the height.
double inverse_squared_range(const SurfaceModel& model, std::size_t vertex);

// Spokes shorter than this have no direction: metres.
double shortest_spoke(const SurfaceModel& model);

}  // namespace sinew
