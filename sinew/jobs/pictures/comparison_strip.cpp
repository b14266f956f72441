#include "sinew/jobs/pictures/comparison_strip.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/character/size.h"
#include "sinew/jobs/pictures/preview.h"
#include "sinew/picture/colors.h"
#include "sinew/picture/filmstrip.h"
#include "sinew/picture/legend.h"

namespace sinew {
namespace {

constexpr double colored_share = 0.99;  // quantile of the distances that the end of the colour bar stands for

// Distance of each vertex of a part from the reference at a frame, metres; the rig's distance if `motion` is null.
std::vector<double> distances(const PartRecording& reference, const PartRecording* motion, std::size_t frame) {
  const auto n = static_cast<std::size_t>(reference.vertices);
  const float* a = &reference.displacement[3 * n * frame];
  const float* b = motion ? &motion->displacement[3 * n * frame] : nullptr;
  std::vector<double> result(n);
  for (std::size_t v = 0; v < n; ++v) {
    Vec3 d{a[3 * v], a[3 * v + 1], a[3 * v + 2]};
    if (b) d -= Vec3{b[3 * v], b[3 * v + 1], b[3 * v + 2]};
    result[v] = norm(d);
  }
  return result;
}

const PartRecording* part_of_motion(const Recording* motion, std::size_t p) {
  return motion ? &motion->parts[p] : nullptr;
}

double rms_distance(const Recording& reference, const Recording* motion) {
  double sum = 0, count = 0;
  for (std::size_t p = 0; p < reference.parts.size(); ++p)
    for (std::size_t f = 0; f < reference.times.size(); ++f)
      for (const double d : distances(reference.parts[p], part_of_motion(motion, p), f)) sum += d * d, count += 1;
  return count > 0 ? std::sqrt(sum / count) : 0;
}

std::vector<int> nearest_frames(const std::vector<double>& recorded, const std::vector<double>& wanted) {
  std::vector<int> frames;
  for (const double time : wanted) {
    const auto nearest = std::min_element(recorded.begin(), recorded.end(), [time](double a, double b) {
      return std::abs(a - time) < std::abs(b - time);
    });
    frames.push_back(static_cast<int>(nearest - recorded.begin()));
  }
  return frames;
}

// Centre of the rig's simulated parts, on the ground.
Vec3 place_of(const Character& character, const Recording& recording, int frame) {
  Vec3 sum;
  double count = 0;
  const PictureScene rig = posed_scene(character, recording, frame, false);
  for (const PictureMesh& mesh : rig.meshes)
    for (const Vec3& x : mesh.surface.positions) sum += x, count += 1;
  return count > 0 ? Vec3{sum.x / count, 0, sum.z / count} : Vec3{};
}

// Colours the recorded parts in a scene that has one mesh per displayed part.
void paint(const Character& character, const Recording& reference, const Recording* motion, int frame, double full,
           PictureScene& scene) {
  std::size_t mesh = 0;
  const std::vector<bool> in_picture = parts_in_picture(character);
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    if (!in_picture[p]) continue;
    PictureMesh& shown = scene.meshes[mesh++];
    for (std::size_t r = 0; r < reference.parts.size(); ++r) {
      if (reference.parts[r].part != static_cast<int>(p)) continue;
      shown.vertex_colors.clear();
      for (const double d : distances(reference.parts[r], part_of_motion(motion, r), static_cast<std::size_t>(frame)))
        shown.vertex_colors.push_back(balance_color(d / full));
    }
  }
}

PictureScene shown_scene(const Character& character, const Recording& recording, int frame, bool flesh) {
  PictureScene scene = posed_scene(character, recording, frame, flesh);
  const Vec3 place = place_of(character, recording, frame);
  for (PictureMesh& mesh : scene.meshes)
    for (Vec3& x : mesh.surface.positions) x -= place;
  return scene;
}

std::string text(const char* format, double value) {
  char result[64];
  std::snprintf(result, sizeof result, format, value);
  return result;
}

}  // namespace

