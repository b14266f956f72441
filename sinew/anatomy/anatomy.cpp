#include "sinew/anatomy/anatomy.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/anatomy/bone_regions.h"
#include "sinew/anatomy/heads.h"
#include "sinew/anatomy/mirror_sides.h"
#include "sinew/anatomy/part_names.h"
#include "sinew/anatomy/surface_pieces.h"
#include "sinew/anatomy/surface_shells.h"
#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// A head, hand or hoof is compact: limits of its length to its width, and of its width to its thickness.
constexpr double longest_skull = 1.8, flattest_skull = 2.6;
// Limits of its area relative to the skin: by itself, together with everything below it, and at least. For characters
// with more than a few bones.
constexpr double most_skin = 0.5, most_skin_of_branch = 0.65, least_skin = 2e-3;
constexpr int fewest_bones = 4;
constexpr double counts_as_bone = 0.01;  // fraction of the skin
// Least firmness: its skin follows it rather than its neighbours.
constexpr double least_firmness = 0.6;
// Largest fraction of its skin on bones below it. A head, which has no twin, may carry more: ears in pairs, and a jaw.
constexpr double most_below = 0.15, most_below_a_head = 0.6;
// A head with ears that are thin shells may carry more, up to this fraction of the animal.
constexpr double most_of_an_eared_head = 0.4;
// A head may also carry one pair of chains (ears of many bones), each at most this fraction of it, and similar in area.
constexpr double most_of_an_ear = 0.5, alike_ears = 1.4;
// The head of a fish: a chain of at least this many links begins behind it.
constexpr int fish_links = 3;
constexpr double larger_front = 1.6;

// Largest size of a rigid part relative to the character's longest side, unless most of the character consists of
// pieces on single bones: then all of them are rigid.
constexpr double largest_rigid_part = 0.4;
constexpr double mostly_pieces = 0.6, mostly_plates = 0.8;
constexpr int fewest_plates = 4;
// A hand is at most this flat; two shells of a pair differ in area by at most this factor.
constexpr double flatter_than_hand = 5, alike = 1.3;
// A criterion that is met or missed by less than this factor is undecided: then names decide.
constexpr double undecided = 1.25;
// Mean weight from which a piece counts as being nearly on one bone.
constexpr double nearly_one_bone = 0.9;
// Pieces of a bone are one part if their boxes are this near, relative to the smaller one.
constexpr double near_share = 0.05;

std::string percent(double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + " %"; }

// Factor by which a region is within the limits of a skull; below 1 it is outside.
double skull_margin(const BoneRegion& region, double skin) {
  if (region.area <= 0) return 0;
  return std::min({region.area / (least_skin * skin), most_skin * skin / region.area, region.firmness / least_firmness,
                   longest_skull * region.spread.y / std::max(region.spread.x, 1e-300),
                   flattest_skull * region.spread.z / std::max(region.spread.y, 1e-300)});
}

// True if almost nothing is carried by bones below this one or, for a bone without a twin, no more than a head carries.
bool is_end(const BoneRegions& regions, std::size_t b) {
  const BoneRegion& region = regions.bones[b];
  const double below = region.branch_area - region.area;
  if (below <= most_below * region.area) return true;
  if (region.twin >= 0 || below > most_below_a_head * region.area) return false;
  return std::all_of(regions.children[b].begin(), regions.children[b].end(), [&](int child) {
    const BoneRegion& hanging = regions.bones[index(child)];
    return hanging.twin >= 0 || hanging.branch_depth == 0 || hanging.branch_area <= most_below * region.area;
  });
}

// Number of links of the longest chain that begins with this bone and whose bones carry at least `least` square metres
// of skin.
int longest_chain(const BoneRegions& regions, std::size_t b, double least) {
  int below = 0;
  for (const int child : regions.children[b]) below = std::max(below, longest_chain(regions, index(child), least));
  return below + (regions.bones[b].area >= least ? 1 : 0);
}

