#include "studies/common/body_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/picture/colors.h"
#include "sinew/picture/lines.h"
#include "sinew/picture/text.h"
#include "studies/common/measures.h"

namespace sinew {
namespace {

constexpr std::array<std::uint8_t, 3> bone_color{20, 24, 30};

bool dark_square(const Vec3& p, const Vec3& normal, double square) {
  // Squares are in the plane of the face: the axis along its normal is ignored.
  const Vec3 a{std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
  const std::size_t across = a.x >= a.y && a.x >= a.z ? 0 : a.y >= a.z ? 1 : 2;
  int sum = 0;
  for (std::size_t k = 0; k < 3; ++k)
    if (k != across) sum += static_cast<int>(std::floor(p[k] / square));
  return sum % 2 != 0;
}

int text_scale(const BodyPictureOptions& options) { return std::max(1, options.height / 180); }

Image drawn(const BodyPicture& picture, const Camera& camera, const BodyPictureOptions& options) {
  Image image = render(picture.scene, camera, {options.width, options.height, options.samples});
  for (const auto& [head, tail] : picture.bones) {
    const PicturePoint from = projected(camera, head, options.width, options.height);
    const PicturePoint to = projected(camera, tail, options.width, options.height);
    draw_line(image, from, to, bone_color, 1.5);
    draw_line(image, from, from, bone_color, 5);
    draw_line(image, to, to, bone_color, 5);
  }
  const int scale = text_scale(options);
  draw_text(image, 8, options.height - 8 - glyph_height * scale, picture.label, label_color, scale);
  return image;
}

// Scenes that the camera must show completely.
std::vector<PictureScene> focus_of(const std::vector<BodyPictureRow>& rows) {
  std::vector<PictureScene> scenes;
  for (const BodyPictureRow& row : rows)
    for (const BodyPicture& picture : row.pictures) {
      if (picture.focus.empty()) {
        scenes.push_back(picture.scene);
        continue;
      }
      scenes.emplace_back();
      scenes.back().meshes.emplace_back();
      scenes.back().meshes.back().surface.positions = picture.focus;
    }
  return scenes;
}

}  // namespace

PictureScene body_scene(const TetrahedralMesh& mesh, const std::vector<Vec3>& positions, double square) {
  const std::vector<double> ratio = vertex_volume_ratios(mesh, positions);
  PictureMesh picture;
  // Every triangle gets its own corners, so that squares have sharp edges.
  for (const Triangle& triangle : boundary_surface(mesh).triangles) {
    std::array<Vec3, 3> rest;
    for (std::size_t c = 0; c < 3; ++c) rest[c] = mesh.positions[static_cast<std::size_t>(triangle[c])];
    const Vec3 middle = (rest[0] + rest[1] + rest[2]) / 3;
    const double shade = dark_square(middle, cross(rest[1] - rest[0], rest[2] - rest[0]), square) ? 0.72 : 1;
    const int first = static_cast<int>(picture.surface.positions.size());
    picture.surface.triangles.push_back({first, first + 1, first + 2});
    for (const int v : triangle) {
      picture.surface.positions.push_back(positions[static_cast<std::size_t>(v)]);
      picture.vertex_colors.push_back(shade *
                                      balance_color((ratio[static_cast<std::size_t>(v)] - 1) / shown_volume_change));
    }
  }
  PictureScene scene;
  scene.meshes.push_back(std::move(picture));
  scene.ground = false;
  return scene;
}

Image body_pictures(const std::vector<BodyPictureRow>& rows, const BodyPictureOptions& options) {
  std::size_t columns = 0;
  for (const BodyPictureRow& row : rows) columns = std::max(columns, row.pictures.size());
  if (columns == 0) throw usage_error("a sheet of pictures needs at least one picture.");
  const std::vector<PictureScene> focus = focus_of(rows);
  std::vector<const PictureScene*> scenes;
  for (const PictureScene& scene : focus) scenes.push_back(&scene);
  const Camera camera = fit_camera(scenes, static_cast<double>(options.width) / options.height, options.view, 0.04);
  Image sheet(options.width * static_cast<int>(columns), options.height * static_cast<int>(rows.size()));
  BodyPicture empty;
  empty.scene.ground = false;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto& pictures = rows[row].pictures;
    const int y = static_cast<int>(row) * options.height;
    for (std::size_t column = 0; column < columns; ++column)
      paste(drawn(column < pictures.size() ? pictures[column] : empty, camera, options),
            static_cast<int>(column) * options.width, y, sheet);
    draw_text(sheet, 8, y + 8, rows[row].label, label_color, text_scale(options));
  }
  return sheet;
}

}  // namespace sinew
