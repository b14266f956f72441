#include "sinew/jobs/pictures/preview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <numbers>
#include <utility>

#include "sinew/bake/accessory_motion.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/number_text.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/gltf/read/read_materials.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/picture/colors.h"
#include "sinew/picture/legend.h"

namespace sinew {
namespace {

constexpr double filmstrip_pixels = 320 * 360;                                // per picture
constexpr std::array shown_aspects{2.0 / 3, 3.0 / 4, 1.0, 4.0 / 3, 3.0 / 2};  // width over height

const PartRecording* recording_of(const Recording& recording, int part) {
  for (const PartRecording& candidate : recording.parts)
    if (candidate.part == part) return &candidate;
  return nullptr;
}

// World space, metres.
std::vector<Vec3> posed_in_metres(const Character& character, const Part& part, const Pose& pose) {
  std::vector<Vec3> positions = posed_positions(character, part, pose);
  for (Vec3& position : positions) position *= character.metres_per_unit;
  return positions;
}

Pose pose_at(const Character& character, const Recording& recording, int frame) {
  const Clip* clip = recording.clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(recording.clip)];
  return sample(character.skeleton, clip, recording.times[static_cast<std::size_t>(frame)]);
}

Vec3 displacement_of(const PartRecording& recorded, int frame, std::size_t vertex) {
  const auto vertices = static_cast<std::size_t>(recorded.vertices);
  const float* d = &recorded.displacement[3 * (static_cast<std::size_t>(frame) * vertices + vertex)];
  return {d[0], d[1], d[2]};
}

struct PreviewBounds {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void include(const Vec3& p) { low = min(low, p), high = max(high, p); }
  void include(const PreviewBounds& other) { low = min(low, other.low), high = max(high, other.high); }
  double diagonal() const { return low.x <= high.x ? norm(high - low) : 0; }
};

// True if a part surrounds everything with a skin, as a sky or a room does.
bool stands_around(const PreviewBounds& part, const PreviewBounds& skinned) {
  constexpr double larger = 1.5,
                   beyond = 0.05;  // share of the skinned parts' diagonal by which feet may reach through a floor
  const double slack = beyond * skinned.diagonal();
  for (std::size_t k = 0; k < 3; ++k) {
    const double own = part.high[k] - part.low[k], theirs = skinned.high[k] - skinned.low[k];
    if (own < larger * theirs || part.low[k] > skinned.low[k] + slack || part.high[k] < skinned.high[k] - slack)
      return false;
  }
  return skinned.diagonal() > 0;
}

struct PosedPart {
  std::vector<Vec3> positions;  // world, metres; empty for parts that are not surfaces
  PreviewBounds box;
};

// True if most of these points are far from a part's surface, as a character is from the sky, but not eyes from their
// head.
bool is_far_from_most(const Part& part, const PosedPart& posed, const std::vector<Vec3>& places) {
  constexpr double far = 0.05;  // of the part's diagonal
  constexpr std::size_t most_places = 400;
  const TriangleMesh surface{posed.positions, part.surface.triangles};
  const BoundingVolumeHierarchy tree(surface);
  const std::size_t step = std::max<std::size_t>(1, places.size() / most_places);
  std::size_t looked_at = 0, near = 0;
  for (std::size_t k = 0; k < places.size(); k += step, ++looked_at)
    near += tree.closest_point(places[k], far * posed.box.diagonal()).triangle >= 0;
  return 2 * near < looked_at;
}

// True if a part with a skin surrounds all smaller parts with a skin, at a distance.
bool is_skinned_sky(const Character& character, const std::vector<PosedPart>& parts, std::size_t part) {
  constexpr double smaller = 0.8;
  std::vector<std::size_t> others;
  PreviewBounds box;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p == part || character.parts[p].skin < 0 || parts[p].box.diagonal() > smaller * parts[part].box.diagonal())
      continue;
    others.push_back(p);
    box.include(parts[p].box);
  }
  if (!stands_around(parts[part].box, box)) return false;
  std::vector<Vec3> places;
  for (const std::size_t p : others) places.insert(places.end(), parts[p].positions.begin(), parts[p].positions.end());
  return is_far_from_most(character.parts[part], parts[part], places);
}

