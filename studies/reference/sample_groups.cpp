#include "studies/reference/sample_groups.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace sinew {

SampleGroups group_by_functions(const StrainSamples& samples) {
  std::map<std::vector<int>, std::vector<int>> by_set;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    std::vector<int> set(samples.vertex.begin() + samples.start[s], samples.vertex.begin() + samples.start[s + 1]);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    by_set[std::move(set)].push_back(static_cast<int>(s));
  }
  std::vector<const std::pair<const std::vector<int>, std::vector<int>>*> sets;
  for (const auto& set : by_set) sets.push_back(&set);
  std::stable_sort(sets.begin(), sets.end(),
                   [](const auto* a, const auto* b) { return a->first.size() > b->first.size(); });

  SampleGroups groups;
  std::map<int, std::vector<std::size_t>> groups_of_function;  // in the order of the groups
  for (const auto* set : sets) {
    const auto& [functions, members] = *set;
    std::size_t group = groups.functions.size();
    const std::vector<std::size_t> none;
    for (const std::size_t candidate : functions.empty() ? none : groups_of_function[functions.front()]) {
      const std::vector<int>& all = groups.functions[candidate];
      const bool smaller = group == groups.functions.size() || all.size() < groups.functions[group].size();
      if (smaller && all.size() <= 2 * functions.size() &&
          std::includes(all.begin(), all.end(), functions.begin(), functions.end()))
        group = candidate;
    }
    if (group == groups.functions.size()) {
      for (const int function : functions) groups_of_function[function].push_back(group);
      groups.functions.push_back(functions);
      groups.samples.emplace_back();
    }
    groups.samples[group].insert(groups.samples[group].end(), members.begin(), members.end());
  }
  for (std::vector<int>& members : groups.samples) std::sort(members.begin(), members.end());
  return groups;
}

}  // namespace sinew
