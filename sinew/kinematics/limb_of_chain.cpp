#include <algorithm>
#include <cctype>
#include <optional>

#include "sinew/base/index.h"
#include "sinew/kinematics/find_body_bones.h"

namespace sinew {
namespace {

// Bones of a limb may be this much shorter than in the best division of it, if the joints are nearer to the limb's own.
constexpr double nearly_best = 0.85;

struct LimbDivision {
  std::size_t upper = 0, lower = 0, end = 0;  // positions in the chain
  double least = 0;                           // length of the shorter of its two bones
};

// The division into two long bones with the topmost end and the lowest upper joint among those that are nearly the
// best.
std::optional<LimbDivision> divide(std::span<const Vec3> rest, std::span<const int> chain, std::size_t first_end,
                                   std::size_t last_end) {
  const auto length = [&](std::size_t a, std::size_t b) { return norm(rest[index(chain[a])] - rest[index(chain[b])]); };
  std::vector<LimbDivision> all;
  double best = 0;
  for (std::size_t end = first_end; end <= last_end && end < chain.size(); ++end)
    for (std::size_t lower = 1; lower < end; ++lower)
      for (std::size_t upper = 0; upper < lower; ++upper) {
        all.push_back({upper, lower, end, std::min(length(upper, lower), length(lower, end))});
        best = std::max(best, all.back().least);
      }
  if (best <= 0) return {};
  std::erase_if(all, [&](const LimbDivision& each) { return each.least < nearly_best * best; });
  return *std::min_element(all.begin(), all.end(), [](const LimbDivision& a, const LimbDivision& b) {
    return a.end != b.end ? a.end < b.end : a.upper != b.upper ? a.upper > b.upper : a.least > b.least;
  });
}

}  // namespace

bool is_end_marker(std::string_view name) {
  const auto ends_with = [&](std::string_view end) {
    return name.size() > end.size() &&
           std::equal(end.begin(), end.end(), name.end() - static_cast<std::ptrdiff_t>(end.size()), [](char a, char b) {
             return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
           });
  };
  return ends_with("_end") || ends_with(".end") || ends_with(" end") || ends_with("nub") || ends_with("site");
}

LimbBones limb_of_chain(const Skeleton& skeleton, std::span<const Vec3> rest, std::span<const int> chain,
                        std::string_view labels) {
  LimbBones limb;
  if (chain.empty()) return limb;
  const auto first = [&](char label) { return labels.find(label); };
  const auto only = [&](char label) { return std::count(labels.begin(), labels.end(), label) == 1; };
  constexpr std::size_t none = std::string_view::npos;
  std::size_t last = chain.size() - 1;  // of the joints that are moved
  while (last > 0 && is_end_marker(skeleton.joints[index(chain[last])].name)) --last;

  std::size_t upper = none, lower = none, end = first('e');
  if (only('u') && only('l') && first('u') < first('l')) {
    upper = first('u');
    lower = first('l');
    if (end == none) end = lower + 1;
  } else if (const auto found = divide(rest, chain, end == none ? 2 : end, end == none ? last : end)) {
    upper = found->upper;
    lower = found->lower;
    end = found->end;
  } else {
    upper = only('u') ? first('u') : 0;
    lower = upper + 1 <= last ? upper + 1 : none;
    end = none;
  }
  const auto joint = [&](std::size_t at) { return at != none && at <= last ? chain[at] : -1; };
  limb.upper = joint(upper);
  limb.lower = joint(lower);
  limb.end = joint(end);
  if (upper != none && upper > 0) limb.base = chain[upper - 1];
  if (limb.end >= 0) {
    // Tip: the next joint that is somewhere else.
    std::size_t tip = end + 1;
    while (tip < chain.size() && norm(rest[index(chain[tip])] - rest[index(chain[end])]) <= 0) ++tip;
    limb.tip = joint(tip);
    if (tip < chain.size()) limb.marker = limb.tip >= 0 ? (tip + 1 < chain.size() ? chain[tip + 1] : -1) : chain[tip];
  } else {
    const std::size_t deepest = lower != none ? lower : upper;
    if (deepest != none && deepest + 1 < chain.size()) limb.marker = chain[deepest + 1];
  }
  return limb;
}

BodyBones find_body_bones(const Skeleton& skeleton, std::span<const Vec3> rest, const Vec3& up) {
  BodyBones named = bones_by_name(skeleton, rest);
  if (named.complete()) return named;
  return bones_by_structure(skeleton, rest, up);
}

}  // namespace sinew
