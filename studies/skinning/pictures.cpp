#include "studies/skinning/pictures.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/picture/colors.h"
#include "sinew/picture/picture.h"
#include "sinew/picture/text.h"

namespace sinew {
namespace {

constexpr double full_colour = 0.05;  // of the height
constexpr int cell_width = 210, cell_height = 190, margin_top = 24, inset = 6;
constexpr double least_shown = 0.1;  // skin weight on bones of the limb
constexpr double steepest = 1.2;     // radians: no camera looks straight up or down

// The side of the joint from which the bend is seen in profile: outside of the body, rather from the front and above.
ViewDirection profile_view(const SimulationSurface& surface, const Bend& bend, const Vec3& across) {
  Vec3 centre;
  for (const Vec3& x : surface.rest.positions) centre += x / static_cast<double>(surface.rest.positions.size());
  const Vec3 preferred = normalized(bend.turns.front().place - centre) + Vec3{0, 0.3, 0.5};
  const Vec3 towards_eye = dot(across, preferred) < 0 ? -across : across;
  return {std::atan2(towards_eye.x, towards_eye.z),
          std::clamp(std::asin(std::clamp(towards_eye.y, -1.0, 1.0)), -steepest, steepest)};
}

// The bend's axis; of a twist, that of another bend of the same joint, or any across the limb.
Vec3 seen_along(const SkinningComparison& comparison, const Bend& bend) {
  const LimbTurn& turn = bend.turns.front();
  if (!bend.twist) return turn.axis;
  for (const Bend& other : comparison.bends)
    if (!other.twist && other.turns.front().bone == turn.bone) return other.turns.front().axis;
  const Vec3 across = cross(turn.axis, {0, 1, 0});
  return norm(across) > 0.1 ? normalized(across) : Vec3{0, 0, 1};
}

// The triangles that the bend's bones, their parents and all bones below carry at least a part of: the rest of the
// body, a hat or a belly, would hide them.
std::vector<Triangle> limb_of(const SimulationSurface& surface, const Bend& bend) {
  std::vector<char> of_limb(surface.bones.size());
  for (std::size_t b = 0; b < surface.bones.size(); ++b)
    for (const LimbTurn& turn : bend.turns) {
      int bone = static_cast<int>(b);
      if (bone == surface.bones[index(turn.bone)].parent) of_limb[b] = 1;
      while (bone >= 0 && bone != turn.bone) bone = surface.bones[index(bone)].parent;
      if (bone >= 0) of_limb[b] = 1;
    }
  std::vector<char> shown(surface.influences.size());
  for (std::size_t v = 0; v < shown.size(); ++v) {
    const Influences& on = surface.influences[v];
    double share = 0;
    for (std::size_t k = 0; k < index(on.count); ++k) share += of_limb[index(on.joint[k])] ? on.weight[k] : 0;
    shown[v] = share > least_shown ? 1 : 0;
  }
  std::vector<Triangle> triangles;
  for (const Triangle& t : surface.rest.triangles)
    if (shown[index(t[0])] && shown[index(t[1])] && shown[index(t[2])]) triangles.push_back(t);
  return triangles;
}

PictureScene skin_scene(const SkinningComparison& comparison, const std::vector<Triangle>& triangles,
                        const std::vector<Vec3>& skin, std::span<const Vec3> reference) {
  PictureScene scene;
  scene.ground = false;
  PictureMesh& mesh = scene.meshes.emplace_back();
  mesh.surface = {skin, triangles};
  for (std::size_t v = 0; v < skin.size(); ++v)
    mesh.vertex_colors.push_back(
        balance_color(reference.empty() ? 0 : distance(skin[v], reference[v]) / (full_colour * comparison.height)));
  return scene;
}

}  // namespace

Image skinning_picture(const SkinningComparison& comparison) {
  const SkinMeasurement measurement(comparison.surface);
  Image sheet(cell_width * static_cast<int>(comparison.bends.size()),
              margin_top + cell_height * static_cast<int>(comparison.runs.size()));
  std::fill(sheet.rgb.begin(), sheet.rgb.end(), std::uint8_t{255});
  for (std::size_t b = 0; b < comparison.bends.size(); ++b) {
    const Bend& bend = comparison.bends[b];
    const std::vector<int> around = measurement.around(bend);
    const std::vector<Triangle> limb = limb_of(comparison.surface, bend);
    CameraFit fit(static_cast<double>(cell_width) / cell_height,
                  profile_view(comparison.surface, bend, seen_along(comparison, bend)));
    for (const SkinningRun& run : comparison.runs)
      if (!run.results.empty())
        for (const int v : around) fit.include(run.results[b].posed.positions[index(v)]);
    const int x = static_cast<int>(b) * cell_width;
    draw_text(sheet, x + inset, inset, bend.name, label_color, 1);
    for (std::size_t f = 0; f < comparison.runs.size(); ++f) {
      const SkinningRun& run = comparison.runs[f];
      const int y = margin_top + static_cast<int>(f) * cell_height;
      if (!run.results.empty())
        paste(render(skin_scene(comparison, limb, run.results[b].posed.positions, comparison.reference(b)),
                     fit.camera(), {cell_width, cell_height, 2, 2}),
              x, y, sheet);
      if (b == 0) draw_text(sheet, x + inset, y + inset, run.family, label_color, 1);
    }
  }
  return sheet;
}

}  // namespace sinew
