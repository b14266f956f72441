// What is found in figures whose anatomy one can see, whatever their bones are called, how large they are and how they
// stand.
#include "sinew/anatomy/anatomy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/anatomy/surface_pieces.h"
#include "tests/anatomy/figures.h"

namespace sinew {
namespace {

using namespace test;

Tissue tissue(const Anatomy& anatomy, int bone) { return anatomy.bones[static_cast<std::size_t>(bone)].tissue; }

void expect_a_person(const Person& p, const Anatomy& anatomy) {
  EXPECT_EQ(tissue(anatomy, p.head), Tissue::skull);
  for (const int flesh : {p.hips, p.spine, p.chest, p.arm[0], p.arm[1]})
    EXPECT_EQ(tissue(anatomy, flesh), Tissue::flesh);
  for (const int hand : p.hand) EXPECT_EQ(tissue(anatomy, hand), Tissue::skull);
  for (const BoneAnatomy& bone : anatomy.bones) EXPECT_EQ(bone.because.empty(), bone.tissue == Tissue::flesh);
  EXPECT_TRUE(anatomy.rigid.empty());
}

TEST(Anatomy, APersonHasASkullAndHands) {
  const Person p = person();
  expect_a_person(p, find_anatomy(p.figure.surface));
}

TEST(Anatomy, SizeAndStanceDoNotMatter) {
  for (const double scale : {0.01, 100.0}) {
    Person p = person();
    const Mat3 turn = to_matrix(normalized(Quat{0.3, -0.5, 0.2, 0.8}));
    for (Vec3& x : p.figure.surface.rest.positions) x = scale * (turn * x) + Vec3{3, -7, 2};
    for (Bone& bone : p.figure.surface.bones) {
      const Vec3 joint = scale * (turn * inverse(bone.rest_to_joint).translation) + Vec3{3, -7, 2};
      bone.rest_to_joint = Affine{Mat3::identity(), -1.0 * joint};
    }
    expect_a_person(p, find_anatomy(p.figure.surface));
  }
}

// Ears in a pair and a jaw hang on a head; the spine that goes on behind a chest makes it none.
TEST(Anatomy, AHeadMayCarryEarsAndAJaw) {
  Person p = person();
  int parts[3];
  for (int side = 0; side < 2; ++side) {
    const double s = side == 0 ? 1 : -1;
    parts[side] = p.figure.bone(p.head, {0.15 * s, 1.6, 0});
    p.figure.piece(sphere({0.22 * s, 1.66, 0}, 0.07), parts[side]);
  }
  parts[2] = p.figure.bone(p.head, {0, 1.4, 0.15});
  p.figure.piece(sphere({0, 1.36, 0.18}, 0.06), parts[2]);
  const Anatomy anatomy = find_anatomy(p.figure.surface);
  for (const int bone : {p.head, parts[0], parts[1], parts[2]}) EXPECT_EQ(tissue(anatomy, bone), Tissue::skull);
  EXPECT_EQ(tissue(anatomy, p.chest), Tissue::flesh);
}

// Thick ears of three bones each, whose first bones share the skin with the head, one more than the other; longer than
// that they may be arms.
TEST(Anatomy, AHeadMayCarryAPairOfChains) {
  for (const double length : {0.42, 1.3}) {
    Person p = person();
    Figure& f = p.figure;
    for (int side = 0; side < 2; ++side) {
      const double s = side == 0 ? 1 : -1, shared = side == 0 ? 0.25 : 0.1;
      std::vector<int> ear{p.head};
      for (int k = 0; k < 3; ++k) ear.push_back(f.bone(ear.back(), {(0.15 + 0.3 * k * length) * s, 1.55, 0}));
      f.piece(capsule({0.15 * s, 1.55, 0}, {(0.15 + length) * s, 1.55, 0}, 0.07), [&](const Vec3& x) {
        const double out = (s * x.x - 0.15) / length;
        if (out < 1 / 3.0) return between(ear[0], ear[1], (out - shared) / 0.1 + 0.5);
        return out < 2 / 3.0 ? between(ear[1], ear[2], 5 * out - 1.5) : between(ear[2], ear[3], 5 * out - 3);
      });
    }
    EXPECT_EQ(tissue(find_anatomy(f.surface), p.head), length < 1 ? Tissue::skull : Tissue::flesh);
  }
}

// Hair on joints of its own: large, and weighted a little differently left and right, so that it is no pair.
void add_hair(Person& p) {
  Figure& f = p.figure;
  for (int side = 0; side < 2; ++side) {
    const double s = side == 0 ? 1 : -1, uneven = side == 0 ? 0 : 0.08;
    const int first = f.bone(p.head, {0.15 * s, 1.6, 0}), second = f.bone(first, {0.3 * s, 1.65, 0});
    f.piece(capsule({0.18 * s, 1.58, 0}, {0.42 * s, 1.68, 0}, 0.14),
            [=](const Vec3& x) { return between(first, second, (s * x.x - 0.22 - uneven) / 0.1); });
  }
  f.piece(sphere({0, 1.62, 0.16}, 0.1), f.bone(p.head, {0, 1.6, 0.1}));
}

void add_eyes(Person& p) {
  for (const double s : {1.0, -1.0}) p.figure.piece(sphere({0.08 * s, 1.5, 0.17}, 0.04), p.head);
}

TEST(Anatomy, AHeadIsKnownByItsEyesWhateverHairItCarries) {
  Person p = person();
  add_hair(p);
  add_eyes(p);
  for (const Names names : {Names::used, Names::ignored}) {
    const Anatomy anatomy = find_anatomy(p.figure.surface, {}, names);
    EXPECT_EQ(tissue(anatomy, p.head), Tissue::skull);
    for (const int bone : {p.hips, p.spine, p.chest, p.arm[0], p.forearm[1]})
      EXPECT_EQ(tissue(anatomy, bone), Tissue::flesh) << bone;
    EXPECT_EQ(tissue(anatomy, p.hand[0]), Tissue::skull);
  }
}

TEST(Anatomy, AHeadIsKnownByWhereItIsWithoutEyes) {
  Person p = person();
  add_hair(p);
  const Anatomy anatomy = find_anatomy(p.figure.surface);
  EXPECT_EQ(tissue(anatomy, p.head), Tissue::skull);
  for (const int bone : {p.hips, p.spine, p.chest}) EXPECT_EQ(tissue(anatomy, bone), Tissue::flesh) << bone;
}

// A fox's ears and jaw hang on its nose. The nose is of one piece with the head, and so a part of it.
TEST(Anatomy, ANoseAndWhatHangsOnItAreOfTheHead) {
  Person p = person();
  Figure& f = p.figure;
  const int nose = f.bone(p.head, {0, 1.45, 0.15}), jaw = f.bone(nose, {0, 1.35, 0.15});
  for (std::size_t v = 0; v < f.surface.rest.positions.size(); ++v) {
    const Vec3& x = f.surface.rest.positions[v];
    if (distance(x, {0, 1.45, 0}) > 0.21 || f.surface.influences[v].joint[0] != p.head) continue;
    if (x.z > 0.08) f.surface.influences[v] = on(x.y > 1.4 ? nose : jaw);
  }
  const Anatomy anatomy = find_anatomy(f.surface);
  for (const int bone : {p.head, nose, jaw}) EXPECT_EQ(tissue(anatomy, bone), Tissue::skull) << bone;
  EXPECT_EQ(tissue(anatomy, p.chest), Tissue::flesh);
}

// A strip of hair is no chain behind hips.
TEST(Anatomy, HairDoesNotMakeHipsAFront) {
  Figure f;
  const int hips = f.bone(-1, {0, 0, 0}), spine = f.bone(hips, {0, 0.4, 0}), chest = f.bone(spine, {0, 0.8, 0}),
            head = f.bone(chest, {0, 1.2, 0});
  f.piece(capsule({0, 0.1, 0}, {0, 1.1, 0}, 0.25), [=](const Vec3& x) {
    return x.y < 0.4   ? between(hips, spine, (x.y - 0.15) / 0.4)
           : x.y < 0.8 ? between(spine, chest, (x.y - 0.6) / 0.4)
                       : between(chest, head, (x.y - 1.1) / 0.3);
  });
  f.piece(sphere({0, 1.4, 0}, 0.25), head);
  const Tissue bald = tissue(find_anatomy(f.surface), hips);
  int strand = head;
  for (int k = 0; k < 4; ++k) {
    strand = f.bone(strand, {0, 1.6 - 0.1 * k, -0.27});
    f.piece(capsule({0, 1.58 - 0.1 * k, -0.28}, {0, 1.52 - 0.1 * k, -0.28}, 0.02), strand);
  }
  EXPECT_EQ(bald, Tissue::flesh);
  EXPECT_EQ(tissue(find_anatomy(f.surface), hips), bald);
}

TEST(Anatomy, ABlobIsFleshAllOver) {
  Figure f;
  const int root = f.bone(-1, {0, 0, 0}), top = f.bone(root, {0, 0.5, 0});
  f.piece(sphere({0, 0.5, 0}, 0.5), [=](const Vec3& x) { return between(root, top, (x.y - 0.1) / 0.6); });
  const Anatomy anatomy = find_anatomy(f.surface);
  for (const BoneAnatomy& bone : anatomy.bones) EXPECT_EQ(bone.tissue, Tissue::flesh);
  EXPECT_TRUE(anatomy.rigid.empty());
}

// The bone of a fish's front has its joint behind the head, where the spine begins.
TEST(Anatomy, AFishHasItsSkullInFront) {
  Figure f;
  std::vector<int> chain;
  for (int k = 0; k < 5; ++k) chain.push_back(f.bone(k == 0 ? -1 : chain.back(), {0, 0, 0.3 - 0.25 * k}));
  f.piece(capsule({0, 0, 0.55}, {0, 0, -0.9}, 0.25), [&](const Vec3& x) {
    const double along = (0.3 - x.z) / 0.25 + 0.5;
    const int link = std::clamp(static_cast<int>(along), 0, 3);
    return between(chain[static_cast<std::size_t>(link)], chain[static_cast<std::size_t>(link) + 1], along - link);
  });
  const Anatomy anatomy = find_anatomy(f.surface);
  EXPECT_EQ(tissue(anatomy, chain[0]), Tissue::skull);
  EXPECT_EQ(tissue(anatomy, chain[1]), Tissue::flesh);
  EXPECT_EQ(tissue(anatomy, chain[2]), Tissue::flesh);
}

// Or its joint at the tip of its nose, so that its skin lies along the spine; of a snake, whose links are alike,
// neither end is one.
TEST(Anatomy, ASkullMayLieAlongTheFirstBone) {
  for (const bool fish : {true, false}) {
    Figure f;
    std::vector<int> chain;
    for (int k = 0; k < 6; ++k) chain.push_back(f.bone(k == 0 ? -1 : chain.back(), {0, 0, 1 - 0.4 * k}));
    TriangleMesh body = capsule({0, 0, 0.95}, {0, 0, -1.3}, 0.2, 48, 96);
    for (Vec3& x : body.positions)
      if (fish) x = {x.x * (1.3 + 0.8 * x.z), x.y * (1.3 + 0.8 * x.z), x.z};
    f.piece(body, [&](const Vec3& x) {
      const double along = std::clamp((1 - x.z) / 0.4 - 0.5, 0.0, 4.999);
      const auto link = static_cast<std::size_t>(along);
      return between(chain[link], chain[link + 1], 3 * (along - static_cast<double>(link)) - 1);
    });
    const Anatomy anatomy = find_anatomy(f.surface);
    EXPECT_EQ(tissue(anatomy, chain[0]), fish ? Tissue::skull : Tissue::flesh);
    EXPECT_EQ(tissue(anatomy, chain[2]), Tissue::flesh);
  }
}

// A trunk of four links goes on from the head; ears of thin thin shells tell it all the same, as no trunk by itself
// does.
TEST(Anatomy, EarsTellAHeadWithATrunk) {
  for (const double thickness : {0.05, 1.0}) {
    Person p = person();
    Figure& f = p.figure;
    int ears[2];
    for (int side = 0; side < 2; ++side) {
      const double s = side == 0 ? 1 : -1;
      ears[side] = f.bone(p.head, {0.18 * s, 1.5, 0});
      TriangleMesh ear = sphere({0.36 * s, 1.5, 0}, 0.2, 32);
      for (Vec3& x : ear.positions) x.z *= thickness;
      f.piece(ear, [&](const Vec3& x) { return between(p.head, ears[side], (s * x.x - 0.1) / 0.2); });
    }
    std::vector<int> trunk;
    for (int k = 0; k < 4; ++k) trunk.push_back(f.bone(k == 0 ? p.head : trunk.back(), {0, 1.4 - 0.15 * k, 0.2}));
    f.piece(capsule({0, 1.4, 0.2}, {0, 0.8, 0.2}, 0.07), [&](const Vec3& x) {
      const auto link = static_cast<std::size_t>(std::clamp((1.4 - x.y) / 0.15, 0.0, 3.0));
      return between(link == 0 ? p.head : trunk[link - 1], trunk[link], 0.7);
    });
    const Anatomy anatomy = find_anatomy(f.surface);
    EXPECT_EQ(tissue(anatomy, p.head), thickness < 0.5 ? Tissue::skull : Tissue::flesh);
    EXPECT_EQ(tissue(anatomy, trunk[1]), Tissue::flesh);
    EXPECT_EQ(anatomy.shells.size(), thickness < 0.5 ? 2u : 0u);
  }
}

TEST(Anatomy, APieceOnOneBoneIsARigidThing) {
  Person p = person();
  const int eye = p.figure.piece(sphere({0.08, 1.5, 0.17}, 0.04, 12), p.head);
  p.figure.piece(sphere({0.08, 1.5, 0.2}, 0.02, 8), p.head);  // its pupil, half in it
  const int other = p.figure.piece(sphere({-0.08, 1.5, 0.17}, 0.04, 12), p.head);
  const int soft = p.figure.piece(sphere({0.1, 0.5, 0.2}, 0.1, 12),
                                  [&](const Vec3& x) { return between(p.spine, p.chest, 2 * x.y - 0.5); });
  const Anatomy anatomy = find_anatomy(p.figure.surface);
  ASSERT_EQ(anatomy.rigid.size(), 2u);
  EXPECT_EQ(anatomy.rigid[0].vertices.front(), eye);
  EXPECT_EQ(anatomy.rigid[0].vertices.back(), other - 1);  // the pupil with it
  EXPECT_EQ(anatomy.rigid[1].vertices.front(), other);
  EXPECT_EQ(anatomy.rigid[1].vertices.back(), soft - 1);
  for (const RigidPart& thing : anatomy.rigid) EXPECT_EQ(thing.bone, p.head);
}

// Plates of one bone each, with no skin between: each bone's plates are one thing, however large and far apart.
TEST(Anatomy, ARobotStaysARobot) {
  Figure f;
  std::vector<int> bones;
  for (int k = 0; k < 5; ++k) {
    bones.push_back(f.bone(k == 0 ? -1 : bones.back(), {0, 0.5 * k, 0}));
    f.piece(box({-0.2, 0.5 * k, -0.2}, {0.2, 0.5 * k + 0.4, 0.2}), bones.back());
    f.piece(box({0.5, 0.5 * k, -0.2}, {0.6, 0.5 * k + 0.1, 0.2}), bones.back());
  }
  const Anatomy anatomy = find_anatomy(f.surface);
  ASSERT_EQ(anatomy.rigid.size(), 5u);
  std::vector<char> seen(f.surface.rest.positions.size(), 0);
  for (const RigidPart& thing : anatomy.rigid)
    for (const int v : thing.vertices) EXPECT_EQ(seen[static_cast<std::size_t>(v)]++, 0);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
}

// Plates that a joint's skin joins to one piece are plates as well; what blends between them bends.
TEST(Anatomy, AMachinesJointsBendBetweenItsPlates) {
  Figure f;
  std::vector<int> bones;
  for (int k = 0; k < 5; ++k) {
    bones.push_back(f.bone(k == 0 ? -1 : bones.back(), {0, 0.5 * k, 0}));
    f.piece(sphere({0, 0.5 * k, 0}, 0.2, 12), bones.back());
  }
  const int thigh = f.bone(bones[0], {0.5, 0, 0}), shin = f.bone(thigh, {0.5, -0.5, 0});
  const TriangleMesh leg = capsule({0.5, 0, 0}, {0.5, -1, 0}, 0.02, 4, 24);
  const int first = f.piece(leg, [&](const Vec3& x) { return between(thigh, shin, -10 * x.y - 4.5); });
  const Anatomy anatomy = find_anatomy(f.surface);
  ASSERT_EQ(anatomy.body_plan.plan, BodyPlan::robot) << anatomy.body_plan.because;
  ASSERT_EQ(anatomy.rigid.size(), 7u);
  for (std::size_t v = 0; v < leg.positions.size(); ++v) {
    const auto on = [&](const RigidPart& thing) {
      return std::binary_search(thing.vertices.begin(), thing.vertices.end(), first + static_cast<int>(v));
    };
    const auto thing = std::find_if(anatomy.rigid.begin(), anatomy.rigid.end(), on);
    const int bone = thing == anatomy.rigid.end() ? -1 : thing->bone;
    const double down = -leg.positions[v].y;
    if (std::abs(down - 0.5) > 0.06) {
      EXPECT_EQ(bone, down < 0.5 ? thigh : shin) << down;
    } else if (std::abs(down - 0.5) < 0.04) {
      EXPECT_EQ(bone, -1) << down;
    }
  }
}

// Two patches of a cheek, and an eye of which half is painted: that half is of the patch.
TEST(Anatomy, WhatIsPaintedIsRigid) {
  Person p = person();
  const int eye = p.figure.piece(sphere({0.08, 1.5, 0.17}, 0.04, 12), p.head);
  SimulationSurface& surface = p.figure.surface;
  surface.fields[field("rigid")].assign(surface.rest.positions.size(), 0);
  std::size_t painted = 0;
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) {
    const Vec3& x = surface.rest.positions[v];
    const bool belly = std::abs(x.y - 0.5) < 0.1 && std::abs(x.x) < 0.3 && x.z > 0.1,
               eyelid = static_cast<int>(v) >= eye && x.y > 1.5;
    surface.fields[field("rigid")][v] = belly || eyelid;
    painted += belly || eyelid;
  }
  const Anatomy anatomy = find_anatomy(surface);
  ASSERT_EQ(anatomy.rigid.size(), 3u);
  EXPECT_EQ(anatomy.rigid[0].vertices.size(),
            surface.rest.positions.size() - static_cast<std::size_t>(eye) - anatomy.rigid[2].vertices.size());
  EXPECT_EQ(anatomy.rigid[1].vertices.size() + anatomy.rigid[2].vertices.size(), painted);
  EXPECT_EQ(anatomy.rigid[1].because, "painted");
}

TEST(SurfacePieces, SeamsOfWeightDoNotPart) {
  Figure f;
  const int a = f.bone(-1, {0, 0, 0}), b = f.bone(a, {0, 1, 0});
  f.piece(box({0, 0, 0}, {1, 1, 1}), a);
  f.piece(box({0, 1, 0}, {1, 2, 1}), b);  // four of its corners at the places of four of the first
  f.piece(box({5, 0, 0}, {6, 1, 1}), b);
  const SurfacePieces pieces = surface_pieces(f.surface);
  ASSERT_EQ(pieces.pieces.size(), 2u);
  EXPECT_EQ(pieces.pieces[0].bone, -1);
  EXPECT_EQ(pieces.pieces[1].bone, b);
  EXPECT_DOUBLE_EQ(pieces.pieces[0].extent(), 2);
  EXPECT_EQ(pieces.of_vertex.front(), 0);
  EXPECT_EQ(pieces.of_vertex.back(), 1);
}

}  // namespace
}  // namespace sinew
