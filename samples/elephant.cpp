#include <cmath>
#include <cstdio>

#include "exact_math.h"
#include "samples.h"

namespace sinew::samples {
namespace {

enum : Index { skin, nail, ivory, eye_black };

// Sides are built on the left (+x) and mirrored.
const Vec3 front_leg[] = {{0.34, 1.42, 0.62}, {0.37, 0.94, 0.455}, {0.36, 0.40, 0.59}};
const Vec3 hind_leg[] = {{0.31, 1.42, -0.74}, {0.36, 0.88, -0.56}, {0.34, 0.36, -0.79}};
const Vec3 trunk[] = {{0, 1.90, 1.64}, {0, 1.70, 1.82},  {0, 1.47, 1.915}, {0, 1.24, 1.95},   {0, 1.02, 1.955},
                      {0, 0.81, 1.95}, {0, 0.62, 1.965}, {0, 0.455, 2.02}, {0, 0.345, 2.125}, {0, 0.315, 2.245}};
const double trunk_radius[] = {0.235, 0.205, 0.178, 0.156, 0.138, 0.122, 0.106, 0.092, 0.081, 0.074};
const Vec3 tail[] = {{0, 1.72, -1.27}, {0, 1.46, -1.42}, {0, 1.20, -1.47}, {0, 0.95, -1.48}, {0, 0.74, -1.47}};
const Vec3 head_centre{0, 2.02, 1.40};
// Ear plates: first axis out and back, second up.
const double ear_yaw = 42;  // degrees from the side towards the back

Vec3 ear_point(double out, double up) {
  return Vec3{0.33, 2.0, 1.27} + rotate(turn_y(ear_yaw), {1, 0, 0}) * out + Vec3{0, up, 0};
}

Skeleton make_skeleton() {
  Skeleton s;
  s.add("hips", "", {0, 1.52, -0.66});
  s.add("spine", "hips", {0, 1.58, -0.20});
  s.add("chest", "spine", {0, 1.60, 0.36});
  s.add("neck", "chest", {0, 1.74, 0.86});
  s.add("head", "neck", {0, 1.92, 1.22});
  s.add("jaw", "head", {0, 1.72, 1.36});
  for (std::size_t i = 0; i < 9; ++i)
    s.add("trunk_" + std::to_string(i + 1), i == 0 ? "head" : "trunk_" + std::to_string(i), trunk[i]);
  s.add_pair("ear_1", "head", ear_point(0.04, 0));
  s.add_pair("ear_2", "ear_1", ear_point(0.38, -0.03));
  s.add("belly", "spine", {0, 1.15, -0.10});
  s.add("tail_1", "hips", tail[0]);
  for (std::size_t i = 1; i < 4; ++i) s.add("tail_" + std::to_string(i + 1), "tail_" + std::to_string(i), tail[i]);
  s.add_pair("front_upper", "chest", front_leg[0]);
  s.add_pair("front_lower", "front_upper", front_leg[1]);
  s.add_pair("front_foot", "front_lower", front_leg[2]);
  s.add_pair("hind_upper", "hips", hind_leg[0]);
  s.add_pair("hind_lower", "hind_upper", hind_leg[1]);
  s.add_pair("hind_foot", "hind_lower", hind_leg[2]);
  return s;
}

void add_trunk_and_tail(Solid& solid) {
  for (std::size_t i = 0; i < 9; ++i)
    solid.unite(round_cone(trunk[i], trunk_radius[i], trunk[i + 1], trunk_radius[i + 1]), i == 0 ? 0.12 : 0.02);
  // Nostrils and the finger of the tip.
  solid.unite(round_cone(trunk[9] + Vec3{0, 0.045, 0}, 0.028, trunk[9] + Vec3{0, 0.075, 0.085}, 0.018), 0.03);
  solid.subtract_pair(sphere(trunk[9] + Vec3{0.028, 0.005, 0.078}, 0.02), 0.02);
  const double radius[] = {0.10, 0.060, 0.044, 0.036, 0.034};
  for (std::size_t i = 0; i < 4; ++i)
    solid.unite(round_cone(tail[i], radius[i], tail[i + 1], radius[i + 1]), i == 0 ? 0.10 : 0.02);
  solid.unite(ellipsoid({0, 0.70, -1.47}, {0.05, 0.15, 0.05}), 0.05);
}

void add_head(Solid& solid) {
  solid.unite(round_cone({0, 1.72, 0.75}, 0.47, {0, 1.92, 1.22}, 0.37), 0.25);
  solid.unite(ellipsoid(head_centre, {0.37, 0.40, 0.38}), 0.16);
  solid.unite_pair(ellipsoid({0.13, 2.27, 1.39}, {0.21, 0.20, 0.25}), 0.12);
  solid.unite(ellipsoid({0, 1.74, 1.46}, {0.29, 0.25, 0.28}), 0.16);
  // Cheek bones, brow, tusk sheaths, lower lip.
  solid.unite_pair(ellipsoid({0.27, 1.93, 1.56}, {0.10, 0.13, 0.13}), 0.10);
  solid.unite_pair(round_cone({0.17, 1.76, 1.58}, 0.13, {0.205, 1.585, 1.74}, 0.082), 0.07);
  solid.unite(round_cone({0, 1.64, 1.42}, 0.15, {0, 1.44, 1.66}, 0.062), 0.09);
}

void add_ears(Solid& solid) {
  const Quat turn = turn_y(ear_yaw);
  const Primitive main = plate(ear_point(0.37, 0.03), {0.43, 0.53, 0.036}, turn, 0.35);
  const Primitive lobe = plate(ear_point(0.27, -0.33), {0.27, 0.35, 0.036}, turn * turn_z(12), 0.35);
  solid.unite_pair(main, 0.15);
  solid.unite_pair(lobe, 0.15);
}

void add_legs(Solid& solid) {
  solid.unite_pair(round_cone({0.30, 1.45, 0.60}, 0.29, front_leg[1] + Vec3{0, 0, 0.03}, 0.20), 0.20);
  solid.unite_pair(round_cone(front_leg[1] + Vec3{0, 0, 0.03}, 0.20, front_leg[2], 0.165), 0.08);
  solid.unite_pair(round_cone(front_leg[2], 0.165, {0.36, 0.07, 0.615}, 0.20), 0.06);
  solid.unite_pair(round_cone({0.27, 1.42, -0.72}, 0.33, hind_leg[1] + Vec3{0, 0, -0.03}, 0.215), 0.20);
  solid.unite_pair(round_cone(hind_leg[1] + Vec3{0, 0, -0.03}, 0.215, hind_leg[2], 0.155), 0.10);
  solid.unite_pair(round_cone(hind_leg[2], 0.155, {0.34, 0.07, -0.755}, 0.19), 0.06);
}

struct Nail {
  Vec3 centre;
  Quat orientation;
};

std::vector<Nail> nails() {
  std::vector<Nail> result;
  for (double degrees : {-66.0, -22.0, 22.0, 66.0})
    result.push_back({Vec3{0.36, 0.085, 0.615} + Vec3{sine(degrees * pi / 180), 0, cosine(degrees * pi / 180)} * 0.182,
                      turn_y(degrees)});
  for (double degrees : {-44.0, 0.0, 44.0})
    result.push_back({Vec3{0.34, 0.085, -0.755} + Vec3{sine(degrees * pi / 180), 0, cosine(degrees * pi / 180)} * 0.172,
                      turn_y(degrees)});
  return result;
}

Solid make_solid() {
  Solid solid;
  solid.unite(ellipsoid({0, 1.60, 0.50}, {0.53, 0.60, 0.66}), 0);
  solid.unite(ellipsoid({0, 1.47, -0.14}, {0.64, 0.64, 0.84}), 0.30);
  solid.unite(ellipsoid({0, 1.58, -0.72}, {0.52, 0.60, 0.58}), 0.30);
  // Ridge of the back.
  solid.unite(round_cone({0, 2.02, 0.30}, 0.14, {0, 1.96, -0.75}, 0.14), 0.25);
  add_legs(solid);
  add_head(solid);
  add_trunk_and_tail(solid);
  add_ears(solid);
  for (const Nail& n : nails()) solid.unite_pair(ellipsoid(n.centre, {0.058, 0.066, 0.034}, n.orientation), 0.012);
  // Flat soles.
  solid.intersect(half_space({0, 0, 0}, {0, -1, 0}), 0.07);
  return solid;
}

std::vector<Bone> make_bones(const Skeleton& s) {
  BoneList list(s);
  list.add("hips", {0, 1.62, -1.0}, {0, 1.6, -0.62}, 0.22);
  list.add("spine", {0, 1.6, -0.36}, {0, 1.6, 0.10}, 0.30);
  list.add("chest", {0, 1.62, 0.38}, {0, 1.66, 0.66}, 0.26);
  list.add("neck", {0, 1.76, 0.94}, {0, 1.86, 1.12}, 0.20);
  list.add("head", {0, 2.0, 1.30}, {0, 2.0, 1.52}, 0.28);
  list.add("jaw", {0, 1.62, 1.47}, {0, 1.45, 1.66}, 0.06);
  for (std::size_t i = 0; i < 9; ++i)
    list.add("trunk_" + std::to_string(i + 1), mix(trunk[i], trunk[i + 1], 0.30), mix(trunk[i], trunk[i + 1], 0.85),
             0.45 * trunk_radius[i]);
  list.add_pair("ear_1", ear_point(0.12, 0.0), ear_point(0.26, -0.01), 0.05);
  list.add_pair("ear_1", ear_point(0.14, -0.22), ear_point(0.14, 0.22), 0.05);
  list.add_pair("ear_2", ear_point(0.5, 0.3), ear_point(0.5, -0.4), 0.08);
  for (std::size_t i = 0; i < 4; ++i)
    list.add("tail_" + std::to_string(i + 1), mix(tail[i], tail[i + 1], i == 0 ? 0.35 : 0.2),
             mix(tail[i], tail[i + 1], 0.85), 0.03);
  list.add_limbs("front_upper", front_leg[0], front_leg[1], 0.15, 0.85, 0.11);
  list.add_limbs("front_lower", front_leg[1], front_leg[2], 0.15, 0.85, 0.09);
  list.add_pair("front_foot", front_leg[2] + Vec3{0, -0.06, 0}, {0.36, 0.06, 0.62}, 0.10);
  list.add_limbs("hind_upper", hind_leg[0], hind_leg[1], 0.15, 0.85, 0.12);
  list.add_limbs("hind_lower", hind_leg[1], hind_leg[2], 0.15, 0.85, 0.09);
  list.add_pair("hind_foot", hind_leg[2] + Vec3{0, -0.06, 0}, {0.34, 0.06, -0.75}, 0.10);
  return list.bones;
}

void size_details(Sizing& sizing) {
  sizing.base = 0.106;
  for (std::size_t i = 1; i < 10; ++i) sizing.add(trunk[i], 0.15, 0.37 * trunk_radius[i] + 0.013, 0.4);
  sizing.add(trunk[9] + Vec3{0, 0.02, 0.06}, 0.07, 0.02, 0.15);
  for (std::size_t i = 1; i < 5; ++i) sizing.add(tail[i], 0.08, 0.027, 0.3);
  sizing.add_pair({0.36, 0.02, 0.615}, 0.24, 0.045, 0.4).add_pair({0.34, 0.02, -0.755}, 0.24, 0.045, 0.4);
  sizing.add_pair(ear_point(0.12, -0.2), 0.22, 0.036, 0.3);
  sizing.add({0, 1.75, 1.6}, 0.2, 0.045, 0.5);
  sizing.add_pair(ear_point(0.40, 0), 0.3, 0.060, 0.35);
  for (double degrees = -120; degrees <= 130; degrees += 25) {  // the rims of the ears
    const double angle = degrees * pi / 180;
    sizing.add_pair(ear_point(0.36 + 0.42 * cosine(angle), (sine(angle) < 0 ? 0.66 : 0.52) * sine(angle)), 0.10, 0.037,
                    0.14);
  }
  for (const Nail& n : nails()) sizing.add_pair(n.centre, 0.07, 0.026, 0.25);
  sizing.add_pair({0.34, 1.97, 1.60}, 0.08, 0.028, 0.2);
}

void add_hard_parts(const Solid& solid, Sample& sample) {
  const Vec3 eye = 0.975 * solid.exit_point({0, 2.0, 1.42}, {0.335, -0.01, 0.17}) + 0.025 * Vec3{0, 2.0, 1.42};
  const std::vector<Vec3> tusk{{0.198, 1.62, 1.71},  {0.212, 1.53, 1.80}, {0.228, 1.44, 1.91}, {0.242, 1.385, 2.04},
                               {0.250, 1.375, 2.17}, {0.248, 1.41, 2.28}, {0.240, 1.465, 2.35}};
  const std::vector<double> radius{0.058, 0.058, 0.056, 0.052, 0.043, 0.029, 0.010};
  for (const bool left : {true, false}) {
    const std::string side = left ? "_l" : "_r";
    std::vector<Vec3> path;
    for (const Vec3& p : tusk) path.push_back(left ? p : mirrored(p));
    sample.parts.push_back(horn("tusk" + side, sample.skeleton, "head", ivory, path, radius));
    sample.parts.push_back(ball("eye" + side, sample.skeleton, "head", eye_black, left ? eye : mirrored(eye),
                                {0.030, 0.030, 0.030}, Quat{}));
  }
}

}  // namespace

namespace {

Sample model_elephant() {
  Sample sample;
  sample.name = "elephant";
  sample.materials = {{"hide", {0.270, 0.262, 0.270}, 0.9},
                      {"nails", {0.60, 0.53, 0.44}, 0.6},
                      {"ivory", {0.86, 0.80, 0.66}, 0.4},
                      {"eyes", {0.012, 0.010, 0.010}, 0.15}};
  sample.skeleton = make_skeleton();

  Design design;
  design.solid = make_solid();
  design.cell = 0.034;
  size_details(design.sizing);
  const std::vector<Nail> toes = nails();
  design.paints.push_back(
      {nail, [toes](const Vec3& p) {
         double d = 1;
         for (const Nail& n : toes) {
           const Vec3 q{p.x < 0 ? -p.x : p.x, p.y, p.z};
           d = std::min(d, signed_distance(ellipsoid(n.centre, {0.060, 0.068, 0.045}, n.orientation), q));
         }
         return d;
       }});
  design.bones = make_bones(sample.skeleton);
  design.shares = {{sample.skeleton.index("belly"), {0, 1.02, -0.10}, {0.75, 0.55, 0.75}, 0.75}};
  design.weight_cell = 0.04;
  std::puts(build_surface(design, sample).c_str());
  add_hard_parts(design.solid, sample);
  add_elephant_clips(sample);
  return sample;
}

}  // namespace

Sample make_elephant() {
  static const Sample sample = model_elephant();
  return sample;
}

}  // namespace sinew::samples
