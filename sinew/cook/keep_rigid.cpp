#include "sinew/cook/keep_rigid.h"

#include <array>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/character/fingerprint.h"
#include "sinew/cook/skin_under_things.h"

namespace sinew {
namespace {

// The scene's bone that moves what hangs on a bone of the surface: its own, or the nearest above it that the scene has.
int bone_of_scene(const Scene& scene, int of_surface) {
  for (int b = of_surface; b >= 0; b = scene.surface->bones[index(b)].parent)
    for (std::size_t k = 0; k < scene.bones.size(); ++k)
      if (scene.bones[k].joint == scene.surface->bones[index(b)].joint) return static_cast<int>(k);
  return -1;
}

}  // namespace

std::vector<RigidGroup> rigid_groups(const std::vector<RigidThing>& things) {
  std::vector<RigidGroup> groups;
  for (const RigidThing& thing : things) {
    const std::size_t count = thing.vertices.size();
    groups.push_back({thing.vertices, std::vector<double>(count, 1.0 / static_cast<double>(count))});
  }
  return groups;
}

Scene keeping_rigid(Scene scene, bool keeps_size) {
  const std::vector<RigidThing> things = find_rigid_things(*scene.surface);
  if (things.empty()) return scene;
  const auto shape = std::make_shared<KeptShape>();
  shape->rest = scene.surface->rest;
  shape->rigid = rigid_groups(things);
  shape->glued = skin_under_things(*scene.surface, things);
  if (!keeps_size)
    for (const RigidThing& thing : things) shape->grows_with.push_back(bone_of_scene(scene, thing.bone));
  Fingerprint print;
  print.add(std::array{scene.fingerprint});
  for (const RigidGroup& group : shape->rigid) print.add(group.vertices);
  scene.fingerprint = print.value();
  scene.deformer = [inner = std::move(scene.deformer), shape] { return keeping_shape(inner(), shape); };
  return scene;
}

}  // namespace sinew
