// The contract, clause by clause, on a small character: threads, frame rates, scale, rest, interruption, loops.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sinew/bake/checkpoint.h"
#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

using namespace test;

constexpr Reference references[] = {Reference::rig, Reference::elastic};

TEST(BakeDeterminism, ThreadsDoNotChangeABit) {
  const Character character = tube_character();
  for (Reference reference : references) {
    std::vector<std::vector<float>> results;
    for (int threads : {1, 2, 4}) {
      set_thread_count(threads);
      BakeOptions options = options_for(0);
      options.end = 0.4;
      results.push_back(values(bake(character, quick_settings(reference), options)));
    }
    set_thread_count(0);
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

TEST(BakeContract, FrameRatesSampleOneMotion) {
  const Character character = tube_character();
  for (Reference reference : references) {
    const FleshSettings settings = quick_settings(reference);
    const CookedFlesh scene = prepare_flesh(character, settings);
    const auto at = [&](double fps) { return bake_flesh(character, scene, settings, options_for(0, fps)); };
    const BakeResult film = at(24), video = at(30), smooth = at(60), fast = at(144), steps = at(240);
    ASSERT_GT(largest_value(film), 1e-3);
    ASSERT_EQ(film.recording.times.size(), 25u);
    ASSERT_EQ(fast.recording.times.size(), 145u);
    // 24, 30 and 60 divide 240: their frames fall on steps and are the same numbers.
    for (std::size_t k = 0; k <= 24; ++k) EXPECT_EQ(frame_difference(film, k, steps, 10 * k), 0) << k;
    for (std::size_t k = 0; k <= 30; ++k) EXPECT_EQ(frame_difference(video, k, steps, 8 * k), 0) << k;
    for (std::size_t k = 0; k <= 60; ++k) EXPECT_EQ(frame_difference(smooth, k, steps, 4 * k), 0) << k;
    // 144 does not: every sixth of its frames is a 24th of a second, reached on the same step.
    for (std::size_t k = 0; k <= 24; ++k) EXPECT_LT(frame_difference(film, k, fast, 6 * k), 1e-5) << k;
  }
}

TEST(BakeContract, CentimetresMoveLikeMetres) {
  for (Reference reference : references) {
    const FleshSettings settings = quick_settings(reference);
    const BakeResult metres = bake(tube_character(1), settings, options_for(0));
    const BakeResult centimetres = bake(tube_character(0.01), settings, options_for(0));
    double most = 0;
    for (std::size_t f = 0; f < metres.recording.times.size(); ++f)
      most = std::max(most, frame_difference(metres, f, centimetres, f));
    ASSERT_GT(largest_value(metres), 1e-3);
    EXPECT_LT(most, 1e-6 * largest_value(metres));
  }
}

TEST(BakeContract, ACharacterThatStandsStillComesToRest) {
  const Character character = tube_character();
  for (Reference reference : references) {
    const BakeResult result = bake(character, quick_settings(reference), options_for(1));
    const std::size_t last = result.recording.times.size() - 1;
    // Over the last half second, less than 1e-6 of the height (one metre) per second.
    ASSERT_GT(largest_value(result), 1e-3);
    EXPECT_LT(frame_difference(result, last, result, last - 15) / 0.5, 1e-6);
    EXPECT_LT(frame_difference(result, last, result, last - 1) * 30, 1e-6);
  }
}

TEST(BakeContract, TheRestPoseStaysTheRigsToTheLastBit) {
  const BakeResult result = bake(tube_character(), quick_settings(), options_for(-1));
  EXPECT_EQ(result.recording.times.size(), 31u);
  EXPECT_EQ(largest_value(result), 0);
}

// Largest second difference of a recorded number over three frames in a row, metres.
double largest_jerk(const BakeResult& result) {
  const auto width = 3 * static_cast<std::size_t>(result.recording.parts.at(0).vertices);
  const std::vector<float>& d = values(result);
  double most = 0;
  for (std::size_t k = 0; k + 2 * width < d.size(); ++k)
    most = std::max(most, std::abs(double(d[k]) - 2 * double(d[k + width]) + double(d[k + 2 * width])));
  return most;
}

// Stops after `frames` frames, continues from the checkpoint, and compares with an unbroken run.
void expect_identical_after_interruption(const FleshSettings& settings, BakeOptions options, int frames) {
  const Character character = tube_character();
  const CookedFlesh scene = prepare_flesh(character, settings);
  const BakeResult whole = bake_flesh(character, scene, settings, options);
  options.checkpoint = test::scratch_path("interrupted");
  options.resume = true;
  int reports = 0;
  const BakeResult half =
      bake_flesh(character, scene, settings, options, [&](const ProgressReport&) { return ++reports < frames; });
  ASSERT_FALSE(half.complete);
  ASSERT_TRUE(std::filesystem::exists(options.checkpoint));
  const BakeResult rest = bake_flesh(character, scene, settings, options);
  ASSERT_TRUE(rest.complete);
  EXPECT_EQ(values(rest), values(whole));
  EXPECT_EQ(rest.recording.times, whole.recording.times);
  EXPECT_EQ(rest.report.end.has_value(), whole.report.end.has_value());
  if (whole.report.end) {
    EXPECT_EQ(rest.report.end->run_on, whole.report.end->run_on);
  }
  ASSERT_EQ(rest.report.frames.size(), whole.report.frames.size());
  for (std::size_t f = 0; f < rest.report.frames.size(); ++f) {
    EXPECT_EQ(rest.report.frames[f].energy, whole.report.frames[f].energy);
    EXPECT_EQ(rest.report.frames[f].volume_ratio, whole.report.frames[f].volume_ratio);
  }
  std::filesystem::remove(options.checkpoint);
}

TEST(BakeContract, InterruptedRunsEndWithTheSameBits) {
  for (Reference reference : references) {
    expect_identical_after_interruption(quick_settings(reference), options_for(0), 11);
    expect_identical_after_interruption(quick_settings(reference), options_for(0, 144), 50);
  }
}

TEST(BakeContract, InterruptedLoopsEndWithTheSameBits) {
  BakeOptions options = options_for(0);
  options.loop = Loop::on;
  FleshSettings settings = quick_settings();
  settings.preroll = 0.3;
  for (const Loop loop : {Loop::on, Loop::automatic}) {
    options.loop = loop;
    expect_identical_after_interruption(settings, options, 10);  // in the first round
    expect_identical_after_interruption(settings, options, 31);  // at its last frame
    expect_identical_after_interruption(settings, options, 35);  // while it is closed
  }
}

// Closed to a tenth of a percent of the height, one metre; and nowhere is there a jump that the flesh does not make
// anyway.
void expect_cyclic(const Character& character, Reference reference) {
  for (const Loop loop : {Loop::on, Loop::automatic}) {
    BakeOptions options = options_for(0);
    const BakeResult open = bake(character, quick_settings(reference), options);
    options.loop = loop;
    const BakeResult result = bake(character, quick_settings(reference), options);
    ASSERT_TRUE(result.complete);
    EXPECT_EQ(result.recording.times.size(), 31u);
    ASSERT_TRUE(result.report.end.has_value());
    EXPECT_EQ(result.report.end->decided, "loops");
    EXPECT_LT(frame_difference(result, 0, result, 30), 2e-4);
    EXPECT_GT(frame_difference(open, 0, open, 30), 2e-3);
    EXPECT_LT(largest_jerk(result), 1.2 * largest_jerk(open));
  }
}

TEST(BakeContract, LoopsAreCyclic) {
  for (Reference reference : references) expect_cyclic(tube_character(), reference);
}

// Key times are single precision, so that a clip may end a hair after its last frame is due.
TEST(BakeContract, LoopsThatEndAfterTheirLastFrameAreCyclicToo) {
  Character character = tube_character();
  character.clips[0].end = std::nextafter(static_cast<float>(character.clips[0].end), 1e9f);
  expect_cyclic(character, Reference::rig);
}

TEST(BakeContract, PrerollLetsTheFirstPoseSettle) {
  // In a loop-less clip that begins in motion, flesh without pre-roll starts along with the goal; with it, from rest.
  const Character character = tube_character();
  FleshSettings settings = quick_settings();
  settings.preroll = 2;
  const BakeResult result = bake(character, settings, options_for(0));
  EXPECT_EQ(result.recording.times.front(), 0);
  const auto width = static_cast<std::ptrdiff_t>(3 * result.recording.parts.at(0).vertices);
  for (auto v = values(result).begin(); v != values(result).begin() + width; ++v) EXPECT_EQ(*v, 0);
  EXPECT_GT(largest_value(result), 1e-3);
}

TEST(BakeContract, RangesThatStartLaterAreThatPartOfTheClip) {
  const Character character = tube_character();
  BakeOptions options = options_for(0);
  options.begin = 0.5;
  options.end = 0.5;
  EXPECT_EQ(bake(character, quick_settings(), options).recording.times, std::vector<double>{0.5});
  options.end = 0.8;
  const BakeResult part = bake(character, quick_settings(), options);
  EXPECT_EQ(part.recording.times.size(), 10u);
  EXPECT_NEAR(part.recording.times.back(), 0.8, 1e-9);
}

TEST(PrepareFlesh, IsStoppedWhereverItReports) {
  Character character = tube_character();
  // Painted, so that everything is carried into the body that can be.
  character.parts[0].fields[field("stiffness")].assign(character.parts[0].surface.positions.size(), 2.0);
  const FleshSettings settings = quick_settings();
  std::vector<ProgressReport> reports;
  prepare_flesh(character, settings, [&](const ProgressReport& report) {
    reports.push_back(report);
    return true;
  });
  std::vector<std::size_t> first_of_activity;
  for (std::size_t k = 0; k < reports.size(); ++k) {
    EXPECT_GE(reports[k].fraction, k > 0 ? reports[k - 1].fraction : 0.0) << reports[k].activity;
    EXPECT_LE(reports[k].fraction, 1);
    if (k == 0 || reports[k].activity != reports[k - 1].activity) first_of_activity.push_back(k);
  }
  EXPECT_GE(first_of_activity.size(), 4u) << "filling, binding, assembling, cooking";
  // At the beginning, the middle and the end of all of them.
  std::vector<std::size_t> stops = first_of_activity;
  for (std::size_t next : first_of_activity)
    if (next > 0) stops.insert(stops.end(), {next - 1, next / 2});
  stops.push_back(reports.size() - 1);
  for (const std::size_t stop : stops) {
    std::size_t heard = 0;
    EXPECT_THROW(prepare_flesh(character, settings, [&](const ProgressReport&) { return heard++ != stop; }), Stopped);
    EXPECT_EQ(heard, stop + 1) << "went on after it was asked to stop";
  }
}

TEST(BakeErrors, ImpossibleRequestsAreUsageErrors) {
  const Character character = tube_character();
  const FleshSettings good = quick_settings();
  const CookedFlesh scene = prepare_flesh(character, good);
  BakeOptions options = options_for(0);
  options.begin = 0.8;
  options.end = 0.2;
  EXPECT_NE(refusal(ErrorKind::usage, [&] { bake_flesh(character, scene, good, options); }).find("swing"),
            std::string::npos);
  for (double fps : {0.0, -1.0, 1e9, std::nan("")})
    refusal(ErrorKind::usage, [&] { bake_flesh(character, scene, good, options_for(0, fps)); });

  const auto refused = [&](const char* word, const std::function<void(FleshSettings&)>& change) {
    FleshSettings settings = good;
    change(settings);
    const std::string sentence = refusal(ErrorKind::usage, [&] { prepare_flesh(character, settings); });
    EXPECT_NE(sentence.find(word), std::string::npos) << sentence;
  };
  refused("tetrahedra", [](FleshSettings& s) { s.tetrahedra = 0; });
  refused("cell_size", [](FleshSettings& s) { s.cell_size = -1; });
  refused("young", [](FleshSettings& s) { s.young = 0; });
  refused("young", [](FleshSettings& s) { s.young = 1e300; });
  refused("poisson", [](FleshSettings& s) { s.poisson = 0.5; });
  refused("density", [](FleshSettings& s) { s.density = std::nan(""); });
  refused("damping", [](FleshSettings& s) { s.damping = -1; });
  refused("core", [](FleshSettings& s) { s.core = 1; });
  refused("gravity", [](FleshSettings& s) { s.gravity.y = HUGE_VAL; });
  refused("step", [](FleshSettings& s) { s.step = 0; });
  refused("spectral_radius", [](FleshSettings& s) { s.spectral_radius = 1.5; });
  refused("tolerance", [](FleshSettings& s) { s.tolerance = 0; });
  refused("preroll", [](FleshSettings& s) { s.preroll = -1; });
  refused("knee", [](FleshSettings& s) { s.joints.push_back({"knee*", 2, 1, {}}); });
  refused("upper", [](FleshSettings& s) { s.joints.push_back({"upper", 0, 1, {}}); });
}

TEST(BakeErrors, DamagedAndForeignCheckpointsAreRefusedWithASentence) {
  const Character character = tube_character();
  const FleshSettings settings = quick_settings();
  const CookedFlesh scene = prepare_flesh(character, settings);
  BakeOptions options = options_for(0);
  options.checkpoint = test::scratch_path("damaged");
  options.resume = true;
  int reports = 0;
  bake_flesh(character, scene, settings, options, [&](const ProgressReport&) { return ++reports < 4; });
  std::stringstream content;
  content << std::ifstream(options.checkpoint, std::ios::binary).rdbuf();
  const std::string good = content.str();
  ASSERT_GT(good.size(), 1000u);

  const auto refused = [&](const std::string& bytes) {
    std::ofstream(options.checkpoint, std::ios::binary) << bytes;
    const std::string sentence = refusal(ErrorKind::input, [&] { bake_flesh(character, scene, settings, options); });
    EXPECT_NE(sentence.find(options.checkpoint.string()), std::string::npos) << sentence;
  };
  refused("");
  refused("SINEWCK2");
  refused(good.substr(0, good.size() / 2));
  refused(good + "x");
  for (std::size_t at :
       {std::size_t{9}, std::size_t{20}, std::size_t{33}, std::size_t{42}, good.size() / 2, good.size() - 4}) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
    refused(flipped);
  }

  std::ofstream(options.checkpoint, std::ios::binary) << good;
  const auto foreign = [&](const Character& other, const FleshSettings& changed, const BakeOptions& asked) {
    const CookedFlesh its = prepare_flesh(other, changed);
    const std::string sentence = refusal(ErrorKind::input, [&] { bake_flesh(other, its, changed, asked); });
    EXPECT_NE(sentence.find("another"), std::string::npos) << sentence;
  };
  BakeOptions faster = options;
  faster.frames_per_second = 60;
  foreign(character, settings, faster);
  FleshSettings firmer = settings;
  firmer.look = Look::subtle;
  foreign(character, firmer, options);
  FleshSettings looser = settings;
  looser.limit = 0.1;
  foreign(character, looser, options);
  FleshSettings held = settings;
  held.bone_hold = 5;
  foreign(character, held, options);
  Character edited = character;  // another motion of the same length
  edited.clips[0].channels[1].values[3] += 0.01;
  foreign(edited, settings, options);
  std::filesystem::remove(options.checkpoint);
}

// Reports count what the display limit and the strain limit move, frame by frame.
TEST(BakeContract, SafetyClampsAreCounted) {
  const Character character = tube_character();
  FleshSettings settings = quick_settings();
  const auto most = [&](double FrameReport::*share) {
    double largest = 0;
    for (const FrameReport& frame : bake(character, settings, options_for(0)).report.frames) {
      EXPECT_GE(frame.*share, 0);
      EXPECT_LE(frame.*share, 1);
      largest = std::max(largest, frame.*share);
    }
    return largest;
  };
  EXPECT_EQ(most(&FrameReport::strain_limit), 0);
  settings.limit = 0.01;
  EXPECT_GT(most(&FrameReport::display_limit), 0.3);  // but for the cores and what is near them
  settings.limit = 100;
  EXPECT_EQ(most(&FrameReport::display_limit), 0);
  settings.young = 300;
  EXPECT_GT(most(&FrameReport::strain_limit), 0.01);
  // Nothing acts on what stands still.
  settings = quick_settings();
  BakeOptions still = options_for(1);
  still.begin = 5;
  for (const FrameReport& frame : bake(character, settings, still).report.frames)
    EXPECT_EQ(frame.display_limit + frame.strain_limit, 0);
}

}  // namespace
}  // namespace sinew
