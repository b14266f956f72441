#include "sinew/jobs/anatomy_files.h"

#include <cmath>
#include <numbers>

#include "sinew/picture/filmstrip.h"

namespace sinew {
namespace {

constexpr Vec3 flesh_color{0.80, 0.42, 0.36}, skull_color{0.86, 0.80, 0.62}, rigid_color{0.25, 0.42, 0.62};

PictureScene turned_about(const TriangleMesh& surface, const std::vector<Vec3>& colors, double angle) {
  PictureMesh mesh;
  mesh.surface = surface;
  mesh.vertex_colors = colors;
  const double c = std::cos(angle), s = std::sin(angle);
  for (Vec3& p : mesh.surface.positions) p = {c * p.x + s * p.z, p.y, c * p.z - s * p.x};
  PictureScene scene;
  scene.meshes.push_back(std::move(mesh));
  return scene;
}

const std::string& name_of(const SimulationSurface& surface, int bone) {
  return surface.bones[static_cast<std::size_t>(bone)].name;
}

}  // namespace

Image anatomy_picture(const SimulationSurface& surface, const Anatomy& anatomy) {
  std::vector<Vec3> colors(surface.rest.positions.size());
  for (std::size_t v = 0; v < colors.size(); ++v) {
    const Influences& influences = surface.influences[v];
    double skull = 0;
    for (int k = 0; k < influences.count; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      if (anatomy.bones[static_cast<std::size_t>(influences.joint[slot])].tissue == Tissue::skull)
        skull += influences.weight[slot];
    }
    colors[v] = flesh_color + skull * (skull_color - flesh_color);
  }
  for (const RigidThing& thing : anatomy.rigid)
    for (const int v : thing.vertices) colors[static_cast<std::size_t>(v)] = rigid_color;
  Filmstrip strip;
  strip.rows.emplace_back();
  for (const double angle : {0.0, -std::numbers::pi / 2, std::numbers::pi})
    strip.rows[0].push_back(turned_about(surface.rest, colors, angle));
  strip.row_labels = {"red flesh, pale skull, blue rigid"};
  strip.column_labels = {"front", "side", "back"};
  FilmstripOptions options;
  options.view.azimuth = 0;
  options.cell.height = options.cell.width = 420;
  return render_filmstrip(strip, options);
}

std::string anatomy_text(const SimulationSurface& surface, const Anatomy& anatomy) {
  std::string text;
  for (std::size_t b = 0; b < anatomy.bones.size(); ++b)
    if (anatomy.bones[b].tissue == Tissue::skull)
      text += "skull  " + surface.bones[b].name + ": " + anatomy.bones[b].because + "\n";
  for (const RigidThing& thing : anatomy.rigid)
    text += "rigid  " + std::to_string(thing.vertices.size()) + " vertices on " + name_of(surface, thing.bone) + ": " +
            thing.because + "\n";
  return text.empty() ? "flesh everywhere\n" : text;
}

}  // namespace sinew
