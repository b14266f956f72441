#include "sinew/picture/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/picture/camera_rays.h"
#include "sinew/picture/light.h"
#include "sinew/picture/normals.h"
#include "sinew/picture/ray_scene.h"
#include "sinew/picture/srgb.h"
#include "sinew/picture/visible_triangles.h"

namespace sinew {
namespace {

constexpr int max_samples = 8;
constexpr int max_pixels = 1 << 26;
constexpr double crease_angle = 1.05;  // 60 degrees
constexpr std::size_t picture_rows_per_task = 8;

// All meshes of a scene as one, moved to the origin so that single precision suffices for rays.
struct FlatScene {
  Vec3 centre;
  double size = 1;  // diagonal of the bounding box, metres
  Vec3 low, high;   // the box's corners, relative to the centre
  TriangleMesh surface;
  std::vector<Vec3> colors;                               // per vertex, linear RGB
  std::vector<std::array<float, 2>> texture_coordinates;  // per vertex
  std::vector<std::array<Vec3, 3>> normals;               // per triangle corner
  std::vector<const PictureMesh*> meshes;                 // per triangle, that it is of
};

void check(const PictureMesh& mesh) {
  const auto vertices = static_cast<int>(mesh.surface.positions.size());
  for (std::size_t i = 0; i < mesh.surface.positions.size(); ++i)
    if (!is_finite(mesh.surface.positions[i]))
      throw input_error("vertex " + std::to_string(i) +
                        " of a picture's mesh has a position that is not a number; "
                        "leave it out or repair the mesh");
  for (std::size_t i = 0; i < mesh.surface.triangles.size(); ++i)
    for (int corner : mesh.surface.triangles[i])
      if (corner < 0 || corner >= vertices)
        throw input_error("triangle " + std::to_string(i) + " of a picture's mesh names vertex " +
                          std::to_string(corner) + ", but there are " + std::to_string(vertices) + "; repair the mesh");
  if (!mesh.vertex_colors.empty() && mesh.vertex_colors.size() != mesh.surface.positions.size())
    throw usage_error("a picture's mesh has " + std::to_string(mesh.vertex_colors.size()) + " colours for " +
                      std::to_string(vertices) + " vertices; give one per vertex or none");
  if (!mesh.texture_coordinates.empty() && mesh.texture_coordinates.size() != mesh.surface.positions.size())
    throw usage_error("a picture's mesh has " + std::to_string(mesh.texture_coordinates.size()) +
                      " texture coordinates for " + std::to_string(vertices) +
                      " vertices; give one per vertex or none");
}

FlatScene flatten(const PictureScene& scene) {
  FlatScene flat;
  constexpr double huge = std::numeric_limits<double>::max();
  Vec3 low{huge, huge, huge}, high = -low;
  for (const PictureMesh& mesh : scene.meshes) {
    check(mesh);
    for (const Vec3& p : mesh.surface.positions) {
      low = min(low, p);
      high = max(high, p);
    }
  }
  if (low.x <= high.x) {
    flat.centre = 0.5 * (low + high);
    flat.size = std::max(norm(high - low), 1e-12);
    flat.low = low - flat.centre;
    flat.high = high - flat.centre;
  }
  for (const PictureMesh& mesh : scene.meshes) {
    const auto first = static_cast<int>(flat.surface.positions.size());
    for (const Vec3& p : mesh.surface.positions) flat.surface.positions.push_back(p - flat.centre);
    for (const Triangle& t : mesh.surface.triangles)
      flat.surface.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    if (mesh.vertex_colors.empty())
      flat.colors.insert(flat.colors.end(), mesh.surface.positions.size(), mesh.base_color);
    else
      flat.colors.insert(flat.colors.end(), mesh.vertex_colors.begin(), mesh.vertex_colors.end());
    flat.texture_coordinates.insert(flat.texture_coordinates.end(), mesh.texture_coordinates.begin(),
                                    mesh.texture_coordinates.end());
    flat.texture_coordinates.resize(flat.surface.positions.size());
    flat.meshes.insert(flat.meshes.end(), mesh.surface.triangles.size(), &mesh);
    // Normals are computed per mesh.
    for (const auto& normals : corner_normals(mesh.surface, crease_angle)) flat.normals.push_back(normals);
  }
  return flat;
}

std::array<double, 2> texture_place(const FlatScene& flat, std::size_t triangle, double u, double v) {
  const Triangle& corners = flat.surface.triangles[triangle];
  const double weight[3] = {1 - u - v, u, v};
  std::array<double, 2> place{0, 0};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 2; ++k)
      place[k] += weight[i] * static_cast<double>(flat.texture_coordinates[static_cast<std::size_t>(corners[i])][k]);
  return place;
}

const TextureSampler* texture_of(const PictureMesh& mesh) {
  return mesh.texture_coordinates.empty() ? nullptr : mesh.finish.texture.get();
}

double opacity_at(const FlatScene& flat, std::size_t triangle, double u, double v) {
  const PictureMesh& mesh = *flat.meshes[triangle];
  double opacity = mesh.finish.opacity;
  if (const TextureSampler* texture = texture_of(mesh)) {
    const std::array<double, 2> place = texture_place(flat, triangle, u, v);
    opacity *= texture->at(place[0], place[1], 0).opacity;
  }
  return opacity;
}

// Ordered dithering of points behind half-transparent surfaces: each point of a square of 4 x 4 has a threshold
// (Bayer's matrix), and successive layers use different offsets.
double dither_threshold(int x, int y, std::size_t layer) {
  constexpr int order[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  const auto shift = static_cast<unsigned>(layer);
  return (order[(static_cast<unsigned>(y) + shift) & 3u][(static_cast<unsigned>(x) + 3 * shift) & 3u] + 0.5) / 16;
}

std::vector<bool> see_through_triangles(const FlatScene& flat) {
  std::vector<bool> result;
  for (std::size_t t = 0; t < flat.meshes.size(); ++t)
    if (flat.meshes[t]->finish.alpha_mode != AlphaMode::opaque) {
      result.resize(flat.meshes.size());
      result[t] = true;
    }
  return result;
}

// Triangles that cast shadows: all but those that are mostly transparent.
std::vector<Triangle> shadow_casters(const FlatScene& flat, const std::vector<bool>& see_through) {
  if (see_through.empty()) return flat.surface.triangles;
  std::vector<Triangle> casters;
  for (std::size_t t = 0; t < see_through.size(); ++t) {
    double opacity = 1;
    if (see_through[t]) {
      constexpr double third = 1.0 / 3, sixth = 1.0 / 6, rest = 2.0 / 3;
      opacity = 0.25 * (opacity_at(flat, t, third, third) + opacity_at(flat, t, sixth, sixth) +
                        opacity_at(flat, t, rest, sixth) + opacity_at(flat, t, sixth, rest));
    }
    if (opacity >= 0.5) casters.push_back(flat.surface.triangles[t]);
  }
  return casters;
}

// The visible part of a scene, with `samples` x `samples` points per pixel.
struct View {
  const PictureScene& scene;
  const FlatScene& flat;
  const CameraRays& rays;
  const VisibleTriangles& visible;
  int samples, light_spacing;
  bool ground_may_hide;  // objects, from the camera
  GroundShade shade_on_ground;

  // Distance along the camera's axis in the direction of a point; not positive if no ground is visible there.
  double distance_to_ground(const Vec3& direction) const {
    const double ground = scene.ground_height - flat.centre.y;
    return scene.ground && direction.y < 0 ? (ground - rays.eye.y) / direction.y : -1;
  }

  // Index of the triangle at a point, or -1 for the ground or the backdrop.
  int triangle_at(int x, int y) const {
    const int triangle = visible.triangle(x, y);
    if (triangle < 0 || !ground_may_hide) return triangle;
    const double ground = distance_to_ground(rays.towards(x, y));
    return ground > 0 && ground < visible.distance(x, y) ? -1 : triangle;
  }

  // Ground without shadow looks like the backdrop.
  SeenPoint ground_point(double x, double y) const {
    const Vec3 direction = rays.towards(x, y);
    const double distance = distance_to_ground(direction);
    SeenPoint point;
    point.position = rays.eye + direction * distance;
    if (!(distance > 0) || !shade_on_ground.holds(point.position)) return point;
    point.kind = PointKind::ground;
    point.normal = point.face_normal = {0, 1, 0};
    return point;
  }

  // All members except the colour and the triangle's own normal.
  SeenPoint object_point(std::size_t triangle, double x, double y, const TrianglePoint& at) const {
    const double weight[3] = {1 - at.u - at.v, at.u, at.v};
    SeenPoint point;
    point.kind = PointKind::object;
    point.position = rays.eye + rays.towards(x, y) * at.distance;
    for (std::size_t i = 0; i < 3; ++i) point.normal += weight[i] * flat.normals[triangle][i];
    point.normal = normalized(point.normal);
    // Open and inverted surfaces are lit from the visible side.
    if (visible.from_behind(triangle)) point.normal = -point.normal;
    return point;
  }

  void add_color(std::size_t triangle, double x, double y, const TrianglePoint& at, SeenPoint& point) const {
    const double weight[3] = {1 - at.u - at.v, at.u, at.v};
    const Triangle& corners = flat.surface.triangles[triangle];
    for (std::size_t i = 0; i < 3; ++i) point.color += weight[i] * flat.colors[static_cast<std::size_t>(corners[i])];
    const PictureMesh& mesh = *flat.meshes[triangle];
    point.emission = mesh.finish.emission;
    const TextureSampler* texture = texture_of(mesh);
    if (!texture) return;
    const auto place = [&](double px, double py) {
      const TrianglePoint p = visible.point(triangle, px, py);
      return texture_place(flat, triangle, p.u, p.v);
    };
    const std::array<double, 2> here = texture_place(flat, triangle, at.u, at.v);
    const std::array<double, 2> right = place(x + samples, y), below = place(x, y + samples);
    const double area =
        std::abs((right[0] - here[0]) * (below[1] - here[1]) - (right[1] - here[1]) * (below[0] - here[0]));
    const Vec3 color = texture->at(here[0], here[1], texture->level(area, 1)).color;
    point.color = {point.color.x * color.x, point.color.y * color.y, point.color.z * color.z};
  }

  // The point in the middle of a block of light_spacing x light_spacing pixels, without colour.
  SeenPoint middle(int column, int row) const {
    const int side = samples * light_spacing;
    const int x = std::min(column * side + side / 2, visible.width() - 1);
    const int y = std::min(row * side + side / 2, visible.height() - 1);
    const int triangle = triangle_at(x, y);
    if (triangle < 0) return ground_point(x, y);
    const auto t = static_cast<std::size_t>(triangle);
    SeenPoint point = object_point(t, x, y, visible.point(t, x, y));
    const Triangle& corners = flat.surface.triangles[t];
    const auto position = [&](std::size_t i) { return flat.surface.positions[static_cast<std::size_t>(corners[i])]; };
    point.face_normal = normalized(cross(position(1) - position(0), position(2) - position(0)));
    if (visible.from_behind(t)) point.face_normal = -point.face_normal;
    return point;
  }

  // True if no object is visible in a pixel.
  bool is_bare(int column, int row) const {
    for (int y = row * samples; y < (row + 1) * samples; ++y)
      for (int x = column * samples; x < (column + 1) * samples; ++x)
        if (visible.triangle(x, y) >= 0) return false;
    return true;
  }

  // Colour at a point of a pixel that shows triangle `seen`, or -1 for none, in linear light.
  Vec3 color_at(const LightBuffer& light, int column, int row, int seen, double x, double y) const {
    const Vec3 behind = backdrop((y + 0.5) / visible.height());
    const auto shaded = [&](const SeenPoint& point) {
      return shade(point, light_at(light, column / light_spacing, row / light_spacing, point, flat.size),
                   normalized(rays.towards(x, y)), behind);
    };
    if (seen < 0) {
      const SeenPoint point = ground_point(x, y);
      return point.kind == PointKind::nothing ? behind : shaded(point);
    }
    const auto triangle = static_cast<std::size_t>(seen);
    const TrianglePoint at = visible.point(triangle, x, y);
    SeenPoint point = object_point(triangle, x, y, at);
    add_color(triangle, x, y, at, point);
    return shaded(point);
  }

  // True if all points of a pixel are on the same triangle, or none is on any.
  bool is_uniform(int column, int row, int triangle) const {
    for (int y = row * samples; y < (row + 1) * samples; ++y)
      for (int x = column * samples; x < (column + 1) * samples; ++x)
        if (triangle_at(x, y) != triangle) return false;
    return true;
  }

  // Mean of a pixel's points in linear light. Points on the same triangle are evaluated once, at their centre.
  Vec3 pixel_color(const LightBuffer& light, int column, int row) const {
    const int points = samples * samples, first = triangle_at(column * samples, row * samples);
    if (is_uniform(column, row, first)) {
      const double middle = 0.5 * (samples - 1);
      return points * color_at(light, column, row, first, column * samples + middle, row * samples + middle) / points;
    }
    struct Seen {
      int triangle, count;
      double x, y;
    };
    std::array<Seen, max_samples * max_samples> seen;
    std::size_t different = 0;
    for (int y = row * samples; y < (row + 1) * samples; ++y)
      for (int x = column * samples; x < (column + 1) * samples; ++x) {
        const int triangle = triangle_at(x, y);
        std::size_t i = 0;
        while (i < different && seen[i].triangle != triangle) ++i;
        if (i == different) seen[different++] = {triangle, 0, 0, 0};
        ++seen[i].count, seen[i].x += x, seen[i].y += y;
      }
    Vec3 sum;
    for (std::size_t i = 0; i < different; ++i)
      sum += seen[i].count *
             color_at(light, column, row, seen[i].triangle, seen[i].x / seen[i].count, seen[i].y / seen[i].count);
    return sum / points;
  }
};

}  // namespace

Vec3 background_color(int row, int height) {
  const std::array<std::uint8_t, 3> encoded = srgb_bytes(backdrop((row + 0.5) / height));
  return {static_cast<double>(encoded[0]), static_cast<double>(encoded[1]), static_cast<double>(encoded[2])};
}

Image render(const PictureScene& scene, const Camera& camera, const PictureOptions& options) {
  if (options.samples < 1 || options.samples > max_samples)
    throw usage_error("a picture takes 1 to 8 samples per pixel and axis, not " + std::to_string(options.samples));
  if (options.light_spacing < 1 || options.light_spacing > max_samples)
    throw usage_error("a picture's light is found every 1 to 8 pixels, not " + std::to_string(options.light_spacing));
  if (options.width < 1 || options.height < 1 ||
      options.width > max_pixels / options.samples / options.samples / options.height)
    throw usage_error("a picture of " + std::to_string(options.width) + " x " + std::to_string(options.height) +
                      " pixels cannot be made; ask for fewer pixels or samples");
  const FlatScene flat = flatten(scene);
  const int width = options.width * options.samples, height = options.height * options.samples;
  const CameraRays rays(camera, flat.centre, width, height);
  const std::vector<bool> see_through = see_through_triangles(flat);
  const VisibleTriangles visible(rays, flat.surface.positions, flat.surface.triangles, width, height, see_through,
                                 [&](std::size_t triangle, const TrianglePoint& at, int x, int y) {
                                   const PictureMesh& mesh = *flat.meshes[triangle];
                                   const double opacity = opacity_at(flat, triangle, at.u, at.v);
                                   if (mesh.finish.alpha_mode == AlphaMode::mask)
                                     return opacity >= mesh.finish.alpha_cutoff;
                                   return opacity >
                                          dither_threshold(x, y, static_cast<std::size_t>(&mesh - scene.meshes.data()));
                                 });
  const double ground = scene.ground_height - flat.centre.y;
  const bool ground_may_hide = scene.ground && !(rays.eye.y > ground && flat.low.y >= ground);
  const GroundShade shade_on_ground = ground_shade(flat.low, flat.high, ground, flat.size);
  const View view{scene, flat, rays, visible, options.samples, options.light_spacing, ground_may_hide, shade_on_ground};

  const RayScene shadow_rays(flat.surface.positions, shadow_casters(flat, see_through));
  const Occlusion occlusion(shadow_rays, flat.size);
  const int spacing = options.light_spacing;
  LightBuffer light((options.width + spacing - 1) / spacing, (options.height + spacing - 1) / spacing);
  parallel_for(static_cast<std::size_t>(light.height()), picture_rows_per_task, [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < light.width(); ++x) {
      const SeenPoint point = view.middle(x, y);
      light.set(light.index(x, y), point);
      if (point.kind != PointKind::nothing && casts_light_rays(x, y))
        light.set_light(light.index(x, y), occlusion.sample(point, x, y));
    }
  });
  smooth_light(light, flat.size);

  Image image(options.width, options.height);
  parallel_for(static_cast<std::size_t>(options.height), picture_rows_per_task, [&](std::size_t row) {
    const int y = static_cast<int>(row);
    const Vec3 behind = backdrop((y + 0.5) / options.height);
    const std::array<std::uint8_t, 3> bare = srgb_bytes(behind);
    for (int x = 0; x < options.width; ++x) {
      const std::size_t lit = light.index(x / spacing, y / spacing);
      const LightBuffer::Light& share = light.light()[lit];
      const bool unshaded =
          light.point(lit).kind != PointKind::object && share.key >= share.weight && share.ambient >= share.weight;
      const std::array<std::uint8_t, 3> encoded =
          unshaded && view.is_bare(x, y) ? bare : srgb_bytes(view.pixel_color(light, x, y));
      std::copy(encoded.begin(), encoded.end(), image.pixel(x, y));
    }
  });
  return image;
}

}  // namespace sinew
