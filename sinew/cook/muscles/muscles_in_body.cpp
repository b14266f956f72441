#include "sinew/cook/muscles/muscles_in_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/nearest_word.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/muscles/muscle_attachments.h"
#include "sinew/cook/muscles/spindle.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/shape_gradients.h"
#include "sinew/mesh/surface/winding_number.h"

namespace sinew {
namespace {

constexpr std::size_t muscle_sample_grain = 64;
// Places that are closer than this share of the character's size are the same.
constexpr double least_length = 1e-6;

// Places in a tetrahedron, evenly spread, as weights of its corners.
std::array<std::array<double, 4>, 11> sample_weights_in_tetrahedron() {
  std::array<std::array<double, 4>, 11> samples{};
  std::size_t n = 0;
  samples[n++] = {0.25, 0.25, 0.25, 0.25};
  for (std::size_t a = 0; a < 4; ++a) {
    samples[n] = {0.1, 0.1, 0.1, 0.1};
    samples[n++][a] = 0.7;
  }
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b) {
      samples[n] = {0.1, 0.1, 0.1, 0.1};
      samples[n][a] = samples[n][b] = 0.4;
      ++n;
    }
  return samples;
}

// The part of a tetrahedron in a spindle.
struct SpindlePart {
  double contracting = 0;          // share of the volume
  std::array<double, 2> tendon{};  // likewise, at the origin and at the insertion
  Vec3 direction;                  // mean over the part that contracts, of unit length
};

// The space that a muscle takes.
class MuscleShape {
 public:
  explicit MuscleShape(const Muscle& muscle) : spindle_(places_of(muscle), muscle.radius) {
    low = spindle_.low(), high = spindle_.high();
    if (muscle.mesh.triangles.empty()) return;
    tree_.emplace(muscle.mesh);
    winding_.emplace(*tree_);
    low = Vec3{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
    for (const Vec3& x : muscle.mesh.positions) low = min(low, x), high = max(high, x);
  }
  MuscleShape(const MuscleShape&) = delete;
  MuscleShape& operator=(const MuscleShape&) = delete;

  InSpindle locate(const Vec3& point) const {
    InSpindle at = spindle_.locate(point);
    if (winding_) at.inside = std::abs((*winding_)(point)) > 0.5;
    return at;
  }

  Vec3 low, high;  // corners of a box around it

 private:
  Spindle spindle_;
  std::optional<BoundingVolumeHierarchy> tree_;
  std::optional<WindingNumber> winding_;
};

SpindlePart part_in(const MuscleShape& shape, const std::array<Vec3, 4>& corner) {
  static const auto samples = sample_weights_in_tetrahedron();
  SpindlePart part;
  Vec3 low = corner[0], high = corner[0];
  for (const Vec3& x : corner) low = min(low, x), high = max(high, x);
  for (std::size_t k = 0; k < 3; ++k)
    if (low[k] > shape.high[k] || high[k] < shape.low[k]) return part;
  Vec3 sum;
  for (const auto& weight : samples) {
    Vec3 point;
    for (std::size_t c = 0; c < 4; ++c) point += weight[c] * corner[c];
    const InSpindle at = shape.locate(point);
    if (!at.inside) continue;
    const bool at_origin = at.along<tendon_share, at_insertion = at.along> 1 - tendon_share;
    (at_origin      ? part.tendon[0]
     : at_insertion ? part.tendon[1]
                    : part.contracting) += 1.0 / static_cast<double>(samples.size());
    if (!at_origin && !at_insertion) sum += at.direction;
  }
  if (part.contracting > 0) part.direction = normalized(sum);
  return part;
}

// The two tendons of a muscle, as far as they lie in the body.
void add_tendons(const Muscle& muscle, int number, const std::vector<SpindlePart>& parts, const BodyOfMuscles& flesh,
                 std::vector<MuscleTendon>& tendons) {
  const double thickness = thickness_of(muscle), length = Spindle(places_of(muscle), thickness).length();
  for (std::size_t end = 0; end < 2; ++end) {
    MuscleTendon tendon{number, tendon_share * length, {}};
    double volume = 0;
    for (std::size_t t = 0; t < parts.size(); ++t) {
      const double share = parts[t].tendon[end] * (flesh.inside.empty() ? 1 : flesh.inside[t]);
      if (!(share > 0)) continue;
      volume += share * shape_gradients(flesh.mesh, t).volume;
      tendon.pull.emplace_back(static_cast<int>(t), parts[t].tendon[end]);
    }
    for (auto& [t, area] : tendon.pull) area *= std::numbers::pi * thickness * thickness / volume;
    if (volume > 0) tendons.push_back(std::move(tendon));
  }
}

// Its attachments to flesh that follows the bones of its ends.
void add_attachments(const AttachedMuscle& attached, int number, std::span<const Bone> bones,
                     std::vector<MuscleTendon>& tendons) {
  const double length = Spindle(places_of(attached.muscle), thickness_of(attached.muscle)).length();
  for (const bool at_insertion : {false, true})
    if (auto pull = attached_pull(attached, bones, at_insertion); !pull.empty())
      tendons.push_back({number, tendon_share * length, std::move(pull)});
}

void check_length(const MuscleFile& file, const Muscle& muscle, double height) {
  const std::vector<Vec3> places = places_of(muscle);
  for (std::size_t k = 0; k + 1 < places.size(); ++k)
    if (!(distance(places[k], places[k + 1]) > least_length * height))
      throw input_error(file.file + ": muscle '" + muscle.name +
                        "': two places in sequence are the same; move its origin, insertion or path apart.");
}

}  // namespace

std::vector<Vec3> places_of(const Muscle& muscle) {
  std::vector<Vec3> places{muscle.origin.place};
  places.insert(places.end(), muscle.path.begin(), muscle.path.end());
  places.push_back(muscle.insertion.place);
  return places;
}

double thickness_of(const Muscle& muscle) {
  if (muscle.mesh.triangles.empty()) return muscle.radius;
  double volume = 0;
  for (const Triangle& t : muscle.mesh.triangles)
    volume += dot(muscle.mesh.positions[index(t[0])],
                  cross(muscle.mesh.positions[index(t[1])], muscle.mesh.positions[index(t[2])])) /
              6;
  return std::sqrt(std::abs(volume) / Spindle(places_of(muscle), 0).length());
}

int bone_of_end(const MuscleFile& file, const Muscle& muscle, const MuscleEnd& end, const SimulationSurface& surface) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < surface.bones.size(); ++b) {
    if (surface.bones[b].name == end.joint) return static_cast<int>(b);
    names.push_back(surface.bones[b].name);
  }
  const std::string nearest = nearest_word(end.joint, names);
  throw input_error(file.file + ": muscle '" + muscle.name + "': no bone of the skin is called '" + end.joint + "'; " +
                    (nearest.empty() ? "`sinew info` lists them." : "did you mean '" + nearest + "'?"));
}

