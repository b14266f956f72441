// The contract on flesh in a control lattice: threads, frame rates, scale, rest, interruption, and whose flesh it is.
#include "sinew/cook/lattice/prepare_lattice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

using namespace test;

constexpr Reference references[] = {Reference::rig, Reference::elastic};

FleshSettings lattice_settings(Reference reference, int levels = 1) {
  FleshSettings settings = look_settings(reference);
  settings.lattice.file = auto_lattice;
  settings.lattice.levels = levels;
  return settings;
}

// Levels that come and go.
FleshSettings adaptive_settings(Reference reference) {
  FleshSettings settings = lattice_settings(reference, 2);
  settings.lattice.adapt = 0.05;
  return settings;
}

// Built once: it is the same for all clips and settings here.
const ControlLattice& lattice_of_tube() {
  static const ControlLattice lattice = [] {
    const Character character = tube_character();
    return build_lattice(character, simulation_surface(character), {60}).lattice;
  }();
  return lattice;
}

CookedFlesh lattice_scene(const Character& character, const FleshSettings& settings, const ControlLattice& lattice) {
  CookedFlesh scene = prepare_flesh(character, settings);
  scene.lattice = prepare_lattice(scene, lattice, settings);
  return scene;
}

CookedFlesh lattice_scene(const Character& character, const FleshSettings& settings) {
  return lattice_scene(character, settings, lattice_of_tube());
}

BakeResult bake_in_lattice(const Character& character, const FleshSettings& settings, const BakeOptions& options) {
  return bake_flesh(character, lattice_scene(character, settings), settings, options);
}

TEST(LatticeBakeDeterminism, ThreadsDoNotChangeABit) {
  const Character character = tube_character();
  for (const Reference reference : references) {
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 4}) {
      set_thread_count(threads);
      BakeOptions options = options_for(0);
      options.end = 0.3;
      results.push_back(values(bake_in_lattice(character, adaptive_settings(reference), options)));
    }
    set_thread_count(0);
    ASSERT_FALSE(results[0].empty());
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

TEST(LatticeBake, FrameRatesSampleOneMotion) {
  const Character character = tube_character();
  for (const Reference reference : references) {
    const FleshSettings settings = adaptive_settings(reference);
    const CookedFlesh scene = lattice_scene(character, settings);
    const auto at = [&](double fps) { return bake_flesh(character, scene, settings, options_for(0, fps)); };
    const BakeResult film = at(24), smooth = at(60), fast = at(144);
    ASSERT_GT(largest_value(film), 1e-3);
    // Both fall on steps every twelfth of a second.
    for (std::size_t k = 0; k <= 12; ++k) EXPECT_EQ(frame_difference(film, 2 * k, smooth, 5 * k), 0) << k;
    for (std::size_t k = 0; k <= 24; ++k) EXPECT_LT(frame_difference(film, k, fast, 6 * k), 1e-5) << k;
  }
}

// In the same lattice: that which is built depends on rounding.
TEST(LatticeBake, CentimetresMoveLikeMetres) {
  for (const Reference reference : references) {
    FleshSettings settings = lattice_settings(reference, 2);
    settings.tolerance = 1e-6;
    const BakeResult metres = bake_in_lattice(tube_character(1), settings, options_for(0)),
                     centimetres = bake_in_lattice(tube_character(0.01), settings, options_for(0));
    double most = 0;
    for (std::size_t f = 0; f < metres.recording.times.size(); ++f)
      most = std::max(most, frame_difference(metres, f, centimetres, f));
    ASSERT_GT(largest_value(metres), 1e-3);
    // Products of the solver are in single precision.
    EXPECT_LT(most, 1e-5 * largest_value(metres));
  }
}

TEST(LatticeBake, TheRestPoseIsTheModelledShape) {
  for (const Reference reference : references) {
    for (const FleshSettings& settings : {lattice_settings(reference), adaptive_settings(reference)}) {
      const BakeResult result = bake_in_lattice(tube_character(), settings, options_for(-1));
      EXPECT_EQ(result.recording.times.size(), 31u);
      EXPECT_LT(largest_value(result), 1e-6);  // of the height, a metre
    }
  }
}

