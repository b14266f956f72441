#include "sinew/bake/quality.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "sinew/base/threads/parallel.h"
#include "sinew/character/figures.h"
#include "sinew/contact/obstacles.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr double held_alone = 0.99;        // skin weight
constexpr double one_place = 1e-5;         // of the size: vertices at such distance are connected
constexpr double largest_piece = 0.4;      // of the size
constexpr std::size_t smallest_piece = 6;  // vertices
constexpr double lies_on_skin = 0.01;      // of the size: a piece nearer to skin lies on it
constexpr double kept_by_rig = 0.003;  // of the size: a point that the rig moves farther across skin does not lie on it
constexpr std::size_t points_of_piece = 24;
constexpr double shortest_edge = 0.004;  // of the size
constexpr double flattest = 1e-5;     // of the size squared: twice the area of triangles too small to count as flipped
constexpr double least_ratio = 1e-3;  // of an edge's length
constexpr double most_stretched = 0.999, most_seen = 0.95;  // quantiles
constexpr double still_rig = 0.002;                         // of the size: added to the rig's own second difference
constexpr double ends_as_it_began = 0.01;                   // of the size
constexpr double hidden_size = 0.1;    // of the size at rest: frames that show less are not used to measure the size
constexpr double least_volume = 1e-9;  // metres^3, six times
constexpr std::size_t quality_grain = 2048;

// The largest of chunk_largest(begin, end) over the chunks of [0, count); values are not negative.
template <class Chunk>
double largest_of(std::size_t count, const Chunk& chunk_largest) {
  std::vector<double> largest((count + quality_grain - 1) / quality_grain, 0.0);
  parallel_chunks(count, quality_grain, [&](std::size_t begin, std::size_t end) {
    largest[begin / quality_grain] = chunk_largest(begin, end);
  });
  return largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end());
}

template <class Value>
double largest_value(std::size_t count, const Value& value) {
  return largest_of(count, [&](std::size_t begin, std::size_t end) {
    double most = 0;
    for (std::size_t i = begin; i < end; ++i) most = std::max(most, value(i));
    return most;
  });
}

// Square root of a quantile of squares, interpolated linearly between neighbours.
double root_of_quantile(std::vector<double>& squares, double quantile, std::size_t left_out_below = 0) {
  if (squares.empty()) return 0;
  const double place = quantile * static_cast<double>(squares.size() + left_out_below - 1);
  const auto lower = static_cast<std::size_t>(place);
  const auto at = squares.begin() + static_cast<std::ptrdiff_t>(lower - left_out_below);
  std::nth_element(squares.begin(), at, squares.end());
  const double low = std::sqrt(*at);
  if (at + 1 == squares.end()) return low;
  return low + (place - static_cast<double>(lower)) * (std::sqrt(*std::min_element(at + 1, squares.end())) - low);
}

// Per vertex: the smallest vertex of its piece. Vertices in one place belong to the same piece.
std::vector<int> pieces_of(std::span<const Vec3> positions, std::span<const Triangle> triangles, double size) {
  DisjointSets sets(positions.size());
  using Place = std::array<std::int64_t, 3>;
  std::vector<std::pair<Place, int>> places(positions.size());
  const double scale = size > 0 ? 1 / (one_place * size) : 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3 x = positions[v] * scale;
    places[v] = {{std::llrint(x.x), std::llrint(x.y), std::llrint(x.z)}, static_cast<int>(v)};
  }
  std::sort(places.begin(), places.end());
  for (std::size_t k = 1; k < places.size(); ++k)
    if (places[k].first == places[k - 1].first) sets.unite(places[k].second, places[k - 1].second);
  for (const Triangle& t : triangles) {
    sets.unite(t[0], t[1]);
    sets.unite(t[1], t[2]);
  }
  std::vector<int> piece(positions.size());
  for (std::size_t v = 0; v < piece.size(); ++v) piece[v] = sets.find(static_cast<int>(v));
  return piece;
}

double spread_of(const RigidGroup& group, std::span<const Vec3> points) {
  Vec3 middle;
  for (std::size_t k = 0; k < group.vertices.size(); ++k)
    middle += group.weight[k] * points[static_cast<std::size_t>(group.vertices[k])];
  double sum = 0;
  for (std::size_t k = 0; k < group.vertices.size(); ++k)
    sum += group.weight[k] * squared_norm(points[static_cast<std::size_t>(group.vertices[k])] - middle);
  return std::sqrt(sum);
}

