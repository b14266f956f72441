#include "studio/server/lattice/lattice_bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/lattice_editing/chains_and_creases.h"
#include "sinew/mesh/lattice_editing/change_cells.h"
#include "sinew/mesh/lattice_editing/collapse_edges.h"
#include "sinew/mesh/lattice_editing/merge_layers.h"
#include "sinew/mesh/lattice_editing/move_vertices.h"
#include "sinew/mesh/lattice_editing/split_edges.h"
#include "studio/server/cook/paint_layer.h"

namespace sinew::studio {
namespace {

// Bones whose ends are nearer to each other's mirror images than this share of their length are twins.
constexpr double twin_within = 0.1;
constexpr std::size_t most_steps = 500;  // that can be undone
constexpr double origin_share = 0.02;    // of the width: a middle this near to 0 means 0

using Edge = std::array<int, 2>;

// The vertices of a cell, ascending, without repeats.
std::vector<int> vertices_of_cell(const ControlLattice& lattice, int cell) {
  require_cell(lattice, cell);
  std::vector<int> vertices;
  for (int f = lattice.cell_start[index(cell)]; f < lattice.cell_start[index(cell) + 1]; ++f)
    for (const int v : lattice.face(index(f))) vertices.push_back(v);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

// An edit's operands, with the selection mirrored where that is asked for.
class Editor {
 public:
  Editor(const ControlLattice& lattice, const command::EditLattice& edit, const SimulationSurface& surface)
      : edit_(edit), surface_(surface), plane_(symmetry_plane(surface)), lattice_(lattice) {}

  ControlLattice edited() {
    if (edit_.action == "move")
      return moved_vertices(
          lattice_, {chosen_vertices(), edit_.by, edit_.falloff, edit_.mirror ? std::optional(plane_) : std::nullopt});
    if (edit_.action == "snap") return snapped();
    if (edit_.action == "free") return without_bones_at(lattice_, both(chosen_vertices()));
    if (edit_.action == "split") return split();
    if (edit_.action == "merge") return merged();
    if (edit_.action == "collapse") return collapsed();
    if (edit_.action == "add") return added();
    if (edit_.action == "fill") return filled();
    if (edit_.action == "delete") return delete_cells(lattice_, both_cells(chosen_cells())).lattice;
    if (edit_.action == "sharp") return sharpened();
    throw usage_error(
        "lattice: action is open, close, use, move, snap, free, split, merge, collapse, add, fill, delete or sharp.");
  }

 private:
  const std::vector<int>& chosen_vertices() const {
    if (edit_.vertices.empty()) throw usage_error("Choose vertices of the lattice first.");
    return edit_.vertices;
  }
  const std::vector<int>& chosen_cells() const {
    if (edit_.cells.empty()) throw usage_error("Choose cells of the lattice first.");
    return edit_.cells;
  }
  Edge chosen_edge() const {
    if (!edit_.edges.empty()) return {edit_.edges[0][0], edit_.edges[0][1]};
    if (!edit_.cells.empty()) return longest_edge_of_cell(lattice_, edit_.cells[0]);
    throw usage_error("Choose an edge or a cell of the lattice first.");
  }

  // Partners of vertices in the lattice as it was before the edit.
  std::vector<int> partners(const std::vector<int>& vertices) {
    if (partners_.empty()) partners_ = mirror_partners(lattice_, plane_);
    for (const int v : vertices) require_vertex(lattice_, v);
    return partners_of(partners_, vertices);
  }
  std::vector<int> both(std::vector<int> vertices) {
    if (!edit_.mirror) return vertices;
    for (const int v : partners(vertices))
      if (std::find(vertices.begin(), vertices.end(), v) == vertices.end()) vertices.push_back(v);
    return vertices;
  }
  // The mirror image of a list of vertices, in ascending order; empty where it is the list itself, or not wanted.
  std::vector<int> image_of(std::vector<int> vertices) {
    if (!edit_.mirror) return {};
    std::vector<int> image = partners(vertices);
    std::sort(image.begin(), image.end());
    std::sort(vertices.begin(), vertices.end());
    return image == vertices ? std::vector<int>() : image;
  }
  // The cells that have the mirror images of these cells' vertices, in the lattice after an edit, too.
  std::vector<int> image_cells(const std::vector<int>& cells, const LatticeEdit* after = nullptr) {
    std::map<std::vector<int>, int> numbers;
    const ControlLattice& lattice = after ? after->lattice : lattice_;
    for (std::size_t c = 0; c < lattice.cells(); ++c)
      numbers[vertices_of_cell(lattice, static_cast<int>(c))] = static_cast<int>(c);
    std::vector<int> images;
    for (const int cell : cells) {
      std::vector<int> image = image_of(vertices_of_cell(lattice_, cell));
      if (after)
        for (int& v : image) v = after->new_vertex[index(v)];
      std::sort(image.begin(), image.end());
      if (const auto found = numbers.find(image); found != numbers.end()) images.push_back(found->second);
    }
    return images;
  }
  std::vector<int> both_cells(std::vector<int> cells) {
    if (!edit_.mirror) return cells;
    const std::vector<int> images = image_cells(cells);
    cells.insert(cells.end(), images.begin(), images.end());
    return cells;
  }

  // Vertices keep their numbers when edges are split, so that the partner's edge is there, unless it was split too.
  ControlLattice split() {
    const Edge edge = chosen_edge();
    const std::vector<int> image = image_of({edge[0], edge[1]});
    ControlLattice result = split_edge(lattice_, edge).lattice;
    if (!image.empty() && cell_complex(sides_of(result)).edge_between(image[0], image[1]) >= 0)
      result = split_edge(result, {image[0], image[1]}).lattice;
    return result;
  }
  ControlLattice collapsed() {
    const Edge edge = chosen_edge();
    const std::vector<int> image = image_of({edge[0], edge[1]});
    const LatticeEdit first = collapse_edge(lattice_, edge);
    if (image.empty()) return first.lattice;
    const int a = first.new_vertex[index(image[0])], b = first.new_vertex[index(image[1])];
    const bool there = a >= 0 && b >= 0 && a != b && cell_complex(sides_of(first.lattice)).edge_between(a, b) >= 0;
    return there ? collapse_edge(first.lattice, {a, b}).lattice : first.lattice;
  }
  ControlLattice merged() {
    if (edit_.cells.size() != 2) throw usage_error("Choose two cells that share a face to merge them.");
    const LatticeEdit first = merge_cells(lattice_, edit_.cells[0], edit_.cells[1]);
    if (!edit_.mirror) return first.lattice;
    const std::vector<int> others = image_cells(edit_.cells, &first);
    return others.size() == 2 ? merge_cells(first.lattice, others[0], others[1]).lattice : first.lattice;
  }
  ControlLattice added() {
    if (edit_.faces.empty()) throw usage_error("Choose a free face of the lattice first.");
    std::vector<std::vector<int>> faces = edit_.faces;
    for (const std::vector<int>& face : edit_.faces)
      if (std::vector<int> image = image_of(face); !image.empty()) faces.push_back(std::move(image));
    const double height = edit_.height.value_or(mean_edge_length(lattice_, edit_.faces[0]));
    return add_cells(lattice_, faces, height, edit_.apex).lattice;
  }
  ControlLattice filled() {
    if (edit_.faces.size() != 2) throw usage_error("Choose two free faces to fill the space between them.");
    const std::vector<int> images[] = {image_of(edit_.faces[0]), image_of(edit_.faces[1])};
    ControlLattice result = add_cell_between(lattice_, edit_.faces[0], edit_.faces[1]).lattice;
    if (images[0].empty() || images[1].empty()) return result;
    return add_cell_between(result, images[0], images[1]).lattice;
  }
  ControlLattice sharpened() {
    std::vector<Edge> edges;
    for (const std::vector<int>& edge : edit_.edges) {
      edges.push_back({edge[0], edge[1]});
      if (const std::vector<int> image = image_of(edge); !image.empty()) edges.push_back({image[0], image[1]});
    }
    if (edges.empty() && edit_.vertices.empty()) throw usage_error("Choose edges or vertices of the lattice first.");
    return with_sharp_vertices(with_sharp_edges(lattice_, edges, edit_.on), both(edit_.vertices), edit_.on);
  }

  // The segment of the named bone that is nearest to the middle of the chosen vertices.
  BoneSegment segment() const {
    const auto bone = std::find_if(surface_.bones.begin(), surface_.bones.end(),
                                   [&](const Bone& each) { return each.name == edit_.bone; });
    if (bone == surface_.bones.end() || bone->segments.empty())
      throw usage_error("The character has no bone '" + edit_.bone + "'.");
    Vec3 middle;
    for (const int v : edit_.vertices) {
      require_vertex(lattice_, v);
      middle += lattice_.positions[index(v)] / static_cast<double>(edit_.vertices.size());
    }
    const auto far = [&](const BoneSegment& each) {
      const Vec3 along = each.tail - each.head;
      const double length2 = squared_norm(along);
      const double t = length2 > 0 ? std::clamp(dot(middle - each.head, along) / length2, 0.0, 1.0) : 0;
      return squared_norm(middle - (each.head + t * along));
    };
    return *std::min_element(bone->segments.begin(), bone->segments.end(),
                             [&](const BoneSegment& a, const BoneSegment& b) { return far(a) < far(b); });
  }
  ControlLattice snapped() {
    const std::vector<int>& vertices = chosen_vertices();
    const BoneSegment bone = segment();
    const ControlLattice one = snapped(lattice_, vertices, edit_.bone, bone);
    const std::vector<int> images = edit_.mirror ? partners(vertices) : std::vector<int>();
    const auto twin = images.empty() ? std::nullopt : mirrored_segment(bone);
    if (!twin || twin->first == edit_.bone) return one;
    for (const int image : images)
      if (std::find(vertices.begin(), vertices.end(), image) != vertices.end()) return one;
    return snapped(one, images, twin->first, twin->second);
  }
  ControlLattice snapped(const ControlLattice& lattice, const std::vector<int>& vertices, const std::string& name,
                         const BoneSegment& bone) const {
    if (edit_.how == "parallel") return made_parallel_to_segment(lattice, vertices, bone.head, bone.tail);
    const ControlLattice moved = snapped_to_segment(lattice, vertices, bone.head, bone.tail);
    if (edit_.how == "follow") return with_bone_chain(moved, name, vertices, bone.head, bone.tail);
    if (!edit_.how.empty() && edit_.how != "to") throw usage_error("lattice: how is to, parallel or follow.");
    return moved;
  }
  // The bone's segment that lies at the mirror image of this one, and the bone's name; none where no ends are near.
  std::optional<std::pair<std::string, BoneSegment>> mirrored_segment(const BoneSegment& segment) const {
    const Vec3 head = mirrored(segment.head, plane_), tail = mirrored(segment.tail, plane_);
    double least = twin_within * distance(segment.head, segment.tail);
    std::optional<std::pair<std::string, BoneSegment>> found;
    for (const Bone& bone : surface_.bones)
      for (const BoneSegment& each : bone.segments) {
        const double far = std::max(distance(each.head, head), distance(each.tail, tail));
        if (far <= least) least = far, found = {bone.name, each};
      }
    return found;
  }

  const command::EditLattice& edit_;
  const SimulationSurface& surface_;
  const SymmetryPlane plane_;
  const ControlLattice& lattice_;
  std::vector<int> partners_;
};

void go(LatticeBench& bench, std::vector<SharedLattice>& from, std::vector<SharedLattice>& to,
        std::vector<std::string>& from_acts, std::vector<std::string>& to_acts, const char* nothing) {
  if (from.empty()) throw usage_error(nothing);
  to.push_back(std::exchange(bench.now, from.back()));
  from.pop_back();
  to_acts.push_back(std::move(from_acts.back()));
  from_acts.pop_back();
  bench.last_edit.clear();
  ++bench.revision;
}

void add_step(LatticeBench& bench, const SharedLattice& base, const std::string& act) {
  bench.before.push_back(base);
  bench.acts.push_back(act);
  if (bench.before.size() <= most_steps) return;
  bench.before.erase(bench.before.begin());
  bench.acts.erase(bench.acts.begin());
}

PageJson three(const Vec3& v) { return {v.x, v.y, v.z}; }

std::string floats(const std::vector<Vec3>& points) {
  std::vector<float> numbers;
  numbers.reserve(3 * points.size());
  for (const Vec3& p : points)
    for (std::size_t k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(p[k]));
  return base64(numbers);
}

std::string words(const std::vector<int>& numbers) {
  return base64(std::vector<std::uint32_t>(numbers.begin(), numbers.end()));
}

}  // namespace

SymmetryPlane symmetry_plane(const SimulationSurface& surface) {
  const Box box = bounds(surface.rest.positions);
  const double middle = 0.5 * (box.lower.x + box.upper.x), width = box.upper.x - box.lower.x;
  return {0, std::abs(middle) <= origin_share * width ? 0 : middle};
}

std::filesystem::path kept_lattice_path(const std::filesystem::path& character) {
  std::filesystem::path path = character;
  return path.replace_extension(".studio.lattice.json");
}

void edit(LatticeBench& bench, const command::EditLattice& edit, std::uint64_t page) {
  const std::string kind =
      edit.stroke == 0 ? "" : edit.action + " " + std::to_string(page) + " " + std::to_string(edit.stroke);
  const bool continues = !kind.empty() && kind == bench.last_edit;
  const SharedLattice base = continues ? bench.before.back() : bench.now;
  bench.now = std::make_shared<const ControlLattice>(Editor(*base, edit, *bench.surface).edited());
  ++bench.revision;
  bench.after.clear();
  bench.acts_after.clear();
  bench.last_edit = kind;
  if (!continues) add_step(bench, base, edit.action);
}

void begin_anew(LatticeBench& bench, const LatticeBench& other) {
  add_step(bench, bench.now, "begin");
  bench.now = other.now;
  if (other.used) bench.used = other.used, bench.used_setting = other.used_setting;
  bench.notes = other.notes;
  bench.after.clear();
  bench.acts_after.clear();
  bench.last_edit.clear();
  bench.open = true;
  ++bench.revision;
}

void undo(LatticeBench& bench) {
  go(bench, bench.before, bench.after, bench.acts, bench.acts_after,
     "There is nothing more to undo in the lattice; close it to undo what was before.");
}
void redo(LatticeBench& bench) {
  go(bench, bench.after, bench.before, bench.acts_after, bench.acts, "There is nothing to do again in the lattice.");
}

PageJson lattice_state(const LatticeBench& bench, bool used) {
  const std::vector<int> partners = mirror_partners(*bench.now, symmetry_plane(*bench.surface));
  return {{"revision", bench.revision},
          {"cells", bench.now->cells()},
          {"vertices", bench.now->positions.size()},
          {"mirrored", partners.size() - index(static_cast<int>(std::count(partners.begin(), partners.end(), -1)))},
          {"bones", bench.now->bones.size()},
          {"used", used},
          {"undo", bench.before.size()},
          {"redo", bench.after.size()},
          {"what", bench.acts.empty() ? "" : bench.acts.back()},
          {"notes", bench.notes}};
}

PageJson lattice_cells(const LatticeBench& bench) {
  const ControlLattice& lattice = *bench.now;
  PageJson bones = PageJson::array();
  for (const LatticeBone& bone : lattice.bones) bones.push_back({{"name", bone.name}, {"vertices", bone.vertices}});
  return {{"revision", bench.revision},
          {"positions", floats(lattice.positions)},
          {"cell_start", words(lattice.cell_start)},
          {"face_start", words(lattice.face_start)},
          {"corners", words(lattice.corner)},
          {"bones", bones},
          {"sharp_edges", lattice.sharp_edges},
          {"sharp_vertices", lattice.sharp_vertices}};
}

PageJson lattice_problems_json(const LatticeProblems& problems) {
  constexpr const char* kinds[] = {"folded", "itself", "overlap", "hinge", "outside"};
  PageJson list = PageJson::array();
  for (const LatticeProblem& problem : problems.problems)
    list.push_back({{"kind", kinds[static_cast<std::size_t>(problem.kind)]},
                    {"text", problem.text},
                    {"cells", problem.cells},
                    {"vertices", problem.vertices},
                    {"place", three(problem.place)},
                    {"prevents_use", problem.prevents_use}});
  return {
      {"problems", list}, {"count", problems.count}, {"one_to_one", problems.one_to_one}, {"usable", problems.usable}};
}

PageJson lattice_skin(const SimulationSurface& surface) {
  std::vector<int> corners;
  for (const Triangle& t : surface.rest.triangles) corners.insert(corners.end(), t.begin(), t.end());
  PageJson bones = PageJson::array();
  for (const Bone& bone : surface.bones) {
    PageJson segments = PageJson::array();
    for (const BoneSegment& segment : bone.segments)
      segments.push_back(
          {segment.head.x, segment.head.y, segment.head.z, segment.tail.x, segment.tail.y, segment.tail.z});
    bones.push_back({{"name", bone.name}, {"segments", segments}});
  }
  return {{"positions", floats(surface.rest.positions)},
          {"triangles", words(corners)},
          {"bones", bones},
          {"plane", symmetry_plane(surface).at}};
}

}  // namespace sinew::studio