// The parts that the camera frames: those with flesh or a skin, and those not much larger than these together. A floor
// is drawn, but does not make the camera move back.
std::vector<bool> framed_parts(const Character& character, const Recording& recording, int frame) {
  const Pose pose = pose_at(character, recording, frame);
  const std::vector<bool> shown = parts_in_picture(character);
  std::vector<double> size(character.parts.size());
  PreviewBounds skinned;
  for (std::size_t p = 0; p < size.size(); ++p) {
    if (!shown[p]) continue;
    PreviewBounds own;
    for (const Vec3& x : posed_in_metres(character, character.parts[p], pose)) {
      own.include(x);
      if (character.parts[p].skin >= 0) skinned.include(x);
    }
    size[p] = own.diagonal();
  }
  constexpr double much_larger = 1.5;
  std::vector<bool> framed(size.size());
  for (std::size_t p = 0; p < size.size(); ++p)
    framed[p] = shown[p] && (character.parts[p].skin >= 0 || skinned.diagonal() == 0 ||
                             size[p] <= much_larger * skinned.diagonal());
  return framed;
}

// Extent of one frame in the picture, for each possible picture shape.
struct FrameExtent {
  std::vector<CameraFit> fits;
  PreviewBounds rig;
  double lowest = 1e300;
};

FrameExtent extent_of(const Character& character, const Recording& recording, int frame,
                      const std::vector<bool>& framed, const ViewDirection& direction) {
  FrameExtent extent;
  for (const double aspect : shown_aspects) extent.fits.emplace_back(aspect, direction);
  const auto include = [&](const Vec3& x) {
    for (CameraFit& fit : extent.fits) fit.include(x);
    extent.lowest = std::min(extent.lowest, x.y);
  };
  const Pose pose = pose_at(character, recording, frame);
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    if (!framed[p]) continue;
    const std::vector<Vec3> rig = posed_in_metres(character, character.parts[p], pose);
    const PartRecording* recorded = recording_of(recording, static_cast<int>(p));
    for (std::size_t v = 0; v < rig.size(); ++v) {
      include(rig[v]);
      extent.rig.include(rig[v]);
      if (recorded) include(rig[v] + displacement_of(*recorded, frame, v));
    }
  }
  return extent;
}

ViewDirection direction_of(PreviewView view) {
  constexpr double elevation = 0.12;
  if (view == PreviewView::front) return {0, elevation};
  if (view == PreviewView::side) return {std::numbers::pi / 2, elevation};
  return {};
}

// Distance from the rig, metres, rounded up, that all but a few vertices stay below.
double hottest_distance(const Recording& recording, const std::vector<int>& frames) {
  constexpr double shown_share = 0.998;
  std::vector<double> distances;
  for (const PartRecording& part : recording.parts)
    for (const int frame : frames)
      for (int v = 0; v < part.vertices; ++v)
        distances.push_back(norm(displacement_of(part, frame, static_cast<std::size_t>(v))));
  if (distances.empty()) return 0.01;
  const auto last =
      distances.begin() + static_cast<std::ptrdiff_t>(shown_share * static_cast<double>(distances.size() - 1));
  std::nth_element(distances.begin(), last, distances.end());
  return *last > 0 ? round_for_legend(*last) : 0.01;
}

constexpr Vec3 without_heat{0.42, 0.42, 0.44};  // for parts that are not simulated

std::string seconds_label(double seconds) {
  char label[32];
  std::snprintf(label, sizeof(label), "%.2f s", seconds);
  return label;
}

}  // namespace

PreviewView preview_view_from(const std::string& name) {
  if (name == "three-quarter") return PreviewView::three_quarter;
  if (name == "front") return PreviewView::front;
  if (name == "side") return PreviewView::side;
  throw usage_error("--preview-view: '" + name + "' is not a view; use three-quarter, front or side.");
}

std::vector<bool> parts_in_picture(const Character& character) {
  const Pose pose = sample(character.skeleton, nullptr, 0);
  std::vector<PosedPart> parts(character.parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!is_surface(character.parts[p])) continue;
    parts[p].positions = posed_in_metres(character, character.parts[p], pose);
    for (const Vec3& x : parts[p].positions) parts[p].box.include(x);
  }
  std::vector<bool> shown(parts.size());
  PreviewBounds skinned;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    shown[p] = is_skinned_surface(character.parts[p]) && !is_skinned_sky(character, parts, p);
    if (shown[p]) skinned.include(parts[p].box);
  }
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (character.parts[p].skin < 0) shown[p] = is_surface(character.parts[p]) && !stands_around(parts[p].box, skinned);
  return shown;
}

