#include "sinew/jobs/flesh_map_files.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cook/flesh/flesh_fields.h"
#include "sinew/jobs/pictures/three_sides.h"
#include "sinew/mesh/quality.h"
#include "sinew/picture/bar.h"
#include "sinew/picture/colors.h"
#include "sinew/picture/text.h"

namespace sinew {
namespace {

constexpr std::array<std::uint8_t, 3> text_color{58, 62, 70};

// A colour bar with the depth at its ends, in the lower left corner.
void draw_scale(Image& image, double deepest) {
  constexpr int inset = 12, bar_width = 160, bar_height = 12, scale = 2;
  const int top = image.height - inset - bar_height, right = std::min(inset + bar_width, image.width);
  draw_color_bar(image, inset, top, right - inset, bar_height, heat_color);
  char label[32];
  std::snprintf(label, sizeof(label), "%.3g cm", 100 * deepest);
  const int text_top = top - 6 - glyph_height * scale;
  draw_text(image, inset, text_top, "0", text_color, scale);
  draw_text(image, right - text_width(label, scale), text_top, label, text_color, scale);
}

}  // namespace

Image flesh_depth_picture(const CookedFlesh& scene) {
  const std::vector<double>& depth = scene.map.depth;
  const double deepest = depth.empty() ? 0 : *std::max_element(depth.begin(), depth.end());
  const std::vector<Vec3> colors = heat_colors(depth, 0, deepest > 0 ? deepest : 1);
  Image image = three_sides({{scene.surface.rest, colors, "flesh depth"}});
  draw_scale(image, deepest);
  return image;
}

std::string flesh_depth_table(const Character& character, const CookedFlesh& scene) {
  std::string text = "node,mesh,primitive,vertex,x,y,z,depth\n";
  for (std::size_t k = 0; k < scene.surface.parts.size(); ++k) {
    const Part& part = character.parts[static_cast<std::size_t>(scene.surface.parts[k])];
    const std::vector<int>& vertex_of = scene.surface.vertex_of[k];
    for (std::size_t v = 0; v < vertex_of.size(); ++v) {
      const auto welded = static_cast<std::size_t>(vertex_of[v]);
      const Vec3& p = scene.surface.rest.positions[welded];
      char line[256];
      std::snprintf(line, sizeof(line), "%d,%d,%d,%zu,%.9g,%.9g,%.9g,%.9g\n", part.joint, part.mesh, part.primitive, v,
                    p.x, p.y, p.z, scene.map.depth[welded]);
      text += line;
    }
  }
  return text;
}

std::vector<ElementArray> flesh_arrays(const CookedFlesh& scene) {
  const FleshDescription& body = scene.body->description;
  std::vector<int> component;
  measure_quality(body.mesh, &component);
  const std::vector<double> core(scene.map.core.begin(), scene.map.core.end());
  return {{"component", {component.begin(), component.end()}},
          {"core", mean_over_corners(body.mesh, core)},
          {"bone_proximity", mean_over_corners(body.mesh, scene.map.bone_proximity)},
          {"thickness", mean_over_corners(body.mesh, scene.map.thickness)},
          {"young", body.young},
          {"inside_fraction", body.inside_fraction}};
}

void check_flesh_map_name(const std::filesystem::path& path) {
  if (path.extension() != ".png" && path.extension() != ".csv" && !names_body_mesh(path))
    throw usage_error(
        path.string() +
        ": the output's name must end in .png (picture), .csv (depth of every vertex), .vtu, .msh or .mesh (body).");
}

void write_flesh_map(const std::filesystem::path& path, const Character& character, const CookedFlesh& scene) {
  check_flesh_map_name(path);
  if (path.extension() == ".png")
    write_png(path, flesh_depth_picture(scene));
  else if (path.extension() == ".csv")
    write_text_file(path, flesh_depth_table(character, scene));
  else
    write_volume_file(path, scene.body->description.mesh, flesh_arrays(scene));
}

}  // namespace sinew
