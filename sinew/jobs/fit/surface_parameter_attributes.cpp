#include "sinew/jobs/fit/surface_parameter_attributes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/character/fields.h"
#include "sinew/deform/surface/vertex_terms.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_draco.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_targets.h"
#include "sinew/picture/bar.h"
#include "sinew/picture/colors.h"
#include "sinew/picture/picture.h"
#include "sinew/picture/text.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

const PaintedField& row_of(std::size_t parameter) { return painted_fields[body_fields + parameter]; }

void require_own_surface(const SimulationSurface& surface, const SurfaceModel& model) {
  if (surface.rest.positions.size() != model.rest.size())
    throw usage_error("the character has " + std::to_string(surface.rest.positions.size()) +
                      " vertices to simulate, but the model " + std::to_string(model.rest.size()) +
                      "; name the character that the model was fitted to.");
}

void remove_draco(GltfEdit& edit, const GltfDocument& document, const std::set<std::size_t>& nodes) {
  AccessorReader reader(document);
  DracoRemover draco(edit, reader);
  for (const std::size_t node : nodes) {
    const auto mesh = edit.json()["nodes"][node]["mesh"].get<std::size_t>();
    for (std::size_t i = 0; i < edit.json()["meshes"][mesh]["primitives"].size(); ++i) draco.remove(mesh, i);
  }
  draco.finish();
}

double shown(double value, std::size_t parameter, ParameterScale scale) {
  const double share = std::clamp(value / row_of(parameter).most, 0.0, 1.0);
  return scale == ParameterScale::linear ? share : std::sqrt(share);
}

Vec3 color_of(double share) { return balance_color(2 * share - 1); }

PictureScene painted_scene(const SimulationSurface& surface, const SurfaceModel& model, std::size_t parameter,
                           ParameterScale scale) {
  PictureMesh mesh;
  mesh.surface = surface.rest;
  for (const VertexParameters& p : model.parameters)
    mesh.vertex_colors.push_back(color_of(shown(to_array(p)[parameter], parameter, scale)));
  PictureScene scene;
  scene.meshes.push_back(std::move(mesh));
  scene.ground = false;
  return scene;
}

std::string range_number(double v) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", v);
  return text.data();
}

// The colour bar, with the values at its ends and quarters.
void draw_legend(Image& sheet, int x, int y, int width, int text, ParameterScale scale) {
  const int bar = 10 * text;
  draw_color_bar(sheet, x, y, width, bar, color_of);
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const double share = quarter / 4.0, value = scale == ParameterScale::linear ? share : share * share;
    const std::string label =
        range_number(value) + (quarter == 4 ? " (LAMBDA " + range_number(row_of(3).most) + ")" : "");
    const int middle = x + static_cast<int>(share * (width - 1));
    draw_text(sheet, quarter == 0 ? x : middle - text_width(range_number(value), text) / 2, y + bar + 3 * text, label,
              label_color, text);
  }
}

}  // namespace

std::size_t write_surface_parameters(const GltfDocument& document, const Character& character,
                                     const SimulationSurface& surface, const SurfaceModel& model,
                                     const std::filesystem::path& out) {
  check_gltf_output(document, out);
  require_own_surface(surface, model);
  GltfEdit edit(document);
  std::set<std::size_t> nodes;
  for (const int part : surface.parts)
    nodes.insert(static_cast<std::size_t>(character.parts[static_cast<std::size_t>(part)].joint));
  remove_draco(edit, document, nodes);
  separate_shared_meshes(edit, nodes);
  for (std::size_t p = 0; p < surface.parts.size(); ++p) {
    const Part& part = character.parts[static_cast<std::size_t>(surface.parts[p])];
    const auto mesh = edit.json()["nodes"][static_cast<std::size_t>(part.joint)]["mesh"].get<std::size_t>();
    for (std::size_t k = 0; k < surface_parameters; ++k) {
      std::vector<float> values;
      for (const int v : surface.vertex_of[p])
        values.push_back(static_cast<float>(to_array(model.parameters[static_cast<std::size_t>(v)])[k]));
      const std::size_t accessor =
          edit.add_attribute(std::as_bytes(std::span(values)), 5126, "SCALAR", values.size(), sizeof(float));
      Json& attributes =
          edit.json()["meshes"][mesh]["primitives"][static_cast<std::size_t>(part.primitive)]["attributes"];
      const std::string name = row_of(k).attribute;
      attributes[name] = accessor;
      attributes.erase("_" + name);  // a variant that some exporters write
    }
  }
  return write_gltf_files(edit, out);
}

Image render_surface_parameters(const SimulationSurface& surface, const SurfaceModel& model,
                                const SurfaceParameterPictureOptions& options) {
  require_own_surface(surface, model);
  const int text = std::max(1, options.height / 220);
  const int legend = (10 + 3 + glyph_height + 10) * text;
  std::vector<PictureScene> scenes;
  for (std::size_t k = 0; k < surface_parameters; ++k)
    scenes.push_back(painted_scene(surface, model, k, options.scale));
  const Camera camera = fit_camera({&scenes[0]}, static_cast<double>(options.width) / options.height, {0.5, 0.12});
  const auto views = static_cast<int>(surface_parameters);
  Image sheet(options.width * views, options.height + legend);
  for (int y = 0; y < sheet.height; ++y) {
    const Vec3 back = background_color(std::min(y, options.height - 1), options.height);
    for (int x = 0; x < sheet.width; ++x)
      for (std::size_t c = 0; c < 3; ++c) sheet.pixel(x, y)[c] = static_cast<std::uint8_t>(back[c]);
  }
  for (std::size_t k = 0; k < surface_parameters; ++k) {
    const Image view = render(scenes[k], camera, {options.width, options.height, 2});
    const int left = options.width * static_cast<int>(k);
    for (int y = 0; y < options.height; ++y)
      std::copy_n(view.pixel(0, y), 3 * static_cast<std::size_t>(options.width), sheet.pixel(left, y));
    double largest = 0;
    for (const VertexParameters& p : model.parameters) largest = std::max(largest, to_array(p)[k]);
    draw_text(sheet, left + 8, 8, row_of(k).title + std::string(", up to ") + range_number(largest), label_color, text);
  }
  draw_legend(sheet, options.width, options.height + 2 * text, 3 * options.width, text, options.scale);
  return sheet;
}

}  // namespace sinew
