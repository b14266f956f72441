// Makes frames of the player's state, with measures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/session/session.h"
#include "studio/server/command.h"
#include "studio/server/live/body_cells.h"
#include "studio/server/live/clip_play.h"
#include "studio/server/live/comparison.h"
#include "studio/server/live/loaded_character.h"
#include "studio/server/live/moving_muscles.h"
#include "studio/server/live/step_meter.h"

namespace sinew::studio {

// Options of frames, and the content of the last one.
struct FrameMaker {
  bool heat = false, goal = false, measures = false, cells = false, muscles = false;
  std::optional<SkinPlace> picked;
  std::uint32_t number = 0;      // of the last frame
  std::vector<Vec3> positions;   // of the flesh as displayed
  std::vector<Vec3> by_rig;      // surface by the rig alone
  std::vector<Vec3> comparison;  // surface by the second method
  std::vector<Vec3> cell_points;
  MovingCells moving_cells;
  std::vector<Vec3> muscle_places;
  MovingMuscles moving_muscles;
  std::vector<Affine> joints;
  Moment moment;
};

// Changes what frames contain. Throws usage_error for a point that is not on the skin.
void show(FrameMaker& frames, const Scene& scene, const command::Show& show);

// Makes a frame (frame.h) of the session's newest moment; `comparison` may be null. Throws simulation_error if the
// result is not finite.
void make_frame(FrameMaker& frames, Session& session, Comparison* comparison, const LoadedCharacter& loaded,
                const ClipPlay& play, const StepMeter& meter, bool moves, std::vector<std::byte>& bytes);

}  // namespace sinew::studio
