#include "sinew/bake/output/point_cache.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

constexpr std::array<char, 12> pc2_signature{'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', '\0'};
// The width of the Earth in millimetres: larger coordinates are invalid in any unit.
constexpr double farthest_position = 1e10;

constexpr std::size_t pc2_header = 32, mdd_header = 8, bytes_per_point = 12;

PointCacheFormat format_of(const std::filesystem::path& path) {
  const std::string ending = lower_case_ending(path);
  if (ending == ".pc2") return PointCacheFormat::pc2;
  if (ending == ".mdd") return PointCacheFormat::mdd;
  throw usage_error(path.string() + ": is not named like a point cache; use the ending .pc2 or .mdd.");
}

// PC2 is little endian, MDD big endian.
std::endian byte_order(PointCacheFormat format) {
  return format == PointCacheFormat::pc2 ? std::endian::little : std::endian::big;
}

std::uint32_t swapped(std::uint32_t word) {
  return word >> 24 | (word >> 8 & 0xFF00U) | (word << 8 & 0xFF0000U) | word << 24;
}

template <class Value>
void append(std::vector<std::byte>& bytes, Value value, std::endian order) {
  static_assert(sizeof(Value) == 4);
  auto word = std::bit_cast<std::uint32_t>(value);
  if (order != std::endian::native) word = swapped(word);
  std::byte raw[4];
  std::memcpy(raw, &word, 4);
  bytes.insert(bytes.end(), raw, raw + 4);
}

template <class Value>
Value value_at(std::span<const std::byte> bytes, std::size_t offset, std::endian order) {
  static_assert(sizeof(Value) == 4);
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, 4);
  return std::bit_cast<Value>(order == std::endian::native ? word : swapped(word));
}

// An open cache whose header was checked against the file's size.
struct CacheFile {
  std::filesystem::path path;
  std::ifstream stream;
  PointCacheFormat format = PointCacheFormat::pc2;
  std::size_t points = 0;
  std::size_t first_frame = 0;  // offset in bytes
  std::vector<double> times;

  Error damaged(const std::string& what) const {
    return input_error(path.string() + ": " + what + "; write the cache again.");
  }

  std::vector<std::byte> bytes(std::size_t offset, std::size_t count) {
    std::vector<std::byte> result(count);
    stream.clear();
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(reinterpret_cast<char*>(result.data()), static_cast<std::streamsize>(count));
    if (!stream) throw damaged("ends at byte " + std::to_string(offset + count) + " or before");
    return result;
  }

  std::vector<Vec3> frame(std::size_t index) {
    const std::vector<std::byte> raw = bytes(first_frame + index * points * bytes_per_point, points * bytes_per_point);
    std::vector<Vec3> positions(points);
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        positions[i][axis] = static_cast<double>(value_at<float>(raw, (3 * i + axis) * 4, byte_order(format)));
      if (!is_finite(positions[i]))
        throw damaged("point " + std::to_string(i) + " of frame " + std::to_string(index) +
                      " is not a finite position");
      if (std::max({std::fabs(positions[i].x), std::fabs(positions[i].y), std::fabs(positions[i].z)}) >
          farthest_position)
        throw damaged("point " + std::to_string(i) + " of frame " + std::to_string(index) +
                      " is farther out than any character reaches");
    }
    return positions;
  }
};

void check_size(const CacheFile& cache, std::size_t file_size, std::int64_t points, std::int64_t frames,
                std::size_t bytes_per_frame_header) {
  if (points <= 0 || frames <= 0)
    throw cache.damaged("announces " + std::to_string(points) + " points and " + std::to_string(frames) + " frames");
  // Counts are below 2^31, so their products fit.
  const std::uint64_t count = static_cast<std::uint64_t>(frames);
  const std::uint64_t per_frame = bytes_per_frame_header + static_cast<std::uint64_t>(points) * bytes_per_point;
  const std::uint64_t contents = file_size - cache.first_frame;
  if (contents % per_frame == 0 && contents / per_frame == count) return;
  throw cache.damaged("announces " + std::to_string(points) + " points and " + std::to_string(frames) +
                      " frames, but its " + std::to_string(file_size) + " bytes are " +
                      (contents / per_frame < count ? "too few" : "too many") + " for them");
}