TEST(LatticeBake, ACharacterThatStandsStillComesToRest) {
  for (const Reference reference : references) {
    for (const FleshSettings& settings : {lattice_settings(reference), adaptive_settings(reference)}) {
      BakeOptions options = options_for(1);
      options.end = 5;
      const BakeResult result = bake_in_lattice(tube_character(), settings, options);
      const std::size_t last = result.recording.times.size() - 1;
      ASSERT_GT(largest_value(result), 1e-3);
      EXPECT_LT(frame_difference(result, last, result, last - 15) / 0.5, 1e-6);
    }
  }
}

void expect_identical_after_interruption(const FleshSettings& settings) {
  const Character character = tube_character();
  const CookedFlesh scene = lattice_scene(character, settings);
  BakeOptions options = options_for(0, 60);
  options.end = 0.4;
  const BakeResult whole = bake_flesh(character, scene, settings, options);
  options.checkpoint = scratch_path("interrupted");
  options.resume = true;
  int reports = 0;
  const BakeResult half =
      bake_flesh(character, scene, settings, options, [&](const ProgressReport&) { return ++reports < 11; });
  ASSERT_FALSE(half.complete);
  const BakeResult rest = bake_flesh(character, scene, settings, options);
  ASSERT_TRUE(rest.complete);
  EXPECT_EQ(values(rest), values(whole));
  for (std::size_t f = 0; f < rest.report.frames.size(); ++f)
    EXPECT_EQ(rest.report.frames[f].energy, whole.report.frames[f].energy) << f;
}

TEST(LatticeBake, InterruptedRunsEndWithTheSameBits) {
  for (const Reference reference : references) {
    expect_identical_after_interruption(lattice_settings(reference));
    expect_identical_after_interruption(adaptive_settings(reference));
  }
}

TEST(LatticeBake, InterruptedRunsOfEveryLinearizationEndWithTheSameBits) {
  for (const Linearization linearization :
       {Linearization::linear, Linearization::quasi, Linearization::blended, Linearization::none}) {
    SCOPED_TRACE(static_cast<int>(linearization));
    FleshSettings settings = lattice_settings(Reference::elastic);
    settings.lattice.linearization = linearization;
    expect_identical_after_interruption(settings);
  }
  FleshSettings settings = lattice_settings(Reference::elastic);
  settings.warping = Warping::vertex;
  expect_identical_after_interruption(settings);
}

// A state continues under what it was made with, and nothing else.
TEST(LatticeBake, CheckpointsOfOtherLatticesAndSettingsAreRefused) {
  const Character character = tube_character();
  const FleshSettings settings = adaptive_settings(Reference::elastic);
  const ControlLattice& lattice = lattice_of_tube();
  BakeOptions options = options_for(0);
  options.checkpoint = scratch_path("checkpoint");
  options.resume = true;
  int reports = 0;
  ASSERT_FALSE(
      bake_flesh(character, lattice_scene(character, settings, lattice), settings, options, [&](const ProgressReport&) {
        return ++reports < 4;
      }).complete);
  const auto continued_with = [&](const FleshSettings& other, const ControlLattice& in) {
    const CookedFlesh scene = lattice_scene(character, other, in);
    return refusal(ErrorKind::input, [&] { bake_flesh(character, scene, other, options); });
  };
  FleshSettings other = settings;
  other.lattice.adapt = 0.1;
  EXPECT_NE(continued_with(other, lattice).find("checkpoint"), std::string::npos) << "adapt";
  other.lattice.adapt.reset();
  EXPECT_NE(continued_with(other, lattice).find("checkpoint"), std::string::npos) << "everywhere";
  other = settings;
  other.lattice.linearization = Linearization::quasi;
  EXPECT_NE(continued_with(other, lattice).find("checkpoint"), std::string::npos) << "linearization";
  ControlLattice moved = lattice;
  moved.positions[0] += 1e-4 * (moved.positions[0] - moved.positions.back());
  EXPECT_NE(continued_with(settings, moved).find("checkpoint"), std::string::npos) << "lattice";
}

