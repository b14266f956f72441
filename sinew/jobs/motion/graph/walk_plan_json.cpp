#include "sinew/jobs/motion/graph/walk_plan_json.h"

#include "sinew/files/strict_json.h"
#include "sinew/jobs/motion/json_place.h"
#include "sinew/kinematics/graph/ground_path.h"

namespace sinew {
namespace {

constexpr double farthest_point = 1e5;  // metres
constexpr std::size_t most_points = 100000;

std::vector<Vec3> points_from(const JsonPlace& list, bool closed) {
  std::vector<Vec3> points;
  if (list.list_size() > most_points) list.fail("has more than 100000 points; leave some out");
  for (std::size_t k = 0; k < list.list_size(); ++k) {
    const JsonPlace point = list[k];
    if (point.list_size() != 2) point.fail("must be a list of x and z, as in [0, 2.5]");
    points.push_back(
        {point[0].number(-farthest_point, farthest_point), 0, point[1].number(-farthest_point, farthest_point)});
  }
  // A closed path does not need its first point again.
  points = points_apart(points, closed);
  if (points.size() < 2) list.fail("must have at least two different points; add one");
  return points;
}

WalkPlan::ClipPart clip_part_from(const JsonPlace& place) {
  if (place.json->is_string()) return {place.text(), 0};
  place.need_object({"clip", "seconds"});
  WalkPlan::ClipPart part{place.member("clip").text(), 0};
  if (place.has("seconds")) part.seconds = place.member("seconds").number(0, 3600);
  return part;
}

}  // namespace

WalkPlan walk_plan_from_json(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = parse_strict_json(text, file, "correct the line");
  const JsonPlace place{&json, "", &file};
  place.need_object({"$schema", "comment", "points", "closed", "clips"});
  if (place.has("points") == place.has("clips"))
    place.fail(R"(must have either "points", as in {"points": [[0, 0], [0, 5]]}, or "clips")");
  WalkPlan plan;
  if (place.has("closed")) plan.closed = place.member("closed").truth();
  if (place.has("points")) plan.points = points_from(place.member("points"), plan.closed);
  if (place.has("clips")) {
    const JsonPlace clips = place.member("clips");
    for (std::size_t k = 0; k < clips.list_size(); ++k) plan.clips.push_back(clip_part_from(clips[k]));
    if (plan.clips.empty()) clips.fail("must name at least one clip; add one");
  }
  return plan;
}

}  // namespace sinew
