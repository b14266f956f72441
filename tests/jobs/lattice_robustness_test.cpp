// Flesh in lattices under everything at once: random hands, obstacles, poses with joints turned to 170 degrees and
// bones scaled, teleports. Nothing is lost, and once let go the body is back where it was.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <iostream>
#include <numbers>
#include <random>

#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/jobs/open_character.h"

namespace sinew {
namespace {

// The standard's distributions differ from library to library; its generators do not.
class Random {
 public:
  explicit Random(std::uint32_t seed) : generator_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(generator_()) / 4294967296.0);
  }
  std::size_t below(std::size_t count) { return generator_() % count; }
  bool once_in(std::size_t count) { return below(count) == 0; }
  Vec3 direction() {
    while (true) {
      const Vec3 v{between(-1, 1), between(-1, 1), between(-1, 1)};
      if (norm(v) > 0.1 && norm(v) < 1) return normalized(v);
    }
  }

 private:
  std::mt19937 generator_;
};

// What is solved, and how.
struct Flesh {
  Reference reference = Reference::rig;
  Linearization linearization = Linearization::warped;
  int levels = 1;
  double adapt = 0;
};

class Rough {
 public:
  Rough(const std::string& name, const Flesh& flesh, std::uint32_t seed)
      : character_(open_character(std::string(SINEW_SOURCE_DIR "/samples/") + name).character), random_(seed) {
    FleshSettings settings;
    settings.reference = flesh.reference;
    settings.tetrahedra = 2000;
    settings.lattice.file = auto_lattice;
    settings.lattice.cells = 150;
    settings.lattice.levels = flesh.levels;
    if (flesh.levels > 1) settings.lattice.adapt = flesh.adapt;
    settings.lattice.linearization = flesh.linearization;
    scene_ = prepare_flesh(character_, settings);
    scene_.lattice =
        prepare_lattice(scene_, build_lattice(character_, scene_.surface, {settings.lattice.cells}).lattice, settings);
    flesh_ = lattice_flesh(scene_.lattice);
    rest_pose_ = sample(character_.skeleton, nullptr, 0);
    rest_ = bone_transforms(character_, scene_.surface, rest_pose_);
    flesh_->reset({0, rest_}, {flesh_->step(), rest_});
    still_.assign(flesh_->local_displacements().begin(), flesh_->local_displacements().end());
    still_det_ = flesh_->measure({0, rest_}).min_det;
  }

  void disturb(int events) {
    std::vector<Affine> bones = rest_;
    for (int k = 0; k < events; ++k) {
      if (random_.once_in(3)) bones = random_pose();
      Environment environment;
      for (std::size_t hands = random_.below(3); hands > 0; --hands) add_hand(environment, bones);
      for (std::size_t obstacles = random_.below(3); obstacles > 0; --obstacles) add_obstacle(environment, bones);
      if (random_.once_in(4)) environment.ground = random_.between(-1, 1) * scene_.height;
      flesh_->set_environment(environment);
      for (std::size_t steps = 1 + random_.below(3); steps > 0; --steps) advance(bones);
      double most = 0;
      for (const Vec3& u : flesh_->local_displacements()) most = std::max(most, norm(u));
      ASSERT_TRUE(std::isfinite(most)) << "event " << k;
      wildest_ = std::max(wildest_, most / scene_.height);
    }
  }

  // Metres over the height, of the coefficient that is farthest from where it was.
  double left_after(double seconds) {
    flesh_->set_environment({});
    for (double t = 0; t < seconds; t += flesh_->step()) advance(rest_);
    double most = 0;
    for (std::size_t f = 0; f < still_.size(); ++f)
      most = std::max(most, distance(flesh_->local_displacements()[f], still_[f]));
    return most / scene_.height;
  }

  double min_det() const { return flesh_->measure({time_, rest_}).min_det; }
  double still_det() const { return still_det_; }
  double wildest() const { return wildest_; }

 private:
  void advance(const std::vector<Affine>& bones) {
    time_ += flesh_->step();
    flesh_->advance({time_, bones});
  }

