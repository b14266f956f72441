#include "sinew/session/ring_placing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/contact/surface_patch.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/session/bones_of_skin.h"
#include "sinew/session/ring_skin.h"

namespace sinew {
namespace {

constexpr double usual_width = 0.03;           // of the height
constexpr double widest = 0.6;                 // of the limb's diameter
constexpr double least_weight = 0.2;           // of a bone that the skin follows
constexpr double radius_margin = 1.1;          // over the distance of a round limb's skin
constexpr double beyond_bone = 0.25;           // of a bone's length, within which a plane counts as across it
constexpr double widest_gap = 0.1;             // between the ends of an open line, of its length
constexpr double ring_margin = 1e-6;           // so that vertices at the very edge of a ring are inside
const double largest_cosine = std::sqrt(0.5);  // between a band's length and the bone

Vec3 nearest_on(const BoneSegment& segment, const Vec3& point) {
  const Vec3 along = segment.tail - segment.head;
  const double squared = dot(along, along);
  const double t = squared > 0 ? std::clamp(dot(point - segment.head, along) / squared, 0.0, 1.0) : 0;
  return segment.head + t * along;
}

struct NearestBone {
  int bone = -1;
  BoneSegment segment;
};

// The bone with the nearest segment to a point of the skin, of those that the skin follows, or of all.
NearestBone nearest_bone(const SimulationSurface& surface, const SurfacePoint& skin, const Vec3& point, bool followed) {
  NearestBone nearest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < surface.bones.size(); ++b) {
    if (surface.bones[b].helper) continue;
    if (followed && weight_of(surface, skin, static_cast<int>(b)) < least_weight) continue;
    for (const BoneSegment& segment : surface.bones[b].segments) {
      const double away = distance(point, nearest_on(segment, point));
      if (away < least) least = away, nearest = {static_cast<int>(b), segment};
    }
  }
  return nearest;
}

// Direction along a bone: of its nearest segment, or from its parent for one without length.
Vec3 direction_of(const SimulationSurface& surface, const NearestBone& nearest) {
  const Vec3 along = nearest.segment.tail - nearest.segment.head;
  if (norm(along) > 0) return normalized(along);
  const int parent = surface.bones[static_cast<std::size_t>(nearest.bone)].parent;
  if (parent >= 0) {
    const Vec3 from = surface.bones[static_cast<std::size_t>(parent)].segments.front().head;
    if (distance(from, nearest.segment.head) > 0) return normalized(nearest.segment.head - from);
  }
  return {0, 1, 0};
}

// The direction in which the vertices are spread most.
Vec3 most_spread(const TriangleMesh& rest, std::span<const int> vertices, const Vec3& middle) {
  std::array<double, 9> spread{};
  for (const int v : vertices) {
    const Vec3 d = rest.positions[static_cast<std::size_t>(v)] - middle;
    const std::array<double, 3> x{d.x, d.y, d.z};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) spread[3 * i + j] += x[i] * x[j];
  }
  const SymmetricEigen eigen = symmetric_eigen(spread, 3);
  return {eigen.vector(0)[0], eigen.vector(0)[1], eigen.vector(0)[2]};
}

// The line around a limb in a plane, with its places.
struct LimbLine {
  SectionLine line;
  std::vector<Vec3> places;
  Vec3 middle;  // of the line by its length
};

Vec3 middle_of(std::span<const Vec3> places, bool closed) {
  Vec3 sum;
  double length = 0;
  for (std::size_t k = closed ? 0 : 1; k < places.size(); ++k) {
    const Vec3 &a = places[(k + places.size() - 1) % places.size()], &b = places[k];
    const double piece = distance(a, b);
    sum += piece * 0.5 * (a + b);
    length += piece;
  }
  return length > 0 ? sum / length : places.front();
}

double away_from(std::span<const Vec3> places, const Vec3& point) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& place : places) least = std::min(least, distance(place, point));
  return least;
}

// True for a line around its middle that is closed, or nearly so: the skin may have a seam that is open.
bool is_around(const SectionLine& line, std::span<const Vec3> places, const Vec3& middle, const Vec3& normal) {
  if (!line.closed && distance(places.front(), places.back()) > widest_gap * length_of(places, false)) return false;
  return goes_around(places, middle, normal);
}

// The line nearest to the plane's point, among those in the plane that go around their own middle.
std::optional<LimbLine> find_line(const SimulationSurface& surface, const RingPlane& plane) {
  LimbLine nearest;
  double least = std::numeric_limits<double>::infinity();
  for (SectionLine& line : plane_section(surface.rest, plane.point, plane.normal)) {
    std::vector<Vec3> places = places_of(line, surface.rest.positions);
    const Vec3 middle = middle_of(places, line.closed);
    const double away = away_from(places, plane.point);
    if (away >= least || !is_around(line, places, middle, plane.normal)) continue;
    least = away;
    nearest = {std::move(line), std::move(places), middle};
  }
  if (nearest.places.empty()) return std::nullopt;
  return nearest;
}

LimbLine line_around(const SimulationSurface& surface, const RingPlane& plane) {
  std::optional<LimbLine> line = find_line(surface, plane);
  if (!line) throw usage_error("No line goes around the skin there; choose another place of a limb or the trunk.");
  return std::move(*line);
}

