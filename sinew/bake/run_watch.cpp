#include "sinew/bake/run_watch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

// Shares of the height. Flesh is displayed up to a tenth of it from the rig, and swings up to twice as far.
constexpr double farthest_displayed = 0.5, farthest_state = 5, widest_tear = 0.3;
// An edge that flips changes by twice its length; strain adds to that.
constexpr double turned_edge = 3;
constexpr double collapsed = 0.1, inside_out = -0.1;  // relative volumes
constexpr int most_frames_inside_out = 1;
constexpr double first_swings = 3;
// Enclosed volume relative to the area to the power of 3/2 (a ball: 0.094); surfaces below this are thin shells.
constexpr double thin_shell = 0.005;

constexpr const char* remedy =
    "; take a smaller --step or stiffer flesh, leave out what holds or pushes it there, or mend the clip if it jumps "
    "there.";

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// Relative to the first vertex, so that the volume of an open surface does not change with its position.
double enclosed_volume(const TriangleMesh& surface, std::span<const Vec3> positions) {
  double sum = 0;
  for (const Triangle& t : surface.triangles) {
    const auto at = [&](std::size_t k) { return positions[index(t[k])] - positions[0]; };
    sum += dot(at(0), cross(at(1), at(2))) / 6;
  }
  return sum;
}

double area(const TriangleMesh& surface, std::span<const Vec3> positions) {
  double sum = 0;
  for (const Triangle& t : surface.triangles) {
    const Vec3& a = positions[index(t[0])];
    sum += norm(cross(positions[index(t[1])] - a, positions[index(t[2])] - a)) / 2;
  }
  return sum;
}

// The vertex with the largest displacement, or the first that is not a number.
std::size_t farthest(std::span<const Vec3> displacement) {
  std::size_t result = 0;
  double most = -1;
  for (std::size_t v = 0; v < displacement.size(); ++v) {
    const double squared = squared_norm(displacement[v]);
    if (!std::isfinite(squared)) return v;
    if (squared > most) most = squared, result = v;
  }
  return result;
}

// Diagonal of the bounding box, metres.
double extent(std::span<const Vec3> points) {
  if (points.empty()) return 0;
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points)
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  return distance(low, high);
}

}  // namespace

double farthest_from_rig(double height, double stretch, double driven) {
  return farthest_displayed * height * stretch + 2 * driven;
}

double largest_stretch(std::span<const Affine> bones) {
  double largest = 1;
  for (const Affine& bone : bones) largest = std::max(largest, frobenius_norm(bone.linear) / std::sqrt(3.0));
  return largest;
}

double stretch_of(const Scene& scene, std::span<const Affine> bones, std::span<const Vec3> goal) {
  if (!scene.follows_controls()) return largest_stretch(bones);
  return std::max(1.0, extent(goal) / extent(scene.surface->rest.positions));
}

bool any_collapsed(std::span<const Affine> bones) {
  return std::any_of(bones.begin(), bones.end(),
                     [](const Affine& bone) { return !(determinant(bone.linear) > collapsed); });
}

double enclosed_volume_ratio(const TriangleMesh& surface, std::span<const Vec3> rig, std::span<const Vec3> displayed) {
  const double by_rig = enclosed_volume(surface, rig);
  return std::abs(by_rig) > thin_shell * std::pow(area(surface, rig), 1.5)
             ? enclosed_volume(surface, displayed) / by_rig
             : 1;
}

RunWatch::RunWatch(const Character& character, const SimulationSurface& surface, WatchedRun run)
    : character_(character), surface_(surface), run_(std::move(run)) {}

void RunWatch::look(const WatchedFrame& frame) {
  check_distances(frame);
  check_tears(frame);
  check_volume(frame);
  check_energy(frame);
}

