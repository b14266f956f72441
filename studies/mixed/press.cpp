#include "studies/mixed/press.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/mesh/boundary_surface.h"
#include "studies/mixed/posed_body.h"

namespace sinew {
namespace {

constexpr Vec3 gravity{0, -9.81, 0};

// The boundary's vertices as points of their elements.
SurfacePoints boundary_points(const TetrahedralMesh& mesh) {
  SurfacePoints points;
  std::vector<char> seen(mesh.positions.size(), 0);
  const BoundarySurface surface = boundary_surface(mesh);
  for (std::size_t k = 0; k < surface.triangles.size(); ++k)
    for (const int v : surface.triangles[k]) {
      if (seen[static_cast<std::size_t>(v)]) continue;
      seen[static_cast<std::size_t>(v)] = 1;
      const Tetrahedron& corners = mesh.tetrahedra[static_cast<std::size_t>(surface.tetrahedron[k])];
      points.vertex.push_back({corners[0], corners[1], corners[2], corners[3]});
      std::array<double, 4>& weight = points.weight.emplace_back();
      for (std::size_t c = 0; c < 4; ++c) weight[c] = corners[c] == v ? 1 : 0;
    }
  return points;
}

std::vector<Vec3> forces_of(const PressLoad& load, const TetrahedralMesh& mesh, const SurfacePoints& points,
                            const Material& material) {
  std::vector<Vec3> forces(mesh.positions.size());
  if (load.weight) add_weight(lumped_mass(mesh, {material, {}, {}}), gravity, forces);
  for (const Load& force : load.loads) add_load(points, mesh.positions, force, forces);
  return forces;
}

double largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, distance(a[v], b[v]));
  return largest;
}

}  // namespace

std::vector<PressLoad> press_loads(const Bar& bar) {
  const double w = bar.width, depth = w / 4;
  const Vec3 first = bar.joint * 0.5;  // the middle of the first bone is at half the joint's x
  const double middle = bar.joint.y;
  std::vector<PressLoad> loads(5);
  loads[0].name = "weight";
  loads[0].weight = true;
  loads[1].name = "poke, 30 N";
  loads[1].loads = {{{1.5 * bar.joint.x, w, middle}, {0, -30, 0}, 0.4 * w}};
  loads[2].name = "plane";
  loads[2].colliders.planes = {{{0, depth, 0}, {0, 1, 0}}};
  loads[3].name = "sphere";
  loads[3].colliders.capsules = {sphere_collider({first.x, w + 0.6 * w - depth, middle}, 0.6 * w)};
  loads[4].name = "capsule";
  loads[4].colliders.capsules = {{{first.x, depth - 0.35 * w, -w}, {first.x, depth - 0.35 * w, 2 * w}, 0.35 * w}};
  return loads;
}

std::vector<PressPose> press_experiment(const Bar& bar, const PressOptions& options, const Progress& progress) {
  const TetrahedralMesh& mesh = bar.lattice.mesh;
  const SurfacePoints points = boundary_points(mesh);
  const std::vector<PressLoad> loads = press_loads(bar);
  const std::vector<Affine> bones = turned(bar, {0, 0, 1}, options.degrees);
  std::vector<PressPose> poses;
  for (const MixedMaterial material : options.materials) {
    PosedBody body(mesh, bar.bones, options.material, {material, 1});
    std::vector<Vec3> unloaded;
    body.pose(bones, unloaded);
    for (const PressLoad& load : loads) {
      report_or_stop(progress, "pressing a bar",
                     static_cast<double>(poses.size()) / static_cast<double>(loads.size() * options.materials.size()));
      PressPose& pose = poses.emplace_back();
      pose.material = material;
      pose.load = load;
      const std::vector<Vec3> forces = forces_of(load, mesh, points, options.material);
      Stopwatch watch;
      try {
        body.pose(bones, {forces, points, load.colliders}, pose.positions, pose.contacts);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::simulation) throw;
        continue;
      }
      pose.milliseconds = watch.seconds() * 1e3;
      pose.solved = true;
      for (const MixedContact& contact : pose.contacts.pushing) pose.pushed += contact.force;
      pose.body = measure_body(mesh, pose.positions);
      pose.largest_move = largest_distance(pose.positions, unloaded) / bar.width;
    }
  }
  return poses;
}

}  // namespace sinew
