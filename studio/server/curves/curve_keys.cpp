#include "studio/server/curves/curve_keys.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/files/fixed_keys_json.h"

namespace sinew::studio {

PageJson keys_state(std::span<const FixedStretch> stretches) {
  if (stretches.empty()) return PageJson::array();
  return PageJson::parse(fixed_keys_json({{{"", {stretches.begin(), stretches.end()}}}}))["clips"][""];
}

void replace_stretches(const std::string& clip, const std::string& parameter, const std::string& stretches,
                       FixedKeys& keys) {
  PageJson list = PageJson::parse(stretches);
  for (PageJson& stretch : list) {
    if (!stretch.is_object()) throw usage_error("A stretch is an object with its keys.");
    stretch["parameter"] = parameter;
  }
  const PageJson json{{"clips", {{clip, std::move(list)}}}};
  const FixedKeys read = fixed_keys_from_json(json.dump(), "The keys");
  std::vector<FixedStretch>& of_clip = keys.clips[clip];
  std::erase_if(of_clip, [&](const FixedStretch& stretch) { return stretch.parameter == parameter; });
  for (const FixedStretch& stretch : read.of(clip)) of_clip.push_back(stretch);
  std::sort(of_clip.begin(), of_clip.end(), [](const FixedStretch& a, const FixedStretch& b) {
    return std::tuple(a.parameter, a.keys.front().time) < std::tuple(b.parameter, b.keys.front().time);
  });
}

}  // namespace sinew::studio
