#include "sinew/shape/face.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {
namespace {

// The half width of the strip in which nose and mouth are sought, and how far the mouth of an upright face is below the
// middle, as shares of the head's size.
constexpr double strip = 0.2, mouth = 0.25;
// Points whose distance in front differs by less than this share of the head's size are as far in front.
constexpr double as_far = 0.05;
// Noses are below this, brims of hats above it.
constexpr double below_hats = 0.1;
// Steps and height of a profile of the face, from the nose down to above the chin; how far a nose stands out from what
// is below it, and lips from between nose and lips; where lips are below a nose if they do not stand out. All relative
// to the head's size.
constexpr double profile_step = 0.02, profile_height = 0.5, least_nose = 0.06, least_lip = 0.01, lips_below_nose = 0.3;
// The face's width is measured at points so far above, below and behind the anchor, relative to the head's size, and is
// that which this share of them lies within.
constexpr double slice_height = 0.3, slice_depth = 0.5, share_of_face = 0.9;
// Half width of a person's face, relative to the head's size, and the least size of a face.
constexpr double half_width_of_person = 0.85, least_size = 0.3;
// A muzzle narrower than this, whose tip is so far below the middle, hangs; its mouth is so far below its tip, relative
// to the face's size.
constexpr double narrow = 0.7, hangs = 0.4, mouth_of_muzzle = 0.5;
// Lips and cheeks reach so far to the sides, relative to the face's half width, before they turn back.
constexpr double turns_back = 0.8;

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

class FaceSearch {
 public:
  FaceSearch(std::span<const Vec3> head, const TriangleMesh& skin) : head_(head), skin_(skin) {
    const double share = 1 / static_cast<double>(head.size());
    for (const Vec3& p : head) face_.middle += share * p;
    for (const Vec3& p : head) face_.head += share * distance(p, face_.middle);
    set_forward({0, 0, 1});
  }

  Face find(bool on_nose, const std::optional<Vec3>& given) {
    if (given) {
      const Vec3 way = *given - face_.middle, level{way.x, 0, way.z};
      if (norm(level) > strip * face_.head) set_forward(normalized(level));
      measure(*given);
    } else {
      measure(foremost(-HUGE_VAL, below_hats * face_.head));
      const double below = -place(face_.anchor).y;
      const bool hanging = face_.half_width < narrow * face_.head && below > hangs * face_.head;
      if (hanging && !on_nose)
        face_.anchor = BoundingVolumeHierarchy(skin_)
                           .closest_point(face_.anchor - (mouth_of_muzzle * face_.size) * face_.up)
                           .point;
      if (!hanging && !on_nose) measure(mouth_below(face_.anchor));
    }
    face_.detail = median_edge();
    return face_;
  }

 private:
  void set_forward(const Vec3& forward) {
    face_.up = {0, 1, 0};
    face_.forward = forward;
    face_.left = cross(face_.up, forward);
  }

  // The way to the left, up and forward from the middle.
  Vec3 place(const Vec3& p) const {
    const Vec3 from = p - face_.middle;
    return {dot(from, face_.left), dot(from, face_.up), dot(from, face_.forward)};
  }

  // The foremost point in the middle of the face, between these heights; the middle of the head if there is none. Of
  // two that are about as far in front, to the left and to the right, the place between them.
  Vec3 foremost(double low, double high) const {
    const auto in_strip = [&](const Vec3& at) {
      return std::abs(at.x) < strip * face_.head && at.y > low && at.y < high;
    };
    Vec3 found;
    double most = -HUGE_VAL;
    for (const Vec3& p : head_)
      if (const Vec3 at = place(p); in_strip(at) && at.z > most) most = at.z, found = at;
    if (most == -HUGE_VAL) return face_.middle;
    double aside = 0, count = 0;
    for (const Vec3& p : head_)
      if (const Vec3 at = place(p); in_strip(at) && at.z > most - as_far * face_.head) aside += at.x, ++count;
    found.x = aside / count;
    return BoundingVolumeHierarchy(skin_)
        .closest_point(face_.middle + found.x * face_.left + found.y * face_.up + found.z * face_.forward)
        .point;
  }

