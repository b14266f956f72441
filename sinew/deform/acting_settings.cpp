#include "sinew/deform/acting_settings.h"

#include <utility>

namespace sinew {
namespace {

// clang-format off
template <class Acting>
Setting begin_setting() {
  return {.key = "begin", .value = &Acting::begin, .help = "When it begins on the clip's time line",
          .unit = units::seconds, .none = "from the clip's start", .recooks = Recooks::run};
}

template <class Acting>
Setting end_setting() {
  return {.key = "end", .value = &Acting::end, .help = "When it ends on the clip's time line", .unit = units::seconds,
          .none = "to the clip's end", .recooks = Recooks::run,
          .rule = [](const Acting& a) {
            return a.begin && a.end && *a.begin > *a.end ? "must not come before `begin`." : "";
          }};
}
// clang-format on

}  // namespace

// clang-format off
SettingsTable GrabSettings::describe() {
  return {
      {.key = "name", .value = &GrabSettings::name, .help = "For messages", .recooks = Recooks::nothing},
      {.key = "point", .value = &GrabSettings::point,
       .help = "Takes hold of the skin's nearest point, in the rest pose", .unit = units::metres,
       .recooks = Recooks::run},
      {.key = "radius", .value = &GrabSettings::radius,
       .help = "Of the skin around it that is held, along the skin; 0: the point alone", .range = from(0),
       .unit = units::metres, .none = "0.04 of the character's height", .recooks = Recooks::run},
      {.key = "to", .value = &GrabSettings::to, .help = "Where it is led, in the world and the default pose",
       .unit = units::metres, .recooks = Recooks::run},
      {.key = "joint", .value = &GrabSettings::joint, .help = "Name of the joint that the hand moves with",
       .none = "it stays in the world", .recooks = Recooks::run},
      begin_setting<GrabSettings>(),
      end_setting<GrabSettings>(),
      {.key = "reach", .value = &GrabSettings::reach,
       .help = "Time from its beginning, over which the point is led there", .range = from(0), .unit = units::seconds,
       .recooks = Recooks::run},
  };
}

SettingsTable BeltSettings::describe() {
  return {
      {.key = "name", .value = &BeltSettings::name, .help = "For messages", .recooks = Recooks::nothing},
      {.key = "point", .value = &BeltSettings::point, .help = "In its middle, in the rest pose", .unit = units::metres,
       .recooks = Recooks::run},
      {.key = "normal", .value = &BeltSettings::normal, .help = "Of its plane", .recooks = Recooks::run,
       .rule = [](const BeltSettings& b) { return norm(b.normal) > 0 ? "" : "must have a length."; }},
      {.key = "width", .value = &BeltSettings::width,
       .help = "Vertices of the skin within half of it of the plane are held", .range = above(0), .unit = units::metres,
       .recooks = Recooks::run},
      {.key = "radius", .value = &BeltSettings::radius,
       .help = "Those within it of the point, of patches there that go around the point: not the arm beside the waist",
       .range = above(0), .unit = units::metres, .recooks = Recooks::run},
      {.key = "size", .value = &BeltSettings::size,
       .help = "Of the ring over that of the skin at rest: less draws it tight",
       .range = {.least = 0, .most = 10, .without_least = true}, .recooks = Recooks::run},
      {.key = "joint", .value = &BeltSettings::joint, .help = "Name of the joint that it moves with", .required = true,
       .recooks = Recooks::run},
  };
}

SettingsTable LoadSettings::describe() {
  return {
      {.key = "point", .value = &LoadSettings::point, .help = "In the rest pose", .unit = units::metres,
       .recooks = Recooks::run},
      {.key = "force", .value = &LoadSettings::force, .help = "In all, in the world", .unit = units::newtons,
       .recooks = Recooks::run},
      {.key = "radius", .value = &LoadSettings::radius, .help = "Over which the force is spread", .range = from(0),
       .unit = units::metres, .recooks = Recooks::run},
      begin_setting<LoadSettings>(),
      end_setting<LoadSettings>(),
  };
}

Setting ground_setting(const Member<std::optional<double>>& ground) {
  return {.key = "ground", .value = ground, .help = "Height of a ground plane that flesh does not pass",
          .unit = units::metres, .none = "none", .option = OnCommandLine::common, .example = "0", .group = "Body",
          .recooks = Recooks::run};
}

Setting colliders_setting(SettingList colliders) {
  return {.key = "colliders", .value = std::move(colliders),
          .help = "Solid shapes that flesh does not enter, where they are in the world and the default pose",
          .recooks = Recooks::run};
}

Setting loads_setting(SettingList loads) {
  return {.key = "pokes", .value = std::move(loads), .help = "Forces on the flesh around points of the surface",
          .recooks = Recooks::run};
}
// clang-format on

}  // namespace sinew
