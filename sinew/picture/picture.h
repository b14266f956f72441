// Pictures of surfaces, with a soft key light, ambient occlusion, smooth normals, textures and a ground that shows
// nothing but the shadow on it (docs/pictures.md).
//
// Same scene, same camera, same pixels: sampling patterns are fixed and the result does not depend
// on the number of threads.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sinew/files/png.h"
#include "sinew/files/texture.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"
#include "sinew/picture/texture_sampler.h"

namespace sinew {

// What a mesh wears beside its colour.
struct PictureFinish {
  std::shared_ptr<const TextureSampler> texture;  // times the colour; null: none
  double opacity = 1;                             // times the texture's
  AlphaMode alpha_mode = AlphaMode::opaque;
  double alpha_cutoff = 0.5;
  Vec3 emission;  // linear RGB
};

struct PictureMesh {
  TriangleMesh surface;                                        // world, metres; indices in range, positions finite
  Vec3 base_color{0.8, 0.8, 0.8};                              // linear RGB
  std::vector<Vec3> vertex_colors;                             // linear RGB in place of base_color, or empty
  std::vector<std::array<float, 2>> texture_coordinates = {};  // per vertex, or empty: no texture is shown
  PictureFinish finish = {};
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
  int samples = 2;                // points per pixel along each axis in which edges are resolved, 1 to 8
  int light_spacing = 1;          // pixels from one point whose light is found to the next, 1 to 8
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

inline constexpr double camera_margin = 0.05;

// The closest camera in a direction that has all points in its picture, with `margin` of the picture free along each
// edge.
class CameraFit {
 public:
  CameraFit(double aspect, const ViewDirection& direction = {}, double margin = camera_margin);

  void include(const Vec3& point);
  // The points that another fit of the same kind has included, each moved by `offset`.
  void include(const CameraFit& other, const Vec3& offset);

  // Of a default camera, where no point was included.
  Camera camera() const;

  // How much wider than the picture the points are, where 1 fills it both ways.
  double excess_width() const;

 private:
  double distance_for_width() const, distance_for_height() const;

  Vec3 right_, up_, back_;
  double tan_x_, tan_y_;
  // The farthest points along the normals of the four planes through the eye, and towards the eye.
  double right_most_, left_most_, top_most_, bottom_most_, nearest_;
};

// The same for all positions of all scenes.
Camera fit_camera(const std::vector<const PictureScene*>& scenes, double aspect, const ViewDirection& direction = {},
                  double margin = camera_margin);

}  // namespace sinew
