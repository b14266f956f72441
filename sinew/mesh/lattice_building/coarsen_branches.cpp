#include "sinew/mesh/lattice_building/coarsen_branches.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

using Face = std::array<int, 3>;  // vertices, increasing

Face face_of(const Tetrahedron& t, std::size_t corner) {
  Face face{t[(corner + 1) % 4], t[(corner + 2) % 4], t[(corner + 3) % 4]};
  std::sort(face.begin(), face.end());
  return face;
}

bool has_face(const Tetrahedron& t, const Face& face) {
  return std::all_of(face.begin(), face.end(), [&](int v) { return std::find(t.begin(), t.end(), v) != t.end(); });
}

std::size_t corner_opposite(const Tetrahedron& t, const Face& face) {
  std::size_t corner = 0;
  while (std::find(face.begin(), face.end(), t[corner]) != face.end()) ++corner;
  return corner;
}

class Separation {
 public:
  Separation(const TetrahedralMesh& mesh, std::span<const Vec3> centre) : centre_(centre) {
    result_.mesh = mesh;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) result_.vertex.push_back(static_cast<int>(v));
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
      result_.tetrahedron.push_back(static_cast<int>(t));
      for (std::size_t k = 0; k < 4; ++k) faces_[face_of(mesh.tetrahedra[t], k)].push_back(static_cast<int>(t));
    }
  }

  UnbranchedMesh run() {
    std::vector<Face> shared;
    for (const auto& [face, tetrahedra] : faces_)
      if (tetrahedra.size() > 1) shared.push_back(face);
    for (const Face& face : shared) {
      std::vector<int> above, below;
      for (int t : faces_.at(face)) (is_above(t, face) ? above : below).push_back(t);
      if (above.empty() || below.empty()) continue;
      std::vector<std::pair<int, int>> wanted{{above[0], below[0]}};
      for (std::size_t k = 1; k < above.size(); ++k) wanted.push_back({above[k], below[0]});
      for (std::size_t k = 1; k < below.size(); ++k) wanted.push_back({above[0], below[k]});
      link(face, wanted);
    }
    split_vertices();
    make_private();
    return std::move(result_);
  }

 private:
  const Vec3& at(int v) const { return result_.mesh.positions[index(v)]; }
  Tetrahedron& tetrahedron(int t) { return result_.mesh.tetrahedra[index(t)]; }

  bool is_above(int t, const Face& face) {
    const int apex = tetrahedron(t)[corner_opposite(tetrahedron(t), face)];
    return volume(at(face[0]), at(face[1]), at(face[2]), at(apex)) > 0;
  }

  int add_vertex(const Face& face) {
    result_.mesh.positions.push_back((at(face[0]) + at(face[1]) + at(face[2])) / 3);
    result_.vertex.push_back(result_.vertex[index(face[0])]);
    return static_cast<int>(result_.mesh.positions.size()) - 1;
  }

  // Splits a tetrahedron by a vertex on its face. The part at the edge opposite face[k] is element k of the result.
  std::array<int, 3> split(int t, const Face& face, int vertex) {
    const Tetrahedron old = tetrahedron(t);
    for (std::size_t k = 0; k < 4; ++k) {
      std::vector<int>& list = faces_[face_of(old, k)];
      list.erase(std::find(list.begin(), list.end(), t));
    }
    std::array<int, 3> parts{};
    for (std::size_t k = 0; k < 3; ++k) {
      Tetrahedron part = old;
      std::replace(part.begin(), part.end(), face[k], vertex);
      if (k == 0) {
        parts[k] = t;
        tetrahedron(t) = part;
      } else {
        parts[k] = static_cast<int>(result_.mesh.tetrahedra.size());
        result_.mesh.tetrahedra.push_back(part);
        result_.tetrahedron.push_back(result_.tetrahedron[index(t)]);
      }
      for (std::size_t c = 0; c < 4; ++c) faces_[face_of(part, c)].push_back(parts[k]);
    }
    for (Link& l : links_)
      for (int* side : {&l.a, &l.b})
        if (*side == t)
          *side =
              *std::find_if(parts.begin(), parts.end(), [&](int part) { return has_face(tetrahedron(part), l.face); });
    // The common faces of the parts.
    for (std::size_t k = 0; k < 3; ++k) {
      Face inner{face[k], vertex, old[corner_opposite(old, face)]};
      std::sort(inner.begin(), inner.end());
      links_.push_back({parts[(k + 1) % 3], parts[(k + 2) % 3], inner});
    }
    return parts;
  }

  // Connects pairs of tetrahedra on the two sides of a face, each through a piece of it.
  void link(const Face& face, std::vector<std::pair<int, int>> wanted) {
    if (wanted.size() == 1) {
      links_.push_back({wanted[0].first, wanted[0].second, face});
      return;
    }
    const int vertex = add_vertex(face);
    std::map<int, std::array<int, 3>> parts;
    for (const auto& [a, b] : wanted)
      for (int t : {a, b})
        if (!parts.contains(t)) parts[t] = split(t, face, vertex);
    std::array<Face, 3> piece;
    for (std::size_t k = 0; k < 3; ++k) {
      piece[k] = {face[(k + 1) % 3], face[(k + 2) % 3], vertex};
      std::sort(piece[k].begin(), piece[k].end());
    }
    std::array<std::vector<std::pair<int, int>>, 3> at_piece;
    for (const auto& [a, b] : wanted) {
      // Takes the pieces one after the other; remaining pairs share the last one.
      const bool all_taken = std::none_of(at_piece.begin(), at_piece.end(), [](const auto& l) { return l.empty(); });
      std::size_t best = 3;
      double nearest = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        if (!at_piece[k].empty() && !all_taken) continue;
        const Vec3 middle = (at(piece[k][0]) + at(piece[k][1]) + at(piece[k][2])) / 3;
        const double d = squared_norm(middle - centre_of(a)) + squared_norm(middle - centre_of(b));
        if (best < 3 && d >= nearest) continue;
        best = k;
        nearest = d;
      }
      at_piece[best].push_back({parts[a][best], parts[b][best]});
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (at_piece[k].empty()) at_piece[k].push_back({parts[wanted[0].first][k], parts[wanted[0].second][k]});
      link(piece[k], at_piece[k]);
    }
  }

  Vec3 centre_of(int t) const { return centre_[index(result_.tetrahedron[index(t)])]; }

  // Merges corners of tetrahedra into one vertex where links connect them; where no links connect two bodies, they stay
  // connected as they were.
  void split_vertices() {
    const std::size_t count = result_.mesh.tetrahedra.size();
    DisjointSets corners(4 * count), bodies(count);
    const auto corner_number = [&](int t, int v) {
      const Tetrahedron& corner = result_.mesh.tetrahedra[index(t)];
      return 4 * t + static_cast<int>(std::find(corner.begin(), corner.end(), v) - corner.begin());
    };
    for (const Link& l : links_) {
      bodies.unite(l.a, l.b);
      for (int v : l.face) corners.unite(corner_number(l.a, v), corner_number(l.b, v));
    }
    std::map<std::pair<int, int>, int> first;  // corner of a body at a vertex
    std::vector<int> other(result_.mesh.positions.size(), -1);
    for (std::size_t t = 0; t < count; ++t)
      for (std::size_t k = 0; k < 4; ++k) {
        const int v = result_.mesh.tetrahedra[t][k], body = bodies.find(static_cast<int>(t));
        first.try_emplace({v, body}, static_cast<int>(4 * t + k));
      }
    for (const auto& [key, corner] : first) {
      int& earlier = other[index(key.first)];
      if (earlier >= 0) corners.unite(earlier, corner);
      earlier = corner;
    }
    TetrahedralMesh mesh;
    std::vector<int> vertex, number(4 * count, -1);
    for (std::size_t t = 0; t < count; ++t) {
      Tetrahedron corner = result_.mesh.tetrahedra[t];
      for (std::size_t k = 0; k < 4; ++k) {
        int& n = number[index(corners.find(static_cast<int>(4 * t + k)))];
        if (n < 0) {
          n = static_cast<int>(mesh.positions.size());
          mesh.positions.push_back(at(corner[k]));
          vertex.push_back(result_.vertex[index(corner[k])]);
        }
        corner[k] = n;
      }
      mesh.tetrahedra.push_back(corner);
    }
    for (Link& l : links_)
      l.face = face_of(mesh.tetrahedra[index(l.a)], corner_opposite(result_.mesh.tetrahedra[index(l.a)], l.face));
    result_.mesh = std::move(mesh);
    result_.vertex = std::move(vertex);
  }

  // Where more than two tetrahedra still share a face, all but the linked ones (or one, if none are) get a vertex of
  // their own on it.
  void make_private() {
    faces_.clear();
    for (std::size_t t = 0; t < result_.mesh.tetrahedra.size(); ++t)
      for (std::size_t k = 0; k < 4; ++k) faces_[face_of(result_.mesh.tetrahedra[t], k)].push_back(static_cast<int>(t));
    std::vector<Face> shared;
    for (const auto& [face, tetrahedra] : faces_)
      if (tetrahedra.size() > 1) shared.push_back(face);
    std::map<Face, std::size_t> link_at;
    for (std::size_t l = 0; l < links_.size(); ++l) link_at[links_[l].face] = l;
    for (const Face& face : shared) {
      const std::vector<int> around = faces_.at(face);
      const auto at = link_at.find(face);
      for (int t : around)
        if (at == link_at.end() ? t != around[0] : t != links_[at->second].a && t != links_[at->second].b)
          split(t, face, add_vertex(face));
    }
  }

  struct Link {
    int a = -1, b = -1;  // tetrahedra that are linked through the face
    Face face{};
  };

  std::span<const Vec3> centre_;
  UnbranchedMesh result_;
  std::map<Face, std::vector<int>> faces_;
  std::vector<Link> links_;
};

}  // namespace

UnbranchedMesh separate_branches(const TetrahedralMesh& mesh, std::span<const Vec3> centre) {
  return Separation(mesh, centre).run();
}

}  // namespace sinew
