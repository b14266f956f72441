// A few points of the surface on the path that the rig alone gives them: what estimates of a clip's motion look at.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// Numbers in [0, count), evenly spread, at most `most` of them, rising.
std::vector<int> spread_evenly(std::size_t count, std::size_t most);

class SampledSurface {
 public:
  // Both must outlive the object. Takes at most `most` vertices of the surface, or of its main figure, evenly spread.
  enum class Of { surface, main_figure };
  SampledSurface(const Character& character, const SimulationSurface& surface, std::size_t most, Of of = Of::surface);

  const std::vector<int>& vertices() const { return vertices_; }  // of the surface, rising
  std::size_t size() const { return vertices_.size(); }

  // Positions of the vertices at a time of the clip, metres, world. One thread at a time.
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
