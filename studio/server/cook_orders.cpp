#include "studio/server/cook_orders.h"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "studio/server/failure.h"
#include "studio/server/studio_state.h"

namespace sinew {
namespace {

// What cannot be cooked is taken back.
void refuse_order(Desk& desk, const std::string& sentence, std::uint64_t order) {
  const std::lock_guard lock(desk.mutex);
  for (const Waiter& waiter : desk.waiters)
    if (waiter.order <= order) desk.pages.reply_error(waiter.asker, sentence);
  std::erase_if(desk.waiters, [&](const Waiter& waiter) { return waiter.order <= order; });
  if (order != desk.orders) return;
  desk.history.take_back();
  save_project(desk);
  const Project& now = desk.history.now();
  desk.pages.send_all({{"event", "changed"},
                       {"settings", settings_state(desk)},
                       {"painted", painted_state(desk)},
                       {"history", history_state(desk.history)},
                       {"takes", takes_state(now)},
                       {"pose", pose_state(now.pose)}});
}

}  // namespace

void cook(Desk& desk, const Asker& asker) {
  const std::uint64_t order = ++desk.orders;
  desk.waiters.push_back({asker, order, {}});
  desk.kitchen.cook({choice_of(desk, desk.history.now()), desk.history.now().paint},
                    [&desk, order](Served served) { serve(desk, std::move(served), order); });
}

void serve(Desk& desk, Served served, std::uint64_t order) {
  if (served.failure && served.again) return tell_failure(desk, "cooking", sentence_of(served.failure));
  if (served.failure) return refuse_order(desk, sentence_of(served.failure), order);
  desk.stage.post([&desk, served, order](Stage& stage) {
    std::string failure;
    if (stage.cast().number != served.cast.number) {
      failure = "There is another character now.";
    } else {
      try {
        stage.change(served.cast);
      } catch (const std::exception&) {
        failure = sentence_of(std::current_exception());
      }
    }
    if (!failure.empty()) return refuse_order(desk, failure, order);
    const std::lock_guard lock(desk.mutex);
    desk.cast = served.cast;
    desk.play = stage.state();
    desk.hands = hands_state(stage.hands());
    desk.method = method_state(desk.history.now(), stage.session().traits());
    desk.pages.send_all({{"event", "changed"},
                         {"method", desk.method},
                         {"settings", settings_state(desk)},
                         {"play", play_state(desk.play)},
                         {"hands", desk.hands}});
    for (const Waiter& waiter : desk.waiters)
      if (waiter.order <= order) desk.pages.reply(waiter.asker, {{"seconds", waiter.watch.seconds()}});
    std::erase_if(desk.waiters, [&](const Waiter& waiter) { return waiter.order <= order; });
  });
}

}  // namespace sinew
