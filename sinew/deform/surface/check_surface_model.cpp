#include "sinew/deform/surface/check_surface_model.h"

#include <algorithm>
#include <cmath>

#include "runtime/parts/model_numbers.h"
#include "runtime/sinew_runtime.h"
#include "sinew/base/error.h"

namespace sinew {
namespace {

// Limits of the run-time.
constexpr double largest_rest = SINEW_LARGEST_REST, largest_bone = double{SINEW_LARGEST},
                 shortest_step = SINEW_SHORTEST_STEP, longest_step = SINEW_LONGEST_STEP,
                 shortest_reach = SINEW_SHORTEST_REACH;
constexpr double lowest_frequency = SINEW_LOWEST_FREQUENCY, largest_coupling = SINEW_LARGEST_COUPLING;
constexpr auto highest_swings_a_step = static_cast<float>(SINEW_HIGHEST_SWINGS_A_STEP);
constexpr int most_spokes = SINEW_MOST_SPOKES, most_count = SINEW_MOST_BONES, most_vertices = SINEW_MOST_VERTICES;
static_assert(SINEW_MOST_BONES == SINEW_MOST_SEGMENTS && max_surface_modes == SINEW_MOST_MODES);

void check_index(int index, std::size_t count, const char* what) {
  if (index < 0 || static_cast<std::size_t>(index) >= count)
    refuse_surface_model(std::string("has ") + what + " " + std::to_string(index) + ", but only " +
                         std::to_string(count) + " of them");
}

void check_within(const Vec3& v, double largest, const char* what) {
  if (!(std::abs(v.x) <= largest && std::abs(v.y) <= largest && std::abs(v.z) <= largest))
    refuse_surface_model(std::string("has ") + what + " farther than " + std::to_string(static_cast<int>(largest)) +
                         " m from the origin or not finite; check the character's scale");
}

void check_ranges(const std::vector<int>& first, std::size_t n, std::size_t total, const char* what) {
  const bool fits = first.size() == n + 1 && first.front() == 0 && std::is_sorted(first.begin(), first.end()) &&
                    static_cast<std::size_t>(first.back()) == total;
  if (!fits) refuse_surface_model(std::string("has lists of ") + what + " that do not add up");
}

void check_modes(const SurfaceModel& model) {
  if (model.modes.size() > max_surface_modes) refuse_surface_model("has more than 16 modes");
  if (!(model.mode_coupling >= 0 && model.mode_coupling <= (model.modes.empty() ? 0 : largest_coupling)))
    refuse_surface_model("has a coupling of its modes outside 0 to 1000, or one without modes");
  for (const SurfaceMode& mode : model.modes) {
    const float swings_a_step = static_cast<float>(mode.frequency) * static_cast<float>(model.step);
    if (!(mode.frequency >= lowest_frequency && swings_a_step <= highest_swings_a_step))
      refuse_surface_model("has a mode below 0.001 Hz or faster than a swing in four steps");
    if (!(mode.damping_ratio >= 0 && mode.damping_ratio <= 1))
      refuse_surface_model("has a mode with a damping ratio outside 0 to 1");
    if (mode.shape.size() != model.rest.size() || mode.drive.size() != model.bones.size())
      refuse_surface_model("has a mode for another number of vertices or bones");
    for (const Vec3& d : mode.shape)
      if (!(std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= 1.001))
        refuse_surface_model("has a mode longer than 1");
    for (const Affine& bone : mode.drive) {
      check_within(bone.translation, largest_bone, "the drive of a mode");
      for (const double m : bone.linear.m)
        if (!(std::abs(m) <= largest_bone)) refuse_surface_model("has a drive of a mode that is not finite");
    }
  }
}

}  // namespace

void refuse_surface_model(const std::string& what) { throw input_error("the surface model " + what); }

void check_surface_model(const SurfaceModel& model) {
  const std::size_t n = model.rest.size();
  if (n == 0 || n > static_cast<std::size_t>(most_vertices))
    refuse_surface_model("has no vertices, or more than 67 million");
  if (model.bones.size() >= most_count || model.segments.size() > most_count)
    refuse_surface_model("has more than 65534 bones or 65535 segments");
  if (model.normals.size() != n || model.influences.size() != n || model.parameters.size() != n)
    refuse_surface_model("has normals, influences or parameters for another number of vertices");
  if (!model.shape.empty() && model.shape.size() != n)
    refuse_surface_model("has shapes of restoration for another number of vertices");
  for (const RestorationShape& s : model.shape)
    if (!std::isfinite(s.xx + s.yy + s.zz + s.xy + s.xz + s.yz))
      refuse_surface_model("has a shape of restoration that is not finite");
  if (!model.range.empty() && model.range.size() != n)
    refuse_surface_model("has ranges for another number of vertices");
  for (const double range : model.range)
    if (!(range >= 0 && range <= largest_rest)) refuse_surface_model("has a range that is not from 0 to 1 km");
  if (!(model.step >= shortest_step && model.step <= longest_step))
    refuse_surface_model("has a step outside 0.1 to 100 ms");
  if (!(model.reach >= shortest_reach && model.reach <= largest_rest))
    refuse_surface_model("has a reach outside 1 um to 1 km");
  if (!(model.height > 0 && model.height <= largest_rest))
    refuse_surface_model("has a height of zero or more than 1 km");
  check_ranges(model.first_neighbour, n, model.neighbours.size(), "neighbours");
  check_ranges(model.first_spoke, n, model.spokes.size(), "spokes");
  for (const SurfaceBone& bone : model.bones) {
    check_within(bone.rest_to_joint.translation, largest_bone, "a bone matrix");
    for (const double m : bone.rest_to_joint.linear.m)
      if (!(std::abs(m) <= largest_bone))
        refuse_surface_model("has a matrix of bone \"" + bone.name + "\" that is not finite");
    if (bone.name.find('\0') != std::string::npos) refuse_surface_model("has a bone with a zero in its name");
  }
  for (const SurfaceSegment& segment : model.segments) {
    check_index(segment.bone, model.bones.size(), "a segment of bone");
    check_within(segment.head, largest_rest, "a segment");
    check_within(segment.tail, largest_rest, "a segment");
  }
  for (std::size_t v = 0; v < n; ++v) {
    check_within(model.rest[v], largest_rest, "a vertex");
    if (!is_finite(model.normals[v])) refuse_surface_model("has a normal that is not finite");
    const Influences& influences = model.influences[v];
    if (influences.count < 0 || influences.count > max_surface_influences)
      refuse_surface_model("has more than four influences on vertex " + std::to_string(v));
    for (int k = 0; k < influences.count; ++k)
      check_index(influences.joint[static_cast<std::size_t>(k)], model.bones.size(), "an influence of bone");
    if (model.first_neighbour[v + 1] - model.first_neighbour[v] > most_count)
      refuse_surface_model("has more than 65535 neighbours of vertex " + std::to_string(v));
    if (model.first_spoke[v + 1] - model.first_spoke[v] > most_spokes)
      refuse_surface_model("has more than 64 spokes of vertex " + std::to_string(v));
  }
  check_modes(model);
  for (const int j : model.neighbours) check_index(j, n, "a neighbour");
  for (const Spoke& spoke : model.spokes) check_index(spoke.segment, model.segments.size(), "a spoke to segment");
  for (const SurfaceModelPart& part : model.parts) {
    if (part.name.find('\0') != std::string::npos) refuse_surface_model("has a part with a zero in its name");
    for (const int v : part.vertex_of)
      if (v != -1) check_index(v, n, "a part with vertex");
  }
}

}  // namespace sinew
