#include "sinew/kinematics/graph/similar_windows.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

// Windows per side of a part of the matrix that is computed at once: its products fit a core's cache.
constexpr std::size_t tile_side = 120;

struct Tile {
  std::size_t row = 0, column = 0;  // first windows, row <= column
};

std::vector<int> runs_of_frames(std::size_t frames, std::span<const WindowRun> runs) {
  std::vector<int> run_of(frames, -1);
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::size_t k = 0; k < runs[r].count; ++k) run_of[runs[r].begin + k] = static_cast<int>(r);
  return run_of;
}

// The pairs that are found in one tile.
struct FoundInTile {
  std::vector<WindowPair> minima;
  std::map<std::pair<int, int>, double> nearest;  // by runs
  std::vector<std::tuple<std::size_t, std::size_t, double>> map;
};

class WindowSearch {
 public:
  WindowSearch(const WindowDistances& distances, std::span<const WindowRun> runs, const DenseMatrix& limits,
               std::size_t map_size)
      : distances_(distances),
        runs_(runs),
        run_of_(runs_of_frames(distances.frames(), runs)),
        limits_(limits),
        // Windows are counted without the frames in which none begins.
        number_(distances.frames(), 0) {
    std::size_t windows = 0;
    for (std::size_t f = 0; f < number_.size(); ++f) {
      number_[f] = windows;
      windows += run_of_[f] >= 0;
    }
    map_side_ = std::min(map_size, windows);
    per_cell_ = map_side_ > 0 ? static_cast<double>(windows) / static_cast<double>(map_side_) : 1;
  }

  std::size_t map_side() const { return map_side_; }

  FoundInTile search(const Tile& tile) const {
    const std::size_t frames = distances_.frames();
    const std::size_t i0 = tile.row > 0 ? tile.row - 1 : 0, j0 = tile.column > 0 ? tile.column - 1 : 0;
    const std::size_t i1 = std::min(frames, tile.row + tile_side), j1 = std::min(frames, tile.column + tile_side);
    DenseMatrix d(std::min(frames, i1 + 1) - i0, std::min(frames, j1 + 1) - j0);
    distances_.distances(i0, j0, d);
    FoundInTile found;
    for (std::size_t j = tile.column; j < j1; ++j)
      for (std::size_t i = tile.row; i < std::min(i1, j); ++i) {
        const double here = d(i - i0, j - j0);
        if (!std::isfinite(here)) continue;
        if (map_side_ > 0) put_on_map(i, j, here, found);
        if (overlap(i, j)) continue;
        const auto [at, is_new] = found.nearest.try_emplace({run_of_[i], run_of_[j]}, here);
        at->second = std::min(at->second, here);
        if (here <= limit(i, j) && is_minimum(d, i0, j0, i, j)) found.minima.push_back({i, j, here});
      }
    return found;
  }

 private:
  bool overlap(std::size_t i, std::size_t j) const {
    if (run_of_[i] != run_of_[j]) return false;
    const WindowRun& run = runs_[static_cast<std::size_t>(run_of_[i])];
    const std::size_t apart = j - i, window = static_cast<std::size_t>(distances_.window());
    return apart <= window || (run.loops && run.count - apart <= window);
  }

  double limit(std::size_t i, std::size_t j) const {
    return limits_(static_cast<std::size_t>(run_of_[i]), static_cast<std::size_t>(run_of_[j]));
  }

  // The window `by` after this one in its clip, around a cycle; none beyond the ends of others.
  std::optional<std::size_t> neighbour(std::size_t frame, int by) const {
    const WindowRun& run = runs_[static_cast<std::size_t>(run_of_[frame])];
    if (by < 0 && frame == run.begin) return run.loops ? std::optional(run.begin + run.count - 1) : std::nullopt;
    if (by > 0 && frame + 1 == run.begin + run.count) return run.loops ? std::optional(run.begin) : std::nullopt;
    return frame + static_cast<std::size_t>(by);
  }

  // `d`: distances of windows from i0 and j0 on, with those next to i and j, but for those around a cycle. Of equal
  // neighbours the first counts, and equal are those that rounding may have made different.
  bool is_minimum(const DenseMatrix& d, std::size_t i0, std::size_t j0, std::size_t i, std::size_t j) const {
    constexpr double rounding = 1e-11;
    const auto squared = [](double distance) { return distance * distance; };
    const double here = squared(d(i - i0, j - j0)), equal = rounding * (distances_.spread(i) + distances_.spread(j));
    for (int dj = -1; dj <= 1; ++dj)
      for (int di = -1; di <= 1; ++di) {
        const std::optional<std::size_t> r = neighbour(i, di), c = neighbour(j, dj);
        if (!r || !c || (*r == i && *c == j)) continue;
        const bool around = *r + 1 < i || *r > i + 1 || *c + 1 < j || *c > j + 1;
        const double there = squared(around ? distance(*r, *c) : d(*r - i0, *c - j0));
        const bool before = std::pair(std::max(*r, *c), std::min(*r, *c)) < std::pair(j, i);
        if (before ? there <= here + equal : there < here - equal) return false;
      }
    return true;
  }

  double distance(std::size_t i, std::size_t j) const {
    DenseMatrix one(1, 1);
    distances_.distances(i, j, one);
    return one(0, 0);
  }

