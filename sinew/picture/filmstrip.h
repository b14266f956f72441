// Filmstrips: many pictures by one camera on one sheet, to see a motion at a glance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/picture/picture.h"

namespace sinew {

// Rows of scenes, all rows of the same length: e.g. the goal above and the flesh below, six frames
// side by side. `row_labels` and `column_labels` are empty or one per row and column.
struct Filmstrip {
  std::vector<std::vector<PictureScene>> rows;
  std::vector<std::string> row_labels;     // e.g. "rig", "flesh"
  std::vector<std::string> column_labels;  // e.g. "0.40 s"
};

struct FilmstripOptions {
  PictureOptions cell;  // each picture's size and samples
  ViewDirection view;
  bool ground_at_lowest_point = true;  // of all scenes; else each scene's own ground_height
  std::optional<Camera> camera;        // of all pictures; else the closest that has every scene in its picture
};

// One camera for all. Throws usage_error where rows
// differ in length or labels in number, and as render(); Stopped where `progress`
// asks for a stop.
Image render_filmstrip(const Filmstrip& filmstrip, const FilmstripOptions& options = {}, const Progress& progress = {});

// How large labels are on pictures of this size: pixels of each of a glyph's dots.
int label_scale(const PictureOptions& cell);

// "count" frames spread evenly over [0, frames - 1], first and last included; fewer where there are
// fewer.
std::vector<int> filmstrip_frames(int frames, int count = 6);

}  // namespace sinew
