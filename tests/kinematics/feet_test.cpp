// Feet that stand where they stand, and built-in motions.
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/kinematics/built_in_motion.h"
#include "sinew/kinematics/foot_locks.h"
#include "sinew/kinematics/frame_steps.h"
#include "tests/kinematics/human.h"

namespace sinew::test {
namespace {

// A foot that stands for half a second, swings forward in another half, and stands again, over and over.
FootPath stepping_foot(std::span<const double> times) {
  FootPath foot;
  foot.ankle_standing = 0.09;
  foot.toe_standing = 0.02;
  for (const double t : times) {
    const double step = std::floor(t), s = std::clamp(2 * (t - step - 0.5), 0.0, 1.0);
    const Vec3 at{0.1, 0.3 * std::sin(3.14159265358979 * s) * std::sin(3.14159265358979 * s),
                  0.8 * (step + s * s * (3 - 2 * s))};
    foot.ankle.push_back(at + Vec3{0, 0.09, 0});
    foot.toe.push_back(at + Vec3{0, 0.02, 0.14});
  }
  return foot;
}

std::vector<double> times_of(double seconds, double rate) {
  std::vector<double> times;
  for (int f = 0; f <= seconds * rate; ++f) times.push_back(f / rate);
  return times;
}

TEST(FootContacts, AreFoundWithinTwoFrames) {
  for (const double rate : {24.0, 60.0, 120.0}) {
    const std::vector<double> times = times_of(4, rate);
    const FootContacts contacts = find_contacts(stepping_foot(times), times, 0.86);
    int wrong = 0;
    for (std::size_t f = 0; f < times.size(); ++f) {
      const double within = times[f] - std::floor(times[f]);
      const bool stands = within < 0.5;
      // Slow beginnings and ends of a step count either way.
      if (within > 0.45 && within < 0.62) continue;
      if (within > 0.9 || within < 2 / rate) continue;
      wrong += contacts.any(f) != stands;
    }
    EXPECT_EQ(wrong, 0) << rate;
  }
}

TEST(FootContacts, AFootThatSlidesOrHangsDoesNotStand) {
  const std::vector<double> times = times_of(2, 30);
  FootPath sliding, hanging;
  for (const double t : times) {
    sliding.ankle.push_back({0, 0.09, 1.2 * t});
    hanging.ankle.push_back({0, 0.5, 0});
  }
  sliding.ankle_standing = hanging.ankle_standing = 0.09;
  for (const FootPath& foot : {sliding, hanging}) {
    const FootContacts contacts = find_contacts(foot, times, 0.86);
    for (std::size_t f = 0; f < times.size(); ++f) EXPECT_FALSE(contacts.any(f));
  }
}

struct HeldMotion {
  FootSlide before, after;
  std::vector<FootPath> paths;
  std::vector<FootContacts> contacts;
  BoneMotion motion;
  double leg = 0;
};

// A walk in which the feet are posed by their own places but the body's path is not quite theirs, on a body with other
// proportions.
HeldMotion held_walk(const Human& human) {
  const RiggedBody body = human.body();
  const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, body.up);
  const BodyPoser poser(human.skeleton, body.bones, body.reference, gesture_bones(body.bones));
  HeldMotion held;
  held.leg = frames.leg_length;
  held.motion = built_in_motion(find_gesture("stomp"), body, frames, poser, 1);
  // The whole body drifts: standing feet slide.
  for (std::size_t f = 0; f < held.motion.times.size(); ++f) held.motion.root[f].z += 0.1 * held.motion.times[f];
  const std::vector<FootPoints> feet = foot_points(body, frames, body.bones.legs);
  const auto paths = [&] {
    std::vector<FootPath> result;
    for (const FootPoints& foot : feet) result.push_back(path_of(foot, body, poser, held.motion));
    return result;
  };
  held.paths = paths();
  for (const FootPath& path : held.paths) held.contacts.push_back(find_contacts(path, held.motion.times, held.leg));
  held.before = foot_slide(held.paths, held.contacts, held.leg);
  lock_feet(body, frames, poser, held.contacts, held.motion);
  held.paths = paths();
  held.after = foot_slide(held.paths, held.contacts, held.leg);
  return held;
}

TEST(FootLocks, StandingFeetDoNotSlideAndReachTheGround) {
  const HeldMotion held = held_walk(make_human());
  EXPECT_GT(held.before.contacts, 4);
  EXPECT_GT(held.before.largest, 0.05);
  EXPECT_LT(held.after.largest, 1e-6);
  for (std::size_t side = 0; side < 2; ++side) {
    double lowest = INFINITY;
    for (std::size_t f = 0; f < held.motion.times.size(); ++f) {
      const double height = held.paths[side].toe[f].y - held.paths[side].toe_standing;
      EXPECT_GT(height, -0.01 * held.leg);
      if (held.contacts[side].toe[f]) lowest = std::min(lowest, height);
      const bool ends = f + 1 == held.motion.times.size() || !held.contacts[side].any(f + 1);
      if (!held.contacts[side].any(f) || !ends) continue;
      EXPECT_LT(lowest, 0.002 * held.leg);
      lowest = INFINITY;
    }
  }
}

// Rigs of games pull legs off the hips and feet off the shins. Bones are then where the pose has them, and feet are
// held without pulling any farther.
TEST(FootLocks, HoldFeetOfBonesThatArePulledApart) {
  const Human human = make_human();
  const RiggedBody body = human.body();
  const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, body.up);
  const BodyPoser poser(human.skeleton, body.bones, body.reference, gesture_bones(body.bones));
  BoneMotion motion = built_in_motion(find_gesture("stomp"), body, frames, poser, 1);
  const std::size_t count = poser.bones().size(), joints = human.skeleton.joints.size();
  std::vector<Vec3> positions(joints), again(joints), offsets;
  std::vector<Quat> rotations(joints);
  const auto below = [&](int joint, int top) { return joint == top || descends_from(human.skeleton, joint, top); };
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    motion.root[f].z += 0.1 * motion.times[f];
    poser.place(std::span(motion.rotations).subspan(f * count, count), motion.root[f], positions, rotations);
    const double away = 0.03 * (1 + std::sin(9 * motion.times[f]));
    Pose pose;
    for (std::size_t j = 0; j < joints; ++j) {
      const int joint = static_cast<int>(j);
      for (const LimbBones& leg : body.bones.legs)
        positions[j] += (below(joint, leg.upper) ? Vec3{away, -away, 0} : Vec3{}) +
                        (below(joint, leg.end) ? Vec3{0, 0, 0.5 * away} : Vec3{});
      pose.world.push_back({to_matrix(rotations[j]), positions[j]});
    }
    poser.find_offsets(std::span(motion.rotations).subspan(f * count, count), pose, offsets);
    motion.offsets.insert(motion.offsets.end(), offsets.begin(), offsets.end());
    poser.place(motion, f, again, rotations);
    for (std::size_t j = 0; j < joints; ++j) EXPECT_LT(distance(again[j], positions[j]), 1e-12) << j;
  }
  const std::vector<FootPoints> feet = foot_points(body, frames, body.bones.legs);
  const auto slide = [&](std::span<const FootContacts> contacts) {
    std::vector<FootPath> paths;
    for (const FootPoints& foot : feet) paths.push_back(path_of(foot, body, poser, motion));
    return foot_slide(paths, contacts, frames.leg_length);
  };
  std::vector<FootContacts> contacts;
  for (const FootPoints& foot : feet)
    contacts.push_back(find_contacts(path_of(foot, body, poser, motion), motion.times, frames.leg_length));
  EXPECT_GT(slide(contacts).largest, 0.05);
  const BoneMotion before = motion;
  lock_feet(body, frames, poser, contacts, motion);
  EXPECT_LT(slide(contacts).largest, 1e-6);
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    poser.place(before, f, positions, rotations);
    poser.place(motion, f, again, rotations);
    for (const FootPoints& foot : feet)
      for (const auto& [upper, lower] : {std::pair{foot.thigh, foot.shin}, {foot.shin, foot.foot}})
        EXPECT_NEAR(distance(again[index(upper)], again[index(lower)]),
                    distance(positions[index(upper)], positions[index(lower)]), 1e-9);
  }
}

