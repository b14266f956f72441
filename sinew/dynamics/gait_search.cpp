#include "sinew/dynamics/gait_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/dynamics/search_numbers.h"
#include "sinew/dynamics/units.h"

namespace sinew {
namespace {

constexpr const char* searching = "searching for a gait";
constexpr double cost_of_failure = 30;
constexpr double begins = 2;  // time after which the walk counts, seconds

// Usual size of each number, in the order of numbers_of(), and the range in which it is searched for.
constexpr std::array<double, gait_numbers> number_scale{0.1, 0.1, 0.4, 0.4, 0.4, 0.3, 0.2,
                                                        0.3, 0.3, 0.2, 0.6, 0.6, 0.6, 0.6};
constexpr std::array<double, gait_numbers> least_number{0.2,  -0.2, -0.2, 0,  -0.8, 0,  0,
                                                        -0.4, -0.4, -0.1, -1, -1,   -1, -1};
constexpr std::array<double, gait_numbers> largest_number{0.6, 0.4, 1.2, 1.8, 1, 1, 0.5, 0.6, 0.6, 0.3, 3, 3, 3, 3};

// Ranges in which gaits are drawn at first, around those of the paper. Its legs swing farther and sooner than the first
// gait's.
constexpr std::array<double, gait_numbers> least_drawn{0.25,  -0.05, 0.05,  0.6, -0.15, 0.02, 0.03,
                                                       -0.25, 0,     -0.08, 0,   0.2,   -0.5, 0.3};
constexpr std::array<double, gait_numbers> most_drawn{0.45, 0.1, 0.6, 1.2, 0.2, 0.15, 0.15,
                                                      0.2,  0.3, 0.1, 1.1, 0.9, 0.8,  0.9};
constexpr double share_drawn = 0.5;                   // of the tries, where the first gait falls
constexpr int most_gaits_drawn = 500, hopeless = 28;  // draws; where all these fail, the others would

// Runs of the body.
struct WalkProblem {
  const CharacterLinks* links = nullptr;
  const ReferenceMotion* standing = nullptr;
  const GaitSearch* search = nullptr;

  // The worse of two runs, pushed to the left and to the right at different times.
  GaitQuality run(const Gait& tried) const {
    std::array<GaitQuality, 2> runs;
    parallel_for(runs.size(), 1, [&](std::size_t side) { runs[side] = run_pushed(tried, side == 0); });
    return runs[0].cost < runs[1].cost ? runs[1] : runs[0];
  }
  GaitQuality run_pushed(const Gait& tried, bool left) const {
    ReactOptions options;
    options.seconds = search->seconds;
    options.gait = tried;
    options.strength = search->strength;
    options.ends_with_a_fall = true;
    ReferenceState state;
    standing->at(0, state);
    const Vec3 ahead = GaitControl(*links, state.pose, tried, standing->ground()).ahead();
    const Vec3 aside = cross({0, 1, 0}, ahead) * (search->push * total_mass(links->body) * (left ? 1 : -1));
    options.pushes.push_back({search->seconds * (left ? 0.4 : 0.5), 0, aside});
    try {
      return quality_of(*links, react(*links, *standing, options), *search, ahead);
    } catch (const Error&) {
      return {cost_of_failure, 0, 0, false};  // the links went out of bounds
    }
  }
};

}  // namespace

bool is_within_search(const Gait& gait) {
  const std::array<double, gait_numbers> numbers = numbers_of(gait);
  for (std::size_t k = 0; k < gait_numbers; ++k)
    if (numbers[k] < least_number[k] || numbers[k] > largest_number[k]) return false;
  return true;
}

GaitQuality quality_of(const CharacterLinks& links, const Reaction& reaction, const GaitSearch& search,
                       const Vec3& ahead) {
  GaitQuality quality;
  const Vec3 left = cross({0, 1, 0}, ahead), start = reaction.poses.front().root;
  const double stood = reaction.fell ? *reaction.fell : search.seconds;
  quality.stands = !reaction.fell;
  Vec3 first = start, last = start;
  double from = 0, to = 0;
  for (std::size_t k = 0; k < reaction.times.size() && reaction.times[k] <= stood; ++k) {
    const Vec3& root = reaction.poses[k].root;
    if (reaction.times[k] <= std::min(begins, 0.5 * stood)) first = root, from = reaction.times[k];
    last = root, to = reaction.times[k];
    quality.aside = std::max(quality.aside, std::abs(dot(root - start, left)));
  }
  if (to > from) quality.speed = dot(last - first, ahead) / (to - from);
  const double missed = (quality.speed - search.speed) / std::max(search.speed, 0.3);
  const double walk = 5 * bounded_square(missed * std::numbers::sqrt2) +
                      2 * bounded_square(quality.aside / (2 * links.height)) +
                      2 * bounded_square(std::sqrt(0.3 * reaction.effort));
  quality.cost = quality.stands ? walk : 10 + 10 * (1 - stood / search.seconds) + 0.5 * walk;
  return quality;
}

FoundGait find_gait(const CharacterLinks& links, const ReferenceMotion& standing, const Gait& first,
                    const GaitSearch& search, const Progress& progress) {
  if (search.tries < least_tries)
    throw usage_error("A search for a gait takes at least " + std::to_string(least_tries) + " tries; give it more.");
  const WalkProblem walk{&links, &standing, &search};
  const std::array<double, gait_numbers> numbers = numbers_of(first);
  std::vector<SearchedNumber> ranges;
  for (std::size_t k = 0; k < gait_numbers; ++k)
    ranges.push_back({number_scale[k], least_number[k], largest_number[k]});
  const auto gait_from = [](std::span<const double> tried) {
    std::array<double, gait_numbers> own{};
    std::copy(tried.begin(), tried.end(), own.begin());
    return gait_of(own);
  };
  // Most gaits fall at once, so that many take little time.
  std::array<double, gait_numbers> start = numbers;
  int drawn = 0;
  const GaitQuality own = walk.run(first);
  if (!own.stands) {
    double least_cost = own.cost;
    std::mt19937_64 random(search.seed + 1);
    const int draws =
        std::min({static_cast<int>(share_drawn * search.tries), search.tries - least_tries, most_gaits_drawn});
    while (drawn < draws && (drawn < hopeless || least_cost < cost_of_failure)) {
      report_or_stop(progress, searching, static_cast<double>(drawn++) / search.tries);
      std::array<double, gait_numbers> tried{};
      for (std::size_t k = 0; k < gait_numbers; ++k) tried[k] = drawn_between(random, least_drawn[k], most_drawn[k]);
      if (const double cost = walk.run(gait_of(tried)).cost; cost < least_cost) {
        least_cost = cost;
        start = tried;
      }
    }
  }
  const FoundNumbers best = search_numbers(
      start, ranges, [&](std::span<const double> tried) { return walk.run(gait_from(tried)).cost; },
      search.tries - drawn, search.seed, searching, part_of(progress, static_cast<double>(drawn) / search.tries, 1));
  FoundGait found;
  found.gait = gait_from(best.numbers);
  found.quality = walk.run(found.gait);
  found.tries = drawn + best.tries;
  return found;
}

}  // namespace sinew
