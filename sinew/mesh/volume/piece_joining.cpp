#include "sinew/mesh/volume/piece_joining.h"

#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

bool share_a_node(std::span<const int> a, std::span<const int> b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    if (a[i] < b[j])
      ++i;
    else
      ++j;
  }
  return false;
}

std::size_t corner_of(const Tetrahedron& t, int vertex) {
  return static_cast<std::size_t>(std::find(t.begin(), t.end(), vertex) - t.begin());
}

// A thin strand may leave one tetrahedron along its edge and enter the next without a common face, if it penetrates
// those between by less than counts as touching. Bodies that are still separate share the node if copies around it have
// a piece in common.
void join_across_vertices(const std::vector<Tetrahedron>& copies, const CellPieces& pieces, std::size_t vertex_count,
                          DisjointSets& corners, DisjointSets& bodies) {
  bool apart = false;
  for (std::size_t p = 0; p < copies.size() && !apart; ++p) apart = bodies.find(static_cast<int>(p)) != bodies.find(0);
  if (!apart) return;
  Rows around;
  around.offsets.assign(vertex_count + 1, 0);
  for (const Tetrahedron& t : copies)
    for (int v : t) ++around.offsets[static_cast<std::size_t>(v) + 1];
  std::partial_sum(around.offsets.begin(), around.offsets.end(), around.offsets.begin());
  around.items.resize(static_cast<std::size_t>(around.offsets.back()));
  std::vector<int> next(around.offsets.begin(), around.offsets.end() - 1);
  for (std::size_t p = 0; p < copies.size(); ++p)
    for (int v : copies[p])
      around.items[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<int>(p);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const auto list = around[v];
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = i + 1; j < list.size(); ++j) {
        const auto p = static_cast<std::size_t>(list[i]), q = static_cast<std::size_t>(list[j]);
        if (bodies.find(list[i]) == bodies.find(list[j]) || pieces.tetrahedron[p] == pieces.tetrahedron[q]) continue;
        if (!share_a_node(pieces.nodes[p], pieces.nodes[q])) continue;
        // All nodes that the two tetrahedra have in common.
        for (int vertex : copies[p]) {
          const std::size_t corner = corner_of(copies[q], vertex);
          if (corner < 4)
            corners.unite(static_cast<int>(4 * p + corner_of(copies[p], vertex)), static_cast<int>(4 * q + corner));
        }
        bodies.unite(list[i], list[j]);
      }
  }
}

}  // namespace

