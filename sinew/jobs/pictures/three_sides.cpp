#include "sinew/jobs/pictures/three_sides.h"

#include <cmath>
#include <numbers>

#include "sinew/picture/filmstrip.h"

namespace sinew {
namespace {

// The surface rotated about the vertical, so that one camera sees every side.
PictureScene turned(const TriangleMesh& surface, const std::vector<Vec3>& colors, double angle) {
  PictureMesh mesh;
  mesh.surface = surface;
  mesh.vertex_colors = colors;
  const double c = std::cos(angle), s = std::sin(angle);
  for (Vec3& p : mesh.surface.positions) p = {c * p.x + s * p.z, p.y, c * p.z - s * p.x};
  PictureScene scene;
  scene.meshes.push_back(std::move(mesh));
  return scene;
}

}  // namespace

Image three_sides(const std::vector<ShownSurface>& rows) {
  Filmstrip strip;
  for (const ShownSurface& row : rows) {
    strip.row_labels.push_back(row.label);
    strip.rows.emplace_back();
    for (const double angle : {0.0, -std::numbers::pi / 2, std::numbers::pi})
      strip.rows.back().push_back(turned(row.surface, row.colors, angle));
  }
  strip.column_labels = {"front", "side", "back"};
  FilmstripOptions options;
  options.view.azimuth = 0;
  options.cell.height = options.cell.width = 420;
  return render_filmstrip(strip, options);
}

}  // namespace sinew
