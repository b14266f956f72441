#include "studies/surface/pictures.h"

#include <cstdio>
#include <string>
#include <utility>

#include "sinew/jobs/pictures/comparison_strip.h"
#include "studies/common/body_pictures.h"

namespace sinew {
namespace {

// Relative to the bone, as if the camera moved with it.
BodyPicture picture_of(const FallingTube& experiment, const std::vector<Vec3>& surface, std::size_t column) {
  const Vec3 bone = experiment.bone_offset[column];
  BodyPicture picture;
  PictureMesh mesh;
  mesh.surface = {surface, experiment.tube.rest.triangles};
  for (Vec3& x : mesh.surface.positions) x -= bone;
  mesh.base_color = {0.55, 0.6, 0.72};
  picture.scene.meshes.push_back(std::move(mesh));
  picture.scene.ground = false;
  const SurfaceSegment& segment = experiment.tube.model.segments.at(0);
  picture.bones.push_back({segment.head, segment.tail});
  char label[32];
  std::snprintf(label, sizeof label, "%.2f s", experiment.shown_times[column]);
  picture.label = label;
  return picture;
}

}  // namespace

Image falling_tube_picture(const FallingTube& experiment) {
  std::vector<BodyPictureRow> rows;
  for (const FallingTubeRun& run : experiment.runs) {
    BodyPictureRow& row = rows.emplace_back();
    row.label = run.name;
    for (std::size_t column = 0; column < run.shown.size(); ++column)
      row.pictures.push_back(picture_of(experiment, run.shown[column], column));
  }
  BodyPictureOptions options;
  options.width = 230;
  options.height = 190;
  options.view = {0.9, 0.1};
  return body_pictures(rows, options);
}

Image learning_picture(const Character& character, const LearningExperiment& experiment) {
  return comparison_strip(character, {"flesh", experiment.flesh}, {{"model", experiment.learned}});
}

}  // namespace sinew
