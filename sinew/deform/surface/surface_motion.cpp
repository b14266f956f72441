#include "sinew/deform/surface/surface_motion.h"

#include <cmath>

#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {

double girth_stretch(const SurfaceSegment& rest, const Affine& bone) {
  const double volume = std::abs(determinant(bone.linear));
  const Vec3 along = rest.tail - rest.head;
  const double length = norm(along);
  if (!(length > 0)) return std::cbrt(volume);
  const double stretched = norm(bone.linear * along);
  return stretched > 0 ? std::sqrt(volume * length / stretched) : 0;
}

void pose_surface(const SurfaceModel& model, std::span<const Affine> bones, PosedSurface& posed) {
  const std::size_t n = model.rest.size();
  posed.goal.resize(n);
  parallel_chunks(n, surface_grain, [&](std::size_t begin, std::size_t end) {
    linear_blend(std::span(model.rest).subspan(begin, end - begin),
                 std::span(model.influences).subspan(begin, end - begin), bones,
                 std::span(posed.goal).subspan(begin, end - begin));
  });
  posed.segments = model.segments;
  for (SurfaceSegment& s : posed.segments) {
    s.head = bones[static_cast<std::size_t>(s.bone)] * s.head;
    s.tail = bones[static_cast<std::size_t>(s.bone)] * s.tail;
  }
  posed.bone_rotation.clear();
  if (needs_bone_rotations(model))
    for (const Affine& bone : bones) posed.bone_rotation.push_back(closest_rotation(bone.linear));
  posed.spoke_length.resize(model.spokes.size());
  std::vector<double> stretch;
  if (model.reference == ShapeReference::rest)
    for (const SurfaceSegment& s : model.segments)
      stretch.push_back(girth_stretch(s, bones[static_cast<std::size_t>(s.bone)]));
  parallel_for(n, surface_grain, [&](std::size_t v) {
    for (int k = model.first_spoke[v]; k < model.first_spoke[v + 1]; ++k) {
      const auto spoke = static_cast<std::size_t>(k);
      const auto s = static_cast<std::size_t>(model.spokes[spoke].segment);
      const bool rig = stretch.empty();
      const SurfaceSegment& segment = rig ? posed.segments[s] : model.segments[s];
      const Vec3& point = rig ? posed.goal[v] : model.rest[v];
      const double length = distance(point, nearest_on_segment(segment.head, segment.tail, point));
      posed.spoke_length[spoke] = rig ? length : stretch[s] * length;
    }
  });
}

SurfaceState rest_in_goal(const SurfaceModel& model, std::span<const Affine> bones, const PosedSurface& now,
                          const PosedSurface& next) {
  SurfaceState state;
  state.position = now.goal;
  state.change.resize(now.goal.size());
  state.rotation.resize(now.goal.size());
  for (std::size_t i = 0; i < now.goal.size(); ++i) {
    state.change[i] = next.goal[i] - now.goal[i];
    if (model.reference == ShapeReference::rest)
      state.rotation[i] = closest_rotation(blended_bone(model.influences[i], bones).linear, Quat{});
  }
  return state;
}

SurfaceMoment moment_of(const SurfaceModel& model, const SurfaceState& state, const PosedSurface& now,
                        const PosedSurface& next) {
  return {state.position,
          state.change,
          now.goal,
          next.goal,
          model.reference == ShapeReference::rig ? std::span<const Vec3>(now.goal) : std::span<const Vec3>(model.rest),
          now.segments,
          now.bone_rotation,
          now.spoke_length};
}

void step_surface(const SurfaceModel& model, const PosedSurface& now, const PosedSurface& next, SurfaceState& before,
                  SurfaceState& after) {
  step_surface(model, now, next, before, after, [](std::size_t, const TermArray&) {});
}

}  // namespace sinew
