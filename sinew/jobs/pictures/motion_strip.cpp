#include "sinew/jobs/pictures/motion_strip.h"

#include <numeric>
#include <vector>

#include "sinew/jobs/pictures/preview.h"

namespace sinew {

Image motion_strip(const Character& character, int clip, const MotionStripOptions& options) {
  const auto& [height, count, finishes] = options;
  const Clip& drawn = character.clips[static_cast<std::size_t>(clip)];
  Recording poses;
  poses.clip = clip;
  for (int k = 0; k < count; ++k) poses.times.push_back(drawn.start + (drawn.end - drawn.start) * (k + 0.5) / count);
  std::vector<int> frames(static_cast<std::size_t>(count));
  std::iota(frames.begin(), frames.end(), 0);
  PreviewOptions look;
  look.finishes = finishes;
  const PreviewStage stage(character, poses, frames, look);
  FilmstripOptions how;
  how.cell = stage.cell(height * height);
  how.cell.width = how.cell.width * height / how.cell.height;
  how.cell.height = height;
  how.camera = stage.camera();
  how.ground_at_lowest_point = false;
  Filmstrip strip;
  strip.rows.emplace_back();
  for (std::size_t k = 0; k < frames.size(); ++k) strip.rows.front().push_back(stage.scene(k, false));
  return render_filmstrip(strip, how);
}

}  // namespace sinew
