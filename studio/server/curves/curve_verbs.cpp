// Verbs of the curves that a method computes: to see them, and to fix them by keys.
#include "studio/server/curves/curve_verbs.h"

#include <mutex>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/cook/rig_space/rig_space_method.h"
#include "sinew/files/fixed_keys_json.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/curves/curve_keys.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"

namespace sinew::studio {

void follow_curves(Application& app) {
  const Scene* scene = app.loaded.scene.get();
  if (app.curve_pages.empty() || !scene || scene->curves.empty() || !scene->controls) return app.curve_job.stop();
  app.curve_job.begin({app.loaded, app.play.clip});
}

void handle(Application& app, const Client& client, const command::ShowCurves& show) {
  const std::lock_guard lock(app.mutex);
  if (show.on) {
    app.curve_pages.insert(client.page);
    for (const PageJson& event : app.curve_job.known()) app.pages.send(client.page, event);
  } else {
    app.curve_pages.erase(client.page);
  }
  follow_curves(app);
  app.pages.reply(client);
}

void handle(Application& app, const Client& client, const command::EditCurve& edit) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  MethodChoice choice = choice_of(app, next);
  auto* method = dynamic_cast<RigSpaceMethod*>(&*choice);
  if (!method) throw usage_error("Keys fix the curves of the method rigspace; choose it.");
  FixedKeys keys = fixed_keys_of_setting(method->values.keys);
  replace_stretches(edit.clip, edit.parameter, edit.stretches, keys);
  const std::string text = fixed_keys_json(keys);
  std::string& settings = next.settings[next.method];
  settings = with_value(next.method, settings, "keys", text.empty() ? "\"\"" : text);
  // Without a stroke each edit is an act of its own, however soon it follows another one.
  const std::string kind = edit.stroke == 0 ? "" : "curve " + edit.parameter;
  commit_project(app, std::move(next), "keys of " + edit.parameter, kind, client, edit.stroke);
}

}  // namespace sinew::studio
