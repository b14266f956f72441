// Model of learned dynamic skinning (Shi, Zhou, Tong, Desbrun, Bao and Guo 2008): every vertex is pulled towards its
// goal, the shape of its neighbourhood and its distance from the bones, and dragged along by its neighbours.
// docs/surface_dynamics.md
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Strength of each force of equation 3 on a vertex. 1 removes the whole difference within one step of the model's
// length. alpha to gamma and delta are in [0, 1], lambda in [0, 0.5].
struct VertexParameters {
  double alpha = 1;   // towards the goal (eq. 4)
  double beta = 0;    // towards the shape of the neighbourhood (eq. 7)
  double gamma = 0;   // towards its distance from the bones (eq. 8)
  double lambda = 0;  // towards the neighbours' mean velocity (eq. 9)
  double delta = 0;   // towards the goal's velocity: the damping that the paper mentions under limitations
  bool operator==(const VertexParameters&) const = default;
};

// The shape that neighbours and spokes keep. `rig`: the surface as the rig poses it, so that flesh comes to rest in its
// goal. `rest`: the rest shape, as in the paper, which pushes collapsed joints out.
enum class ShapeReference { rig, rest };

struct SurfaceBone {
  std::string name;      // name of its joint
  Affine rest_to_joint;  // rest space (metres) to joint space (file units)
};

// A segment of a bone, rest space, metres. May have zero length.
struct SurfaceSegment {
  int bone = -1;
  Vec3 head, tail;
};

struct Spoke {
  int segment = -1;
  double weight = 0;  // weights of one vertex sum to one
};

// Vertices of one part of the character, in the order of its file.
struct SurfaceModelPart {
  std::string name;
  std::vector<int> vertex_of;  // per vertex of the part: vertex of the model
};

inline constexpr int max_surface_influences = 4;

// Anisotropy of the pull towards the goal: alpha times this symmetric matrix, of trace 3, replaces the paper's number
// alpha. In rest space; it turns with the vertex's strongest bone. Flesh between two bones or over a bone is softer
// sideways than along it, which a single number cannot express (docs/surface_dynamics.md).
struct RestorationShape {
  double xx = 1, yy = 1, zz = 1, xy = 0, xz = 0, yz = 0;  // eigenvalues >= 0
  bool operator==(const RestorationShape&) const = default;
};

// Returns the symmetric matrix.
inline Mat3 to_matrix(const RestorationShape& s) { return {{s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz}}; }

// A low-frequency vibration mode of the whole body (section 6 of the paper; docs/surface_dynamics.md, Low-frequency
// modes). Its coordinate q, in metres, follows q'' + 2 z w q' + w^2 q = f, w = 2 pi frequency, and displaces the rest
// surface, before skinning, by q times the shape.
struct SurfaceMode {
  double frequency = 1;       // hertz, undamped
  double damping_ratio = 0;   // z, in [0, 1]
  std::vector<Vec3> shape;    // n, rest space; the longest vector has length 1
  std::vector<Affine> drive;  // per bone: G_b of f = -sum_b <G_b, L_b^T d2M_b/dt^2>, L_b the linear part of the map M_b
};

inline constexpr std::size_t max_surface_modes = 16;

struct SurfaceModel {
  double step = 1.0 / 60;  // seconds: step length that `parameters` refer to
  ShapeReference reference = ShapeReference::rig;
  double reach = 1;   // limit of a vertex's distance from its goal, metres
  double height = 1;  // height of the character, metres
  std::vector<SurfaceBone> bones;
  std::vector<SurfaceSegment> segments;
  std::vector<Vec3> rest;              // n, rest space, metres
  std::vector<Vec3> normals;           // n, unit, rest space
  std::vector<Influences> influences;  // n, over `bones`, at most max_surface_influences; count 0: stays at rest
  std::vector<int> first_neighbour;    // n + 1, into `neighbours`: the vertices that share an edge with i, ascending
  std::vector<int> neighbours;
  std::vector<int> first_spoke;  // n + 1, into `spokes`
  std::vector<Spoke> spokes;
  std::vector<VertexParameters> parameters;  // n
  std::vector<RestorationShape> shape;       // n, or empty: isotropic
  // Display range: n, metres, or empty: none. An offset d of a vertex from its goal is output as d / sqrt(1 + |d|^2 /
  // range^2), which keeps small offsets and never reaches the range, so that flesh learned from a walk is not displaced
  // arbitrarily far in a fall.
  std::vector<double> range;
  std::vector<SurfaceMode> modes;  // ascending in frequency, at most max_surface_modes; empty: none
  double mode_coupling = 0;        // excitation of the modes by the surface's deviation from its goal; 0: none
  std::vector<SurfaceModelPart> parts;
};

// Returns 1 / range^2 of a vertex, 1/m^2; 0 if there is none. A range of zero counts as a millionth of the height.
double inverse_squared_range(const SurfaceModel& model, std::size_t vertex);

// Length below which a spoke has no direction, metres.
double shortest_spoke(const SurfaceModel& model);

}  // namespace sinew