void RunWatch::check_distances(const WatchedFrame& frame) const {
  if (!frame.displacement.empty()) {
    const std::size_t v = farthest(frame.displacement);
    const double distance = norm(frame.displacement[v]);
    const double most = frame.bounded ? farthest_from_rig(run_.height, frame.stretch, frame.driven)
                                      : std::numeric_limits<double>::max();
    if (!(distance <= most))
      end(frame,
          place(v) + " is " + rounded(distance) + " m from where the rig has it, farther than any strain explains");
  }
  if (frame.state.empty()) return;
  const std::size_t i = farthest(frame.state);
  const double distance = norm(frame.state[i]);
  if (distance <= farthest_state * run_.height * frame.stretch + 2 * frame.driven) return;
  end(frame, "vertex " + std::to_string(i) + " of the body" +
                 (i < run_.state_joint.size() ? ", near joint '" + run_.state_joint[i] + "'," : "") + " is " +
                 rounded(distance) + " m from where the rig has it, farther than any strain explains");
}

void RunWatch::check_tears(const WatchedFrame& frame) const {
  const std::span<const Vec3> d = frame.displacement;
  if (d.empty()) return;
  const double most = widest_tear * run_.height * frame.stretch + frame.driven;
  if (2 * norm(d[farthest(d)]) <= most) return;  // no two of them differ by more
  for (const Triangle& t : surface_.rest.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = index(t[k]), j = index(t[(k + 1) % 3]);
      const double apart = distance(d[i], d[j]);
      const double edge =
          turned_edge * frame.stretch * distance(surface_.rest.positions[i], surface_.rest.positions[j]);
      if (apart <= most + edge) continue;
      end(frame, place(squared_norm(d[i]) > squared_norm(d[j]) ? i : j) + " is torn off: it goes " + rounded(apart) +
                     " m away from its neighbour, more than any strain explains");
    }
}

void RunWatch::check_volume(const WatchedFrame& frame) {
  frames_inside_out_ = frame.volume_ratio < inside_out ? frames_inside_out_ + 1 : 0;
  if (frames_inside_out_ <= most_frames_inside_out) return;
  const std::size_t v = frame.displacement.empty() ? 0 : farthest(frame.displacement);
  end(frame, "the body has turned inside out, to " + rounded(100 * frame.volume_ratio) +
                 " % of its volume; farthest off, " + place(v) + " is " +
                 rounded(frame.displacement.empty() ? 0 : norm(frame.displacement[v])) +
                 " m from where the rig has it");
}

// The oscillation of flesh over a resting rig decays. Reported elastic energy is relative to the rig's shape, but flesh
// may rest in another one, so that energy varies within an oscillation. More than twice the maximum of the first
// oscillations is an error.
void RunWatch::check_energy(const WatchedFrame& frame) {
  if (!frame.still) {
    still_since_.reset();
    return;
  }
  if (!still_since_) {
    still_since_ = frame.elapsed;
    most_energy_ = run_.least_energy;
  }
  if (frame.elapsed - *still_since_ <= first_swings * run_.period) {
    most_energy_ = std::max(most_energy_, frame.energy);
    return;
  }
  if (frame.energy <= 2 * most_energy_) return;
  const std::size_t v = frame.displacement.empty() ? 0 : farthest(frame.displacement);
  end(frame, "the flesh gets energy from nowhere, " + rounded(frame.energy) + " J after " + rounded(most_energy_) +
                 " J, while the rig stands still; farthest off, " + place(v) + " is " +
                 rounded(frame.displacement.empty() ? 0 : norm(frame.displacement[v])) +
                 " m from where the rig has it");
}

void RunWatch::end(const WatchedFrame& frame, const std::string& what) const {
  throw simulation_error(character_.file + ": clip '" + run_.clip + "' at " + rounded(frame.time) + " s: " + what +
                         remedy);
}

std::string RunWatch::place(std::size_t vertex) const {
  std::string text = "vertex " + std::to_string(vertex) + " of the surface";
  for (std::size_t p = 0; p < surface_.parts.size(); ++p) {
    const std::vector<int>& vertex_of = surface_.vertex_of[p];
    const auto found = std::find(vertex_of.begin(), vertex_of.end(), static_cast<int>(vertex));
    if (found == vertex_of.end()) continue;
    text = "vertex " + std::to_string(found - vertex_of.begin()) + " of '" +
           character_.parts[index(surface_.parts[p])].name + "'";
    break;
  }
  if (vertex >= surface_.influences.size() || surface_.influences[vertex].count == 0) return text;
  return text + ", near joint '" + surface_.bones[index(surface_.influences[vertex].joint[0])].name + "',";
}

}  // namespace sinew