void read_pc2_header(CacheFile& cache, std::size_t file_size, double frames_per_second) {
  constexpr std::endian order = std::endian::little;
  if (file_size < pc2_header) throw cache.damaged("is too short for a PC2 header");
  const std::vector<std::byte> header = cache.bytes(0, pc2_header);
  if (std::memcmp(header.data(), pc2_signature.data(), pc2_signature.size()) != 0)
    throw cache.damaged("does not begin with the signature of PC2");
  if (value_at<std::int32_t>(header, 12, order) != 1) throw cache.damaged("has a PC2 version other than 1");
  const auto points = value_at<std::int32_t>(header, 16, order), frames = value_at<std::int32_t>(header, 28, order);
  const auto start = static_cast<double>(value_at<float>(header, 20, order));
  const auto rate = static_cast<double>(value_at<float>(header, 24, order));
  cache.first_frame = pc2_header;
  check_size(cache, file_size, points, frames, 0);
  if (!std::isfinite(start) || !std::isfinite(rate) || rate <= 0)
    throw cache.damaged("has a first frame or a sample rate that makes no sense");
  cache.points = static_cast<std::size_t>(points);
  for (std::int32_t i = 0; i < frames; ++i) cache.times.push_back((start + i * rate) / frames_per_second);
}

void read_mdd_header(CacheFile& cache, std::size_t file_size) {
  constexpr std::endian order = std::endian::big;
  if (file_size < mdd_header) throw cache.damaged("is too short for an MDD header");
  const std::vector<std::byte> header = cache.bytes(0, mdd_header);
  const auto frames = value_at<std::int32_t>(header, 0, order), points = value_at<std::int32_t>(header, 4, order);
  cache.first_frame = mdd_header;
  check_size(cache, file_size, points, frames, 4);
  cache.points = static_cast<std::size_t>(points);
  const auto count = static_cast<std::size_t>(frames);
  const std::vector<std::byte> times = cache.bytes(mdd_header, count * 4);
  for (std::size_t i = 0; i < count; ++i) {
    const auto time = static_cast<double>(value_at<float>(times, i * 4, order));
    if (!std::isfinite(time) || (i > 0 && time <= cache.times.back()))
      throw cache.damaged("has times that do not rise at frame " + std::to_string(i));
    cache.times.push_back(time);
  }
  cache.first_frame += count * 4;
}

std::vector<Vec3> positions_at(CacheFile& cache, double seconds) {
  const std::vector<double>& times = cache.times;
  const auto after = std::lower_bound(times.begin(), times.end(), seconds);
  if (after == times.begin()) return cache.frame(0);
  if (after == times.end()) return cache.frame(times.size() - 1);
  const auto next = static_cast<std::size_t>(after - times.begin());
  const double part = (seconds - times[next - 1]) / (times[next] - times[next - 1]);
  // Times that were rounded to single precision may miss a frame slightly: use that frame itself.
  constexpr double hair = 1e-3;
  if (part > 1 - hair) return cache.frame(next);
  std::vector<Vec3> positions = cache.frame(next - 1);
  if (part < hair) return positions;
  const std::vector<Vec3> end = cache.frame(next);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = positions[i] * (1 - part) + end[i] * part;
  return positions;
}

}  // namespace

bool is_point_cache(const std::filesystem::path& path) {
  const std::string ending = lower_case_ending(path);
  return ending == ".pc2" || ending == ".mdd";
}

