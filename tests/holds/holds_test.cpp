// Somebody who knows nothing about flesh takes hold of it anywhere and leads it far away.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "sinew/jobs/open_session.h"
#include "sinew/session/attachment.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

struct HoldSweep {
  std::filesystem::path file;
  std::string lattice{};  // `auto`, or empty: tetrahedra
  std::size_t points = 0;
  std::vector<double> leads{1};  // metres, for a character 1.7 m tall: in proportion for others
  double seconds = 0.25;         // that each is held
  int tetrahedra = FleshSettings().tetrahedra;
};

struct Box {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  void add(const Vec3& x) {
    low = min(low, x);
    high = max(high, x);
  }
  // Infinite for what is no number.
  double outside(const Vec3& x) const {
    double most = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!std::isfinite(x[k])) return HUGE_VAL;
      most = std::max({most, low[k] - x[k], x[k] - high[k]});
    }
    return most;
  }
};

// Holds the rest pose at points spread over its surface, leads each in eight directions, and says what left the pose's
// bounding box by more than the hold's reach.
void sweep_holds(const HoldSweep& sweep) {
  SessionRequest request;
  test::flesh(request.method).lattice.file = sweep.lattice;
  test::flesh(request.method).tetrahedra = sweep.tetrahedra;
  const auto live = open_session(sweep.file, request);
  Session& session = live->session();
  session.play({});
  const Scene& scene = live->scene();
  const std::vector<Vec3>& rest = scene.surface->rest.positions;
  std::vector<Vec3> shown(rest.size());
  session.surface(shown);
  Box box;
  for (const Vec3& x : shown) box.add(x);
  double worst = 0, largest = 0;
  for (std::size_t k = 0; k < sweep.points; ++k) {
    const std::size_t vertex = k * rest.size() / sweep.points;
    const double radius = hand_of_height * scene.height;
    const double reach = attach(scene.surface->rest, scene.hold_reach, rest[vertex], radius).reach;
    for (const double lead : sweep.leads)
      for (int way = 0; way < 8; ++way) {
        const Vec3 direction = Vec3{way & 1 ? 1.0 : -1.0, way & 2 ? 1.0 : -1.0, way & 4 ? 1.0 : -1.0} / std::sqrt(3.0);
        session.play({});
        Action grab;
        grab.kind = Action::Kind::grab;
        grab.name = "hand";
        grab.point = rest[vertex];
        grab.target = shown[vertex] + lead * scene.height / 1.7 * direction;
        session.act(grab);
        std::vector<Vec3> held(rest.size());
        session.advance(sweep.seconds);
        session.surface(held);
        for (std::size_t v = 0; v < held.size(); ++v) {
          const double beyond = box.outside(held[v]) - reach;
          largest = std::max(largest, distance(held[v], shown[v]));
          if (beyond > worst) {
            worst = beyond;
            ADD_FAILURE() << sweep.file.filename() << (sweep.lattice.empty() ? "" : " in a lattice")
                          << ": held at vertex " << vertex << ", of reach " << reach << " m, and led " << lead
                          << " m along way " << way << ": vertex " << v << " is " << beyond
                          << " m beyond what can be reached";
          }
        }
      }
  }
  std::printf("%s: no point moved more than %.3f m, of a height of %.3f m\n", sweep.file.filename().c_str(), largest,
              scene.height);
}

TEST(Holds, KeepFleshWithinTheirReach) { sweep_holds({test::sample_file("sumo.glb"), "", 4, {2}, 0.12, 1500}); }

TEST(Holds, KeepFleshWithinTheirReachInALattice) {
  sweep_holds({test::sample_file("sumo.glb"), "auto", 2, {2}, 0.12, 1500});
}

TEST(HoldsForLonger, KeepFineFleshWithinTheirReach_sumo) {
  sweep_holds({test::sample_file("sumo.glb"), "", 8, {2}, 0.12});
}

// Whole surfaces of six characters, three of them real ones that are no part of the project.
class HoldsEverywhere : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(HoldsEverywhere, KeepFleshWithinTheirReach) {
  const auto [name, lattice] = GetParam();
  std::filesystem::path file = test::sample_file(name);
  if (!std::filesystem::exists(file))
    file = std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters/more" / name;
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "Not tested: " << file.string() << " is not there.";
  // 250 points are 4,000 holds, which end within ten minutes of one core; 500 take twice as long.
  sweep_holds({file, lattice, 250, {1, 2}, 0.06});
}

INSTANTIATE_TEST_SUITE_P(Characters, HoldsEverywhere,
                         testing::Combine(testing::Values("sumo.glb", "elephant.glb", "tube.glb", "mage.glb",
                                                          "animals_pack_wolf.glb", "trex.glb"),
                                          testing::Values("", "auto")),
                         [](const auto& sweep) {
                           const std::string file = std::get<0>(sweep.param);
                           return file.substr(0, file.find('.')) +
                                  (*std::get<1>(sweep.param) == 0 ? "_tetrahedra" : "_lattice");
                         });

}  // namespace
}  // namespace sinew
