#include "sinew/picture/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/picture/light.h"
#include "sinew/picture/normals.h"
#include "sinew/picture/ray_scene.h"

namespace sinew {
namespace {

constexpr int max_samples = 8;
constexpr int max_pixels = 1 << 26;
constexpr double crease_angle = 1.05;  // 60 degrees
constexpr std::size_t picture_rows_per_task = 8;

// All meshes of a scene as one, about the origin so that single precision suffices for the rays.
struct FlatScene {
  Vec3 centre;
  double size = 1;  // diagonal of the bounding box, metres
  TriangleMesh surface;
  std::vector<Vec3> colors;                  // per vertex, linear RGB
  std::vector<std::array<Vec3, 3>> normals;  // per triangle corner
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
    // Normals never reach across meshes.
    for (const auto& normals : corner_normals(mesh.surface, crease_angle)) flat.normals.push_back(normals);
  }
  return flat;
}

// The rays of a pinhole camera through a picture of width x height points.
struct CameraRays {
  Vec3 eye, corner, step_x, step_y;

  CameraRays(const Camera& camera, const Vec3& centre, int width, int height) {
    const Vec3 back = normalized(camera.eye - camera.target);
    const Vec3 helper = std::abs(back.y) < 0.999 ? Vec3{0, 1, 0} : Vec3{0, 0, -1};
    const Vec3 right = normalized(cross(helper, back)), up = cross(back, right);
    const double half_height = std::tan(camera.vertical_field_of_view / 2);
    const double pixel = 2 * half_height / height;
    eye = camera.eye - centre;
    step_x = right * pixel;
    step_y = up * -pixel;
    corner = -back + right * (-0.5 * pixel * (width - 1)) + up * (0.5 * pixel * (height - 1));
  }
  Vec3 direction(int x, int y) const { return normalized(corner + step_x * x + step_y * y); }
};

// Samples from (left, top) to (right, bottom), all included.
struct PicturePart {
  int left, top, right, bottom;
};

// The part of the picture outside which no camera ray meets an object.
PicturePart covered_part(const CameraRays& rays, const std::vector<Vec3>& positions, int width, int height) {
  const Vec3 forward = cross(rays.step_x, rays.step_y);
  double left = width, top = height, right = -1, bottom = -1;
  for (const Vec3& position : positions) {
    const Vec3 offset = position - rays.eye;
    const double depth = dot(offset, forward);
    if (depth <= 0) return {0, 0, width - 1, height - 1};  // beside or behind the eye
    const Vec3 on_plane = offset * (dot(rays.corner, forward) / depth) - rays.corner;
    const double x = dot(on_plane, rays.step_x) / squared_norm(rays.step_x);
    const double y = dot(on_plane, rays.step_y) / squared_norm(rays.step_y);
    left = std::min(left, x), right = std::max(right, x);
    top = std::min(top, y), bottom = std::max(bottom, y);
  }
  const auto clamped = [](double value, int limit) { return static_cast<int>(std::clamp<double>(value, -1, limit)); };
  return {clamped(left - 1, width), clamped(top - 1, height), clamped(right + 2, width), clamped(bottom + 2, height)};
}

SeenPoint object_point(const FlatScene& flat, const RayHit& hit, const Vec3& origin, const Vec3& direction) {
  const auto index = static_cast<std::size_t>(hit.triangle);
  const Triangle& triangle = flat.surface.triangles[index];
  const double weight[3] = {1 - hit.u - hit.v, hit.u, hit.v};
  SeenPoint point;
  point.kind = PointKind::object;
  point.position = origin + direction * hit.distance;
  Vec3 corner[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto vertex = static_cast<std::size_t>(triangle[i]);
    corner[i] = flat.surface.positions[vertex];
    point.color += weight[i] * flat.colors[vertex];
    point.normal += weight[i] * flat.normals[index][i];
  }
  point.face_normal = normalized(cross(corner[1] - corner[0], corner[2] - corner[0]));
  point.normal = normalized(point.normal);
  // Open and turned-over surfaces are lit from the side that one sees.
  if (dot(point.face_normal, direction) > 0) {
    point.face_normal = -point.face_normal;
    point.normal = -point.normal;
  }
  return point;
}

// `rays` is null where the ray is known to pass all objects.
SeenPoint trace(const FlatScene& flat, const RayScene* rays, const PictureScene& scene, const Vec3& origin,
                const Vec3& direction) {
  const double farthest = norm(origin) + flat.size;
  const RayHit hit = rays ? rays->closest_hit(origin, direction, 0, farthest) : RayHit{};
  const double ground = scene.ground_height - flat.centre.y;
  const double to_ground = scene.ground && direction.y < 0 ? (ground - origin.y) / direction.y : -1;
  const bool hit_ground = to_ground > 0 && (hit.triangle < 0 || to_ground < hit.distance);
  if (hit_ground) {
    SeenPoint point;
    point.kind = PointKind::ground;
    point.position = origin + direction * to_ground;
    point.normal = point.face_normal = {0, 1, 0};
    return point;
  }
  return hit.triangle >= 0 ? object_point(flat, hit, origin, direction) : SeenPoint{};
}

// The mean of a pixel's samples, in linear light.
Vec3 pixel_color(const LightBuffer& buffer, const CameraRays& rays, int samples, int column, int row) {
  Vec3 sum;
  for (int y = row * samples; y < (row + 1) * samples; ++y) {
    const Vec3 behind = backdrop((y + 0.5) / buffer.height());
    for (int x = column * samples; x < (column + 1) * samples; ++x)
      sum += shade(buffer, buffer.index(x, y), rays.direction(x, y), behind);
  }
  return sum / (samples * samples);
}

}  // namespace

