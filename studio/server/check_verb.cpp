// The verb that checks the character for defects.
#include <mutex>

#include "studio/server/verbs.h"

namespace sinew::studio {

void handle(Application& app, const Client& client, const command::Check&) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  app.check.begin(app.loaded, app.character_path,
                  [&app, client](const PageJson& answer) { app.pages.reply(client, answer); });
}

}  // namespace sinew::studio
