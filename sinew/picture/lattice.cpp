#include "sinew/picture/lattice.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "sinew/picture/lines.h"
#include "sinew/picture/picture.h"

namespace sinew {
namespace {

constexpr std::array<std::uint8_t, 3> front_color{28, 62, 120}, back_color{178, 190, 208},
    lattice_bone_color{200, 60, 30};
constexpr Vec3 surface_color{0.72, 0.66, 0.58};
constexpr double views[] = {0.0, 0.7, 1.5707963267948966};  // azimuths

// An edge of the boundary with the area vectors of the faces beside it.
struct BoundaryEdge {
  int a = -1, b = -1;
  std::vector<Vec3> normals;
};

std::vector<BoundaryEdge> boundary_edges(const ControlLattice& lattice) {
  std::map<std::vector<int>, std::vector<std::size_t>> faces;  // by their corners, increasing
  for (std::size_t f = 0; f < lattice.faces(); ++f) {
    std::vector<int> key(lattice.face(f).begin(), lattice.face(f).end());
    std::sort(key.begin(), key.end());
    faces[key].push_back(f);
  }
  std::map<std::array<int, 2>, std::vector<Vec3>> normals;
  for (const auto& [key, list] : faces) {
    if (list.size() != 1) continue;
    const std::span<const int> face = lattice.face(list[0]);
    Vec3 normal;
    for (std::size_t k = 0; k < face.size(); ++k)
      normal += cross(lattice.positions[static_cast<std::size_t>(face[k])],
                      lattice.positions[static_cast<std::size_t>(face[(k + 1) % face.size()])]);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int a = face[k], b = face[(k + 1) % face.size()];
      normals[{std::min(a, b), std::max(a, b)}].push_back(normal);
    }
  }
  std::vector<BoundaryEdge> edges;
  for (const auto& [edge, beside] : normals) edges.push_back({edge[0], edge[1], beside});
  return edges;
}

}  // namespace

Image lattice_picture(const TriangleMesh& surface, const ControlLattice& lattice,
                      const LatticePictureOptions& options) {
  PictureScene scene, around;
  scene.ground = around.ground = false;
  scene.meshes.push_back({surface, surface_color, {}});
  around.meshes.emplace_back();
  around.meshes.back().surface.positions = lattice.positions;
  const std::vector<BoundaryEdge> edges = boundary_edges(lattice);
  Image sheet(options.width * static_cast<int>(std::size(views)), options.height);
  int column = 0;
  for (const double azimuth : views) {
    const Camera camera =
        fit_camera({&scene, &around}, static_cast<double>(options.width) / options.height, {azimuth, 0.12}, 0.03);
    Image image = render(scene, camera, {options.width, options.height, options.samples});
    const auto point = [&](int v) {
      return projected(camera, lattice.positions[static_cast<std::size_t>(v)], options.width, options.height);
    };
    const auto faces_eye = [&](const BoundaryEdge& edge) {
      const Vec3 towards = camera.eye - lattice.positions[static_cast<std::size_t>(edge.a)];
      return std::any_of(edge.normals.begin(), edge.normals.end(), [&](const Vec3& n) { return dot(n, towards) > 0; });
    };
    for (const bool front : {false, true}) {
      for (const BoundaryEdge& edge : edges)
        if (faces_eye(edge) == front)
          draw_line(image, point(edge.a), point(edge.b), front ? front_color : back_color, front ? 1.1 : 0.6);
      if (front) continue;
      for (const LatticeBone& bone : lattice.bones) {
        for (std::size_t k = 0; k + 1 < bone.vertices.size(); ++k)
          draw_line(image, point(bone.vertices[k]), point(bone.vertices[k + 1]), lattice_bone_color, 2);
        for (int v : bone.vertices) draw_line(image, point(v), point(v), lattice_bone_color, 4.5);
      }
    }
    for (int row = 0; row < options.height; ++row)
      std::copy_n(image.pixel(0, row), static_cast<std::size_t>(options.width) * 3,
                  sheet.pixel(column * options.width, row));
    ++column;
  }
  return sheet;
}

}  // namespace sinew
