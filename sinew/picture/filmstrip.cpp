#include "sinew/picture/filmstrip.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/picture/text.h"

namespace sinew {
namespace {

constexpr int label_inset = 8;  // pixels from the cell's edges

void check(const Filmstrip& filmstrip) {
  if (filmstrip.rows.empty() || filmstrip.rows[0].empty()) throw usage_error("a filmstrip needs at least one picture");
  for (const auto& row : filmstrip.rows)
    if (row.size() != filmstrip.rows[0].size())
      throw usage_error("all rows of a filmstrip need the same number of pictures");
  if (!filmstrip.row_labels.empty() && filmstrip.row_labels.size() != filmstrip.rows.size())
    throw usage_error("a filmstrip needs one label per row or none");
  if (!filmstrip.column_labels.empty() && filmstrip.column_labels.size() != filmstrip.rows[0].size())
    throw usage_error("a filmstrip needs one label per column or none");
}

std::vector<const PictureScene*> all_scenes(const Filmstrip& filmstrip) {
  std::vector<const PictureScene*> scenes;
  for (const auto& row : filmstrip.rows)
    for (const PictureScene& scene : row) scenes.push_back(&scene);
  return scenes;
}

double lowest_point(const std::vector<const PictureScene*>& scenes) {
  double lowest = std::numeric_limits<double>::max();
  for (const PictureScene* scene : scenes)
    for (const PictureMesh& mesh : scene->meshes)
      for (const Vec3& p : mesh.surface.positions) lowest = std::min(lowest, p.y);
  return lowest < std::numeric_limits<double>::max() ? lowest : 0;
}

}  // namespace

int label_scale(const PictureOptions& cell) {
  return std::max(1, static_cast<int>(std::sqrt(static_cast<double>(cell.width) * cell.height) / 170));
}

Image render_filmstrip(const Filmstrip& filmstrip, const FilmstripOptions& options, const Progress& progress) {
  check(filmstrip);
  const std::vector<const PictureScene*> scenes = all_scenes(filmstrip);
  const double ground = lowest_point(scenes);
  const PictureOptions& cell = options.cell;
  if (cell.width < 1 || cell.height < 1) throw usage_error("a filmstrip's pictures need at least one pixel");
  const Camera camera = options.camera
                            ? *options.camera
                            : fit_camera(scenes, static_cast<double>(cell.width) / cell.height, options.view);

  const std::size_t columns = filmstrip.rows[0].size();
  Image sheet(cell.width * static_cast<int>(columns), cell.height * static_cast<int>(filmstrip.rows.size()));
  const int scale = label_scale(cell);
  for (std::size_t column = 0; column < columns; ++column) {
    report_or_stop(progress, "drawing the filmstrip", static_cast<double>(column) / static_cast<double>(columns));
    const int x = static_cast<int>(column) * cell.width;
    parallel_for(filmstrip.rows.size(), 1, [&](std::size_t row) {
      PictureScene scene = filmstrip.rows[row][column];
      if (options.ground_at_lowest_point) scene.ground_height = ground;
      paste(render(scene, camera, cell), x, static_cast<int>(row) * cell.height, sheet);
    });
    if (!filmstrip.column_labels.empty()) {
      const std::string& label = filmstrip.column_labels[column];
      draw_text(sheet, x + cell.width - label_inset - text_width(label, scale),
                sheet.height - label_inset - glyph_height * scale, label, label_color, scale);
    }
  }
  for (std::size_t row = 0; row < filmstrip.row_labels.size(); ++row)
    draw_text(sheet, label_inset, static_cast<int>(row) * cell.height + label_inset, filmstrip.row_labels[row],
              label_color, scale);
  return sheet;
}

}  // namespace sinew
