#include "sinew/mesh/volume/cell_components.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/clipping.h"

namespace sinew {
namespace {

// A connection through the solid between two graph nodes, at a position.
struct CellLink {
  Vec3 place;
  int first = -1, last = -1;
};

// Links that begin on fine edges with crossings, per near cube. Links between two samples without crossings between
// them are implicit.
struct CubeLinks {
  std::vector<std::vector<CellLink>> of_cube;
};

CubeLinks surface_links(const SolidSampling& sampling) {
  CubeLinks links;
  links.of_cube.resize(static_cast<std::size_t>(sampling.near_count()));
  parallel_for(links.of_cube.size(), 16, [&](std::size_t index) {
    const int cube = static_cast<int>(index);
    const CubeIndex& c = sampling.cubes()[index];
    std::array<int, 3> u;
    for (u[2] = 0; u[2] < subdivisions; ++u[2])
      for (u[1] = 0; u[1] < subdivisions; ++u[1])
        for (u[0] = 0; u[0] < subdivisions; ++u[0])
          for (std::size_t axis = 0; axis < 3; ++axis) {
            if (sampling.crossings(cube, SolidSampling::sample_index(u), axis).empty()) continue;
            sampling.for_each_chord(cube, u, axis, [&](const Chord& chord) {
              Vec3 place = sampling.sample_position(c, u);
              place[axis] = 0.5 * (chord.from + chord.to);
              links.of_cube[index].push_back({place, chord.first, chord.last});
            });
          }
  });
  return links;
}

// The first value inserted for each key, 0 or larger; must be cleared after at most a fixed number of keys.
class FirstAt {
 public:
  void clear(std::size_t keys) {
    std::size_t size = 16;
    while (size < 2 * keys) size *= 2;
    if (slots_.size() < size) slots_.resize(size);
    mask_ = size - 1;
    std::fill_n(slots_.begin(), size, Slot{});
  }
  int insert(int key, int value) {
    std::size_t at = (static_cast<std::size_t>(key) * 0x9E3779B97F4A7C15u >> 20) & mask_;
    for (; slots_[at].key >= 0; at = (at + 1) & mask_)
      if (slots_[at].key == key) return slots_[at].value;
    slots_[at] = {key, value};
    return value;
  }

 private:
  struct Slot {
    int key = -1, value = 0;
  };
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

// Reusable data for the analysis of tetrahedra.
class PieceFinder {
 public:
  PieceFinder(const SolidSampling& sampling, const CubeLinks& links, const LatticeMesh& lattice, double growth,
              double touch)
      : sampling_(sampling),
        links_(links),
        lattice_(lattice),
        growth_(growth),
        touch_(touch),
        samples_end_(sampling.near_count() * samples_per_cube),
        seen_in_(sampling.surface().mesh.triangles.size(), -1) {}

  // Appends the pieces of tetrahedron `index`.
  void find(int index, CellPieces& out) {
    const auto& corners = lattice_.tetrahedra[static_cast<std::size_t>(index)];
    std::array<Vec3, 4> p;
    for (std::size_t k = 0; k < 4; ++k) p[k] = lattice_.positions[static_cast<std::size_t>(corners[k])];
    cell_ = tetrahedron_cell(p);
    gather_nodes(p, index);
    if (nodes_.empty()) return;
    connect();
    emit(index, 0.25 * (p[0] + p[1] + p[2] + p[3]), out);
  }

 private:
  struct LocalNode {
    int node;
    bool proper;  // reaches into the tetrahedron itself
  };
  // A triangle that reaches into the grown tetrahedron.
  struct LocalTriangle {
    int triangle;
    bool proper;                 // reaches into the tetrahedron itself
    std::array<bool, 3> within;  // per corner: it is in the grown tetrahedron
  };

