// Measures of visible defects in a bake, from the moving surface and the same surface posed by the rig alone. Each is
// the worst over all frames; docs/baking.md, Quality, defines them and gives good values.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/bake/run_report.h"
#include "sinew/character/character.h"
#include "sinew/mesh/rigid_fit.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// The surface to measure.
struct QualitySurface {
  std::vector<Triangle> triangles;
  std::vector<int> bone;  // per vertex: the bone with a weight above 0.99, or -1
  // The rig's surface at rest, metres, world, for the character's size if the first frame shows it scaled to less than
  // a tenth. Empty: the first frame decides the size.
  std::vector<Vec3> rest{};
  // Per vertex: 1 for the main character, whose size counts, if the file shows several. Empty: there is only one.
  std::vector<char> main{};
};

// Accumulates the frames of a clip in order. The result has the same bits for any number of threads.
class QualityMeter {
 public:
  explicit QualityMeter(QualitySurface surface);

  // Adds a frame: positions by the rig and as displayed, metres, world. `behind_cut`: the rig is cut between the
  // previous frame and this one, so that no velocity is taken across.
  void add(std::span<const Vec3> rig, std::span<const Vec3> displayed, bool behind_cut = false);

  // The result for all frames so far; there must be at least one.
  Quality result() const;

 private:
  struct RigidPiece {
    RigidGroup group;
    double extent = 0, spread = 0;  // metres, in the first frame: size of its box; RMS distance from its centre
    double fit_error = 0, largest_spread = 0;  // maxima over all frames
  };
  // A point of such a piece, and the place on a triangle of other skin where it lies (barycentric coordinates).
  struct OnSkin {
    int vertex = -1, triangle = -1;
    std::array<double, 3> place{};
    // In metres, across the skin: the rig's distance from the skin where the point was found; its largest change by the
    // rig in any frame (apart from scaling with the character); and the largest change by the flesh.
    double height = 0, moved_by_rig = 0, sunk = 0;
    double doubled_area = 0;  // doubled area of the triangle as the point was found, square metres
  };
  struct Faces {
    double rig = 0, displayed = 0;  // six times the volume
    int flips = 0;
  };

  void begin(std::span<const Vec3> rig);
  double size_of(std::span<const Vec3> positions) const;
  void measure_vertices(std::span<const Vec3> rig, std::span<const Vec3> displayed);
  void measure_edges(std::span<const Vec3> rig, std::span<const Vec3> displayed);
  void measure_faces(std::span<const Vec3> rig, std::span<const Vec3> displayed);
  void measure_pieces(std::span<const Vec3> rig);
  void find_points_on_skin(std::span<const Vec3> rig);
  Vec3 across_skin(const OnSkin& point, std::span<const Vec3> positions) const;
  double height_over_skin(const OnSkin& point, std::span<const Vec3> positions, const Vec3& across) const;
  void measure_points_on_skin(std::span<const Vec3> rig);

  QualitySurface surface_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<RigidPiece> pieces_;
  std::vector<OnSkin> on_skin_;
  double size_ = 0;                                      // largest extent of the first frame's rig, metres
  int frames_ = 0, since_cut_ = 0;                       // all; and since the last cut
  std::vector<Vec3> first_rig_, first_;                  // first frame: rig, displacement
  std::array<std::vector<Vec3>, 3> rig_, displacement_;  // last three frames, by frame modulo 3
  std::vector<double> farthest_;                         // per vertex, squared: metres^2
  double travelled_ = 0, jerk_ = 0, rig_jerk_ = 0;       // squared
  double stretch_ = 0, worst_ = 0;                       // squared; 0: no edge was long enough
  std::vector<double> ratios_;                           // stretch of a frame, squared, per edge; 0: too short
  std::vector<double> beyond_;
  Quality now_;
};

// The surface of recorded parts, in sequence.
QualitySurface quality_surface(const Character& character, std::span<const PartRecording> parts);

// Measures a recording of this character against its rig, morph targets included. `cuts`: those of the recorded clip.
Quality measure_quality(const Character& character, const Recording& recording, std::span<const CutReport> cuts = {});

// The worst of each figure over several clips.
Quality worst_of(std::span<const Quality> clips);

}  // namespace sinew
