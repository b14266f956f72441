// Writes animated morph weights: the file's own curves, followed by those of the flesh.
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

// Name of the animation of flesh in the rest pose.
inline constexpr const char* flesh_at_rest = "flesh";

// Key times in single precision, as glTF stores them, kept strictly increasing.
std::vector<float> single_precision_times(const std::vector<double>& times);

class WeightsWriter {
 public:
  WeightsWriter(GltfEdit& edit, AccessorReader& reader, const Character& character)
      : edit_(&edit), reader_(&reader), character_(&character) {}

  // Puts the flesh weights of recording `index` into the recorded animation (viewers such as Blender play one animation
  // at a time), or into a new one for the rest pose. Keys are at the recording's times and, if the node's weights are
  // animated already, also at the old keys: linear and step curves keep their shape, cubic splines become linear
  // between all those keys.
  void write_recording(const MorphFit& fit, std::span<const Recording> recordings, std::size_t index);

  // JSON indices of the recorded animation (or a new one for the rest pose) and of the accessor of key times.
  std::size_t animation_of(const Recording& recording);
  std::size_t times(const std::vector<double>& seconds);

  // Appends zeros to the weights of nodes that got targets in animations that were not recorded, and to those of their
  // meshes that channels with a pointer move.
  void widen_other_animations(const MorphFit& fit, std::span<const Recording> recordings);

 private:
  void widen(nlohmann::json& sampler, std::size_t components, std::size_t added);
  void widen_weights_of_meshes(const MorphFit& fit);

  GltfEdit* edit_;
  AccessorReader* reader_;
  const Character* character_;
  std::map<std::vector<float>, std::size_t> times_;
  std::optional<std::size_t> rest_animation_;  // created when first needed
};

}  // namespace sinew