// RMS distance of the displayed piece from the nearest rigid motion of the rig's piece.
double fit_error(const RigidGroup& group, std::span<const Vec3> rig, std::span<const Vec3> displacement) {
  const RigidMotion motion = rigid_fit(group, rig, displacement);
  double sum = 0;
  for (const int vertex : group.vertices) {
    const auto v = static_cast<std::size_t>(vertex);
    const Vec3 arm = rig[v] - motion.centre;
    sum += squared_norm(motion.translation + motion.rotation * arm - arm - displacement[v]);
  }
  return std::sqrt(sum / static_cast<double>(group.vertices.size()));
}

}  // namespace

QualityMeter::QualityMeter(QualitySurface surface) : surface_(std::move(surface)) {}

// The size is that of the main character.
double QualityMeter::size_of(std::span<const Vec3> positions) const {
  if (surface_.main.empty()) return largest_extent(positions);
  std::vector<Vec3> main;
  for (std::size_t v = 0; v < positions.size(); ++v)
    if (surface_.main[v]) main.push_back(positions[v]);
  return largest_extent(main);
}

void QualityMeter::begin(std::span<const Vec3> rig) {
  size_ = size_of(rig);
  TriangleMesh mesh{{rig.begin(), rig.end()}, surface_.triangles};
  edges_ = mesh_edges(mesh).vertices;
  ratios_.resize(edges_.size());
  farthest_.assign(rig.size(), 0.0);

  std::map<int, std::vector<int>> pieces;
  const std::vector<int> piece = pieces_of(rig, surface_.triangles, size_);
  for (std::size_t v = 0; v < piece.size(); ++v) pieces[piece[v]].push_back(static_cast<int>(v));
  for (auto& [first, vertices] : pieces) {
    const int bone = surface_.bone[static_cast<std::size_t>(first)];
    if (vertices.size() < smallest_piece || bone < 0) continue;
    if (std::any_of(vertices.begin(), vertices.end(),
                    [&](int v) { return surface_.bone[static_cast<std::size_t>(v)] != bone; }))
      continue;
    std::vector<Vec3> points;
    for (const int v : vertices) points.push_back(rig[static_cast<std::size_t>(v)]);
    const double extent = largest_extent(points);
    if (extent > largest_piece * size_ || extent <= 0) continue;
    const std::size_t count = vertices.size();
    RigidPiece& whole = pieces_.emplace_back();
    whole.group = {std::move(vertices), std::vector<double>(count, 1.0 / static_cast<double>(count))};
    whole.extent = extent;
    whole.spread = spread_of(whole.group, rig);
  }
  find_points_on_skin(rig);
}

void QualityMeter::add(std::span<const Vec3> rig, std::span<const Vec3> displayed, bool behind_cut) {
  if (frames_ == 0) {
    const bool hidden = !surface_.rest.empty() && size_of(rig) < hidden_size * size_of(surface_.rest);
    begin(hidden ? std::span<const Vec3>(surface_.rest) : rig);
    first_rig_.assign(rig.begin(), rig.end());
  }
  if (behind_cut) since_cut_ = 0;
  measure_vertices(rig, displayed);
  if (frames_ == 0) first_ = displacement_[0];
  measure_edges(rig, displayed);
  measure_faces(rig, displayed);
  if (frames_ % 2 == 0) {
    measure_pieces(rig);
    measure_points_on_skin(rig);
  }
  ++frames_;
  ++since_cut_;
}

// Sample points of pieces near other skin, a few per piece.
void QualityMeter::find_points_on_skin(std::span<const Vec3> rig) {
  std::vector<char> of_piece(rig.size(), 0);
  for (const RigidPiece& piece : pieces_)
    for (const int v : piece.group.vertices) of_piece[static_cast<std::size_t>(v)] = 1;
  TriangleMesh skin{{rig.begin(), rig.end()}, {}};
  std::vector<int> triangle_of;
  for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
    const Triangle& corners = surface_.triangles[t];
    if (std::any_of(corners.begin(), corners.end(), [&](int v) { return of_piece[static_cast<std::size_t>(v)] != 0; }))
      continue;
    skin.triangles.push_back(corners);
    triangle_of.push_back(static_cast<int>(t));
  }
  if (skin.triangles.empty() || pieces_.empty()) return;
  const BoundingVolumeHierarchy tree(skin);
  for (const RigidPiece& piece : pieces_) {
    const std::vector<int>& vertices = piece.group.vertices;
    const std::size_t stride = std::max<std::size_t>(1, vertices.size() / points_of_piece);
    for (std::size_t k = 0; k < vertices.size(); k += stride) {
      const ClosestPoint found = tree.closest_point(rig[static_cast<std::size_t>(vertices[k])], lies_on_skin * size_);
      if (found.triangle < 0) continue;
      OnSkin point{vertices[k], triangle_of[static_cast<std::size_t>(found.triangle)], found.barycentric};
      const Vec3 across = across_skin(point, rig);
      point.doubled_area = norm(across);
      if (!(point.doubled_area > 0)) continue;
      point.height = height_over_skin(point, rig, across);
      on_skin_.push_back(point);
    }
  }
}

