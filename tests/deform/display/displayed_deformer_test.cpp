// The decorator that clamps what is displayed: the flesh below it does not notice.
#include "sinew/deform/display/displayed_deformer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/deform/snapshot_numbers.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

constexpr double flesh_step = 0.01, push = 0.05;  // seconds; metres per step

// Flesh whose vertices move along x by one push per step, the first ones more than the last.
class PushedFlesh final : public Deformer, public EmbeddedSurface {
 public:
  explicit PushedFlesh(const TriangleMesh& rest) : rest_(rest), now_(rest.positions.size()), earlier_(now_) {
    traits_.step = flesh_step;
  }
  const DeformerTraits& traits() const override { return traits_; }
  void reset(const RigState&, const RigState&) override {
    std::fill(now_.begin(), now_.end(), Vec3{});
    earlier_ = now_;
  }
  void advance(const RigState&, const Environment&) override {
    earlier_ = now_;
    for (std::size_t v = 0; v < now_.size(); ++v)
      now_[v].x += push * (1 - static_cast<double>(v) / static_cast<double>(now_.size()));
  }
  void goal(const RigState&, std::span<Vec3> surface) override {
    std::copy(rest_.positions.begin(), rest_.positions.end(), surface.begin());
  }
  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    std::vector<Vec3> between(now_.size());
    between_steps(earlier_, now_, before, between);
    displace(rig, between, surface);
  }
  std::span<const Vec3> points() const override { return now_; }
  EmbeddedSurface* embedded() override { return this; }
  std::span<const Vec3> earlier_points() const override { return earlier_; }
  void displace(const RigState&, std::span<const Vec3> points, std::span<Vec3> surface) override {
    std::copy(points.begin(), points.end(), surface.begin());
  }
  void save(Snapshot& snapshot) const override {
    append_vectors(snapshot.numbers, earlier_);
    append_vectors(snapshot.numbers, now_);
  }
  void load(const Snapshot& snapshot, const RigState&, double) override {
    SnapshotNumbers take(snapshot.numbers);
    earlier_ = take.vectors(now_.size());
    now_ = take.vectors(now_.size());
    take.finish();
  }

 private:
  DeformerTraits traits_;
  const TriangleMesh& rest_;
  std::vector<Vec3> now_, earlier_;
};

std::shared_ptr<const SimulationSurface> ball() {
  auto surface = std::make_shared<SimulationSurface>();
  surface->rest = sphere({}, 0.1, 8);
  surface->influences.resize(surface->rest.positions.size());
  return surface;
}

struct Displayed {
  std::shared_ptr<const SimulationSurface> surface = ball();
  DisplayedDeformer deformer;
  std::vector<Vec3> now = std::vector<Vec3>(surface->rest.positions.size());

  explicit Displayed(const DisplayClamps& clamps)
      : deformer(std::make_unique<PushedFlesh>(surface->rest), std::make_shared<const DisplayClamps>(clamps), surface) {
    deformer.reset({}, {});
  }
  const std::vector<Vec3>& after(int steps, const Environment& environment = {}) {
    for (int k = 0; k < steps; ++k) deformer.advance({}, environment);
    deformer.displacements({}, 0, now);
    return now;
  }
};

DisplayClamps limited(double limit) {
  DisplayClamps clamps;
  clamps.limit.emplace().of_points.assign(ball()->rest.positions.size(), limit);
  return clamps;
}

Environment with_a_collider() {
  Environment environment;
  environment.colliders.planes.emplace_back();
  return environment;
}

TEST(DisplayedDeformer, WithoutClampsTheBareFleshIsDisplayed) {
  Displayed displayed({});
  const std::vector<Vec3> now = displayed.after(3);
  EXPECT_TRUE(std::equal(now.begin(), now.end(), displayed.deformer.points().begin()));
  std::vector<Vec3> surface(now.size());
  displayed.deformer.surface({}, 0, surface);
  for (std::size_t v = 0; v < now.size(); ++v) EXPECT_EQ(surface[v], displayed.surface->rest.positions[v] + now[v]);
  EXPECT_EQ(displayed.deformer.safety_clamps().display_limit + displayed.deformer.safety_clamps().strain_limit, 0);
}