std::vector<PictureFinish> part_finishes(const GltfDocument& document, const Character& character,
                                         std::vector<std::string>& notes) {
  const std::vector<SurfaceMaterial> materials = read_materials(document, notes);
  // Materials often share a picture.
  std::map<std::pair<const Texture*, std::array<int, 3>>, std::shared_ptr<const TextureSampler>> samplers;
  std::vector<PictureFinish> finishes(character.parts.size());
  for (std::size_t p = 0; p < finishes.size(); ++p) {
    const int number = character.parts[p].material;
    if (number < 0 || static_cast<std::size_t>(number) >= materials.size()) continue;
    const SurfaceMaterial& material = materials[static_cast<std::size_t>(number)];
    PictureFinish& finish = finishes[p];
    finish.opacity = material.opacity;
    finish.alpha_mode = material.alpha_mode;
    finish.alpha_cutoff = material.alpha_cutoff;
    finish.emission = material.emission;
    if (!material.texture || character.parts[p].texture_coordinates.empty()) continue;
    const MaterialTexture& texture = *material.texture;
    auto& sampler = samplers[{
        texture.picture.get(),
        {static_cast<int>(texture.wrap_u), static_cast<int>(texture.wrap_v), static_cast<int>(texture.nearest)}}];
    if (!sampler) sampler = std::make_shared<const TextureSampler>(texture);
    finish.texture = sampler;
  }
  return finishes;
}

PictureScene posed_scene(const Character& character, const Recording& recording, int frame, bool flesh,
                         const std::vector<PictureFinish>& finishes) {
  const Pose pose = pose_at(character, recording, frame);
  const std::vector<bool> shown = parts_in_picture(character);
  PictureScene scene;
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    const Part& part = character.parts[p];
    if (!shown[p]) continue;
    PictureMesh mesh;
    mesh.surface.triangles = part.surface.triangles;
    mesh.surface.positions = posed_in_metres(character, part, pose);
    mesh.base_color = part.base_color;
    for (const Vec3& c : part.colors)
      mesh.vertex_colors.push_back({c.x * part.base_color.x, c.y * part.base_color.y, c.z * part.base_color.z});
    mesh.texture_coordinates = part.texture_coordinates;
    if (!finishes.empty()) mesh.finish = finishes[p];
    const PartRecording* recorded = flesh ? recording_of(recording, static_cast<int>(p)) : nullptr;
    if (recorded)
      for (std::size_t v = 0; v < mesh.surface.positions.size(); ++v)
        mesh.surface.positions[v] += displacement_of(*recorded, frame, v);
    const Affine along =
        flesh && part.skin < 0 ? accessory_motion(recording, part.joint, static_cast<std::size_t>(frame)) : Affine{};
    if (along != Affine{})
      for (Vec3& position : mesh.surface.positions) position = along * position;
    scene.meshes.push_back(std::move(mesh));
  }
  return scene;
}

double activity(const Recording& recording, int frame) {
  double sum = 0;
  for (const PartRecording& part : recording.parts) {
    const std::size_t numbers = 3 * static_cast<std::size_t>(part.vertices);
    const float* d = part.displacement.data() + static_cast<std::size_t>(frame) * numbers;
    for (std::size_t k = 0; k < numbers; ++k) sum += static_cast<double>(d[k]) * static_cast<double>(d[k]);
  }
  return sum;
}

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

PreviewStage::PreviewStage(const Character& character, const Recording& recording, std::vector<int> frames,
                           const PreviewOptions& options)
    : character_(character), recording_(recording), options_(options), frames_(std::move(frames)) {
  if (frames_.empty()) throw usage_error("there is no frame to show; choose a range within the clip.");
  const std::vector<bool> framed = framed_parts(character, recording, frames_[0]);
  const ViewDirection direction = direction_of(options.view);
  std::vector<FrameExtent> extents(frames_.size());
  parallel_for(frames_.size(), 1,
               [&](std::size_t i) { extents[i] = extent_of(character, recording, frames_[i], framed, direction); });
  std::vector<Vec3> middles;
  for (const FrameExtent& extent : extents)
    middles.push_back(extent.rig.diagonal() > 0 ? 0.5 * (extent.rig.low + extent.rig.high) : Vec3{});
  follow(middles, extents[0].rig.diagonal());

  ground_ = 1e300;
  for (const FrameExtent& extent : extents) ground_ = std::min(ground_, extent.lowest);
  if (ground_ == 1e300) ground_ = 0;
  double worst = 1e300;
  for (std::size_t shape = 0; shape < shown_aspects.size(); ++shape) {
    CameraFit all(shown_aspects[shape], direction);
    for (std::size_t i = 0; i < extents.size(); ++i) all.include(extents[i].fits[shape], -places_[i]);
    const double misfit = std::abs(std::log(all.excess_width()));
    if (misfit >= worst) continue;
    worst = misfit;
    aspect_ = shown_aspects[shape];
    camera_ = all.camera();
  }
  if (options.heat) hottest_ = hottest_distance(recording, frames_);
}

