// Animation of morph weights: the curves that the file has, and those of the flesh behind them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sinew/bake/output/morph_fit.h"
#include "sinew/bake/recording.h"
#include "sinew/character/character.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {

// Times of keys as glTF stores them: in single precision, and still strictly increasing.
std::vector<float> single_precision_times(const std::vector<double>& times);

class WeightsWriter {
 public:
  WeightsWriter(GltfEdit& edit, AccessorReader& reader, const Character& character)
      : edit_(&edit), reader_(&reader), character_(&character) {}

  // Puts the flesh weights of recording `index` into the animation that was recorded (viewers such as
  // Blender play one animation at a time), or into a new one for the rest pose. Keys are the recording's
  // times; where the node's weights are animated already, also the old keys: linear and step curves
  // stay what they were, cubic splines become linear between all those keys.
  void write_recording(const MorphFit& fit, std::span<const Recording> recordings, std::size_t index);

  // JSON indices: of the animation that was recorded, or a new one for the rest pose, and of key times.
  std::size_t animation_of(const Recording& recording);
  std::size_t times(const std::vector<double>& seconds);

  // In the animations that were not recorded, widens the weights of nodes that got targets by zeros.
  void widen_other_animations(const MorphFit& fit, std::span<const Recording> recordings);

 private:
  GltfEdit* edit_;
  AccessorReader* reader_;
  const Character* character_;
  std::map<std::vector<float>, std::size_t> times_;
  std::optional<std::size_t> rest_animation_;  // made when first asked for
};

}  // namespace sinew
