#include "sinew/gltf/write/drop_lost_keys.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "sinew/gltf/accessor.h"

namespace sinew {
namespace {

using Json = nlohmann::json;
using Indices = std::set<std::size_t>;

struct Bytes {
  std::size_t first = 0, end = 0;
};

Indices accessors_of_samplers(const Json& json) {
  Indices used;
  if (!json.contains("animations")) return used;
  for (const Json& animation : json["animations"])
    if (animation.contains("samplers"))
      for (const Json& sampler : animation["samplers"])
        for (const char* end : {"input", "output"})
          if (sampler.contains(end)) used.insert(sampler[end].get<std::size_t>());
  return used;
}

// Whole numbers under keys that name accessors, wherever they are outside of animations. Some of them, as those of
// Draco's attributes, mean something else: then a byte too many is kept.
void collect_accessors(const Json& at, bool names, Indices& used) {
  if (at.is_number_unsigned()) {
    if (names) used.insert(at.get<std::size_t>());
  } else if (at.is_array()) {
    for (const Json& each : at) collect_accessors(each, names, used);
  } else if (at.is_object()) {
    for (const auto& [key, value] : at.items())
      collect_accessors(
          value, names || key == "attributes" || key == "targets" || key == "indices" || key == "inverseBindMatrices",
          used);
  }
}

void collect_views(const Json& at, Indices& used) {
  if (at.is_array()) {
    for (const Json& each : at) collect_views(each, used);
  } else if (at.is_object()) {
    for (const auto& [key, value] : at.items()) {
      if (key == "bufferView" && value.is_number_unsigned()) used.insert(value.get<std::size_t>());
      collect_views(value, used);
    }
  }
}

bool knows_all_extensions(const Json& json) {
  if (!json.contains("extensionsUsed")) return true;
  return std::all_of(json["extensionsUsed"].begin(), json["extensionsUsed"].end(),
                     [](const Json& name) { return knows_gltf_extension(name.get<std::string>()); });
}

std::size_t element_bytes(const AccessorFormat& format) {
  const std::size_t component = format.type == ComponentType::f32 || format.type == ComponentType::u32   ? 4
                                : format.type == ComponentType::i16 || format.type == ComponentType::u16 ? 2
                                                                                                         : 1;
  return component * static_cast<std::size_t>(format.components());
}

// Where the elements of an accessor are in their buffer. `packed`: without bytes of others between them.
struct Place {
  std::size_t buffer = 0;
  Bytes bytes;
  bool packed = false;
};
Place place_of(const Json& accessor, const AccessorFormat& format, const Json& views) {
  const Json& view = views[accessor["bufferView"].get<std::size_t>()];
  const std::size_t element = element_bytes(format), stride = view.value("byteStride", element);
  const std::size_t first = view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", std::size_t{0});
  return {view["buffer"].get<std::size_t>(), {first, first + (format.count - 1) * stride + element}, stride == element};
}

// Parts of `lost` that touch nothing of `kept`, from and to a multiple of four.
std::vector<Bytes> droppable(const std::vector<Bytes>& lost, const std::vector<Bytes>& kept, std::size_t length) {
  std::vector<char> drop(length, 0);
  for (const Bytes& each : lost)
    std::fill(drop.begin() + static_cast<std::ptrdiff_t>(each.first),
              drop.begin() + static_cast<std::ptrdiff_t>(each.end), 1);
  for (const Bytes& each : kept)
    std::fill(drop.begin() + static_cast<std::ptrdiff_t>(each.first),
              drop.begin() + static_cast<std::ptrdiff_t>(each.end), 0);
  std::vector<Bytes> parts;
  for (std::size_t at = 0; at + 4 <= length; at += 4) {
    if (!std::all_of(drop.begin() + static_cast<std::ptrdiff_t>(at), drop.begin() + static_cast<std::ptrdiff_t>(at) + 4,
                     [](char each) { return each != 0; }))
      continue;
    if (!parts.empty() && parts.back().end == at)
      parts.back().end += 4;
    else
      parts.push_back({at, at + 4});
  }
  return parts;
}

// Where a byte that stays comes to lie.
std::size_t moved(const std::vector<Bytes>& dropped, std::size_t at) {
  std::size_t before = 0;
  for (const Bytes& each : dropped) before += std::min(std::max(at, each.first), each.end) - each.first;
  return at - before;
}

void drop_bytes(std::vector<std::byte>& buffer, const std::vector<Bytes>& dropped) {
  std::size_t to = 0, from = 0;
  const auto keep_until = [&](std::size_t end) {
    to = static_cast<std::size_t>(std::move(buffer.begin() + static_cast<std::ptrdiff_t>(from),
                                            buffer.begin() + static_cast<std::ptrdiff_t>(end),
                                            buffer.begin() + static_cast<std::ptrdiff_t>(to)) -
                                  buffer.begin());
  };
  for (const Bytes& each : dropped) {
    keep_until(each.first);
    from = each.end;
  }
  keep_until(buffer.size());
  buffer.resize(to);
}

class KeyDropper {
 public:
  KeyDropper(GltfDocument& document, const Indices& lost) : document_(document), json_(*document.json), lost_(lost) {
    const AccessorReader reader(document);
    for (std::size_t a = 0; a < reader.accessor_count(); ++a) formats_.push_back(reader.format(a));
    lost_bytes_.resize(document.buffers.size());
    kept_bytes_.resize(document.buffers.size());
  }

