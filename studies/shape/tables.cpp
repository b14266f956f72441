#include "studies/shape/tables.h"

#include <algorithm>
#include <cstdio>

#include "sinew/base/index.h"
#include "sinew/picture/colors.h"
#include "studies/common/body_pictures.h"
#include "studies/common/picture_chart.h"

namespace sinew {
namespace {

// Distance of the full colour, relative to the height.
constexpr double shown_distance = 0.02;

PictureMesh shown(const std::vector<Triangle>& triangles, const std::vector<Vec3>& skin, const std::vector<Vec3>* truth,
                  double full) {
  PictureMesh mesh;
  mesh.surface = {skin, triangles};
  mesh.base_color = {0.5, 0.42, 0.38};
  if (truth)
    for (std::size_t s = 0; s < skin.size(); ++s)
      mesh.vertex_colors.push_back(balance_color(-distance(skin[s], (*truth)[s]) / full));
  return mesh;
}

PictureMesh shown(const ShapeSubject& subject, const std::vector<Vec3>& skin, const std::vector<Vec3>* truth) {
  return shown(subject.surface().rest.triangles, skin, truth, shown_distance * subject.height());
}

// The points that differ from the rest by more than a share of the largest difference.
void add_moved(const std::vector<Vec3>& skin, const std::vector<Vec3>& rest, double share, std::vector<Vec3>& moved) {
  double largest = 0;
  for (std::size_t s = 0; s < skin.size(); ++s) largest = std::max(largest, distance(skin[s], rest[s]));
  for (std::size_t s = 0; s < skin.size(); ++s)
    if (largest > 0 && distance(skin[s], rest[s]) > share * largest) moved.push_back(skin[s]);
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
  Table table{"presets",
              subject.name + ": presets in static equilibrium",
              {{"preset"}, {"farthest, % of the height", 2}, {"carried off as a whole, %", 0}},
              {}};
  for (const PresetShape& shape : shapes)
    table.rows.push_back({shape.name, 100 * shape.largest / subject.height(), 100 * shape.carried});
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

Image preset_picture(const ShapeSubject& subject, const std::vector<PresetShape>& shapes, const ViewDirection& view) {
  std::vector<Vec3> focus;
  for (const PresetShape& shape : shapes) add_moved(shape.skin, shapes.front().skin, 1.0 / 8, focus);
  BodyPictureRow row, moved;
  for (const PresetShape& shape : shapes) {
    row.pictures.push_back(picture_of(shown(subject, shape.skin, nullptr), shape.name, focus));
    moved.pictures.push_back(picture_of(shown(subject, shape.skin, &shapes.front().skin), "", focus));
  }
  BodyPictureOptions options;
  options.width = 320;
  options.height = 340;
  options.view = view;
  return body_pictures({row, moved}, options);
}

Table lattice_rigs_table(const LatticeRigs& rigs) {
  const double percent = 100 / rigs.height;
  char moved[32];
  std::snprintf(moved, sizeof moved, "%.2f %%", percent * rigs.moved);
  Table table{"lattice_rigs",
              rigs.character + ": the same forces in lattices of " + std::to_string(rigs.cells) +
                  " cells, which move the skin by up to " + moved +
                  " of the height; distances from the finest lattice's skin",
              {{"lattice"}, {"functions", 0}, {"step on a thread, ms", 2}, {"RMS, %", 4}, {"largest, %", 3}},
              {}};
  for (const LatticeRigsRow& row : rigs.rows)
    table.rows.push_back({row.name, double(row.functions), row.milliseconds, percent * row.rms, percent * row.largest});
  return table;
}

Image lattice_rigs_picture(const LatticeRigs& rigs) {
  std::vector<Vec3> focus;
  add_moved(rigs.rows.front().skin, rigs.rest.positions, 0.1, focus);
  BodyPictureRow row;
  const double full = shown_distance / 4 * rigs.height;
  row.pictures.push_back(picture_of(shown(rigs.rest.triangles, rigs.rest.positions, nullptr, full), "rest", focus));
  for (const LatticeRigsRow& each : rigs.rows)
    row.pictures.push_back(
        picture_of(shown(rigs.rest.triangles, each.skin, &rigs.rows.front().skin, full), each.name, focus));
  BodyPictureOptions options;
  options.width = 320;
  options.height = 340;
  options.view = {0.5, 0.1};
  return body_pictures({row}, options);
}

Table morph_swing_table(const MorphSwings& swings) {
  Table table{
      "morph_swing",
      swings.character + ": morph targets as forces, whose weight goes from 0 to 1 within 0.1 s",
      {{"target"}, {"missing at 0.1 s, %", 0}, {"beyond the shape, %", 0}, {"left after 1 s, RMS, % of the height", 4}},
      {}};
  for (const SwungMorph& morph : swings.morphs)
    table.rows.push_back({morph.name, 100 * morph.late, 100 * morph.beyond, 100 * morph.left / swings.height});
  return table;
}

Image morph_swing_picture(const MorphSwings& swings) {
  std::vector<BodyPictureRow> rows;
  std::vector<Vec3> focus;
  for (const SwungMorph& morph : swings.morphs) add_moved(morph.target, morph.skins.front(), 0.1, focus);
  for (const SwungMorph& morph : swings.morphs) {
    BodyPictureRow& row = rows.emplace_back(BodyPictureRow{morph.name, {}});
    for (std::size_t k = 0; k < morph.skins.size(); ++k) {
      char time[32];
      std::snprintf(time, sizeof time, "%.2f s", swung_times[k]);
      row.pictures.push_back(picture_of(
          shown(swings.triangles, morph.skins[k], &morph.target, shown_distance / 2 * swings.height), time, focus));
    }
  }
  BodyPictureOptions options;
  options.width = 200;
  options.height = 200;
  options.view = {0.35, 0.1};
  return body_pictures(rows, options);
}

Table moved_rigs_table(const std::vector<RiggedCharacter>& characters) {
  Table table{"moved_rigs",
              "rigs of " + characters.front().name + ", moved to others: displacement of the skin, % of the height",
              {{"character"}, {"rig"}, {"farthest", 2}, {"outwards, mean", 2}, {"distance of the fitted lattice", 2}},
              {}};
  for (const RiggedCharacter& each : characters)
    for (const StillRig& rig : each.rigs)
      table.rows.push_back({each.name, rig.name, 100 * rig.farthest / each.height, 100 * rig.outward / each.height,
                            100 * each.surface_error});
  return table;
}

Table animated_rigs_table(const std::vector<RiggedCharacter>& characters) {
  Table table{"animated_rigs",
              "clips with all of these rigs",
              {{"character"}, {"moved by rigs, % of the height", 2}, {"until, s", 1}},
              {}};
  for (const RiggedCharacter& each : characters)
    if (!each.frames.empty()) table.rows.push_back({each.name, 100 * each.most / each.height, each.frames.back().time});
  return table;
}

Image moved_rigs_picture(const RiggedCharacter& character) {
  BodyPictureRow without, with;
  for (const StillRig& rig : character.rigs) {
    std::vector<Vec3> focus;
    add_moved(rig.with, rig.without, 0.1, focus);
    const double full = shown_distance * character.height;
    without.pictures.push_back(picture_of(shown(character.triangles, rig.without, nullptr, full), rig.name, focus));
    with.pictures.push_back(picture_of(shown(character.triangles, rig.with, &rig.without, full), "", focus));
  }
  BodyPictureOptions options;
  options.width = 320;
  options.height = 340;
  options.view = {0.5, 0.1};
  return body_pictures({without, with}, options);
}

Image animated_rigs_picture(const RiggedCharacter& character) {
  BodyPictureRow without, with;
  for (const FrameOfRigs& frame : character.frames) {
    char time[32];
    std::snprintf(time, sizeof time, "%.1f s", frame.time);
    const double full = shown_distance * character.height;
    without.pictures.push_back(
        picture_of(shown(character.triangles, frame.without, nullptr, full), time, frame.without));
    with.pictures.push_back(picture_of(shown(character.triangles, frame.with, &frame.without, full), "", frame.with));
  }
  BodyPictureOptions options;
  options.width = 240;
  options.height = 280;
  options.view = {0.5, 0.1};
  return body_pictures({without, with}, options);
}

}  // namespace sinew
