#include "sinew/gltf/read/read_materials.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_uri.h"
#include "sinew/gltf/uri_file.h"

namespace sinew {
namespace {

// Limit for all unpacked pictures of a character together.
constexpr std::size_t most_pixels_in_all = std::size_t{1} << 27;

// An optional extension of `place`.
std::optional<JsonView> extension_of(const JsonView& place, const char* name) {
  const auto extensions = place.find("extensions");
  return extensions ? extensions->find(name) : std::nullopt;
}

ColorTexture texture_reference(const JsonView& info) {
  ColorTexture result;
  result.texture = info.at("index").to_integer();
  result.coordinates = info.integer_or("texCoord", 0);
  const auto transform = extension_of(info, "KHR_texture_transform");
  if (!transform) return result;
  result.coordinates = transform->integer_or("texCoord", result.coordinates);
  if (const auto offset = transform->numbers("offset", 2)) std::copy_n(offset->begin(), 2, result.offset);
  if (const auto scale = transform->numbers("scale", 2)) std::copy_n(scale->begin(), 2, result.scale);
  if (const auto rotation = transform->find("rotation")) result.rotation = rotation->to_number();
  return result;
}

Vec3 color_of(const std::vector<double>& numbers) { return {numbers[0], numbers[1], numbers[2]}; }

// The stored bytes of an image. Throws input_error with the fault alone if they are not available.
class ImageFiles {
 public:
  explicit ImageFiles(const GltfDocument& document)
      : document_(document),
        images_(JsonView(document.path.string(), *document.json, "").elements("images")),
        accessors_(document) {}
  std::size_t count() const { return images_.size(); }

  std::string name(std::size_t image) const {
    const std::string named = images_[image].string_or("name", images_[image].string_or("uri", "").substr(0, 80));
    return named.empty() || is_data_uri(named) ? std::to_string(image) : named;
  }

  std::vector<std::byte> read(std::size_t image) {
    if (const auto view = images_[image].index("bufferView", accessors_.buffer_view_count(), "buffer view")) {
      const std::span<const std::byte> bytes = accessors_.buffer_view(*view);
      return {bytes.begin(), bytes.end()};
    }
    const std::string uri = images_[image].at("uri").to_string();
    if (is_data_uri(uri)) {
      if (auto bytes = decode_data_uri(uri)) return std::move(*bytes);
      throw input_error("is a damaged data URI");
    }
    const UriFile file = file_of_uri(uri, document_.path);
    if (file.path.empty()) throw input_error("is not there");
    return read_file(file.path);
  }

