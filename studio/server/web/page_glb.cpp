#include "studio/server/web/page_glb.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_draco.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew::studio {
namespace {

using Json = nlohmann::json;
constexpr const char* meshopt = "EXT_meshopt_compression";

bool has_extension(const Json& object, const char* name) {
  return object.is_object() && object.contains("extensions") && object["extensions"].contains(name);
}

void remove_draco(GltfEdit& edit, AccessorReader& reader) {
  Json& json = edit.json();
  if (!json.contains("meshes")) return;
  DracoRemover remover(edit, reader);
  for (std::size_t m = 0; m < json["meshes"].size(); ++m)
    for (std::size_t p = 0; p < json["meshes"][m]["primitives"].size(); ++p) remover.remove(m, p);
  remover.finish();
}

// Replaces a compressed view by a plain one with the same index.
void remove_meshopt(GltfEdit& edit, AccessorReader& reader) {
  Json& json = edit.json();
  bool any = false;
  for (std::size_t v = 0; v < reader.buffer_view_count(); ++v) {
    if (!has_extension(json["bufferViews"][v], meshopt)) continue;
    any = true;
    const std::size_t added = edit.add_view(reader.buffer_view(v));
    Json& views = json["bufferViews"];
    Json plain = views[added];
    views.erase(added);
    Json& view = views[v];
    for (const char* place : {"buffer", "byteOffset", "byteLength"}) view[place] = plain[place];
    view["extensions"].erase(meshopt);
    if (view["extensions"].empty()) view.erase("extensions");
  }
  if (!any) return;
  // Placeholder buffers of compressed data have no bytes and are no longer needed. With a name, they are joined with
  // the others.
  for (Json& buffer : json["buffers"])
    if (has_extension(buffer, meshopt)) {
      buffer.erase("extensions");
      buffer["uri"] = "";
    }
  for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
    if (!json.contains(list)) continue;
    Json& names = json[list];
    names.erase(std::remove(names.begin(), names.end(), meshopt), names.end());
    if (names.empty()) json.erase(list);
  }
}

}  // namespace

std::vector<std::byte> page_glb(const GltfDocument& document) {
  GltfEdit edit(document);
  AccessorReader reader(document);
  remove_draco(edit, reader);
  remove_meshopt(edit, reader);
  return glb_bytes(edit, document.path);
}

}  // namespace sinew::studio
