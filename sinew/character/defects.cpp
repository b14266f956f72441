#include "sinew/character/defects.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/number_text.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/outliers.h"

namespace sinew {
namespace {

constexpr double scale_tolerance = 1e-3;
constexpr const char* outlier_key_action =
    "The channels take their joints over a hundred thousand times the character's size away; the clip cannot be "
    "animated "
    "before their keys are mended.";

class DefectList {
 public:
  // About the whole of what `where` names.
  void add(const char* name, const std::string& where, std::string action, bool fatal = false) {
    defects_.push_back({name, where, "", {}, std::move(action), fatal});
  }
  // About single elements; nothing is added where there are none.
  void add_if_any(const char* name, const std::string& where, const char* kind, std::vector<int> elements,
                  const char* action, bool fatal = false) {
    if (!elements.empty()) defects_.push_back({name, where, kind, std::move(elements), action, fatal});
  }
  std::vector<Defect> take() { return std::move(defects_); }

 private:
  std::vector<Defect> defects_;
};

std::string clips_in_words(const Character& character) {
  const std::size_t count = character.clips.size();
  return (count == 1 ? "the clip " : std::to_string(count) + " clips (") + clip_names(character) +
         (count == 1 ? "" : ")");
}

bool is_finite(const Affine& a) {
  return std::all_of(std::begin(a.linear.m), std::end(a.linear.m), [](double v) { return std::isfinite(v); }) &&
         sinew::is_finite(a.translation);
}

void check_scales(const Character& character, DefectList& list) {
  std::vector<int> negative, non_uniform, zero;
  for (std::size_t j = 0; j < character.skeleton.joints.size(); ++j) {
    const Vec3& s = character.skeleton.joints[j].rest.scale;
    const double largest = std::max({std::fabs(s.x), std::fabs(s.y), std::fabs(s.z)});
    const double smallest = std::min({std::fabs(s.x), std::fabs(s.y), std::fabs(s.z)});
    const int joint = static_cast<int>(j);
    if (smallest < 1e-9) zero.push_back(joint);
    if (s.x * s.y * s.z < 0) negative.push_back(joint);
    if (smallest >= 1e-9 && largest - smallest > scale_tolerance * largest) non_uniform.push_back(joint);
  }
  list.add_if_any("zero scale", "", "joint", std::move(zero),
                  "What hangs on the joint is flat; it is posed as the file says and gets no flesh.");
  list.add_if_any("negative scale", "", "joint", std::move(negative),
                  "The joint mirrors; it is posed as the file says.");
  list.add_if_any("non-uniform scale", "", "joint", std::move(non_uniform),
                  "The joint stretches its flesh; it is posed as the file says.");
}

// Bones are segments from a skin's joint to its child joints.
void check_bones(const Character& character, const Pose& pose, DefectList& list) {
  std::vector<bool> in_skin(character.skeleton.joints.size(), false);
  for (const Skin& skin : character.skins)
    for (const int joint : skin.joints) in_skin[static_cast<std::size_t>(joint)] = true;
  double extent = 0;
  std::vector<std::pair<int, double>> lengths;
  for (std::size_t j = 0; j < in_skin.size(); ++j) {
    const int parent = character.skeleton.joints[j].parent;
    if (!in_skin[j] || parent < 0 || !in_skin[static_cast<std::size_t>(parent)]) continue;
    const double length = distance(pose.world[j].translation, pose.world[static_cast<std::size_t>(parent)].translation);
    lengths.emplace_back(static_cast<int>(j), length);
    extent = std::max(extent, length);
  }
  std::vector<int> zero_length;
  for (const auto& [joint, length] : lengths)
    if (!(length > 1e-6 * extent)) zero_length.push_back(joint);
  list.add_if_any("zero-length bone", "", "joint", std::move(zero_length),
                  "The joint lies on its parent; the bone is a point and its flesh follows the weights alone.");
}

void check_skins(const Character& character, DefectList& list) {
  for (std::size_t s = 0; s < character.skins.size(); ++s) {
    const Skin& skin = character.skins[s];
    std::vector<int> singular, not_finite, twice;
    std::vector<bool> used(skin.joints.size(), false);
    std::vector<bool> seen(character.skeleton.joints.size(), false);
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      const Affine& bind = skin.inverse_bind[j];
      if (!is_finite(bind))
        not_finite.push_back(static_cast<int>(j));
      else if (!is_invertible(bind))
        singular.push_back(static_cast<int>(j));
      const auto joint = static_cast<std::size_t>(skin.joints[j]);
      if (seen[joint]) twice.push_back(static_cast<int>(j));
      seen[joint] = true;
    }
    bool shown = false;
    for (const Part& part : character.parts) {
      if (part.skin != static_cast<int>(s)) continue;
      shown = true;
      for (const Influences& influences : part.influences)
        for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k)
          used[static_cast<std::size_t>(influences.joint[k])] = true;
    }
    std::vector<int> unused;
    for (std::size_t j = 0; j < used.size(); ++j)
      if (!used[j]) unused.push_back(static_cast<int>(j));
    list.add_if_any("NaN", skin.name, "skin joint", std::move(not_finite),
                    "An inverse bind matrix is not a number; the file cannot be posed.", true);
    list.add_if_any("singular inverse bind matrix", skin.name, "skin joint", std::move(singular),
                    "The vertices are posed as the file says; the joint gets no bone in the flesh.");
    list.add_if_any("joint listed twice", skin.name, "skin joint", std::move(twice),
                    "Both entries are kept; they move together.");
    if (shown)
      list.add_if_any("unused joint", skin.name, "skin joint", std::move(unused),
                      "No vertex follows the joint; it moves on and carries no flesh.");
    else
      list.add("unused skin", skin.name, "No part is bound to the skin; it passes through untouched.");
  }
}

