#include "sinew/shape/shape_rig_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/settings_fields.h"
#include "sinew/files/strict_json.h"
#include "sinew/shape/abstract_controls_json.h"
#include "sinew/shape/sample_weights.h"

namespace sinew {
namespace {

constexpr const char* displacement_key = "displacement";  // in place of the amplitude: metres
constexpr const char* forces_key = "forces";              // of a field: vertices of the skin and newtons
constexpr const char* reach_key = "reach";
constexpr const char* region_key = "region";  // of a field that strains or stiffens: centre and three half axes

bool changes_tissue(const ShapeSample& sample) { return sample.strain != 1 || sample.stiffness != 1; }

SettingsJson sample_json(const ShapeRig& rig, const ShapeSample& sample) {
  SettingsJson json;
  if (sample.at.size() == 1)
    json["at"] = sample.at[0];
  else
    json["at"] = sample.at;
  const std::vector<ShapeParameter> rows = parameters_of(rig);
  for (std::size_t k = 0; k < rows.size(); ++k)
    json[k == amplitude_parameter && rig.by_displacement ? displacement_key : rows[k].name] = sample.eta[k];
  for (const SkinForce& each : sample.forces)
    json[forces_key].push_back({each.vertex, each.force.x, each.force.y, each.force.z});
  if (sample.reach > 0) json[reach_key] = sample.reach;
  if (sample.strain != 1) json[strain_parameter.name] = sample.strain;
  if (sample.stiffness != 1) json[stiffness_parameter.name] = sample.stiffness;
  if (rig.kind == TemplateKind::field && changes_tissue(sample)) {
    SettingsJson& region = json[region_key];
    for (const Vec3& each : {sample.region.centre, sample.region.axes.column(0), sample.region.axes.column(1),
                             sample.region.axes.column(2)})
      for (std::size_t k = 0; k < 3; ++k) region.push_back(each[k]);
  }
  if (sample.between) json["between"] = true;
  return json;
}

template <class Value, std::size_t N>
const char* word_for(const Word<Value> (&words)[N], Value value) {
  return std::find_if(std::begin(words), std::end(words), [&](const auto& word) { return word.value == value; })->word;
}

SettingsJson json_of(const ShapeRig& rig) {
  SettingsJson json{{"name", rig.name}, {"template", word_for(template_words, rig.kind)}};
  if (rig.kind == TemplateKind::painted) {
    json["paint"] = SettingsJson::array();
    for (const PaintDab& dab : rig.paint)
      json["paint"].push_back({{"point", three_numbers(dab.point)}, {"radius", dab.radius}, {"value", dab.value}});
  } else if (has_guide(rig.kind)) {
    json["guide"] = word_for(guide_words, rig.guide.kind);
    if (rig.guide.kind == GuideKind::bone) json["bone"] = rig.guide.bone;
    if (rig.guide.kind == GuideKind::skin) json["point"] = three_numbers(rig.guide.point);
  }
  if (rig.balance > 0) json[balance_parameter.name] = rig.balance;
  if (!rig.morph.empty()) json["morph"] = rig.morph;
  json["controls"] = rig.controls;
  json["samples"] = SettingsJson::array();
  for (const ShapeSample& sample : rig.samples) json["samples"].push_back(sample_json(rig, sample));
  return json;
}

void require(SettingsFields& fields, bool found, const char* key, const char* remedy) {
  if (!found) throw fields.wrong(key, std::string("is missing; ") + remedy);
}

std::vector<double> numbers_of(SettingsFields& fields, const char* key, const SettingsJson& json) {
  std::vector<double> numbers;
  if (json.is_number()) return {json.get<double>()};
  if (!json.is_array()) throw fields.wrong(key, "must be a number, or a list of one for each control");
  for (const SettingsJson& each : json) {
    if (!each.is_number()) throw fields.wrong(key, "must be numbers");
    numbers.push_back(each.get<double>());
  }
  return numbers;
}

// In the order of vertices, each of them once.
std::vector<SkinForce> forces_from(SettingsFields& fields) {
  std::vector<SkinForce> forces;
  const SettingsJson* json = fields.take(forces_key);
  if (!json) return forces;
  if (!json->is_array()) throw fields.wrong(forces_key, "must be a list of [vertex, x, y, z]");
  for (const SettingsJson& each : *json) {
    const std::vector<double> numbers = numbers_of(fields, forces_key, each);
    if (numbers.size() != 4) throw fields.wrong(forces_key, "must be a list of [vertex, x, y, z]");
    const int after = forces.empty() ? -1 : forces.back().vertex;
    if (!(numbers[0] > after && numbers[0] <= std::numeric_limits<int>::max()) || numbers[0] != std::floor(numbers[0]))
      throw fields.wrong(forces_key, "must name vertices by their numbers, ascending and each of them once");
    forces.push_back({static_cast<int>(numbers[0]), {numbers[1], numbers[2], numbers[3]}});
  }
  return forces;
}

TissueRegion region_from(SettingsFields& fields) {
  const SettingsJson* json = fields.take(region_key);
  require(fields, json, region_key, "say where flesh is strained or stiffened, by a centre and three half axes");
  const std::vector<double> n = numbers_of(fields, region_key, *json);
  if (n.size() != 12) throw fields.wrong(region_key, "must be 12 numbers, a centre and three half axes, in metres");
  const auto vector = [&](std::size_t k) { return Vec3{n[k], n[k + 1], n[k + 2]}; };
  const TissueRegion region{vector(0), Mat3::from_columns(vector(3), vector(6), vector(9))};
  if (!(std::abs(determinant(region.axes)) > 0)) throw fields.wrong(region_key, "has half axes in one plane");
  return region;
}

ShapeSample sample_from(SettingsFields& fields, ShapeRig& rig, std::size_t number) {
  ShapeSample sample{{}, usual_parameters(rig)};
  const bool is_field = rig.kind == TemplateKind::field;
  if (is_field) {
    sample.forces = forces_from(fields);
    if (fields.read(reach_key, sample.reach) && !(sample.reach > 0))
      throw fields.wrong(reach_key, "must be positive, in metres");
    fields.read("between", sample.between);
  }
  const SettingsJson* at = fields.take("at");
  require(fields, at, "at", "say at which value of the control the sample is");
  sample.at = numbers_of(fields, "at", *at);
  if (sample.at.size() != rig.controls.size())
    throw fields.wrong("at",
                       "must have a number for each of the rig's " + std::to_string(rig.controls.size()) + " controls");
  const std::vector<ShapeParameter> rows = parameters_of(rig);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double& value = sample.eta[k];
    bool given = fields.read(rows[k].name, value);
    if (k == amplitude_parameter && !is_field) {
      const bool by_displacement = fields.read(displacement_key, value);
      if (given == by_displacement || (number > 0 && by_displacement != rig.by_displacement))
        throw fields.wrong(rows[k].name, "or 'displacement' must be given, the same one in all samples of a rig");
      rig.by_displacement = by_displacement;
      given = true;
    }
    if (given && !rows[k].range.holds(value))
      throw fields.wrong(rows[k].name, "is out of its range: " + range_text(rows[k].range));
  }
  const auto read_tissue = [&](const ShapeParameter& row, double& value) {
    if (rig.kind != TemplateKind::painted && fields.read(row.name, value) && !row.range.holds(value))
      throw fields.wrong(row.name, "is out of its range: " + range_text(row.range));
  };
  read_tissue(strain_parameter, sample.strain);
  read_tissue(stiffness_parameter, sample.stiffness);
  if (is_field && changes_tissue(sample)) sample.region = region_from(fields);
  if (const std::string complaint = contradiction(rig.kind, sample.eta); !complaint.empty())
    throw fields.wrong("", "cannot be: " + complaint);
  return sample;
}

void read_guide(SettingsFields& fields, ShapeRig& rig) {
  const auto guide = fields.word("guide", words_of(guide_words));
  require(fields, guide.has_value(), "guide", "use bone, skin or free");
  rig.guide.kind = guide_words[*guide].value;
  if (rig.guide.kind == GuideKind::bone)
    require(fields, fields.read("bone", rig.guide.bone), "bone", "name the bone that the guide is on");
  if (rig.guide.kind == GuideKind::skin)
    require(fields, fields.read("point", rig.guide.point), "point", "give a point near the skin, metres at rest");
}

void read_paint(SettingsFields& fields, ShapeRig& rig) {
  const bool found = fields.list("paint", [&](SettingsFields& item) {
    PaintDab dab;
    require(item, item.read("point", dab.point), "point", "give a point near the skin, metres at rest");
    require(item, item.read("radius", dab.radius), "radius", "say how far the dab reaches, in metres");
    if (!(dab.radius > 0)) throw item.wrong("radius", "must be positive, in metres");
    item.read("value", dab.value);
    rig.paint.push_back(dab);
  });
  require(fields, found && !rig.paint.empty(), "paint", "list the dabs of paint that push the skin");
}

ShapeRig rig_from(SettingsFields& fields) {
  ShapeRig rig;
  fields.take("comment");
  require(fields, fields.read("name", rig.name) && !rig.name.empty(), "name", "give the rig a name");
  const auto kind = fields.word("template", words_of(template_words));
  require(fields, kind.has_value(), "template", "use bump, bulge, radial, torus, painted or field");
  rig.kind = template_words[*kind].value;
  if (rig.kind == TemplateKind::painted) read_paint(fields, rig);
  if (has_guide(rig.kind)) {
    read_guide(fields, rig);
    if (fields.read(balance_parameter.name, rig.balance) && !balance_parameter.range.holds(rig.balance))
      throw fields.wrong(balance_parameter.name, "is out of its range: " + range_text(balance_parameter.range));
  }
  fields.read("morph", rig.morph);
  const bool controlled = fields.read("controls", rig.controls) && !rig.controls.empty();
  require(fields, controlled, "controls", "name the control that drives the rig");
  fields.list("samples",
              [&](SettingsFields& item) { rig.samples.push_back(sample_from(item, rig, rig.samples.size())); });
  require(fields, !rig.samples.empty(), "samples", "give at least one sample");
  std::vector<std::vector<double>> at;
  for (const ShapeSample& sample : rig.samples) at.push_back(sample.at);
  try {
    SampleWeights weights(std::move(at));
  } catch (const Error&) {
    throw fields.wrong("samples", "has two at the same value of the control; leave one out");
  }
  if (rig.controls.size() == 1)
    std::sort(rig.samples.begin(), rig.samples.end(),
              [](const ShapeSample& a, const ShapeSample& b) { return a.at[0] < b.at[0]; });
  return rig;
}

void read_character(SettingsFields& fields, const SettingsJson& json, const std::string& file,
                    ShapedCharacter& character) {
  SettingsFields of(json, file, "character: ");
  const bool complete =
      of.read("name", character.name) && of.read("height", character.height) && of.read("bones", character.bones);
  if (!complete) throw fields.wrong("character", "must have name, height and bones, as `sinew shape add` writes them");
  of.finish();
}

void refuse_same_names(const ShapeFile& shapes) {
  std::set<std::string> rigs;
  for (const ShapeRig& rig : shapes.rigs)
    if (!rigs.insert(rig.name).second)
      throw input_error(shapes.file + ": two rigs are called '" + rig.name + "'; rename one of them.");
}

}  // namespace