// The plane through a point of the skin across one of the bones that the skin follows there, whose line goes around
// that bone and is shortest: a bone that branches has segments into each branch. Empty if there is no such line.
std::optional<RingPlane> shortest_around(const SimulationSurface& surface, const SurfacePoint& skin,
                                         const Vec3& place) {
  std::optional<RingPlane> shortest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < surface.bones.size(); ++b) {
    if (surface.bones[b].helper || weight_of(surface, skin, static_cast<int>(b)) < least_weight) continue;
    for (const BoneSegment& segment : surface.bones[b].segments) {
      const double length = distance(segment.head, segment.tail);
      if (!(length > 0)) continue;
      const Vec3 along = (segment.tail - segment.head) / length;
      const double reached = dot(place - segment.head, along);  // where the plane meets the bone's line
      if (reached < -beyond_bone * length || reached > (1 + beyond_bone) * length) continue;
      const RingPlane plane{place, along, static_cast<int>(b)};
      const std::optional<LimbLine> line = find_line(surface, plane);
      if (!line || !goes_around(line->places, segment.head + reached * along, along)) continue;
      const double girth = length_of(line->places, line->line.closed);
      if (girth < least) least = girth, shortest = plane;
    }
  }
  return shortest;
}

// A ring that holds both ends of every edge along its line, so that its vertices go around.
struct LeastRing {
  double width = 0, radius = 0;  // metres
};

LeastRing least_ring(const TriangleMesh& rest, const RingPlane& plane, const LimbLine& around) {
  LeastRing least;
  for (const EdgePoint& point : around.line.points)
    for (const int v : {point.a, point.b}) {
      const Vec3& place = rest.positions[static_cast<std::size_t>(v)];
      least.width = std::max(least.width, 2 * std::abs(dot(place - plane.point, plane.normal)));
      least.radius = std::max(least.radius, distance(place, around.middle));
    }
  return least;
}

}  // namespace

RingPlane plane_across(const SimulationSurface& surface, const Vec3& point) {
  const SurfacePoint skin = nearest_surface_point(surface.rest, point);
  const Vec3 place = place_of(skin, surface.rest.positions);
  if (const std::optional<RingPlane> plane = shortest_around(surface, skin, place)) return *plane;
  NearestBone nearest = nearest_bone(surface, skin, place, true);
  if (nearest.bone < 0) nearest = nearest_bone(surface, skin, place, false);
  if (nearest.bone < 0) throw usage_error("No bone carries the skin, so that no ring can move with one.");
  return {place, direction_of(surface, nearest), nearest.bone};
}

RingPlane plane_along(const SimulationSurface& surface, std::span<const int> vertices) {
  if (vertices.empty()) throw usage_error("The ring needs vertices of the skin.");
  Vec3 middle;
  for (const int v : vertices) {
    if (v < 0 || static_cast<std::size_t>(v) >= surface.rest.positions.size())
      throw usage_error("The surface has no vertex " + std::to_string(v) + ".");
    middle += surface.rest.positions[static_cast<std::size_t>(v)] / static_cast<double>(vertices.size());
  }
  RingPlane plane = plane_across(surface, middle);
  const Vec3 length = most_spread(surface.rest, vertices, middle);
  if (const double cosine = dot(length, plane.normal); std::abs(cosine) <= largest_cosine)
    plane.normal = normalized(plane.normal - cosine * length);
  plane.point = plane.point + dot(middle - plane.point, plane.normal) * plane.normal;
  return plane;
}

double extent_along(const RingPlane& plane, const TriangleMesh& rest, std::span<const int> vertices) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const int v : vertices) {
    const double height = dot(rest.positions[static_cast<std::size_t>(v)] - plane.point, plane.normal);
    least = std::min(least, height);
    most = std::max(most, height);
  }
  return vertices.empty() ? 0 : most - least;
}

BeltSettings ring_in(const SimulationSurface& surface, const RingPlane& plane, std::optional<double> width) {
  const LimbLine around = line_around(surface, plane);
  const LeastRing least = least_ring(surface.rest, plane, around);
  const double diameter = length_of(around.places, around.line.closed) / std::numbers::pi;
  BeltSettings ring;
  ring.point = around.middle;
  ring.normal = plane.normal;
  ring.joint = surface.bones[static_cast<std::size_t>(plane.bone)].name;
  ring.width = std::max(std::min(width.value_or(usual_width * standing_height(surface)), widest * diameter),
                        (1 + ring_margin) * least.width);
  ring.radius =
      std::max(radius_margin * std::hypot(0.5 * diameter, 0.5 * ring.width), (1 + ring_margin) * least.radius);
  return ring;
}

BeltSettings ring_moved(const SimulationSurface& surface, const BeltSettings& ring, const Vec3& point) {
  RingPlane plane = plane_across(surface, point);
  if (surface.bones[static_cast<std::size_t>(plane.bone)].name == ring.joint) plane.normal = normalized(ring.normal);
  BeltSettings moved = ring_in(surface, plane, ring.width);
  moved.name = ring.name;
  moved.size = ring.size;
  return moved;
}

}  // namespace sinew
