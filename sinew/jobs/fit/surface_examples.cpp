#include "sinew/jobs/fit/surface_examples.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sinew/bake/time_line.h"
#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

// Times closer than this share of a step are equal.
constexpr double same_moment = 1e-4;
constexpr double least_motion = 1e-3;  // share of the height, below which flesh counts as still

// Averages file vertices into welded ones.
class Weld {
 public:
  explicit Weld(const SimulationSurface& surface) : surface_(surface), copies_(surface.rest.positions.size()) {
    for (const std::vector<int>& part : surface.vertex_of)
      for (const int v : part) copies_[static_cast<std::size_t>(v)] += 1;
  }
  std::size_t vertices() const { return copies_.size(); }
  const std::vector<std::vector<int>>& parts() const { return surface_.vertex_of; }
  double share(int vertex) const { return 1 / copies_[static_cast<std::size_t>(vertex)]; }

 private:
  const SimulationSurface& surface_;
  std::vector<double> copies_;
};

void append(const std::vector<Vec3>& mean, std::vector<float>& offset) {
  for (const Vec3& d : mean)
    offset.insert(offset.end(), {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
}

// Weights of four successive frames at the share `s` of the way from the second to the third. `before` and `after` are
// the lengths of the outer intervals relative to the middle one.
std::array<double, 4> catmull_rom(double s, double before, double after) {
  const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s);
  const double h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1);
  const double m0 = h10 / (before + 1), m1 = h11 / (after + 1);
  return {-m0, h00 - m1, h01 + m0, m1};
}

}  // namespace

SurfaceMotion sample_motion(const Character& character, const SimulationSurface& surface, const BakeOptions& options,
                            double step, const Progress& progress) {
  const TimeLine time = time_line(character, options);
  const Clip* clip = clip_of(character, options);
  SurfaceMotion motion;
  motion.name = clip ? clip->name : "rest";
  const auto frames = static_cast<std::size_t>(std::floor(time.length / step + same_moment)) + 1;
  for (std::size_t k = 0; k < frames; ++k) {
    const double at = time.clip_time(static_cast<double>(k) * step);
    motion.bones.push_back(bone_transforms(character, surface, sample(character.skeleton, clip, at)));
    for (const Affine& bone : motion.bones.back())
      if (!is_finite(bone.translation) || !std::isfinite(frobenius_norm(bone.linear)))
        throw input_error(character.file + ": at " + std::to_string(at) +
                          " s the transform of a joint is not finite; correct the clip '" + motion.name + "'.");
    report_or_stop(progress, "sampling " + motion.name, static_cast<double>(k + 1) / static_cast<double>(frames));
  }
  return motion;
}

SurfaceOffsets offsets_of(const SimulationSurface& surface, const Recording& recording) {
  const Weld weld(surface);
  SurfaceOffsets offsets;
  for (std::size_t f = 0; f < recording.times.size(); ++f) {
    offsets.times.push_back(recording.times[f] - recording.times[0]);
    std::vector<Vec3> mean(weld.vertices());
    for (std::size_t p = 0; p < weld.parts().size(); ++p) {
      const std::vector<int>& vertex_of = weld.parts()[p];
      const float* d = &recording.parts[p].displacement[3 * f * vertex_of.size()];
      for (const int v : vertex_of) {
        mean[static_cast<std::size_t>(v)] += Vec3{d[0], d[1], d[2]} * weld.share(v);
        d += 3;
      }
    }
    append(mean, offsets.offset);
  }
  return offsets;
}

