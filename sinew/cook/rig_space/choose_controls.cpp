#include "sinew/cook/rig_space/choose_controls.h"

#include <algorithm>
#include <numeric>

#include "sinew/anatomy/anatomy.h"
#include "sinew/anatomy/bone_regions.h"
#include "sinew/anatomy/mirror_sides.h"
#include "sinew/base/glob.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

// Share of the skin that a hanging bone carries: the least, by weight, and the most, with all bones below it.
constexpr double least_skin = 2e-3, most_skin = 0.25;
constexpr double least_skin_of_helper = 5e-4;
// Branches smaller than this share of what they branch from are ignored.
constexpr double negligible_branch = 0.05;
// Largest ratios of length to width and of width to thickness of a compact region.
constexpr double longest_compact = 1.8, flattest_compact = 2.6;
// Mean firmness below which skin is soft: it follows a bone and its neighbours alike.
constexpr double soft_firmness = 0.6;
// Largest width of a tail's end relative to its root. Least share of the skin that a head carries.
constexpr double most_widening = 1.1, least_head = 0.01;
// Share of the skin above which a branch is a tail only if it has `links_of_large` links. Ears have less skin.
constexpr double large_branch = 0.08, largest_ear = 0.06;
constexpr std::size_t links_of_large = 3;

// Parameters that are not free by default must be named with their channel: "belly*" does not match "belly.scale".
bool chooses(const std::string& pattern, const RigParameter& parameter) {
  if (parameter.free_by_default && matches(pattern, parameter.control)) return true;
  if (!matches(pattern, parameter.name)) return false;
  const std::string channel = parameter.name.substr(std::min(parameter.name.size(), parameter.control.size()));
  return parameter.free_by_default || pattern.find(channel.substr(0, channel.find('.', 1))) != std::string::npos;
}

class Hanging {
 public:
  explicit Hanging(const SimulationSurface& surface)
      : surface_(surface),
        regions_(bone_regions(surface)),
        anatomy_(find_anatomy(surface)),
        sides_(sides_of(regions_, longest_side(surface))),
        carried_(carried_skin(surface)),
        area_(std::accumulate(carried_.begin(), carried_.end(), 0.0)),
        rigid_(surface.bones.size(), 0.0) {
    std::vector<double> vertices(surface.bones.size(), 0.0);
    std::vector<char> in_thing(surface.influences.size(), 0);
    for (const RigidPart& thing : anatomy_.rigid)
      for (const int v : thing.vertices) in_thing[index(v)] = 1;
    for (std::size_t v = 0; v < in_thing.size(); ++v) {
      const Influences& on = surface.influences[v];
      if (on.count == 0) continue;
      ++vertices[index(on.joint[0])];
      rigid_[index(on.joint[0])] += in_thing[v];
    }
    for (std::size_t b = 0; b < rigid_.size(); ++b) {
      rigid_[b] = vertices[b] > 0 ? rigid_[b] / vertices[b] : 0;
      const bool may =
          anatomy_.bones[b].tissue == Tissue::skull && sides_[b] == Side::middle && region(b).area > least_head * area_;
      if (may && (head_ < 0 || region(b).area > region(index(head_)).area)) head_ = static_cast<int>(b);
    }
  }

  std::vector<HangingBone> find() {
    for (std::size_t b = 0; b < surface_.bones.size(); ++b) {
      if (rigid(b) || parent(b) < 0) continue;
      if (surface_.bones[b].helper) {
        if (carried_[b] >= least_skin_of_helper * area_ && is_beside(b))
          add(b, true, "a helper: it shares all of its skin");
      } else if (region(b).area >= least_skin * area_ && branches(b) == 0) {
        look_at_end(b);
      }
    }
    for (const std::vector<std::size_t>& chain : tails()) turn(chain, "the thin end of the middle, as a tail");
    std::sort(found_.begin(), found_.end(), [](const HangingBone& a, const HangingBone& b) { return a.bone < b.bone; });
    return std::move(found_);
  }

 private:
  const BoneRegion& region(std::size_t b) const { return regions_.bones[b]; }
  int parent(std::size_t b) const { return surface_.bones[b].parent; }
  bool rigid(std::size_t b) const { return rigid_[b] > 0.5; }
  bool compact(std::size_t b) const {
    return region(b).spread.x <= longest_compact * region(b).spread.y &&
           region(b).spread.y <= flattest_compact * region(b).spread.z;
  }