  // Nodes are listed in increasing order: samples of near cubes, deep cubes, triangles.
  void gather_nodes(const std::array<Vec3, 4>& p, int index) {
    nodes_.clear();
    near_cubes_.clear();
    deep_cubes_.clear();
    deep_nodes_.clear();
    triangles_.clear();
    local_sample_.clear();
    const Vec3 margin{growth_, growth_, growth_};
    const Vec3 low = min(min(p[0], p[1]), min(p[2], p[3])) - margin,
               high = max(max(p[0], p[1]), max(p[2], p[3])) + margin;
    const CubeIndex first = sampling_.grid().cube_of(low), last = sampling_.grid().cube_of(high);
    CubeIndex c;
    for (c[2] = first[2]; c[2] <= last[2]; ++c[2])
      for (c[1] = first[1]; c[1] <= last[1]; ++c[1])
        for (c[0] = first[0]; c[0] <= last[0]; ++c[0]) {
          const int cube = sampling_.find(c);
          if (cube < 0) continue;
          gather_samples(cube, c, low, high);
          if (sampling_.is_near(cube)) gather_triangles(cube, {low, high}, index);
        }
    sample_count_ = nodes_.size();
    nodes_.insert(nodes_.end(), deep_nodes_.begin(), deep_nodes_.end());
    std::sort(triangles_.begin(), triangles_.end(),
              [](const LocalTriangle& a, const LocalTriangle& b) { return a.triangle < b.triangle; });
    surface_inside_ = false;
    for (const LocalTriangle& each : triangles_) {
      surface_inside_ = surface_inside_ || each.proper;
      nodes_.push_back({sampling_.triangle_node(each.triangle), each.proper});
    }
  }

  void gather_samples(int cube, const CubeIndex& c, const Vec3& low, const Vec3& high) {
    std::array<int, 3> from, to, u;
    const Vec3 base = sampling_.grid().corner(c);
    for (std::size_t k = 0; k < 3; ++k) {
      from[k] = std::max(0, static_cast<int>(std::ceil((low[k] - base[k]) / sampling_.fine())));
      to[k] = std::min(subdivisions - 1, static_cast<int>(std::floor((high[k] - base[k]) / sampling_.fine())));
    }
    const bool near = sampling_.is_near(cube);
    const std::size_t first_local = local_sample_.size();
    if (near) {
      near_cubes_.push_back(cube);
      local_sample_.resize(first_local + samples_per_cube, -1);
    }
    bool any = false, proper = false;
    for (u[2] = from[2]; u[2] <= to[2]; ++u[2])
      for (u[1] = from[1]; u[1] <= to[1]; ++u[1])
        for (u[0] = from[0]; u[0] <= to[0]; ++u[0]) {
          const int sample = SolidSampling::sample_index(u);
          if (near && !sampling_.inside(cube, sample)) continue;
          const double depth = cell_.depth(sampling_.sample_position(c, u));
          if (depth < -growth_) continue;
          const bool within = !(depth < 0);
          if (near) {
            local_sample_[first_local + static_cast<std::size_t>(sample)] = static_cast<int>(nodes_.size());
            nodes_.push_back({sampling_.sample_node(cube, sample), within});
          }
          any = true;
          proper = proper || within;
        }
    if (near || !any) return;
    deep_cubes_.push_back(cube);
    deep_nodes_.push_back({sampling_.deep_node(cube), proper});
  }

  // The triangles of a cube that no cube before had.
  void gather_triangles(int cube, const Box& around, int index) {
    for (int t : sampling_.triangles_in(cube)) {
      int& seen = seen_in_[static_cast<std::size_t>(t)];
      if (seen == index) continue;
      seen = index;
      if (!overlap(sampling_.surface().boxes[static_cast<std::size_t>(t)], around)) continue;
      const std::array<Vec3, 3> v = sampling_.surface().corners(t);
      const CornerDepths depths = corner_depths(cell_, v);
      if (!triangle_meets(cell_, growth_, v, depths)) continue;
      LocalTriangle local{t, triangle_meets(cell_, -touch_, v, depths), {true, true, true}};
      for (const std::array<double, 3>& of_face : depths)
        for (std::size_t k = 0; k < 3; ++k) local.within[k] = local.within[k] && !(of_face[k] < -growth_);
      triangles_.push_back(local);
    }
  }

