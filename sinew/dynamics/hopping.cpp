#include "sinew/dynamics/hopping.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/dynamics/rigid_body_engine.h"
#include "sinew/dynamics/search_numbers.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double begins_above = 0.1;         // height of the foot at first, share of the leg
constexpr double stands_below = 0.003;       // height of a foot that stands, share of the leg
constexpr double hopping_step = 1.0 / 2000;  // seconds; the ankle is light beside the trunk
constexpr double error_of_heavy_leg = 0.15;  // Hop::ahead_by_error; a leg is a sixth of a person
constexpr double back_to_line = 0.3;         // speed aside for each metre from the line, 1/s
constexpr double most_hopping_lean = 1.0;    // radians
constexpr double most_hopping_seconds = 600;
constexpr double most_hopping_frames = 1e6;
constexpr double lowest_hop_hip = 0.4;  // of the leg, over the ground: a body whose hip is lower has fallen

// A frame of the body of three links.
struct HoppingFrame {
  TreePose pose;
  Vec3 foot;           // the point that stands
  double heading = 0;  // radians
  bool stands = false;
};

// Feet move in each frame so that they stay as they are in the middle of each stance; between stances they go from the
// one to the other.
std::vector<FootMove> moves_of_foot(const std::vector<HoppingFrame>& frames) {
  std::vector<FootMove> moves(frames.size());
  std::size_t left = 0;  // the last frame on the ground
  for (std::size_t begin = 0; begin < frames.size();) {
    std::size_t end = begin + 1;
    while (end < frames.size() && frames[end].stands == frames[begin].stands) ++end;
    if (frames[begin].stands) {
      const HoppingFrame& middle = frames[(begin + end) / 2];
      for (std::size_t f = begin; f < end; ++f)
        moves[f] = {level(middle.foot - frames[f].foot), middle.heading - frames[f].heading};
      const FootMove first = moves[left], last = moves[begin];
      for (std::size_t f = left + 1; f < begin; ++f) {
        const double t = smooth_step(static_cast<double>(f - left) / static_cast<double>(begin - left));
        moves[f] = {first.by + (last.by - first.by) * t, first.turn + (last.turn - first.turn) * t};
      }
      left = end - 1;
    }
    begin = end;
  }
  for (std::size_t f = left + 1; f < frames.size(); ++f) moves[f] = moves[left];
  return moves;
}

void check_hopping(const HoppingOptions& options) {
  if (!(options.seconds > 0 && options.seconds <= most_hopping_seconds))
    throw usage_error("--seconds: hopping lasts more than 0 and at most 600 seconds.");
  if (!(options.frames_per_second > 0 && options.frames_per_second * options.seconds <= most_hopping_frames))
    throw usage_error("--fps: a clip has a million keys at most; ask for fewer, or for less with --seconds.");
  if (!(std::abs(options.speed) <= 10)) throw usage_error("--speed: a body hops at 10 m/s at most.");
}

// A run of the body of three links.
struct HopRun {
  std::vector<double> times;
  std::vector<HoppingFrame> frames;
  HopPhases phases;
  double speed = 0, aside = 0;  // as of Hopping
  std::optional<double> fell;
};

