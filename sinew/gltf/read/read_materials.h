// What a character's materials look like, as far as Sinew's pictures show it: colours, the picture that colours the
// surface, what is cut out or seen through. Nothing but pictures needs them, and so they are read for these alone.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sinew/files/texture.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

// One per JSON materials[]. A picture that is missing, damaged or too large leaves its materials' plain colours, and a
// sentence among the notes.
std::vector<SurfaceMaterial> read_materials(const GltfDocument& document, std::vector<std::string>& notes);

// The texture that colours a material, and which coordinates it takes; nothing where it has plain colours. Where a
// material shines by a texture and has none else, it is that one.
struct ColorTexture {
  std::size_t texture = 0;                                     // index in the JSON's textures[]
  std::size_t coordinates = 0;                                 // n of TEXCOORD_n
  double offset[2] = {0, 0}, scale[2] = {1, 1}, rotation = 0;  // KHR_texture_transform
  bool emissive = false;
};
std::optional<ColorTexture> color_texture(const JsonView& material);

}  // namespace sinew