SurfaceOffsets offsets_of(const Character& character, const SimulationSurface& surface, const BakeOptions& options,
                          const Track& track, double step, const Progress& progress) {
  const TimeLine time = time_line(character, options);
  const Clip* clip = clip_of(character, options);
  const Weld weld(surface);
  std::size_t points = 0;
  for (const std::vector<int>& part : weld.parts()) points += part.size();
  if (track.points != points)
    throw usage_error(track.name + ": has " + std::to_string(track.points) + " points, but the skinned parts of " +
                      character.file + " have " + std::to_string(points) +
                      " vertices; name an example of this character.");

  SurfaceOffsets offsets;
  double first = time.begin;  // in the track's own time
  if (track.times.empty()) {
    const auto frames = static_cast<std::size_t>(std::floor(time.length / step + same_moment)) + 1;
    for (std::size_t k = 0; k < frames; ++k) offsets.times.push_back(static_cast<double>(k) * step);
  } else {
    first = track.times.front();
    for (const double t : track.times)
      if (t - first <= time.length + step) offsets.times.push_back(t - first);
  }
  const double frame = offsets.times.size() > 1 ? offsets.times[1] - offsets.times[0] : step;
  if (offsets.times.empty() || offsets.times.back() < time.length - frame / 2 - 1e-3)
    throw usage_error(
        track.name + ": lasts " + std::to_string(offsets.times.empty() ? 0 : offsets.times.back()) +
        " s, less than the " + std::to_string(time.length) + " s of '" + (clip ? clip->name : "rest") +
        "' that were requested; give its frame rate with --fps, or the part that it covers with --range.");
  for (std::size_t f = 0; f < offsets.times.size(); ++f) {
    const double elapsed = std::min(offsets.times[f], time.length);
    const Pose pose = sample(character.skeleton, clip, time.clip_time(elapsed));
    const std::vector<Vec3> rig = rig_surface(character, surface.parts, pose);
    const std::vector<Vec3> example = track.positions_at(first + offsets.times[f]);
    std::vector<Vec3> mean(weld.vertices());
    std::size_t point = 0;
    for (const std::vector<int>& vertex_of : weld.parts())
      for (const int v : vertex_of) {
        if (!is_finite(example[point]))
          throw input_error(track.name + ": vertex " + std::to_string(point) + " of frame " + std::to_string(f) +
                            " is not a number; bake the file again.");
        mean[static_cast<std::size_t>(v)] += (example[point] - rig[point]) * weld.share(v);
        ++point;
      }
    append(mean, offsets.offset);
    report_or_stop(progress, "reading " + track.name,
                   static_cast<double>(f + 1) / static_cast<double>(offsets.times.size()));
  }
  return offsets;
}

SurfaceExample example_of_recording(const Character& character, const SimulationSurface& surface,
                                    const BakeOptions& options, const Recording& recording, double step) {
  SurfaceExample example;
  example.motion = sample_motion(character, surface, options, step);
  example.offset =
      at_steps(offsets_of(surface, recording), surface.rest.positions.size(), step, example.motion.bones.size());
  return example;
}

std::string note_on_stillness(const SurfaceExample& example, double height) {
  double largest = 0;
  for (std::size_t k = 0; k + 2 < example.offset.size(); k += 3)
    largest = std::max(largest, norm(Vec3{example.offset[k], example.offset[k + 1], example.offset[k + 2]}));
  if (!(height > 0) || largest > least_motion * height) return {};
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.2g", std::max(100 * largest / height, 1e-3));
  return "In '" + example.motion.name + "' flesh is never farther than " + percent +
         " % of the height from where the rig puts it, so that there is little to learn from; name a livelier clip, or "
         "make "
         "examples with --look lively.";
}

ExampleWeights sample_weights(std::span<const double> times, double at, double step) {
  const std::size_t last = times.size() - 1;
  at = std::clamp(at, times.front(), times.back());
  const auto after = std::upper_bound(times.begin(), times.end(), at + same_moment * step);
  const std::size_t i =
      std::min(static_cast<std::size_t>(after - times.begin()) - (after == times.begin() ? 0 : 1), last);
  if (i == last || std::abs(at - times[i]) <= same_moment * step) return {{i, i, i, i}, {0, 1, 0, 0}, true};
  const double length = times[i + 1] - times[i];
  const std::size_t previous = i > 0 ? i - 1 : i, next = std::min(i + 2, last);
  return {{previous, i, i + 1, next},
          catmull_rom((at - times[i]) / length, (times[i] - times[previous]) / length,
                      (times[next] - times[i + 1]) / length)};
}

std::vector<float> at_steps(const SurfaceOffsets& offsets, std::size_t vertices, double step, std::size_t frames) {
  const std::size_t values = 3 * vertices;
  std::vector<float> result(frames * values);
  for (std::size_t k = 0; k < frames; ++k) {
    const auto [frame, w, exact] = sample_weights(offsets.times, static_cast<double>(k) * step, step);
    float* to = &result[k * values];
    const float* from = &offsets.offset[frame[1] * values];
    if (exact) {
      std::copy_n(from, values, to);
      continue;
    }
    const float *a = &offsets.offset[frame[0] * values], *c = &offsets.offset[frame[2] * values],
                *d = &offsets.offset[frame[3] * values];
    parallel_for(values, 4096, [&, &w = w](std::size_t v) {
      to[v] = static_cast<float>(w[0] * static_cast<double>(a[v]) + w[1] * static_cast<double>(from[v]) +
                                 w[2] * static_cast<double>(c[v]) + w[3] * static_cast<double>(d[v]));
    });
  }
  return result;
}

}  // namespace sinew
