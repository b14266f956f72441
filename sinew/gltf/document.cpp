#include "sinew/gltf/document.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/gltf/glb.h"
#include "sinew/gltf/read/read_json.h"
#include "sinew/gltf/read/read_uri.h"
#include "sinew/gltf/uri_file.h"

namespace sinew {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t glb_header_size = 12, chunk_header_size = 8;

// Deeper documents are refused, because recursive walks over them, here or in other programs, would overflow the stack.
// glTF itself needs fewer than ten levels outside of extras.
constexpr int max_json_depth = 200;

std::uint32_t little_endian_word(Bytes bytes, std::size_t offset) {
  std::array<unsigned char, 4> b{};
  std::memcpy(b.data(), bytes.data() + offset, 4);
  return static_cast<std::uint32_t>(b[0]) | static_cast<std::uint32_t>(b[1]) << 8 |
         static_cast<std::uint32_t>(b[2]) << 16 | static_cast<std::uint32_t>(b[3]) << 24;
}

bool is_glb(Bytes bytes) { return bytes.size() >= 4 && little_endian_word(bytes, 0) == glb_magic; }

struct Container {
  Bytes json;
  std::optional<Bytes> binary;
};

// glTF 2.0 section 4.4: header, JSON chunk, optional BIN chunk, chunks of unknown type.
Container open_glb(Bytes bytes, const std::string& file) {
  const auto fail = [&](const std::string& text) {
    return input_error(file + ": " + text + "; the file was cut off or damaged, copy or export it again.");
  };
  if (bytes.size() < glb_header_size) throw fail("the GLB header is cut off");
  const std::uint32_t version = little_endian_word(bytes, 4), length = little_endian_word(bytes, 8);
  if (version != 2)
    throw input_error(file + ": is a GLB container of version " + std::to_string(version) +
                      ", Sinew reads version 2; export it as glTF 2.0.");
  if (length > bytes.size())
    throw fail("the GLB header announces " + std::to_string(length) + " bytes, but the file has " +
               std::to_string(bytes.size()));
  if (length < glb_header_size + chunk_header_size) throw fail("the GLB container has no JSON chunk");

  Container container;
  std::size_t offset = glb_header_size;
  for (int chunk = 0; offset < length; ++chunk) {
    const std::string name = "GLB chunk " + std::to_string(chunk);
    if (length - offset < chunk_header_size) throw fail("the header of " + name + " is cut off");
    const std::uint32_t size = little_endian_word(bytes, offset), type = little_endian_word(bytes, offset + 4);
    offset += chunk_header_size;
    if (size > length - offset) throw fail(name + " is longer than the file");
    if (size % 4 != 0) throw fail(name + " has a length that is not a multiple of 4");
    const Bytes content = bytes.subspan(offset, size);
    offset += size;
    if ((chunk == 0) != (type == json_chunk))
      throw fail("the first chunk, and no other, must be the JSON chunk; " + name + " breaks that");
    if (type == json_chunk) container.json = content;
    if (type != binary_chunk) continue;
    if (chunk != 1) throw fail("the binary chunk must be the second one, but is " + name);
    container.binary = content;
  }
  return container;
}

int json_depth(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

nlohmann::json parse_json(Bytes bytes, const std::string& file) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (json_depth(text) > max_json_depth)
    throw input_error(file + ": the JSON is nested more than " + std::to_string(max_json_depth) +
                      " levels deep; remove the extras that nest so deeply.");
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw input_error(file + ": is neither a GLB container nor valid JSON (byte " + std::to_string(error.byte) +
                      "); export it as glTF again.");
  } catch (const nlohmann::json::exception&) {
    // For example a number too large for a double.
    throw input_error(file + ": holds JSON that cannot be represented; export the file again.");
  }
}

void check_version(const JsonView& root) {
  const std::string version = root.require_object().at("asset").at("version").to_string();
  if (version.size() < 3 || version.substr(0, 2) != "2.")
    throw root.error("says glTF version \"" + version + "\"; Sinew reads 2.0, convert the file first.");
  const auto minimum = root.at("asset").find("minVersion");
  if (minimum && minimum->to_string() != "2.0")
    throw minimum->error("asks for a newer glTF than 2.0; export the file for 2.0.");
}

}  // namespace

