// Pictures of surfaces: a small ray caster with a soft key light, ambient occlusion, smooth normals
// and a ground that shows nothing but the shadow on it (docs/pictures.md).
//
// Same scene, same camera, same pixels: sampling patterns are fixed and the result does not depend
// on the number of threads.
#pragma once

#include <vector>

#include "sinew/files/png.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct PictureMesh {
  TriangleMesh surface;             // world, metres; indices in range, positions finite
  Vec3 base_color{0.8, 0.8, 0.8};   // linear RGB
  std::vector<Vec3> vertex_colors;  // linear RGB in place of base_color, or empty
};

struct PictureScene {
  std::vector<PictureMesh> meshes;
  double ground_height = 0;  // world y of the ground, metres
  bool ground = true;
};

struct Camera {
  Vec3 eye{0, 0, 5};                    // world, metres
  Vec3 target;                          // world point in the middle of the picture
  double vertical_field_of_view = 0.5;  // radians, from the lower to the upper edge
};

struct PictureOptions {
  int width = 320, height = 360;  // pixels
  int samples = 2;                // camera rays per pixel along each axis, 1 to 8
};

// Throws usage_error for impossible options and input_error for a scene with positions that are not
// finite or indices out of range.
Image render(const PictureScene& scene, const Camera& camera, const PictureOptions& options = {});

// The colour behind everything, and of ground that no shadow falls on, in the given row of a picture
// of `height` rows: sRGB bytes.
Vec3 background_color(int row, int height);

// A direction to look from, as angles about the world's axes: azimuth 0 looks at the front of a glTF
// character (from +Z), positive towards +X; elevation positive above the ground. Radians.
struct ViewDirection {
  double azimuth = 0.6;
  double elevation = 0.2;
};

// The closest camera in the given direction that has all positions of all scenes in its picture,
// with `margin` of the picture free along each edge.
Camera fit_camera(const std::vector<const PictureScene*>& scenes, double aspect, const ViewDirection& direction = {},
                  double margin = 0.07);

}  // namespace sinew
