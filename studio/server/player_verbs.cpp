// Verbs for playback, touching and display: they concern the player alone and are not part of the project.
#include "studio/server/verbs.h"

#include "studio/server/live/player_tasks.h"

namespace sinew::studio {

void handle(Application& app, const Client& client, const command::Play& play) {
  on_playing_player(app, client, [play](LivePlayer& player) { player.play(play); });
}
void handle(Application& app, const Client& client, const command::Pause&) {
  on_playing_player(app, client, [](LivePlayer& player) { player.pause(); });
}
void handle(Application& app, const Client& client, const command::Scrub& scrub) {
  on_playing_player(app, client, [scrub](LivePlayer& player) { player.scrub(scrub.time); });
}
void handle(Application& app, const Client& client, const command::Speed& speed) {
  on_playing_player(app, client, [speed](LivePlayer& player) { player.speed(speed.value); });
}
void handle(Application& app, const Client& client, const command::Grab& grab) {
  on_holding_player(app, client, [grab, page = client.page](LivePlayer& player) { player.grab(grab, page); });
}
void handle(Application& app, const Client& client, const command::Drag& drag) {
  on_player(
      app, client, [drag](LivePlayer& player) { player.drag(drag); }, true);
}
void handle(Application& app, const Client& client, const command::Release& release) {
  on_holding_player(app, client, [release](LivePlayer& player) { player.release(release.name); });
}
void handle(Application& app, const Client& client, const command::Act& act) {
  on_player(
      app, client, [act](LivePlayer& player) { player.act(act); }, true);
}
void handle(Application& app, const Client& client, const command::Gravity& gravity) {
  on_holding_player(app, client, [gravity](LivePlayer& player) { player.gravity(gravity.value); });
}
void handle(Application& app, const Client& client, const command::Tissue& tissue) {
  on_holding_player(
      app, client, [tissue](LivePlayer& player) { player.tissue(tissue); }, true);
}
void handle(Application& app, const Client& client, const command::Show& show) {
  on_player(
      app, client, [show](LivePlayer& player) { player.show(show); }, true);
}

}  // namespace sinew::studio
