// Reads a character's materials as far as pictures show them: colours, the texture of the base colour, cut-outs and
// transparency.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sinew/files/texture.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

// One material per JSON materials[]. If a picture is missing, damaged or too large, its materials keep their plain
// colours and a sentence is added to the notes.
std::vector<SurfaceMaterial> read_materials(const GltfDocument& document, std::vector<std::string>& notes);

// The texture that colours a material, with its texture coordinates; empty if it has plain colours. A material whose
// only texture is emissive uses that one.
struct ColorTexture {
  std::size_t texture = 0;                                     // index in the JSON's textures[]
  std::size_t coordinates = 0;                                 // n of TEXCOORD_n
  double offset[2] = {0, 0}, scale[2] = {1, 1}, rotation = 0;  // KHR_texture_transform
  bool emissive = false;
};
std::optional<ColorTexture> color_texture(const JsonView& material);

}  // namespace sinew
