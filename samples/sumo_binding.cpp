#include "exact_math.h"
#include "sumo_design.h"

namespace sinew::samples {

std::vector<Bone> sumo_bones(const Skeleton& s) {
  const SumoPoints& p = sumo_points();
  BoneList list(s);
  list.add("hips", {-0.05, 0.88, -0.02}, {0.05, 0.88, -0.02}, 0.13);
  list.add("spine", {0, 1.00, 0.00}, {0, 1.06, -0.01}, 0.13);
  list.add("spine", {0, 0.98, 0.12}, {0, 1.02, 0.12}, 0.15);
  list.add("chest", {-0.08, 1.20, -0.02}, {0.08, 1.20, -0.02}, 0.11);
  list.add("chest", {-0.12, 1.19, 0.08}, {0.12, 1.19, 0.08}, 0.06);
  list.add("neck", {0, 1.385, -0.02}, {0, 1.42, -0.01}, 0.05);
  list.add("head", {0, 1.53, 0.0}, {0, 1.58, -0.01}, 0.075);
  list.add("jaw", {0, 1.455, 0.07}, {0, 1.468, 0.085}, 0.02);
  list.add("topknot", {0, 1.70, -0.08}, {0, 1.712, 0.0}, 0.018);
  list.add_limbs("clavicle", {0.06, 1.345, -0.02}, p.shoulder, 0.2, 0.65, 0.05);
  list.add_limbs("upper_arm", p.shoulder, p.elbow, 0.16, 0.84, 0.042);
  list.add_limbs("forearm", p.elbow, p.wrist, 0.16, 0.84, 0.032);
  list.add_pair("hand", sumo_hand_point(0.02, 0), sumo_hand_point(0.075, 0), 0.022);
  list.add_pair("fingers_1", sumo_hand_point(0.110, 0.02), sumo_hand_point(0.110, -0.02), 0.014);
  list.add_pair("fingers_1", sumo_hand_point(0.125, 0.025), sumo_hand_point(0.125, -0.025), 0.014);
  list.add_pair("fingers_2", sumo_hand_point(0.155, 0.03), sumo_hand_point(0.155, -0.03), 0.014);
  list.add_pair("thumb_1", sumo_hand_point(0.045, 0.045), sumo_hand_point(0.065, 0.057), 0.012);
  list.add_pair("thumb_2", sumo_hand_point(0.083, 0.066), sumo_hand_point(0.10, 0.071), 0.011);
  list.add_limbs("thigh", p.hip, p.knee, 0.22, 0.84, 0.060);
  list.add_limbs("shin", p.knee, p.ankle, 0.14, 0.84, 0.036);
  list.add_pair("foot", p.ankle + Vec3{0, -0.03, -0.02}, p.ball_of_foot + Vec3{-0.01, 0.005, -0.02}, 0.026);
  list.add_pair("toes", {0.215, 0.022, 0.135}, {0.29, 0.020, 0.112}, 0.016);
  return list.bones;
}

std::vector<Share> sumo_shares(const Skeleton& s) {
  std::vector<Share> shares{{s.index("belly"), {0, 0.97, 0.25}, {0.32, 0.26, 0.30}, 0.65}};
  const auto add_pair = [&](const std::string& joint, const Vec3& centre, const Vec3& radii, double strength) {
    shares.push_back({s.index(joint + "_l"), centre, radii, strength});
    shares.push_back({s.index(joint + "_r"), mirrored(centre), radii, strength});
  };
  add_pair("breast", {0.125, 1.185, 0.15}, {0.14, 0.11, 0.13}, 0.6);
  add_pair("cheek", {0.075, 1.485, 0.085}, {0.062, 0.060, 0.062}, 0.6);
  add_pair("buttock", {0.115, 0.81, -0.21}, {0.13, 0.14, 0.14}, 0.55);
  return shares;
}

namespace {

// Moves what lies within the ellipsoid by `offset`, most at its centre.
void push(MorphTarget& morph, const Surface& surface, const Vec3& centre, const Vec3& radii, const Vec3& offset) {
  for (std::size_t v = 0; v < surface.position.size(); ++v) {
    const Vec3 d = surface.position[v] - centre;
    const double share = bump(norm({d.x / radii.x, d.y / radii.y, d.z / radii.z}), 1);
    if (share > 0.002) morph.offset[v] += offset * share;
  }
}

void push_pair(MorphTarget& morph, const Surface& surface, const Vec3& centre, const Vec3& radii, const Vec3& offset) {
  push(morph, surface, centre, radii, offset);
  push(morph, surface, mirrored(centre), radii, mirrored(offset));
}

}  // namespace

void add_sumo_morphs(Sample& sumo) {
  const Surface& surface = sumo.surface;
  const auto blank = [&](const char* name) { return MorphTarget{name, std::vector<Vec3>(surface.position.size())}; };
  MorphTarget smile = blank("smile");
  push_pair(smile, surface, {0.032, 1.484, 0.098}, {0.030, 0.026, 0.035}, {0.009, 0.010, -0.004});
  push_pair(smile, surface, {0.066, 1.505, 0.088}, {0.042, 0.036, 0.045}, {0.003, 0.006, 0.005});
  MorphTarget puff = blank("puff_cheeks");
  push_pair(puff, surface, {0.080, 1.483, 0.080}, {0.062, 0.055, 0.065}, {0.018, 0.002, 0.010});
  push(puff, surface, {0, 1.484, 0.110}, {0.030, 0.022, 0.030}, {0, 0, 0.006});
  MorphTarget belly = blank("belly_in");
  push(belly, surface, {0, 0.975, 0.32}, {0.26, 0.20, 0.30}, {0, 0.015, -0.085});
  MorphTarget blink = blank("blink");
  push_pair(blink, surface, {0.042, 1.553, 0.094}, {0.024, 0.015, 0.025}, {0.003, 0, 0.010});
  sumo.morphs = {smile, puff, belly, blink};
}

}  // namespace sinew::samples