  void drop() {
    find_bytes();
    for (std::size_t b = 0; b < document_.buffers.size(); ++b)
      dropped_.push_back(droppable(lost_bytes_[b], kept_bytes_[b], document_.buffers[b].size()));
    for (const std::size_t a : lost_)
      if (json_["accessors"][a].contains("bufferView"))
        json_["accessors"][a] = {{"componentType", json_["accessors"][a]["componentType"]},
                                 {"type", json_["accessors"][a]["type"]},
                                 {"count", 1}};
    move_accessors();
    move_views();
    for (std::size_t b = 0; b < document_.buffers.size(); ++b) {
      if (dropped_[b].empty()) continue;
      drop_bytes(document_.buffers[b], dropped_[b]);
      json_["buffers"][b]["byteLength"] = document_.buffers[b].size();
    }
  }

 private:
  bool is_compressed(const Json& view) const { return view.contains("extensions"); }
  void keep(std::size_t buffer, std::size_t first, std::size_t length) {
    const std::size_t size = document_.buffers[buffer].size();
    kept_bytes_[buffer].push_back({std::min(first, size), std::min(first + length, size)});
  }
  void keep_view(const Json& view) {
    keep(view["buffer"].get<std::size_t>(), view.value("byteOffset", std::size_t{0}),
         view["byteLength"].get<std::size_t>());
    if (!is_compressed(view)) return;
    for (const auto& [name, extension] : view["extensions"].items())
      if (extension.contains("buffer"))
        keep(extension["buffer"].get<std::size_t>(), extension.value("byteOffset", std::size_t{0}),
             extension["byteLength"].get<std::size_t>());
  }

  void find_bytes() {
    const Json& views = json_["bufferViews"];
    Indices whole;  // views that more than the elements of accessors use
    Json others = json_;
    others.erase("accessors");
    collect_views(others, whole);
    std::vector<std::size_t> left(views.size(), 0);  // bytes that stay in each view
    for (std::size_t a = 0; a < formats_.size(); ++a) {
      const Json& accessor = json_["accessors"][a];
      if (accessor.contains("sparse")) collect_views(accessor["sparse"], whole);
      if (!accessor.contains("bufferView")) continue;
      const auto v = accessor["bufferView"].get<std::size_t>();
      const Place place = place_of(accessor, formats_[a], views);
      if (lost_.contains(a) && place.packed && !is_compressed(views[v]))
        lost_bytes_[place.buffer].push_back(place.bytes);
      else
        keep(place.buffer, place.bytes.first, place.bytes.end - place.bytes.first);
    }
    for (std::size_t v = 0; v < views.size(); ++v) {
      if (whole.contains(v) || is_compressed(views[v]))
        keep_view(views[v]);
      else  // a view has at least one element
        keep(views[v]["buffer"].get<std::size_t>(), views[v].value("byteOffset", std::size_t{0}), 4);
    }
  }

  void move_accessors() {
    for (Json& accessor : json_["accessors"]) {
      if (!accessor.contains("bufferView")) continue;
      const Json& view = json_["bufferViews"][accessor["bufferView"].get<std::size_t>()];
      if (is_compressed(view)) continue;
      const std::vector<Bytes>& dropped = dropped_[view["buffer"].get<std::size_t>()];
      const auto start = view.value("byteOffset", std::size_t{0});
      const auto offset = accessor.value("byteOffset", std::size_t{0});
      const std::size_t now = moved(dropped, start + offset) - moved(dropped, start);
      if (now != offset) accessor["byteOffset"] = now;
    }
  }

  void move_views() {
    for (Json& view : json_["bufferViews"]) {
      const std::vector<Bytes>& dropped = dropped_[view["buffer"].get<std::size_t>()];
      const auto start = view.value("byteOffset", std::size_t{0}), length = view["byteLength"].get<std::size_t>();
      const std::size_t now = moved(dropped, start);
      view["byteLength"] = moved(dropped, start + length) - now;
      if (now != start) view["byteOffset"] = now;
      if (!is_compressed(view)) continue;
      for (auto& [name, extension] : view["extensions"].items())
        if (extension.contains("buffer"))
          extension["byteOffset"] =
              moved(dropped_[extension["buffer"].get<std::size_t>()], extension.value("byteOffset", std::size_t{0}));
    }
  }

  GltfDocument& document_;
  Json& json_;
  const Indices& lost_;
  std::vector<AccessorFormat> formats_;
  std::vector<std::vector<Bytes>> lost_bytes_, kept_bytes_, dropped_;  // per buffer
};

}  // namespace

GltfDocument without_lost_keys(const GltfDocument& edited, const GltfDocument& before) {
  GltfDocument document = copy_of(edited);
  Indices lost = accessors_of_samplers(*before.json), used = accessors_of_samplers(*edited.json);
  Json others = *edited.json;
  for (const char* part : {"animations", "accessors", "bufferViews"}) others.erase(part);
  collect_accessors(others, false, used);
  for (const std::size_t each : used) lost.erase(each);
  if (lost.empty() || !knows_all_extensions(*edited.json)) return document;
  KeyDropper(document, lost).drop();
  return document;
}

}  // namespace sinew
