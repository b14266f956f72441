// Attaches skin to joints: entries of the setting `grabs`.
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/files/settings_json.h"
#include "sinew/session/attachment_placing.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/live/hands.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"

namespace sinew::studio {
namespace {

constexpr std::size_t most_attachments = 16;  // as many single points as all hands together may hold

}  // namespace

void handle(Application& app, const Client& client, const command::AttachSkin& attach) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  Project next = app.history.now();
  const MethodChoice choice = choice_of(app, next);
  const auto* flesh = dynamic_cast<const FleshMethod*>(&*choice);
  if (!flesh) throw usage_error("Attachments need the method Flesh.");
  std::vector<GrabSettings> grabs = flesh->values.grabs;
  if (grabs.size() >= most_attachments)
    throw usage_error("No more than " + std::to_string(most_attachments) + " attachments are possible; remove one.");
  grabs.push_back(attachment_at(app.loaded.opened->character, *app.rest_surface,
                                rest_point(*app.loaded.scene, attach.at), attach.joint));
  PageJson list = PageJson::array();
  for (const GrabSettings& grab : grabs) list.push_back(PageJson::parse(settings_json(grab)));
  std::string& settings = next.settings[next.method];
  settings = with_value(next.method, settings, "grabs", list.dump());
  commit_project(app, std::move(next), "attachment", "", client, 0);
}

}  // namespace sinew::studio
