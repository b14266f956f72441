#include "sinew/files/rig_file.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/files/settings_fields.h"
#include "sinew/files/strict_json.h"
#include "sinew/rig/outside/pipe_rig.h"
#include "sinew/rig/wire_deformer.h"

namespace sinew {
namespace {

// One object of the file; its keys are known.
struct RigFields : SettingsFields {
  const SettingsJson& json;

  RigFields(const SettingsJson& object, const std::string& file, const std::string& place,
            std::initializer_list<const char*> keys)
      : SettingsFields(object, file, place.empty() ? place : place + ": "), json(object), file_name(file), path(place) {
    std::string known;
    for (const char* key : keys) known += std::string(known.empty() ? "" : ", ") + key;
    for (const auto& [key, value] : object.items())
      if (std::none_of(keys.begin(), keys.end(), [&, name = key](const char* k) { return name == k; }))
        throw wrong(key, "is not known here; there are " + known);
  }
  const SettingsJson& need(const char* key, const std::string& what) {
    const SettingsJson* found = take(key);
    if (!found) throw wrong(key, "is missing; give " + what);
    return *found;
  }
  std::string below(const std::string& key) const { return path.empty() ? key : path + "." + key; }

  std::string file_name, path;
};

std::vector<std::string> texts(RigFields& fields, const char* key, const std::string& what) {
  const SettingsJson& list = fields.need(key, what);
  std::vector<std::string> result;
  if (list.is_array())
    for (const SettingsJson& item : list)
      if (item.is_string()) result.push_back(item.get<std::string>());
  if (!list.is_array() || result.size() != list.size()) throw fields.wrong(key, "must be a list of " + what);
  return result;
}

Vec3 vector_from(RigFields& fields, const char* key, const SettingsJson& json, const std::string& what) {
  Vec3 v;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!json.is_array() || json.size() != 3 || !json[k].is_number()) throw fields.wrong(key, "must be " + what);
    v[k] = json[k].get<double>();
  }
  return v;
}

std::array<int, 3> counts_from(RigFields& fields, const char* key, const SettingsJson& json, const std::string& what) {
  std::array<int, 3> v{};
  for (std::size_t k = 0; k < 3; ++k) {
    const bool good =
        json.is_array() && json.size() == 3 && json[k].is_number_integer() && std::fabs(json[k].get<double>()) < 1e6;
    if (!good) throw fields.wrong(key, "must be " + what);
    v[k] = json[k].get<int>();
  }
  return v;
}

RigFileWires::Wire wire_from(RigFields& fields) {
  RigFileWires::Wire wire;
  wire.controls = texts(fields, "controls", "names of nodes, along the curve");
  fields.need("radius", "metres");
  fields.read("radius", wire.radius);
  return wire;
}

RigFileLattice lattice_from(RigFields& fields) {
  RigFileLattice lattice;
  const std::string corners = "two corners of three numbers, the lower and the upper, in metres of the world";
  if (const SettingsJson* box = fields.take("box")) {
    if (fields.json.contains("origin") || fields.json.contains("axes"))
      throw fields.wrong("box", "is one way to say where the lattice is, \"origin\" and \"axes\" another; give one");
    if (!box->is_array() || box->size() != 2) throw fields.wrong("box", "must be " + corners);
    const Vec3 lower = vector_from(fields, "box", (*box)[0], corners),
               upper = vector_from(fields, "box", (*box)[1], corners);
    const Vec3 size = upper - lower;
    lattice.box.origin = lower;
    lattice.box.axes = {{{size.x, 0, 0}, {0, size.y, 0}, {0, 0, size.z}}};
  } else {
    const std::string edges = "three edges of three numbers, in metres of the world";
    lattice.box.origin = vector_from(fields, "origin", fields.need("origin", "a corner of the lattice, or its \"box\""),
                                     "three numbers");
    const SettingsJson& axes = fields.need("axes", edges);
    if (!axes.is_array() || axes.size() != 3) throw fields.wrong("axes", "must be " + edges);
    for (std::size_t k = 0; k < 3; ++k) lattice.box.axes[k] = vector_from(fields, "axes", axes[k], edges);
  }
  if (const SettingsJson* degrees = fields.take("degrees"))
    lattice.box.degrees = counts_from(fields, "degrees", *degrees, "three whole numbers");
  const SettingsJson& controls = fields.need("controls", "the nodes that are control points");
  if (!controls.is_array()) throw fields.wrong("controls", "must be a list of nodes");
  for (std::size_t i = 0; i < controls.size(); ++i) {
    if (controls[i].is_string()) {
      lattice.controls.push_back({controls[i].get<std::string>(), {}});
      continue;
    }
    RigFields item(controls[i], fields.file_name, fields.below("controls[" + std::to_string(i) + "]"),
                   {"node", "index"});
    RigFileLattice::Control control;
    item.need("node", "its name");
    if (!item.read("node", control.node)) throw item.wrong("node", "must be a name");
    control.point = counts_from(item, "index", item.need("index", "three whole numbers"), "three whole numbers");
    lattice.controls.push_back(control);
  }
  return lattice;
}

