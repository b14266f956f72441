#include "sinew/shape/component.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/shape/guide.h"

namespace sinew {
namespace {

constexpr std::size_t grid_side = ShapeComponent::side;
// Share of the squared displacement that a found patch holds, and how much larger it is made.
constexpr double held_share = 0.95, larger = 1.25;
// Cosine of the angle to the patch's normal up to which skin belongs to it.
constexpr double least_cosine = 0.1;
// Share of the radius from which a deployed component fades.
constexpr double fades_from = 0.75;

std::vector<Vec3> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals = vertex_area_vectors(mesh.positions, mesh.triangles);
  for (Vec3& normal : normals) normal = norm(normal) > 0 ? normalized(normal) : Vec3{};
  return normals;
}

// The patch's own coordinates: x across, y along the normal, z up.
class ComponentFrame {
 public:
  ComponentFrame(const SimulationSurface& surface, const ComponentPlace& place)
      : surface_(surface), radius_(place.radius), mirrored_(place.mirrored), normals_(vertex_normals(surface.rest)) {
    if (!(place.radius > 0)) throw usage_error("the patch has no radius; give one by --around X,Y,Z,RADIUS.");
    const Guide guide{GuideKind::skin, "", place.centre};
    const double parameters[] = {0, place.spin};
    frame_ = guide_frame(guide, parameters, surface);
    // A guide's x axis is up the body.
    frame_.linear = Mat3::from_columns(frame_.linear.column(2), frame_.linear.column(1), frame_.linear.column(0));
    find_patch();
  }

  bool has(std::size_t vertex) const { return inside_[vertex] != 0; }
  Vec3 coordinates(std::size_t vertex) const { return to_patch(surface_.rest.positions[vertex]); }

  // A displacement at a vertex, in the frame there, in units of the radius; and back.
  Vec3 to_local(std::size_t vertex, const Vec3& by) const {
    return mirror(transpose_times(turn_to(vertex) * frame_.linear, by) / radius_);
  }
  Vec3 from_local(std::size_t vertex, const Vec3& by) const {
    return radius_ * (turn_to(vertex) * (frame_.linear * mirror(by)));
  }

 private:
  Vec3 mirror(Vec3 by) const { return {mirrored_ ? -by.x : by.x, by.y, by.z}; }
  Vec3 to_patch(const Vec3& place) const {
    return mirror(transpose_times(frame_.linear, place - frame_.translation) / radius_);
  }
  // The least rotation from the patch's normal to the vertex's.
  Mat3 turn_to(std::size_t vertex) const {
    const Vec3 from = frame_.linear.column(1), to = normals_[vertex];
    const Vec3 axis = cross(from, to);
    const double sine = norm(axis);
    return sine > 0 ? to_matrix(axis_angle(axis / sine, std::atan2(sine, dot(from, to)))) : Mat3::identity();
  }

  // Vertices around the centre that hang together and face as the patch does.
  void find_patch() {
    const TriangleMesh& rest = surface_.rest;
    inside_.assign(rest.positions.size(), 0);
    std::vector<char> allowed(rest.positions.size(), 0);
    for (std::size_t v = 0; v < allowed.size(); ++v) {
      const Vec3 at = to_patch(rest.positions[v]);
      allowed[v] = at.x * at.x + at.z * at.z < 1 && std::abs(at.y) < 1 &&
                   dot(normals_[v], frame_.linear.column(1)) > least_cosine;
    }
    const ClosestPoint nearest = BoundingVolumeHierarchy(rest).closest_point(frame_.translation);
    for (const int v : rest.triangles[index(nearest.triangle)]) inside_[index(v)] = 1;
    for (bool grew = true; grew;) {
      grew = false;
      for (const Triangle& t : rest.triangles) {
        if (!inside_[index(t[0])] && !inside_[index(t[1])] && !inside_[index(t[2])]) continue;
        for (const int v : t)
          if (allowed[index(v)] && !inside_[index(v)]) inside_[index(v)] = 1, grew = true;
      }
    }
  }