Vec3 background_color(int row, int height) {
  const Vec3 encoded = 255 * srgb_encoded(backdrop((row + 0.5) / height));
  return {std::round(encoded.x), std::round(encoded.y), std::round(encoded.z)};
}

Image render(const PictureScene& scene, const Camera& camera, const PictureOptions& options) {
  if (options.samples < 1 || options.samples > max_samples)
    throw usage_error("a picture takes 1 to 8 samples per pixel and axis, not " + std::to_string(options.samples));
  if (options.width < 1 || options.height < 1 ||
      options.width > max_pixels / options.samples / options.samples / options.height)
    throw usage_error("a picture of " + std::to_string(options.width) + " x " + std::to_string(options.height) +
                      " pixels cannot be made; ask for fewer pixels or samples");
  const FlatScene flat = flatten(scene);
  const RayScene rays(flat.surface.positions, flat.surface.triangles);
  const int width = options.width * options.samples, height = options.height * options.samples;
  const CameraRays camera_rays(camera, flat.centre, width, height);

  LightBuffer buffer(width, height);
  const Occlusion occlusion(rays, flat.size);
  const PicturePart part = covered_part(camera_rays, flat.surface.positions, width, height);
  parallel_for(static_cast<std::size_t>(height), picture_rows_per_task, [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < width; ++x) {
      const bool near_object = x >= part.left && x <= part.right && y >= part.top && y <= part.bottom;
      const SeenPoint point =
          trace(flat, near_object ? &rays : nullptr, scene, camera_rays.eye, camera_rays.direction(x, y));
      buffer.set(buffer.index(x, y), point);
      if (point.kind != PointKind::nothing && casts_light_rays(x, y))
        buffer.set_light(buffer.index(x, y), occlusion.sample(point, x, y));
    }
  });
  smooth_light(buffer, flat.size);

  Image image(options.width, options.height);
  parallel_for(static_cast<std::size_t>(options.height), picture_rows_per_task, [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < options.width; ++x) {
      const Vec3 encoded = srgb_encoded(pixel_color(buffer, camera_rays, options.samples, x, y));
      for (std::size_t channel = 0; channel < 3; ++channel)
        image.pixel(x, y)[channel] = static_cast<std::uint8_t>(std::lround(255 * encoded[channel]));
    }
  });
  return image;
}

}  // namespace sinew