MusclesInBody muscles_in_body(const MuscleFile& file, const SimulationSurface& surface, const BodyOfMuscles& flesh,
                              MissingFlesh missing) {
  const TetrahedralMesh& mesh = flesh.mesh;
  MusclesInBody body;
  body.file.file = file.file;
  const std::size_t tetrahedra = mesh.tetrahedra.size();
  body.share.assign(tetrahedra, 0.0);
  body.stiffness.assign(tetrahedra, 1.0);
  body.tendon.assign(tetrahedra, 0.0);
  const double size = longest_side(surface.rest);
  for (const Muscle& muscle : file.muscles) {
    const int number = static_cast<int>(body.file.muscles.size());
    const int origin = bone_of_end(file, muscle, muscle.origin, surface),
              insertion = bone_of_end(file, muscle, muscle.insertion, surface);
    check_length(file, muscle, size);
    const MuscleShape shape(muscle);
    std::vector<SpindlePart> parts(tetrahedra);
    parallel_for(tetrahedra, muscle_sample_grain,
                 [&](std::size_t t) { parts[t] = part_in(shape, corners_of(mesh, t)); });
    // Its changes count once it is known to move something.
    MusclesInBody with = body;
    bool moves = false, is_reached = false;
    for (std::size_t t = 0; t < tetrahedra; ++t) {
      const SpindlePart& part = parts[t];
      const double tendon = part.tendon[0] + part.tendon[1];
      if (part.contracting + tendon == 0) continue;
      // Where muscles overlap, the first ones fill the tetrahedron.
      const double share = std::min(part.contracting, 1 - body.share[t]);
      const double all = std::min(part.contracting + tendon, 1 - body.share[t]);
      with.stiffness[t] += all * (muscle.stiffness - 1);
      with.share[t] += all;
      with.tendon[t] = std::max(body.tendon[t], tendon);
      const auto& corner = mesh.tetrahedra[t];
      const bool is_free =
          std::any_of(corner.begin(), corner.end(), [&](int v) { return !flesh.core[static_cast<std::size_t>(v)]; });
      if (!(part.contracting > 0) || !(flesh.inside.empty() || flesh.inside[t] > 0) || !is_free ||
          squared_norm(part.direction) == 0)
        continue;
      is_reached = true;
      if (!(share > 0)) continue;
      with.fibres.fibres.push_back({static_cast<int>(t), number, part.direction, share});
      moves = true;
    }
    if (moves) {
      const std::size_t before = body.fibres.fibres.size();
      body = std::move(with);
      add_tendons(muscle, number, parts, flesh, body.tendons);
      if (!flesh.influences.empty())
        add_attachments(
            {muscle, origin, insertion, std::span(body.fibres.fibres).subspan(before), mesh, flesh.influences}, number,
            surface.bones, body.tendons);
      body.file.muscles.push_back(muscle);
      body.fibres.muscles.push_back({muscle.stress.value_or(0), muscle.optimal_length, 1});
    } else if (missing == MissingFlesh::refuse) {
      throw input_error(file.file + ": muscle '" + muscle.name +
                        (is_reached ? "' lies where the muscles before it fill the flesh; make them thinner, or leave "
                                      "it out."
                                    : "' passes through no flesh that can move; place its ends and path between bone "
                                      "and skin, or raise its radius."));
    } else {
      body.file.left_out.push_back(muscle.name);
    }
  }
  return body;
}

}  // namespace sinew
