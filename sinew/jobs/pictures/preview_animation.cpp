#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/number_text.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/files/webp.h"
#include "sinew/jobs/pictures/preview.h"
#include "sinew/picture/text.h"

namespace sinew {
namespace {

constexpr double most_seconds = 10;  // of an animation
constexpr double most_frames_per_second = 30;
constexpr std::size_t frames_at_once = 16;  // drawn before they are encoded; a larger number takes more memory

// Every n-th recorded frame, for at most 30 per second.
std::vector<int> animation_frames(const Recording& recording) {
  const auto step =
      static_cast<std::size_t>(std::max(1.0, std::ceil(recording.frames_per_second / most_frames_per_second - 1e-9)));
  std::vector<int> frames;
  for (std::size_t f = 0; f < recording.times.size(); f += step) frames.push_back(static_cast<int>(f));
  return frames;
}

// The `count` successive frames with the largest activity.
std::vector<int> liveliest_span(const Recording& recording, const std::vector<int>& frames, std::size_t count) {
  std::vector<double> until{0};
  for (const int frame : frames) until.push_back(until.back() + activity(recording, frame));
  std::size_t best = 0;
  for (std::size_t first = 1; first + count <= frames.size(); ++first)
    if (until[first + count] - until[first] > until[best + count] - until[best]) best = first;
  const auto begin = frames.begin() + static_cast<std::ptrdiff_t>(best);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

// Durations in whole milliseconds, whose sums follow the exact times.
std::vector<int> durations(const Recording& recording, const std::vector<int>& frames) {
  const auto time = [&](std::size_t i) {
    return recording.times[static_cast<std::size_t>(frames[i])] - recording.times[static_cast<std::size_t>(frames[0])];
  };
  const double usual = frames.size() > 1 ? time(1) : 1;
  std::vector<int> result;
  long before = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const long end = std::lround(1000 * (i + 1 < frames.size() ? time(i + 1) : time(i) + usual));
    result.push_back(static_cast<int>(std::max(1L, end - before)));
    before = end;
  }
  return result;
}

// Both pictures of a frame, labelled.
Image frame_picture(const PreviewStage& stage, const PreviewOptions& options, const PictureOptions& cell,
                    std::size_t i) {
  const int scale = label_scale(cell), inset = 5 * scale;
  Image sheet(2 * cell.width, cell.height);
  for (const bool flesh : {false, true}) {
    const int x = flesh ? cell.width : 0;
    paste(render(stage.scene(i, flesh), stage.camera(), cell), x, 0, sheet);
    draw_text(sheet, x + inset, inset, flesh ? options.flesh_label : "rig", label_color, scale);
  }
  return stage.with_heat_legend(sheet, scale);
}

}  // namespace

std::vector<std::byte> preview_animation(const Character& character, const Recording& recording,
                                         const PreviewOptions& options, std::vector<std::string>& notes,
                                         const Progress& progress) {
  std::vector<int> frames = animation_frames(recording);
  const std::vector<int> all = durations(recording, frames);
  const double seconds = std::accumulate(all.begin(), all.end(), 0) / 1000.0;
  if (seconds > most_seconds) {
    const auto count = static_cast<std::size_t>(static_cast<double>(frames.size()) * most_seconds / seconds);
    frames = liveliest_span(recording, frames, std::max<std::size_t>(count, 1));
    notes.push_back("The preview shows the liveliest " + plain(most_seconds) + " s of the clip, from " +
                    plain(std::round(100 * recording.times[static_cast<std::size_t>(frames[0])]) / 100) + " s on.");
  }
  const std::vector<int> milliseconds = durations(recording, frames);
  const PreviewStage stage(character, recording, frames, options);
  PictureOptions cell = stage.cell(options.animation_pixels);
  cell.light_spacing = 2;  // saves a third of the time and only softens contact shadows
  std::unique_ptr<WebpAnimation> animation;
  for (std::size_t begin = 0; begin < frames.size(); begin += frames_at_once) {
    report_or_stop(progress, "drawing the animation", static_cast<double>(begin) / static_cast<double>(frames.size()));
    const std::size_t count = std::min(frames_at_once, frames.size() - begin);
    std::vector<Image> images(count);
    parallel_for(count, 1, [&](std::size_t i) { images[i] = frame_picture(stage, options, cell, begin + i); });
    if (!animation) animation = std::make_unique<WebpAnimation>(images[0].width, images[0].height);
    animation->add(images, std::span(milliseconds).subspan(begin, count));
  }
  return animation->bytes();
}

}  // namespace sinew
