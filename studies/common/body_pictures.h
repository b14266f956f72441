// Pictures of posed bodies side by side: surfaces coloured by change of volume, with a pattern that shows how they are
// sheared and the bones drawn over them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/picture/picture.h"

namespace sinew {

struct BodyPicture {
  PictureScene scene;
  std::vector<std::pair<Vec3, Vec3>> bones;  // world, metres
  std::string label;                         // in its lower left corner
  std::vector<Vec3> focus;                   // what the camera has to show; empty: everything
};

struct BodySheetOptions {
  int width = 300, height = 240;  // pixels, of each picture
  ViewDirection view;
  int samples = 2;  // PictureOptions
};

// Blue where volume is lost (from half of it on), red where it is gained (from half on).
inline constexpr double shown_volume_change = 0.5;

// The body's surface at `positions` in the colours of its change of volume; squares of about `square` metres at rest
// alternate in lightness.
PictureScene body_scene(const TetrahedralMesh& mesh, const std::vector<Vec3>& positions, double square);

struct BodyPictureRow {
  std::string label;  // above its first picture
  std::vector<BodyPicture> pictures;
};

// Rows of pictures by one camera, which shows what all of them ask for; rows may have different lengths. Throws
// usage_error where there is no picture at all.
Image body_sheet(const std::vector<BodyPictureRow>& rows, const BodySheetOptions& options);

}  // namespace sinew
