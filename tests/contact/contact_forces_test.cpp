// Contact forces by themselves, on bodies whose answer to forces is a small matrix.
#include "sinew/contact/contact_forces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

// Points p_i = free_i + sum_j C_ij f_j, the surface being the points themselves and the means of neighbours.
class SmallBody final : public ContactedBody {
 public:
  explicit SmallBody(std::vector<Vec3> free, double coupling, bool with_means = true)
      : free_(std::move(free)), position_(free_) {
    const std::size_t n = free_.size();
    surface.columns = static_cast<int>(n);
    for (std::size_t i = 0; i + 1 < 2 * n; i += with_means ? 1 : 2) {
      for (std::size_t k = i / 2; k <= (i + 1) / 2; ++k) {
        surface.column.push_back(static_cast<int>(k));
        surface.value.push_back(i % 2 == 0 ? 1 : 0.5);
      }
      surface.start.push_back(static_cast<int>(surface.column.size()));
    }
    numbers.resize(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    compliance_.resize(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        compliance_[i * n + j] = 1e-3 * std::pow(coupling, std::abs(static_cast<double>(i) - static_cast<double>(j)));
  }

  void positions(std::span<Vec3> place) override { multiply(surface, position_, place); }
  std::optional<Vec3> position_before(std::size_t point) override { return row_times(surface, point, before); }
  Goals goals(std::size_t point) override {
    return goal.empty() ? Goals{{0, 1, 0}, {0, 1, 0}} : Goals{goal[point], goal[point]};
  }
  double push_reach(std::size_t) const override { return reach; }
  void apply_compliance(std::span<const double> force, std::span<double> along) override {
    std::vector<double> total(3 * free_.size(), 0.0);
    contacts_->add_forces(force, total);
    contacts_->along_normals(answer(total), along);
  }
  ScratchVector<double> compliance_matrix() override {
    if (!matrix_at_hand) return {};
    const std::size_t count = contacts_->size();
    ScratchVector<double> result(count * count), force(count, 0.0), along(count);
    for (std::size_t c = 0; c < count; ++c) {
      force[c] = 1;
      apply_compliance(force, along);
      force[c] = 0;
      for (std::size_t d = 0; d < count; ++d) result[d * count + c] = along[d];
    }
    return result;
  }
  void respond(std::span<const double> more) override {
    const std::vector<double> moved = answer(more);
    for (std::size_t i = 0; i < position_.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) position_[i][k] += moved[3 * i + k];
  }

  Unknowns unknowns() const { return {numbers, numbers}; }
  const std::vector<Vec3>& position() const { return position_; }
  std::vector<double> answer(std::span<const double> force) const {
    std::vector<double> moved(force.size(), 0.0);
    const std::size_t n = free_.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < 3; ++k) moved[3 * i + k] += compliance_[i * n + j] * force[3 * j + k];
    if (within) (*within)(moved);
    return moved;
  }

  SparseRows surface;
  std::vector<int> numbers;
  std::vector<Vec3> before;
  std::vector<Vec3> goal;  // none: 1 m above the ground
  double reach = std::numeric_limits<double>::infinity();
  bool matrix_at_hand = false;
  const std::function<void(std::span<double>)>* within = nullptr;  // what a hand leaves of a movement; null: all

 private:
  std::vector<Vec3> free_, position_;
  std::vector<double> compliance_;
};

std::vector<Vec3> wavy(std::size_t count) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = 0.1 * static_cast<double>(i);
    points.push_back({x, 0.05 * std::sin(13 * x), 0.02 * std::cos(5 * x)});
  }
  return points;
}

