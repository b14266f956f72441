#include "studio/server/cook/surface_channels.h"

#include <algorithm>

#include "sinew/anatomy/anatomy.h"
#include "sinew/anatomy/vertex_tissue.h"
#include "sinew/base/error.h"

namespace sinew::studio {

std::vector<float> anatomy_channel(const Scene& scene) {
  const SimulationSurface& surface = *scene.surface;
  std::vector<float> channel;
  for (const Tissue tissue : scene.tissue.empty() ? tissue_of_vertices(surface, find_anatomy(surface)) : scene.tissue)
    channel.push_back(static_cast<float>(tissue));
  return channel;
}

std::vector<float> depth_channel(const Scene& scene) {
  if (scene.depth.empty())
    throw usage_error("The method " + scene.method + " has no depth of flesh; choose the method flesh.");
  return {scene.depth.begin(), scene.depth.end()};
}

std::vector<int> vertices_of(const Defect& defect, const Character& character, const SimulationSurface& surface) {
  std::vector<int> vertices;
  for (std::size_t k = 0; k < surface.parts.size(); ++k) {
    const Part& part = character.parts[static_cast<std::size_t>(surface.parts[k])];
    const std::vector<int>& vertex_of = surface.vertex_of[k];
    const auto add = [&](int v) {
      if (v >= 0 && static_cast<std::size_t>(v) < vertex_of.size())
        vertices.push_back(vertex_of[static_cast<std::size_t>(v)]);
    };
    if (defect.kind == "part" && std::count(defect.elements.begin(), defect.elements.end(), surface.parts[k]) > 0)
      vertices.insert(vertices.end(), vertex_of.begin(), vertex_of.end());
    if (defect.where != part.name && !defect.where.starts_with(part.name + ",")) continue;
    if (defect.kind == "vertex")
      for (const int v : defect.elements) add(v);
    if (defect.kind == "triangle")
      for (const int t : defect.elements)
        if (t >= 0 && static_cast<std::size_t>(t) < part.surface.triangles.size())
          for (const int v : part.surface.triangles[static_cast<std::size_t>(t)]) add(v);
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

}  // namespace sinew::studio