// True if a chain begins at the bone, away from most of its own skin, or if its own skin is foremost: like the spine of
// a fish, behind its head or along it.
bool is_front(const SimulationSurface& surface, const BoneRegions& regions, std::size_t b) {
  int links = 0;
  std::size_t next = b;
  const double least = counts_as_bone * regions.area;  // so that hair and whiskers are not links
  for (const int child : regions.children[b])
    if (regions.bones[index(child)].branch_area > most_below * regions.bones[b].area) {
      ++links;
      next = index(child);
    }
  if (links != 1 || longest_chain(regions, next, least) < fish_links) return false;
  for (int up = surface.bones[b].parent; up >= 0; up = surface.bones[index(up)].parent)
    if (regions.bones[index(up)].area > 0) return false;
  const Vec3 joint = inverse(surface.bones[b].rest_to_joint).translation;
  const Vec3 ahead = regions.bones[b].centre - regions.bones[next].centre;
  if (dot(regions.bones[b].centre - joint, regions.bones[next].centre - joint) < 0) return true;
  double own = -HUGE_VAL, others = -HUGE_VAL;
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) {
    if (surface.influences[v].count == 0) continue;
    double& far = index(surface.influences[v].joint[0]) == b ? own : others;
    far = std::max(far, dot(surface.rest.positions[v], ahead));
  }
  if (own <= others) return false;
  // Pairs behind it would make it hips; if it is not larger than the mean link there, it may be a tail.
  for (std::size_t c = 0; c < regions.bones.size(); ++c) {
    if (regions.bones[c].twin < 0 || regions.bones[c].area <= 0) continue;
    for (int up = surface.bones[c].parent; up >= 0; up = surface.bones[index(up)].parent)
      if (index(up) == next) return false;
  }
  return regions.bones[b].area > larger_front * regions.bones[next].branch_area / longest_chain(regions, next, least);
}

// True if a pair of ears is attached to the bone: twins that are mostly thin shells. `thin`: per bone, area of shells
// on its branch, square metres.
bool bears_ears(const BoneRegions& regions, const std::vector<double>& thin, std::size_t b) {
  bool ears = false;
  for (const int child : regions.children[b]) {
    const BoneRegion& hanging = regions.bones[index(child)];
    const bool shell = thin[index(child)] > 0.5 * hanging.branch_area;
    if (hanging.twin < 0 || hanging.branch_area <= most_below * regions.bones[b].area) continue;
    if (!shell) return false;  // arms, legs
    const std::vector<int>& beside = regions.children[b];
    ears |= std::find(beside.begin(), beside.end(), hanging.twin) != beside.end();
  }
  return ears;
}

// True if one pair of chains is attached to the bone, besides negligible ones: children of equal depth and similar
// total area. The criterion is weaker than that of twins, since a chain shares skin with the bone where it begins.
bool bears_a_pair(const BoneRegions& regions, std::size_t b) {
  std::vector<const BoneRegion*> large;
  for (const int child : regions.children[b])
    if (regions.bones[index(child)].branch_area > most_below * regions.bones[b].area)
      large.push_back(&regions.bones[index(child)]);
  if (large.size() != 2 || large[0]->branch_depth != large[1]->branch_depth) return false;
  const auto [less, more] = std::minmax(large[0]->branch_area, large[1]->branch_area);
  return more <= alike_ears * less && more <= most_of_an_ear * regions.bones[b].area;
}

std::vector<double> thin_of_branches(const SimulationSurface& surface, const std::vector<SurfaceShell>& shells) {
  const std::vector<double> areas = vertex_areas(surface.rest);
  std::vector<double> thin(surface.bones.size(), 0.0);
  for (const SurfaceShell& shell : shells)
    for (const int v : shell.vertices)
      if (surface.influences[index(v)].count > 0)
        for (int b = surface.influences[index(v)].joint[0]; b >= 0; b = surface.bones[index(b)].parent)
          thin[index(b)] += areas[index(v)];
  return thin;
}

