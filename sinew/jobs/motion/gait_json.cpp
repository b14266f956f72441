#include "sinew/jobs/motion/gait_json.h"

#include "sinew/files/strict_json.h"
#include "sinew/jobs/motion/json_place.h"

namespace sinew {
namespace {

constexpr double half_turn = 3.2, largest_share = 10;

SwingAngles swing_angles_from(const JsonPlace& place) {
  place.need_object({"thigh", "knee"});
  return {place.member("thigh").number(-half_turn, half_turn), place.member("knee").number(-half_turn, half_turn)};
}

}  // namespace

std::string gait_json(const GaitFile& file) {
  const Gait& gait = file.gait;
  const auto angles = [](const SwingAngles& of) {
    return nlohmann::ordered_json{{"thigh", of.thigh}, {"knee", of.knee}};
  };
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (file.speed) json["speed"] = *file.speed;
  json.update(
      nlohmann::ordered_json{{"lift_seconds", gait.lift_seconds},
                             {"lean", gait.lean},
                             {"lift", angles(gait.lift)},
                             {"land", angles(gait.land)},
                             {"stand_knee", gait.stand_knee},
                             {"stand_foot", gait.stand_foot},
                             {"swing_foot", gait.swing_foot},
                             {"apart", gait.apart},
                             {"ahead", {{"by_place", gait.ahead_by_place}, {"by_speed", gait.ahead_by_speed}}},
                             {"aside", {{"by_place", gait.aside_by_place}, {"by_speed", gait.aside_by_speed}}}});
  return json.dump(2) + "\n";
}

GaitFile gait_from_json(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = parse_strict_json(text, file, "correct the line");
  const JsonPlace place{&json, "", &file};
  place.need_object({"$schema", "comment", "speed", "lift_seconds", "lean", "lift", "land", "stand_knee", "stand_foot",
                     "swing_foot", "apart", "ahead", "aside"});
  const auto angle = [&](const char* key) { return place.member(key).number(-half_turn, half_turn); };
  const auto share = [&](const char* key, const char* by) {
    const JsonPlace of = place.member(key);
    of.need_object({"by_place", "by_speed"});
    return of.member(by).number(-largest_share, largest_share);
  };
  GaitFile result;
  if (place.has("speed")) result.speed = place.member("speed").number(-100, 100);
  Gait& gait = result.gait;
  gait.lift_seconds = place.member("lift_seconds").number(0.05, 5);
  gait.lean = angle("lean");
  gait.lift = swing_angles_from(place.member("lift"));
  gait.land = swing_angles_from(place.member("land"));
  gait.stand_knee = angle("stand_knee");
  gait.stand_foot = angle("stand_foot");
  gait.swing_foot = angle("swing_foot");
  gait.apart = angle("apart");
  gait.ahead_by_place = share("ahead", "by_place");
  gait.ahead_by_speed = share("ahead", "by_speed");
  gait.aside_by_place = share("aside", "by_place");
  gait.aside_by_speed = share("aside", "by_speed");
  return result;
}

}  // namespace sinew
