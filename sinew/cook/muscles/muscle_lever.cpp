#include "sinew/cook/muscles/muscle_lever.h"

#include "sinew/base/index.h"
#include "sinew/cook/muscles/muscles_in_body.h"
#include "sinew/shape/guide.h"

namespace sinew {
namespace {

bool is_below(int bone, int above, const std::vector<Bone>& bones) {
  while (bone >= 0 && bone != above) bone = bones[index(bone)].parent;
  return bone >= 0 && bone == above;
}

}  // namespace

MuscleLever muscle_lever(const MuscleFile& file, const Muscle& muscle, const SimulationSurface& surface) {
  MuscleLever lever{bone_of_end(file, muscle, muscle.origin, surface),
                    bone_of_end(file, muscle, muscle.insertion, surface),
                    false,
                    {}};
  lever.origin_is_lower = is_below(lever.origin, lever.insertion, surface.bones);
  const Vec3 pivot = main_segment(surface.bones[index(lever.lower())]).head;
  const Vec3 axis = cross(muscle.insertion.place - pivot, muscle.origin.place - pivot);
  if (lever.origin != lever.insertion && norm(axis) > 0) lever.axis = normalized(axis);
  return lever;
}

}  // namespace sinew
