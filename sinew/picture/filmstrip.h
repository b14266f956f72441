// Filmstrips: pictures of several times by one camera, side by side, to show a motion at a glance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/picture/picture.h"

namespace sinew {

// Rows of scenes; all rows have the same length. For example the goal above and the flesh below, at six times.
// `row_labels` and `column_labels` are empty or have one entry per row and column.
struct Filmstrip {
  std::vector<std::vector<PictureScene>> rows;
  std::vector<std::string> row_labels;     // e.g. "rig", "flesh"
  std::vector<std::string> column_labels;  // e.g. "0.40 s"
};

struct FilmstripOptions {
  PictureOptions cell;  // size and samples of each picture
  ViewDirection view;
  // Ground at the lowest point of all scenes; otherwise each scene has its own ground_height.
  bool ground_at_lowest_point = true;
  std::optional<Camera> camera;  // of all pictures; if empty, the closest one that shows every scene completely
};

// Uses one camera for all pictures. Throws usage_error where rows differ in length or labels in number, and as render()
// does; Stopped where `progress` asks for it.
Image render_filmstrip(const Filmstrip& filmstrip, const FilmstripOptions& options = {}, const Progress& progress = {});

// Pixels per dot of a glyph for labels on pictures of this size.
int label_scale(const PictureOptions& cell);

}  // namespace sinew
