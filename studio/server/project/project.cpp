#include "studio/server/project/project.h"

#include "sinew/base/error.h"
#include "sinew/files/strict_json.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/project/project_parts.h"

namespace sinew::studio {
namespace {

constexpr int version = 1;
constexpr std::size_t most_takes = 1000;
constexpr const char* remedy = "repair it, or move it away to begin a new project";

}  // namespace

bool cook_alike(const Project& a, const Project& b) {
  const auto settings_of = [](const Project& project) {
    const auto settings = project.settings.find(project.method);
    return settings == project.settings.end() ? std::string() : settings->second;
  };
  return a.method == b.method && settings_of(a) == settings_of(b) && a.paint == b.paint && a.motions == b.motions &&
         a.motion_map == b.motion_map;
}

void leave_out_motions(const std::vector<std::string>& texts, Project& project) {
  const auto is_left_out = [&](const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  std::erase_if(project.motions, is_left_out);
  if (is_left_out(project.motion_map)) project.motion_map.clear();
}

std::string model_in(const Project& project) {
  const auto settings = project.settings.find(project.method);
  return settings == project.settings.end() ? "" : model_of(settings->second);
}

std::string project_json(const Project& project, const std::string& character) {
  PageJson json{{"sinew studio project", version}, {"character", character}, {"method", project.method}};
  json["settings"] = PageJson::object();
  for (const auto& [method, settings] : project.settings) json["settings"][method] = PageJson::parse(settings);
  json["paint"] = PageJson::object();
  for (const auto& [channel, layer] : project.paint)
    json["paint"][channel] = PageJson{{"vertices", layer.size()}, {"values", base64(layer.values())}};
  json["pose"] = pose_json(project.pose);
  if (!project.kept_poses.empty()) json["kept_poses"] = kept_poses_json(project.kept_poses);
  json["takes"] = PageJson::array();
  for (const auto& take : project.takes) json["takes"].push_back(take_part_json(*take));
  put_motions(project, json);
  return json.dump(1, '\t', false, PageJson::error_handler_t::replace) + "\n";
}

Project project_from_json(std::string_view text, const std::string& name) {
  const StudioFile file{name, remedy};
  const PageJson json = parse_strict_json(text, name, remedy);
  if (!json.is_object() || !json.contains("sinew studio project"))
    throw file.damaged("is not a project of Sinew's studio");
  if (json["sinew studio project"] != version) throw file.damaged("was written by another version of Sinew");
  Project project;
  project.method = text_of(json, "method", file);
  for (const auto& [method, settings] : object_of(json, "settings", file).items())
    project.settings[method] = settings_from_json(settings, file);
  adopt_old_model(json, project, file);
  for (const auto& [channel, layer] : object_of(json, "paint", file).items()) {
    check_paint_channel(channel, file);
    project.paint[channel] = PaintLayer(paint_from_text(text_of(layer, "values", file), file));
  }
  project.pose = pose_from_json(object_of(json, "pose", file), file);
  project.kept_poses = kept_poses_from_json(object_of(json, "kept_poses", file), file);
  const PageJson& takes = list_of(json, "takes", file);
  if (takes.size() > most_takes) throw file.damaged("has more takes than a project can have");
  for (const PageJson& take : takes)
    project.takes.push_back(std::make_shared<const NamedTake>(take_part_from_json(take, file)));
  take_motions(json, file, project);
  return project;
}

}  // namespace sinew::studio
