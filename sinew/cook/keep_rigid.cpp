#include "sinew/cook/keep_rigid.h"

#include <array>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/character/fingerprint.h"
#include "sinew/cook/parts_on_skin.h"

namespace sinew {
namespace {

// The scene's bone that stands for a bone of the surface: itself, or its nearest ancestor in the scene.
int bone_of_scene(const Scene& scene, int of_surface) {
  for (int b = of_surface; b >= 0; b = scene.surface->bones[index(b)].parent)
    for (std::size_t k = 0; k < scene.bones.size(); ++k)
      if (scene.bones[k].joint == scene.surface->bones[index(b)].joint) return static_cast<int>(k);
  return -1;
}

}  // namespace

RigidGroup rigid_group(const RigidPart& part) {
  const std::size_t count = part.vertices.size();
  return {part.vertices, std::vector<double>(count, 1.0 / static_cast<double>(count))};
}

std::vector<int> keep_rigid_parts(const SimulationSurface& surface, const std::vector<RigidPart>& parts,
                                  KeptShape& shape, const std::function<bool(const RigidPart&)>& has_flesh) {
  std::vector<int> bones;
  PartsOnSkin on_skin = parts_on_skin(surface, parts, has_flesh);
  for (const RigidPart& part : on_skin.parts) {
    shape.rigid.push_back(rigid_group(part));
    bones.push_back(part.bone);
  }
  shape.footing = std::move(on_skin.footing);
  shape.glued = std::move(on_skin.glued);
  return bones;
}

Scene keeping_rigid(Scene scene, bool keeps_size) {
  const std::vector<RigidPart> parts = find_rigid_parts(*scene.surface);
  if (parts.empty()) return scene;
  const auto shape = std::make_shared<KeptShape>();
  const std::vector<int> bones = keep_rigid_parts(*scene.surface, parts, *shape);
  if (!keeps_size)
    for (const int bone : bones) shape->grows_with.push_back(bone_of_scene(scene, bone));
  Fingerprint print;
  print.add(std::array{scene.fingerprint});
  for (const RigidGroup& group : shape->rigid) print.add(group.vertices);
  scene.fingerprint = print.value();
  const auto clamps = scene.clamps ? std::make_shared<DisplayClamps>(*scene.clamps) : std::make_shared<DisplayClamps>();
  clamps->shape = shape;
  scene.clamps = clamps;
  return scene;
}

}  // namespace sinew
