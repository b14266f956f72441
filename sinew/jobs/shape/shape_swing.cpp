#include "sinew/jobs/shape/shape_swing.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/session/session.h"

namespace sinew {
namespace {

constexpr double settled_within = 0.05;  // of the shape
constexpr double before_the_rise = 1;    // seconds, in which the flesh settles where the controls begin
constexpr double least_reach = 1e-4;     // of the height: less is not seen

void hold(Session& session, std::span<const SwungControl> controls, bool at_end) {
  for (const SwungControl& control : controls) {
    Action action;
    action.kind = Action::Kind::control;
    action.name = control.name;
    action.value = at_end ? control.to : control.from;
    action.seconds = at_end ? swing_rise : 0;
    session.act(action);
  }
}

}  // namespace

ShapeSwing shape_swing(const Character& character, const Scene& scene, std::span<const SwungControl> controls,
                       const Progress& progress) {
  Session session(character, scene);
  hold(session, controls, false);
  session.advance(before_the_rise);
  const std::size_t vertices = scene.surface->rest.positions.size();
  std::vector<Vec3> before(vertices);
  session.surface(before);
  hold(session, controls, true);
  std::vector<std::vector<Vec3>> frames;
  ShapeSwing swing;
  const int count = static_cast<int>(swing_run * swing_frames_per_second);
  for (int k = 1; k <= count; ++k) {
    report_or_stop(progress, "watching it swing", static_cast<double>(k) / count);
    session.advance(1 / swing_frames_per_second);
    session.surface(frames.emplace_back(vertices));
    swing.seconds.push_back(k / swing_frames_per_second);
  }
  std::vector<Vec3> shape(vertices);  // where it ends
  double squared = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    shape[v] = frames.back()[v] - before[v];
    squared += squared_norm(shape[v]);
    swing.reach = std::max(swing.reach, norm(shape[v]));
  }
  if (!(swing.reach > least_reach * scene.height))
    throw usage_error("This rig does not move the skin between these two values.");
  for (const std::vector<Vec3>& frame : frames) {
    double along = 0;
    for (std::size_t v = 0; v < vertices; ++v) along += dot(frame[v] - before[v], shape[v]);
    swing.share.push_back(along / squared);
    swing.overshoot = std::max(swing.overshoot, swing.share.back() - 1);
  }
  std::size_t still = frames.size();
  while (still > 0 && std::abs(swing.share[still - 1] - 1) <= settled_within) --still;
  if (swing.seconds.back() - (still > 0 ? swing.seconds[still - 1] : 0) > swing_run / 6)
    swing.settled = still < frames.size() ? swing.seconds[still] : swing.seconds.back();
  return swing;
}

}  // namespace sinew