void read_layer(const SettingsJson& json, const std::string& place, RigFile& rig) {
  RigFields layer(json, rig.file, place, {"wire", "wires", "lattice"});
  if (json.size() != 1) throw layer.wrong("", "must have one key: wire, wires or lattice");
  const std::string kind = json.begin().key(), inside = layer.below(kind);
  const SettingsJson& value = json.begin().value();
  if (kind == "lattice") {
    RigFields fields(value, rig.file, inside, {"box", "origin", "axes", "degrees", "controls"});
    rig.layers.emplace_back(lattice_from(fields));
    return;
  }
  RigFileWires wires;
  if (kind == "wire") {
    RigFields fields(value, rig.file, inside, {"controls", "radius"});
    wires.wires.push_back(wire_from(fields));
  } else {
    RigFields fields(value, rig.file, inside, {"curves", "blend"});
    fields.read("blend", wires.blend);
    const SettingsJson& curves = fields.need("curves", "a list of wires");
    if (!curves.is_array() || curves.empty()) throw fields.wrong("curves", "must be a list of wires");
    for (std::size_t i = 0; i < curves.size(); ++i) {
      RigFields curve(curves[i], rig.file, inside + ".curves[" + std::to_string(i) + "]", {"controls", "radius"});
      wires.wires.push_back(wire_from(curve));
    }
  }
  rig.layers.emplace_back(std::move(wires));
}

int node_named(const RigFile& file, const std::string& place, const Skeleton& skeleton, const std::string& name) {
  int found = -1;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    if (skeleton.joints[j].name != name) continue;
    if (found >= 0)
      throw input_error(file.file + ": " + place + ": the character has two nodes named '" + name +
                        "'; give the control point a name of its own.");
    found = static_cast<int>(j);
  }
  if (found < 0)
    throw input_error(file.file + ": " + place + ": the character has no node named '" + name +
                      "'; `sinew info` lists those that there are.");
  return found;
}

}  // namespace

RigFile rig_file_from_json(std::string_view text, const std::filesystem::path& file) {
  RigFile rig;
  rig.file = file.string();
  rig.folder = file.parent_path();
  const SettingsJson json = parse_strict_json(text, rig.file, "docs/rigs.md shows how a rig is written");
  RigFields fields(json, rig.file, "", {"layers", "command", "timeout", "$schema"});
  if (json.contains("command")) {
    if (json.contains("layers"))
      throw fields.wrong("command",
                         "makes a program the rig, and \"layers\" go on a character's own; give one of them");
    rig.command = texts(fields, "command", "a program and its arguments");
    if (rig.command.empty() || rig.command[0].empty())
      throw fields.wrong("command", "must begin with the name of a program");
    fields.read("timeout", rig.timeout);
    if (!(rig.timeout > 0)) throw fields.wrong("timeout", "must be a positive number of seconds");
    return rig;
  }
  const SettingsJson& layers = fields.need("layers", "a list of layers, or \"command\"");
  if (!layers.is_array()) throw fields.wrong("layers", "must be a list");
  if (json.contains("timeout")) throw fields.wrong("timeout", "is for a \"command\"; remove it");
  for (std::size_t i = 0; i < layers.size(); ++i) read_layer(layers[i], "layers[" + std::to_string(i) + "]", rig);
  return rig;
}

RigFile read_rig_file(const std::filesystem::path& file) { return rig_file_from_json(read_text_file(file), file); }

void add_layers(const RigFile& file, CharacterRig& rig) {
  const Pose rest = sample(rig.skeleton(), nullptr, 0);
  for (std::size_t i = 0; i < file.layers.size(); ++i) {
    const std::string place = "layers[" + std::to_string(i) + "]", name = file.file + ": " + place;
    if (const auto* settings = std::get_if<RigFileWires>(&file.layers[i])) {
      std::vector<Wire> wires;
      for (const RigFileWires::Wire& from : settings->wires) {
        Wire wire;
        wire.radius = from.radius;
        for (const std::string& node : from.controls)
          wire.controls.push_back(node_named(file, place, rig.skeleton(), node));
        wires.push_back(std::move(wire));
      }
      rig.add_layer(std::make_unique<WireLayer>(name, std::move(wires), settings->blend));
      continue;
    }
    const auto& settings = std::get<RigFileLattice>(file.layers[i]);
    std::vector<LatticeControl> controls;
    for (const RigFileLattice::Control& from : settings.controls) {
      LatticeControl control;
      control.node = node_named(file, place, rig.skeleton(), from.node);
      if (from.point) {
        control.point = *from.point;
      } else {
        const Vec3 at =
            lattice_coordinates(settings.box, rest.world[index(control.node)].translation * rig.metres_per_unit());
        for (std::size_t k = 0; k < 3; ++k) {
          const double nearest = std::round(at[k] * settings.box.degrees[k]);
          // RigLayer itself refuses values that are not numbers, as in a flat box.
          control.point[k] =
              std::isfinite(nearest)
                  ? static_cast<int>(std::clamp(nearest, 0.0, static_cast<double>(settings.box.degrees[k])))
                  : 0;
        }
      }
      controls.push_back(control);
    }
    rig.add_layer(std::make_unique<LatticeLayer>(name, settings.box, std::move(controls)));
  }
}

MadeRig make_rig(const RigFile* file, const Character& character, const SimulationSurface& surface,
                 std::span<const int> vertices) {
  if (file && !file->command.empty()) {
    PipeRigOptions options;
    options.folder = file->folder;
    options.timeout = file->timeout;
    options.start_timeout = std::max(options.start_timeout, file->timeout);
    return {
        std::make_shared<PipeRig>(file->command, character.file, file_vertices(character, surface, vertices), options),
        nullptr};
  }
  auto rig = std::make_shared<CharacterRig>(character, surface, vertices);
  if (file) add_layers(*file, *rig);
  return {rig, rig};
}

}  // namespace sinew
