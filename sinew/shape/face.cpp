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
// Noses are below this, brims of hats above it.
constexpr double below_hats = 0.1;
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
      if (!hanging && !on_nose) measure(foremost(-(mouth + strip) * face_.head, (strip - mouth) * face_.head));
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

  // The foremost point in the middle of the face, between these heights; the middle of the head if there is none.
  Vec3 foremost(double low, double high) const {
    Vec3 found = face_.middle;
    double most = -HUGE_VAL;
    for (const Vec3& p : head_) {
      const Vec3 at = place(p);
      if (std::abs(at.x) >= strip * face_.head || at.y <= low || at.y >= high || at.z <= most) continue;
      most = at.z;
      found = p;
    }
    return found;
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