// Distance of a point from the skin, measured across it, metres; pieces may slide along it.
double QualityMeter::height_over_skin(const OnSkin& point, std::span<const Vec3> positions, const Vec3& across) const {
  const Triangle& t = surface_.triangles[static_cast<std::size_t>(point.triangle)];
  Vec3 off = positions[static_cast<std::size_t>(point.vertex)];
  for (std::size_t k = 0; k < 3; ++k) off -= point.place[k] * positions[static_cast<std::size_t>(t[k])];
  return dot(across, off) / norm(across);
}

Vec3 QualityMeter::across_skin(const OnSkin& point, std::span<const Vec3> positions) const {
  const Triangle& t = surface_.triangles[static_cast<std::size_t>(point.triangle)];
  const Vec3& a = positions[static_cast<std::size_t>(t[0])];
  return cross(positions[static_cast<std::size_t>(t[1])] - a, positions[static_cast<std::size_t>(t[2])] - a);
}

void QualityMeter::measure_points_on_skin(std::span<const Vec3> rig) {
  const std::vector<Vec3>& displacement = displacement_[static_cast<std::size_t>(frames_ % 3)];
  parallel_for(on_skin_.size(), quality_grain, [&](std::size_t k) {
    OnSkin& point = on_skin_[k];
    const Vec3 across = across_skin(point, rig);
    const double grown = std::sqrt(norm(across) / point.doubled_area);
    if (!(grown > hidden_size)) return;
    point.moved_by_rig =
        std::max(point.moved_by_rig, std::abs(height_over_skin(point, rig, across) / grown - point.height));
    point.sunk = std::max(point.sunk, std::abs(height_over_skin(point, displacement, across)));
  });
}

// Uses as many of the last three frames as there are.
void QualityMeter::measure_vertices(std::span<const Vec3> rig, std::span<const Vec3> displayed) {
  const auto now = static_cast<std::size_t>(frames_ % 3), before = (now + 2) % 3, earlier = (now + 1) % 3;
  rig_[now].resize(rig.size());
  displacement_[now].resize(rig.size());
  parallel_for(rig.size(), quality_grain, [&](std::size_t v) {
    rig_[now][v] = rig[v];
    displacement_[now][v] = displayed[v] - rig[v];
    farthest_[v] = std::max(farthest_[v], squared_norm(displacement_[now][v]));
  });
  travelled_ = std::max(travelled_,
                        largest_value(rig.size(), [&](std::size_t v) { return squared_norm(rig[v] - first_rig_[v]); }));
  if (since_cut_ < 2) return;
  const auto second = [&](const std::array<std::vector<Vec3>, 3>& of, std::size_t v) {
    return squared_norm(of[now][v] - 2.0 * of[before][v] + of[earlier][v]);
  };
  jerk_ = std::max(jerk_, largest_value(rig.size(), [&](std::size_t v) { return second(displacement_, v); }));
  rig_jerk_ = std::max(rig_jerk_, largest_value(rig.size(), [&](std::size_t v) { return second(rig_, v); }));
}

// A frame's quantile counts only if it is larger than that of all earlier frames, so few edges need sorting.
void QualityMeter::measure_edges(std::span<const Vec3> rig, std::span<const Vec3> displayed) {
  const double shortest = shortest_edge * size_ * shortest_edge * size_;
  const double worst = largest_of(edges_.size(), [&](std::size_t begin, std::size_t end) {
    double most = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const auto a = static_cast<std::size_t>(edges_[k][0]), b = static_cast<std::size_t>(edges_[k][1]);
      const double before = squared_norm(rig[b] - rig[a]);
      double ratio = 0;
      if (before > shortest) {
        ratio = squared_norm(displayed[b] - displayed[a]) / before;
        if (ratio < 1) ratio = std::max(ratio, 1 / std::max(ratio, least_ratio * least_ratio));
      }
      ratios_[k] = ratio;
      most = std::max(most, ratio);
    }
    return most;
  });
  worst_ = std::max(worst_, worst);
  std::size_t count = 0;
  beyond_.clear();
  for (const double ratio : ratios_) {
    count += ratio > 0 ? 1 : 0;
    if (ratio > stretch_) beyond_.push_back(ratio);
  }
  if (count == 0) return;
  const double place = most_stretched * static_cast<double>(count - 1);
  const auto lower = static_cast<std::size_t>(place);
  const std::size_t below = count - beyond_.size();
  if (below > std::min(lower + 1, count - 1)) return;  // the quantile's two neighbours do not both exceed it
  double value = 0;
  if (below <= lower) {
    value = root_of_quantile(beyond_, most_stretched, below);
  } else {  // between the largest value that does not exceed and the smallest that does
    double low = 0;
    for (const double ratio : ratios_)
      if (ratio <= stretch_) low = std::max(low, ratio);
    low = std::sqrt(low);
    value = low +
            (place - static_cast<double>(lower)) * (std::sqrt(*std::min_element(beyond_.begin(), beyond_.end())) - low);
  }
  stretch_ = std::max(stretch_, value * value);
}