Recording recording_of(const Character& character, int clip, const Track& track, std::span<const double> times) {
  Recording recording;
  recording.clip = clip;
  recording.times.assign(times.begin(), times.end());
  const std::vector<int> parts = simulated_parts(character);
  std::size_t points = 0;
  for (const int part : parts) {
    const std::size_t vertices = character.parts[static_cast<std::size_t>(part)].surface.positions.size();
    recording.parts.push_back({part, static_cast<int>(vertices), {}});
    points += vertices;
  }
  if (points != track.points)
    throw usage_error(track.name + ": has " + std::to_string(track.points) + " points, but the skinned parts of " +
                      character.file + " have " + std::to_string(points) +
                      " vertices; name the character that it shows.");
  const Clip* played = clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(clip)];
  for (const double time : times) {
    const std::vector<Vec3> rig = rig_surface(character, parts, sample(character.skeleton, played, time));
    const std::vector<Vec3> there = track.positions_at(time);
    std::size_t point = 0;
    for (PartRecording& part : recording.parts)
      for (int v = 0; v < part.vertices; ++v, ++point) {
        const Vec3 d = there[point] - rig[point];
        part.displacement.insert(part.displacement.end(),
                                 {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
      }
  }
  return recording;
}

Image comparison_strip(const Character& character, const ShownMotion& reference, const std::vector<ShownMotion>& others,
                       const ComparisonStripOptions& options, const Progress& progress) {
  const Recording& right = reference.recording;
  if (right.times.empty()) throw usage_error("there is no frame to show; name times within the clip.");
  const std::vector<int> frames =
      options.times.empty() ? liveliest_frames(right, options.frames) : nearest_frames(right.times, options.times);
  std::vector<const Recording*> motions{nullptr};  // the rig
  std::vector<std::string> names{"rig"};
  for (const ShownMotion& other : others) motions.push_back(&other.recording), names.push_back(other.label);

  std::vector<double> far;
  for (const Recording* motion : motions)
    for (const int frame : frames)
      for (std::size_t p = 0; p < right.parts.size(); ++p) {
        const auto more = distances(right.parts[p], part_of_motion(motion, p), static_cast<std::size_t>(frame));
        far.insert(far.end(), more.begin(), more.end());
      }
  const auto end = far.begin() + static_cast<std::ptrdiff_t>(colored_share * static_cast<double>(far.size()));
  if (end != far.end()) std::nth_element(far.begin(), end, far.end());
  const double height = decide_size(character, std::nullopt, std::nullopt).height_in_units * character.metres_per_unit;
  const double percent = height > 0 ? height / 100 : 1;
  const double full = percent * round_for_legend((end != far.end() ? *end : 0) / percent);

  Filmstrip strip;
  const auto add_row = [&](const std::string& label, const Recording* motion) {
    std::vector<PictureScene>& row = strip.rows.emplace_back();
    for (const int frame : frames) {
      row.push_back(shown_scene(character, motion ? *motion : right, frame, motion != nullptr));
      if (motion != &right) paint(character, right, motion, frame, full, row.back());
    }
    strip.row_labels.push_back(
        motion == &right ? label : label + ": " + text("%.3f %% RMS", rms_distance(right, motion) / percent));
  };
  for (std::size_t m = 0; m < motions.size(); ++m) {
    add_row(names[m], motions[m]);
    if (m == 0) add_row(reference.label, &right);
  }
  for (const int frame : frames)
    strip.column_labels.push_back(text("%.2f s", right.times[static_cast<std::size_t>(frame)]));
  FilmstripOptions how;
  how.cell = options.cell;
  how.view = options.view;
  const LegendTexts texts{"distance from " + reference.label + ": 0",
                          text("%.3g %% of the height and more", full / percent)};
  return with_legend(render_filmstrip(strip, how, progress), texts, balance_color, label_scale(options.cell));
}

}  // namespace sinew
