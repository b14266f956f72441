#include "studies/mixed/pictures.h"

#include <cstdio>
#include <string>

#include "sinew/picture/colors.h"
#include "studies/common/body_pictures.h"
#include "studies/common/collider_meshes.h"

namespace sinew {
namespace {

std::string rounded_degrees(double degrees) { return std::to_string(static_cast<int>(degrees + 0.5)) + " degrees"; }

std::vector<std::pair<Vec3, Vec3>> posed_bones(const std::vector<Bone>& bones, const std::vector<Affine>& pose) {
  std::vector<std::pair<Vec3, Vec3>> lines;
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (const BoneSegment& s : bones[b].segments) lines.emplace_back(pose[b] * s.head, pose[b] * s.tail);
  return lines;
}

double square_of(const Bar& bar) { return 2 * bar.width / bar.lattice.cells[1]; }

// Size of the region around a joint that pictures show, relative to the character's height.
constexpr double shown_share = 0.2;

// A posed surface, coloured as bodies are; the camera shows what is near the joint at rest.
BodyPicture skin_picture(const TriangleMesh& rest, const JointPicture& picture, const Vec3& place, double radius) {
  PictureMesh mesh;
  mesh.surface = {picture.surface, rest.triangles};
  for (const double ratio : picture.volume_ratio)
    mesh.vertex_colors.push_back(balance_color((ratio - 1) / shown_volume_change));
  BodyPicture result;
  result.scene.meshes.push_back(std::move(mesh));
  result.scene.ground = false;
  result.label = std::string(name_of(picture.method));
  for (std::size_t v = 0; v < rest.positions.size(); ++v)
    if (distance(rest.positions[v], place) < radius) result.focus.push_back(picture.surface[v]);
  return result;
}

void append_below(Image& sheet, const Image& more) {
  sheet.width = more.width;
  sheet.height += more.height;
  sheet.rgb.insert(sheet.rgb.end(), more.rgb.begin(), more.rgb.end());
}

}  // namespace

Image bend_picture(const Bar& bar, const std::vector<BendRun>& runs) {
  std::vector<BodyPictureRow> rows;
  for (const BendRun& run : runs) {
    rows.push_back({std::string(name_of(run.method)) + ", " + std::string(name_of(run.material)), {}});
    for (const BendPose& pose : run.poses) {
      BodyPicture picture;
      if (pose.solved) picture.scene = body_scene(bar.lattice.mesh, pose.positions, square_of(bar));
      picture.scene.ground = false;
      picture.label = rounded_degrees(pose.degrees);
      picture.bones = posed_bones(bar.bones, turned(bar, {0, 0, 1}, pose.degrees));
      rows.back().pictures.push_back(std::move(picture));
    }
  }
  BodyPictureOptions options;
  options.width = 220;
  options.height = 150;
  options.view = {0.3, 0.25};
  return body_pictures(rows, options);
}

Image twist_picture(const Bar& bar, const std::vector<TwistPose>& poses, double degrees) {
  std::vector<BodyPictureRow> rows;
  for (const TwistPose& pose : poses) {
    if (pose.degrees != degrees || !pose.solved) continue;
    const std::string material(name_of(pose.material));
    if (rows.empty() || rows.back().label != material) rows.push_back({material, {}});
    char label[40];
    std::snprintf(label, sizeof label, pose.reach == 0 ? "clusters" : "smooth, reach %g", pose.reach);
    BodyPicture picture;
    picture.scene = body_scene(bar.lattice.mesh, pose.positions, square_of(bar));
    picture.label = label;
    rows.back().pictures.push_back(std::move(picture));
  }
  BodyPictureOptions options;
  options.width = 320;
  options.height = 130;
  options.view = {0.3, 0.3};
  return body_pictures(rows, options);
}

Image press_picture(const Bar& bar, const std::vector<PressPose>& poses) {
  std::vector<BodyPictureRow> rows;
  for (const PressPose& pose : poses) {
    const std::string material(name_of(pose.material));
    if (rows.empty() || rows.back().label != material) rows.push_back({material, {}});
    BodyPicture picture;
    if (pose.solved) picture.scene = body_scene(bar.lattice.mesh, pose.positions, bar.width / 2);
    picture.scene.ground = false;
    picture.focus = pose.positions;
    for (TriangleMesh& mesh : collider_meshes(pose.load.colliders, {bar.joint, 0.55 * bar.length})) {
      PictureMesh& shape = picture.scene.meshes.emplace_back();
      shape.surface = std::move(mesh);
      shape.base_color = {0.35, 0.36, 0.38};
    }
    picture.label = pose.load.name;
    rows.back().pictures.push_back(std::move(picture));
  }
  BodyPictureOptions options;
  options.width = 200;
  options.height = 150;
  options.view = {0.35, 0.2};
  return body_pictures(rows, options);
}

Image joint_picture(const JointExperiment& experiment) {
  Image sheet;
  for (std::size_t k = 0; k < experiment.limbs.size(); ++k)
    for (const bool twist : {false, true}) {
      BodyPictureRow row;
      for (const JointPicture& picture : experiment.pictures) {
        if (picture.limb != experiment.limbs[k] || picture.twist != twist) continue;
        row.label = std::string(name_of(picture.limb)) + (twist ? " twisted by " : " bent by ") +
                    rounded_degrees(picture.degrees);
        row.pictures.push_back(
            skin_picture(experiment.surface.rest, picture, experiment.turns[k].place, shown_share * experiment.height));
      }
      if (row.pictures.empty()) continue;
      BodyPictureOptions options;
      options.width = 190;
      options.height = 160;
      options.view = {experiment.limbs[k] == Limb::hip ? 0.9 : 0.4, 0.25};
      append_below(sheet, body_pictures({row}, options));
    }
  return sheet;
}

}  // namespace sinew
