#include "sinew/gltf/write/write_container.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/gltf/glb.h"
#include "sinew/gltf/read/read_uri.h"
#include "sinew/gltf/uri_file.h"

namespace sinew {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

bool is_binary(const fs::path& out) { return lower_case_ending(out) != ".gltf"; }

bool same_existing_file(const fs::path& a, const fs::path& b) {
  std::error_code status;
  return fs::equivalent(a, b, status) && !status;
}

// Existing files that the document refers to.
std::vector<fs::path> files_of(const GltfDocument& document) {
  std::vector<fs::path> files{document.path};
  for (const char* kind : {"buffers", "images"}) {
    if (!document.json->contains(kind)) continue;
    for (const Json& entry : (*document.json)[kind]) {
      if (!entry.is_object() || !entry.contains("uri") || !entry["uri"].is_string()) continue;
      const auto uri = entry["uri"].get<std::string>();
      if (is_data_uri(uri)) continue;
      if (const UriFile file = file_of_uri(uri, document.path); !file.path.empty()) files.push_back(file.path);
    }
  }
  return files;
}

std::string percent_encoded(std::string_view name) {
  constexpr std::string_view plain = "-._~/!$&'()*+,;=@", digits = "0123456789ABCDEF";
  std::string uri;
  for (char letter : name) {
    const auto code = static_cast<unsigned char>(letter);
    const bool alphanumeric =
        (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
    if (alphanumeric || plain.find(letter) != std::string_view::npos) {
      uri += letter;
    } else {
      uri += '%';
      uri += digits[code >> 4];
      uri += digits[code & 15];
    }
  }
  return uri;
}

bool starts_with(std::span<const std::byte> bytes, std::string_view text, std::size_t offset = 0) {
  if (bytes.size() < offset + text.size()) return false;
  return std::equal(text.begin(), text.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                    [](char letter, std::byte byte) { return static_cast<std::byte>(letter) == byte; });
}

std::optional<std::string> image_type(std::span<const std::byte> bytes) {
  if (starts_with(bytes, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (starts_with(bytes, "\xff\xd8\xff")) return "image/jpeg";
  if (starts_with(bytes, "RIFF") && starts_with(bytes, "WEBP", 8)) return "image/webp";
  if (starts_with(bytes, "\xabKTX 20\xbb\r\n\x1a\n")) return "image/ktx2";
  if (starts_with(bytes, "DDS ")) return "image/vnd-ms.dds";
  return std::nullopt;
}

fs::path folder_of(const fs::path& file) { return fs::absolute(file).parent_path().lexically_normal(); }

// The URI of an input image relative to the output's folder; empty if it would climb out of it.
std::string uri_from(const fs::path& out, const fs::path& document, const std::string& uri) {
  const fs::path source = folder_of(document) / decode_percent(uri).value_or(uri);
  const fs::path name = source.lexically_normal().lexically_relative(folder_of(out));
  return name.empty() || *name.begin() == ".." ? std::string() : percent_encoded(name.generic_string());
}

// Image files beside the input are packed into a binary output, and into any output from whose folder their names would
// climb, since such names are not read (uri_file.h). Missing files and files that are not pictures keep their names,
// relative to the output's folder where they are below it.
void place_image(GltfEdit& edit, Json& image, const fs::path& out, bool binary) {
  if (!image.is_object() || !image.contains("uri") || !image["uri"].is_string()) return;
  const auto uri = image["uri"].get<std::string>();
  const fs::path& document = edit.document().path;
  if (is_data_uri(uri)) return;
  const UriFile file = file_of_uri(uri, document);
  if (!file.refusal.empty()) return;
  const bool has_folder = !is_standard_output(out);
  const std::string name = has_folder ? uri_from(out, document, uri) : std::string();
  if (!file.path.empty() && (binary || name.empty())) {
    const std::vector<std::byte> bytes = read_file(file.path);
    if (const std::optional<std::string> type = image_type(bytes)) {
      image["bufferView"] = edit.add_view(bytes);
      image["mimeType"] = *type;
      image.erase("uri");
      return;
    }
  }
  if (!name.empty() && has_folder && folder_of(document) != folder_of(out)) image["uri"] = name;
}

// The new place of each buffer.
struct Placement {
  std::size_t buffer = 0, offset = 0;
};

void place_view(Json& view, const std::vector<Placement>& placements) {
  if (!view.is_object() || !view.contains("buffer")) return;
  const Placement& placement = placements.at(view["buffer"].get<std::size_t>());
  view["buffer"] = placement.buffer;
  if (placement.offset > 0) view["byteOffset"] = placement.offset + view.value("byteOffset", std::size_t{0});
}

// Joins all buffers with data. Buffers without (fallbacks of compressed views) stay separate entries.
std::vector<std::byte> join_buffers(GltfEdit& edit) {
  Json& json = edit.json();
  const std::vector<std::vector<std::byte>>& sources = edit.document().buffers;
  std::vector<std::byte> joined;
  std::vector<Placement> placements;
  Json buffers = Json::array({Json::object()});
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Json& old = json["buffers"][i];
    if (sources[i].empty() && !old.contains("uri")) {
      placements.push_back({buffers.size(), 0});
      buffers.push_back(old);
      continue;
    }
    if (joined.empty()) buffers[0] = old;  // keeps its name and extras
    joined.resize((joined.size() + 3) / 4 * 4);
    placements.push_back({0, joined.size()});
    joined.insert(joined.end(), sources[i].begin(), sources[i].end());
  }
  joined.resize((joined.size() + 3) / 4 * 4);
  placements.push_back({0, joined.size()});
  joined.insert(joined.end(), edit.added().begin(), edit.added().end());
  buffers[0].erase("uri");
  buffers[0]["byteLength"] = joined.size();

  if (json.contains("bufferViews"))
    for (Json& view : json["bufferViews"]) {
      place_view(view, placements);
      if (view.contains("extensions"))
        for (auto& [name, extension] : view["extensions"].items()) place_view(extension, placements);
    }
  if (joined.empty())
    json.erase("buffers");
  else
    json["buffers"] = std::move(buffers);
  return joined;
}

void append_word(std::vector<std::byte>& bytes, std::size_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(value >> shift & 0xFFU));
}

void append_chunk(std::vector<std::byte>& bytes, std::uint32_t type, std::span<const std::byte> data, char padding) {
  append_word(bytes, (data.size() + 3) / 4 * 4);
  append_word(bytes, type);
  bytes.insert(bytes.end(), data.begin(), data.end());
  bytes.resize((bytes.size() + 3) / 4 * 4, static_cast<std::byte>(padding));
}

std::vector<std::byte> glb(const std::string& json, std::span<const std::byte> binary, const fs::path& out) {
  constexpr std::uint32_t version = 2;
  const std::size_t total = 12 + 8 + (json.size() + 3) / 4 * 4 + (binary.empty() ? 0 : 8 + (binary.size() + 3) / 4 * 4);
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw usage_error(out.string() +
                      ": would be larger than the 4 GiB that a .glb can hold; write a .gltf, or fewer "
                      "targets with --morphs.");
  std::vector<std::byte> bytes;
  bytes.reserve(total);
  append_word(bytes, glb_magic);
  append_word(bytes, version);
  append_word(bytes, total);
  append_chunk(bytes, json_chunk, std::as_bytes(std::span(json)), ' ');
  if (!binary.empty()) append_chunk(bytes, binary_chunk, binary, '\0');
  return bytes;
}

// A path beside `out` that is not a file of the input.
fs::path binary_name(const GltfDocument& document, const fs::path& out) {
  fs::path name = fs::path(out).replace_extension(".bin");
  for (const fs::path& file : files_of(document))
    if (same_existing_file(file, name)) return out.parent_path() / (out.stem().string() + "_flesh.bin");
  return name;
}

}  // namespace

void check_gltf_output(const GltfDocument& document, const fs::path& out) {
  const std::string ending = lower_case_ending(out);
  if (!is_standard_output(out) && ending != ".glb" && ending != ".vrm" && ending != ".gltf")
    throw usage_error(out.string() + ": is not named like a glTF file; use the ending .glb, .gltf or .vrm.");
  for (const fs::path& file : files_of(document))
    if (same_existing_file(file, out))
      throw usage_error(out.string() +
                        ": belongs to the input, which is never overwritten; choose another name with -o.");
}

std::vector<std::byte> glb_bytes(GltfEdit& edit, const fs::path& name) {
  Json& json = edit.json();
  if (json.contains("images"))
    for (Json& image : json["images"]) place_image(edit, image, name, true);
  const std::vector<std::byte> binary = join_buffers(edit);
  return glb(json.dump(), binary, name);
}

std::size_t write_gltf_files(GltfEdit& edit, const fs::path& named) {
  // Readers that follow a link look beside its target, too.
  const std::optional<OutputPlace> place = output_place(named);
  const fs::path out = place && place->kind == OutputPlace::Kind::file ? place->target : named;
  if (is_binary(named)) {
    const std::vector<std::byte> bytes = glb_bytes(edit, out);
    write_file(out, bytes);
    return bytes.size();
  }
  Json& json = edit.json();
  if (json.contains("images"))
    for (Json& image : json["images"]) place_image(edit, image, out, false);
  const std::vector<std::byte> binary = join_buffers(edit);
  if (!binary.empty()) {
    const fs::path binary_path = binary_name(edit.document(), out);
    json["buffers"][0]["uri"] = percent_encoded(binary_path.filename().string());
    write_file(binary_path, binary);
  }
  const std::string text = json.dump(1, '\t');
  write_text_file(out, text);
  return text.size() + binary.size();
}

}  // namespace sinew
