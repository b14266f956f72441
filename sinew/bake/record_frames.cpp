#include "sinew/bake/record_frames.h"

namespace sinew {

void append_frame(const SimulationSurface& surface, std::span<const Vec3> displacement, Recording& recording) {
  for (std::size_t p = 0; p < recording.parts.size(); ++p)
    for (const int v : surface.vertex_of[p]) {
      const Vec3& d = displacement[static_cast<std::size_t>(v)];
      std::vector<float>& values = recording.parts[p].displacement;
      values.insert(values.end(), {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
    }
}

void set_times(const TimeLine& time, std::int64_t frames, Recording& recording) {
  for (std::int64_t f = 0; f < frames; ++f) recording.times.push_back(time.begin + time.frame_offset(f));
}

}  // namespace sinew
