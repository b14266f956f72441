#include "studio/server/verbs.h"

#include <exception>
#include <variant>

#include "sinew/base/error.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {

void dispatch(Application& app, PageNumber page, std::string_view text) {
  const Command command = parse_command(text);
  if (!command.complaint.empty()) {
    app.pages.send(page,
                   PageJson{{"re", command.id ? PageJson(*command.id) : PageJson()}, {"error", command.complaint}});
    return;
  }
  const Client client{page, *command.id};
  try {
    if (!std::holds_alternative<command::Hello>(command.request) && !app.pages.greeted(page))
      throw usage_error("Say hello first.");
    std::visit([&](const auto& request) { handle(app, client, request); }, command.request);
  } catch (const std::exception&) {
    app.pages.reply_error(client, sentence_of(std::current_exception()));
  }
}

}  // namespace sinew::studio
