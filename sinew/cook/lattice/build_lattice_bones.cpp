#include "sinew/cook/lattice/build_lattice_bones.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/index.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr std::size_t names_shown = 12;

double distance_to(const BoneSegment& segment, const Vec3& p) {
  const Vec3 along = segment.tail - segment.head;
  const double length = squared_norm(along);
  const double s = length > 0 ? std::clamp(dot(p - segment.head, along) / length, 0.0, 1.0) : 0;
  return distance(p, segment.head + s * along);
}

double distance_to(const Bone& bone, const Vec3& p) {
  double nearest = HUGE_VAL;
  for (const BoneSegment& segment : bone.segments) nearest = std::min(nearest, distance_to(segment, p));
  return nearest;
}

Vec3 middle_of(const TetrahedralComplex& complex, int tetrahedron) {
  const std::array<Vec3, 4> p = complex.corners(tetrahedron);
  return 0.25 * (p[0] + p[1] + p[2] + p[3]);
}

// Tetrahedra of each part without a chain. Parts are connected by vertices.
std::vector<std::vector<int>> boneless_parts(const TetrahedralComplex& complex) {
  DisjointSets sets(complex.positions.size());
  for (const Tetrahedron& t : complex.tetrahedra)
    if (t[0] >= 0)
      for (std::size_t k = 1; k < 4; ++k) sets.unite(t[0], t[k]);
  std::vector<char> has_chain(complex.positions.size(), 0);
  for (const std::vector<int>& chain : complex.chains)
    for (int v : chain) has_chain[index(sets.find(v))] = 1;
  std::vector<int> part(complex.positions.size(), -1);
  std::vector<std::vector<int>> parts;
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t) {
    if (!complex.is_alive(static_cast<int>(t))) continue;
    const std::size_t root = index(sets.find(complex.tetrahedra[t][0]));
    if (has_chain[root]) continue;
    if (part[root] < 0) {
      part[root] = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    parts[index(part[root])].push_back(static_cast<int>(t));
  }
  return parts;
}

// The bone with most of the part's skin weights; without weights, the nearest one.
int bone_of_part(const TetrahedralComplex& complex, std::span<const Bone> bones, std::span<const Influences> influences,
                 const std::vector<int>& part) {
  std::vector<double> share(bones.size(), 0.0);
  for (int t : part) {
    const std::array<Vec3, 4> p = complex.corners(t);
    const double size = volume(p[0], p[1], p[2], p[3]);
    for (std::size_t b = 0; b < bones.size(); ++b)
      share[b] += influences.empty() ? -size * distance_to(bones[b], middle_of(complex, t))
                                     : size * bone_affinity(complex, influences, static_cast<int>(b), t);
  }
  return static_cast<int>(std::max_element(share.begin(), share.end()) - share.begin());
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), names_shown); ++i) list += (i > 0 ? ", '" : "'") + names[i] + "'";
  if (names.size() > names_shown) list += " and " + std::to_string(names.size() - names_shown) + " more";
  return list;
}

}  // namespace

std::vector<ChainSegment> bone_segments(std::span<const Bone> bones) {
  std::vector<std::size_t> generation(bones.size(), 0);
  std::vector<int> order(bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (int p = bones[b].parent; p >= 0 && generation[b] < bones.size(); p = bones[index(p)].parent) ++generation[b];
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return generation[index(a)] < generation[index(b)]; });
  std::vector<ChainSegment> segments;
  for (int b : order) {
    const Bone& bone = bones[index(b)];
    if (bone.helper) continue;
    std::vector<BoneSegment> longest_first = bone.segments;
    std::stable_sort(longest_first.begin(), longest_first.end(), [](const BoneSegment& x, const BoneSegment& y) {
      return coarse(distance(x.head, x.tail)) > coarse(distance(y.head, y.tail));
    });
    for (const BoneSegment& s : longest_first) segments.push_back({s.head, s.tail, b, bone.parent});
  }
  return segments;
}

double bone_affinity(const TetrahedralComplex& complex, std::span<const Influences> influences, int bone,
                     int tetrahedron) {
  if (influences.empty()) return 0;
  double sum = 0;
  for (int v : complex.tetrahedra[index(tetrahedron)]) {
    const Influences& list = influences[index(complex.like[index(v)])];
    for (std::size_t k = 0; k < index(list.count); ++k)
      if (list.joint[k] == bone) sum += 0.25 * list.weight[k];
  }
  return sum;
}

std::vector<FollowedBone> hold_boneless_parts(TetrahedralComplex& complex, std::span<const Bone> bones,
                                              std::span<const Influences> influences, std::vector<std::string>& notes) {
  std::vector<FollowedBone> chains;
  std::vector<std::string> holders;
  for (const std::vector<int>& part : boneless_parts(complex)) {
    const int bone = bone_of_part(complex, bones, influences, part);
    int nearest = part.front();
    double least = HUGE_VAL;
    for (int t : part) {
      const double d = distance_to(bones[index(bone)], middle_of(complex, t));
      if (d >= least) continue;
      least = d;
      nearest = t;
    }
    const Tetrahedron corners = complex.tetrahedra[index(nearest)];
    add_chain(complex, {corners.begin(), corners.end()});
    chains.push_back({bone, static_cast<int>(complex.chains.size()) - 1});
    const std::string& name = bones[index(bone)].name;
    if (std::find(holders.begin(), holders.end(), name) == holders.end()) holders.push_back(name);
  }
  if (!chains.empty())
    notes.push_back(std::to_string(chains.size()) + (chains.size() == 1 ? " part" : " parts") +
                    " of the body without a bone inside: one cell of each is held by the bone that moves it (" +
                    listed(holders) + ").");
  return chains;
}

std::vector<std::string> bone_notes(std::span<const Bone> bones, std::span<const ChainSegment> segments,
                                    std::span<const InsertedSegment> inserted) {
  // The best result among each bone's segments.
  enum Kind { helper, outside, doubled, point, inside, followed };
  std::vector<Kind> kind(bones.size(), helper);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const ChainOutcome outcome = inserted[s].outcome;
    const Kind found = outcome == ChainOutcome::followed  ? followed
                       : outcome == ChainOutcome::inside  ? inside
                       : outcome == ChainOutcome::point   ? point
                       : outcome == ChainOutcome::doubled ? doubled
                                                          : outside;
    Kind& best = kind[index(segments[s].owner)];
    best = std::max(best, found);
  }
  const auto note = [&](Kind wanted, const std::string& sentence, std::vector<std::string>& notes) {
    std::vector<std::string> names;
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (kind[b] == wanted) names.push_back(bones[b].name);
    if (!names.empty()) notes.push_back(sentence + ": " + listed(names) + ".");
  };
  std::vector<std::string> notes;
  note(helper, "Bones that only help to move flesh have no edges of the lattice", notes);
  note(outside, "Bones outside the body are left out of the lattice", notes);
  note(doubled, "Bones that run along others have no edges of their own", notes);
  note(point, "Bones too short for an edge are single vertices", notes);
  note(inside, "Bones that leave the body are followed inside it", notes);
  return notes;
}

}  // namespace sinew
