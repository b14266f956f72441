#include "mesh_editor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::samples {
namespace {

constexpr Index none = std::numeric_limits<Index>::max();

Vec3 area_vector_of(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * cross(b - a, c - a); }

bool contains(const Triangle& t, Index v) { return t[0] == v || t[1] == v || t[2] == v; }

Index apex_of_directed_edge(const Triangle& t, Index u, Index v) {
  for (std::size_t i = 0; i < 3; ++i)
    if (t[i] == u && t[(i + 1) % 3] == v) return t[(i + 2) % 3];
  return none;
}

double cosine_at(const Vec3& apex, const Vec3& a, const Vec3& b) {
  return dot(normalized(a - apex), normalized(b - apex));
}

struct Corners {
  std::array<Vec3, 3> position, normal;
};

// Cosine between the triangle and the solid's surface.
double alignment(const Corners& c) {
  return dot(normalized(area_vector_of(c.position[0], c.position[1], c.position[2])),
             normalized(c.normal[0] + c.normal[1] + c.normal[2]));
}

double longest_squared_edge(const Corners& c) {
  return std::max({squared_norm(c.position[1] - c.position[0]), squared_norm(c.position[2] - c.position[1]),
                   squared_norm(c.position[0] - c.position[2])});
}

}  // namespace

MeshEditor::MeshEditor(Surface surface)
    : position(std::move(surface.position)),
      normal(position.size()),
      on_outline(position.size(), false),
      around(position.size()),
      triangle(std::move(surface.triangle)),
      region(std::move(surface.region)),
      alive(triangle.size(), true) {
  for (Index t = 0; t < triangle.size(); ++t)
    for (Index v : triangle[t]) around[v].push_back(t);
}

Vec3 MeshEditor::area_vector(Index t) const {
  return area_vector_of(position[triangle[t][0]], position[triangle[t][1]], position[triangle[t][2]]);
}

std::vector<std::pair<Index, Index>> MeshEditor::edges() const {
  std::vector<std::pair<Index, Index>> result;
  for (Index t = 0; t < triangle.size(); ++t)
    for (std::size_t i = 0; alive[t] && i < 3; ++i)
      if (triangle[t][i] < triangle[t][(i + 1) % 3]) result.emplace_back(triangle[t][i], triangle[t][(i + 1) % 3]);
  return result;
}

std::vector<Index> MeshEditor::neighbours(Index v) const {
  std::vector<Index> result;
  for (Index t : around[v])
    for (Index w : triangle[t])
      if (w != v && std::find(result.begin(), result.end(), w) == result.end()) result.push_back(w);
  return result;
}

bool MeshEditor::has_edge(Index u, Index v) const {
  return std::any_of(around[u].begin(), around[u].end(), [&](Index t) { return contains(triangle[t], v); });
}

MeshEditor::Sides MeshEditor::sides(Index u, Index v) const {
  Sides s{none, none, none, none};
  for (Index t : around[u]) {
    if (const Index apex = apex_of_directed_edge(triangle[t], u, v); apex != none) {
      s.left = t;
      s.left_apex = apex;
    } else if (const Index other = apex_of_directed_edge(triangle[t], v, u); other != none) {
      s.right = t;
      s.right_apex = other;
    }
  }
  return s;
}

bool MeshEditor::is_outline_edge(Index u, Index v) const {
  const Sides s = sides(u, v);
  return region[s.left] != region[s.right];
}

bool MeshEditor::stays_fair(Index t, Index from, const Vec3& p, const Vec3& n, double longest) const {
  Corners before, after;
  for (std::size_t i = 0; i < 3; ++i) {
    const Index v = triangle[t][i];
    before.position[i] = position[v];
    before.normal[i] = normal[v];
    after.position[i] = v == from ? p : position[v];
    after.normal[i] = v == from ? n : normal[v];
  }
  const double squared = longest_squared_edge(after);
  if (squared > longest * longest) return false;
  const double area = norm(area_vector_of(after.position[0], after.position[1], after.position[2]));
  if (area < 0.02 * squared && area < norm(area_vector(t))) return false;
  const double aligned = alignment(after);
  return aligned > 0.4 || aligned > alignment(before);
}

bool MeshEditor::keeps_orientation(Index v, const Vec3& p, const Vec3& n) const {
  return std::all_of(around[v].begin(), around[v].end(), [&](Index t) { return stays_fair(t, v, p, n, 1e9); });
}

void MeshEditor::detach(Index t, Index v) { around[v].erase(std::find(around[v].begin(), around[v].end(), t)); }

bool MeshEditor::split_keeps_orientation(Index u, Index v, const Vec3& middle, const Vec3& n) const {
  const Sides s = sides(u, v);
  for (Index t : {s.left, s.right})
    for (Index end : {u, v})
      if (!stays_fair(t, end, middle, n, 1e9)) return false;
  return true;
}