BoneAnatomy tissue_of(const SimulationSurface& surface, const BoneRegions& regions, const std::vector<double>& thin,
                      std::size_t b, Names names) {
  const BoneRegion& region = regions.bones[b];
  if (surface.bones[b].helper) return {};
  double margin = skull_margin(region, regions.area);
  if (margin * undecided < 1) return {};
  const char* place = "the end of a chain";
  if (is_front(surface, regions, b)) {
    place = "a chain of bones begins behind it";
  } else if (region.twin < 0 && region.branch_area < most_of_an_eared_head * regions.area &&
             bears_ears(regions, thin, b)) {
    place = "a pair of ears hangs on it";
  } else {
    margin = std::min(margin, most_skin_of_branch * regions.area / region.branch_area);
    if (!is_end(regions, b)) {
      if (region.twin >= 0 || surface.bones[b].parent < 0 || !bears_a_pair(regions, b)) return {};
      place = "the end of a chain but for a pair of others";
    }
    if (region.twin >= 0) place = "the end of a chain, one of a pair";
  }
  const NamedAs named = names == Names::used ? named_as(surface.bones[b].name) : NamedAs::nothing;
  const bool bony = named == NamedAs::bony || named == NamedAs::hard,
             other = named == NamedAs::soft || named == NamedAs::thin;
  const std::string because = percent(region.area / regions.area) + " of the skin, compact; " + place;
  if (margin >= 1 && !(other && margin < undecided)) return {Tissue::skull, because};
  if (margin < 1 && margin * undecided >= 1 && bony)
    return {Tissue::skull, because + "; undecided by a little, its name tips it"};
  return {};
}

bool near(const SurfacePiece& a, const SurfacePiece& b) {
  const double margin = near_share * std::min(a.extent(), b.extent());
  const Vec3 apart = max(a.low - b.high, b.low - a.high);
  return std::max({apart.x, apart.y, apart.z}) <= margin;
}

// The meaning of a piece's name: that of the part of the file to which its first vertex belongs.
NamedAs name_of_piece(const SimulationSurface& surface, const std::vector<int>& part_of, const SurfacePiece& piece) {
  const int part = part_of[index(piece.vertices.front())];
  return part >= 0 ? named_as(surface.part_names[index(part)]) : NamedAs::nothing;
}

// The bone that carries nearly all of a piece, or -1.
int nearly_bone(const SimulationSurface& surface, const SurfacePiece& piece) {
  const Influences& first = surface.influences[index(piece.vertices.front())];
  if (first.count == 0) return -1;
  double sum = 0;
  for (const int v : piece.vertices) {
    const Influences& on = surface.influences[index(v)];
    for (std::size_t k = 0; k < index(on.count); ++k)
      if (on.joint[k] == first.joint[0]) sum += on.weight[k];
  }
  return sum >= nearly_one_bone * static_cast<double>(piece.vertices.size()) ? first.joint[0] : -1;
}

// Assigns pieces to a single bone that weights and size leave undecided and whose names say that they are hard.
std::vector<char> tip_pieces(const SimulationSurface& surface, double size, SurfacePieces& pieces) {
  std::vector<char> tipped(pieces.pieces.size(), 0);
  if (surface.part_names.empty()) return tipped;
  std::vector<int> part_of(surface.rest.positions.size(), -1);
  for (std::size_t k = 0; k < surface.vertex_of.size() && k < surface.part_names.size(); ++k)
    for (const int v : surface.vertex_of[k]) part_of[index(v)] = static_cast<int>(k);
  for (std::size_t p = 0; p < tipped.size(); ++p) {
    SurfacePiece& piece = pieces.pieces[p];
    if (piece.bone >= 0 ? piece.extent() <= largest_rigid_part * size : piece.extent() > largest_rigid_part * size)
      continue;
    if (piece.extent() > undecided * largest_rigid_part * size ||
        name_of_piece(surface, part_of, piece) != NamedAs::hard)
      continue;
    if (piece.bone < 0) piece.bone = nearly_bone(surface, piece);
    tipped[p] = piece.bone >= 0;
  }
  return tipped;
}

