// What somebody does to the flesh in the player: holds, drags, knocks, and which way is down. Targets are where the
// character is shown; `to_world` carries these to where it is simulated (clip_play.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/session/session.h"
#include "studio/server/command.h"
#include "studio/server/web/web_server.h"

namespace sinew::studio {

struct Hand {
  std::string name;
  Vec3 point;   // rest space, metres
  Vec3 target;  // world, metres
  std::optional<double> radius;
  PageNumber page = 0;  // that holds it, and lets go when it is closed; 0: it stays
};

// What acts until somebody ends it.
struct Hands {
  std::vector<Hand> held;
  std::optional<Vec3> gravity;  // m/s^2; none: the scene's own
};

// Metres. Throws usage_error where the surface has no such triangle.
Vec3 rest_point(const Scene& scene, const SkinPlace& place);

// All throw usage_error for what the method does not obey, or names that nothing is held by.
void grab(Hands& hands, Session& session, const command::Grab& grab, PageNumber page, const Affine& to_world);
void drag(Hands& hands, Session& session, const command::Drag& drag, const Affine& to_world);
void release(Hands& hands, Session& session, const std::string& name);  // empty: all
void release_page(Hands& hands, Session& session, PageNumber page);     // what a page that is closed held
void act(Session& session, const command::Act& act, const Affine& to_world);
void set_gravity(Hands& hands, Session& session, const Vec3& gravity);

// The session began anew: they act on it as they did before.
void act_again(const Hands& hands, Session& session, const Affine& to_world);
// Another round of a loop that travels: hands go along.
void go_along(const Hands& hands, Session& session, const Affine& to_world);

}  // namespace sinew::studio
