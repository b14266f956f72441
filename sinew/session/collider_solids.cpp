#include "sinew/session/collider_solids.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/files/obj.h"

namespace sinew {
namespace {

constexpr double most_lost = 0.05;  // of a mesh's area, on parts too thin for its grid

void append(const TriangleMesh& part, std::span<const Vec3> positions, double scale, TriangleMesh& to) {
  const int first = static_cast<int>(to.positions.size());
  for (const Vec3& x : positions) to.positions.push_back(scale * x);
  for (const Triangle& t : part.triangles) to.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

bool is_below(const Skeleton& skeleton, int joint, int ancestor) {
  while (joint >= 0 && joint != ancestor) joint = skeleton.joints[index(joint)].parent;
  return joint == ancestor;
}

// The rigid meshes that a node and those below it show.
TriangleMesh mesh_of_node(const Character& character, const std::string& name, const std::string& setting) {
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == name; });
  if (found == joints.end())
    throw usage_error(setting + ": " + character.file + " has no node '" + name +
                      "'; `sinew info --json` lists the nodes.");
  const Pose rest = sample(character.skeleton, nullptr, 0);
  TriangleMesh mesh;
  for (const Part& part : character.parts)
    if (is_surface(part) && part.skin < 0 &&
        is_below(character.skeleton, part.joint, static_cast<int>(found - joints.begin())))
      append(part.surface, posed_positions(character, part, rest), character.metres_per_unit, mesh);
  if (mesh.triangles.empty())
    throw usage_error(setting + ": node '" + name + "' of " + character.file +
                      " shows no rigid mesh; choose a node whose mesh has no skin.");
  return mesh;
}

TriangleMesh mesh_of_file(const std::string& file) {
  const Character object = read_obj(file);
  TriangleMesh mesh;
  for (const Part& part : object.parts) append(part.surface, part.surface.positions, object.metres_per_unit, mesh);
  return mesh;
}

std::string in_millimetres(double metres) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g mm", 1000 * metres);
  return text;
}

std::shared_ptr<const SolidMesh> solid_of(const Character& character, const ColliderSettings& collider,
                                          const std::string& setting) {
  TriangleMesh mesh =
      collider.file.empty() ? mesh_of_node(character, collider.node, setting) : mesh_of_file(collider.file);
  const std::string name = collider.file.empty() ? "node '" + collider.node + "'" : collider.file;
  std::shared_ptr<const SolidMesh> solid = solid_mesh(std::move(mesh));
  if (!solid) throw input_error(setting + ": " + name + " encloses nothing, so that nothing is solid; close the mesh.");
  if (solid->lost > most_lost)
    throw input_error(setting + ": parts of " + name + " are thinner than " +
                      in_millimetres(2 * solid->distance.layout().cell) +
                      ", too thin for its size; make them thicker, or give them as a collider of their own.");
  return solid;
}

}  // namespace

std::vector<std::shared_ptr<const SolidMesh>> collider_solids(const Character& character,
                                                              std::span<const ColliderSettings> colliders) {
  std::vector<std::shared_ptr<const SolidMesh>> solids(colliders.size());
  for (std::size_t k = 0; k < colliders.size(); ++k)
    if (colliders[k].shape == ColliderShape::mesh)
      solids[k] = solid_of(character, colliders[k], "colliders[" + std::to_string(k) + "]");
  return solids;
}

}  // namespace sinew
