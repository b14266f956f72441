#include "studio/server/web/frame_maker.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sinew/base/error.h"
#include "studio/server/live/hands.h"
#include "studio/server/web/frame.h"

namespace sinew::studio {
namespace {

constexpr double heat_of_height = 0.03;  // distance of the hottest colour, as a share of the height
constexpr double farthest_of_height = 1000;

void look(FrameMaker& frames, Session& session) {
  const Scene& scene = session.scene();
  frames.positions.resize(scene.surface->rest.positions.size());
  session.surface(frames.positions);
  session.moment_at(session.displayed_time(), frames.moment);
  for (const Vec3& position : frames.positions)
    if (!(distance(position, frames.positions[0]) < farthest_of_height * scene.height))
      throw simulation_error("The simulation failed numerically; it starts again.");
  if (!frames.heat && !frames.goal && !frames.measures) return;
  frames.by_rig.resize(frames.positions.size());
  session.goal(frames.moment, frames.by_rig);
}

FrameMeasures measures_of(const FrameMaker& frames, Session& session, const StepMeter& meter, bool moves) {
  FrameMeasures result;
  result.step_milliseconds = static_cast<float>(1e3 * meter.step_seconds);
  result.steps_per_second = static_cast<float>(moves ? meter.steps_per_second : 0);
  const BodyMeasures body = session.measure(frames.moment);
  result.energy = static_cast<float>(body.energy);
  result.volume = static_cast<float>(body.volume_ratio);
  double largest = 0;
  for (std::size_t v = 0; v < frames.positions.size(); ++v)
    largest = std::max(largest, distance(frames.positions[v], frames.by_rig[v]));
  result.largest = static_cast<float>(largest);
  if (frames.picked) {
    const SurfacePoint spot =
        nearest_surface_point(session.scene().surface->rest, rest_point(session.scene(), *frames.picked));
    result.picked = static_cast<float>(distance(place_of(spot, frames.positions), place_of(spot, frames.by_rig)));
  }
  return result;
}

// Must precede the transform of the rig's surface to where it is displayed.
void look_beside(FrameMaker& frames, Comparison* comparison, FrameContent& content) {
  frames.comparison.clear();
  if (!comparison) return;
  const std::span<const Vec3> surface = comparison->surface();
  frames.comparison.assign(surface.begin(), surface.end());
  if (frames.measures) content.comparison_measures = comparison->measures(frames.by_rig);
}

void look_at_cells(FrameMaker& frames, Session& session, const LoadedCharacter& loaded, FrameContent& content) {
  frames.moving_cells.of(loaded.scene);
  const std::span<const Vec3> places = frames.moving_cells.places(session.deformer().points(), frames.moment.bones);
  frames.cell_points.assign(places.begin(), places.end());
  content.with_cells = true;
  content.cells_number = frames.moving_cells.number();
}

void look_at_muscles(FrameMaker& frames, Session& session, const LoadedCharacter& loaded, FrameContent& content) {
  frames.moving_muscles.of(loaded.scene);
  const std::span<const Vec3> places = frames.moving_muscles.places(session.deformer().points(), frames.moment.bones);
  frames.muscle_places.assign(places.begin(), places.end());
  content.with_muscles = true;
  content.activation = frames.moment.activation;
}

// Balls move on straight lines between two steps.
std::vector<FrameBall> balls_of(const Session& session) {
  std::vector<FrameBall> balls;
  const double since = session.elapsed() - session.displayed_time();
  for (std::size_t b = 0; b < session.falling().balls().size(); ++b) {
    const BallState& state = session.falling().states()[b];
    if (session.falling().has_begun(b))
      balls.push_back(
          {static_cast<std::uint32_t>(session.falling().balls()[b].setting), state.place - since * state.velocity});
  }
  return balls;
}

}  // namespace

void show(FrameMaker& frames, const Scene& scene, const command::Show& show) {
  if (show.picked) {
    rest_point(scene, *show.picked);  // throws if there is no such point
    frames.picked = show.picked;
  }
  if (show.heat) frames.heat = *show.heat;
  if (show.goal) frames.goal = *show.goal;
  if (show.measures) frames.measures = *show.measures;
  if (show.cells) frames.cells = *show.cells;
  if (show.muscles) frames.muscles = *show.muscles;
}

void make_frame(FrameMaker& frames, Session& session, Comparison* comparison, const LoadedCharacter& loaded,
                const ClipPlay& play, const StepMeter& meter, bool moves, std::vector<std::byte>& bytes) {
  look(frames, session);
  FrameContent content;
  if (frames.measures) content.measures = measures_of(frames, session, meter, moves);
  look_beside(frames, comparison, content);
  frames.cell_points.clear();
  if (frames.cells) look_at_cells(frames, session, loaded, content);
  frames.muscle_places.clear();
  if (frames.muscles && session.scene().muscles) look_at_muscles(frames, session, loaded, content);
  const Affine shown = inverse(play.to_world);
  if (play.cycles > 0)
    for (std::vector<Vec3>* points :
         {&frames.positions, &frames.by_rig, &frames.comparison, &frames.cell_points, &frames.muscle_places})
      for (Vec3& point : *points) point = shown * point;
  std::vector<FrameBall> balls = balls_of(session);
  if (play.cycles > 0)
    for (FrameBall& ball : balls) ball.place = shown * ball.place;
  content.balls = balls;
  const double unit = loaded.opened->character.metres_per_unit;
  frames.joints.resize(frames.moment.pose.world.size());
  for (std::size_t j = 0; j < frames.joints.size(); ++j) {
    const Affine& world = frames.moment.pose.world[j];
    frames.joints[j] = {unit * world.linear, unit * world.translation};  // a pose has no cycles
  }
  content.number = ++frames.number;
  content.character = loaded.number;
  content.elapsed = session.displayed_time();
  content.clip_time = frames.moment.clip_time;
  content.behind = meter.behind;
  content.positions = frames.positions;
  content.joints = frames.joints;
  content.comparison = frames.comparison;
  content.cells = frames.cell_points;
  content.muscle_places = frames.muscle_places;
  content.goal = frames.by_rig;
  content.with_goal = frames.goal;
  content.with_heat = frames.heat;
  content.heat_scale = heat_of_height * session.scene().height;
  write_frame(content, bytes);
}

}  // namespace sinew::studio
