#include "studio/server/project/rebase_project.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "studio/server/cook/method_settings.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {
namespace {

template <class Value>
Value rebased_value(const Value& before, const Value& after, const Value& onto) {
  return after == before ? onto : after;
}

template <class Map>
Map rebased_map(const Map& before, const Map& after, Map onto) {
  for (const auto& [key, value] : before)
    if (!after.contains(key)) onto.erase(key);
  for (const auto& [key, value] : after)
    if (const auto old = before.find(key); old == before.end() || old->second != value) onto[key] = value;
  return onto;
}

bool is_list_of_objects(const PageJson& json) {
  return json.is_array() &&
         std::all_of(json.begin(), json.end(), [](const PageJson& item) { return item.is_object(); });
}

PageJson rebased_json(const PageJson& before, const PageJson& after, const PageJson& onto);

// Items have their places as names; those that were added come after all others.
PageJson rebased_list(const PageJson& before, const PageJson& after, const PageJson& onto) {
  PageJson list = PageJson::array();
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (k < onto.size())
      list.push_back(rebased_json(before[k], after[k], onto[k]));
    else if (after[k] != before[k])
      list.push_back(after[k]);
  }
  for (std::size_t k = before.size(); k < onto.size(); ++k) list.push_back(onto[k]);
  for (std::size_t k = before.size(); k < after.size(); ++k) list.push_back(after[k]);
  return list;
}

PageJson rebased_json(const PageJson& before, const PageJson& after, const PageJson& onto) {
  if (after == before) return onto;
  if (before.is_object() && after.is_object() && onto.is_object()) {
    PageJson object = onto;
    for (const auto& [key, value] : before.items())
      if (!after.contains(key)) object.erase(key);
    for (const auto& [key, value] : after.items()) {
      if (before.contains(key) && onto.contains(key))
        object[key] = rebased_json(before[key], value, onto[key]);
      else if (!before.contains(key) || before[key] != value)
        object[key] = value;
    }
    return object;
  }
  const bool lists = is_list_of_objects(before) && is_list_of_objects(after) && is_list_of_objects(onto);
  return lists && after.size() >= before.size() ? rebased_list(before, after, onto) : after;
}

std::string settings_of(const Project& project, const std::string& method) {
  const auto settings = project.settings.find(method);
  return settings == project.settings.end() ? std::string() : settings->second;
}

// Default values are written out, so that one that is only spelled out is no change.
std::string rebased_settings(const std::string& method, const Project& before, const Project& after,
                             const Project& onto) {
  const auto whole = [&](const Project& project) { return whole_settings(method, settings_of(project, method)); };
  return rebased_json(whole(before), whole(after), whole(onto)).dump(2) + "\n";
}

std::vector<std::string> rebased_motions(const std::vector<std::string>& before, const std::vector<std::string>& after,
                                         std::vector<std::string> onto) {
  const auto has = [](const std::vector<std::string>& list, const std::string& motion) {
    return std::find(list.begin(), list.end(), motion) != list.end();
  };
  std::erase_if(onto, [&](const std::string& motion) { return has(before, motion) && !has(after, motion); });
  for (const std::string& motion : after)
    if (!has(before, motion) && !has(onto, motion)) onto.push_back(motion);
  return onto;
}

}  // namespace

Project rebased(const Project& before, const Project& after, const Project& onto) {
  Project project = onto;
  project.method = rebased_value(before.method, after.method, onto.method);
  for (const auto& [method, settings] : before.settings)
    if (!after.settings.contains(method)) project.settings.erase(method);
  for (const auto& [method, settings] : after.settings) {
    if (settings == settings_of(before, method)) continue;
    const bool same_base = settings_of(before, method) == settings_of(onto, method);
    project.settings[method] = same_base ? settings : rebased_settings(method, before, after, onto);
  }
  project.paint = rebased_map(before.paint, after.paint, onto.paint);
  project.pose = rebased_value(before.pose, after.pose, onto.pose);
  project.kept_poses = rebased_map(before.kept_poses, after.kept_poses, onto.kept_poses);
  project.takes = rebased_value(before.takes, after.takes, onto.takes);
  project.motions = rebased_motions(before.motions, after.motions, onto.motions);
  project.motion_map = rebased_value(before.motion_map, after.motion_map, onto.motion_map);
  return project;
}

}  // namespace sinew::studio