  // Index into nodes_; -1: not in the grown tetrahedron.
  int local(int node) const {
    if (node < samples_end_) {
      const auto cube = std::lower_bound(near_cubes_.begin(), near_cubes_.end(), node / samples_per_cube);
      if (cube == near_cubes_.end() || *cube != node / samples_per_cube) return -1;
      return local_sample_[static_cast<std::size_t>((cube - near_cubes_.begin()) * samples_per_cube +
                                                    node % samples_per_cube)];
    }
    const auto it = std::lower_bound(nodes_.begin() + static_cast<std::ptrdiff_t>(sample_count_), nodes_.end(), node,
                                     [](const LocalNode& a, int b) { return a.node < b; });
    return it != nodes_.end() && it->node == node ? static_cast<int>(it - nodes_.begin()) : -1;
  }
  void unite_nodes(int a, int b) {
    const int i = local(a), j = local(b);
    if (i >= 0 && j >= 0) sets_.unite(i, j);
  }

  void connect() {
    sets_.reset(nodes_.size());
    connect_samples();
    for (int cube : near_cubes_)
      for (const CellLink& link : links_.of_cube[static_cast<std::size_t>(cube)])
        if (cell_.contains(link.place, growth_)) unite_nodes(link.first, link.last);
    connect_surface();
  }

  // Connects neighbouring samples without a surface between them, in every direction, and deep cubes.
  void connect_samples() {
    for (std::size_t i = 0; i < sample_count_; ++i) {
      const int cube = nodes_[i].node / samples_per_cube, sample = nodes_[i].node % samples_per_cube;
      const CubeIndex& c = sampling_.cubes()[static_cast<std::size_t>(cube)];
      const std::array<int, 3> u{sample % subdivisions, sample / subdivisions % subdivisions,
                                 sample / (subdivisions * subdivisions)};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<int, 3> next = u;
        ++next[axis];
        if (sampling_.crossings(cube, sample, axis).empty()) {
          const int other = next[axis] < subdivisions ? nodes_[i].node - sample + SolidSampling::sample_index(next)
                                                      : sampling_.inside_node(c, next);
          const int j = other < 0 ? -1 : local(other);
          if (j >= 0) sets_.unite(static_cast<int>(i), j);
        }
        // Deep inside there are no triangles nearby, so that fine edges within a cube have no crossings.
        if (u[axis] == 0 && !deep_cubes_.empty()) {
          const int below = sampling_.find(neighbour(c, axis, -1));
          if (below >= 0 && !sampling_.is_near(below)) {
            const int j = local(sampling_.deep_node(below));
            if (j >= 0) sets_.unite(static_cast<int>(i), j);
          }
        }
      }
    }
    for (std::size_t a = 0; a < deep_cubes_.size(); ++a)
      for (std::size_t b = a + 1; b < deep_cubes_.size(); ++b) {
        const CubeIndex& p = sampling_.cubes()[static_cast<std::size_t>(deep_cubes_[a])];
        const CubeIndex& q = sampling_.cubes()[static_cast<std::size_t>(deep_cubes_[b])];
        if (std::abs(p[0] - q[0]) + std::abs(p[1] - q[1]) + std::abs(p[2] - q[2]) == 1)
          unite_nodes(sampling_.deep_node(deep_cubes_[a]), sampling_.deep_node(deep_cubes_[b]));
      }
  }

  // Connects triangles that share an edge or a vertex within the grown tetrahedron.
  void connect_surface() {
    const SolidSurface& surface = sampling_.surface();
    const int vertex_count = static_cast<int>(surface.mesh.positions.size());
    first_at_.clear(6 * triangles_.size());
    // Triangles are the last nodes, in their order.
    int node = static_cast<int>(nodes_.size() - triangles_.size());
    for (const auto& [t, proper, within] : triangles_) {
      const std::array<Vec3, 3> v = surface.corners(t);
      const auto& vertices = surface.mesh.triangles[static_cast<std::size_t>(t)];
      const auto& edges = surface.edges.edge_of_triangle[static_cast<std::size_t>(t)];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3;
        if (within[k]) sets_.unite(node, first_at_.insert(vertices[k], node));
        if (edges[k] >= 0 && (within[k] || within[next] || segment_meets(cell_, growth_, v[k], v[next])))
          sets_.unite(node, first_at_.insert(vertex_count + edges[k], node));
      }
      ++node;
    }
  }

