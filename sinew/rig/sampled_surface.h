// A few points of the surface along the motion of the rig, for estimates of a clip's motion.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// Numbers in [0, count), evenly spaced, at most `most` of them, ascending.
std::vector<int> spread_evenly(std::size_t count, std::size_t most);

class SampledSurface {
 public:
  // Both must outlive this object. Uses at most `most` vertices of the surface, or of its main figure, evenly spaced.
  enum class Of { surface, main_figure };
  SampledSurface(const Character& character, const SimulationSurface& surface, std::size_t most, Of of = Of::surface);

  const std::vector<int>& vertices() const { return vertices_; }  // of the surface, ascending
  std::size_t size() const { return vertices_.size(); }

  // Positions of the vertices at a time of the clip, metres, world. Must be called by one thread at a time.
  void at(const Clip& clip, double seconds, std::span<Vec3> positions);

 private:
  const Character& character_;
  const SimulationSurface& surface_;
  std::vector<int> vertices_;
  std::vector<Vec3> rest_;
  std::vector<Influences> influences_;
  SamplingSpace space_;
  Pose pose_;
  std::vector<Affine> bones_;
};

}  // namespace sinew
