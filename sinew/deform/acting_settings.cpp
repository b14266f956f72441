#include "sinew/deform/acting_settings.h"

#include "sinew/deform/setting.h"

namespace sinew {
namespace {

// clang-format off
Setting begin_setting(std::optional<double>& begin) {
  return {.key = "begin", .value = &begin, .help = "When it begins on the clip's time line", .unit = units::seconds,
          .none = "from the clip's start", .recooks = Recooks::run};
}

Setting end_setting(const std::optional<double>& begin, std::optional<double>& end) {
  return {.key = "end", .value = &end, .help = "When it ends on the clip's time line", .unit = units::seconds,
          .none = "to the clip's end", .recooks = Recooks::run,
          .rule = [&] { return std::string(begin && end && *begin > *end ? "must not come before `begin`." : ""); }};
}
// clang-format on

}  // namespace

// clang-format off
Settings settings_of(GrabSettings& g) {
  return {
      {.key = "name", .value = &g.name, .help = "For messages", .recooks = Recooks::nothing},
      {.key = "point", .value = &g.point, .help = "Takes hold of the skin's nearest point, in the rest pose",
       .unit = units::metres, .recooks = Recooks::run},
      {.key = "radius", .value = &g.radius, .help = "Of the skin around it that is held, along the skin; 0: the point alone",
       .range = from(0), .unit = units::metres, .none = "0.04 of the character's height", .recooks = Recooks::run},
      {.key = "to", .value = &g.to, .help = "Where it is led, in the world and the default pose",
       .unit = units::metres, .recooks = Recooks::run},
      {.key = "joint", .value = &g.joint, .help = "Name of the joint that the hand moves with",
       .none = "it stays in the world", .recooks = Recooks::run},
      begin_setting(g.begin),
      end_setting(g.begin, g.end),
      {.key = "reach", .value = &g.reach, .help = "Time from its beginning, over which the point is led there",
       .range = from(0), .unit = units::seconds, .recooks = Recooks::run},
  };
}

Settings settings_of(BeltSettings& b) {
  return {
      {.key = "name", .value = &b.name, .help = "For messages", .recooks = Recooks::nothing},
      {.key = "point", .value = &b.point, .help = "In its middle, in the rest pose", .unit = units::metres,
       .recooks = Recooks::run},
      {.key = "normal", .value = &b.normal, .help = "Of its plane", .recooks = Recooks::run,
       .rule = [&b] { return std::string(norm(b.normal) > 0 ? "" : "must have a length."); }},
      {.key = "width", .value = &b.width, .help = "Vertices of the skin within half of it of the plane are held",
       .range = above(0), .unit = units::metres, .recooks = Recooks::run},
      {.key = "radius", .value = &b.radius,
       .help = "Those within it of the point, of patches there that go around the point: not the arm beside the waist",
       .range = above(0), .unit = units::metres, .recooks = Recooks::run},
      {.key = "size", .value = &b.size, .help = "Of the ring over that of the skin at rest: less draws it tight",
       .range = {.least = 0, .most = 10, .without_least = true}, .recooks = Recooks::run},
      {.key = "joint", .value = &b.joint, .help = "Name of the joint that it moves with", .required = true,
       .recooks = Recooks::run},
  };
}

Settings settings_of(LoadSettings& p) {
  return {
      {.key = "point", .value = &p.point, .help = "In the rest pose", .unit = units::metres, .recooks = Recooks::run},
      {.key = "force", .value = &p.force, .help = "In all, in the world", .unit = units::newtons,
       .recooks = Recooks::run},
      {.key = "radius", .value = &p.radius, .help = "Over which the force is spread", .range = from(0),
       .unit = units::metres, .recooks = Recooks::run},
      begin_setting(p.begin),
      end_setting(p.begin, p.end),
  };
}

Setting ground_setting(std::optional<double>& ground) {
  return {.key = "ground", .value = &ground, .help = "Height of a ground plane that flesh does not pass",
          .unit = units::metres, .none = "none", .option = OnCommandLine::common, .example = "0", .group = "Body",
          .recooks = Recooks::run};
}

Setting colliders_setting(std::vector<ColliderSettings>& colliders) {
  return {.key = "colliders", .value = list(colliders),
          .help = "Solid shapes that flesh does not enter, where they are in the world and the default pose",
          .recooks = Recooks::run};
}

Setting grabs_setting(std::vector<GrabSettings>& grabs) {
  return {.key = "grabs", .value = list(grabs), .help = "Hands that take hold of the skin around points",
          .page = "constraints.md", .recooks = Recooks::run};
}

Setting belts_setting(std::vector<BeltSettings>& belts) {
  return {.key = "belts", .value = list(belts),
          .help = "Rings of points of the skin that keep their shape, as nearly as the cells there can follow them",
          .page = "constraints.md", .recooks = Recooks::run};
}

Setting loads_setting(std::vector<LoadSettings>& loads) {
  return {.key = "pokes", .value = list(loads), .help = "Forces on the flesh around points of the surface",
          .recooks = Recooks::run};
}
// clang-format on

}  // namespace sinew
