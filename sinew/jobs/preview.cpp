#include "sinew/jobs/preview.h"

#include <algorithm>
#include <cstdio>

#include "sinew/bake/accessory_motion.h"

namespace sinew {
namespace {

const PartRecording* recording_of(const Recording& recording, int part) {
  for (const PartRecording& candidate : recording.parts)
    if (candidate.part == part) return &candidate;
  return nullptr;
}

// Sum of squared displacements over all parts.
double activity(const Recording& recording, int frame) {
  double sum = 0;
  for (const PartRecording& part : recording.parts) {
    const std::size_t numbers = 3 * static_cast<std::size_t>(part.vertices);
    const float* d = part.displacement.data() + static_cast<std::size_t>(frame) * numbers;
    for (std::size_t k = 0; k < numbers; ++k) sum += static_cast<double>(d[k]) * static_cast<double>(d[k]);
  }
  return sum;
}

}  // namespace

std::vector<int> liveliest_frames(const Recording& recording, int count) {
  const int frames = static_cast<int>(recording.times.size());
  count = std::min(count, frames);
  std::vector<int> chosen;
  for (int span = 0; span < count; ++span) {
    int best = -1;
    double most = -1;
    const int begin = span * frames / count, end = (span + 1) * frames / count;
    for (int f = chosen.empty() ? begin : std::max(begin, chosen.back() + frames / (2 * count)); f < end; ++f) {
      const double here = activity(recording, f);
      if (here > most) best = f, most = here;
    }
    if (best >= 0 && (chosen.empty() || best > chosen.back())) chosen.push_back(best);
  }
  return chosen;
}

PictureScene posed_scene(const Character& character, const Recording& recording, int frame, bool flesh) {
  const Clip* clip = recording.clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(recording.clip)];
  const Pose pose = sample(character.skeleton, clip, recording.times[static_cast<std::size_t>(frame)]);
  PictureScene scene;
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    const Part& part = character.parts[p];
    if (!part.triangles || part.surface.triangles.empty()) continue;
    PictureMesh mesh;
    mesh.surface.triangles = part.surface.triangles;
    mesh.surface.positions = posed_positions(character, part, pose);
    mesh.base_color = part.base_color;
    for (Vec3& position : mesh.surface.positions) position *= character.metres_per_unit;
    const Affine along = flesh && part.skin < 0 ? accessory_motion(recording, part.joint, static_cast<std::size_t>(frame)) : Affine{};
    if (along != Affine{})
      for (Vec3& position : mesh.surface.positions) position = along * position;
    const PartRecording* recorded = flesh ? recording_of(recording, static_cast<int>(p)) : nullptr;
    if (recorded) {
      const float* d = &recorded->displacement[3 * static_cast<std::size_t>(frame) * mesh.surface.positions.size()];
      for (Vec3& position : mesh.surface.positions) {
        position += Vec3{d[0], d[1], d[2]};
        d += 3;
      }
    }
    scene.meshes.push_back(std::move(mesh));
  }
  return scene;
}

Filmstrip preview_filmstrip(const Character& character, const Recording& recording, int frames) {
  Filmstrip strip;
  strip.rows.resize(2);
  strip.row_labels = {"rig", "flesh"};
  for (int frame : liveliest_frames(recording, frames)) {
    strip.rows[0].push_back(posed_scene(character, recording, frame, false));
    strip.rows[1].push_back(posed_scene(character, recording, frame, true));
    char label[32];
    std::snprintf(label, sizeof(label), "%.2f s", recording.times[static_cast<std::size_t>(frame)]);
    strip.column_labels.push_back(label);
  }
  return strip;
}

}  // namespace sinew