  void emit(int index, const Vec3& center, CellPieces& out) {
    // A tetrahedron without surface is entirely solid or entirely empty; if it contains no sample, the winding number
    // at its centre decides.
    bool any_proper = false;
    for (const LocalNode& n : nodes_) any_proper = any_proper || n.proper;
    int chosen = -1;
    if (!any_proper) {
      if (sampling_.surface().winding_number(center) <= 0.5) return;
      chosen = sets_.find(nearest_solid_node(center));
    }
    const int count = static_cast<int>(nodes_.size());
    for (int root = 0; root < count; ++root) {
      if (sets_.find(root) != root) continue;
      bool proper = root == chosen;
      for (int i = root; i < count && !proper; ++i)
        proper = nodes_[static_cast<std::size_t>(i)].proper && sets_.find(i) == root;
      if (!proper) continue;
      out.tetrahedron.push_back(index);
      out.full.push_back(!surface_inside_);
      for (int i = root; i < count; ++i)
        if (sets_.find(i) == root) out.nodes.items.push_back(nodes_[static_cast<std::size_t>(i)].node);
      out.nodes.offsets.push_back(static_cast<int>(out.nodes.items.size()));
    }
  }

  // Index into nodes_ of a sample or deep cube close to `p`, or of any node if there is none.
  int nearest_solid_node(const Vec3& p) const {
    int best = 0;
    double best_distance = HUGE_VAL;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      double d = HUGE_VAL;
      if (i < sample_count_) {
        const int sample = nodes_[i].node % samples_per_cube;
        d = squared_norm(p - sampling_.sample_position(
                                 sampling_.cubes()[static_cast<std::size_t>(nodes_[i].node / samples_per_cube)],
                                 {sample % subdivisions, sample / subdivisions % subdivisions,
                                  sample / (subdivisions * subdivisions)}));
      } else if (nodes_[i].node < sampling_.triangle_node(0)) {
        d = 0;
      }
      if (d < best_distance) {
        best_distance = d;
        best = static_cast<int>(i);
      }
    }
    return best;
  }

  const SolidSampling& sampling_;
  const CubeLinks& links_;
  const LatticeMesh& lattice_;
  double growth_, touch_;
  int samples_end_;  // number of samples' graph nodes, which come first
  ConvexCell cell_;
  std::vector<LocalNode> nodes_, deep_nodes_;
  std::size_t sample_count_ = 0;  // samples among nodes_, which come first
  std::vector<int> near_cubes_, deep_cubes_;
  std::vector<int> local_sample_;  // per near cube and sample: index into nodes_, or -1
  std::vector<LocalTriangle> triangles_;
  std::vector<int> seen_in_;  // per triangle of the surface: the last tetrahedron that it was tested with
  FirstAt first_at_;          // per vertex and edge of the surface, the first triangle there
  DisjointSets sets_{0};
  bool surface_inside_ = false;
};

}  // namespace

CellPieces find_cell_pieces(const SolidSampling& sampling, const LatticeMesh& lattice, double growth, double touch) {
  const CubeLinks links = surface_links(sampling);
  const std::size_t grain = 256;
  std::vector<CellPieces> chunks((lattice.tetrahedra.size() + grain - 1) / grain);
  parallel_chunks(lattice.tetrahedra.size(), grain, [&](std::size_t begin, std::size_t end) {
    PieceFinder finder(sampling, links, lattice, growth, touch);
    for (std::size_t t = begin; t < end; ++t) finder.find(static_cast<int>(t), chunks[begin / grain]);
  });
  CellPieces pieces;
  for (const CellPieces& chunk : chunks) {
    pieces.tetrahedron.insert(pieces.tetrahedron.end(), chunk.tetrahedron.begin(), chunk.tetrahedron.end());
    pieces.full.insert(pieces.full.end(), chunk.full.begin(), chunk.full.end());
    const int offset = static_cast<int>(pieces.nodes.items.size());
    pieces.nodes.items.insert(pieces.nodes.items.end(), chunk.nodes.items.begin(), chunk.nodes.items.end());
    for (std::size_t i = 1; i < chunk.nodes.offsets.size(); ++i)
      pieces.nodes.offsets.push_back(offset + chunk.nodes.offsets[i]);
  }
  return pieces;
}

}  // namespace sinew