std::string shape_json(const ShapeFile& file) {
  SettingsJson json{{"version", 1}};
  json["character"] = {
      {"name", file.character.name}, {"height", file.character.height}, {"bones", file.character.bones}};
  json["controls"] = controls_json(file.controls);
  json["rigs"] = SettingsJson::array();
  for (const ShapeRig& rig : file.rigs) json["rigs"].push_back(json_of(rig));
  return with_lists_on_lines(json.dump(2, ' ', false, SettingsJson::error_handler_t::replace)) + "\n";
}

ShapeFile shape_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_strict_json(text, file, "correct the line");
  SettingsFields fields(json, file, "");
  fields.take("$schema");
  fields.take("comment");
  ShapeFile shapes;
  shapes.file = file;
  int version = 0;
  fields.read("version", version);
  if (version != 1)
    throw input_error(file + ": is no file of force rigs of this version of Sinew; \"version\" must be 1.");
  const SettingsJson* character = fields.take("character");
  require(fields, character, "character", "`sinew shape add` writes it");
  read_character(fields, *character, file, shapes.character);
  shapes.controls = take_controls(fields, file);
  fields.list("rigs", [&](SettingsFields& item) { shapes.rigs.push_back(rig_from(item)); });
  fields.finish();
  refuse_same_names(shapes);
  return shapes;
}

ShapeFile read_shapes(const std::filesystem::path& path) {
  return shape_from_json(read_text_file(path), path.string());
}

ShapeFile shapes_of_setting(const std::string& setting) {
  return setting.starts_with('{') ? shape_from_json(setting, "shapes") : read_shapes(setting);
}

std::string rig_json(const ShapeRig& rig) {
  return json_of(rig).dump(-1, ' ', false, SettingsJson::error_handler_t::replace);
}

ShapeRig rig_from_json(std::string_view text, const std::string& file) {
  const SettingsJson json = parse_strict_json(text, file, "correct the line");
  SettingsFields fields(json, file, "");
  ShapeRig rig = rig_from(fields);
  fields.finish();
  return rig;
}

}  // namespace sinew
