#include "sinew/session/clip_environment.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/session/collider_solids.h"
#include "sinew/session/ring_skin.h"

namespace sinew {
namespace {

// How far a hand has closed on a point: from nothing to all over `reach` seconds, with no velocity at either end.
double closed(double since, double reach) {
  const double t = reach > 0 ? std::clamp(since / reach, 0.0, 1.0) : 1;
  return t * t * (3 - 2 * t);
}

// Whether a grab or a load acts at this time.
template <class Settings>
bool acts(const Settings& settings, double seconds) {
  return seconds >= settings.begin.value_or(-HUGE_VAL) && seconds <= settings.end.value_or(HUGE_VAL);
}

// The default pose's transform of the skin of a joint: rest space to world, metres. The identity without a joint.
Affine default_pose_of(const Character& character, const SimulationSurface& surface, const std::string& joint,
                       const std::string& setting) {
  if (joint.empty()) return {Mat3::identity(), {}};
  const auto found =
      std::find_if(surface.bones.begin(), surface.bones.end(), [&](const Bone& bone) { return bone.name == joint; });
  if (found == surface.bones.end())
    throw usage_error(setting + ": " + character.file + " has no joint '" + joint +
                      "' that carries skin; `sinew info` lists the joints.");
  return bone_transforms(character, std::span(&*found, 1), sample(character.skeleton, nullptr, 0)).front();
}

}  // namespace

ClipEnvironment::ClipEnvironment(const Character& character, const SimulationSurface& surface,
                                 const ActingSettings& settings, std::span<const double> hold_reach,
                                 const Vec3& gravity)
    : surface_(surface),
      settings_(settings),
      gravity_(gravity),
      colliders_(character, settings.colliders, collider_solids(character, settings.colliders)) {
  play("");
  const double height = standing_height(surface);
  for (std::size_t k = 0; k < settings.grabs.size(); ++k) {
    const GrabSettings& grab = settings.grabs[k];
    const std::string setting = "grabs[" + std::to_string(k) + "]";
    grabs_.push_back({grab.name.empty() ? setting : grab.name,
                      attach(surface.rest, hold_reach, grab.point,
                             std::min(grab.radius.value_or(hand_of_height * height), largest_hand_of_height * height)),
                      {character, grab.joint, setting}});
  }
  for (Grab& grab : grabs_)
    thin(grab.attachment, surface.rest, std::max<std::size_t>(1, most_held_points / grabs_.size()));
  for (std::size_t k = 0; k < settings.belts.size(); ++k) {
    const BeltSettings& settings_of_belt = settings.belts[k];
    const std::string setting = "belts[" + std::to_string(k) + "]";
    Belt belt{settings_of_belt.name.empty() ? setting : settings_of_belt.name,
              ring_vertices(surface.rest, settings_of_belt),
              {},
              -1,
              {}};
    if (belt.vertices.empty())
      throw usage_error(setting + ": no vertex of " + character.file +
                        "'s surface is there; make it wider, or its radius larger.");
    belt.share = area_shares(surface.rest, belt.vertices);
    for (int v : belt.vertices)
      belt.centre += surface.rest.positions[static_cast<std::size_t>(v)] / static_cast<double>(belt.vertices.size());
    const std::vector<Bone>& bones = surface.bones;
    const auto found =
        std::find_if(bones.begin(), bones.end(), [&](const Bone& bone) { return bone.name == settings_of_belt.joint; });
    if (found == bones.end())
      throw usage_error(setting + ": " + character.file + " has no joint '" + settings_of_belt.joint +
                        "' that carries skin; `sinew info` lists the joints.");
    belt.bone = static_cast<int>(found - bones.begin());
    belts_.push_back(std::move(belt));
  }
  for (std::size_t k = 0; k < settings.handles.size(); ++k) {
    const HandleSettings& handle = settings.handles[k];
    const std::string setting = "handles: " + handle_words(handle, k);
    handles_.push_back(
        {{character, handle.joint, setting}, default_pose_of(character, surface, handle.joint, setting)});
  }
}

Affine ClipEnvironment::handle_motion(std::size_t k, const ClipMoment& moment) const {
  const HandleSettings& handle = settings_.handles[k];
  const Affine& to_default = handles_[k].to_default_pose;
  const Affine led = motion_about(to_default * handle.place, handle_at(handle, moment.clip_time));
  return handles_[k].motion.in(moment.pose) * (led * to_default);
}

Environment ClipEnvironment::everything() const {
  Environment environment = settings_.keys.everything();
  environment.ground = settings_.ground;
  environment.friction = settings_.friction;
  if (!settings_.colliders.empty()) environment.colliders.planes.emplace_back();
  if (std::any_of(settings_.colliders.begin(), settings_.colliders.end(),
                  [](const ColliderSettings& collider) { return collider.falls; }))
    environment.balls.emplace_back();
  if (!grabs_.empty() || !belts_.empty()) environment.held.emplace_back();
  if (!settings_.loads.empty()) environment.loads.emplace_back();
  return environment;
}

Vec3 ClipEnvironment::target(std::size_t k, const ClipMoment& moment) const {
  const GrabSettings& grab = settings_.grabs[k];
  const Vec3 hand = grabs_[k].motion.in(moment.pose) * grab.to;
  const double share = grab.begin ? closed(moment.clip_time - *grab.begin, grab.reach) : 1;
  const Vec3 carried_there = carried(surface_, grabs_[k].attachment.middle, moment.bones);
  return within_reach(grabs_[k].attachment, surface_, moment.bones, carried_there + share * (hand - carried_there));
}

// The ring, drawn in towards its centre, on its bone.
Affine ClipEnvironment::belt_motion(std::size_t k, const ClipMoment& moment) const {
  const double size = settings_.belts[k].size;
  const Affine drawn{Mat3::identity() * size, (1 - size) * belts_[k].centre};
  return moment.bones[static_cast<std::size_t>(belts_[k].bone)] * drawn;
}

double ClipEnvironment::driven_displacement(const ClipMoment& moment) const {
  double farthest = 0;
  if (grabs_.empty() && belts_.empty()) return farthest;
  const PosedSkin skin(surface_, moment.bones);
  for (std::size_t k = 0; k < grabs_.size(); ++k)
    if (acts(settings_.grabs[k], moment.clip_time))
      farthest = std::max(farthest, distance(target(k, moment), carried(skin, grabs_[k].attachment.middle)));
  for (std::size_t k = 0; k < belts_.size(); ++k) {
    const Affine motion = belt_motion(k, moment);
    for (int v : belts_[k].vertices)
      farthest = std::max(farthest, distance(motion * surface_.rest.positions[static_cast<std::size_t>(v)],
                                             carried(skin, at_vertex(v))));
  }
  return farthest;
}

void ClipEnvironment::tissue(double clip_time, Environment& environment) const {
  if (keys_) keys_->apply(clip_time, gravity_, environment);
}

Environment ClipEnvironment::over(const ClipMoment& before, const ClipMoment& now, double step) const {
  Environment environment;
  over(before, now, step, environment);
  return environment;
}

void ClipEnvironment::over(const ClipMoment& before, const ClipMoment& now, double step,
                           Environment& environment) const {
  environment.clear();
  for (std::size_t k = 0; k < belts_.size(); ++k) {
    const Affine motion_before = belt_motion(k, before), motion = belt_motion(k, now);
    for (std::size_t i = 0; i < belts_[k].vertices.size(); ++i) {
      const Vec3& rest = surface_.rest.positions[static_cast<std::size_t>(belts_[k].vertices[i])];
      const Vec3 target_now = motion * rest, displacement = target_now - motion_before * rest;
      environment.held.push_back({at_vertex(belts_[k].vertices[i]), target_now, step > 0 ? displacement / step : Vec3{},
                                  belts_[k].name, static_cast<int>(k), belts_[k].share[i]});
    }
  }
  for (std::size_t k = 0; k < grabs_.size(); ++k) {
    if (!acts(settings_.grabs[k], now.clip_time)) continue;
    const Vec3 hand = target(k, now);
    hold(grabs_[k].attachment, surface_, grabs_[k].name,
         {hand, hand - target(k, before), before.bones, now.bones, step}, environment.held);
  }
  colliders_.in(now.pose, environment.colliders);
  colliders_.in(before.pose, environment.colliders_before);
  for (std::size_t k = 0; k < handles_.size(); ++k) environment.handles.push_back(handle_motion(k, now));
  if (settings_.rotations) settings_.rotations->at(now.clip_time, environment.rotations);
  environment.ground = settings_.ground;
  environment.friction = settings_.friction;
  for (const LoadSettings& load : settings_.loads)
    if (acts(load, now.clip_time)) environment.loads.push_back({load.point, load.force, load.radius});
  tissue(now.clip_time, environment);
}

}  // namespace sinew
