#include "sinew/jobs/shape/shape_pictures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/picture/picture.h"
#include "sinew/shape/shape_forces.h"

namespace sinew {
namespace {

// The camera shows the skin that moves by more than this share of the farthest, and as much around it again.
constexpr double noticed = 0.15, around = 0.6;
constexpr double elevation = 0.15;  // radians
constexpr Vec3 skin_color{0.62, 0.52, 0.45};

// The shape of each sample; empty displacements for one that does nothing.
std::vector<std::vector<Vec3>> shapes_of(ShapeWork& work, const ShapeRig& rig, const Progress& progress) {
  const CookedRig cooked = cook_rig(rig, work.surface(), *work.body);
  work.body->set_pose(std::vector<Affine>(work.surface().bones.size()));
  std::vector<std::vector<Vec3>> shapes;
  for (const ShapeSample& sample : rig.samples) {
    report_or_stop(progress, "drawing the samples",
                   static_cast<double>(shapes.size()) / static_cast<double>(rig.samples.size()));
    const auto here = std::find_if(cooked.forces.begin(), cooked.forces.end(),
                                   [&](const SampledForce& each) { return each.at == sample.at; });
    std::vector<Vec3> skin(work.body->skin().rows());
    if (here != cooked.forces.end() && !here->force.empty()) {
      const std::vector<Vec3> moved = displacements_of(*here, *work.body);
      for (std::size_t s = 0; s < skin.size(); ++s) skin[s] = row_times(work.body->skin(), s, moved);
    }
    shapes.push_back(std::move(skin));
  }
  return shapes;
}

std::vector<double> farthest_of(const std::vector<std::vector<Vec3>>& shapes) {
  std::vector<double> far(shapes.front().size());
  for (const std::vector<Vec3>& shape : shapes)
    for (std::size_t s = 0; s < far.size(); ++s) far[s] = std::max(far[s], norm(shape[s]));
  return far;
}

// Looks from outside at the skin that moves; at the whole of it where none does.
Camera camera_on(const TriangleMesh& skin, std::span<const double> far) {
  const double most = *std::max_element(far.begin(), far.end());
  Vec3 middle, outward;
  double weight = 0;
  for (std::size_t s = 0; s < far.size(); ++s) {
    if (far[s] < noticed * most) continue;
    middle += far[s] * skin.positions[s];
    weight += far[s];
  }
  middle = weight > 0 ? middle / weight : Vec3{};
  for (const Triangle& t : skin.triangles)
    outward += (far[index(t[0])] + far[index(t[1])] + far[index(t[2])]) *
               area_vector(skin.positions[index(t[0])], skin.positions[index(t[1])], skin.positions[index(t[2])]);
  double radius = 0;
  for (std::size_t s = 0; s < far.size(); ++s)
    if (far[s] >= noticed * most) radius = std::max(radius, distance(skin.positions[s], middle));
  const double azimuth = std::hypot(outward.x, outward.z) > 0 ? std::atan2(outward.x, outward.z) : 0;
  CameraFit fit(1, {azimuth, elevation});
  for (std::size_t s = 0; s < far.size(); ++s)
    if (distance(skin.positions[s], middle) <= (1 + around) * radius) fit.include(skin.positions[s]);
  return fit.camera();
}

}  // namespace

std::vector<Image> shape_pictures(ShapeWork& work, const ShapeRig& rig, int pixels, const Progress& progress) {
  const std::vector<std::vector<Vec3>> shapes = shapes_of(work, rig, progress);
  const Camera camera = camera_on(work.surface().rest, farthest_of(shapes));
  std::vector<Image> pictures;
  for (const std::vector<Vec3>& shape : shapes) {
    TriangleMesh skin = work.surface().rest;
    for (std::size_t s = 0; s < shape.size(); ++s) skin.positions[s] += shape[s];
    PictureScene scene{{{std::move(skin), skin_color, {}}}};
    scene.ground = false;
    pictures.push_back(render(scene, camera, {pixels, pixels}));
  }
  return pictures;
}

}  // namespace sinew