TetrahedronFaces tetrahedron_faces(std::span<const Tetrahedron> tetrahedra, std::size_t vertex_count) {
  struct Face {
    int second, third, element;
  };
  const auto for_each_face = [&](const auto& visit) {
    for (std::size_t e = 0; e < tetrahedra.size(); ++e) {
      Tetrahedron t = tetrahedra[e];
      std::sort(t.begin(), t.end());
      visit(t[0], Face{t[1], t[2], static_cast<int>(e)});
      visit(t[0], Face{t[1], t[3], static_cast<int>(e)});
      visit(t[0], Face{t[2], t[3], static_cast<int>(e)});
      visit(t[1], Face{t[2], t[3], static_cast<int>(e)});
    }
  };
  std::vector<std::size_t> start(vertex_count + 1, 0);
  for_each_face([&](int first, const Face&) { ++start[static_cast<std::size_t>(first) + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Face> faces(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for_each_face([&](int first, const Face& face) { faces[next[static_cast<std::size_t>(first)]++] = face; });
  TetrahedronFaces result;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const auto begin = faces.begin() + static_cast<std::ptrdiff_t>(start[v]);
    const auto end = faces.begin() + static_cast<std::ptrdiff_t>(start[v + 1]);
    std::sort(begin, end, [](const Face& a, const Face& b) {
      if (a.second != b.second) return a.second < b.second;
      return a.third != b.third ? a.third < b.third : a.element < b.element;
    });
    for (auto face = begin; face != end; ++face) {
      if (face == begin || face->second != (face - 1)->second || face->third != (face - 1)->third) {
        if (!result.vertices.empty()) result.elements.offsets.push_back(static_cast<int>(result.elements.items.size()));
        result.vertices.push_back({static_cast<int>(v), face->second, face->third});
      }
      result.elements.items.push_back(face->element);
    }
  }
  if (!result.vertices.empty()) result.elements.offsets.push_back(static_cast<int>(result.elements.items.size()));
  return result;
}

JoinedPieces join_pieces(const LatticeMesh& lattice, const CellPieces& pieces) {
  const std::size_t count = pieces.tetrahedron.size();
  const auto tetrahedron_of = [&](std::size_t piece) -> const Tetrahedron& {
    return lattice.tetrahedra[static_cast<std::size_t>(pieces.tetrahedron[piece])];
  };
  std::vector<Tetrahedron> copies(count);
  for (std::size_t p = 0; p < count; ++p) copies[p] = tetrahedron_of(p);
  const TetrahedronFaces faces = tetrahedron_faces(copies, lattice.positions.size());

  DisjointSets corners(4 * count), bodies(count);
  for (std::size_t f = 0; f < faces.vertices.size(); ++f) {
    const auto around = faces.elements[f];
    for (std::size_t i = 0; i < around.size(); ++i)
      for (std::size_t j = i + 1; j < around.size(); ++j) {
        const auto p = static_cast<std::size_t>(around[i]), q = static_cast<std::size_t>(around[j]);
        if (pieces.tetrahedron[p] == pieces.tetrahedron[q] || !share_a_node(pieces.nodes[p], pieces.nodes[q])) continue;
        bodies.unite(around[i], around[j]);
        for (int vertex : faces.vertices[f])
          corners.unite(static_cast<int>(4 * p + corner_of(copies[p], vertex)),
                        static_cast<int>(4 * q + corner_of(copies[q], vertex)));
      }
  }

  join_across_vertices(copies, pieces, lattice.positions.size(), corners, bodies);

  JoinedPieces joined;
  std::vector<int> vertex_number(4 * count, -1);
  for (std::size_t p = 0; p < count;) {
    std::size_t end = p;
    while (end < count && pieces.tetrahedron[end] == pieces.tetrahedron[p]) ++end;
    // Copies whose four nodes all came together are one element.
    const std::size_t first_element = joined.mesh.tetrahedra.size();
    std::vector<std::array<int, 4>> roots;
    std::vector<std::vector<int>> graph_nodes;
    for (std::size_t q = p; q < end; ++q) {
      std::array<int, 4> root;
      for (std::size_t k = 0; k < 4; ++k) root[k] = corners.find(static_cast<int>(4 * q + k));
      const auto same = std::find(roots.begin(), roots.end(), root);
      const auto list = pieces.nodes[q];
      if (same != roots.end()) {
        auto& merged = graph_nodes[static_cast<std::size_t>(same - roots.begin())];
        merged.insert(merged.end(), list.begin(), list.end());
        std::sort(merged.begin(), merged.end());
        continue;
      }
      roots.push_back(root);
      graph_nodes.emplace_back(list.begin(), list.end());
      Tetrahedron element;
      for (std::size_t k = 0; k < 4; ++k) {
        int& number = vertex_number[static_cast<std::size_t>(root[k])];
        if (number < 0) {
          number = static_cast<int>(joined.mesh.positions.size());
          joined.mesh.positions.push_back(lattice.positions[static_cast<std::size_t>(copies[q][k])]);
        }
        element[k] = number;
      }
      joined.mesh.tetrahedra.push_back(element);
      joined.lattice_tetrahedron.push_back(pieces.tetrahedron[q]);
      joined.full.push_back(pieces.full[q]);
    }
    for (const auto& list : graph_nodes) {
      joined.nodes.items.insert(joined.nodes.items.end(), list.begin(), list.end());
      joined.nodes.offsets.push_back(static_cast<int>(joined.nodes.items.size()));
    }
    joined.duplicated.resize(joined.mesh.tetrahedra.size(), joined.mesh.tetrahedra.size() - first_element > 1);
    p = end;
  }
  return joined;
}

JoinedPieces selected(const JoinedPieces& joined, const std::vector<char>& keep) {
  JoinedPieces result;
  std::vector<int> number(joined.mesh.positions.size(), -1);
  for (std::size_t e = 0; e < keep.size(); ++e) {
    if (!keep[e]) continue;
    Tetrahedron t = joined.mesh.tetrahedra[e];
    for (int& v : t) {
      int& n = number[static_cast<std::size_t>(v)];
      if (n < 0) {
        n = static_cast<int>(result.mesh.positions.size());
        result.mesh.positions.push_back(joined.mesh.positions[static_cast<std::size_t>(v)]);
      }
      v = n;
    }
    result.mesh.tetrahedra.push_back(t);
    result.lattice_tetrahedron.push_back(joined.lattice_tetrahedron[e]);
    result.duplicated.push_back(joined.duplicated[e]);
    result.full.push_back(joined.full[e]);
    result.nodes.items.insert(result.nodes.items.end(), joined.nodes[e].begin(), joined.nodes[e].end());
    result.nodes.offsets.push_back(static_cast<int>(result.nodes.items.size()));
  }
  return result;
}

}  // namespace sinew