  std::vector<Affine> random_pose() {
    constexpr double most = 170 * std::numbers::pi / 180;
    // Every bone by itself, so that joints come apart as much as they turn.
    std::vector<Affine> bones = rest_;
    const Vec3 away = random_.once_in(4) ? 10 * scene_.height * random_.direction() : Vec3{};
    for (Affine& bone : bones) {
      if (random_.once_in(2)) {
        const Vec3 head = scene_.surface.bones[static_cast<std::size_t>(&bone - bones.data())].segments[0].head;
        const double scale = random_.once_in(4) ? random_.between(0.4, 2.5) : 1;
        Affine turn;
        turn.linear = to_matrix(axis_angle(random_.direction(), random_.between(0, most))) * scale;
        turn.translation = head - turn.linear * head;
        bone = bone * turn;
      }
      bone.translation += away;
    }
    return bones;
  }

  Vec3 place_of(int vertex, const std::vector<Affine>& bones) const {
    return flesh_->place_of(at_vertex(vertex), bones);
  }
  int any_vertex() { return static_cast<int>(random_.below(scene_.lattice->description.surface.rows())); }

  void add_hand(Environment& environment, const std::vector<Affine>& bones) {
    const int vertex = any_vertex();
    const Vec3 target = place_of(vertex, bones) + random_.between(0, 0.5) * scene_.height * random_.direction();
    environment.held.push_back({at_vertex(vertex), target, random_.between(0, 5) * random_.direction(), "hand"});
  }

  void add_obstacle(Environment& environment, const std::vector<Affine>& bones) {
    const Vec3 place = place_of(any_vertex(), bones) + random_.between(0, 0.2) * scene_.height * random_.direction();
    const double radius = random_.between(0.02, 0.3) * scene_.height;
    if (random_.once_in(3))
      environment.colliders.planes.push_back({place, random_.direction()});
    else
      environment.colliders.capsules.push_back(
          {place, place + random_.between(0, 0.3) * scene_.height * random_.direction(), radius});
  }

  Character character_;
  CookedFlesh scene_;
  Random random_;
  std::unique_ptr<LatticeBodyMotion> flesh_;
  Pose rest_pose_;
  std::vector<Affine> rest_;
  std::vector<Vec3> still_;
  double still_det_ = 1, time_ = 0, wildest_ = 0;
};

void expect_back_at_rest(const char* name, const Flesh& flesh, int events) {
  Rough rough(name, flesh, 7);
  rough.disturb(events);
  const double left = rough.left_after(10);
  std::cout << name << (flesh.reference == Reference::rig ? " rig" : " elastic") << ": wildest displacement "
            << rough.wildest() << " of the height, left " << left << ", least det F " << rough.min_det()
            << " (at first " << rough.still_det() << ")\n";
  EXPECT_LT(left, 1e-6);
  EXPECT_NEAR(rough.min_det(), rough.still_det(), 1e-4);
}

void expect_back_at_rest_under_both_references(const char* name, int events) {
  for (const Reference reference : {Reference::rig, Reference::elastic}) expect_back_at_rest(name, {reference}, events);
}

// 10,000 events in all: most of them where a step is cheap.
TEST(LatticeRobustness, TheTubeSurvivesAndComesBack) { expect_back_at_rest_under_both_references("tube.glb", 3640); }
TEST(LatticeRobustness, TheSumoSurvivesAndComesBack) { expect_back_at_rest_under_both_references("sumo.glb", 500); }
TEST(LatticeRobustness, TheElephantSurvivesAndComesBack) {
  expect_back_at_rest_under_both_references("elephant.glb", 500);
}

// While functions of the second level come and go.
TEST(LatticeRobustness, AdaptiveDetailSurvivesAndComesBack) {
  for (const Reference reference : {Reference::rig, Reference::elastic})
    expect_back_at_rest("tube.glb", {reference, Linearization::warped, 2, 0.02}, 60);
}

TEST(LatticeRobustness, BlendedRegionsSurviveAndComeBack) {
  expect_back_at_rest("tube.glb", {Reference::elastic, Linearization::blended, 1, 0}, 600);
}

}  // namespace
}  // namespace sinew
