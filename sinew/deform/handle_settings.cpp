#include "sinew/deform/handle_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

constexpr Word<HandleKind> handle_kinds[] = {
    {"point", HandleKind::point}, {"frame", HandleKind::frame}, {"slide", HandleKind::slide}};
constexpr Word<HandleGrip> handle_grips[] = {{"flesh", HandleGrip::flesh}, {"skin", HandleGrip::skin}};

// Larger numbers, in metres or degrees, are mistakes and would spoil the precision of all others.
constexpr double farthest_of_handles = 1e6;
constexpr double longest_of_keys = 3600;  // seconds

bool is_usable(const Vec3& v) {
  return std::abs(v.x) <= farthest_of_handles && std::abs(v.y) <= farthest_of_handles &&
         std::abs(v.z) <= farthest_of_handles;
}

template <Vec3 HandleSettings::*member>
std::string usable_rule(const HandleSettings& handle) {
  return is_usable(handle.*member) ? "" : "must be three numbers below a million.";
}

std::string turn_rule(const HandleSettings& handle) {
  if (!is_usable(handle.turn)) return "must be three numbers below a million.";
  const bool turned = handle.turn != Vec3{} || std::any_of(handle.keys.begin(), handle.keys.end(),
                                                           [](const HandleKey& key) { return key.turn != Vec3{}; });
  return turned && handle.kind == HandleKind::point
             ? "a point has no orientation; make it a frame, or leave the turn out."
             : "";
}

std::string keys_rule(const HandleSettings& handle) {
  for (std::size_t k = 0; k < handle.keys.size(); ++k) {
    const HandleKey& key = handle.keys[k];
    if (!(key.time >= 0 && key.time <= longest_of_keys))
      return "key " + std::to_string(k + 1) + " must have a time from 0 to 3600 s.";
    if (!is_usable(key.move) || !is_usable(key.turn))
      return "key " + std::to_string(k + 1) + " has a number beyond a million.";
    if (k > 0 && !(key.time > handle.keys[k - 1].time))
      return "key " + std::to_string(k + 1) + " does not come after the one before it; sort the keys by their times.";
  }
  if (!handle.keys.empty() && (handle.move != Vec3{} || handle.turn != Vec3{}))
    return "stand in place of `move` and `turn`; give the one or the others.";
  return "";
}

std::string list_rule(const HandleList& list) {
  if (list.handles.size() > most_handles)
    return "there are more than " + std::to_string(most_handles) + "; leave some out.";
  std::vector<std::string> names;
  for (const HandleSettings& handle : list.handles)
    if (!handle.name.empty()) names.push_back(handle.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  return twice == names.end() ? "" : "two are named '" + *twice + "'; give each a name of its own.";
}

}  // namespace

// clang-format off
SettingsTable HandleKey::describe() {
  return {
      {.key = "time", .value = &HandleKey::time, .help = "On the clip's time line", .unit = units::seconds,
       .required = true, .recooks = Recooks::run},
      {.key = "move", .value = &HandleKey::move, .help = "From the handle's place, in the default pose",
       .unit = units::metres, .recooks = Recooks::run},
      {.key = "turn", .value = &HandleKey::turn, .help = "Rotation vector of a frame in degrees, in the default pose",
       .recooks = Recooks::run},
  };
}

SettingsTable HandleSettings::describe() {
  return {
      {.key = "name", .value = &HandleSettings::name, .help = "For messages", .recooks = Recooks::nothing},
      {.key = "kind", .value = choice(&HandleSettings::kind, handle_kinds),
       .help = "A point leads a place, a frame turns the flesh there too, a slide holds skin along its normal alone", .recooks = Recooks::body},
      {.key = "place", .value = &HandleSettings::place, .help = "In the body or on its skin, in the rest pose",
       .unit = units::metres, .required = true, .recooks = Recooks::body, .rule = usable_rule<&HandleSettings::place>},
      {.key = "radius", .value = &HandleSettings::radius, .help = "Of what it holds around its place",
       .range = {.least = 0, .most = farthest_of_handles, .without_least = true}, .unit = units::metres,
       .none = "0.04 of the character's height", .recooks = Recooks::body},
      {.key = "grip", .value = choice(&HandleSettings::grip, handle_grips),
       .help = "What it holds (all flesh within the radius, or the patch of skin within it)", .recooks = Recooks::body},
      {.key = "joint", .value = &HandleSettings::joint, .help = "Name of the joint that carries it",
       .none = "it stays in the world", .recooks = Recooks::run},
      {.key = "move", .value = &HandleSettings::move, .help = "From its place, in the default pose",
       .unit = units::metres, .recooks = Recooks::run, .rule = usable_rule<&HandleSettings::move>},
      {.key = "turn", .value = &HandleSettings::turn,
       .help = "Rotation vector of a frame in degrees, in the default pose", .recooks = Recooks::run, .rule = turn_rule},
      {.key = "keys", .value = list(&HandleSettings::keys),
       .help = "Where it is led over time, in place of `move` and `turn`", .recooks = Recooks::run, .rule = keys_rule},
  };
}

SettingsTable HandleList::describe() {
  return {
      {.key = "handles", .value = list(&HandleList::handles), .help = "Points and frames that lead the body",
       .recooks = Recooks::body, .rule = list_rule},
  };
}
// clang-format on

std::string handle_words(const HandleSettings& handle, std::size_t index) {
  return handle.name.empty() ? "handle " + std::to_string(index + 1) : "handle '" + handle.name + "'";
}

HandleKey handle_at(const HandleSettings& handle, double clip_time) {
  const std::vector<HandleKey>& keys = handle.keys;
  if (keys.empty()) return {0, handle.move, handle.turn};
  const auto next = std::find_if(keys.begin(), keys.end(), [&](const HandleKey& key) { return key.time > clip_time; });
  if (next == keys.begin()) return keys.front();
  if (next == keys.end()) return keys.back();
  const HandleKey& from = *(next - 1);
  const double share = (clip_time - from.time) / (next->time - from.time);
  return {clip_time, from.move + share * (next->move - from.move), from.turn + share * (next->turn - from.turn)};
}

Affine motion_about(const Vec3& place, const HandleKey& key) {
  const double degrees = norm(key.turn);
  const Mat3 turn =
      degrees > 0 ? to_matrix(axis_angle(key.turn / degrees, degrees * std::numbers::pi / 180)) : Mat3::identity();
  return {turn, place + key.move - turn * place};
}

std::optional<double> last_key_time(const std::vector<HandleSettings>& handles) {
  std::optional<double> last;
  for (const HandleSettings& handle : handles)
    if (!handle.keys.empty()) last = std::max(last.value_or(handle.keys.back().time), handle.keys.back().time);
  return last;
}

std::vector<HandleSettings> without_motion(std::vector<HandleSettings> handles) {
  for (HandleSettings& handle : handles) {
    handle.joint.clear();
    handle.move = handle.turn = {};
    handle.keys.clear();
  }
  return handles;
}

}  // namespace sinew