void check_parts(const Character& character, const Pose& pose, DefectList& list) {
  const bool any_skin = std::any_of(character.parts.begin(), character.parts.end(),
                                    [](const Part& p) { return p.skin >= 0 && p.triangles; });
  const bool any_surface = std::any_of(character.parts.begin(), character.parts.end(), is_surface);
  std::vector<int> not_triangles, rigid;
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    const Part& part = character.parts[p];
    if (!part.triangles) not_triangles.push_back(static_cast<int>(p));
    if (any_skin && part.triangles && part.skin < 0) rigid.push_back(static_cast<int>(p));
    std::vector<int> lost;
    const std::vector<Vec3> positions = posed_positions(character, part, pose);
    for (std::size_t v = 0; v < positions.size(); ++v)
      if (!sinew::is_finite(positions[v])) lost.push_back(static_cast<int>(v));
    list.add_if_any("NaN", part.name, "vertex", std::move(lost),
                    "The vertices cannot be posed; the file cannot be worked with.", true);
  }
  list.add_if_any("part without skin", "", "part", std::move(rigid),
                  "The parts have no skin; they move rigidly with their joints and get no flesh.");
  list.add_if_any("points or lines", "", "part", std::move(not_triangles),
                  "The parts are not surfaces; they pass through untouched.");
  if (!any_surface && !character.clips.empty())
    list.add("no surface", "",
             "There are no triangles to give flesh to; the file holds " + clips_in_words(character) +
                 ", to be given to a character: `sinew animate CHARACTER --motion FILE`.",
             true);
  else if (!any_surface)
    list.add("no surface", "", "There are no triangles to give flesh to; show a mesh in the file's scene.", true);
  else if (!any_skin)
    list.add("no skin", "", "Nothing is bound to a skeleton; the whole surface moves rigidly with its nodes.");
}

