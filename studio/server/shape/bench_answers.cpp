#include "studio/server/shape/bench_answers.h"

#include <algorithm>
#include <mutex>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/shape/project_rigs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {

FleshSettings bench_settings(const Application& app, const Project& project) {
  const MethodChoice choice = choice_of(app, project);
  FleshSettings settings = dynamic_cast<const FleshMethod&>(*choice).values;
  settings.shapes.clear();
  settings.control.clear();
  return settings;
}

BenchFlesh bench_flesh(const Application& app) {
  const Project& now = app.history.now();
  ShapeFile rigs = rigs_in(app, now);
  return {app.loaded, now.paint, bench_settings(app, now), std::move(rigs)};
}

bool answered_failure(Application& app, const Client& client, const std::exception_ptr& failure) {
  if (!failure) return false;
  try {
    std::rethrow_exception(failure);
  } catch (const Stopped&) {
    app.pages.reply(client, {{"stopped", true}});
  } catch (const std::exception&) {
    app.pages.reply_error(client, sentence_of(failure));
  }
  return true;
}

void adopt_rigs(Application& app, std::uint32_t number, const ShapeFile& made, const std::vector<std::string>& names,
                const std::string& what, int stroke) {
  const std::lock_guard lock(app.mutex);
  if (app.loaded.number != number) throw usage_error("There is another character now.");
  ShapeFile file = rigs_in(app, app.history.now());
  for (const AbstractControl& control : made.controls)
    if (std::none_of(file.controls.begin(), file.controls.end(),
                     [&](const AbstractControl& other) { return other.name == control.name; }))
      file.controls.push_back(control);
  for (const ShapeRig& rig : made.rigs) {
    if (std::find(names.begin(), names.end(), rig.name) == names.end()) continue;
    const auto there =
        std::find_if(file.rigs.begin(), file.rigs.end(), [&](const ShapeRig& other) { return other.name == rig.name; });
    if (there != file.rigs.end())
      *there = rig;
    else
      file.rigs.push_back(rig);
  }
  commit_project(app, with_rigs(app.history.now(), file), what, stroke ? what : "", {}, stroke);
}

std::string data_url(const char* kind, std::span<const std::byte> bytes) {
  return std::string("data:image/") + kind + ";base64," + base64(bytes);
}

}  // namespace sinew::studio