Index MeshEditor::split(Index u, Index v, const Vec3& middle, const Vec3& n) {
  const Sides s = sides(u, v);
  const Index m = static_cast<Index>(position.size());
  position.push_back(middle);
  normal.push_back(n);
  on_outline.push_back(region[s.left] != region[s.right]);
  around.emplace_back();
  for (const auto& [t, apex] : {std::pair{s.left, s.left_apex}, std::pair{s.right, s.right_apex}}) {
    const Index added = static_cast<Index>(triangle.size());
    Triangle far = triangle[t];
    std::replace(far.begin(), far.end(), u, m);
    std::replace(triangle[t].begin(), triangle[t].end(), v, m);
    triangle.push_back(far);
    region.push_back(region[t]);
    alive.push_back(true);
    detach(t, v);
    around[v].push_back(added);
    around[apex].push_back(added);
    around[m].push_back(t);
    around[m].push_back(added);
  }
  return m;
}

bool MeshEditor::can_collapse(Index kept, Index removed, const Vec3& target, const Vec3& n, double longest) const {
  const std::vector<Index> ring_kept = neighbours(kept), ring_removed = neighbours(removed);
  std::size_t common = 0;
  for (Index w : ring_removed) {
    if (std::find(ring_kept.begin(), ring_kept.end(), w) == ring_kept.end()) continue;
    ++common;
    if (around[w].size() <= 3) return false;
  }
  if (common != 2 || ring_kept.size() + ring_removed.size() < 8) return false;
  for (const auto& [centre, other] : {std::pair{kept, removed}, std::pair{removed, kept}}) {
    for (Index t : around[centre])
      if (!contains(triangle[t], other) && !stays_fair(t, centre, target, n, longest)) return false;
  }
  return true;
}

void MeshEditor::collapse(Index kept, Index removed, const Vec3& target, const Vec3& n) {
  position[kept] = target;
  normal[kept] = n;
  const std::vector<Index> fan = around[removed];
  for (Index t : fan) {
    if (contains(triangle[t], kept)) {
      alive[t] = false;
      for (Index v : triangle[t]) detach(t, v);
    } else {
      std::replace(triangle[t].begin(), triangle[t].end(), removed, kept);
      around[kept].push_back(t);
    }
  }
  around[removed].clear();
}

bool MeshEditor::improves_by_flip(Index u, Index v) const {
  const Sides s = sides(u, v);
  if (s.left == none || s.right == none || region[s.left] != region[s.right]) return false;
  const Vec3 &a = position[u], &b = position[v], &c = position[s.left_apex], &d = position[s.right_apex];
  // Angles sum to more than 180 degrees where their cosines sum to less than zero.
  return cosine_at(c, a, b) + cosine_at(d, a, b) < -1e-3;
}

bool MeshEditor::flip(Index u, Index v) {
  const Sides s = sides(u, v);
  if (around[u].size() <= 3 || around[v].size() <= 3 || has_edge(s.left_apex, s.right_apex)) return false;
  const Triangle left{u, s.right_apex, s.left_apex}, right{v, s.left_apex, s.right_apex};
  const auto corners_of = [&](const Triangle& t) {
    return Corners{{position[t[0]], position[t[1]], position[t[2]]}, {normal[t[0]], normal[t[1]], normal[t[2]]}};
  };
  const double before = std::min(alignment(corners_of(triangle[s.left])), alignment(corners_of(triangle[s.right])));
  const double after = std::min(alignment(corners_of(left)), alignment(corners_of(right)));
  if (after < 0.4 && after <= before) return false;
  // A bend across the old edge must not be flattened.
  const Vec3 n1 = area_vector(s.left), n2 = area_vector(s.right);
  if (dot(n1, n2) < 0.5 * norm(n1) * norm(n2) && after <= before) return false;
  detach(s.left, v);
  detach(s.right, u);
  triangle[s.left] = left;
  triangle[s.right] = right;
  around[s.right_apex].push_back(s.left);
  around[s.left_apex].push_back(s.right);
  return true;
}

Surface MeshEditor::compact() const {
  Surface surface;
  std::vector<Index> renumbered(position.size(), none);
  for (Index t = 0; t < triangle.size(); ++t) {
    if (!alive[t]) continue;
    Triangle corners{};
    for (std::size_t i = 0; i < 3; ++i) {
      Index& number = renumbered[triangle[t][i]];
      if (number == none) {
        number = static_cast<Index>(surface.position.size());
        surface.position.push_back(position[triangle[t][i]]);
      }
      corners[i] = number;
    }
    surface.triangle.push_back(corners);
    surface.region.push_back(region[t]);
  }
  return surface;
}

}  // namespace sinew::samples