  void put_on_map(std::size_t i, std::size_t j, double value, FoundInTile& found) const {
    const auto cell = [&](std::size_t frame) {
      return std::min(map_side_ - 1, static_cast<std::size_t>(static_cast<double>(number_[frame]) / per_cell_));
    };
    const std::size_t x = cell(i), y = cell(j);
    if (!found.map.empty() && std::get<0>(found.map.back()) == x && std::get<1>(found.map.back()) == y)
      std::get<2>(found.map.back()) = std::min(std::get<2>(found.map.back()), value);
    else
      found.map.emplace_back(x, y, value);
  }

  const WindowDistances& distances_;
  std::span<const WindowRun> runs_;
  std::vector<int> run_of_;
  const DenseMatrix& limits_;
  std::vector<std::size_t> number_;
  std::size_t map_side_ = 0;
  double per_cell_ = 1;
};

// Where several pairs of the same clips are near each other in time in both, the nearest stays.
std::vector<WindowPair> thinned(std::vector<WindowPair> pairs, std::span<const WindowRun> runs,
                                const std::vector<int>& run_of, std::size_t apart) {
  const auto run_at = [&](std::size_t frame) { return runs[static_cast<std::size_t>(run_of[frame])]; };
  const auto near = [&](std::size_t a, std::size_t b) {
    const WindowRun run = run_at(a);
    const std::size_t away = a > b ? a - b : b - a;
    return away < apart || (run.loops && run.count - away < apart);
  };
  // Cells of `apart` windows, the last of which may have fewer, so that around a cycle two cells are looked at either
  // side.
  const auto cells_about = [&](std::size_t frame) {
    const WindowRun run = run_at(frame);
    const std::size_t count = (run.count + apart - 1) / apart, own = (frame - run.begin) / apart;
    std::vector<std::size_t> cells;
    for (std::size_t k = own + 2 * count - 2; k <= own + 2 * count + 2; ++k)
      if (run.loops || (k >= 2 * count && k < 3 * count)) cells.push_back(k % count);
    return cells;
  };
  std::sort(pairs.begin(), pairs.end(), [](const WindowPair& a, const WindowPair& b) {
    return std::tie(a.distance, a.first, a.second) < std::tie(b.distance, b.first, b.second);
  });
  std::map<std::tuple<int, int, std::size_t, std::size_t>, std::vector<WindowPair>> kept;
  std::vector<WindowPair> result;
  for (const WindowPair& pair : pairs) {
    const int first = run_of[pair.first], second = run_of[pair.second];
    const auto keep = [&](const WindowPair& each) {
      const std::size_t x = (each.first - run_at(each.first).begin) / apart,
                        y = (each.second - run_at(each.second).begin) / apart;
      kept[{first, second, x, y}].push_back(each);
    };
    bool has_near = false;
    for (const std::size_t x : cells_about(pair.first))
      for (const std::size_t y : cells_about(pair.second))
        if (const auto cell = kept.find({first, second, x, y}); cell != kept.end() && !has_near)
          has_near = std::any_of(cell->second.begin(), cell->second.end(), [&](const WindowPair& other) {
            return near(other.first, pair.first) && near(other.second, pair.second);
          });
    if (has_near) continue;
    keep(pair);
    // Around a cycle the second window of one pair may be near the first of another.
    if (first == second) keep({pair.second, pair.first, pair.distance});
    result.push_back(pair);
  }
  std::sort(result.begin(), result.end(), [](const WindowPair& a, const WindowPair& b) {
    return std::tie(a.first, a.second) < std::tie(b.first, b.second);
  });
  return result;
}

}  // namespace

SimilarWindows find_similar_windows(const WindowDistances& distances, std::span<const WindowRun> runs,
                                    const DenseMatrix& limits, std::size_t map_size) {
  const WindowSearch search(distances, runs, limits, map_size);
  std::vector<Tile> tiles;
  for (std::size_t row = 0; row < distances.frames(); row += tile_side)
    for (std::size_t column = row; column < distances.frames(); column += tile_side) tiles.push_back({row, column});
  std::vector<FoundInTile> found(tiles.size());
  parallel_for(tiles.size(), 1, [&](std::size_t t) { found[t] = search.search(tiles[t]); });

  SimilarWindows similar;
  similar.nearest = DenseMatrix(runs.size(), runs.size());
  std::fill(similar.nearest.value.begin(), similar.nearest.value.end(), HUGE_VAL);
  similar.map = DenseMatrix(search.map_side(), search.map_side());
  if (search.map_side() > 0) std::fill(similar.map.value.begin(), similar.map.value.end(), HUGE_VAL);
  const auto lower = [](DenseMatrix& matrix, std::size_t i, std::size_t j, double value) {
    matrix(i, j) = std::min(matrix(i, j), value);
    matrix(j, i) = std::min(matrix(j, i), value);
  };
  std::vector<WindowPair> pairs;
  for (const FoundInTile& tile : found) {
    pairs.insert(pairs.end(), tile.minima.begin(), tile.minima.end());
    for (const auto& [clips, value] : tile.nearest)
      lower(similar.nearest, static_cast<std::size_t>(clips.first), static_cast<std::size_t>(clips.second), value);
    for (const auto& [x, y, value] : tile.map) lower(similar.map, x, y, value);
  }
  for (std::size_t x = 0; x < search.map_side(); ++x) similar.map(x, x) = 0;
  const std::size_t apart = std::max<std::size_t>(1, static_cast<std::size_t>(distances.window()) / 2);
  similar.pairs = thinned(std::move(pairs), runs, runs_of_frames(distances.frames(), runs), apart);
  return similar;
}

}  // namespace sinew