HopRun run_hop(const HoppingBody& hopping, const Hop& hop, const HoppingOptions& options, const Progress& progress) {
  HopControl control(hopping.body, hop, hopping.left);
  EngineOptions engine_options;
  engine_options.step = hopping_step;
  engine_options.ground = options.ground;
  engine_options.inertia_added = inertia_added(control.drives(), engine_options.step);
  RigidBodyEngine engine(hopping.body, engine_options);
  const double leg = norm(hopping.body.tree.offset[2]) + norm(hopping.body.skin_points[2][0]);
  BodyState state = control.beginning(options.ground, begins_above * leg);
  state.pose.root += level(hopping.upright.root);
  engine.set_state(state);

  HopRun run;
  PlacedJoints placed;
  std::vector<Vec3> torque(hopping.body.size());
  const auto steps = std::lround(options.seconds / hopping_step);
  const long of_frame = std::max(1L, std::lround(1 / (options.frames_per_second * hopping_step)));
  Vec3 half_way;
  double half_time = 0;
  for (long s = 0; s <= steps; ++s) {
    const double time = static_cast<double>(s) * hopping_step;
    const TreePose& pose = engine.state().pose;
    place_joints(hopping.body.tree, pose, placed);
    const double aside = dot(pose.root - hopping.upright.root, hopping.left);
    if (s % of_frame == 0 || s == steps) {
      const Vec3 foot = placed(2, hopping.body.skin_points[2][0]);
      run.times.push_back(time);
      run.frames.push_back({pose, foot, hop_heading(pose), foot.y < options.ground + stands_below * leg});
      run.aside = std::max(run.aside, std::abs(aside));
      if (2 * s <= steps) {
        half_way = pose.root;
        half_time = time;
      } else {
        run.speed = dot(pose.root - half_way, hopping.ahead) / (time - half_time);
      }
      report_or_stop(progress, "hopping", static_cast<double>(s) / static_cast<double>(steps + 1));
    }
    const bool leans = rotate(pose.local[0], {0, 1, 0}).y < std::cos(most_hopping_lean);
    if (leans || placed.place[1].y < options.ground + lowest_hop_hip * leg) {
      run.fell = time;
      break;
    }
    control.want(hopping.ahead * options.speed - hopping.left * std::clamp(back_to_line * aside, -0.2, 0.2));
    control.torques(engine.state(), std::max(0.0, engine.ground_forces()[2].y), hopping_step, torque);
    if (s == steps) break;
    try {
      engine.step(torque, {});
    } catch (const Error&) {  // the links went out of bounds
      run.fell = time;
      break;
    }
  }
  run.phases = control.phases();
  return run;
}

// The cost is below 10 where the body stays up.
double cost_of(const HopRun& run, const HoppingOptions& options) {
  const double missed = (run.speed - options.speed) / std::max(std::abs(options.speed), 0.3);
  if (run.fell) return 20 - 10 * *run.fell / options.seconds;
  return std::min(9.0, 4 * std::abs(missed) + run.aside);
}

}  // namespace

Hop usual_hop(const HoppingBody& hopping, double speed) {
  Hop hop;
  hop.velocity = hopping.ahead * speed;
  hop.foot_radius = hopping.foot_radius;
  hop.ahead_by_error = error_of_heavy_leg;
  return hop;
}

Hopping hop_along(const CharacterLinks& links, const HoppingBody& hopping, const Hop& hop,
                  const HoppingOptions& options, const Progress& progress) {
  check_hopping(options);
  HopRun run = run_hop(hopping, hop, options, progress);
  Hopping result{std::move(run.times), {}, std::move(run.phases), run.speed, run.aside, run.fell};
  const std::vector<FootMove> moves = moves_of_foot(run.frames);
  for (std::size_t f = 0; f < run.frames.size(); ++f)
    result.poses.push_back(pose_of_hopping(links, hopping, run.frames[f].pose, options.ground, moves[f]));
  return result;
}

Hop find_hop(const HoppingBody& hopping, const HoppingOptions& options, int tries, const Progress& progress) {
  check_hopping(options);
  std::vector<Hop> hops{usual_hop(hopping, options.speed)};
  std::mt19937_64 random(1);
  for (int k = 0; k < tries; ++k) {
    Hop hop = hops.front();
    hop.height = drawn_between(random, 0.12, 0.28);
    hop.stance_time = drawn_between(random, 0.7, 1.1);
    hop.bent = drawn_between(random, 0.9, 1.4);
    hop.ahead_by_error = drawn_between(random, 0.05, 0.45);
    hop.upright = drawn_between(random, 0.5, 1.5);
    hop.calm = drawn_between(random, 0.3, 0.8);
    hops.push_back(hop);
  }
  std::vector<double> cost(hops.size());
  constexpr std::size_t at_once = 16;
  for (std::size_t begin = 0; begin < hops.size(); begin += at_once) {
    report_or_stop(progress, "searching for a hop", static_cast<double>(begin) / static_cast<double>(hops.size()));
    const std::size_t count = std::min(at_once, hops.size() - begin);
    parallel_for(count, 1, [&](std::size_t k) {
      cost[begin + k] = cost_of(run_hop(hopping, hops[begin + k], options, {}), options);
    });
  }
  return hops[index(static_cast<int>(std::min_element(cost.begin(), cost.end()) - cost.begin()))];
}

}  // namespace sinew
