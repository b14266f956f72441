// A glTF 2.0 file, kept whole: the JSON as it came and the bytes of every buffer. Readers decode
// from it, writers copy it and change only what they mean to change (contract, clause 2).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace sinew {

struct GltfDocument {
  std::filesystem::path path;                   // as named by the user; external files are beside it
  std::unique_ptr<nlohmann::json> json;         // never null in a document that was read
  std::vector<std::vector<std::byte>> buffers;  // one per JSON buffers[]: from the GLB chunk, a data URI or a file
  bool binary = false;                          // the file was a GLB container (.glb, .vrm)

  GltfDocument();
  ~GltfDocument();
  GltfDocument(GltfDocument&&) noexcept;
  GltfDocument& operator=(GltfDocument&&) noexcept;
};

GltfDocument copy_of(const GltfDocument& document);

// What a buffer or image URI may name.
enum class ExternalFiles { beside_document, forbidden };

// Reads .glb, .vrm (a GLB by its first bytes, whatever its name) and .gltf with all of its buffers.
// A buffer may be longer than its byteLength (GLB padding); the rest is dropped. A fallback buffer
// of EXT_meshopt_compression without a URI is left empty. Images are not read, and may be missing.
//
// Throws input_error where the container or the JSON cannot be parsed, the version is not 2.x, a
// buffer is missing or short, a buffer or an image names anything but a file beside or below the document
// (uri_file.h), or `extensionsRequired` names an extension that Sinew does not know.
GltfDocument read_gltf_document(const std::filesystem::path& path);

// The same from memory; `path` serves for messages and as the place of external files.
GltfDocument parse_gltf_document(std::span<const std::byte> bytes, const std::filesystem::path& path,
                                 ExternalFiles external_files);

// Whether Sinew decodes the extension, or knows that it touches neither geometry nor motion.
bool knows_gltf_extension(std::string_view name);

}  // namespace sinew