  bool is_head(std::size_t b) const { return static_cast<int>(b) == head_; }
  bool on_a_skull(std::size_t b) const {
    for (int up = parent(b); up >= 0; up = parent(index(up)))
      if (is_head(index(up))) return true;
    return false;
  }

  bool counts(std::size_t b, int child) const {
    return !surface_.bones[index(child)].helper &&
           region(index(child)).branch_area > negligible_branch * region(b).branch_area;
  }
  int branches(std::size_t b) const {
    return static_cast<int>(std::count_if(regions_.children[b].begin(), regions_.children[b].end(),
                                          [&](int child) { return counts(b, child); }));
  }

  // For a chain: the bone at its end, which lies farthest out.
  Side side(std::size_t b) const {
    while (branches(b) == 1)
      b = index(*std::find_if(regions_.children[b].begin(), regions_.children[b].end(),
                              [&](int child) { return counts(b, child); }));
    return sides_[b];
  }

  // A helper has only helpers below it, with little skin, and is not the end of a limb.
  bool is_beside(std::size_t b) const {
    return joint_branch(b) < large_branch * area_ && (on_trunk(b) || branches(index(parent(b))) > 0) && only_helpers(b);
  }
  // Counts all bones of a joint, which may have one per skin.
  double joint_branch(std::size_t b) const {
    double area = 0;
    for (std::size_t c = 0; c < surface_.bones.size(); ++c)
      if (surface_.bones[c].joint == surface_.bones[b].joint) area += region(c).branch_area;
    return area;
  }
  bool only_helpers(std::size_t b) const {
    const std::vector<int>& below = regions_.children[b];
    return surface_.bones[b].helper &&
           std::all_of(below.begin(), below.end(), [&](int child) { return only_helpers(index(child)); });
  }

  bool on_trunk(std::size_t b) const { return sides_[index(parent(b))] == Side::middle || on_a_head(b); }

  // True below a skull, or on the end of the trunk from which larger pairs branch farther up: a head that is too soft,
  // or carries too much, to be recognised as a skull.
  bool on_a_head(std::size_t b) const {
    if (on_a_skull(b)) return true;
    const auto head = index(parent(b));
    if (sides_[head] != Side::middle) return false;
    for (const int child : regions_.children[head])
      if (side(index(child)) == Side::middle && region(index(child)).branch_area > region(b).branch_area) return false;
    for (int up = parent(head); up >= 0; up = parent(index(up)))
      for (const int child : regions_.children[index(up)])
        if (side(index(child)) == Side::paired && region(index(child)).branch_area > region(b).branch_area) return true;
    return false;
  }

  void add(std::size_t b, bool translates, const std::string& because) {
    found_.push_back({static_cast<int>(b), translates, because});
  }

  // From the root of the branch to its leaf.
  std::vector<std::size_t> chain_to(std::size_t leaf) const {
    std::vector<std::size_t> chain{leaf};
    for (int up = parent(leaf); up >= 0; up = parent(index(up))) {
      const auto b = index(up);
      if (branches(b) > 1 || parent(b) < 0 || region(b).branch_area > most_skin * area_ || is_head(b)) break;
      chain.insert(chain.begin(), b);
    }
    return chain;
  }

  void look_at_end(std::size_t leaf) {
    const std::vector<std::size_t> chain = chain_to(leaf);
    const std::size_t top = chain.front();
    if (region(top).branch_area > most_skin * area_) return;
    if (std::any_of(chain.begin(), chain.end(), [&](std::size_t b) { return rigid(b); })) return;
    const bool links = chain.size() > 1;
    if (!links && on_trunk(top) && region(leaf).firmness < soft_firmness)
      return add(leaf, true, "a soft end on the trunk or a head: its skin follows its neighbours as much");
    if (sides_[leaf] == Side::paired) {
      if (on_a_head(top) && (links || !compact(leaf)) && region(top).branch_area < largest_ear * area_)
        turn(chain, "small, one of a pair and on a head, as an ear");
    } else if (sides_[leaf] == Side::middle && is_tail(chain)) {
      tails_.push_back(chain);
    }
  }