// Smooths over a quarter of a second to both sides, so that a gallop surges and a step bobs.
void PreviewStage::follow(const std::vector<Vec3>& middles, double size) {
  constexpr double window = 0.25;  // seconds
  PreviewBounds way;
  for (const Vec3& middle : middles) way.include(middle);
  const Vec3 travel = way.high - way.low;
  const bool along = std::hypot(travel.x, travel.z) > size, upward = travel.y > size;
  const auto time = [&](std::size_t i) { return recording_.times[static_cast<std::size_t>(frames_[i])]; };
  places_.assign(middles.size(), {});
  for (std::size_t i = 0; i < middles.size(); ++i) {
    std::size_t reach = 0;  // equal on both sides, so that uniform motion is followed to its ends
    while (reach < i && i + reach + 1 < middles.size() && time(i + reach + 1) - time(i) <= window &&
           time(i) - time(i - reach - 1) <= window)
      ++reach;
    Vec3 sum;
    for (std::size_t k = i - reach; k <= i + reach; ++k) sum += middles[k];
    const Vec3 mean = sum / (2 * static_cast<double>(reach) + 1);
    places_[i] = {along ? mean.x : 0, upward ? mean.y : 0, along ? mean.z : 0};
  }
}

PictureScene PreviewStage::scene(std::size_t i, bool flesh) const {
  PictureScene result = posed_scene(character_, recording_, frames_[i], flesh, options_.finishes);
  if (options_.heat && flesh) paint_heat(frames_[i], result);
  for (PictureMesh& mesh : result.meshes)
    for (Vec3& position : mesh.surface.positions) position -= places_[i];
  result.ground_height = ground_ - places_[i].y;
  return result;
}

void PreviewStage::paint_heat(int frame, PictureScene& scene) const {
  std::size_t mesh = 0;
  const std::vector<bool> in_picture = parts_in_picture(character_);
  for (std::size_t p = 0; p < character_.parts.size(); ++p) {
    if (!in_picture[p]) continue;
    PictureMesh& shown = scene.meshes[mesh++];
    shown.finish.texture = nullptr;
    shown.finish.emission = {};
    shown.vertex_colors.clear();
    shown.base_color = without_heat;
    const PartRecording* recorded = recording_of(recording_, static_cast<int>(p));
    if (!recorded) continue;
    for (std::size_t v = 0; v < shown.surface.positions.size(); ++v)
      shown.vertex_colors.push_back(heat_color(norm(displacement_of(*recorded, frame, v)) / hottest_));
  }
}

PictureOptions PreviewStage::cell(double pixels) const {
  const auto even = [](double side) { return 2 * static_cast<int>(std::lround(side / 2)); };
  PictureOptions cell;
  cell.width = even(std::sqrt(pixels * aspect_));
  cell.height = even(std::sqrt(pixels / aspect_));
  return cell;
}

Image PreviewStage::with_heat_legend(const Image& sheet, int scale) const {
  if (!options_.heat) return sheet;
  return with_legend(sheet, {"distance from the rig: 0", plain(100 * hottest_) + " cm"}, heat_color, scale);
}

Image preview_filmstrip(const Character& character, const Recording& recording, const PreviewOptions& options,
                        int frames) {
  const PreviewStage stage(character, recording, liveliest_frames(recording, frames), options);
  Filmstrip strip;
  strip.rows.resize(2);
  strip.row_labels = {"rig", options.flesh_label};
  for (std::size_t i = 0; i < stage.frames().size(); ++i) {
    strip.rows[0].push_back(stage.scene(i, false));
    strip.rows[1].push_back(stage.scene(i, true));
    strip.column_labels.push_back(seconds_label(recording.times[static_cast<std::size_t>(stage.frames()[i])]));
  }
  FilmstripOptions how;
  how.cell = stage.cell(filmstrip_pixels);
  how.ground_at_lowest_point = false;
  how.camera = stage.camera();
  return stage.with_heat_legend(render_filmstrip(strip, how), label_scale(how.cell));
}

void check_preview_name(const std::filesystem::path& file) {
  const std::string ending = lower_case_ending(file);
  if (!is_standard_output(file) && ending != ".png" && ending != ".webp")
    throw usage_error(file.string() + ": the preview's name must end in .png (a filmstrip) or .webp (an animation).");
}

std::vector<std::byte> preview_bytes(const std::filesystem::path& file, const Character& character,
                                     const Recording& recording, const PreviewOptions& options,
                                     std::vector<std::string>& notes, const Progress& progress) {
  if (lower_case_ending(file) == ".webp") return preview_animation(character, recording, options, notes, progress);
  return encode_png(preview_filmstrip(character, recording, options));
}

}  // namespace sinew