struct FoundRigidParts {
  std::vector<RigidPart> rigid;
  int plates = 0;  // number of bones that carry the plates of a machine; 0 if it is not one
};

// The plates of a machine: everything that a bone carries alone, in pieces that are mostly carried that way, even if
// parts between them bend.
std::vector<RigidPart> plates_of_bones(const SimulationSurface& surface, const SurfacePieces& pieces) {
  std::vector<int> alone(pieces.pieces.size(), 0), part_of_bone(surface.bones.size(), -1);
  for (std::size_t p = 0; p < alone.size(); ++p)
    for (const int v : pieces.pieces[p].vertices) alone[p] += only_bone(surface.influences[index(v)]) >= 0;
  const std::string because("of a character made of plates");
  std::vector<RigidPart> parts;
  for (std::size_t p = 0; p < alone.size(); ++p) {
    const std::vector<int>& vertices = pieces.pieces[p].vertices;
    if (alone[p] < mostly_plates * static_cast<double>(vertices.size())) continue;
    for (const int v : vertices) {
      const int bone = only_bone(surface.influences[index(v)]);
      if (bone < 0) continue;
      int& part = part_of_bone[index(bone)];
      if (part < 0) {
        part = static_cast<int>(parts.size());
        parts.push_back({bone, {}, because});
      }
      parts[index(part)].vertices.push_back(v);
    }
  }
  for (RigidPart& part : parts) std::sort(part.vertices.begin(), part.vertices.end());
  return parts;
}

FoundRigidParts unpainted_rigid_parts(const SimulationSurface& surface, SurfacePieces& pieces, double size,
                                      Names names) {
  double alone = 0, all = 0;
  std::vector<int> bones;
  for (const SurfacePiece& piece : pieces.pieces) {
    const auto count = static_cast<double>(piece.vertices.size());
    all += count;
    if (piece.bone < 0) continue;
    alone += count;
    bones.push_back(piece.bone);
  }
  std::sort(bones.begin(), bones.end());
  const auto plates = std::unique(bones.begin(), bones.end()) - bones.begin();
  const bool machine = alone > mostly_pieces * all && plates >= fewest_plates;
  if (machine) return {plates_of_bones(surface, pieces), static_cast<int>(plates)};
  std::vector<char> tipped(pieces.pieces.size(), 0);
  if (names == Names::used) tipped = tip_pieces(surface, size, pieces);

  std::vector<int> rigid;
  for (std::size_t p = 0; p < pieces.pieces.size(); ++p)
    if (pieces.pieces[p].bone >= 0 && (tipped[p] || pieces.pieces[p].extent() <= largest_rigid_part * size))
      rigid.push_back(static_cast<int>(p));
  const auto piece = [&](std::size_t k) -> const SurfacePiece& {
    return pieces.pieces[static_cast<std::size_t>(rigid[k])];
  };
  DisjointSets sets(rigid.size());
  for (std::size_t a = 0; a < rigid.size(); ++a)
    for (std::size_t b = a + 1; b < rigid.size(); ++b)
      if (piece(a).bone == piece(b).bone && near(piece(a), piece(b)))
        sets.unite(static_cast<int>(a), static_cast<int>(b));

  const std::string on_one_bone("a piece by itself, on one bone"),
      by_name("nearly a piece on one bone; its name tips it");
  std::vector<RigidPart> parts;
  std::vector<int> part_index(rigid.size(), -1);
  for (std::size_t k = 0; k < rigid.size(); ++k) {
    int& part = part_index[static_cast<std::size_t>(sets.find(static_cast<int>(k)))];
    if (part < 0) {
      part = static_cast<int>(parts.size());
      parts.push_back({piece(k).bone, {}, tipped[index(rigid[k])] ? by_name : on_one_bone});
    }
    std::vector<int>& vertices = parts[static_cast<std::size_t>(part)].vertices;
    vertices.insert(vertices.end(), piece(k).vertices.begin(), piece(k).vertices.end());
  }
  for (RigidPart& part : parts) std::sort(part.vertices.begin(), part.vertices.end());
  return {std::move(parts), 0};
}

