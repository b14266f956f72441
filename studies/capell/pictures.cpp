#include "studies/capell/pictures.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/picture/colors.h"
#include "studies/common/body_pictures.h"

namespace sinew {
namespace {

std::string whole_degrees(double degrees) { return std::to_string(static_cast<int>(degrees + 0.5)) + " degrees"; }

std::string seconds_text(double seconds) {
  const int hundredths = static_cast<int>(100 * seconds + 0.5);
  return std::to_string(hundredths / 100) + (hundredths % 100 < 10 ? ".0" : ".") + std::to_string(hundredths % 100) +
         " s";
}

}  // namespace

Image lattice_bend_picture(const LatticeBar& bar, const std::vector<LatticeBendRun>& runs) {
  const double half = 0.5 * bar.shape.length;
  std::vector<BodyPictureRow> rows;
  for (std::size_t pose = 0; pose < runs.front().poses.size(); ++pose) {
    BodyPictureRow& row = rows.emplace_back();
    const double degrees = runs.front().poses[pose].degrees;
    row.label = "bent by " + whole_degrees(degrees);
    const std::vector<Affine> bones = bent(bar, degrees);
    for (const LatticeBendRun& run : runs) {
      BodyPicture picture;
      picture.scene = body_scene(bar.grid.tetrahedra.mesh, run.poses[pose].positions, 0.25 * bar.shape.width);
      picture.scene.ground = false;
      picture.label = std::string(name_of(run.how));
      picture.bones = {{bar.joint - Vec3{half, 0, 0}, bar.joint},
                       {bar.joint, bones[1] * (bar.joint + Vec3{half, 0, 0})}};
      row.pictures.push_back(std::move(picture));
    }
  }
  BodyPictureOptions options;
  options.width = 230;
  options.height = 220;
  options.view = {0.25, 0.3};
  return body_pictures(rows, options);
}

Image head_picture(const HeadExperiment& experiment) {
  BodyPictureRow row;
  row.label = experiment.character;
  Vec3 low = experiment.rest.positions.front(), high = low;
  for (const Vec3& p : experiment.rest.positions)
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  constexpr double shown = 0.05;  // of the height: full colour
  const std::vector<Vec3>& nonlinear = experiment.runs.front().surface;
  for (const HeadRun& run : experiment.runs) {
    BodyPicture picture;
    PictureMesh mesh;
    mesh.surface = {run.surface, experiment.rest.triangles};
    for (std::size_t v = 0; v < run.surface.size(); ++v)
      mesh.vertex_colors.push_back(balance_color(-distance(run.surface[v], nonlinear[v]) / (shown * (high.y - low.y))));
    picture.scene.meshes.push_back(std::move(mesh));
    picture.scene.ground = false;
    picture.label = std::string(name_of(run.how));
    for (const int v : experiment.head) picture.focus.push_back(nonlinear[static_cast<std::size_t>(v)]);
    row.pictures.push_back(std::move(picture));
  }
  BodyPictureOptions options;
  options.width = 230;
  options.height = 260;
  options.view = {0.5, 0.25};
  return body_pictures({row}, options);
}

Image mouth_picture(const MouthExperiment& experiment) {
  constexpr double shown = 0.5;  // of the way of a tip: full colour
  BodyPictureRow row;
  row.label = "stretched and opened";
  const std::vector<Vec3>& fine = experiment.surfaces.back();
  for (std::size_t k = 0; k < experiment.rows.size(); ++k) {
    const std::vector<Vec3>& surface = experiment.surfaces[k];
    BodyPicture picture;
    PictureMesh mesh;
    mesh.surface = {surface, experiment.rest.triangles};
    for (std::size_t v = 0; v < surface.size(); ++v)
      mesh.vertex_colors.push_back(
          balance_color(-distance(surface[v], fine[v]) / (shown * experiment.tip_displacement)));
    picture.scene.meshes.push_back(std::move(mesh));
    picture.scene.ground = false;
    picture.label = experiment.rows[k].lattice;
    row.pictures.push_back(std::move(picture));
  }
  BodyPictureOptions options;
  options.width = 280;
  options.height = 240;
  options.view = {0.35, 0.2};
  return body_pictures({row}, options);
}

Image adaptive_picture(const AdaptiveExperiment& experiment) {
  std::vector<BodyPictureRow> rows;
  for (std::size_t k = 0; k < experiment.shown.size(); ++k) {
    BodyPictureRow& row = rows.emplace_back();
    row.label = experiment.rows[k].name + ", " + std::to_string(experiment.rows[k].most_unknowns) + " unknowns at most";
    for (const AdaptiveFrame& frame : experiment.shown[k]) {
      BodyPicture picture;
      PictureMesh mesh;
      mesh.surface = {frame.surface, experiment.rest.triangles};
      for (const double used : frame.detail) mesh.vertex_colors.push_back(balance_color(used));
      picture.scene.meshes.push_back(std::move(mesh));
      picture.scene.ground = false;
      picture.label = seconds_text(frame.time);
      row.pictures.push_back(std::move(picture));
    }
  }
  BodyPictureOptions options;
  options.width = 220;
  options.height = 240;
  options.view = {0.4, 0.15};
  return body_pictures(rows, options);
}

Image paint_picture(const PaintExperiment& experiment) {
  constexpr int columns = 6;
  // Over the shaking and a little beyond it.
  const double end = 0.7 * experiment.times.back();
  std::vector<std::size_t> frames;
  for (int c = 0; c < columns; ++c)
    frames.push_back(static_cast<std::size_t>(
        std::lower_bound(experiment.times.begin(), experiment.times.end(), end * (c + 1) / columns) -
        experiment.times.begin()));
  std::vector<Vec3> painted(experiment.rest.positions.size(), balance_color(0));
  for (std::size_t v = 0; v < painted.size(); ++v)
    if (const int part = experiment.part_of_vertex[v]; part >= 0)
      painted[v] = balance_color(0.5 * std::log10(experiment.parts[static_cast<std::size_t>(part)].stiffness));
  std::vector<BodyPictureRow> rows;
  const auto add = [&](const std::string& label, const std::vector<std::vector<Vec3>>& surfaces) {
    BodyPictureRow& row = rows.emplace_back();
    row.label = label;
    for (const std::size_t f : frames) {
      BodyPicture picture;
      PictureMesh mesh;
      mesh.surface = {surfaces[f], experiment.rest.triangles};
      mesh.vertex_colors = painted;
      picture.scene.meshes.push_back(std::move(mesh));
      picture.scene.ground = false;
      picture.label = seconds_text(experiment.times[f]);
      for (std::size_t v = 0; v < painted.size(); ++v)
        if (experiment.part_of_vertex[v] >= 0) picture.focus.push_back(surfaces[f][v]);
      row.pictures.push_back(std::move(picture));
    }
  };
  add("rig", experiment.rig);
  for (const PaintRun& run : experiment.runs) add(run.material, run.frames);
  BodyPictureOptions options;
  options.width = 240;
  options.height = 190;
  options.view = {0.3, -0.05};
  return body_pictures(rows, options);
}

}  // namespace sinew