PointCacheWriter::PointCacheWriter(const std::filesystem::path& path, std::size_t points, std::span<const double> times,
                                   double frames_per_second)
    : file_(path), format_(format_of(path)), points_(points), frames_(times.size()) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (points == 0 || times.empty() || points > most || times.size() > most)
    throw usage_error(path.string() +
                      ": a point cache needs at least one point and one frame, and at most 2^31 of each.");
  const auto point_count = static_cast<std::int32_t>(points), frame_count = static_cast<std::int32_t>(frames_);
  const std::endian order = byte_order(format_);
  std::vector<std::byte> header;
  if (format_ == PointCacheFormat::pc2) {
    for (char letter : pc2_signature) header.push_back(static_cast<std::byte>(letter));
    append(header, std::int32_t{1}, order);
    append(header, point_count, order);
    append(header, static_cast<float>(times.front() * frames_per_second), order);
    append(header, 1.0F, order);
    append(header, frame_count, order);
  } else {
    append(header, frame_count, order);
    append(header, point_count, order);
    for (double time : times) append(header, static_cast<float>(time), order);
  }
  file_.write(header);
  bytes_ = header.size();
}

void PointCacheWriter::add_frame(std::span<const Vec3> positions) {
  if (positions.size() != points_ || written_ == frames_)
    throw usage_error("A frame was added to a point cache that has no place for it.");
  std::vector<std::byte> bytes;
  bytes.reserve(points_ * bytes_per_point);
  for (const Vec3& position : positions)
    for (std::size_t axis = 0; axis < 3; ++axis) append(bytes, static_cast<float>(position[axis]), byte_order(format_));
  file_.write(bytes);
  bytes_ += bytes.size();
  ++written_;
}

std::size_t PointCacheWriter::finish() {
  if (written_ != frames_)
    throw usage_error("A point cache was closed after " + std::to_string(written_) + " of " + std::to_string(frames_) +
                      " frames.");
  file_.commit();
  return bytes_;
}

std::size_t write_point_cache(const Character& character, const Recording& recording,
                              const std::filesystem::path& path) {
  std::vector<int> parts;
  std::size_t points = 0;
  for (const PartRecording& part : recording.parts) {
    parts.push_back(part.part);
    points += static_cast<std::size_t>(part.vertices);
  }
  const Clip* clip = recording.clip < 0 ? nullptr : &character.clips.at(static_cast<std::size_t>(recording.clip));
  PointCacheWriter writer(path, points, recording.times, recording.frames_per_second);
  for (std::size_t frame = 0; frame < recording.times.size(); ++frame) {
    std::vector<Vec3> surface = rig_surface(character, parts, sample(character.skeleton, clip, recording.times[frame]));
    auto position = surface.begin();
    for (const PartRecording& part : recording.parts) {
      const auto coordinates = static_cast<std::size_t>(part.vertices) * 3;
      const float* d = part.displacement.data() + frame * coordinates;
      for (std::size_t i = 0; i < coordinates; i += 3, ++position) *position += Vec3{d[i], d[i + 1], d[i + 2]};
    }
    writer.add_frame(surface);
  }
  return writer.finish();
}

Track read_point_cache(const std::filesystem::path& path, double frames_per_second) {
  if (!(frames_per_second > 0)) throw usage_error("The frame rate must be positive.");
  auto cache = std::make_shared<CacheFile>();
  cache->path = path;
  cache->format = format_of(path);
  std::error_code status;
  const std::uintmax_t size = std::filesystem::file_size(path, status);
  cache->stream.open(path, std::ios::binary);
  if (status || !cache->stream)
    throw input_error(path.string() + ": cannot be opened; check the name and the permissions.");
  if (cache->format == PointCacheFormat::pc2)
    read_pc2_header(*cache, static_cast<std::size_t>(size), frames_per_second);
  else
    read_mdd_header(*cache, static_cast<std::size_t>(size));

  Track track;
  track.name = path.string();
  track.points = cache->points;
  track.times = cache->times;
  track.start = cache->times.front();
  track.end = cache->times.back();
  track.positions_at = [cache](double seconds) { return positions_at(*cache, seconds); };
  return track;
}

}  // namespace sinew
