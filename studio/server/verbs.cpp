#include "studio/server/verbs.h"

#include <exception>
#include <variant>

#include "sinew/base/error.h"
#include "studio/server/failure.h"

namespace sinew {

void hear(Desk& desk, PageNumber page, std::string_view text) {
  const Command command = parse_command(text);
  if (!command.complaint.empty()) {
    desk.pages.send(page,
                    PageJson{{"re", command.id ? PageJson(*command.id) : PageJson()}, {"error", command.complaint}});
    return;
  }
  const Asker asker{page, *command.id};
  try {
    if (!std::holds_alternative<command::Hello>(command.request) && !desk.pages.greeted(page))
      throw usage_error("Say hello first.");
    std::visit([&](const auto& request) { handle(desk, asker, request); }, command.request);
  } catch (const std::exception&) {
    desk.pages.reply_error(asker, sentence_of(std::current_exception()));
  }
}

}  // namespace sinew