std::string millimetres(double metres) {
  const double value = 1000 * metres;
  return value < 10
             ? std::to_string(static_cast<int>(value)) + "." + std::to_string(static_cast<int>(10 * value) % 10) + " mm"
             : std::to_string(std::lround(value)) + " mm";
}

// A shell on a skull must be one of a pair of ears, not a lip; the end of a limb is a hand, unless it is flatter than
// one.
bool stands_out(const SimulationSurface& surface, const BoneRegions& regions, const Anatomy& anatomy,
                const std::vector<SurfaceShell>& all, const SurfaceShell& shell, Names names) {
  const std::size_t bone = index(shell.bone);
  if (names == Names::used && named_as(surface.bones[bone].name) == NamedAs::bony && regions.bones[bone].twin >= 0)
    return false;
  if (anatomy.bones[bone].tissue != Tissue::skull) return true;
  bool on_head = regions.bones[bone].twin < 0;
  for (int up = surface.bones[bone].parent; up >= 0; up = surface.bones[index(up)].parent)
    on_head |= anatomy.bones[index(up)].tissue == Tissue::skull && regions.bones[index(up)].twin < 0;
  if (!on_head) return shell.thickness == 0 || shell.flatness >= flatter_than_hand;
  return std::any_of(all.begin(), all.end(), [&](const SurfaceShell& other) {
    return &other != &shell && other.area < alike * shell.area && shell.area < alike * other.area;
  });
}

// Thin parts of the surface that do not belong to rigid parts.
std::vector<SurfaceShell> thin_places(const SimulationSurface& surface, const BoneRegions& regions,
                                      const SurfacePieces& pieces, const std::vector<RigidPart>& rigid) {
  std::vector<char> left_out(surface.rest.positions.size(), 0);
  for (const RigidPart& part : rigid)
    for (const int v : part.vertices) left_out[index(v)] = 1;
  std::vector<char> trunk;
  for (const Side side : sides_of(regions, longest_side(surface))) trunk.push_back(side == Side::middle);
  return surface_shells(surface, pieces, std::move(left_out), trunk);
}

std::vector<ThinShell> thin_shells_of(const SimulationSurface& surface, const BoneRegions& regions,
                                      std::vector<SurfaceShell> all, const Anatomy& anatomy, Names names) {
  std::vector<ThinShell> shells;
  std::erase_if(all, [&, before = all](const SurfaceShell& shell) {
    const auto k =
        std::find_if(before.begin(), before.end(), [&](const SurfaceShell& b) { return b.vertices == shell.vertices; });
    return !stands_out(surface, regions, anatomy, before, *k, names);
  });
  for (SurfaceShell& found : all) {
    ThinShell shell{found.bone, std::move(found.vertices), std::move(found.out), found.longest, found.thickness, {}};
    for (double& out : shell.out) out /= found.longest;
    shell.because = found.thickness > 0 ? millimetres(found.thickness) + " thick, at least " +
                                              std::to_string(static_cast<int>(found.flatness)) + " times as wide"
                                        : std::string("one layer, open");
    shells.push_back(std::move(shell));
  }
  return shells;
}

