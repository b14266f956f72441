#include "sinew/io/capell_proof_pictures.h"

#include <cstdio>
#include <string>

#include "sinew/io/body_pictures.h"

namespace sinew {
namespace {

std::string whole_degrees(double degrees) { return std::to_string(static_cast<int>(degrees + 0.5)) + " degrees"; }

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
      picture.bones = {{bar.joint - Vec3{half, 0, 0}, bar.joint}, {bar.joint, bones[1] * (bar.joint + Vec3{half, 0, 0})}};
      row.pictures.push_back(std::move(picture));
    }
  }
  BodySheetOptions options;
  options.width = 230;
  options.height = 220;
  options.view = {0.25, 0.3};
  return body_sheet(rows, options);
}

}  // namespace sinew