 private:
  const GltfDocument& document_;
  std::vector<JsonView> images_;
  AccessorReader accessors_;
};

constexpr std::size_t nearest_filter = 9728;  // glTF 2.0 section 5.26

TextureWrap wrap_from(std::size_t code) {
  if (code == 33071) return TextureWrap::clamp;
  return code == 33648 ? TextureWrap::mirror : TextureWrap::repeat;
}

// The image of a texture, by core glTF or by the WebP extension.
std::optional<std::size_t> image_of(const JsonView& texture, std::size_t images) {
  if (const auto webp = extension_of(texture, "EXT_texture_webp"))
    if (const auto source = webp->index("source", images, "image")) return source;
  return texture.index("source", images, "image");
}

Vec3 emission_of(const JsonView& material) {
  return color_of(material.numbers("emissiveFactor", 3).value_or(std::vector<double>(3)));
}

SurfaceMaterial plain_material(const JsonView& view) {
  SurfaceMaterial material;
  std::vector<double> color{1, 1, 1, 1};
  if (const auto model = view.find("pbrMetallicRoughness"))
    color = model->numbers("baseColorFactor", 4).value_or(color);
  else if (const auto glossy = extension_of(view, "KHR_materials_pbrSpecularGlossiness"))
    color = glossy->numbers("diffuseFactor", 4).value_or(color);
  material.base_color = color_of(color);
  material.opacity = color[3];
  const std::string mode = view.string_or("alphaMode", "OPAQUE");
  if (mode == "MASK") material.alpha_mode = AlphaMode::mask;
  if (mode == "BLEND") material.alpha_mode = AlphaMode::blend;
  if (const auto cutoff = view.find("alphaCutoff")) material.alpha_cutoff = cutoff->to_number();
  if (!view.has("emissiveTexture")) material.emission = emission_of(view);
  return material;
}

MaterialTexture texture_settings(const JsonView& texture, const std::vector<JsonView>& samplers) {
  MaterialTexture settings;
  if (const auto sampler = texture.index("sampler", samplers.size(), "sampler")) {
    settings.wrap_u = wrap_from(samplers[*sampler].integer_or("wrapS", 0));
    settings.wrap_v = wrap_from(samplers[*sampler].integer_or("wrapT", 0));
    settings.nearest = samplers[*sampler].integer_or("magFilter", 0) == nearest_filter;
  }
  return settings;
}

// The pictures of the images that are needed; null for those that are not available.
std::vector<std::shared_ptr<const Texture>> unpack_images(ImageFiles& files, const std::vector<bool>& wanted,
                                                          std::vector<std::string>& notes) {
  std::vector<std::vector<std::byte>> stored(files.count());
  std::vector<std::string> faults(files.count());
  for (std::size_t i = 0; i < files.count(); ++i)
    if (wanted[i]) try {
        stored[i] = files.read(i);
      } catch (const Error& error) {
        faults[i] = error.what();
      }
  const auto images = static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), true));
  const std::size_t affordable = most_pixels_in_all / std::max<std::size_t>(images, 2);
  std::vector<std::shared_ptr<const Texture>> pictures(files.count());
  parallel_for(files.count(), 1, [&](std::size_t i) {
    if (!wanted[i] || !faults[i].empty()) return;
    try {
      pictures[i] = std::make_shared<const Texture>(decode_texture(stored[i], affordable));
    } catch (const Error& error) {
      faults[i] = error.what();
    }
  });
  for (std::size_t i = 0; i < files.count(); ++i)
    if (!faults[i].empty())
      notes.push_back("image '" + files.name(i) + "' " + faults[i] + "; the preview shows plain colours in its place.");
  return pictures;
}

}  // namespace

std::optional<ColorTexture> color_texture(const JsonView& material) {
  if (const auto model = material.find("pbrMetallicRoughness"))
    if (const auto info = model->find("baseColorTexture")) return texture_reference(*info);
  if (const auto glossy = extension_of(material, "KHR_materials_pbrSpecularGlossiness"))
    if (const auto info = glossy->find("diffuseTexture")) return texture_reference(*info);
  const auto shining = material.find("emissiveTexture");
  if (!shining) return std::nullopt;
  ColorTexture result = texture_reference(*shining);
  result.emissive = true;
  return result;
}

std::vector<SurfaceMaterial> read_materials(const GltfDocument& document, std::vector<std::string>& notes) {
  const JsonView root(document.path.string(), *document.json, "");
  const std::vector<JsonView> views = root.elements("materials");
  const std::vector<JsonView> textures = root.elements("textures"), samplers = root.elements("samplers");
  ImageFiles files(document);
  std::vector<SurfaceMaterial> materials(views.size());
  std::vector<std::optional<std::size_t>> image(views.size());  // per material
  std::vector<bool> wanted(files.count());
  for (std::size_t m = 0; m < views.size(); ++m) try {
      materials[m] = plain_material(views[m]);
      const auto reference = color_texture(views[m]);
      if (!reference) continue;
      if (reference->texture >= textures.size()) throw views[m].error("names a texture that is not there.");
      const JsonView& texture = textures[reference->texture];
      const auto source = image_of(texture, files.count());
      if (!source) continue;
      if (reference->emissive) materials[m].base_color = emission_of(views[m]);
      materials[m].texture = texture_settings(texture, samplers);
      image[m] = source;
      wanted[*source] = true;
    } catch (const Error& error) {
      notes.push_back(std::string(error.what()) + " The preview shows a plain colour.");
    }
  const std::vector<std::shared_ptr<const Texture>> pictures = unpack_images(files, wanted, notes);
  for (std::size_t m = 0; m < materials.size(); ++m) {
    if (!materials[m].texture) continue;
    materials[m].texture->picture = pictures[*image[m]];
    if (!materials[m].texture->picture) materials[m].texture.reset();
  }
  return materials;
}

}  // namespace sinew
