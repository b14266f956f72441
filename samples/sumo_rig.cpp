// The wrestler with 29 joints for his flesh, three translations and three rotations each: 174 parameters for secondary
// motion, as many as the one of Hahn, Thomaszewski, Coros, Sumner and Gross (2013) has.
#include "exact_math.h"
#include "rigging.h"
#include "sumo_design.h"

namespace sinew::samples {
namespace {

void add_belly(FleshJointList& list) {
  // Three rows of three over the front, and the flanks.
  struct Row {
    const char* name;
    double y, side_z, middle_z;
  };
  for (const Row& row : {Row{"belly_upper", 1.090, 0.250, 0.305}, Row{"belly_middle", 0.990, 0.285, 0.350},
                         Row{"belly_lower", 0.895, 0.265, 0.330}}) {
    const Vec3 middle{0, row.y, row.middle_z}, side{0.165, row.y, row.side_z};
    list.add({row.name, "spine", middle - Vec3{0, 0, 0.09}, middle, {0.185, 0.125, 0.22}, 0.5});
    list.add_pair({row.name, "spine", side - Vec3{0.04, 0, 0.08}, side, {0.185, 0.125, 0.22}, 0.5});
  }
  list.add_pair({"belly_flank", "spine", {0.205, 0.99, 0.04}, {0.28, 0.99, 0.04}, {0.185, 0.16, 0.20}, 0.7});
}

std::vector<FleshJoint> flesh_joints(const Skeleton& skeleton) {
  const SumoPoints& p = sumo_points();
  FleshJointList list(skeleton);
  add_belly(list);
  list.add_pair({"chest_inner", "thorax", {0.075, 1.195, 0.105}, {0.075, 1.185, 0.17}, {0.12, 0.12, 0.14}, 0.65});
  list.add_pair({"chest_outer", "thorax", {0.160, 1.200, 0.085}, {0.170, 1.190, 0.13}, {0.12, 0.12, 0.14}, 0.65});
  list.add_pair({"cheek", "head", {0.060, 1.490, 0.065}, {0.072, 1.485, 0.085}, {0.062, 0.060, 0.062}, 0.6});
  // The knot's root, and what is folded over the crown.
  list.add({"hair_1", "topknot", {0, 1.675, -0.078}, {0, 1.700, -0.055}, {0.08, 0.065, 0.09}, 0.5});
  list.add({"hair_2", "hair_1", {0, 1.696, -0.045}, {0, 1.700, 0.015}, {0.08, 0.065, 0.08}, 0.7});
  list.add_pair({"buttock_upper", "hips", {0.115, 0.880, -0.125}, {0.120, 0.890, -0.19}, {0.15, 0.12, 0.16}, 0.55});
  list.add_pair({"buttock_lower", "hips", {0.115, 0.790, -0.120}, {0.120, 0.775, -0.19}, {0.15, 0.13, 0.16}, 0.55});
  const Vec3 arm = mix(p.shoulder, p.elbow, 0.48), thigh = mix(p.hip, p.knee, 0.42);
  list.add_pair({"flesh_upper_arm",
                 "upper_arm",
                 arm + Vec3{0.01, -0.03, -0.01},
                 arm + Vec3{0.0, -0.06, -0.02},
                 {0.15, 0.15, 0.15},
                 0.6});
  list.add_pair({"flesh_thigh",
                 "thigh",
                 thigh + Vec3{-0.02, -0.02, -0.02},
                 thigh + Vec3{-0.03, -0.03, -0.05},
                 {0.14, 0.19, 0.17},
                 0.6});
  list.add_pair({"flesh_back", "thorax", {0.120, 1.130, -0.085}, {0.130, 1.120, -0.15}, {0.17, 0.16, 0.15}, 0.65});
  return list.joints;
}

}  // namespace

Sample make_sumo_rig() {
  Sample sample = make_sumo();
  for (const char* name : {"belly", "breast_l", "breast_r", "cheek_l", "cheek_r", "buttock_l", "buttock_r"})
    absorb_joint(sample, name);
  // `chest*` and `belly*` name flesh joints only: neither a joint that the clips move nor a morph target.
  rename_joint(sample, "chest", "thorax");
  for (MorphTarget& morph : sample.morphs)
    if (morph.name == "belly_in") morph.name = "draw_in_belly";
  hang_flesh(sample, flesh_joints(sample.skeleton));
  return sample;
}

}  // namespace sinew::samples
