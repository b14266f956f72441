// Measurements on a bent skin: volume, parts that pass through each other, stretch, thinnest section.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/rig/kept_volume.h"
#include "studies/skinning/bends.h"

namespace sinew {

class WindingNumber;

struct SkinMeasures {
  // Volume that the skin lost or gained, relative to the rest volume of the flesh around the bones that meet at the
  // bend's joints; NaN where the skin encloses none. Holes are closed off, and pieces on one bone left out, as in
  // KeptVolume.
  double volume_change = 0;
  int twice_inside = 0;         // vertices just below which the skin lies twice, and did not at rest
  double depth = 0;             // their distance from where the skin has nothing outside: 99.9th percentile, metres
  double stretch = 1;           // 99th percentile of lengths of edges over those at rest, around the joints
  double largest_stretch = 1;   // the largest of these
  double smallest_stretch = 1;  // and the smallest
  double thinnest = 1;          // of a twist: area of the thinnest section across the limb, over rest; else NaN
};

// The parts that measurements of one character share. Lengths are those of edges both of whose ends belong mostly to
// the bones that meet at the bend's joints.
class SkinMeasurement {
 public:
  // `surface` must outlive this.
  explicit SkinMeasurement(const SimulationSurface& surface);

  // Vertices that belong mostly to the bones of the bend and their parents.
  std::vector<int> around(const Bend& bend) const;
  // `bones`: rest space to world, as bent; `positions`: per vertex, metres, world.
  SkinMeasures measure(const Bend& bend, std::span<const Affine> bones, std::span<const Vec3> positions) const;

 private:
  std::vector<char> bones_of(const Bend& bend) const;
  double enclosed(std::span<const Affine> bones, std::span<const Vec3> positions) const;
  void measure_volume(const Bend& bend, std::span<const Affine> bones, std::span<const Vec3> positions,
                      SkinMeasures& result) const;
  void measure_overlap(std::span<const Vec3> positions, SkinMeasures& result) const;
  void measure_stretch(std::span<const int> vertices, std::span<const Vec3> positions, SkinMeasures& result) const;
  double thinnest_section(const LimbTurn& turn, std::span<const int> vertices, std::span<const Vec3> positions) const;
  std::vector<char> lies_twice(const TriangleMesh& closed, const WindingNumber& winding) const;

  const SimulationSurface& surface_;
  std::shared_ptr<const KeptVolume> kept_;
  TriangleMesh closed_;              // at rest, holes closed by fans
  double height_ = 1, volume_ = 0;   // metres; of the pieces that enclose one, cubic metres
  std::vector<double> around_bone_;  // per bone: volume of the flesh around it, cubic metres
  std::vector<char> twice_at_rest_;  // per vertex
};

}  // namespace sinew
