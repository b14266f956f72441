#include "sinew/jobs/motion/draw_motion.h"

#include <array>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/base/output_place.h"
#include "sinew/files/strict_json.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/motion/check_bodies.h"
#include "sinew/jobs/motion/json_place.h"
#include "sinew/jobs/motion/standing_feet.h"
#include "sinew/kinematics/built_in_motion.h"
#include "sinew/kinematics/gesture_motion.h"
#include "sinew/kinematics/paths/stroke_motion.h"

namespace sinew {
namespace {

constexpr std::size_t most_stroke_points = 100000;
constexpr double farthest_point = 1e6;  // metres and seconds

}  // namespace

DrawnStroke read_drawn_stroke(const std::filesystem::path& path) {
  const std::string file = path.string();
  const nlohmann::ordered_json json = parse_strict_json(read_text_file(path), file, "correct the line");
  const JsonPlace top{&json, "", &file};
  top.need_object({"points", "times", "$schema"});
  const JsonPlace points = top.member("points"), times = top.member("times");
  if (points.list_size() > most_stroke_points) points.fail("has more than 100,000 points");
  if (times.list_size() != points.list_size()) times.fail("must have as many numbers as there are points");
  DrawnStroke stroke;
  for (std::size_t k = 0; k < points.list_size(); ++k) {
    const JsonPlace point = points[k];
    if (point.list_size() != 3) point.fail("must be a list of three numbers");
    stroke.points.push_back({point[0].number(-farthest_point, farthest_point),
                             point[1].number(-farthest_point, farthest_point),
                             point[2].number(-farthest_point, farthest_point)});
    stroke.times.push_back(times[k].number(-farthest_point, farthest_point));
    if (k > 0 && !(stroke.times[k] > stroke.times[k - 1])) times[k].fail("must be later than the one before");
  }
  if (stroke.points.size() < 2) points.fail("needs two points at least");
  return stroke;
}

DrawnMotion drawn_motion(const OpenedCharacter& opened, const DrawnStroke& stroke) {
  const Character& character = opened.character;
  const CharacterBody own = character_body(character, read_humanoid(*opened.document));
  if (!own.bones.complete())
    throw input_error(
        character.file +
        ": its hips and two legs were not found, so that no stroke can lead it; name its bones by a humanoid map.");
  const RiggedBody body{&character.skeleton, own.bones, own.reference, {0, 1, 0}, true};
  check_body(body, character.file);
  const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, body.up);
  const BodyPoser poser(*body.skeleton, body.bones, body.reference, gesture_bones(body.bones));
  const double leg = frames.leg_length * character.metres_per_unit;
  TimedStroke way{stroke.times, {}};
  for (const Vec3& point : stroke.points)
    way.points.push_back(transpose_times(frames.axes, point - stroke.points.front()) / leg);
  const StrokeMotion motion(way, {9.81 / leg, is_on_all_fours(body, frames)});
  const BoneMotion moved =
      gesture_motion([&](double time) { return motion.pose(time); }, motion.seconds(), body, frames, poser);
  DrawnMotion drawn;
  drawn.feet = measure_feet(body, frames, poser, contacts_of(body, frames, poser, moved), moved);
  drawn.clip = poser.clip(moved, unused_clip_name(character, "drawn"));
  drawn.leaps = static_cast<int>(motion.leaps().size());
  return drawn;
}

DrawnMotion draw_motion(const DrawMotionJob& job) {
  check_outputs_apart(std::array{job.output}, std::array{job.input, job.stroke});
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  DrawnStroke stroke = read_drawn_stroke(job.stroke);
  if (job.seconds > 0) {
    const double first = stroke.times.front(), length = stroke.times.back() - first;
    for (double& time : stroke.times) time = (time - first) * job.seconds / length;
  }
  DrawnMotion drawn = drawn_motion(opened, stroke);
  if (!job.name.empty()) drawn.clip.name = unused_clip_name(opened.character, job.name);
  write_with_clip(opened, drawn.clip, job.output);
  return drawn;
}

}  // namespace sinew
