// What is wrong with the character.
#include <mutex>

#include "studio/server/verbs.h"

namespace sinew {

void handle(Desk& desk, const Asker& asker, const command::Check&) {
  const std::lock_guard lock(desk.mutex);
  require_character(desk);
  desk.check.begin(desk.cast, desk.character_path,
                   [&desk, asker](const PageJson& answer) { desk.pages.reply(asker, answer); });
}

}  // namespace sinew
