#include "sinew/jobs/fit/observed_flesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>

#include "sinew/bake/time_line.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/files/markers_csv.h"
#include "sinew/jobs/fit/fit_examples.h"
#include "sinew/jobs/fit/surface_examples.h"

namespace sinew {
namespace {

constexpr double farthest_from_skin = 0.1;  // of the height: distance of a marker from the skin
constexpr double most_frames_per_second = 240, usual_frames_per_second = 120;  // of runs that markers are compared with

double norm_at(const std::vector<float>& values, std::size_t i) {
  return norm(Vec3{static_cast<double>(values[3 * i]), static_cast<double>(values[3 * i + 1]),
                   static_cast<double>(values[3 * i + 2])});
}

ObservedFlesh observe_surface(const FitJob& job, const FitExample& example, const Character& character,
                              const SimulationSurface& surface, ObservedFlesh result) {
  const SurfaceOffsets offsets =
      offsets_of(character, surface, result.bake, example_track(job, character, example), 1 / job.frames_per_second);
  const std::size_t vertices = surface.rest.positions.size(), frames = offsets.times.size();
  if (frames < 3)
    throw input_error(example.file.string() + ": has fewer than three frames; observe a longer part of the clip.");
  const double interval = offsets.times.back() / static_cast<double>(frames - 1);
  result.bake.frames_per_second = 1 / interval;
  result.points = vertices;
  result.observed = at_steps(offsets, vertices, interval, frames);
  result.of_run = [&surface, vertices, interval, frames](const Recording& recording) {
    return at_steps(offsets_of(surface, recording), vertices, interval, frames);
  };
  return result;
}

// A position of a marker: seconds since the beginning of the range, and the vertex's frame then.
struct MarkerSample {
  double elapsed = 0;
  Mat3 rotation;  // vertex frame to world
};
struct MarkerPath {
  std::size_t vertex = 0;  // of the surface
  std::vector<MarkerSample> samples;
};

// Appends displacements in the vertex's own frame, less their mean.
void append_about_mean(std::vector<Vec3> local, std::vector<float>& to) {
  Vec3 mean;
  for (const Vec3& u : local) mean += u / static_cast<double>(local.size());
  for (const Vec3& u : local)
    for (std::size_t k = 0; k < 3; ++k) to.push_back(static_cast<float>(u[k] - mean[k]));
}

// The rig's surface, welded, and its bones at a moment.
class RigAt {
 public:
  RigAt(const Character& character, const SimulationSurface& surface, const Clip* clip, double clip_time)
      : surface_(surface), positions_(surface.rest.positions.size()) {
    const Pose pose = sample(character.skeleton, clip, clip_time);
    const std::vector<Vec3> rig = rig_surface(character, surface.parts, pose);
    std::size_t point = 0;
    for (const std::vector<int>& vertex_of : surface.vertex_of)
      for (const int v : vertex_of) positions_[index(v)] = rig[point++];
    bones_ = bone_transforms(character, surface, pose);
  }

  const Vec3& position(std::size_t vertex) const { return positions_[vertex]; }
  std::size_t nearest(const Vec3& place) const {
    std::size_t best = 0;
    for (std::size_t v = 0; v < positions_.size(); ++v)
      if (distance(positions_[v], place) < distance(positions_[best], place)) best = v;
    return best;
  }
  Mat3 rotation(std::size_t vertex) const {
    VertexFrames frames;
    predict_frames(std::span(&surface_.rest.positions[vertex], 1), std::span(&surface_.influences[vertex], 1), bones_,
                   frames);
    return frames.rotation[0];
  }

 private:
  const SimulationSurface& surface_;
  std::vector<Vec3> positions_;
  std::vector<Affine> bones_;
};

// The rate at which all times are frames, or else one that is dense enough to interpolate in.
double rate_of(const std::vector<MarkerPath>& paths) {
  double gap = std::numeric_limits<double>::infinity();
  for (const MarkerPath& path : paths)
    for (std::size_t k = 1; k < path.samples.size(); ++k)
      gap = std::min(gap, path.samples[k].elapsed - path.samples[k - 1].elapsed);
  constexpr double tolerance = 0.02;  // of a gap
  if (!(gap * most_frames_per_second >= 1)) return most_frames_per_second;
  for (const MarkerPath& path : paths)
    for (const MarkerSample& sample : path.samples) {
      const double frames = sample.elapsed / gap;
      if (std::abs(frames - std::round(frames)) > tolerance) return usual_frames_per_second;
    }
  return 1 / gap;
}

std::vector<float> of_recording(const SimulationSurface& surface, const std::vector<MarkerPath>& paths, double rate,
                                const Recording& recording) {
  const SurfaceOffsets offsets = offsets_of(surface, recording);
  const std::size_t values = 3 * surface.rest.positions.size();
  std::vector<float> result;
  for (const MarkerPath& path : paths) {
    std::vector<Vec3> local;
    for (const MarkerSample& sample : path.samples) {
      const ExampleWeights between = sample_weights(offsets.times, sample.elapsed, 1 / rate);
      Vec3 offset;
      for (std::size_t k = 0; k < 4; ++k) {
        const float* d = &offsets.offset[between.frame[k] * values + 3 * path.vertex];
        offset +=
            between.weight[k] * Vec3{static_cast<double>(d[0]), static_cast<double>(d[1]), static_cast<double>(d[2])};
      }
      local.push_back(transpose_times(sample.rotation, offset));
    }
    append_about_mean(std::move(local), result);
  }
  return result;
}

// Paths of markers on the skin, and their displacements from the rig in the frames of their vertices.
class MarkersOnSkin {
 public:
  MarkersOnSkin(const std::string& file, const std::vector<Marker>& markers, double farthest)
      : file_(file), markers_(markers), farthest_(farthest), paths_(markers.size()), local_(markers.size()) {}

