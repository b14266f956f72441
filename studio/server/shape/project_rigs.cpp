#include "studio/server/shape/project_rigs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/shape/guide.h"
#include "sinew/shape/shape_rig_json.h"
#include "studio/server/cook/method_settings.h"

namespace sinew::studio {
namespace {

PageJson numbers_of(const Affine& affine) {
  PageJson numbers = PageJson::array();
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) numbers.push_back(affine.linear(row, column));
    numbers.push_back(affine.translation[row]);
  }
  return numbers;
}

// The bone that a rig's handle follows: its own, or the one that moves most of the skin nearest to it.
const Bone& bone_of(const ShapeRig& rig, const Vec3& centre, const SimulationSurface& surface) {
  if (rig.guide.kind == GuideKind::bone) return bone_named(surface, rig.guide.bone);
  std::size_t nearest = 0;
  double least = HUGE_VAL;
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v)
    if (const double far = squared_norm(surface.rest.positions[v] - centre);
        far < least && surface.influences[v].count > 0)
      least = far, nearest = v;
  return surface.bones[static_cast<std::size_t>(surface.influences[nearest].joint[0])];
}

// Null for rigs without a place, also where the cook will say why there is none.
PageJson handle_of(const ShapeRig& rig, const SimulationSurface& surface) try {
  if (!has_guide(rig.kind) || surface.influences.empty()) return nullptr;
  const std::vector<double>& eta = rig.samples.back().eta;
  const Affine frame = guide_frame(rig.guide, std::span(eta).subspan(parameters_of(rig.kind).size()), surface);
  const Bone& bone = bone_of(rig, frame.translation, surface);
  return {{"frame", numbers_of(frame)}, {"joint", bone.joint}, {"rest_to_joint", numbers_of(bone.rest_to_joint)}};
} catch (const Error&) {
  return nullptr;
}

// As handle_of(), which goes over the whole skin.
const PageJson& known_handle(const Application& app, const ShapeRig& rig) {
  constexpr std::size_t most_known = 500;
  if (app.rig_handles.size() > most_known) app.rig_handles.clear();
  const auto [known, is_new] = app.rig_handles.try_emplace(std::to_string(app.loaded.number) + rig_json(rig));
  if (is_new) known->second = handle_of(rig, *app.rest_surface);
  return known->second;
}

PageJson described(std::span<const ShapeParameter> parameters) {
  PageJson rows = PageJson::array();
  for (const ShapeParameter& each : parameters) {
    PageJson row{{"name", each.name}, {"usual", each.usual}, {"help", each.help}};
    if (*each.unit.symbol) row["unit"] = each.unit.symbol;
    if (std::isfinite(each.range.least)) row["least"] = each.range.least;
    if (std::isfinite(each.range.most)) row["most"] = each.range.most;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string shapes_setting(const Project& project) {
  const auto settings = project.settings.find(FleshMethod().name());
  if (settings == project.settings.end() || settings->second.empty()) return "";
  const PageJson json = PageJson::parse(settings->second);
  const auto shapes = json.find("shapes");
  if (shapes == json.end()) return "";
  return shapes->is_object() ? shapes->dump() : shapes->is_string() ? shapes->get<std::string>() : "";
}

ShapeFile rigs_in(const Application& app, const Project& project) {
  require_character(app);
  if (project.method != FleshMethod().name())
    throw usage_error("Force rigs shape flesh; choose the method Flesh first.");
  std::string setting = shapes_setting(project);
  if (!setting.empty() && !setting.starts_with('{')) setting = app.folders.inside(setting).string();
  if (!setting.empty()) return shapes_of_setting(setting);
  return {"shapes", shaped_character(app.character_name, *app.rest_surface), {}, {}};
}

Project with_rigs(Project project, const ShapeFile& rigs) {
  std::string& settings = project.settings[project.method];
  const bool none = rigs.rigs.empty() && rigs.controls.empty();
  settings = none ? without_value(project.method, settings, "shapes")
                  : with_value(project.method, settings, "shapes", shape_json(rigs));
  return project;
}

PageJson rigs_state(const Application& app, const Project& project) {
  PageJson state = PageJson::array();
  if (!app.loaded.opened || project.method != FleshMethod().name()) return state;
  ShapeFile file;
  try {
    file = rigs_in(app, project);
  } catch (const Error&) {
    return state;  // the cook says what is wrong with the file
  }
  for (const ShapeRig& rig : file.rigs) {
    PageJson json = PageJson::parse(rig_json(rig));
    PageJson& samples = json["samples"];
    for (std::size_t k = 0; k < samples.size(); ++k)
      if (samples[k].erase("forces") > 0) samples[k]["of"] = k;
    json["handle"] = known_handle(app, rig);
    state.push_back(std::move(json));
  }
  return state;
}

ShapeRig rig_of_page(const std::string& text, const ShapeRig* before) {
  PageJson json = PageJson::parse(text);
  if (!json.is_object()) throw usage_error("A rig is an object, as files of rigs have it.");
  json.erase("handle");
  const PageJson old = before ? PageJson::parse(rig_json(*before))["samples"] : PageJson::array();
  if (const auto samples = json.find("samples"); samples != json.end() && samples->is_array())
    for (PageJson& sample : *samples) {
      const auto of = sample.is_object() ? sample.find("of") : sample.end();
      if (of == sample.end()) continue;
      if (!of->is_number_unsigned() || of->get<std::size_t>() >= old.size())
        throw usage_error("A sample says whose forces it has by 'of', which counts the rig's samples from 0.");
      const PageJson& from = old[of->get<std::size_t>()];
      sample.erase("of");
      if (from.contains("forces")) sample["forces"] = from["forces"];
    }
  return rig_from_json(json.dump(), "The rig");
}

PageJson templates_state() {
  PageJson templates = PageJson::object(), guides = PageJson::object();
  for (const auto& word : template_words) templates[word.word] = described(parameters_of(word.value));
  for (const auto& word : guide_words) guides[word.word] = described(parameters_of(word.value));
  return {{"templates", templates}, {"guides", guides}};
}

}  // namespace sinew::studio
