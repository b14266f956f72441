#include "studio/server/cook/cook_requests.h"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "studio/server/curves/curve_verbs.h"
#include "studio/server/lattice/lattice_verbs.h"
#include "studio/server/shape/project_rigs.h"
#include "studio/server/studio_state.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

// A change that cannot be cooked is undone.
void refuse_request(Application& app, const std::string& sentence, std::uint64_t request) {
  const std::lock_guard lock(app.mutex);
  for (const PendingReply& pending : app.pending_replies)
    if (pending.request <= request) app.pages.reply_error(pending.client, sentence);
  std::erase_if(app.pending_replies, [&](const PendingReply& pending) { return pending.request <= request; });
  if (request != app.requests) return;
  app.history.take_back();
  save_project(app);
  const Project& now = app.history.now();
  app.pages.send_all({{"event", "changed"},
                      {"settings", settings_state(app)},
                      {"painted", painted_state(app)},
                      {"fields", fields_state(app)},
                      {"limbs", limbs_state(app)},
                      {"rigs", rigs_state(app, now)},
                      {"history", history_state(app.history)},
                      {"takes", takes_state(now)},
                      {"pose", pose_state(now.pose)},
                      {"kept_poses", kept_poses_state(now)},
                      {"lattice", lattice_state(app)}});
}

}  // namespace

void cook(Application& app, const Client& client) {
  const std::uint64_t request = ++app.requests;
  app.pending_replies.push_back({client, request, {}});
  app.cook_worker.cook({choice_of(app, app.history.now()), app.history.now().paint},
                       [&app, request](CookResult delivered) { deliver(app, std::move(delivered), request); });
}

void deliver(Application& app, CookResult delivered, std::uint64_t request) {
  if (delivered.failure && delivered.again) return tell_failure(app, "cooking", sentence_of(delivered.failure));
  if (delivered.failure) return refuse_request(app, sentence_of(delivered.failure), request);
  app.player.post([&app, delivered, request](LivePlayer& player) {
    std::string failure;
    if (player.loaded().number != delivered.loaded.number) {
      failure = "There is another character now.";
    } else {
      try {
        player.change(delivered.loaded);
      } catch (const std::exception&) {
        failure = sentence_of(std::current_exception());
      }
    }
    if (!failure.empty()) return refuse_request(app, failure, request);
    const std::lock_guard lock(app.mutex);
    app.loaded = delivered.loaded;
    app.play = player.state();
    app.acting = acting_state(player.hands());
    app.shapes = shapes_state(*delivered.loaded.scene, player.hands().shapes);
    app.method = method_state(app.history.now(), player.session().traits());
    PageJson changed{{"event", "changed"},           {"method", app.method},    {"settings", settings_state(app)},
                     {"play", play_state(app.play)}, {"take", take_state(app)}, {"shapes", app.shapes}};
    changed.update(app.acting);
    app.pages.send_all(changed);
    follow_curves(app);
    for (const PendingReply& pending : app.pending_replies)
      if (pending.request <= request) app.pages.reply(pending.client, {{"seconds", pending.watch.seconds()}});
    std::erase_if(app.pending_replies, [&](const PendingReply& pending) { return pending.request <= request; });
  });
}

}  // namespace sinew::studio
