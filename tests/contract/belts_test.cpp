// Belts on characters, in tetrahedra and in lattices that are built for them: they sit, the flesh bulges, and nothing
// is thrown about.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "folder.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/jobs/open_character.h"
#include "tests/bake/bake_cooked.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Around what, in metres of a character that is as high as `height` says.
struct Belted {
  std::string file;
  BeltSettings belt;
};

BeltSettings around(const std::string& joint, const Vec3& point, const Vec3& normal, double width, double radius) {
  BeltSettings belt;
  belt.name = "waist";
  belt.joint = joint;
  belt.point = point;
  belt.normal = normal;
  belt.width = width;
  belt.radius = radius;
  return belt;
}

std::vector<Belted> samples() {
  const std::string folder = std::string(SINEW_SOURCE_DIR) + "/samples/";
  return {{folder + "sumo.glb", around("spine", {0, 1.02, 0}, {0, 1, 0}, 0.08, 0.45)},
          {folder + "elephant.glb", around("spine", {0, 1.5, -0.2}, {0, 0, 1}, 0.16, 1.2)},
          {folder + "tube.glb", around("upper", {0, 0.75, 0}, {0, 1, 0}, 0.1, 0.5)}};
}

struct Run {
  Linearization linearization = Linearization::warped;
  Reference reference = Reference::rig;
  int levels = 1;
  bool in_lattice = true;
};

class BeltedCharacter {
 public:
  explicit BeltedCharacter(const Belted& belted)
      : character_(open_character(belted.file).character), belt_(belted.belt) {
    surface_ = simulation_surface(character_);
  }

  // Of the first fifth of a second: the recording with a belt of this size, or with none where it is 0.
  BakeResult bake(const Run& run, double size) {
    FleshSettings settings;
    settings.tetrahedra = 800;
    settings.reference = run.reference;
    if (run.in_lattice) settings.lattice.file = auto_lattice;
    settings.lattice.linearization = run.linearization;
    settings.lattice.levels = run.levels;
    settings.limit = 1e6;  // what is shown is what was computed, with a belt and without
    if (size > 0) {
      settings.belts = {belt_};
      settings.belts[0].size = size;
    }
    CookedFlesh scene = prepare_flesh(character_, settings);
    if (run.in_lattice) scene.lattice = prepare_lattice(scene, lattice(), settings);
    height = scene.height;
    BakeOptions options;
    options.clip = 0;
    options.end = character_.clips.at(0).start + 0.2;
    return test::bake_flesh(character_, scene, settings, options);
  }

  // How far the belt's skin is drawn in at most, metres.
  double drawn(double size) const { return std::abs(1 - size) * belt_.radius; }

  double height = 0;

 private:
  // Built where it is first needed.
  const ControlLattice& lattice() {
    if (!lattice_) lattice_ = build_lattice(character_, surface_, {120}).lattice;
    return *lattice_;
  }

  Character character_;
  BeltSettings belt_;
  SimulationSurface surface_;
  std::optional<ControlLattice> lattice_;
};

double farthest_apart(const BakeResult& a, const BakeResult& b) {
  double most = 0;
  for (std::size_t p = 0; p < a.recording.parts.size(); ++p) {
    const std::vector<float>&x = a.recording.parts[p].displacement, &y = b.recording.parts[p].displacement;
    EXPECT_EQ(x.size(), y.size());
    for (std::size_t k = 0; k + 2 < x.size(); k += 3)
      most = std::max(most, norm(Vec3{double(x[k]) - y[k], double(x[k + 1]) - y[k + 1], double(x[k + 2]) - y[k + 2]}));
  }
  return most;
}

// Flesh goes with the belt, and bulges beside it by not much more than it is drawn in. A tenth of the height is for
// what the belt holds stiff where the rig alone bends the skin.
void expect_it_sits(BeltedCharacter& character, const Run& run, std::initializer_list<double> sizes) {
  const BakeResult without = character.bake(run, 0);
  for (const double size : sizes) {
    SCOPED_TRACE(size);
    const BakeResult with = character.bake(run, size);
    EXPECT_TRUE(with.failures.empty()) << (with.failures.empty() ? "" : with.failures[0]);
    EXPECT_LE(with.notes.size(), 1u);
    EXPECT_LT(farthest_apart(with, without), 0.1 * character.height + 1.5 * character.drawn(size));
  }
}

void expect_it_sits_on(const Belted& belted) {
  BeltedCharacter character(belted);
  expect_it_sits(character, {Linearization::warped, Reference::rig, 1}, {0.7, 1.0, 1.1});
  expect_it_sits(character, {Linearization::warped, Reference::elastic, 1}, {0.8, 0.97});
}

TEST(Belts, SitOnTheSumo) { expect_it_sits_on(samples()[0]); }
TEST(Belts, SitOnTheElephant) { expect_it_sits_on(samples()[1]); }
TEST(Belts, SitOnTheTube) { expect_it_sits_on(samples()[2]); }

void expect_it_sits_in_tetrahedra(const Belted& belted) {
  BeltedCharacter character(belted);
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    SCOPED_TRACE(static_cast<int>(reference));
    expect_it_sits(character, {Linearization::warped, reference, 1, false}, {0.7, 1.0});
  }
}

TEST(Belts, SitOnTheSumoInTetrahedra) { expect_it_sits_in_tetrahedra(samples()[0]); }
TEST(Belts, SitOnTheElephantInTetrahedra) { expect_it_sits_in_tetrahedra(samples()[1]); }
TEST(Belts, SitOnTheTubeInTetrahedra) { expect_it_sits_in_tetrahedra(samples()[2]); }

TEST(Belts, SitInTwoLevels) {
  BeltedCharacter character(samples()[2]);
  for (const Reference reference : {Reference::rig, Reference::elastic})
    expect_it_sits(character, {Linearization::warped, reference, 2}, {0.8, 1.0});
}

void expect_it_sits_in_every_linearization(const Belted& belted) {
  BeltedCharacter character(belted);
  for (const Linearization linearization :
       {Linearization::linear, Linearization::quasi, Linearization::blended, Linearization::none}) {
    SCOPED_TRACE(static_cast<int>(linearization));
    expect_it_sits(character, {linearization, Reference::elastic, 1}, {0.8});
  }
}

TEST(Belts, SitOnTheSumoWhateverTheLinearization) { expect_it_sits_in_every_linearization(samples()[0]); }
TEST(Belts, SitOnTheElephantWhateverTheLinearization) { expect_it_sits_in_every_linearization(samples()[1]); }
TEST(Belts, SitOnTheTubeWhateverTheLinearization) { expect_it_sits_in_every_linearization(samples()[2]); }

}  // namespace
}  // namespace sinew