bool knows_gltf_extension(std::string_view name) {
  // Extensions that are decoded.
  constexpr std::array<std::string_view, 4> decoded = {"KHR_mesh_quantization", "EXT_meshopt_compression",
                                                       "KHR_draco_mesh_compression", "KHR_animation_pointer"};
  // Extensions about neither mesh geometry nor node motion: appearance, sound, collision, behaviour, visibility,
  // metadata. They pass through.
  constexpr std::array<std::string_view, 29> harmless = {"KHR_materials_",
                                                         "KHR_texture_",
                                                         "EXT_texture_",
                                                         "MSFT_texture_",
                                                         "KHR_lights_",
                                                         "EXT_lights_",
                                                         "KHR_xmp",
                                                         "VRM",
                                                         "KHR_audio",
                                                         "ADOBE_materials_",
                                                         "EXT_materials_",
                                                         "NV_materials_",
                                                         "KHR_environment_map",
                                                         "KHR_techniques_webgl",
                                                         "MSFT_lod",
                                                         "MSFT_audio",
                                                         "MSFT_packing_",
                                                         "KHR_node_",
                                                         "KHR_interactivity",
                                                         "KHR_physics_",
                                                         "KHR_collision_",
                                                         "KHR_implicit_shape",
                                                         "OMI_",
                                                         "GODOT_",
                                                         "FB_",
                                                         "MOZ_",
                                                         "EXT_mesh_gpu_instancing",
                                                         "EXT_structural_metadata",
                                                         "EXT_mesh_features"};
  if (std::find(decoded.begin(), decoded.end(), name) != decoded.end()) return true;
  return std::any_of(harmless.begin(), harmless.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

namespace {

void check_required_extensions(const JsonView& root) {
  for (const JsonView& extension : root.elements("extensionsUsed")) extension.to_string();
  for (const JsonView& extension : root.elements("extensionsRequired")) {
    const std::string name = extension.to_string();
    if (!knows_gltf_extension(name))
      throw extension.error("is \"" + name + "\", which Sinew does not know; export the file without it.");
  }
}

std::vector<std::byte> resolve_uri(const JsonView& uri_view, const GltfDocument& document, ExternalFiles external) {
  const std::string uri = uri_view.to_string();
  if (is_data_uri(uri)) {
    if (auto bytes = decode_data_uri(uri)) return std::move(*bytes);
    throw uri_view.error("is a damaged data URI; export the file again.");
  }
  if (external == ExternalFiles::forbidden)
    throw uri_view.error(
        "names a file, but this document may not read other files; pack it as GLB, or give the folder of its files.");
  const UriFile file = file_of_uri(uri, document.path);
  if (!file.refusal.empty()) throw uri_view.error(file.refusal);
  if (file.path.empty())
    throw uri_view.error("names the file \"" + uri + "\", which does not exist beside the document; put it there.");
  return read_file(file.path);
}

// Only writers read images, but an image outside the allowed folders is refused here, so that whatever `check` accepts,
// `animate` can write. A missing image is accepted, since motion needs no images.
void check_images(const GltfDocument& document, const JsonView& root) {
  const auto images = root.find("images");
  if (!images || !images->value().is_array()) return;
  for (const JsonView& image : root.elements("images")) {
    if (!image.value().is_object() || !image.has("uri") || !image.at("uri").value().is_string()) continue;
    const JsonView uri_view = image.at("uri");
    const std::string uri = uri_view.to_string();
    if (is_data_uri(uri)) continue;
    const UriFile file = file_of_uri(uri, document.path);
    if (!file.refusal.empty()) throw uri_view.error(file.refusal);
  }
}

// A buffer without a URI that is not the GLB's own is a placeholder, for example for EXT_meshopt_compression's
// fallback. It stays empty, and readers that need its bytes report it.
void load_buffers(GltfDocument& document, const JsonView& root, const std::optional<Bytes>& binary,
                  ExternalFiles external) {
  const std::vector<JsonView> buffers = root.elements("buffers");
  document.buffers.resize(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const JsonView& buffer = buffers[i].require_object();
    const std::size_t length = buffer.at("byteLength").to_integer();
    const auto uri = buffer.find("uri");
    const bool fallback = buffer.has("extensions") && buffer.at("extensions").has("EXT_meshopt_compression");
    const bool in_container = i == 0 && !uri && document.binary;
    if (uri)
      document.buffers[i] = resolve_uri(*uri, document, external);
    else if (in_container && binary)
      document.buffers[i].assign(binary->begin(), binary->end());
    else if (in_container && !fallback)
      throw buffer.error("should be in the GLB's binary chunk, but there is none; export the file again.");
    else
      continue;
    if (document.buffers[i].size() < length)
      throw buffer.error("should have " + std::to_string(length) + " bytes, but has " +
                         std::to_string(document.buffers[i].size()) + "; the data was cut off, export it again.");
    document.buffers[i].resize(length);
  }
}

}  // namespace

GltfDocument::GltfDocument() : json(std::make_unique<nlohmann::json>()) {}
GltfDocument::~GltfDocument() = default;
GltfDocument::GltfDocument(GltfDocument&&) noexcept = default;
GltfDocument& GltfDocument::operator=(GltfDocument&&) noexcept = default;

GltfDocument copy_of(const GltfDocument& document) {
  GltfDocument copy;
  copy.path = document.path;
  *copy.json = *document.json;
  copy.buffers = document.buffers;
  copy.binary = document.binary;
  return copy;
}

GltfDocument parse_gltf_document(Bytes bytes, const std::filesystem::path& path, ExternalFiles external_files) {
  const std::string file = path.string();
  GltfDocument document;
  document.path = path;
  document.binary = is_glb(bytes);
  Container container{bytes, std::nullopt};
  if (document.binary) container = open_glb(bytes, file);
  *document.json = parse_json(container.json, file);
  const JsonView root(file, *document.json, "");
  check_version(root);
  check_required_extensions(root);
  load_buffers(document, root, container.binary, external_files);
  if (external_files == ExternalFiles::beside_document) check_images(document, root);
  return document;
}

GltfDocument read_gltf_document(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return parse_gltf_document(bytes, path, ExternalFiles::beside_document);
}

}  // namespace sinew