// What sags is the same flesh: the look's, whatever it is made of.
TEST(LatticeBake, ALatticeSagsAsFarAsTheLookAsks) {
  const Character character = tube_character();
  FleshSettings settings = lattice_settings(Reference::rig);
  const CookedFlesh scene = lattice_scene(character, settings);
  const std::vector<double> even(scene.lattice->description.surface_rest.size(), 1.0);
  EXPECT_NEAR(sag_under_gravity(scene.lattice->description, even), scene.material.sag, 1e-9 * scene.material.sag);
  // A modulus that is given stays as it is: half of it, twice the sag.
  settings.young = 2e4;
  const double stiff = sag_under_gravity(lattice_scene(character, settings).lattice->description, even);
  settings.young = 1e4;
  EXPECT_NEAR(sag_under_gravity(lattice_scene(character, settings).lattice->description, even), 2 * stiff,
              1e-9 * stiff);
}

TEST(LatticeBake, PaintOnTheLatticeMakesItSofter) {
  const Character character = tube_character();
  FleshSettings settings = lattice_settings(Reference::rig);
  settings.young = 2e4;
  ControlLattice lattice = lattice_of_tube();
  const auto sag = [&] {
    const CookedFlesh scene = lattice_scene(character, settings, lattice);
    const std::vector<double> even(scene.lattice->description.surface_rest.size(), 1.0);
    return sag_under_gravity(scene.lattice->description, even);
  };
  const double plain = sag();
  lattice.stiffness.assign(lattice.positions.size(), 0.25);
  EXPECT_NEAR(sag(), 4 * plain, 1e-6 * plain);
  lattice.stiffness.clear();
  lattice.density.assign(lattice.positions.size(), 3);
  EXPECT_NEAR(sag(), 3 * plain, 0.02 * plain);  // the filling of cut cells has the plain density and no weight
}

// The look is decided as if nothing were painted, so that paint changes what is painted and leaves the rest as it is.
TEST(LatticeBake, PaintOnTheLatticeIsNoPartOfTheLook) {
  const Character character = tube_character();
  ControlLattice lattice = lattice_of_tube();
  lattice.stiffness.assign(lattice.positions.size(), 0.25);
  const CookedFlesh scene = lattice_scene(character, lattice_settings(Reference::rig), lattice);
  const std::vector<double> even(scene.lattice->description.surface_rest.size(), 1.0);
  EXPECT_NEAR(sag_under_gravity(scene.lattice->description, even), 4 * scene.material.sag, 1e-6 * scene.material.sag);
}

// Without its lattice there is nothing that could move.
TEST(LatticeBakeErrors, PreparedForALatticeThatIsNotThere) {
  const FleshSettings settings = lattice_settings(Reference::rig);
  const CookedFlesh scene = prepare_flesh(tube_character(), settings);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { make_flesh(scene, settings); }).find("prepare_lattice"), std::string::npos);
}

TEST(LatticeBakeErrors, LatticesThatDoNotFitAreRefused) {
  const Character character = tube_character();
  const FleshSettings settings = lattice_settings(Reference::rig);
  const ControlLattice& good = lattice_of_tube();
  const CookedFlesh scene = prepare_flesh(character, settings);
  ControlLattice lattice = good;
  for (Vec3& p : lattice.positions) p = p * 0.8;
  EXPECT_NE(refusal(ErrorKind::input, [&] { prepare_lattice(scene, lattice, settings); }).find("vertex "),
            std::string::npos);
  lattice = good;
  lattice.bones[1].name = "antenna";
  EXPECT_NE(refusal(ErrorKind::input, [&] { prepare_lattice(scene, lattice, settings); }).find("antenna"),
            std::string::npos);
  // The trilinear scheme's lattice encloses the tube, this one's is smaller.
  FleshSettings smooth = settings;
  smooth.lattice.basis = SubdivisionScheme::maccracken_joy;
  EXPECT_NE(refusal(ErrorKind::input, [&] { prepare_lattice(scene, good, smooth); }).find("outside"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
