// Users' actions on the flesh in the player: grabs, drags, pokes, and the direction of gravity. Targets are where the
// character is displayed; `to_world` maps them to where it is simulated (clip_play.h).
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
  PageNumber page = 0;  // releases it when the page is closed; 0: it stays
};

// Lasting actions.
struct Hands {
  std::vector<Hand> held;
  std::optional<Vec3> gravity;               // m/s^2; empty: the scene's own
  std::optional<double> stiffness, damping;  // factors; empty: as keys say
  std::vector<Action> shapes;                // controls of force rigs that are held, and shares of rigs
};

// The place in rest space, metres. Throws usage_error if the surface has no such triangle.
Vec3 rest_point(const Scene& scene, const SkinPlace& place);

// All throw usage_error for what the method does not support, and for unknown names.
void grab(Hands& hands, Session& session, const command::Grab& grab, PageNumber page, const Affine& to_world);
void drag(Hands& hands, Session& session, const command::Drag& drag, const Affine& to_world);
void release(Hands& hands, Session& session, const std::string& name);  // empty name: all
void release_page(Hands& hands, Session& session, PageNumber page);     // grabs of a page that was closed
void act(Session& session, const command::Act& act, const Affine& to_world);
void set_gravity(Hands& hands, Session& session, const std::optional<Vec3>& gravity);  // empty: the scene's own
void set_tissue(Hands& hands, Session& session, const command::Tissue& tissue);
void set_shape(Hands& hands, Session& session, const Action& shape);

// Forgets the controls and rigs that the scene does not have.
void forget_shapes(Hands& hands, const Scene& scene);

// Applies the lasting actions to a restarted session.
void act_again(const Hands& hands, Session& session, const Affine& to_world);
// Moves grabs along into the next cycle of a loop that travels.
void go_along(const Hands& hands, Session& session, const Affine& to_world);

}  // namespace sinew::studio
