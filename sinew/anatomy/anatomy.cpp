#include "sinew/anatomy/anatomy.h"

#include <algorithm>
#include <cmath>

#include "sinew/anatomy/bone_regions.h"
#include "sinew/anatomy/surface_pieces.h"
#include "sinew/base/error.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// A head, a hand or a hoof is compact: at most so many times as long as wide, and as wide as thick.
constexpr double longest_skull = 1.8, flattest_skull = 2.6;
// It is at most so much of the skin, by itself and with what hangs on it, and at least so much; of a character with a few
// bones beside it.
constexpr double most_skin = 0.5, most_skin_of_branch = 0.65, least_skin = 2e-3;
constexpr int fewest_bones = 4;
constexpr double counts_as_bone = 0.01;  // of the skin
// Its skin follows it, not its neighbours.
constexpr double least_firmness = 0.6;
// What goes on below it is little of it. A head, which has no twin, may carry more: ears in pairs, and a jaw.
constexpr double most_below = 0.15, most_below_a_head = 0.6;
// The front of a fish: a chain of so many links begins behind it.
constexpr int fish_links = 3;

// A rigid thing is at most so large, as a share of the character's longest side, unless most of the character is made of
// pieces of one bone each: then all of them are.
constexpr double largest_thing = 0.4;
constexpr double mostly_pieces = 0.6;
constexpr int fewest_plates = 4;
// Pieces of a bone are one thing where their boxes come this near, as a share of the smaller one.
constexpr double near_share = 0.05;

std::string percent(double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + " %"; }

bool compact(const BoneRegion& region) {
  return region.spread.x <= longest_skull * region.spread.y && region.spread.y <= flattest_skull * region.spread.z;
}

// Whether a bone is an end: next to nothing goes on below it or, of a bone without a twin, only what a head carries.
bool is_end(const BoneRegions& regions, std::size_t b) {
  const BoneRegion& region = regions.bones[b];
  const double below = region.branch_area - region.area;
  if (below <= most_below * region.area) return true;
  if (region.twin >= 0 || below > most_below_a_head * region.area) return false;
  return std::all_of(regions.children[b].begin(), regions.children[b].end(), [&](int child) {
    const BoneRegion& hanging = regions.bones[static_cast<std::size_t>(child)];
    return hanging.twin >= 0 || hanging.branch_depth == 0 || hanging.branch_area <= most_below * region.area;
  });
}

// Whether a chain begins at the bone, away from most of its own skin: as the spine of a fish, behind its head.
bool is_front(const SimulationSurface& surface, const BoneRegions& regions, std::size_t b) {
  int links = 0;
  const BoneRegion* next = nullptr;
  for (const int child : regions.children[b])
    if (regions.bones[static_cast<std::size_t>(child)].branch_area > most_below * regions.bones[b].area) {
      ++links;
      next = &regions.bones[static_cast<std::size_t>(child)];
    }
  if (links != 1 || next->branch_depth + 1 < fish_links) return false;
  for (int up = surface.bones[b].parent; up >= 0; up = surface.bones[static_cast<std::size_t>(up)].parent)
    if (regions.bones[static_cast<std::size_t>(up)].area > 0) return false;
  const Vec3 joint = inverse(surface.bones[b].rest_to_joint).translation;
  return dot(regions.bones[b].centre - joint, next->centre - joint) < 0;
}

BoneAnatomy tissue_of(const SimulationSurface& surface, const BoneRegions& regions, std::size_t b) {
  const BoneRegion& region = regions.bones[b];
  if (surface.bones[b].helper || region.area < least_skin * regions.area || region.area > most_skin * regions.area) return {};
  if (region.firmness < least_firmness || !compact(region)) return {};
  const char* place = "the end of a chain";
  if (is_front(surface, regions, b))
    place = "a chain of bones begins behind it";
  else if (region.branch_area > most_skin_of_branch * regions.area || !is_end(regions, b))
    return {};
  else if (region.twin >= 0)
    place = "the end of a chain, one of a pair";
  return {Tissue::skull, percent(region.area / regions.area) + " of the skin, compact; " + place};
}

bool near(const SurfacePiece& a, const SurfacePiece& b) {
  const double margin = near_share * std::min(a.extent(), b.extent());
  const Vec3 apart = max(a.low - b.high, b.low - a.high);
  return std::max({apart.x, apart.y, apart.z}) <= margin;
}

