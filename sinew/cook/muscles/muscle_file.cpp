#include "sinew/cook/muscles/muscle_file.h"

#include <array>
#include <set>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/settings_fields.h"
#include "sinew/files/strict_json.h"
#include "sinew/shape/abstract_controls_json.h"

namespace sinew {
namespace {

constexpr std::size_t most_muscles = 1000;

void require_key(const SettingsFields& fields, bool found, const char* key, const char* remedy) {
  if (!found) throw fields.wrong(key, std::string("is missing; ") + remedy);
}

void require_positive(const SettingsFields& fields, const char* key, double value) {
  if (!(value > 0)) throw fields.wrong(key, "must be positive");
}

// A place, as a list of three numbers, out of a list.
Vec3 place_from(const SettingsJson& json, const std::string& file, const std::string& where) {
  const SettingsJson place{{"place", json}};
  SettingsFields of(place, file, where);
  Vec3 at;
  of.read("place", at);
  return at;
}

bool is_closed_and_outward(const TriangleMesh& mesh) {
  std::set<std::array<int, 2>> directed;
  double volume = 0;
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k)
      if (!directed.insert({t[k], t[(k + 1) % 3]}).second) return false;
    const auto corner = [&](std::size_t k) { return mesh.positions[static_cast<std::size_t>(t[k])]; };
    volume += dot(corner(0), cross(corner(1), corner(2))) / 6;
  }
  for (const auto& [from, to] : directed)
    if (!directed.contains({to, from})) return false;
  return volume > 0;
}

TriangleMesh mesh_from(SettingsFields& fields, const SettingsJson& json, const std::string& file,
                       const std::string& where) {
  SettingsFields of(json, file, where + "mesh: ");
  const SettingsJson *positions = of.take("positions"), *triangles = of.take("triangles");
  if (!positions || !positions->is_array() || !triangles || !triangles->is_array() || triangles->empty())
    throw fields.wrong("mesh", "must have positions, a list of [x, y, z], and triangles, a list of [a, b, c]");
  TriangleMesh mesh;
  for (const SettingsJson& each : *positions) mesh.positions.push_back(place_from(each, file, where + "mesh: "));
  for (const SettingsJson& each : *triangles) {
    Triangle corners{};
    const bool three = each.is_array() && each.size() == 3;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!three || !each[k].is_number_integer() || each[k].get<double>() < 0 ||
          each[k].get<double>() >= static_cast<double>(mesh.positions.size()))
        throw fields.wrong("mesh", "has a triangle that does not name three of its positions, counted from 0");
      corners[k] = each[k].get<int>();
    }
    mesh.triangles.push_back(corners);
  }
  of.finish();
  if (!is_closed_and_outward(mesh))
    throw fields.wrong("mesh",
                       "must be a closed surface: each edge with one triangle on either side, their corners in order "
                       "counter-clockwise as seen from outside");
  return mesh;
}

MuscleEnd end_from(SettingsFields& fields, const char* key, const std::string& file, const std::string& where) {
  const SettingsJson* json = fields.take(key);
  require_key(fields, json, key, "give its joint and its place, in metres at rest");
  SettingsFields of(*json, file, where + key + ": ");
  MuscleEnd end;
  require_key(of, of.read("joint", end.joint) && !end.joint.empty(), "joint", "name the joint that the muscle is on");
  require_key(of, of.read("place", end.place), "place", "give a place inside the flesh, metres at rest");
  of.finish();
  return end;
}

MuscleActivation activation_from(const SettingsFields& fields, const SettingsJson& json, const std::string& file,
                                 const std::string& where) {
  MuscleActivation activation;
  if (json.is_number()) {
    activation.source = ActivationSource::constant;
    activation.value = json.get<double>();
    if (!(activation.value >= 0 && activation.value <= 1)) throw fields.wrong("activation", "must be from 0 to 1");
    return activation;
  }
  if (!json.is_object())
    throw fields.wrong("activation",
                       "must be a number from 0 to 1, or say from which value of the turn or of a "
                       "control to which one it rises");
  SettingsFields of(json, file, where + "activation: ");
  if (of.read("control", activation.control)) {
    activation.source = ActivationSource::control;
    activation.from = 0, activation.to = 1;
  }
  of.read("from", activation.from);
  of.read("to", activation.to);
  if (activation.from == activation.to) throw of.wrong("to", "must differ from 'from'");
  of.finish();
  return activation;
}

Muscle muscle_from(SettingsFields& fields, const std::string& file, std::size_t number) {
  Muscle muscle;
  require_key(fields, fields.read("name", muscle.name) && !muscle.name.empty(), "name", "give the muscle a name");
  if (muscle.name.find_first_of("*?") != std::string::npos)
    throw fields.wrong("name", "must be without * and ?, by which activations name several muscles");
  const std::string where = "muscles[" + std::to_string(number) + "] '" + muscle.name + "': ";
  muscle.origin = end_from(fields, "origin", file, where);
  muscle.insertion = end_from(fields, "insertion", file, where);
  if (const SettingsJson* path = fields.take("path")) {
    if (!path->is_array()) throw fields.wrong("path", "must be a list of places [x, y, z]");
    for (const SettingsJson& each : *path) muscle.path.push_back(place_from(each, file, where + "path: "));
  }
  const SettingsJson* mesh = fields.take("mesh");
  if (mesh) muscle.mesh = mesh_from(fields, *mesh, file, where);
  if (fields.read("radius", muscle.radius) == (mesh != nullptr))
    throw fields.wrong("radius", "of its middle, in metres, or a 'mesh' must be given, one of them");
  if (!mesh) require_positive(fields, "radius", muscle.radius);
  fields.read("stress", muscle.stress);
  if (muscle.stress && !(*muscle.stress >= 0)) throw fields.wrong("stress", "must not be negative");
  fields.read("optimal_length", muscle.optimal_length);
  require_positive(fields, "optimal_length", muscle.optimal_length);
  fields.read("stiffness", muscle.stiffness);
  require_positive(fields, "stiffness", muscle.stiffness);
  if (const SettingsJson* json = fields.take("activation"))
    muscle.activation = activation_from(fields, *json, file, where);
  return muscle;
}

