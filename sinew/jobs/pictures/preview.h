// Pictures of a bake: the rig alone beside the same frames with flesh, as a filmstrip or as an animation.
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

// "three-quarter", "front" or "side". Throws usage_error otherwise.
PreviewView preview_view_from(const std::string& name);

struct PreviewOptions {
  PreviewView view = PreviewView::three_quarter;
  bool heat = false;  // flesh in the colours of its distance from the rig
  std::string flesh_label = "flesh";
  std::vector<PictureFinish> finishes;  // per part of the character; empty: plain colours
};

// What each part of the character wears. Pictures that cannot be had leave plain colours, and a note.
std::vector<PictureFinish> part_finishes(const GltfDocument& document, const Character& character,
                                         std::vector<std::string>& notes);

// Per part, whether pictures show it: surfaces, but for those that stand around all that has a skin at rest, as skies
// and rooms do. They would take the light and the view. One that has a skin itself keeps its distance from what it
// stands around besides.
std::vector<bool> parts_in_picture(const Character& character);

// World surfaces of all triangulated parts at a recorded frame, metres; with the recorded displacement
// of the simulated parts, and accessories along with them, where `flesh`. In the materials' colours times the vertices'
// own.
PictureScene posed_scene(const Character& character, const Recording& recording, int frame, bool flesh,
                         const std::vector<PictureFinish>& finishes = {});

// How lively a frame is: the sum of squared displacements over all parts, square metres.
double activity(const Recording& recording, int frame);

// The liveliest frame of each of `count` equal spans of the recording, in which flesh is farthest from the rig, at
// least half a span after the one before: evenly spread frames would show the flesh at rest more often than not.
std::vector<int> liveliest_frames(const Recording& recording, int count);

// Some frames of a recording as one camera sees them: chosen so that everything that belongs to the character fills the
// picture over all of these frames, and going along where the character travels farther than its size.
class PreviewStage {
 public:
  // All of them must outlive this.
  PreviewStage(const Character& character, const Recording& recording, std::vector<int> frames,
               const PreviewOptions& options);

  const std::vector<int>& frames() const { return frames_; }
  // The i-th of the frames, where the camera expects it, on its ground.
  PictureScene scene(std::size_t i, bool flesh) const;
  // Pictures of the shape that the character fills best, with about `pixels` pixels and even sides.
  PictureOptions cell(double pixels) const;
  const Camera& camera() const { return camera_; }
  // The sheet with the legend of heat below it; where there is no heat, the sheet.
  Image with_heat_legend(const Image& sheet, int scale) const;

 private:
  void follow(const std::vector<Vec3>& middles, double size);
  void paint_heat(int frame, PictureScene& scene) const;

  const Character& character_;
  const Recording& recording_;
  const PreviewOptions& options_;
  std::vector<int> frames_;
  std::vector<Vec3> places_;  // what the camera has gone along by, at each of the frames
  double aspect_ = 1, ground_ = 0;
  double hottest_ = 0;  // distance from the rig, metres
  Camera camera_;
};

// The filmstrip, rig above and flesh below, of the liveliest frames.
Image preview_filmstrip(const Character& character, const Recording& recording, const PreviewOptions& options = {},
                        int frames = 6);

// The animation as a WebP file, rig on the left and flesh on the right, at 15 to 30 frames per second where the
// recording has as many; of long recordings the liveliest ten seconds, and a note. Throws Stopped where `progress` asks
// for it.
std::vector<std::byte> preview_animation(const Character& character, const Recording& recording,
                                         const PreviewOptions& options, std::vector<std::string>& notes,
                                         const Progress& progress = {});

// The bytes of a filmstrip (.png) or an animation (.webp), as the file's name asks. Throws Stopped where `progress`
// asks for it.
std::vector<std::byte> preview_bytes(const std::filesystem::path& file, const Character& character,
                                     const Recording& recording, const PreviewOptions& options,
                                     std::vector<std::string>& notes, const Progress& progress = {});

// Throws usage_error where the name ends in neither .png nor .webp.
void check_preview_name(const std::filesystem::path& file);

}  // namespace sinew
