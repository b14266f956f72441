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
  const bool taken_back = app.history.take_back(app.requested_act);
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
  // An act before it may not have been cooked yet, and may be what failed.
  if (taken_back && !cook_alike(now, app.cooked)) cook(app, {});
}

}  // namespace

void cook(Application& app, const Client& client) {
  const std::uint64_t request = ++app.requests;
  app.requested_act = app.history.last_cooked_act();
  app.pending_replies.push_back({client, request, {}});
  const Project& now = app.history.now();
  app.cook_worker.cook({choice_of(app, now), now.paint}, [&app, request, now](CookResult delivered) {
    deliver(app, std::move(delivered), request, now);
  });
}

void deliver(Application& app, CookResult delivered, std::uint64_t request, const Project& project) {
  if (delivered.failure && delivered.again) return tell_failure(app, "cooking", sentence_of(delivered.failure));
  if (delivered.failure) return refuse_request(app, sentence_of(delivered.failure), request);
  app.player.post([&app, delivered, request, project](LivePlayer& player) {
    std::string failure;
    if (player.loaded().number != delivered.loaded.number) {
      failure = "Another character was opened meanwhile, and this change was for the one before.";
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
    app.cooked = project;
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
