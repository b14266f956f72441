#include "studio/server/cook/cook_requests.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "studio/server/curves/curve_verbs.h"
#include "studio/server/instrument/muscle_state.h"
#include "studio/server/lattice/lattice_verbs.h"
#include "studio/server/motion/project_motions.h"
#include "studio/server/shape/project_rigs.h"
#include "studio/server/studio_state.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

// The mutex is held here and in the functions below, up to refuse_cook().
void cook_state(Application& app, std::uint64_t request, const Project& project) {
  CookRequest asked = cook_request(app, project);  // throws for files that are gone
  const CookedState state{request, ++app.cooks};
  app.cook_worker.cook(std::move(asked),
                       [&app, state](CookResult delivered) { deliver(app, std::move(delivered), state); });
}

// Answers clients whose requests, `first` to `last`, have come to their end.
template <class Answer>
void answer_requests(Application& app, std::uint64_t first, std::uint64_t last, const Answer& answer) {
  const auto is_over = [&](const PendingReply& pending) { return pending.request >= first && pending.request <= last; };
  for (const PendingReply& pending : app.pending_replies)
    if (is_over(pending)) answer(pending);
  std::erase_if(app.pending_replies, is_over);
}
void answer_cooked(Application& app, std::uint64_t last) {
  answer_requests(app, 0, last, [&](const PendingReply& pending) {
    app.pages.reply(pending.client, {{"seconds", pending.watch.seconds()}});
  });
}
void answer_refused(Application& app, std::uint64_t first, std::uint64_t last, const std::string& sentence) {
  answer_requests(app, first, last,
                  [&](const PendingReply& pending) { app.pages.reply_error(pending.client, sentence); });
}

bool is_sound(const Application& app, const Project& project) try {
  cook_request(app, project);
  return true;
} catch (const Error&) {
  return false;
}

// Pages see the history without the step that was taken back.
void tell_history(Application& app, const Project& before) {
  save_project(app);
  const Project& now = app.history.now();
  PageJson changed{{"event", "changed"},
                   {"painted", painted_state(app)},
                   {"history", history_state(app.history)},
                   {"takes", takes_state(now)},
                   {"pose", pose_state(now.pose)},
                   {"carried", {now.pose.carried.x, now.pose.carried.y, now.pose.carried.z}},
                   {"kept_poses", kept_poses_state(now)},
                   {"motion_map", now.motion_map},
                   {"lattice", lattice_state(app)}};
  if (is_sound(app, now)) {
    changed["settings"] = settings_state(app);
    changed["fields"] = fields_state(app);
    changed["limbs"] = limbs_state(app);
    changed["rigs"] = rigs_state(app, now);
  }
  app.pages.send_all(changed);
  if (before.pose != now.pose)
    app.player.post(
        0, 0, [pose = now.pose](LivePlayer& player) { player.pose(pose); }, true);
}

std::string refusal_of(const UncookedSteps::Dropped& dropped) {
  switch (dropped.kind) {
    case StepKind::undo:
      return "This cannot be undone: " + dropped.sentence;
    case StepKind::redo:
      return "This cannot be redone: " + dropped.sentence;
    case StepKind::act:
      break;
  }
  return dropped.sentence;
}

// Returns false if the state after the step names files that are gone.
bool begin_cook(Application& app, const Step& step) {
  const std::uint64_t request = step.request;
  try {
    cook_state(app, request, *step.state);
    return true;
  } catch (const Error& error) {
    app.uncooked.failed(request, error.what());
    return false;
  }
}

// A state has failed to cook: tries earlier ones, or takes back the step that failed and cooks the state that is left.
// Each round leaves fewer steps to try, so that it comes to an end.
void follow_failure(Application& app) {
  while (app.uncooked.has_failed()) {
    const Step* next = app.uncooked.next_try();
    if (!next) {
      const Project before = app.history.now();
      const UncookedSteps::Dropped dropped =
          app.uncooked.drop(app.history, [&](const Project& project) { return is_sound(app, project); });
      answer_refused(app, dropped.first, dropped.last, refusal_of(dropped));
      tell_history(app, before);
      if (app.uncooked.empty()) return answer_cooked(app, app.requests);
      next = &app.uncooked.last();
    }
    if (begin_cook(app, *next)) return;
  }
}

