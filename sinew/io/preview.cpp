#include "sinew/io/preview.h"

#include <cstdio>

namespace sinew {
namespace {

const PartRecording* recording_of(const Recording& recording, int part) {
  for (const PartRecording& candidate : recording.parts)
    if (candidate.part == part) return &candidate;
  return nullptr;
}

}  // namespace

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
  for (int frame : filmstrip_frames(static_cast<int>(recording.times.size()), frames)) {
    strip.rows[0].push_back(posed_scene(character, recording, frame, false));
    strip.rows[1].push_back(posed_scene(character, recording, frame, true));
    char label[32];
    std::snprintf(label, sizeof(label), "%.2f s", recording.times[static_cast<std::size_t>(frame)]);
    strip.column_labels.push_back(label);
  }
  return strip;
}

}  // namespace sinew