void QualityMeter::measure_faces(std::span<const Vec3> rig, std::span<const Vec3> displayed) {
  Vec3 centre;
  for (const Vec3& x : rig) centre += x;
  centre = rig.empty() ? Vec3{} : centre / static_cast<double>(rig.size());
  const std::vector<Triangle>& triangles = surface_.triangles;
  const double least = flattest * size_ * size_ * flattest * size_ * size_;
  std::vector<Faces> chunks((triangles.size() + quality_grain - 1) / quality_grain);
  parallel_chunks(triangles.size(), quality_grain, [&](std::size_t begin, std::size_t end) {
    Faces& sum = chunks[begin / quality_grain];
    for (std::size_t k = begin; k < end; ++k) {
      const auto a = static_cast<std::size_t>(triangles[k][0]), b = static_cast<std::size_t>(triangles[k][1]),
                 c = static_cast<std::size_t>(triangles[k][2]);
      const Vec3 before = cross(rig[b] - rig[a], rig[c] - rig[a]),
                 now = cross(displayed[b] - displayed[a], displayed[c] - displayed[a]);
      sum.flips += squared_norm(before) > least && dot(before, now) < 0 ? 1 : 0;
      sum.rig += dot(rig[a] - centre, before);
      sum.displayed += dot(displayed[a] - centre, now);
    }
  });
  Faces all;
  for (const Faces& chunk : chunks) {
    all.flips += chunk.flips;
    all.rig += chunk.rig;
    all.displayed += chunk.displayed;
  }
  const double volume = std::abs(all.rig) > least_volume ? all.displayed / all.rig : 1;
  now_.flips = std::max(now_.flips, all.flips);
  now_.least_volume = frames_ == 0 ? volume : std::min(now_.least_volume, volume);
  now_.most_volume = frames_ == 0 ? volume : std::max(now_.most_volume, volume);
}

void QualityMeter::measure_pieces(std::span<const Vec3> rig) {
  const std::vector<Vec3>& displacement = displacement_[static_cast<std::size_t>(frames_ % 3)];
  parallel_for(pieces_.size(), 4, [&](std::size_t k) {
    RigidPiece& piece = pieces_[k];
    piece.fit_error = std::max(piece.fit_error, fit_error(piece.group, rig, displacement));
    piece.largest_spread = std::max(piece.largest_spread, spread_of(piece.group, rig));
  });
}

Quality QualityMeter::result() const {
  Quality result = now_;
  if (frames_ == 0 || !(size_ > 0)) return result;
  std::vector<double> farthest = farthest_;
  result.seen = root_of_quantile(farthest, most_seen) / size_;
  result.largest = std::sqrt(*std::max_element(farthest_.begin(), farthest_.end())) / size_;
  if (worst_ > 0) {
    result.stretch = std::sqrt(stretch_);
    result.worst = std::sqrt(worst_);
  }
  // For pieces that the rig scales, their largest size.
  for (const RigidPiece& piece : pieces_)
    result.rigid = std::max(result.rigid, piece.fit_error * piece.spread / (piece.extent * piece.largest_spread));
  for (const OnSkin& point : on_skin_)
    if (point.moved_by_rig <= kept_by_rig * size_) result.sunk = std::max(result.sunk.value_or(0), point.sunk / size_);
  if (frames_ > 2) result.pop = std::sqrt(jerk_) / (std::sqrt(rig_jerk_) + still_rig * size_);
  result.rig = std::sqrt(travelled_) / size_;
  const auto last = static_cast<std::size_t>((frames_ - 1) % 3);
  double gap = 0, jump = 0;
  for (std::size_t v = 0; v < first_.size(); ++v) {
    gap = std::max(gap, squared_norm(rig_[last][v] - first_rig_[v]));
    jump = std::max(jump, squared_norm(displacement_[last][v] - first_[v]));
  }
  if (std::sqrt(gap) < ends_as_it_began * size_) result.loop = std::sqrt(jump) / size_;
  return result;
}

