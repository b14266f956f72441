// Pictures of posed bodies side by side: surfaces coloured by change of volume, with a pattern that shows shear,
// overlaid with the bones.
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
  std::string label;                         // in the lower left corner
  std::vector<Vec3> focus;                   // points that must be visible; empty: everything
};

struct BodyPictureOptions {
  int width = 300, height = 240;  // of each picture, pixels
  ViewDirection view;
  int samples = 2;  // see PictureOptions
};

// Relative change of volume with the full colour: blue for loss, red for gain.
inline constexpr double shown_volume_change = 0.5;

// The body's surface at `positions`, coloured by its change of volume. Squares of about `square` metres at rest
// alternate in lightness.
PictureScene body_scene(const TetrahedralMesh& mesh, const std::vector<Vec3>& positions, double square);

struct BodyPictureRow {
  std::string label;  // above the first picture
  std::vector<BodyPicture> pictures;
};

// Rows of pictures by one camera that shows all their focus points. Rows may have different lengths. Throws usage_error
// where there is no picture at all.
Image body_pictures(const std::vector<BodyPictureRow>& rows, const BodyPictureOptions& options);

}  // namespace sinew
