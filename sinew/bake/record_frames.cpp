#include "sinew/bake/record_frames.h"

namespace sinew {
namespace {

std::size_t begin_of(const PartRecording& part, std::int64_t frame) {
  return 3 * static_cast<std::size_t>(part.vertices) * static_cast<std::size_t>(frame);
}

}  // namespace

void append_frame(const SimulationSurface& surface, std::span<const Vec3> displacement, Recording& recording) {
  for (std::size_t p = 0; p < recording.parts.size(); ++p)
    for (const int v : surface.vertex_of[p]) {
      const Vec3& d = displacement[static_cast<std::size_t>(v)];
      std::vector<float>& values = recording.parts[p].displacement;
      values.insert(values.end(), {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
    }
}

void read_frame(const SimulationSurface& surface, const Recording& recording, std::int64_t frame,
                std::span<Vec3> displacement) {
  for (std::size_t p = 0; p < recording.parts.size(); ++p) {
    const PartRecording& part = recording.parts[p];
    const float* d = &part.displacement[begin_of(part, frame)];
    for (const int v : surface.vertex_of[p]) {
      displacement[static_cast<std::size_t>(v)] = {d[0], d[1], d[2]};
      d += 3;
    }
  }
}

void replace_frame(const SimulationSurface& surface, std::span<const Vec3> displacement, std::int64_t frame,
                   Recording& recording) {
  for (std::size_t p = 0; p < recording.parts.size(); ++p) {
    PartRecording& part = recording.parts[p];
    float* value = &part.displacement[begin_of(part, frame)];
    for (const int v : surface.vertex_of[p])
      for (std::size_t k = 0; k < 3; ++k) *value++ = static_cast<float>(displacement[static_cast<std::size_t>(v)][k]);
  }
}

void set_times(const TimeLine& time, std::int64_t frames, Recording& recording) {
  for (std::int64_t f = 0; f < frames; ++f) recording.times.push_back(time.begin + time.frame_offset(f));
}

}  // namespace sinew