  // Adds the marker's position number k. Moments must ascend for each marker.
  void add(std::size_t m, std::size_t k, double elapsed, const RigAt& rig) {
    const Vec3& place = markers_[m].positions[k];
    MarkerPath& path = paths_[m];
    if (path.samples.empty()) {
      path.vertex = rig.nearest(place);
      if (distance(rig.position(path.vertex), place) > farthest_)
        throw input_error(file_ + ": line " + std::to_string(markers_[m].line) + ": marker '" + markers_[m].name +
                          "' is farther from the skin than a tenth of the character's height; write positions in "
                          "metres, in the world with +Y up, and times on the clip's time line.");
    }
    path.samples.push_back({elapsed, rig.rotation(path.vertex)});
    local_[m].push_back(transpose_times(path.samples.back().rotation, place - rig.position(path.vertex)));
  }

  // The paths that are long enough to show motion, whose displacements are appended to `observed`.
  std::vector<MarkerPath> finish(std::vector<float>& observed) {
    std::vector<MarkerPath> result;
    for (std::size_t m = 0; m < paths_.size(); ++m) {
      if (local_[m].size() < 3) continue;
      append_about_mean(std::move(local_[m]), observed);
      result.push_back(std::move(paths_[m]));
    }
    return result;
  }

 private:
  const std::string& file_;
  const std::vector<Marker>& markers_;
  double farthest_;
  std::vector<MarkerPath> paths_;
  std::vector<std::vector<Vec3>> local_;
};

// Positions within the range, in the order of time: seconds since its beginning, number of the marker and of the
// position.
std::vector<std::tuple<double, std::size_t, std::size_t>> in_range(const std::vector<Marker>& markers,
                                                                   const TimeLine& time) {
  constexpr double slack = 1e-3;  // seconds
  std::vector<std::tuple<double, std::size_t, std::size_t>> result;
  for (std::size_t m = 0; m < markers.size(); ++m)
    for (std::size_t k = 0; k < markers[m].times.size(); ++k)
      if (const double t = markers[m].times[k] - time.begin; t > -slack && t < time.length + slack)
        result.emplace_back(std::clamp(t, 0.0, time.length), m, k);
  std::sort(result.begin(), result.end());
  return result;
}

ObservedFlesh observe_markers(const FitExample& example, const Character& character, const SimulationSurface& surface,
                              double height, ObservedFlesh result) {
  const std::string file = example.file.string();
  const TimeLine time = time_line(character, result.bake);
  const Clip* clip = clip_of(character, result.bake);
  const std::vector<Marker> markers = read_markers_csv(example.file);
  MarkersOnSkin on_skin(file, markers, farthest_from_skin * height);
  std::optional<RigAt> rig;
  double rig_time = 0;
  for (const auto& [elapsed, m, k] : in_range(markers, time)) {
    if (!rig || elapsed != rig_time) rig.emplace(character, surface, clip, time.clip_time(elapsed));
    rig_time = elapsed;
    on_skin.add(m, k, elapsed, *rig);
  }
  const auto paths = std::make_shared<const std::vector<MarkerPath>>(on_skin.finish(result.observed));
  if (paths->empty())
    throw input_error(file + ": no marker has three positions between " + std::to_string(time.begin) + " and " +
                      std::to_string(time.begin + time.length) + " s of the clip '" + result.clip +
                      "'; name the clip with --clip, and write times on its time line.");
  const double rate = rate_of(*paths);
  result.bake.frames_per_second = rate;
  result.points = paths->size();
  result.of_run = [&surface, paths, rate](const Recording& recording) {
    return of_recording(surface, *paths, rate, recording);
  };
  return result;
}

}  // namespace

ObservedFlesh observe_flesh(const FitJob& job, const FitExample& example, const Character& character,
                            const SimulationSurface& surface, double height) {
  ObservedFlesh result;
  result.source = example.file.string();
  result.bake = example_range(character, example);
  result.clip = character.clips[index(result.bake.clip)].name;
  result = lower_case_ending(example.file) == ".csv"
               ? observe_markers(example, character, surface, height, std::move(result))
               : observe_surface(job, example, character, surface, std::move(result));
  for (std::size_t i = 0; i < result.observed.size() / 3; ++i)
    result.largest = std::max(result.largest, norm_at(result.observed, i));
  return result;
}

}  // namespace sinew
