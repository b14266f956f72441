#include "studio/server/live/hands.h"

#include <cstddef>
#include <variant>

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

constexpr std::size_t most_hands = 16;

Action action_of(Action::Kind kind, const std::string& name = {}) {
  Action action;
  action.kind = kind;
  action.name = name;
  return action;
}

Action grab_of(const Hand& hand, const Affine& to_world) {
  Action action = action_of(Action::Kind::grab, hand.name);
  action.point = hand.point;
  action.radius = hand.radius;
  action.target = to_world * hand.target;
  return action;
}

Action drag_of(const std::string& name, const Vec3& target) {
  Action action = action_of(Action::Kind::drag, name);
  action.target = target;
  return action;
}

Action gravity_of(const Vec3& gravity) {
  Action action = action_of(Action::Kind::gravity);
  action.gravity = gravity;
  return action;
}

Action tissue_action(Action::Kind kind, double factor) {
  Action action = action_of(kind);
  (kind == Action::Kind::stiffness ? action.stiffness : action.damping) = factor;
  return action;
}

// Where it is displayed.
Vec3 place_now(Session& session, const Vec3& point, const Affine& to_world) {
  const TriangleMesh& rest = session.scene().surface->rest;
  std::vector<Vec3> positions(rest.positions.size());
  session.surface(positions);
  return inverse(to_world) * place_of(nearest_surface_point(rest, point), positions);
}

}  // namespace

Vec3 rest_point(const Scene& scene, const SkinPlace& place) {
  if (const Vec3* point = std::get_if<Vec3>(&place)) return *point;
  const auto& spot = std::get<SkinSpot>(place);
  const TriangleMesh& rest = scene.surface->rest;
  if (static_cast<std::size_t>(spot.triangle) >= rest.triangles.size())
    throw usage_error("The surface has no triangle " + std::to_string(spot.triangle) + ".");
  const auto& corner = rest.triangles[static_cast<std::size_t>(spot.triangle)];
  const auto at = [&](std::size_t k) { return rest.positions[static_cast<std::size_t>(corner[k])]; };
  return (1 - spot.u - spot.v) * at(0) + spot.u * at(1) + spot.v * at(2);
}

void grab(Hands& hands, Session& session, const command::Grab& grab, PageNumber page, const Affine& to_world) {
  if (hands.held.size() >= most_hands)
    throw usage_error("No more than " + std::to_string(most_hands) + " grabs are possible at a time; release one.");
  Hand hand{grab.name, rest_point(session.scene(), grab.at), {}, grab.radius, grab.stays ? 0 : page};
  hand.target = grab.target ? *grab.target : place_now(session, hand.point, to_world);
  session.act(grab_of(hand, to_world));
  hands.held.push_back(hand);
}

void drag(Hands& hands, Session& session, const command::Drag& drag, const Affine& to_world) {
  session.act(drag_of(drag.name, to_world * drag.target));
  for (Hand& hand : hands.held)
    if (hand.name == drag.name) hand.target = drag.target;
}

void release(Hands& hands, Session& session, const std::string& name) {
  if (name.empty()) {
    for (const Hand& hand : hands.held) session.act(action_of(Action::Kind::release, hand.name));
    hands.held.clear();
  } else {
    session.act(action_of(Action::Kind::release, name));
    std::erase_if(hands.held, [&](const Hand& hand) { return hand.name == name; });
  }
}

void release_page(Hands& hands, Session& session, PageNumber page) {
  for (const Hand& hand : hands.held)
    if (hand.page == page) session.act(action_of(Action::Kind::release, hand.name));
  std::erase_if(hands.held, [&](const Hand& hand) { return hand.page == page; });
}

void act(Session& session, const command::Act& act, const Affine& to_world) {
  Action action = act.action;
  const Settings members = kind_of(action).of(action);
  for (const Setting& member : members.table)
    if (const auto* direction = std::get_if<Member<Vec3>>(&member.value))
      direction->of(members) = to_world.linear * direction->of(members);
  action.point = rest_point(session.scene(), act.at);
  session.act(action);
}

void set_gravity(Hands& hands, Session& session, const std::optional<Vec3>& gravity) {
  session.act(gravity ? gravity_of(*gravity) : action_of(Action::Kind::own_gravity));
  hands.gravity = gravity;
}

void set_tissue(Hands& hands, Session& session, const command::Tissue& tissue) {
  if (tissue.stiffness) session.act(tissue_action(Action::Kind::stiffness, *tissue.stiffness));
  if (tissue.damping) session.act(tissue_action(Action::Kind::damping, *tissue.damping));
  if (tissue.stiffness) hands.stiffness = tissue.stiffness;
  if (tissue.damping) hands.damping = tissue.damping;
}

void set_shape(Hands& hands, Session& session, const Action& shape) {
  session.act(shape);
  std::erase_if(hands.shapes, [&](const Action& held) { return held.kind == shape.kind && held.name == shape.name; });
  if (shape.value) hands.shapes.push_back(shape);
}

void forget_shapes(Hands& hands, const Scene& scene) {
  std::erase_if(hands.shapes, [&](const Action& held) {
    if (!scene.shapes) return true;
    const std::span<const std::string> rigs = scene.shapes->rigs();
    const std::span<const ShapeControls::Control> controls = scene.shapes->controls();
    return held.kind == Action::Kind::rig
               ? std::find(rigs.begin(), rigs.end(), held.name) == rigs.end()
               : std::none_of(controls.begin(), controls.end(), [&](const auto& c) { return c.name == held.name; });
  });
}

void act_again(const Hands& hands, Session& session, const Affine& to_world) {
  if (hands.gravity) session.act(gravity_of(*hands.gravity));
  if (hands.stiffness) session.act(tissue_action(Action::Kind::stiffness, *hands.stiffness));
  if (hands.damping) session.act(tissue_action(Action::Kind::damping, *hands.damping));
  for (const Action& shape : hands.shapes) session.act(shape);
  for (const Hand& hand : hands.held) session.act(grab_of(hand, to_world));
}

void go_along(const Hands& hands, Session& session, const Affine& to_world) {
  for (const Hand& hand : hands.held) session.act(drag_of(hand.name, to_world * hand.target));
}

}  // namespace sinew::studio