SettingsJson activation_json(const MuscleActivation& activation) {
  if (activation.source == ActivationSource::constant) return activation.value;
  SettingsJson json;
  if (activation.source == ActivationSource::control) json["control"] = activation.control;
  json["from"] = activation.from;
  json["to"] = activation.to;
  return json;
}

SettingsJson end_json(const MuscleEnd& end) { return {{"joint", end.joint}, {"place", three_numbers(end.place)}}; }

void check_version(SettingsFields& fields, const std::string& file, const char* what) {
  fields.take("$schema");
  fields.take("comment");
  int version = 0;
  fields.read("version", version);
  if (version != 1)
    throw input_error(file + ": is no file of " + what + " of this version of Sinew; \"version\" must be 1.");
}

}  // namespace

std::string muscles_json(const MuscleFile& file) {
  SettingsJson json{{"version", 1}, {"muscles", SettingsJson::array()}};
  for (const Muscle& muscle : file.muscles) {
    SettingsJson item{
        {"name", muscle.name}, {"origin", end_json(muscle.origin)}, {"insertion", end_json(muscle.insertion)}};
    for (const Vec3& place : muscle.path) item["path"].push_back(three_numbers(place));
    if (muscle.mesh.triangles.empty()) {
      item["radius"] = muscle.radius;
    } else {
      for (const Vec3& x : muscle.mesh.positions) item["mesh"]["positions"].push_back(three_numbers(x));
      item["mesh"]["triangles"] = muscle.mesh.triangles;
    }
    if (muscle.stress) item["stress"] = *muscle.stress;
    if (muscle.optimal_length != 1) item["optimal_length"] = muscle.optimal_length;
    if (muscle.stiffness != 1) item["stiffness"] = muscle.stiffness;
    item["activation"] = activation_json(muscle.activation);
    json["muscles"].push_back(std::move(item));
  }
  return json.dump(2, ' ', false, SettingsJson::error_handler_t::replace) + "\n";
}

MuscleFile muscles_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_strict_json(text, file, "correct the line");
  SettingsFields fields(json, file, "");
  check_version(fields, file, "muscles");
  MuscleFile result{file, {}, {}};
  const SettingsJson* list = fields.take("muscles");
  if (list && list->size() > most_muscles) throw fields.wrong("muscles", "has more than a thousand muscles");
  std::set<std::string> names;
  const bool found = fields.list("muscles", [&](SettingsFields& item) {
    result.muscles.push_back(muscle_from(item, file, result.muscles.size()));
    if (!names.insert(result.muscles.back().name).second)
      throw input_error(file + ": two muscles are called '" + result.muscles.back().name + "'; rename one of them.");
  });
  require_key(fields, found && !result.muscles.empty(), "muscles", "list the muscles");
  fields.finish();
  return result;
}

MuscleFile muscles_of_setting(const std::string& setting) {
  return setting.starts_with('{') ? muscles_from_json(setting, "muscles")
                                  : muscles_from_json(read_text_file(setting), setting);
}

std::string activation_json(const ActivationFile& file) {
  SettingsJson json{{"version", 1}};
  if (!file.clip.empty()) json["clip"] = file.clip;
  json["controls"] = controls_json(file.controls);
  json["muscles"] = SettingsJson::array();
  for (const NamedActivation& named : file.activations)
    json["muscles"].push_back({{"name", named.muscles}, {"activation", activation_json(named.activation)}});
  return with_lists_on_lines(json.dump(2, ' ', false, SettingsJson::error_handler_t::replace)) + "\n";
}

ActivationFile activation_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_strict_json(text, file, "correct the line");
  SettingsFields fields(json, file, "");
  check_version(fields, file, "the activation of muscles");
  ActivationFile result{file, {}, {}, {}};
  fields.read("clip", result.clip);
  result.controls = take_controls(fields, file);
  fields.list("muscles", [&](SettingsFields& item) {
    NamedActivation named;
    require_key(item, item.read("name", named.muscles) && !named.muscles.empty(), "name",
                "name the muscle, or several by a pattern with * and ?");
    const SettingsJson* activation = item.take("activation");
    require_key(item, activation, "activation", "say what activates it");
    named.activation =
        activation_from(item, *activation, file, "muscles[" + std::to_string(result.activations.size()) + "]: ");
    result.activations.push_back(std::move(named));
  });
  fields.finish();
  return result;
}

ActivationFile activation_of_setting(const std::string& setting) {
  if (setting.empty()) return {};
  return setting.starts_with('{') ? activation_from_json(setting, "activation")
                                  : activation_from_json(read_text_file(setting), setting);
}

}  // namespace sinew