// Corrections come and go smoothly: no frame makes an ankle jump more than its motion before did, by far.
TEST(FootLocks, NothingPops) {
  const HeldMotion held = held_walk(make_human());
  for (const FootPath& path : held.paths)
    for (std::size_t f = 2; f < path.ankle.size(); ++f) {
      const Vec3 second = path.ankle[f] - 2.0 * path.ankle[f - 1] + path.ankle[f - 2];
      EXPECT_LT(norm(second), 0.05 * held.leg) << f;
    }
}

TEST(BuiltIn, FeetStandStillAndKneesBendForward) {
  const Human human = make_human({"mixamo", 1.3, 11, true, {}, {}});
  const RiggedBody body = human.body();
  const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, body.up);
  const BodyPoser poser(human.skeleton, body.bones, body.reference, gesture_bones(body.bones));
  const std::vector<FootPoints> feet = foot_points(body, frames, body.bones.legs);
  std::vector<Vec3> positions(human.skeleton.joints.size());
  std::vector<Quat> rotations(human.skeleton.joints.size());
  for (const Gesture& gesture : all_gestures()) {
    const BoneMotion motion = built_in_motion(gesture, body, frames, poser, 1);
    std::vector<FootPath> paths;
    std::vector<FootContacts> contacts;
    for (const FootPoints& foot : feet) {
      paths.push_back(path_of(foot, body, poser, motion));
      contacts.push_back(find_contacts(paths.back(), motion.times, frames.leg_length));
    }
    EXPECT_LT(foot_slide(paths, contacts, frames.leg_length).largest, 0.03) << gesture.name;
    EXPECT_LT(frame_steps(body, poser, motion, frames.leg_length).first, 0.01) << gesture.name;
    const std::size_t count = poser.bones().size();
    for (std::size_t f = 0; f < motion.times.size(); ++f) {
      poser.place(std::span(motion.rotations).subspan(f * count, count), motion.root[f], positions, rotations);
      for (const FootPoints& foot : feet) {
        const Vec3 hip = positions[static_cast<std::size_t>(foot.thigh)],
                   knee = positions[static_cast<std::size_t>(foot.shin)],
                   ankle = positions[static_cast<std::size_t>(foot.foot)];
        const Vec3 normal = cross(ankle - knee, knee - hip);  // points to the body's right where the knee is forward
        const Vec3 left = rotate(
            rotations[static_cast<std::size_t>(foot.thigh)],
            rotate(conjugate(body.reference.rotation[static_cast<std::size_t>(foot.thigh)]), frames.axes.column(0)));
        EXPECT_LT(dot(normal, left), 1e-3 * frames.leg_length * frames.leg_length) << gesture.name << " frame " << f;
        EXPECT_GT(paths[0].toe[f].y, paths[0].toe_standing - 1e-3 * frames.leg_length) << gesture.name;
      }
    }
  }
  EXPECT_THROW(find_gesture("hop"), Error);
}

