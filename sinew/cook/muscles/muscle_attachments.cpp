#include "sinew/cook/muscles/muscle_attachments.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/cook/muscles/muscles_in_body.h"
#include "sinew/cook/muscles/spindle.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

// Weight of the end's bones at which flesh begins to be attached, and from which it is attached fully.
constexpr double least_attached = 0.1, attached_fully = 0.4;
// Share of the muscle's length within which an end's attachment is whole, and at which it ends.
constexpr double whole_to = 0.2, ends_at = 0.4;

double smooth_rise(double from, double to, double value) {
  const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

bool descends(std::span<const Bone> bones, int bone, int from) {
  while (bone >= 0 && bone != from) bone = bones[index(bone)].parent;
  return bone == from;
}

// Mean weight of some of the bones in a tetrahedron.
double mean_weight(const AttachedMuscle& attached, std::size_t tetrahedron, std::span<const char> bones) {
  double sum = 0;
  for (const int v : attached.mesh.tetrahedra[tetrahedron]) {
    const Influences& on = attached.influences[index(v)];
    for (std::size_t k = 0; k < index(on.count); ++k)
      if (bones[index(on.joint[k])]) sum += on.weight[k] / 4;
  }
  return sum;
}

}  // namespace

std::vector<char> bones_of_end(std::span<const Bone> bones, int end, int other_end) {
  std::vector<char> found(bones.size(), 0);
  if (end == other_end) return found;
  // The first bone on the way down to the other end; -1: the way leads up.
  int below = -1;
  if (descends(bones, other_end, end))
    for (below = other_end; bones[index(below)].parent != end;) below = bones[index(below)].parent;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const int bone = static_cast<int>(b);
    found[b] = below >= 0 ? !descends(bones, bone, below) : descends(bones, bone, end);
  }
  return found;
}

std::vector<std::pair<int, double>> attached_pull(const AttachedMuscle& attached, std::span<const Bone> bones,
                                                  bool at_insertion) {
  const std::vector<char> of_end = at_insertion ? bones_of_end(bones, attached.insertion, attached.origin)
                                                : bones_of_end(bones, attached.origin, attached.insertion);
  const Spindle spindle(places_of(attached.muscle), thickness_of(attached.muscle));
  std::vector<std::pair<int, double>> pull;
  double follows = 0, all = 0;  // volumes of muscle
  for (const MuscleFibre& fibre : attached.fibres) {
    const auto t = static_cast<std::size_t>(fibre.tetrahedron);
    const ShapeGradients shape = shape_gradients(attached.mesh, t);
    const double weight = mean_weight(attached, t, of_end);
    follows += shape.volume * fibre.share * weight;
    all += shape.volume * fibre.share;
    const std::array<Vec3, 4> corner = corners_of(attached.mesh, t);
    const double along = spindle.locate(0.25 * (corner[0] + corner[1] + corner[2] + corner[3])).along;
    const double from_end = at_insertion ? 1 - along : along;
    const double part =
        smooth_rise(least_attached, attached_fully, weight) * (1 - smooth_rise(whole_to, ends_at, from_end));
    double area = 0;  // through which the fibres of the tetrahedron pull, by its volume
    for (const Vec3& gradient : shape.gradient) area += 0.5 * std::abs(dot(gradient, fibre.direction));
    if (part > 0) pull.emplace_back(fibre.tetrahedron, part * fibre.share * area);
  }
  const double apart = all > 0 ? 1 - 2 * follows / all : 0;
  if (!(apart > 0)) return {};
  for (auto& [tetrahedron, area] : pull) area *= apart;
  return pull;
}

}  // namespace sinew