// Forces are the same whether the search knows the matrix or only its products, between two planes as well, and however
// many points touch at once.
TEST(ContactForces, AreTheSameByTheMatrixAndByItsProducts) {
  const Colliders floor{{{{0, 0, 0}, {0, 2, 0}}}, {}}, wedge{{{{0, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {0, 0.6, 0.8}}}, {}},
      same;
  for (const Colliders* colliders : {&floor, &wedge})
    for (const std::size_t count : {12u, 300u}) {
      std::vector<std::vector<Vec3>> ends;
      for (const bool matrix_at_hand : {false, true}) {
        SmallBody body(wavy(count), 0.5);
        body.matrix_at_hand = matrix_at_hand;
        body.before = std::vector<Vec3>(count, Vec3{0, 1, 0});
        ContactForces contact(body.surface, contact_lengths(1));
        const HeldPoints nothing(body.surface);
        EXPECT_GT(contact.hold({{*colliders, same, {}}, body.unknowns(), nothing, 1.0 / 240, 1e-9}, body), 2);
        std::vector<Vec3> place(body.surface.rows());
        body.positions(place);
        for (std::size_t c = 0; c < colliders->size(); ++c)
          for (const Vec3& p : place) EXPECT_GT(gap_to(*colliders, c, p).distance, -1e-8);
        ends.push_back(body.position());
      }
      for (std::size_t i = 0; i < count; ++i) EXPECT_LT(distance(ends[0][i], ends[1][i]), 1e-7) << count << ' ' << i;
    }
}

// No force pulls, none has a part along the plane, points are out, and where a point stands off nothing pushes.
TEST(ContactForces, PushAlongTheNormalOnlyAndWhereTheyTouch) {
  for (const double coupling : {0.0, 0.5, 0.9}) {
    SmallBody body(wavy(12), coupling);
    body.before = std::vector<Vec3>(12, Vec3{0, 1, 0});
    ContactForces contact(body.surface, contact_lengths(1));
    const Colliders floor{{{{0, 0, 0}, {0, 2, 0}}}, {}}, same;
    const HeldPoints nothing(body.surface);
    const Obstacles obstacles{floor, same, {}};
    const int pushed = contact.hold({obstacles, body.unknowns(), nothing, 1.0 / 240, 1e-9}, body);
    EXPECT_GT(pushed, 2);
    std::vector<Vec3> place(body.surface.rows());
    body.positions(place);
    for (const Vec3& p : place) EXPECT_GT(p.y, -1e-9);
    for (std::size_t i = 0; i < body.numbers.size(); ++i) {
      EXPECT_EQ(contact.force()[3 * i], 0);
      EXPECT_GE(contact.force()[3 * i + 1], 0);
      EXPECT_EQ(contact.force()[3 * i + 2], 0);
      if (!(contact.force()[3 * i + 1] > 1e-6)) continue;
      double least = 1;  // of the points that hang on this one
      for (std::size_t s = 0; s < place.size(); ++s)
        for (int e = body.surface.start[s]; e < body.surface.start[s + 1]; ++e)
          if (body.surface.column[static_cast<std::size_t>(e)] == static_cast<int>(i))
            least = std::min(least, std::abs(place[s].y));
      EXPECT_LT(least, 1e-9);
    }
  }
}

// One point and a ball on one side: the force that closes the gap is gap / compliance along the line of centres, and
// the impulse after the step takes the approach and nothing else.
TEST(ContactForces, ABallPushesOnePointByItsGap) {
  SmallBody body({{0.3, 0, 0.4}}, 0);
  body.before = {{0.6, 0, 0.8}};
  ContactForces contact(body.surface, contact_lengths(1));
  Colliders now, before;
  now.capsules = {sphere_collider({0, 0, 0}, 0.52)};
  before.capsules = {sphere_collider({0, 0, 0}, 0.51)};
  const HeldPoints nothing(body.surface);
  const double step = 0.01;
  ASSERT_EQ(contact.hold({{now, before, {}}, body.unknowns(), nothing, step, 1e-9}, body), 1);
  EXPECT_NEAR(contact.force()[0], 0.6 * 0.02 / 1e-3, 1e-6);
  EXPECT_NEAR(contact.force()[1], 0, 1e-9);
  EXPECT_NEAR(contact.force()[2], 0.8 * 0.02 / 1e-3, 1e-6);
  EXPECT_NEAR(norm(body.position()[0]), 0.52, 1e-9);

  std::vector<Vec3> velocity{{-3, 2, -4}};
  const LinearOperator inverse_mass = [](std::span<const double> from, std::span<double> to) {
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = 0.5 * from[k];
  };
  contact.settle(inverse_mass, 0, body.unknowns(), velocity);
  // The ball's skin comes at 1 m/s along (0.6, 0, 0.8); what is across stays.
  EXPECT_NEAR(0.6 * velocity[0].x + 0.8 * velocity[0].z, 1, 1e-7);
  EXPECT_NEAR(0.8 * velocity[0].x - 0.6 * velocity[0].z, 0, 1e-7);
  EXPECT_NEAR(velocity[0].y, 2, 1e-9);
}

// What the rig has deeper inside a wall than flesh can be pushed stays in it by the rest; what it has less deep comes
// out.
TEST(ContactForces, YieldToGoalsBeyondReach) {
  SmallBody body({{0, -0.5, 0}, {0.3, -0.15, 0}}, 0, false);
  body.before = {{0, 0.1, 0}, {0.3, 0.1, 0}};
  body.goal = {{0, -0.5, 0}, {0.3, -0.15, 0}};
  body.reach = 0.2;
  ContactForces contact(body.surface, contact_lengths(10));  // which pushes as far as that in one step
  const Colliders wall{{{{0, 0, 0}, {0, 1, 0}}}, {}}, same;
  const HeldPoints nothing(body.surface);
  contact.hold({{wall, same, {}}, body.unknowns(), nothing, 1.0 / 240, 1e-9}, body);
  EXPECT_NEAR(body.position()[0].y, -0.3, 1e-9);
  EXPECT_NEAR(body.position()[1].y, 0, 1e-9);
}

// Between two planes that leave it no room a point gets finite forces and ends between them.
TEST(ContactForces, WhatIsSqueezedStaysFinite) {
  SmallBody body({{0, 0.3, 0}}, 0);
  body.before = {{0, 0, 0}};
  ContactForces contact(body.surface, contact_lengths(1));
  const Colliders press{{{{0, 0.01, 0}, {0, 1, 0}}, {{0, -0.01, 0}, {0, -1, 0}}}, {}}, same;
  const HeldPoints nothing(body.surface);
  contact.hold({{press, same, {}}, body.unknowns(), nothing, 1.0 / 240, 1e-6}, body);
  EXPECT_TRUE(std::isfinite(contact.force()[1]));
  EXPECT_LT(std::abs(body.position()[0].y), 0.3);
}

// A point that a hand decides is not the obstacle's.
TEST(ContactForces, HeldPointsAreTheHands) {
  SmallBody body({{0, -0.1, 0}, {0.1, -0.1, 0}}, 0, false);
  body.before = {{0, 0.1, 0}, {0.1, 0.1, 0}};
  HeldPoints held(body.surface);
  const std::vector<HeldPoint> hand{{at_vertex(0), {0, -0.1, 0}, {}, "hand"}};
  held.hold(
      hand, body.unknowns(),
      [] {
        return std::vector<double>{1, 1};
      },
      true);
  ContactForces contact(body.surface, contact_lengths(1));
  const Colliders none;
  EXPECT_EQ(contact.hold({{none, none, 0.0}, body.unknowns(), held, 1.0 / 240, 1e-9}, body), 1);
  EXPECT_EQ(contact.force()[1], 0);
  EXPECT_NEAR(body.position()[1].y, 0, 1e-9);
}

// A hand holds the mean of two points under the floor, and the floor wants both above it: each alone could be, both
// cannot. The forces stay finite, the hand has what it holds, and a point far from it is still on the floor.
TEST(ContactForces, WhatAHandHoldsUnderTheFloorStaysFinite) {
  SmallBody body({{0, -0.1, 0}, {0.1, -0.1, 0}, {0.9, -0.1, 0}}, 0, false);
  body.before = {{0, -0.1, 0}, {0.1, -0.1, 0}, {0.9, 0.1, 0}};
  SparseRows skin = body.surface;  // and the mean of the first two
  skin.column.insert(skin.column.end(), {0, 1});
  skin.value.insert(skin.value.end(), {0.5, 0.5});
  skin.start.push_back(static_cast<int>(skin.column.size()));
  HeldPoints held(skin);
  const std::vector<HeldPoint> hand{{at_vertex(3), {0.05, -0.1, 0}, {}, "hand"}};
  held.hold(
      hand, body.unknowns(),
      [] {
        return std::vector<double>{1, 1, 1};
      },
      true);
  const std::function<void(std::span<double>)> by_hand = [&](std::span<double> moved) { held.project(moved); };
  body.within = &by_hand;
  ContactForces contact(body.surface, contact_lengths(1));
  const Colliders none;
  contact.hold({{none, none, 0.0}, body.unknowns(), held, 1.0 / 240, 1e-9}, body);
  // None pushes harder than would move a point by the longest push, at a compliance of 1e-3 m/N.
  const double hardest = contact_lengths(1).longest_push / 1e-3;
  for (std::size_t k = 0; k < 9; ++k) EXPECT_LE(std::abs(contact.force()[k]), 1.001 * hardest);
  EXPECT_NEAR(body.position()[0].y + body.position()[1].y, -0.2, 1e-6);
  EXPECT_NEAR(body.position()[2].y, 0, 1e-9);

  std::vector<Vec3> velocity{{0, -1, 0}, {0, -1, 0}, {0, -1, 0}};
  const LinearOperator inverse_mass = [&](std::span<const double> from, std::span<double> to) {
    std::copy(from.begin(), from.end(), to.begin());
    held.project(to);
  };
  contact.settle(inverse_mass, 0, body.unknowns(), velocity);
  for (const Vec3& v : velocity) EXPECT_LT(norm(v), 1.5);
  EXPECT_NEAR(velocity[2].y, 0, 1e-7);
}

// A plane that some points see as other skin.
class PlaneOfSkin final : public OtherSkin {
 public:
  explicit PlaneOfSkin(std::vector<SkinMeeting> meetings) : meetings_(std::move(meetings)) {}
  std::span<const SkinMeeting> meetings() const override { return meetings_; }
  Gap gap(const SkinMeeting&, const Vec3& place) const override { return {place.y, {0, 1, 0}}; }
  Gap gap_before(const SkinMeeting& meeting, const Vec3& place) const override { return gap(meeting, place); }
  Vec3 velocity(const SkinMeeting&, const Vec3&, double) const override { return {}; }

 private:
  std::vector<SkinMeeting> meetings_;
};

TEST(ContactForces, OtherSkinIsAnObstacleOfThePointsThatMeetIt) {
  const Colliders floor{{{{0, 0, 0}, {0, 1, 0}}}, {}}, none;
  const auto held = [&](const Colliders& colliders, const OtherSkin* skin) {
    SmallBody body(wavy(12), 0.5);
    body.before = std::vector<Vec3>(12, Vec3{0, 1, 0});
    Obstacles obstacles{colliders, none, {}};
    obstacles.skin = skin;
    HeldPoints nothing(body.surface);
    ContactForces contact(body.surface, contact_lengths(1));
    contact.hold({obstacles, body.unknowns(), nothing, 1.0 / 240, 1e-9}, body);
    return body.position();
  };
  std::vector<SkinMeeting> all, some;
  for (std::size_t s = 0; s < 23; ++s) all.push_back({s, 0, 0, {}, {}});
  for (const SkinMeeting& meeting : all)
    if (meeting.point < 11) some.push_back({meeting.point, 0, 0.01, {}, {}});
  const PlaneOfSkin whole(all), half(some);
  EXPECT_EQ(held(none, &whole), held(floor, nullptr));
  const std::vector<Vec3> below = held(none, &half);
  double deepest = 0, deepest_beyond = 0;
  for (std::size_t k = 0; k < below.size(); ++k) {
    double& deep = k <= 5 ? deepest : deepest_beyond;
    deep = std::max(deep, -below[k].y);
  }
  EXPECT_NEAR(deepest, 0.01, 1e-6) << "as deep as its slack";
  EXPECT_GT(deepest_beyond, 0.02);
}

// Pressed for many steps, skin stays as deep as its goal and its slack, whatever the step.
TEST(ContactForces, SkinThatIsPressedSinksNoDeeperWithTime) {
  const Colliders none;
  for (const double step : {1.0 / 480, 1.0 / 60}) {
    std::vector<SkinMeeting> meetings;
    const Vec3 goal{0, -0.01, 0};
    meetings.push_back({0, 0, 0.005, goal, {-0.01, {0, 1, 0}}});
    const PlaneOfSkin plane(meetings);
    std::vector<Vec3> before{goal};
    for (int k = 0; k < 40; ++k) {
      SmallBody body({{0, -0.06, 0}}, 0.5, false);
      body.goal = {goal};
      body.before = before;
      Obstacles obstacles{none, none, {}};
      obstacles.skin = &plane;
      HeldPoints nothing(body.surface);
      ContactForces contact(body.surface, contact_lengths(1));
      contact.hold({obstacles, body.unknowns(), nothing, step, 1e-9}, body);
      before = body.position();
    }
    EXPECT_NEAR(before[0].y, -0.015, 1e-6) << step;
  }
}

}  // namespace
}  // namespace sinew
