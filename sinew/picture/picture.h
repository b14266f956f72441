// Pictures of surfaces, with a soft key light, ambient occlusion, smooth normals, textures and a ground on which only
// the shadow is visible (docs/pictures.md).
//
// Equal scenes and cameras give equal pixels: sampling patterns are fixed and the result does not depend on the
// number of threads.
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

// Appearance of a mesh besides its colour.
struct PictureFinish {
  std::shared_ptr<const TextureSampler> texture;  // multiplies the colour; null: none
  double opacity = 1;                             // multiplies the texture's opacity
  AlphaMode alpha_mode = AlphaMode::opaque;
  double alpha_cutoff = 0.5;
  Vec3 emission;  // linear RGB
};

struct PictureMesh {
  TriangleMesh surface;                                        // world, metres; indices in range, positions finite
  Vec3 base_color{0.8, 0.8, 0.8};                              // linear RGB
  std::vector<Vec3> vertex_colors;                             // linear RGB, replaces base_color if not empty
  std::vector<std::array<float, 2>> texture_coordinates = {};  // per vertex; empty: no texture is shown
  PictureFinish finish = {};
};

struct PictureScene {
  std::vector<PictureMesh> meshes;
  double ground_height = 0;  // world y of the ground, metres
  bool ground = true;
};

struct Camera {
  Vec3 eye{0, 0, 5};                    // world, metres
  Vec3 target;                          // world point at the centre of the picture
  double vertical_field_of_view = 0.5;  // radians, from the lower to the upper edge
};

struct PictureOptions {
  int width = 320, height = 360;  // pixels
  int samples = 2;                // points per pixel and axis for antialiasing, 1 to 8
  int light_spacing = 1;          // distance in pixels between points whose light is computed, 1 to 8
};

// Throws usage_error for impossible options and input_error for a scene with positions that are not
// finite or indices out of range.
Image render(const PictureScene& scene, const Camera& camera, const PictureOptions& options = {});

// Colour of the backdrop, and of unshaded ground, in the given row of a picture of `height` rows: sRGB bytes.
Vec3 background_color(int row, int height);

// Viewing direction as angles about the world's axes, radians: azimuth 0 looks at the front of a glTF character (from
// +Z), positive towards +X; elevation is positive above the ground.
struct ViewDirection {
  double azimuth = 0.6;
  double elevation = 0.2;
};

inline constexpr double camera_margin = 0.05;

// The closest camera in a direction that shows all given points, with `margin` of the picture free along each edge.
class CameraFit {
 public:
  CameraFit(double aspect, const ViewDirection& direction = {}, double margin = camera_margin);

  void include(const Vec3& point);
  // Includes the points of another fit of the same kind, each moved by `offset`.
  void include(const CameraFit& other, const Vec3& offset);

  // The fitted camera; the default one if no point was included.
  Camera camera() const;

  // Width of the points relative to the picture, where 1 fills it in both directions.
  double excess_width() const;

 private:
  double distance_for_width() const, distance_for_height() const;

  Vec3 right_, up_, back_;
  double tan_x_, tan_y_;
  // Distances of the farthest points along the normals of the four planes through the eye, and towards the eye.
  double right_most_, left_most_, top_most_, bottom_most_, nearest_;
};

// The closest camera that shows all positions of all scenes.
Camera fit_camera(const std::vector<const PictureScene*>& scenes, double aspect, const ViewDirection& direction = {},
                  double margin = camera_margin);

}  // namespace sinew
