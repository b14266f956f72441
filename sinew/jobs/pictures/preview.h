// Pictures of a bake: frames of the rig alone beside the same frames with flesh, as a filmstrip or an animation.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/gltf/document.h"
#include "sinew/picture/filmstrip.h"

namespace sinew {

enum class PreviewView { three_quarter, front, side };

// Parses "three-quarter", "front" or "side". Throws usage_error otherwise.
PreviewView preview_view_from(const std::string& name);

struct PreviewOptions {
  PreviewView view = PreviewView::three_quarter;
  bool heat = false;  // colour the flesh by its distance from the rig
  std::string flesh_label = "flesh";
  double animation_pixels = 480 * 480;  // of each picture of an animation
  std::vector<PictureFinish> finishes;  // per part of the character; empty: plain colours
};

// Material of each part. Pictures that are not available are replaced by plain colours, with a note.
std::vector<PictureFinish> part_finishes(const GltfDocument& document, const Character& character,
                                         std::vector<std::string>& notes);

// Per part, whether pictures show it: surfaces, except skies and rooms that surround everything with a skin at rest,
// which would block light and view. A part with a skin counts as surrounding only if it also keeps a distance from what
// is inside.
std::vector<bool> parts_in_picture(const Character& character);

// World surfaces of all triangulated parts at a recorded frame, metres, in the materials' colours multiplied by vertex
// colours. With `flesh`, recorded displacements and accessory motions are applied.
PictureScene posed_scene(const Character& character, const Recording& recording, int frame, bool flesh,
                         const std::vector<PictureFinish>& finishes = {});

// Amount of motion in a frame: sum of squared displacements over all parts, square metres.
double activity(const Recording& recording, int frame);

// The frame with the largest activity in each of `count` equal spans of the recording, at least half a span after the
// previous one. Evenly spaced frames would often show the flesh at rest.
std::vector<int> liveliest_frames(const Recording& recording, int count);

// Frames of a recording as seen by one camera. The character fills the picture over all of these frames; the camera
// follows it if it travels farther than its size.
class PreviewStage {
 public:
  // All arguments must outlive this.
  PreviewStage(const Character& character, const Recording& recording, std::vector<int> frames,
               const PreviewOptions& options);

  const std::vector<int>& frames() const { return frames_; }
  // Scene of frame number `i` of frames(), relative to the camera, with its ground.
  PictureScene scene(std::size_t i, bool flesh) const;
  // Picture format with about `pixels` pixels and even sides, in the shape that the character fills best.
  PictureOptions cell(double pixels) const;
  const Camera& camera() const { return camera_; }
  // Adds the heat legend below the sheet; returns the sheet unchanged if there is no heat.
  Image with_heat_legend(const Image& sheet, int scale) const;

 private:
  void follow(const std::vector<Vec3>& middles, double size);
  void paint_heat(int frame, PictureScene& scene) const;

  const Character& character_;
  const Recording& recording_;
  const PreviewOptions& options_;
  std::vector<int> frames_;
  std::vector<Vec3> places_;  // travel that the camera follows, per frame
  double aspect_ = 1, ground_ = 0;
  double hottest_ = 0;  // largest distance from the rig, metres
  Camera camera_;
};

// A filmstrip of the liveliest frames, rig above and flesh below.
Image preview_filmstrip(const Character& character, const Recording& recording, const PreviewOptions& options = {},
                        int frames = 6);

// An animated WebP file, rig on the left and flesh on the right, at 15 to 30 frames per second if the recording has as
// many. Long recordings are cut to the liveliest ten seconds, with a note. Throws Stopped where `progress` asks for it.
std::vector<std::byte> preview_animation(const Character& character, const Recording& recording,
                                         const PreviewOptions& options, std::vector<std::string>& notes,
                                         const Progress& progress = {});

// The bytes of a filmstrip (.png) or an animation (.webp), by the file's ending. Throws Stopped where `progress` asks
// for it.
std::vector<std::byte> preview_bytes(const std::filesystem::path& file, const Character& character,
                                     const Recording& recording, const PreviewOptions& options,
                                     std::vector<std::string>& notes, const Progress& progress = {});

// Throws usage_error unless the name ends in .png or .webp.
void check_preview_name(const std::filesystem::path& file);

}  // namespace sinew