// Painted rigid vertices, by connected patches. They take precedence over parts that they touch.
void add_painted(const SimulationSurface& surface, std::vector<RigidPart>& parts) {
  std::vector<char> painted;
  for (const double value : surface.fields[field("rigid")]) painted.push_back(value > 0.5);
  if (std::find(painted.begin(), painted.end(), 1) == painted.end()) return;
  for (RigidPart& part : parts)
    std::erase_if(part.vertices, [&](int v) { return painted[static_cast<std::size_t>(v)] != 0; });
  DisjointSets sets(painted.size());
  for (const Triangle& triangle : surface.rest.triangles)
    for (const int v : triangle)
      if (painted[static_cast<std::size_t>(v)] && painted[static_cast<std::size_t>(triangle[0])])
        sets.unite(triangle[0], v);
  std::vector<int> part_index(painted.size(), -1);
  for (std::size_t v = 0; v < painted.size(); ++v) {
    if (!painted[v]) continue;
    int& part = part_index[static_cast<std::size_t>(sets.find(static_cast<int>(v)))];
    if (part < 0) {
      part = static_cast<int>(parts.size());
      parts.push_back({surface.influences[v].count > 0 ? surface.influences[v].joint[0] : 0, {}, "painted"});
    }
    parts[static_cast<std::size_t>(part)].vertices.push_back(static_cast<int>(v));
  }
}

// Several bones may have the same name: entries then apply to them in order. A single entry applies to all of them.
void override_bones(const AnatomyOverrides& overrides, const SimulationSurface& surface, Anatomy& anatomy) {
  std::map<std::string, std::vector<std::size_t>> bones;
  std::map<std::string, std::vector<Tissue>> asked;
  for (std::size_t b = 0; b < surface.bones.size(); ++b) bones[surface.bones[b].name].push_back(b);
  for (const AnatomyOverrides::OfBone& of : overrides.bones) asked[of.bone].push_back(of.tissue);
  for (const auto& [name, tissues] : asked) {
    const std::vector<std::size_t>& called = bones[name];
    if (called.empty())
      throw input_error(overrides.file + ": the skin has no bone '" + name +
                        "'; write the anatomy anew with `sinew anatomy`.");
    if (tissues.size() > called.size())
      throw input_error(overrides.file + ": says " + std::to_string(tissues.size()) + " times what bone '" + name +
                        "' is; leave one of them.");
    for (std::size_t k = 0; k < called.size(); ++k) {
      const Tissue tissue = tissues[std::min(k, tissues.size() - 1)];
      if (BoneAnatomy& bone = anatomy.bones[called[k]]; bone.tissue != tissue) bone = {tissue, "said so"};
    }
  }
  std::vector<char> carries(surface.bones.size(), 0);
  for (const Influences& influences : surface.influences)
    for (int k = 0; k < influences.count; ++k)
      carries[static_cast<std::size_t>(influences.joint[static_cast<std::size_t>(k)])] = 1;
  for (std::size_t b = 0; b < surface.bones.size() && !asked.empty(); ++b)
    if (carries[b] && !asked.contains(surface.bones[b].name)) anatomy.unlisted_bones.push_back(surface.bones[b].name);
}

void apply_overrides(const AnatomyOverrides& overrides, const SimulationSurface& surface, Anatomy& anatomy) {
  override_bones(overrides, surface, anatomy);
  const auto override_parts = [&](const std::vector<AnatomyOverrides::OfPart>& asked, auto& found, Tissue usual,
                                  const char* what) {
    if (asked.empty()) return;
    bool same = asked.size() == found.size();
    for (std::size_t k = 0; same && k < asked.size(); ++k) same = asked[k].vertices == found[k].vertices.size();
    if (!same)
      throw input_error(overrides.file + ": its " + what +
                        " are not those of this character; write the anatomy anew with `sinew anatomy`.");
    for (std::size_t k = 0; k < asked.size(); ++k)
      if (asked[k].tissue != usual) found[k].vertices.clear();
  };
  override_parts(overrides.shells, anatomy.shells, Tissue::shell, "sheets");
  override_parts(overrides.rigid_parts, anatomy.rigid, Tissue::rigid, "rigid things");
}

// True for characters whose heads are at an end of the spine and have bones of their own for what they carry.
bool stands_on_a_spine(BodyPlan plan) {
  return plan == BodyPlan::biped || plan == BodyPlan::quadruped || plan == BodyPlan::other;
}