TEST(DisplayedDeformer, TheFleshBelowGoesOnUnclamped) {
  DisplayClamps clamps = limited(0.01);
  clamps.strain = StrainLimit{.most = 1.1};
  Displayed clamped(clamps), free({});
  clamped.after(5);
  free.after(5);
  EXPECT_TRUE(std::equal(free.now.begin(), free.now.end(), clamped.deformer.points().begin()));
  for (const Vec3& u : clamped.now) EXPECT_LE(norm(u), 0.0101);
  EXPECT_GT(clamped.deformer.safety_clamps().display_limit, 0.9);
}

TEST(DisplayedDeformer, StrainIsLimitedAndCounted) {
  DisplayClamps clamps;
  clamps.strain = StrainLimit{};
  Displayed clamped(clamps);
  clamped.after(40);
  EXPECT_GT(clamped.deformer.safety_clamps().strain_limit, 0.1);
  // The same clamps for displacements that somebody else changed.
  std::vector<Vec3> points(clamped.deformer.points().begin(), clamped.deformer.points().end());
  clamped.deformer.clamp({}, points);
  EXPECT_EQ(points, clamped.now);
}

TEST(DisplayedDeformer, CollidersReleaseTheLimitUnlessItWasAskedFor) {
  Displayed released(limited(0.01));
  DisplayClamps asked = limited(0.01);
  asked.limit->releases = false;
  Displayed kept(asked);
  const double most = norm(released.after(20, with_a_collider())[0]);
  EXPECT_GT(most, 0.5);
  EXPECT_NEAR(released.deformer.driven_displacement(), norm(released.deformer.points()[0]), 1e-12);
  EXPECT_LT(norm(kept.after(20, with_a_collider())[0]), 0.0101);
  EXPECT_EQ(kept.deformer.driven_displacement(), 0);
  // It comes back, over the flesh's own swing, once nothing drives it.
  released.after(1000);
  EXPECT_LT(norm(released.now[0]), 0.0101);
  EXPECT_EQ(released.deformer.driven_displacement(), 0);
}

TEST(DisplayedDeformer, TheReleaseIsPartOfAState) {
  Displayed first(limited(0.01)), second(limited(0.01));
  first.after(20, with_a_collider());
  Snapshot snapshot;
  first.deformer.save(snapshot);
  second.deformer.load(snapshot, {}, 10);
  EXPECT_EQ(second.after(0), first.now);
  EXPECT_EQ(second.after(3), first.after(3));
  snapshot.numbers.back() = -1;
  EXPECT_THROW(second.deformer.load(snapshot, {}, 10), Error);
  snapshot.numbers.resize(2);
  EXPECT_THROW(second.deformer.load(snapshot, {}, 10), Error);
}

// Two balls, of which the first is pushed into the second.
TEST(DisplayedDeformer, SkinInOtherSkinIsLedApart) {
  auto surface = std::make_shared<SimulationSurface>();
  surface->rest = sphere({}, 0.1, 16);
  const std::size_t half = surface->rest.positions.size();
  append(surface->rest, sphere({0.24, 0, 0}, 0.1, 16));
  surface->influences.resize(surface->rest.positions.size());
  const auto overlap = [&](bool separates) {
    DisplayClamps clamps;
    clamps.separates = separates;
    DisplayedDeformer deformer(std::make_unique<PushedFlesh>(surface->rest),
                               std::make_shared<const DisplayClamps>(clamps), surface);
    deformer.reset({}, {});
    for (int k = 0; k < 2; ++k) deformer.advance({}, {});
    std::vector<Vec3> now(2 * half);
    deformer.surface({}, 0, now);
    double right = -HUGE_VAL, left = HUGE_VAL;
    for (std::size_t v = 0; v < half; ++v) right = std::max(right, now[v].x), left = std::min(left, now[half + v].x);
    return right - left;
  };
  EXPECT_GT(overlap(false), 0.01);
  EXPECT_LT(overlap(true), overlap(false)) << "that it acts; skin_separation_test.cpp tells how";
}

}  // namespace
}  // namespace sinew
