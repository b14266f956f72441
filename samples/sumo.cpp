#include "sumo_design.h"

#include <cmath>
#include <cstdio>

#include "exact_math.h"

namespace sinew::samples {
namespace {

enum : Index { skin, cloth, hair, brow, lips, eye_black };

// Sides are built on the left (+x) and mirrored.
const Vec3 shoulder{0.235, 1.325, -0.015}, elbow{0.425, 1.115, -0.025}, wrist{0.595, 0.945, 0.015};
const Vec3 hip{0.150, 0.815, -0.01}, knee{0.205, 0.455, 0.025}, ankle{0.215, 0.085, -0.030},
    ball_of_foot{0.240, 0.035, 0.085};
const Vec3 hand_direction = normalized(wrist - elbow);

// Points of the hand: along the forearm, and across towards the thumb (forward).
Vec3 hand_point(double along, double across, double up = 0) {
  const Vec3 forward{0, 0, 1};
  const Vec3 side = normalized(forward - hand_direction * dot(forward, hand_direction));
  return wrist + hand_direction * along + side * across + cross(side, hand_direction) * up;
}

Skeleton make_skeleton() {
  Skeleton s;
  s.add("hips", "", {0, 0.90, -0.01});
  s.add("spine", "hips", {0, 1.02, -0.03});
  s.add("chest", "spine", {0, 1.17, -0.03});
  s.add("neck", "chest", {0, 1.37, -0.025});
  s.add("head", "neck", {0, 1.455, -0.005});
  s.add("jaw", "head", {0, 1.495, 0.02});
  s.add("topknot", "head", {0, 1.665, -0.075});
  s.add_pair("cheek", "head", {0.060, 1.490, 0.075});
  s.add_pair("clavicle", "chest", {0.06, 1.345, -0.02});
  s.add_pair("upper_arm", "clavicle", shoulder);
  s.add_pair("forearm", "upper_arm", elbow);
  s.add_pair("hand", "forearm", wrist);
  s.add_pair("fingers_1", "hand", hand_point(0.098, 0));
  s.add_pair("fingers_2", "fingers_1", hand_point(0.140, 0));
  s.add_pair("thumb_1", "hand", hand_point(0.035, 0.035));
  s.add_pair("thumb_2", "thumb_1", hand_point(0.075, 0.062));
  s.add("belly", "spine", {0, 0.98, 0.14});
  s.add_pair("breast", "chest", {0.115, 1.195, 0.11});
  s.add_pair("buttock", "hips", {0.115, 0.83, -0.13});
  s.add_pair("thigh", "hips", hip);
  s.add_pair("shin", "thigh", knee);
  s.add_pair("foot", "shin", ankle);
  s.add_pair("toes", "foot", ball_of_foot);
  return s;
}

void add_torso(Solid& solid) {
  solid.unite(ellipsoid({0, 1.20, -0.02}, {0.252, 0.185, 0.170}), 0);
  solid.unite(ellipsoid({0, 1.02, -0.02}, {0.245, 0.26, 0.185}), 0.10);
  solid.unite(ellipsoid({0, 0.87, -0.02}, {0.284, 0.15, 0.195}), 0.10);
  // The belly, hanging over the belt.
  solid.unite(ellipsoid({0, 1.005, 0.105}, {0.300, 0.220, 0.262}), 0.08);
  solid.unite(ellipsoid({0, 0.950, 0.132}, {0.270, 0.172, 0.248}), 0.08);
  // Shoulders and trapezius.
  solid.unite_pair(round_cone({0.05, 1.37, -0.03}, 0.085, {0.20, 1.325, -0.02}, 0.085), 0.10);
  solid.unite_pair(ellipsoid({0.122, 1.192, 0.094}, {0.114, 0.096, 0.092}, turn_z(-10)), 0.065);
  solid.unite_pair(ellipsoid({0.115, 0.825, -0.10}, {0.130, 0.130, 0.125}), 0.05);
  solid.subtract(ellipsoid({0, 0.975, 0.388}, {0.014, 0.018, 0.035}), 0.03);
}

void add_belt(Solid& solid) { solid.wrap({0, 0.876, 0}, {0, 1, 0.20}, 0.068, 0.022, 0.020); }

// The strap of the mawashi, from the front between the legs to the back, and the knot.
const Primitive strap[] = {round_cone({0, 0.79, 0.225}, 0.062, {0, 0.700, 0.10}, 0.052),
                           round_cone({0, 0.700, 0.10}, 0.052, {0, 0.680, -0.06}, 0.045),
                           round_cone({0, 0.680, -0.06}, 0.045, {0, 0.80, -0.225}, 0.038)};
const Primitive knot = ellipsoid({0, 0.892, -0.222}, {0.068, 0.052, 0.038});

void add_legs(Solid& solid) {
  solid.unite_pair(round_cone(hip + Vec3{0.020, -0.055, 0}, 0.150, mix(hip, knee, 0.62) + Vec3{0.010, 0, 0}, 0.122),
                   0.04);
  solid.unite_pair(round_cone(mix(hip, knee, 0.62) + Vec3{0.010, 0, 0}, 0.122, knee, 0.090), 0.03);
  solid.unite_pair(round_cone(knee, 0.086, ankle + Vec3{0, 0.03, 0}, 0.056), 0.03);
  solid.unite_pair(ellipsoid({0.214, 0.305, -0.042}, {0.082, 0.130, 0.084}), 0.05);
  solid.unite_pair(sphere(knee + Vec3{0, 0.01, 0.030}, 0.058), 0.04);
  // Feet.
  solid.unite_pair(round_cone({0.213, 0.038, -0.055}, 0.046, {0.232, 0.036, 0.085}, 0.046), 0.05);
  solid.unite_pair(ellipsoid({0.236, 0.034, 0.085}, {0.056, 0.034, 0.055}, turn_y(10)), 0.03);
  const double big = 0.0225, small = 0.0150;
  solid.unite_pair(round_cone({0.205, 0.026, 0.115}, big, {0.205, 0.022, 0.150}, big - 0.002), 0.015);
  for (int toe = 0; toe < 4; ++toe) {
    const double x = 0.236 + 0.0220 * toe, z = 0.146 - 0.0035 * toe * (toe + 1);
    solid.unite_pair(round_cone({x - 0.004, 0.024, z - 0.04}, small, {x, 0.017, z}, small - 0.001), 0.010);
  }
}

void add_arms(Solid& solid) {
  solid.unite_pair(round_cone(shoulder, 0.104, mix(shoulder, elbow, 0.55), 0.090), 0.085);
  solid.unite_pair(round_cone(mix(shoulder, elbow, 0.55), 0.090, elbow, 0.068), 0.03);
  solid.unite_pair(round_cone(mix(elbow, wrist, 0.12), 0.071, wrist, 0.041), 0.03);
  solid.unite_pair(round_cone(hand_point(0.0, 0), 0.037, hand_point(0.045, 0.002), 0.030), 0.02);
  // Palm, four fingers side by side, thumb.
  for (int finger = 0; finger < 4; ++finger) {
    const double across = 0.0345 - 0.0230 * finger;
    const double reach = 0.170 - 0.006 * (finger - 1) * (finger - 1) - (finger == 3 ? 0.004 : 0);
    solid.unite_pair(round_cone(hand_point(0.035, across * 0.8), 0.021, hand_point(0.095, across), 0.0165), 0.022);
    solid.unite_pair(round_cone(hand_point(0.095, across), 0.0150, hand_point(reach - 0.013, across * 1.06), 0.0125),
                     0.005);
  }
  solid.unite_pair(round_cone(hand_point(0.020, 0.020), 0.024, hand_point(0.060, 0.052), 0.0185), 0.02);
  solid.unite_pair(round_cone(hand_point(0.060, 0.052), 0.0170, hand_point(0.100, 0.071), 0.0135), 0.008);
}

void add_head(Solid& solid) {
  solid.unite(round_cone({0, 1.34, -0.025}, 0.100, {0, 1.47, -0.005}, 0.088), 0.07);
  solid.unite(ellipsoid({0, 1.560, -0.010}, {0.104, 0.122, 0.117}), 0.03);
  // Jowls, cheeks, chin and what is under it.
  solid.unite_pair(ellipsoid({0.062, 1.487, 0.045}, {0.060, 0.058, 0.062}), 0.04);
  solid.unite(ellipsoid({0, 1.448, 0.068}, {0.042, 0.032, 0.036}), 0.035);
  solid.unite(ellipsoid({0, 1.420, 0.045}, {0.070, 0.032, 0.052}), 0.03);
  // Brow ridge, nose with wings, ears.
  solid.unite_pair(round_cone({0.020, 1.574, 0.097}, 0.010, {0.062, 1.580, 0.079}, 0.009), 0.012);
  solid.unite(round_cone({0, 1.560, 0.100}, 0.012, {0, 1.528, 0.119}, 0.0175), 0.018);
  solid.unite_pair(sphere({0.0165, 1.523, 0.111}, 0.0115), 0.008);
  solid.unite_pair(ellipsoid({0.107, 1.535, -0.010}, {0.013, 0.034, 0.023}, turn_y(-24)), 0.012);
  solid.subtract_pair(ellipsoid({0.1185, 1.537, -0.002}, {0.006, 0.019, 0.011}, turn_y(-24)), 0.008);
  // Lips around a shallow mouth.
  solid.unite(ellipsoid({0, 1.4905, 0.102}, {0.026, 0.0085, 0.013}), 0.010);
  solid.unite(ellipsoid({0, 1.4770, 0.101}, {0.023, 0.0090, 0.013}), 0.010);
  solid.subtract(ellipsoid({0, 1.4842, 0.117}, {0.031, 0.0030, 0.012}), 0.005);
  // Topknot: tied at the back, folded forward over the crown.
  solid.unite(round_cone({0, 1.648, -0.085}, 0.030, {0, 1.700, -0.082}, 0.022), 0.018);
  solid.unite(round_cone({0, 1.694, -0.078}, 0.027, {0, 1.692, 0.004}, 0.021), 0.012);
}

const Vec3 eye{0.041, 1.553, 0.0};
const Quat eye_turn = turn_y(20) * turn_z(4);

Solid torso_solid() {
  Solid solid;
  add_torso(solid);
  return solid;
}

void add_lids(Solid& solid) {
  // Folds above the eyes, which narrow them.
  solid.unite_pair(ellipsoid({0.043, 1.5650, 0.091}, {0.022, 0.0055, 0.0095}, eye_turn), 0.006);
}

Solid make_solid() {
  Solid solid = torso_solid();
  add_belt(solid);
  solid.unite(ellipsoid({0, 0.775, 0.0}, {0.11, 0.085, 0.20}), 0.03);
  for (const Primitive& part : strap) solid.unite(part, 0.03);
  solid.unite(knot, 0.012);
  add_legs(solid);
  add_arms(solid);
  add_head(solid);
  add_lids(solid);
  solid.intersect(half_space({0, 0, 0}, {0, -1, 0}), 0.012);
  return solid;
}

std::vector<Paint> make_paints() {
  const Solid torso = torso_solid();
  Solid belted = torso;
  add_belt(belted);
  std::vector<Paint> paints;
  paints.push_back({cloth, [torso, belted](const Vec3& p) {
                      // The belt is where the belted torso is the surface and the bare one is clearly below it.
                      double d = std::max(0.008 - torso(p), belted(p) - 0.003);
                      for (const Primitive& part : strap) d = std::min(d, signed_distance(part, p) - 0.010);
                      return std::min(d, signed_distance(knot, p) - 0.005);
                    }});
  paints.push_back({hair, [](const Vec3& p) {
                      // The scalp above a line from the temples down to the nape, and the knot.
                      const double front = dot(p - Vec3{0, 1.628, 0.062}, normalized(Vec3{0, -0.80, 0.62}));
                      const double nape = 1.475 - p.y + 0.35 * std::max(0.0, p.z + 0.02);
                      const double ears = signed_distance(ellipsoid({0.112, 1.535, -0.012}, {0.030, 0.044, 0.034}),
                                                          {std::fabs(p.x), p.y, p.z});
                      return std::max(std::max(front, nape), -ears);
                    }});
  paints.push_back(
      {brow, [](const Vec3& p) {
         const Vec3 q{std::fabs(p.x), p.y, p.z};
         return signed_distance(round_cone({0.018, 1.5795, 0.106}, 0.0095, {0.069, 1.5910, 0.084}, 0.0080), q);
       }});
  paints.push_back({lips, [](const Vec3& p) {
                      return signed_distance(ellipsoid({0, 1.4838, 0.108}, {0.029, 0.0165, 0.020}), p);
                    }});
  return paints;
}

void size_details(Sizing& sizing) {
  sizing.base = 0.0370;
  sizing.add({0, 1.50, 0.09}, 0.06, 0.0088, 0.12);  // face
  sizing.add_pair({0.042, 1.56, 0.09}, 0.025, 0.0066, 0.08);
  sizing.add({0, 1.484, 0.11}, 0.03, 0.0056, 0.06);  // mouth
  sizing.add_pair({0.11, 1.535, -0.01}, 0.035, 0.0075, 0.08);
  sizing.add({0, 1.70, -0.04}, 0.05, 0.0105, 0.08);
  sizing.add({0, 1.56, 0}, 0.14, 0.0165, 0.12);  // head
  sizing.add_pair(hand_point(0.11, 0.01), 0.075, 0.0078, 0.10);
  sizing.add_pair({0.245, 0.02, 0.13}, 0.055, 0.0090, 0.12);
  sizing.add_pair({0.22, 0.04, 0.0}, 0.09, 0.0180, 0.12);
  sizing.add({0, 0.975, 0.37}, 0.03, 0.0090, 0.10);         // navel
  for (double degrees = 0; degrees < 360; degrees += 24) {  // belt
    const double x = cosine(degrees * pi / 180), z = sine(degrees * pi / 180);
    sizing.add({0.28 * x, 0.876 - 0.05 * z, 0.26 * z}, 0.085, 0.0175, 0.09);
  }
  sizing.add({0, 0.73, 0.05}, 0.13, 0.0130, 0.08);
  sizing.add_pair({0.22, 1.22, 0.04}, 0.08, 0.0210, 0.10);  // armpits
}

}  // namespace

const SumoPoints& sumo_points() {
  static const SumoPoints points{shoulder, elbow, wrist, hip, knee, ankle, ball_of_foot};
  return points;
}

Vec3 sumo_hand_point(double along, double across) { return hand_point(along, across); }

namespace {

Sample model_sumo() {
  Sample sample;
  sample.name = "sumo";
  sample.materials = {{"skin", {0.76, 0.47, 0.34}, 0.65},    {"mawashi", {0.10, 0.045, 0.14}, 0.85},
                      {"hair", {0.018, 0.016, 0.018}, 0.45}, {"brows", {0.025, 0.020, 0.018}, 0.9},
                      {"lips", {0.62, 0.27, 0.22}, 0.5},     {"eyes", {0.012, 0.009, 0.008}, 0.1}};
  sample.skeleton = make_skeleton();

  Design design;
  design.solid = make_solid();
  design.cell = 0.0085;
  size_details(design.sizing);
  design.paints = make_paints();
  design.bones = sumo_bones(sample.skeleton);
  design.shares = sumo_shares(sample.skeleton);
  design.weight_cell = 0.0155;
  std::puts(build_surface(design, sample).c_str());

  for (const bool left : {true, false}) {
    const Vec3 on_face = design.solid.exit_point({0, eye.y, 0.02}, Vec3{eye.x, eye.y, 0.10} - Vec3{0, eye.y, 0.02});
    const Vec3 centre = on_face - Vec3{0.001, 0, 0.0025};
    const Quat turned = left ? eye_turn : turn_y(-20) * turn_z(-4);
    sample.parts.push_back(ball(left ? "eye_l" : "eye_r", sample.skeleton, "head", eye_black,
                                left ? centre : mirrored(centre), {0.0165, 0.0092, 0.0075}, turned));
  }
  add_sumo_morphs(sample);
  add_sumo_clips(sample);
  return sample;
}

}  // namespace

Sample make_sumo() {
  static const Sample sample = model_sumo();
  return sample;
}

}  // namespace sinew::samples