  const SimulationSurface& surface_;
  double radius_;
  bool mirrored_;
  Affine frame_;
  std::vector<Vec3> normals_;
  std::vector<char> inside_;
};

// Barycentric coordinates of a point of the plane; empty outside the triangle.
std::optional<std::array<double, 3>> barycentric(const Vec3& a, const Vec3& b, const Vec3& c, double x, double z) {
  const auto area = [](double ax, double az, double bx, double bz) { return ax * bz - az * bx; };
  const double whole = area(b.x - a.x, b.z - a.z, c.x - a.x, c.z - a.z);
  if (whole == 0) return {};
  std::array<double, 3> w{area(b.x - x, b.z - z, c.x - x, c.z - z) / whole,
                          area(c.x - x, c.z - z, a.x - x, a.z - z) / whole, 0};
  w[2] = 1 - w[0] - w[1];
  constexpr double rim = -1e-9;
  return w[0] >= rim && w[1] >= rim && w[2] >= rim ? std::optional(w) : std::nullopt;
}

double at_grid(std::size_t k) { return 2.0 * static_cast<double>(k) / (grid_side - 1) - 1; }

// Fills points that no triangle covers by the mean of their neighbours, from the covered ones outwards.
void fill_holes(std::vector<Vec3>& grid, std::vector<char>& known) {
  for (bool filled = true; filled;) {
    filled = false;
    std::vector<Vec3> next = grid;
    std::vector<char> now = known;
    for (std::size_t z = 0; z < grid_side; ++z)
      for (std::size_t x = 0; x < grid_side; ++x) {
        if (known[z * grid_side + x]) continue;
        Vec3 sum;
        int count = 0;
        for (std::size_t i = z ? z - 1 : 0; i <= std::min(z + 1, grid_side - 1); ++i)
          for (std::size_t j = x ? x - 1 : 0; j <= std::min(x + 1, grid_side - 1); ++j)
            if (known[i * grid_side + j]) sum += grid[i * grid_side + j], ++count;
        if (count > 0) next[z * grid_side + x] = sum / count, now[z * grid_side + x] = 1, filled = true;
      }
    grid.swap(next);
    known.swap(now);
  }
}

Vec3 sample_grid(const std::vector<Vec3>& grid, double x, double z) {
  const double gx = std::clamp((x + 1) / 2, 0.0, 1.0) * (grid_side - 1),
               gz = std::clamp((z + 1) / 2, 0.0, 1.0) * (grid_side - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(gx), grid_side - 2),
                    j = std::min(static_cast<std::size_t>(gz), grid_side - 2);
  const double u = gx - static_cast<double>(i), v = gz - static_cast<double>(j);
  const auto at = [&](std::size_t a, std::size_t b) { return grid[(j + b) * grid_side + i + a]; };
  return (1 - v) * ((1 - u) * at(0, 0) + u * at(1, 0)) + v * ((1 - u) * at(0, 1) + u * at(1, 1));
}

double window(double r) {
  const double t = std::clamp((1 - r) / (1 - fades_from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

ComponentPlace place_of(const SimulationSurface& surface, std::span<const Vec3> displacement) {
  const std::vector<double> area = vertex_areas(surface.rest);
  double all = 0;
  Vec3 sum;
  for (std::size_t s = 0; s < displacement.size(); ++s) {
    const double weight = area[s] * squared_norm(displacement[s]);
    all += weight;
    sum += weight * surface.rest.positions[s];
  }
  if (!(all > 0)) throw usage_error("the shape moves no skin, so that there is nothing to take.");
  ComponentPlace place;
  place.centre = BoundingVolumeHierarchy(surface.rest).closest_point(sum / all).point;
  std::vector<std::pair<double, double>> by_distance;
  for (std::size_t s = 0; s < displacement.size(); ++s)
    by_distance.emplace_back(distance(surface.rest.positions[s], place.centre),
                             area[s] * squared_norm(displacement[s]));
  std::sort(by_distance.begin(), by_distance.end());
  double held = 0;
  for (const auto& [away, weight] : by_distance) {
    held += weight;
    place.radius = larger * away;
    if (held >= held_share * all) break;
  }
  return place;
}

ShapeComponent extract_component(const SimulationSurface& surface, std::span<const Vec3> displacement,
                                 const ComponentPlace& place) {
  const ComponentFrame patch(surface, place);
  ShapeComponent component;
  component.radius = place.radius;
  component.displacement.assign(grid_side * grid_side, {});
  std::vector<char> known(grid_side * grid_side, 0);
  for (const Triangle& t : surface.rest.triangles) {
    if (!patch.has(index(t[0])) && !patch.has(index(t[1])) && !patch.has(index(t[2]))) continue;
    std::array<Vec3, 3> at, by;
    for (std::size_t k = 0; k < 3; ++k) {
      at[k] = patch.coordinates(index(t[k]));
      by[k] = patch.to_local(index(t[k]), displacement[index(t[k])]);
    }
    for (std::size_t z = 0; z < grid_side; ++z)
      for (std::size_t x = 0; x < grid_side; ++x)
        if (const auto w = barycentric(at[0], at[1], at[2], at_grid(x), at_grid(z))) {
          component.displacement[z * grid_side + x] = (*w)[0] * by[0] + (*w)[1] * by[1] + (*w)[2] * by[2];
          known[z * grid_side + x] = 1;
        }
  }
  if (std::none_of(known.begin(), known.end(), [](char each) { return each != 0; }))
    throw usage_error("the patch is smaller than a triangle of the skin; make its radius larger.");
  fill_holes(component.displacement, known);
  return component;
}

std::vector<Vec3> deploy_component(const ShapeComponent& component, const SimulationSurface& surface,
                                   const ComponentPlace& place) {
  const ComponentFrame patch(surface, place);
  std::vector<Vec3> displacement(surface.rest.positions.size());
  for (std::size_t v = 0; v < displacement.size(); ++v) {
    if (!patch.has(v)) continue;
    const Vec3 at = patch.coordinates(v);
    displacement[v] =
        window(std::hypot(at.x, at.z)) * patch.from_local(v, sample_grid(component.displacement, at.x, at.z));
  }
  return displacement;
}

}  // namespace sinew