void check_paint(const Part& part, DefectList& list) {
  for (std::size_t f = 0; f < painted_fields.size(); ++f) {
    const PaintedField& row = painted_fields[f];
    std::vector<int> beyond;
    for (std::size_t v = 0; v < part.fields[f].size(); ++v)
      if (is_out_of_range(row, part.fields[f][v])) beyond.push_back(static_cast<int>(v));
    const std::string range = plain(row.least) + " to " + plain(row.most);
    const std::string action =
        row.attribute + std::string(" is beyond its range, ") + range + ", at " + std::to_string(beyond.size()) +
        (beyond.size() == 1 ? " vertex, " : " vertices, ") +
        (acts_in_scenes(row) ? "where it counts as the nearer end" : "which `sinew fit` refuses") +
        "; paint values from " + range + ".";
    list.add_if_any("paint out of range", part.name, "vertex", std::move(beyond), action.c_str());
  }
}

void check_outliers(const Character& character, DefectList& list) {
  for (OutlierVertices& outlier : find_outlier_vertices(character))
    list.add_if_any("stray vertex", character.parts[static_cast<std::size_t>(outlier.part)].name, "vertex",
                    std::move(outlier.vertices),
                    "The vertices lie over a hundred times farther out than all others; move them back or delete them.",
                    true);
  for (OutlierVertices& far : find_far_vertices(character))
    list.add_if_any("far vertex", character.parts[static_cast<std::size_t>(far.part)].name, "vertex",
                    std::move(far.vertices),
                    "The vertices lie over five times farther out than all others, and count for the character's size; "
                    "move them back or "
                    "delete them where that was not meant.");
  for (const Part& part : character.parts)
    for (OutlierOffsets& outlier : find_outlier_offsets(part))
      list.add_if_any(
          "stray offset", part.name + ", morph target " + std::to_string(outlier.target), "vertex",
          std::move(outlier.vertices),
          "The target moves the vertices over ten thousand times the part's size away, and flesh goes with them; "
          "mend the target, or give it no weight.");
  for (std::size_t s = 0; s < character.skins.size(); ++s)
    list.add_if_any(
        "stray inverse bind matrix", character.skins[s].name, "skin joint",
        find_outlier_joints(character, static_cast<int>(s)),
        "The joints were bound over ten thousand times as far out, or as large, as all else; bind the skin again.",
        true);
  const double reach = reach_of(character);
  for (const Clip& clip : character.clips)
    list.add_if_any("stray key", clip.name, "channel", find_outlier_channels(character, clip, reach),
                    outlier_key_action);
}

}  // namespace

std::string sentence(const Defect& defect) {
  std::string action = defect.action;
  if (!action.empty()) action[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(action[0])));
  std::string elements;
  if (!defect.elements.empty()) {
    elements = " (" + defect.kind + " " + std::to_string(defect.elements.front());
    if (defect.elements.size() > 1) elements += " and " + std::to_string(defect.elements.size() - 1) + " more";
    elements += ")";
  }
  return defect.name + (defect.where.empty() ? "" : " in " + defect.where) + elements + ": " + action;
}

void refuse_fatal(const std::string& file, const std::vector<Defect>& defects) {
  for (const Defect& defect : defects)
    if (defect.fatal) throw input_error(file + ": " + sentence(defect));
}

void refuse_outlier_clip(const Character& character, const Clip* clip) {
  if (!clip) return;
  const std::vector<int> channels = find_outlier_channels(character, *clip, reach_of(character));
  if (!channels.empty())
    throw input_error(character.file + ": " +
                      sentence({"stray key", "clip '" + clip->name + "'", "channel", channels, outlier_key_action}));
}

std::vector<Defect> find_defects(const Character& character) {
  DefectList list;
  const Pose pose = sample(character.skeleton, nullptr, 0);
  check_parts(character, pose, list);
  check_outliers(character, list);
  for (const Part& part : character.parts) check_paint(part, list);
  check_skins(character, list);
  check_bones(character, pose, list);
  check_scales(character, list);
  if (std::all_of(character.clips.begin(), character.clips.end(),
                  [](const Clip& clip) { return clip.channels.empty(); }))
    list.add("no animation", "", "There is no clip to follow; the character stands in its rest pose.");
  return list.take();
}

}  // namespace sinew
