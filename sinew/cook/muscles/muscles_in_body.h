// Muscles cooked for a body of tetrahedra: which elements lie in them, and along which directions they pull.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/cook/muscles/muscle_file.h"
#include "sinew/deform/flesh/muscle_fibres.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// The tendon, or the flesh, that takes the pull of a muscle to the bone at one end: flesh does so over an area.
struct MuscleTendon {
  int muscle = -1;    // index into MusclesInBody::file
  double length = 0;  // of the tendon, metres
  // Tetrahedra, ascending, with the area on which the muscle's stress acts per volume of the tetrahedron, 1/m.
  std::vector<std::pair<int, double>> pull;
};

struct MusclesInBody {
  MuscleFile file;                // the muscles that lie in the body
  MuscleFibres fibres;            // their muscles' stress is that of the files, or 0 where it follows the flesh
  std::vector<double> share;      // per tetrahedron: of its volume that lies in muscles, 0 to 1; empty: no muscles
  std::vector<double> stiffness;  // per tetrahedron: multiplier of Young's modulus; empty: no muscles
  std::vector<double> tendon;     // per tetrahedron: share that is tendon of a muscle; empty: no muscles
  std::vector<MuscleTendon> tendons;

  bool empty() const { return share.empty(); }
};

// Poisson's ratio inside muscles, whose volume is nearly constant.
inline constexpr double muscle_poisson = 0.49;

// Treatment of a muscle that passes through no flesh.
enum class MissingFlesh { refuse, leave_out };

struct BodyOfMuscles {
  const TetrahedralMesh& mesh;               // rest space, metres
  std::span<const double> inside{};          // per tetrahedron: share of its volume inside the body; empty: all of it
  std::span<const char> core;                // per vertex: whether it is fixed to its bone
  std::span<const Influences> influences{};  // per vertex; empty: muscles are attached by their tendons alone
};

// Throws input_error naming file, muscle and remedy where a muscle has no length, lies in no flesh, or is attached to a
// joint that the skin does not follow.
MusclesInBody muscles_in_body(const MuscleFile& file, const SimulationSurface& surface, const BodyOfMuscles& body,
                              MissingFlesh missing = MissingFlesh::refuse);

// Origin, path and insertion, rest space, metres.
std::vector<Vec3> places_of(const Muscle& muscle);
// The radius of the spindle, or half the width of a bar that has the volume and length of the surface, roughly. Metres.
double thickness_of(const Muscle& muscle);

// Index into SimulationSurface::bones of the bone of a joint. Throws input_error naming file, muscle and remedy.
int bone_of_end(const MuscleFile& file, const Muscle& muscle, const MuscleEnd& end, const SimulationSurface& surface);

}  // namespace sinew
