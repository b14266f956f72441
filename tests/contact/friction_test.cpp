// Coulomb friction of points on a plane: what sticks stops, what slides is slowed down by mu p, and no impulse adds
// energy.
#include "sinew/contact/friction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace sinew {
namespace {

// Surface points over free points of these masses.
struct Sliding {
  std::vector<double> mass;
  SparseRows surface;
  std::vector<int> numbers;
  std::vector<Contact> contacts;
  std::vector<Vec3> velocity;

  explicit Sliding(std::vector<double> masses) : mass(std::move(masses)), velocity(mass.size()) {
    for (std::size_t k = 0; k < mass.size(); ++k) numbers.push_back(static_cast<int>(k));
  }
  void add_point(const std::vector<PointEntry>& entries, const Vec3& normal) {
    Contact contact;
    contact.point = contacts.size();
    contact.normal = normal;
    for (const PointEntry& entry : entries) {
      contact.entries.push_back(entry);
      surface.column.push_back(static_cast<int>(entry.unknown));
      surface.value.push_back(entry.weight);
    }
    surface.start.push_back(static_cast<int>(surface.column.size()));
    contacts.push_back(contact);
  }
  void rub_all(double most, const Vec3& obstacle = {}) {
    std::vector<RubbingContact> rubbing;
    for (const Contact& contact : contacts) rubbing.push_back({&contact, most, obstacle});
    const LinearOperator inverse_mass = [&](std::span<const double> from, std::span<double> to) {
      for (std::size_t k = 0; k < from.size(); ++k) to[k] = from[k] / mass[k / 3];
    };
    rub(rubbing, surface, inverse_mass, {numbers, numbers}, velocity);
  }
  double energy() const {
    double sum = 0;
    for (std::size_t k = 0; k < mass.size(); ++k) sum += 0.5 * mass[k] * squared_norm(velocity[k]);
    return sum;
  }
};

TEST(Friction, StopsASlowPointAndSlowsAFastOneDown) {
  Sliding one({2});
  one.add_point({{0, 1}}, {0, 1, 0});
  one.velocity[0] = {0.3, 0.5, 0.4};
  one.rub_all(10);
  EXPECT_LT(norm(one.velocity[0] - Vec3{0, 0.5, 0}), 1e-12);  // the normal part is not friction's

  one.velocity[0] = {3, 0, 4};
  one.rub_all(2);  // 2 N s on 2 kg take 1 m/s
  EXPECT_LT(norm(one.velocity[0] - Vec3{2.4, 0, 3.2}), 1e-12);

  one.velocity[0] = {3, 0, 4};
  one.rub_all(100, {1, 7, 0});  // a moving obstacle takes the point along, in its plane
  EXPECT_LT(norm(one.velocity[0] - Vec3{1, 0, 0}), 1e-12);
}

TEST(Friction, PointsThatShareMassesStickTogetherAndNeverGainEnergy) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> mass;
    for (int k = 0; k < 12; ++k) mass.push_back(0.01 + uniform(random));
    Sliding many(mass);
    for (int c = 0; c < 40; ++c) {
      const auto at = [&] { return static_cast<std::size_t>(11.99 * uniform(random)); };
      const double a = uniform(random), b = (1 - a) * uniform(random);
      many.add_point({{at(), a}, {at(), b}, {at(), 1 - a - b}}, {0, 1, 0});
    }
    for (Vec3& v : many.velocity) v = {uniform(random) - 0.5, uniform(random) - 0.5, uniform(random) - 0.5};
    const double before = many.energy();
    Sliding weak = many;
    weak.rub_all(0.01 * uniform(random));
    EXPECT_LE(weak.energy(), before * (1 + 1e-12));
    many.rub_all(1e3);
    EXPECT_LT(many.energy(), before);
    // 40 contacts stick 12 points: none is left to slide.
    double sliding = 0;
    for (const Vec3& v : many.velocity) sliding = std::max(sliding, std::hypot(v.x, v.z));
    EXPECT_LT(sliding, 0.05);
  }
}

}  // namespace
}  // namespace sinew
