// A glTF 2.0 file with all its content: the original JSON and the bytes of every buffer. Readers decode from it;
// writers copy it and change only what they mean to change (contract, clause 2).
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
  std::filesystem::path path;                   // as the user named it; external files are relative to it
  std::unique_ptr<nlohmann::json> json;         // never null after reading
  std::vector<std::vector<std::byte>> buffers;  // one per JSON buffers[], from the GLB chunk, a data URI or a file
  bool binary = false;                          // the file was a GLB container (.glb, .vrm)

  GltfDocument();
  ~GltfDocument();
  GltfDocument(GltfDocument&&) noexcept;
  GltfDocument& operator=(GltfDocument&&) noexcept;
};

GltfDocument copy_of(const GltfDocument& document);

// Policy for buffer and image URIs that name external files.
enum class ExternalFiles { beside_document, forbidden };

// Reads .glb, .vrm (binary by its first bytes, whatever the name) and .gltf, with all buffers. Bytes beyond a buffer's
// byteLength (GLB padding) are dropped. A fallback buffer of EXT_meshopt_compression without a URI stays empty. Images
// are not read and may be missing.
//
// Throws input_error if the container or the JSON cannot be parsed, the version is not 2.x, a buffer is missing or
// short, a buffer or image names anything but a file beside or below the document (uri_file.h), or `extensionsRequired`
// names an unknown extension.
GltfDocument read_gltf_document(const std::filesystem::path& path);

// Reads from memory; `path` is used in messages and to find external files.
GltfDocument parse_gltf_document(std::span<const std::byte> bytes, const std::filesystem::path& path,
                                 ExternalFiles external_files);

// True if Sinew decodes the extension, or it affects neither geometry nor motion.
bool knows_gltf_extension(std::string_view name);

}  // namespace sinew