// Galileo: in the air the hips move on the parabola of g, whatever the size and unit.
TEST(BuiltIn, TheJumpIsAParabolaOfGravity) {
  for (const double scale : {1.0, 3.0, 180.0}) {
    const double metres_per_unit = scale == 180 ? 0.01 : 1;
    const Human human = make_human({"plain", scale, 0, false, {}, {}});
    const RiggedBody body = human.body();
    const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, body.up);
    const BodyPoser poser(human.skeleton, body.bones, body.reference, gesture_bones(body.bones));
    const BoneMotion motion = built_in_motion(find_gesture("jump"), body, frames, poser, metres_per_unit);
    const Flight flight = flight_of_jump({9.81 / (metres_per_unit * frames.leg_length), false});
    int frames_in_air = 0;
    for (std::size_t f = 1; f + 1 < motion.times.size(); ++f) {
      if (motion.times[f - 1] < flight.begin || motion.times[f + 1] > flight.end) continue;
      ++frames_in_air;
      const double step = motion.times[1];
      const auto height = [&](std::size_t k) {
        std::vector<Vec3> positions(human.skeleton.joints.size());
        std::vector<Quat> rotations(human.skeleton.joints.size());
        const std::size_t count = poser.bones().size();
        poser.place(std::span(motion.rotations).subspan(k * count, count), motion.root[k], positions, rotations);
        return (positions[static_cast<std::size_t>(body.bones.legs[0].upper)].y +
                positions[static_cast<std::size_t>(body.bones.legs[1].upper)].y) /
               2 * metres_per_unit;
      };
      EXPECT_NEAR((height(f + 1) - 2 * height(f) + height(f - 1)) / (step * step), -9.81, 1e-5);
    }
    EXPECT_GT(frames_in_air, 10);
  }
}

TEST(MotionDeterminism, TheSameBitsForAnyNumberOfThreads) {
  const Human human = make_human({"mixamo", 1.3, 11, true, {}, {}});
  std::vector<Quat> first;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    const HeldMotion held = held_walk(human);
    if (first.empty()) first = held.motion.rotations;
    EXPECT_TRUE(first == held.motion.rotations);
  }
  set_thread_count(0);
}

// Recording programs put a rest pose before the motion.
TEST(Transfer, ARestPoseBeforeTheMotionIsLeftOut) {
  const Human human = make_human();
  Clip clip = lively_clip(human, 30);
  for (Channel& channel : clip.channels) {
    const double step = 1.0 / 30;
    for (double& time : channel.times) time += step;
    channel.times.insert(channel.times.begin(), 0.0);
    const Joint& joint = human.skeleton.joints[static_cast<std::size_t>(channel.joint)];
    Quat q = joint.rest.rotation;
    if (joint.name == "upperArmL") q = axis_angle({0, 0, 1}, 1.2);
    const Vec3 p = joint.rest.translation;
    if (channel.components == 4)
      channel.values.insert(channel.values.begin(), {q.x, q.y, q.z, q.w});
    else
      channel.values.insert(channel.values.begin(), {p.x, p.y, p.z});
  }
  RiggedBody recorded = human.body();
  recorded.grounded = false;  // as in BVH files
  const RiggedBody target = human.body();
  const BodyPoser poser(human.skeleton, target.bones, target.reference, driven_bones(recorded, target));
  const TransferredMotion details = transfer_motion(recorded, clip, target, poser);
  EXPECT_TRUE(details.dropped_first_frame);
  EXPECT_EQ(details.motion.times.size(), 30u);
  EXPECT_NEAR(details.motion.times.front(), 0, 1e-12);
  EXPECT_NEAR(details.motion.times.back(), 29.0 / 30, 1e-12);
  EXPECT_FALSE(transfer_motion(recorded, lively_clip(human, 30), target, poser).dropped_first_frame);
  // An animator's clip may begin with a jump.
  EXPECT_FALSE(transfer_motion(target, clip, target, poser).dropped_first_frame);
}

}  // namespace
}  // namespace sinew::test
