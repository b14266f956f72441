#include "sinew/io/mixed_proof_pictures.h"

#include <cstdio>
#include <string>

#include "sinew/io/body_pictures.h"

namespace sinew {
namespace {

std::string whole_degrees(double degrees) { return std::to_string(static_cast<int>(degrees + 0.5)) + " degrees"; }

std::vector<std::pair<Vec3, Vec3>> posed_bones(const std::vector<Bone>& bones, const std::vector<Affine>& pose) {
  std::vector<std::pair<Vec3, Vec3>> lines;
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (const BoneSegment& s : bones[b].segments) lines.emplace_back(pose[b] * s.head, pose[b] * s.tail);
  return lines;
}

double square_of(const Bar& bar) { return 2 * bar.width / bar.lattice.cells[1]; }

}  // namespace

Image bend_picture(const Bar& bar, const std::vector<BendRun>& runs) {
  std::vector<BodyPictureRow> rows;
  for (const BendRun& run : runs) {
    rows.push_back({std::string(name_of(run.method)) + ", " + std::string(name_of(run.material)), {}});
    for (const BendPose& pose : run.poses) {
      BodyPicture picture;
      if (pose.solved) picture.scene = body_scene(bar.lattice.mesh, pose.positions, square_of(bar));
      picture.scene.ground = false;
      picture.label = whole_degrees(pose.degrees);
      picture.bones = posed_bones(bar.bones, turned(bar, {0, 0, 1}, pose.degrees));
      rows.back().pictures.push_back(std::move(picture));
    }
  }
  BodySheetOptions options;
  options.width = 240;
  options.height = 170;
  options.view = {0.3, 0.25};
  return body_sheet(rows, options);
}

Image twist_picture(const Bar& bar, const std::vector<TwistPose>& poses, double degrees) {
  std::vector<BodyPictureRow> rows;
  for (const TwistPose& pose : poses) {
    if (pose.degrees != degrees || !pose.solved) continue;
    const std::string material(name_of(pose.material));
    if (rows.empty() || rows.back().label != material) rows.push_back({material, {}});
    char label[40];
    std::snprintf(label, sizeof label, pose.reach == 0 ? "clusters" : "smooth, reach %g", pose.reach);
    rows.back().pictures.push_back({body_scene(bar.lattice.mesh, pose.positions, square_of(bar)), {}, label});
  }
  BodySheetOptions options;
  options.width = 320;
  options.height = 130;
  options.view = {0.3, 0.3};
  return body_sheet(rows, options);
}

}  // namespace sinew