std::vector<RigidThing> rigid_things(const SurfacePieces& pieces, double size) {
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

  std::vector<int> rigid;
  for (std::size_t p = 0; p < pieces.pieces.size(); ++p)
    if (pieces.pieces[p].bone >= 0 && (machine || pieces.pieces[p].extent() <= largest_thing * size))
      rigid.push_back(static_cast<int>(p));
  const auto piece = [&](std::size_t k) -> const SurfacePiece& {
    return pieces.pieces[static_cast<std::size_t>(rigid[k])];
  };
  DisjointSets sets(rigid.size());
  for (std::size_t a = 0; a < rigid.size(); ++a)
    for (std::size_t b = a + 1; b < rigid.size(); ++b)
      if (piece(a).bone == piece(b).bone && (machine || near(piece(a), piece(b))))
        sets.unite(static_cast<int>(a), static_cast<int>(b));

  const std::string because(machine ? std::string("of a character made of plates") : std::string("a piece by itself, on one bone"));
  std::vector<RigidThing> things;
  std::vector<int> thing_of(rigid.size(), -1);
  for (std::size_t k = 0; k < rigid.size(); ++k) {
    int& thing = thing_of[static_cast<std::size_t>(sets.find(static_cast<int>(k)))];
    if (thing < 0) {
      thing = static_cast<int>(things.size());
      things.push_back({piece(k).bone, {}, because});
    }
    std::vector<int>& vertices = things[static_cast<std::size_t>(thing)].vertices;
    vertices.insert(vertices.end(), piece(k).vertices.begin(), piece(k).vertices.end());
  }
  for (RigidThing& thing : things) std::sort(thing.vertices.begin(), thing.vertices.end());
  return things;
}

// What is painted, by connected patches. It takes precedence over things that it touches.
void add_painted(const SimulationSurface& surface, std::vector<RigidThing>& things) {
  const std::vector<char>& painted = surface.painted_rigid;
  if (std::find(painted.begin(), painted.end(), 1) == painted.end()) return;
  for (RigidThing& thing : things)
    std::erase_if(thing.vertices, [&](int v) { return painted[static_cast<std::size_t>(v)] != 0; });
  DisjointSets sets(painted.size());
  for (const Triangle& triangle : surface.rest.triangles)
    for (const int v : triangle)
      if (painted[static_cast<std::size_t>(v)] && painted[static_cast<std::size_t>(triangle[0])]) sets.unite(triangle[0], v);
  std::vector<int> thing_of(painted.size(), -1);
  for (std::size_t v = 0; v < painted.size(); ++v) {
    if (!painted[v]) continue;
    int& thing = thing_of[static_cast<std::size_t>(sets.find(static_cast<int>(v)))];
    if (thing < 0) {
      thing = static_cast<int>(things.size());
      things.push_back({surface.influences[v].count > 0 ? surface.influences[v].joint[0] : 0, {}, "painted"});
    }
    things[static_cast<std::size_t>(thing)].vertices.push_back(static_cast<int>(v));
  }
}

void obey(const SaidAnatomy& said, const SimulationSurface& surface, Anatomy& anatomy) {
  for (const SaidAnatomy::OfBone& of : said.bones) {
    bool there = false;
    for (std::size_t b = 0; b < surface.bones.size(); ++b) {
      if (surface.bones[b].name != of.bone) continue;
      there = true;
      if (anatomy.bones[b].tissue != of.tissue) anatomy.bones[b] = {of.tissue, "said so"};
    }
    if (!there)
      throw input_error(said.file + ": the skin has no bone '" + of.bone + "'; write the anatomy anew with `sinew anatomy`.");
  }
  if (said.things.empty()) return;
  bool same = said.things.size() == anatomy.rigid.size();
  for (std::size_t k = 0; same && k < said.things.size(); ++k)
    same = said.things[k].vertices == anatomy.rigid[k].vertices.size();
  if (!same)
    throw input_error(said.file + ": its rigid things are not those of this character; write the anatomy anew with `sinew anatomy`.");
  for (std::size_t k = 0; k < said.things.size(); ++k)
    if (said.things[k].tissue != Tissue::rigid) anatomy.rigid[k].vertices.clear();
}

}  // namespace

Anatomy find_anatomy(const SimulationSurface& surface, const SaidAnatomy& said) {
  Anatomy anatomy;
  const BoneRegions regions = bone_regions(surface);
  anatomy.bones.resize(surface.bones.size());
  const auto bones = std::count_if(regions.bones.begin(), regions.bones.end(), [&](const BoneRegion& region) {
    return region.area > counts_as_bone * regions.area;
  });
  for (std::size_t b = 0; b < surface.bones.size() && bones >= fewest_bones; ++b)
    anatomy.bones[b] = tissue_of(surface, regions, b);
  // What hangs on a skull is of it: jaws, ears, lids.
  for (std::size_t b = 0; b < surface.bones.size(); ++b)
    for (int up = surface.bones[b].parent; up >= 0 && anatomy.bones[b].tissue == Tissue::flesh;
         up = surface.bones[static_cast<std::size_t>(up)].parent)
      if (anatomy.bones[static_cast<std::size_t>(up)].tissue == Tissue::skull && !surface.bones[b].helper &&
          is_end(regions, static_cast<std::size_t>(up)))
        anatomy.bones[b] = {Tissue::skull, "hangs on " + surface.bones[static_cast<std::size_t>(up)].name};
  anatomy.rigid = rigid_things(surface_pieces(surface), longest_side(surface.rest));
  obey(said, surface, anatomy);
  add_painted(surface, anatomy.rigid);
  std::erase_if(anatomy.rigid, [](const RigidThing& thing) { return thing.vertices.empty(); });
  return anatomy;
}

}  // namespace sinew
