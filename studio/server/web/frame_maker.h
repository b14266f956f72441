// What is in the player as a frame for pages, and what is measured for it.
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
#include "studio/server/live/posing.h"
#include "studio/server/live/step_meter.h"

namespace sinew::studio {

// What frames bring, and the memory of the last one.
struct FrameMaker {
  bool heat = false, goal = false, measures = false, cells = false;
  std::optional<SkinPlace> picked;
  std::uint32_t number = 0;      // of the last frame
  std::vector<Vec3> positions;   // of the flesh as it is shown
  std::vector<Vec3> by_rig;      // where the rig alone has it
  std::vector<Vec3> comparison;  // what a second method makes of it
  std::vector<Vec3> cell_points;
  MovingCells moving_cells;
  std::vector<Affine> joints;
  Moment moment;
};

// Throws usage_error for a point that is none of the skin.
void show(FrameMaker& frames, const Scene& scene, const command::Show& show);

// The session's newest moment (frame.h); `beside` is null or what plays beside it. Throws simulation_error where the
// flesh flew apart.
void make_frame(FrameMaker& frames, Session& session, Comparison* comparison, const LoadedCharacter& loaded,
                const ClipPlay& play, const Posing& posing, const StepMeter& meter, bool moves,
                std::vector<std::byte>& bytes);

}  // namespace sinew::studio
