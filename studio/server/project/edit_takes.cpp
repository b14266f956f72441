#include "studio/server/project/edit_takes.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "studio/server/project/trim_take.h"

namespace sinew::studio {
namespace {

constexpr double shortest_take = 0.01;  // seconds

auto find_take(const Project& project, const std::string& name) {
  return std::find_if(project.takes.begin(), project.takes.end(), [&](const auto& take) { return take->name == name; });
}

RecordedTake trimmed_as_asked(const RecordedTake& take, const command::EditTake& edit) {
  if (!edit.from && !edit.seconds)
    throw usage_error("take: give the time from which, or the seconds to which, it is trimmed.");
  const double from = edit.from.value_or(0), to = std::min(take.seconds, edit.seconds.value_or(take.seconds));
  if (!(to - from >= shortest_take))
    throw usage_error("take: nothing would be left; choose an earlier beginning or a later end.");
  return trimmed(take, from, to);
}

}  // namespace

std::string free_take_name(const Project& project) {
  for (std::size_t k = 1;; ++k)
    if (const std::string name = "take " + std::to_string(k); find_take(project, name) == project.takes.end())
      return name;
}

bool is_take_named(const Project& project, const std::string& name) {
  return find_take(project, name) != project.takes.end();
}

const NamedTake& take_named(const Project& project, const std::string& name) {
  const auto found = find_take(project, name);
  if (found == project.takes.end()) throw usage_error("There is no take '" + name + "'.");
  return **found;
}

void refuse_take_named(const Project& project, const std::string& name) {
  if (is_take_named(project, name)) throw usage_error("There is a take '" + name + "' already.");
}

Project with_edited_take(Project project, const command::EditTake& edit) {
  const NamedTake& take = take_named(project, edit.name);
  const auto place = project.takes.begin() + (find_take(project, edit.name) - project.takes.cbegin());
  if (edit.action == "delete") {
    project.takes.erase(place);
  } else if (edit.action == "rename") {
    if (edit.to.empty()) throw usage_error("A take needs a name.");
    refuse_take_named(project, edit.to);
    *place = std::make_shared<const NamedTake>(NamedTake{edit.to, take.take});
  } else if (edit.action == "trim") {
    *place = std::make_shared<const NamedTake>(NamedTake{take.name, trimmed_as_asked(take.take, edit)});
  } else {
    throw usage_error("take: action is record, stop, play, rename, trim or delete.");
  }
  return project;
}

}  // namespace sinew::studio