QualitySurface quality_surface(const Character& character, std::span<const PartRecording> parts) {
  QualitySurface surface;
  const std::vector<int> figure = figures_of_parts(character);
  const bool several = std::any_of(figure.begin(), figure.end(), [](int of) { return of > 0; });
  for (const PartRecording& recorded : parts) {
    const Part& part = character.parts[static_cast<std::size_t>(recorded.part)];
    if (several)
      surface.main.insert(surface.main.end(), part.surface.positions.size(),
                          figure[static_cast<std::size_t>(recorded.part)] == 0);
    const auto first = static_cast<int>(surface.bone.size());
    for (const Triangle& t : part.surface.triangles)
      surface.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    const Skin& skin = character.skins[static_cast<std::size_t>(part.skin)];
    for (std::size_t v = 0; v < part.surface.positions.size(); ++v) {
      const bool alone =
          v < part.influences.size() && part.influences[v].count > 0 && part.influences[v].weight[0] > held_alone;
      surface.bone.push_back(alone ? skin.joints[static_cast<std::size_t>(part.influences[v].joint[0])] : -1);
    }
  }
  return surface;
}

namespace {

// Positions of the recorded parts in the file's default pose.
std::vector<Vec3> posed_at_rest(const Character& character, std::span<const PartRecording> parts) {
  const Pose pose = sample(character.skeleton, nullptr, 0);
  std::vector<Vec3> rest;
  for (const PartRecording& recorded : parts)
    for (const Vec3& x : posed_positions(character, character.parts[static_cast<std::size_t>(recorded.part)], pose))
      rest.push_back(x * character.metres_per_unit);
  return rest;
}

}  // namespace

Quality measure_quality(const Character& character, const Recording& recording, std::span<const CutReport> cuts) {
  const Clip* clip = recording.clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(recording.clip)];
  QualitySurface surface = quality_surface(character, recording.parts);
  surface.rest = posed_at_rest(character, recording.parts);
  std::vector<Vec3> rig(surface.bone.size()), displayed(rig.size());
  QualityMeter meter(std::move(surface));
  SamplingSpace space;
  Pose pose;
  for (std::size_t frame = 0; frame < recording.times.size(); ++frame) {
    sample(character.skeleton, clip, recording.times[frame], space, pose);
    std::size_t first = 0;
    for (const PartRecording& recorded : recording.parts) {
      const std::vector<Vec3> posed =
          posed_positions(character, character.parts[static_cast<std::size_t>(recorded.part)], pose);
      const float* d = recorded.displacement.data() + 3 * posed.size() * frame;
      parallel_for(posed.size(), quality_grain, [&](std::size_t v) {
        rig[first + v] = posed[v] * character.metres_per_unit;
        displayed[first + v] = rig[first + v] + Vec3{d[3 * v], d[3 * v + 1], d[3 * v + 2]};
      });
      first += posed.size();
    }
    const double before = frame > 0 ? recording.times[frame - 1] : recording.times[0];
    meter.add(rig, displayed, std::any_of(cuts.begin(), cuts.end(), [&](const CutReport& cut) {
                return before < cut.end && recording.times[frame] > cut.begin;
              }));
  }
  return meter.result();
}

Quality worst_of(std::span<const Quality> clips) {
  Quality worst = clips.front();
  const auto raise = [](std::optional<double>& to, const std::optional<double>& from) {
    if (from) to = std::max(to.value_or(*from), *from);
  };
  for (const Quality& clip : clips.subspan(1)) {
    worst.rig = std::max(worst.rig, clip.rig);
    worst.seen = std::max(worst.seen, clip.seen);
    worst.largest = std::max(worst.largest, clip.largest);
    raise(worst.stretch, clip.stretch);
    raise(worst.worst, clip.worst);
    worst.flips = std::max(worst.flips, clip.flips);
    worst.rigid = std::max(worst.rigid, clip.rigid);
    raise(worst.sunk, clip.sunk);
    raise(worst.pop, clip.pop);
    raise(worst.loop, clip.loop);
    worst.least_volume = std::min(worst.least_volume, clip.least_volume);
    worst.most_volume = std::max(worst.most_volume, clip.most_volume);
  }
  return worst;
}

}  // namespace sinew