  // The lips below the nose; where no nose stands out, the foremost point at a mouth's usual height.
  Vec3 mouth_below(const Vec3& nose) const {
    const std::vector<double> front = profile_below(nose);
    const double least = least_lip * face_.head;
    std::size_t base = 0, k = 1;  // the deepest place below the nose, before lips
    while (k < front.size() && front[k] < front[base] + least) {
      if (front[k] < front[base]) base = k;
      ++k;
    }
    if (front[0] - front[base] < least_nose * face_.head)
      return foremost(-(mouth + strip) * face_.head, (strip - mouth) * face_.head);
    const auto usual = static_cast<std::size_t>(lips_below_nose / profile_step);
    std::size_t lips = std::min(k < front.size() ? k : usual, front.size() - 1);
    for (; k < front.size() && front[k] > front[lips] - least; ++k)
      if (front[k] > front[lips]) lips = k;
    return BoundingVolumeHierarchy(skin_)
        .closest_point(nose - (static_cast<double>(lips) * profile_step * face_.head) * face_.up +
                       (front[lips] - front[0]) * face_.forward)
        .point;
  }

  // The profile of the skin in the middle plane of a point: distances in front, at it and below, profile_step apart.
  std::vector<double> profile_below(const Vec3& point) const {
    const Vec3 from = place(point);
    const double step = profile_step * face_.head;
    std::vector<double> front(static_cast<std::size_t>(1 + profile_height / profile_step), -HUGE_VAL);
    for (const Triangle& t : skin_.triangles) {
      Vec3 cut[2];  // of the triangle by the plane: downwards and forwards from the point
      std::size_t cuts = 0;
      for (std::size_t k = 0; k < 3 && cuts < 2; ++k) {
        const Vec3 a = place(skin_.positions[index(t[k])]) - from,
                   b = place(skin_.positions[index(t[(k + 1) % 3])]) - from;
        if ((a.x < 0) != (b.x < 0)) cut[cuts++] = a + (a.x / (a.x - b.x)) * (b - a);
      }
      if (cuts < 2) continue;
      const Vec3 &upper = cut[cut[0].y < cut[1].y], &lower = cut[cut[0].y >= cut[1].y];
      const double first = std::max(0.0, std::ceil(-upper.y / step)), last = std::floor(-lower.y / step);
      for (double row = first; row <= last && row < static_cast<double>(front.size()); ++row) {
        const double share = upper.y > lower.y ? (upper.y + row * step) / (upper.y - lower.y) : 0;
        double& most = front[static_cast<std::size_t>(row)];
        most = std::max(most, upper.z + share * (lower.z - upper.z));
      }
    }
    const auto end = std::find(front.begin(), front.end(), -HUGE_VAL);
    front.erase(end, front.end());
    return front.empty() ? std::vector{0.0} : front;
  }

  // Makes a point the anchor, and measures the face there.
  void measure(const Vec3& anchor) {
    face_.anchor = anchor;
    const Vec3 here = place(anchor);
    std::vector<double> aside;
    for (const Vec3& p : head_) {
      const Vec3 at = place(p);
      if (std::abs(at.y - here.y) < slice_height * face_.head && at.z > here.z - slice_depth * face_.head)
        aside.push_back(std::abs(at.x));
    }
    face_.half_width = aside.empty() ? half_width_of_person * face_.head : quantile(std::move(aside), share_of_face);
    face_.size = std::clamp(face_.half_width / half_width_of_person, least_size * face_.head, face_.head);
  }

  double median_edge() const {
    const auto is_near = [&](int v) {
      return distance(skin_.positions[index(v)], face_.anchor) < slice_depth * face_.head;
    };
    std::vector<double> lengths;
    for (const Triangle& t : skin_.triangles) {
      if (std::none_of(t.begin(), t.end(), is_near)) continue;
      for (std::size_t k = 0; k < 3; ++k)
        lengths.push_back(distance(skin_.positions[index(t[k])], skin_.positions[index(t[(k + 1) % 3])]));
    }
    return quantile(std::move(lengths), 0.5);
  }

  std::span<const Vec3> head_;
  const TriangleMesh& skin_;
  Face face_;
};

}  // namespace

Vec3 Face::beside(const Vec3& by) const {
  const double beyond = std::max(0.0, std::abs(by.x) - turns_back * half_width);
  const double aside = std::copysign(std::abs(by.x) - beyond, by.x);
  return anchor + aside * left + by.y * up + (by.z - beyond) * forward;
}

Face find_face(std::span<const Vec3> head, const TriangleMesh& skin, bool on_nose, const std::optional<Vec3>& given) {
  return FaceSearch(head, skin).find(on_nose, given);
}

}  // namespace sinew
