#include "studies/shape/tables.h"

#include <cstdio>

#include "sinew/base/index.h"
#include "sinew/picture/colors.h"
#include "studies/common/body_pictures.h"
#include "studies/common/picture_chart.h"

namespace sinew {
namespace {

// Distance of the full colour, relative to the height.
constexpr double shown_distance = 0.02;

PictureMesh shown(const ShapeSubject& subject, const std::vector<Vec3>& skin, const std::vector<Vec3>* truth) {
  PictureMesh mesh;
  mesh.surface = {skin, subject.surface().rest.triangles};
  mesh.base_color = {0.5, 0.42, 0.38};
  if (truth)
    for (std::size_t s = 0; s < skin.size(); ++s)
      mesh.vertex_colors.push_back(
          balance_color(-distance(skin[s], (*truth)[s]) / (shown_distance * subject.height())));
  return mesh;
}

BodyPicture picture_of(PictureMesh mesh, std::string label, std::vector<Vec3> focus) {
  BodyPicture picture;
  picture.scene.meshes.push_back(std::move(mesh));
  picture.scene.ground = false;
  picture.label = std::move(label);
  picture.focus = std::move(focus);
  return picture;
}

std::string degrees(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f degrees", value);
  return text;
}

}  // namespace

Table bent_limb_table(const ShapeSubject& subject, const BentLimb& limb) {
  Table table{"bent_limb",
              subject.name + " bends " + limb.joint +
                  ": distance from flesh that remembers its rest, % of "
                  "the height; forces fitted at 90 degrees in " +
                  std::to_string(limb.iterations) + " iterations",
              {{"bend", 0}, {"rig, RMS", 3}, {"largest", 2}, {"with forces, RMS", 3}, {"largest", 2}},
              {}};
  const double percent = 100 / subject.height();
  for (const BentLimbPose& pose : limb.poses)
    table.rows.push_back({pose.degrees, percent * pose.rig.rms, percent * pose.rig.largest, percent * pose.forces.rms,
                          percent * pose.forces.largest});
  return table;
}

Table hidden_field_table(const ShapeSubject& subject, const HiddenField& field) {
  const double percent = 100 / subject.height();
  char moved[64];
  std::snprintf(moved, sizeof moved, "%.2f %% RMS, %.2f %% at most", percent * field.target.rms,
                percent * field.target.largest);
  Table table{"hidden_field",
              subject.name + ": the shape of hidden forces (" + moved +
                  ") comes back; distances from it, % of the height; noise of 0.5 % on each coordinate",
              {{"smoothness", 4}, {"exact target, RMS", 4}, {"largest", 3}, {"noisy target, RMS", 3}, {"largest", 2}},
              {}};
  for (const HiddenFieldRow& row : field.rows)
    table.rows.push_back({row.smoothness, percent * row.exact.rms, percent * row.exact.largest, percent * row.noisy.rms,
                          percent * row.noisy.largest});
  return table;
}

Table morph_table(const ShapeSubject& subject, const std::vector<MorphRow>& rows) {
  const double percent = 100 / subject.height();
  Table table{
      "morphs",
      subject.name + ": morph targets as forces; distance from the target, % of the height",
      {{"target"}, {"RMS before", 4}, {"after", 4}, {"largest before", 2}, {"after", 2}, {"made by flesh, %", 0}},
      {}};
  for (const MorphRow& row : rows)
    table.rows.push_back({row.name, percent * row.before.rms, percent * row.after.rms, percent * row.before.largest,
                          percent * row.after.largest, 100 * row.moved});
  return table;
}

Table preset_table(const ShapeSubject& subject, const std::vector<PresetShape>& shapes) {
  Table table{
      "presets", subject.name + ": presets in static equilibrium", {{"preset"}, {"farthest, % of the height", 2}}, {}};
  for (const PresetShape& shape : shapes) table.rows.push_back({shape.name, 100 * shape.largest / subject.height()});
  return table;
}

Image bent_limb_picture(const ShapeSubject& subject, const BentLimb& limb) {
  std::vector<BodyPictureRow> rows{{"rig", {}}, {"rig and forces of 90 degrees", {}}, {"remembers its rest", {}}};
  for (const BentLimbPose& pose : limb.poses) {
    std::vector<Vec3> focus;
    for (const int s : limb.skin) focus.push_back(pose.true_skin[index(s)]);
    rows[0].pictures.push_back(
        picture_of(shown(subject, pose.rig_skin, &pose.true_skin), degrees(pose.degrees), focus));
    rows[1].pictures.push_back(picture_of(shown(subject, pose.forces_skin, &pose.true_skin), "", focus));
    rows[2].pictures.push_back(picture_of(shown(subject, pose.true_skin, &pose.true_skin), "", focus));
  }
  return body_pictures(rows, {});
}

Image hidden_field_chart(const ShapeSubject& subject, const HiddenField& field) {
  Chart chart;
  chart.x_title = "smoothness";
  chart.y_title = "RMS distance, % of the height";
  chart.logarithmic_x = chart.logarithmic_y = true;
  ChartLine exact{"exact target", {}, {}, chart_color(0), true}, noisy{"0.5 % noise", {}, {}, chart_color(1), true};
  for (const HiddenFieldRow& row : field.rows) {
    exact.x.push_back(row.smoothness);
    exact.y.push_back(100 * row.exact.rms / subject.height());
    noisy.x.push_back(row.smoothness);
    noisy.y.push_back(100 * row.noisy.rms / subject.height());
  }
  chart.lines = {exact, noisy};
  return draw_chart(chart);
}

Image preset_picture(const ShapeSubject& subject, const std::vector<PresetShape>& shapes) {
  // What any preset moves by a third of its largest displacement is looked at, and as much around it.
  std::vector<Vec3> focus;
  for (const PresetShape& shape : shapes)
    for (std::size_t s = 0; s < shape.skin.size(); ++s)
      if (shape.largest > 0 && distance(shape.skin[s], shapes.front().skin[s]) > shape.largest / 8)
        focus.push_back(shape.skin[s]);
  BodyPictureRow row;
  for (const PresetShape& shape : shapes)
    row.pictures.push_back(picture_of(shown(subject, shape.skin, nullptr), shape.name, focus));
  BodyPictureOptions options;
  options.width = 320;
  options.height = 340;
  options.view = {0.35, 0.1};
  return body_pictures({row}, options);
}

}  // namespace sinew