// The motion that acts, up to the last one that the loaded state obeys, have added last, and the file of the character;
// undo and redo play nothing.
struct MotionToPlay {
  std::string text;  // motion/project_motions.h; empty: none
  std::filesystem::path character;
};
MotionToPlay motion_to_play(Application& app, const CookedState& state) {
  const std::lock_guard lock(app.mutex);
  const std::vector<std::string> added = app.uncooked.motions_added(state.request);
  return {added.empty() ? "" : added.back(), app.character_path};
}

// Switches to the scene, and plays the motion unless the character had it before. Returns whether the character has
// other clips than before.
bool change_scene(LivePlayer& player, const LoadedCharacter& loaded, const MotionToPlay& motion) {
  const LoadedCharacter before = player.loaded();
  player.change(loaded);
  if (!motion.text.empty() && first_clip_of(before, motion.text, motion.character).empty()) {
    command::Play play;
    const std::string clip = first_clip_of(loaded, motion.text, motion.character);
    play.clip = clip;
    if (!clip.empty()) player.play(play);
  }
  return before.opened != loaded.opened;
}

// `state` cannot be cooked.
void refuse_cook(Application& app, const std::string& sentence, const CookedState& state) {
  const std::lock_guard lock(app.mutex);
  if (state.cook != app.cooks) return;  // a newer one follows
  if (!app.uncooked.failed(state.request, sentence)) return answer_refused(app, 0, state.request, sentence);
  follow_failure(app);
}

}  // namespace

void cook(Application& app, const Client& client) {
  app.pending_replies.push_back({client, ++app.requests, {}});
  cook_state(app, app.requests, app.history.now());
}

void deliver(Application& app, CookResult delivered, const CookedState& state) {
  if (delivered.failure && delivered.again) return tell_failure(app, "cooking", sentence_of(delivered.failure));
  if (delivered.failure) return refuse_cook(app, sentence_of(delivered.failure), state);
  app.player.post([&app, delivered, state](LivePlayer& player) {
    std::string failure;
    bool clips_changed = false;
    if (player.loaded().number != delivered.loaded.number) {
      failure = "Another character was opened meanwhile, and this change was for the one before.";
    } else {
      try {
        clips_changed = change_scene(player, delivered.loaded, motion_to_play(app, state));
      } catch (const std::exception&) {
        failure = sentence_of(std::current_exception());
      }
    }
    if (!failure.empty()) return refuse_cook(app, failure, state);
    const std::lock_guard lock(app.mutex);
    app.loaded = delivered.loaded;
    app.play = player.state();
    app.acting = acting_state(player.hands());
    app.shapes = shapes_state(*delivered.loaded.scene, player.hands().shapes);
    PageJson muscles = muscles_state(*delivered.loaded.scene);
    const bool muscles_changed = muscles != app.muscles;
    app.muscles = std::move(muscles);
    app.method = method_state(app.history.now(), player.session().traits());
    PageJson changed{{"event", "changed"},
                     {"method", app.method},
                     {"play", play_state(app.play)},
                     {"take", take_state(app)},
                     {"shapes", app.shapes}};
    if (muscles_changed) changed["muscles"] = app.muscles;
    if (clips_changed) {
      changed["clips"] = clips_state(*app.loaded.opened, app.character_path);
      changed["motions"] = motions_state(*app.loaded.opened, app.character_path);
    }
    if (is_sound(app, app.history.now())) changed["settings"] = settings_state(app);
    changed.update(app.acting);
    app.pages.send_all(changed);
    follow_curves(app);
    answer_cooked(app, state.request);
    app.uncooked.cooked(state.request);
    if (state.cook == app.cooks) follow_failure(app);
  });
}

}  // namespace sinew::studio