// A bone whose skin is connected with a head's becomes a part of the head, whatever else it may look like.
void add_heads(const SimulationSurface& surface, const BoneRegions& regions, const SurfacePieces& pieces,
               Anatomy& anatomy) {
  std::vector<double> compact;
  for (const BoneRegion& region : regions.bones) compact.push_back(skull_margin(region, regions.area));
  std::vector<char> skull;
  for (const BoneAnatomy& bone : anatomy.bones) skull.push_back(bone.tissue == Tissue::skull);
  for (const HeadFound& head : find_heads(surface, regions, pieces, anatomy.rigid, compact, skull)) {
    BoneAnatomy& bone = anatomy.bones[index(head.bone)];
    if (bone.tissue == Tissue::skull) continue;
    bone = {Tissue::skull,
            percent(regions.bones[index(head.bone)].area / regions.area) + " of the skin, compact; " + head.because};
    for (const int below : head.of_it)
      if (!surface.bones[index(below)].helper && anatomy.bones[index(below)].tissue != Tissue::skull)
        anatomy.bones[index(below)] = {Tissue::skull, "of one piece with " + surface.bones[index(head.bone)].name};
  }
}

}  // namespace

Anatomy find_anatomy(const SimulationSurface& surface, const AnatomyOverrides& overrides, Names names) {
  Anatomy anatomy;
  const BoneRegions regions = bone_regions(surface);
  anatomy.bones.resize(surface.bones.size());
  SurfacePieces pieces = surface_pieces(surface);
  FoundRigidParts parts = unpainted_rigid_parts(surface, pieces, longest_side(surface), names);
  anatomy.rigid = std::move(parts.rigid);
  anatomy.body_plan = find_body_plan(surface, regions, parts.plates);
  if (parts.plates > 0) names = Names::ignored;  // plates leave nothing undecided
  std::vector<SurfaceShell> shells;
  if (parts.plates == 0) shells = thin_places(surface, regions, pieces, anatomy.rigid);
  const std::vector<double> thin = thin_of_branches(surface, shells);
  const auto bones = std::count_if(regions.bones.begin(), regions.bones.end(), [&](const BoneRegion& region) {
    return region.area > counts_as_bone * regions.area;
  });
  for (std::size_t b = 0; b < surface.bones.size() && bones >= fewest_bones; ++b)
    anatomy.bones[b] = tissue_of(surface, regions, thin, b, names);
  if (bones >= fewest_bones && stands_on_a_spine(anatomy.body_plan.plan)) add_heads(surface, regions, pieces, anatomy);
  // Everything attached to a skull belongs to it: jaws, ears, lids.
  for (std::size_t b = 0; b < surface.bones.size(); ++b)
    for (int up = surface.bones[b].parent; up >= 0 && anatomy.bones[b].tissue == Tissue::flesh;
         up = surface.bones[static_cast<std::size_t>(up)].parent)
      if (anatomy.bones[static_cast<std::size_t>(up)].tissue == Tissue::skull && !surface.bones[b].helper &&
          is_end(regions, static_cast<std::size_t>(up)))
        anatomy.bones[b] = {Tissue::skull, "hangs on " + surface.bones[static_cast<std::size_t>(up)].name};
  anatomy.shells = thin_shells_of(surface, regions, std::move(shells), anatomy, names);
  apply_overrides(overrides, surface, anatomy);
  add_painted(surface, anatomy.rigid);
  std::erase_if(anatomy.rigid, [](const RigidPart& part) { return part.vertices.empty(); });
  std::erase_if(anatomy.shells, [](const ThinShell& shell) { return shell.vertices.empty(); });
  return anatomy;
}

std::vector<RigidPart> find_rigid_parts(const SimulationSurface& surface) {
  SurfacePieces pieces = surface_pieces(surface);
  std::vector<RigidPart> parts = unpainted_rigid_parts(surface, pieces, longest_side(surface), Names::used).rigid;
  add_painted(surface, parts);
  std::erase_if(parts, [](const RigidPart& part) { return part.vertices.empty(); });
  return parts;
}

}  // namespace sinew