  bool is_tail(const std::vector<std::size_t>& chain) const {
    const std::size_t leaf = chain.back();
    if (chain.size() == 1) return !compact(leaf) && !is_head(leaf) && !on_a_skull(leaf);
    if (chain.size() < links_of_large && region(chain[0]).branch_area > large_branch * area_) return false;
    double width = 0;
    for (const std::size_t b : chain) width = std::max(width, b == leaf ? 0 : region(b).spread.y);
    if (is_head(leaf)) return false;
    const bool sheet = region(leaf).spread.y > flattest_compact * region(leaf).spread.z;
    return sheet || region(leaf).spread.y <= most_widening * width;
  }

  // If no head was found, the largest of several ends of the trunk counts as one.
  std::vector<std::vector<std::size_t>> tails() const {
    std::vector<std::vector<std::size_t>> result = tails_;
    if (head_ < 0 && result.size() > 1)
      result.erase(std::max_element(result.begin(), result.end(), [&](const auto& a, const auto& b) {
        return region(a.back()).area < region(b.back()).area;
      }));
    return result;
  }

  void turn(const std::vector<std::size_t>& chain, const std::string& because) {
    for (const std::size_t b : chain) add(b, false, because);
  }

  const SimulationSurface& surface_;
  BoneRegions regions_;
  Anatomy anatomy_;
  std::vector<Side> sides_;
  std::vector<double> carried_;  // square metres, by weight
  double area_ = 0;              // that bones carry
  std::vector<double> rigid_;    // share of the vertices
  int head_ = -1;                // the largest skull on the trunk
  std::vector<HangingBone> found_;
  std::vector<std::vector<std::size_t>> tails_;
};

}  // namespace

std::vector<double> carried_skin(const SimulationSurface& surface) {
  std::vector<double> result(surface.bones.size(), 0.0);
  for (const Triangle& t : surface.rest.triangles) {
    const auto at = [&](std::size_t k) -> const Vec3& { return surface.rest.positions[index(t[k])]; };
    const double third = norm(cross(at(1) - at(0), at(2) - at(0))) / 6;
    for (const int v : t) {
      const Influences& on = surface.influences[index(v)];
      for (std::size_t k = 0; k < index(on.count); ++k) result[index(on.joint[k])] += third * on.weight[k];
    }
  }
  return result;
}

ChosenParameters chosen_parameters(const std::vector<RigParameter>& parameters, std::span<const std::string> patterns) {
  std::vector<char> chosen(parameters.size(), 0);
  ChosenParameters result;
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (!chooses(pattern, parameters[i])) continue;
      chosen[i] = 1;
      any = true;
    }
    if (!any) result.unmatched.push_back(pattern);
  }
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) result.parameters.push_back(static_cast<int>(i));
  return result;
}

std::vector<HangingBone> controls_in_flesh(const SimulationSurface& surface) { return Hanging(surface).find(); }

std::vector<int> bones_to_name(const SimulationSurface& surface, std::size_t most) {
  const std::vector<double> carried = carried_skin(surface);
  double all = 0;
  for (const double area : carried) all += area;
  std::vector<int> bones;
  for (std::size_t b = 0; b < carried.size(); ++b)
    if (carried[b] >= least_skin * all && carried[b] <= 0.5 * all && surface.bones[b].parent >= 0)
      bones.push_back(static_cast<int>(b));
  std::stable_sort(bones.begin(), bones.end(), [&](int a, int b) { return carried[index(a)] > carried[index(b)]; });
  bones.resize(std::min(bones.size(), most));
  return bones;
}

std::string listed_parameters(const std::vector<RigParameter>& parameters, std::span<const int> which) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::string& name = parameters[index(which[i])].name;
    const auto stem = [&](std::size_t k) {
      const std::string& other = parameters[index(which[k])].name;
      return other.substr(0, other.size() < 2 ? 0 : other.size() - 2);
    };
    if (name.ends_with(".x") && i + 2 < which.size() && stem(i) == stem(i + 1) && stem(i) == stem(i + 2)) {
      names.push_back(stem(i) + ".*");
      i += 2;
    } else {
      names.push_back(name);
    }
  }
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "'" : ", '") + name + "'";
  return result;
}

}  // namespace sinew
