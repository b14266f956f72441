// Names in several languages and of several exporters; and that they tip only what shapes leave undecided.
#include "sinew/anatomy/part_names.h"

#include <gtest/gtest.h>

#include "sinew/anatomy/anatomy.h"
#include "tests/anatomy/figures.h"

namespace sinew {
namespace {

using namespace test;

TEST(PartNames, AsPeopleAndExportersWriteThem) {
  for (const char* name : {"head",         "Head",    "mixamorig:Head", "Bip001 Head", "DEF-head.001", "b_Head_05",
                           "J_Bip_C_Head", "HeadNub", "hand_l",         "LeftHand",    "lefthand",     "LHand",
                           "Kopf",         "tête",    "TÊTE",           "cabeza",      "testa",        "cabeça",
                           "頭",           "头",      "голова",         "ball_r"})
    EXPECT_EQ(named_as(name), NamedAs::bony) << name;
  for (const char* name :
       {"Eye_Black", "Horns", "mage_eyes", "zähne", "Schwert", "épée", "elmo", "Helmet.L", "剣", "tusk_l"})
    EXPECT_EQ(named_as(name), NamedAs::hard) << name;
  for (const char* name : {"Tail7", "LeftHandThumb", "upper arm", "UpperArm.L", "lowerarm_l", "Schwanz", "尾",
                           "spine_01", "trunk_9", "ForeArm"})
    EXPECT_EQ(named_as(name), NamedAs::soft) << name;
  for (const char* name :
       {"Ear3.R", "Wing2.L", "Koi_Fins", "cape", "Flügel", "oreille", "耳", "マント", "BottomFlipper.L"})
    EXPECT_EQ(named_as(name), NamedAs::thin) << name;
  for (const char* name : {"", "Bone.012", "joint3", "gear", "Final", "search", "overheads", "\xff\xc3", "Main"})
    EXPECT_EQ(named_as(name), NamedAs::nothing) << name;
}

// A person whose head is so many times as long as wide; 1.8 is the bound of a skull.
Person with_head(double length, const char* name) {
  Person p = person();
  Vec3 centre{0, 1.45, 0};
  for (Vec3& x : p.figure.surface.rest.positions)
    if (distance(x, centre) < 0.21) x.y = centre.y + length * (x.y - centre.y);
  p.figure.surface.bones[static_cast<std::size_t>(p.head)].name = name;
  return p;
}

Tissue head(const Person& p, Names names) {
  return find_anatomy(p.figure.surface, {}, names).bones[static_cast<std::size_t>(p.head)].tissue;
}

TEST(PartNames, TipWhatIsUndecidedAndNothingElse) {
  int tipped = 0;
  for (double length = 1.0; length < 3.3; length += 0.25) {
    const Tissue shape = head(with_head(length, "joint3"), Names::used);
    for (const char* name : {"joint3", "Kopf", "Schwanz"}) {
      const Person p = with_head(length, name);
      EXPECT_EQ(head(p, Names::ignored), shape) << name << " " << length;
      tipped += head(p, Names::used) != shape;
    }
    // Far from the bound no name does anything.
    if (length < 1.2) {
      EXPECT_EQ(head(with_head(length, "Schwanz"), Names::used), Tissue::skull) << length;
    }
    if (length > 2.9) {
      EXPECT_EQ(head(with_head(length, "Kopf"), Names::used), Tissue::flesh) << length;
    }
  }
  EXPECT_GE(tipped, 2);
}

// An eye that follows its neighbour a little is nearly on one bone.
TEST(PartNames, OfMaterialsTipPieces) {
  for (const double share : {0.05, 0.3}) {
    Person p = person();
    const std::size_t body = p.figure.surface.rest.positions.size();
    p.figure.piece(sphere({0.08, 1.5, 0.17}, 0.04, 12), [&](const Vec3&) { return between(p.head, p.chest, share); });
    SimulationSurface& surface = p.figure.surface;
    surface.part_names = {"Body Main", "Body Augen"};
    surface.vertex_of.resize(2);
    for (std::size_t v = 0; v < surface.rest.positions.size(); ++v)
      surface.vertex_of[v < body ? 0 : 1].push_back(static_cast<int>(v));
    EXPECT_TRUE(find_anatomy(surface, {}, Names::ignored).rigid.empty());
    EXPECT_EQ(find_anatomy(surface).rigid.size(), share < 0.1 ? 1u : 0u);
  }
}

}  // namespace
}  // namespace sinew
