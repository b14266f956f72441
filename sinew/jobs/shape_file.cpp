#include "sinew/jobs/shape_file.h"

#include <algorithm>
#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/shape/displacement_size.h"
#include "sinew/shape/edit_shapes.h"
#include "sinew/shape/presets.h"
#include "sinew/shape/shape_rig_json.h"

namespace sinew {
namespace {

constexpr int sample_digits = 4;

std::string number(double value) { return short_number(value, sample_digits); }

TemplateKind template_from(const std::string& name) {
  for (const Word<TemplateKind>& known : template_words)
    if (known.word == name) return known.value;
  throw usage_error("--template: " + no_such_word(words_of(template_words), name));
}

// The value of a parameter in a sample.
double value_in(const std::pair<std::string, std::vector<double>>& given, std::size_t sample, std::size_t samples) {
  if (given.second.size() != 1 && given.second.size() != samples)
    throw usage_error("--set " + given.first + ": give one value, or one for each of the " + std::to_string(samples) +
                      " samples.");
  return given.second.size() == 1 ? given.second[0] : given.second[sample];
}

ShapeRig template_rig(const AddShapeJob& job) {
  ShapeRig rig;
  rig.name = job.name;
  if (job.name.empty()) throw usage_error("--name: give the rig a name.");
  rig.kind = template_from(job.kind);
  if (!has_guide(rig.kind))
    throw usage_error("--template " + job.kind +
                      ": dabs of paint and forces on the skin are written into the file of rigs; see "
                      "docs/shape_control.md.");
  if (!job.guide) throw usage_error("--guide: say where the template is: bone:NAME, skin:X,Y,Z or free.");
  rig.guide = *job.guide;
  rig.by_displacement = job.by_displacement;
  if (job.balance != 0 && !balance_parameter.range.holds(job.balance))
    throw usage_error("--balance: must be 0, or within " + range_text(balance_parameter.range) + ".");
  rig.balance = job.balance;
  rig.controls = job.controls;
  if (rig.controls.empty()) throw usage_error("--control: name the joint or control that drives the rig.");
  const auto wrong = [&](const std::vector<double>& values) {
    return !values.empty() && values.size() != job.at.size();
  };
  const bool nothing = job.amplitudes.empty() && job.strains.empty() && job.stiffnesses.empty();
  if (job.at.empty() || nothing || wrong(job.amplitudes) || wrong(job.strains) || wrong(job.stiffnesses))
    throw usage_error(
        "--at: give samples, each a value of the control and what the rig does there: --at 0 --displacement 0 "
        "--at 90 --displacement 0.02.");
  const std::vector<ShapeParameter> rows = parameters_of(rig);
  for (std::size_t k = 0; k < job.at.size(); ++k) {
    if (job.at[k].size() != rig.controls.size())
      throw usage_error("--at: give a value for each of the " + std::to_string(rig.controls.size()) +
                        " controls, as 0,90.");
    ShapeSample sample{job.at[k], usual_parameters(rig)};
    if (!job.amplitudes.empty()) sample.eta[amplitude_parameter] = job.amplitudes[k];
    if (!job.strains.empty()) sample.strain = job.strains[k];
    if (!job.stiffnesses.empty()) sample.stiffness = job.stiffnesses[k];
    for (const auto& given : job.parameters) {
      const std::size_t row = find_parameter(rows, given.first);
      std::vector<const char*> names;
      for (const ShapeParameter& each : rows) names.push_back(each.name);
      if (row == rows.size() || row == amplitude_parameter)
        throw usage_error("--set: " + no_such_word({names.begin() + 1, names.end()}, given.first));
      sample.eta[row] = value_in(given, k, job.at.size());
    }
    rig.samples.push_back(std::move(sample));
  }
  return rig;
}

std::vector<ShapeRig> sized_preset(ShapeWork& work, const ShapePreset& preset, const AddShapeJob& job) {
  return sized_together(
      preset_rigs(preset, job.name.empty() ? preset.name : job.name, job.guide, job.controls, work.surface()),
      work.surface(), *work.body);
}

std::string described(const ShapeRig& rig) {
  const auto kind = std::find_if(std::begin(template_words), std::end(template_words),
                                 [&](const auto& word) { return word.value == rig.kind; });
  std::string text = rig.name + ": " + kind->word;
  if (has_guide(rig.kind))
    text += rig.guide.kind == GuideKind::bone   ? " on bone " + rig.guide.bone
            : rig.guide.kind == GuideKind::skin ? " on the skin"
                                                : " in space";
  text += ", by " + listed(rig.controls) + ": ";
  bool first = true;
  for (const ShapeSample& sample : rig.samples) {
    if (sample.between) continue;
    text += first ? "" : ", ";
    first = false;
    for (std::size_t c = 0; c < sample.at.size(); ++c) text += (c ? "/" : "") + number(sample.at[c]);
    text += " -> " + number(sample.eta[amplitude_parameter]);
    if (sample.strain != 1) text += " (strain " + number(sample.strain) + ")";
    if (sample.stiffness != 1) text += " (" + number(sample.stiffness) + " times as stiff)";
  }
  if (rig.kind == TemplateKind::field) return text + " times its forces";
  return text + (rig.by_displacement ? " m" : rig.kind == TemplateKind::painted ? " Pa" : " N/m^3");
}

std::string described(const AbstractControl& control) {
  if (control.keys.empty())
    return "control " + control.name + ": " + number(control.value) + "; key it in the file, or hold it by --control " +
           control.name + "=1";
  return "control " + control.name + ": " + std::to_string(control.keys.size()) + " keys over " +
         number(control.keys.back()[0] - control.keys.front()[0]) + " s" + (control.loop ? ", repeated" : "");
}

}  // namespace

Guide guide_from(const std::string& text) {
  Guide guide;
  if (text == "free") return guide;
  if (text.starts_with("bone:") && text.size() > 5) {
    guide.kind = GuideKind::bone;
    guide.bone = text.substr(5);
    return guide;
  }
  int read = 0;
  if (std::sscanf(text.c_str(), "skin:%lf,%lf,%lf%n", &guide.point.x, &guide.point.y, &guide.point.z, &read) == 3 &&
      static_cast<std::size_t>(read) == text.size() && is_finite(guide.point)) {
    guide.kind = GuideKind::skin;
    return guide;
  }
  throw usage_error("--guide: '" + text + "' is none of bone:NAME, skin:X,Y,Z (metres, at rest) and free.");
}

AddedShape add_shape(const AddShapeJob& job, const Progress& progress) {
  const ShapePreset* preset = job.preset.empty() ? nullptr : &shape_preset(job.preset);
  if (!preset) template_rig(job);  // before the flesh is made
  ShapeWork work = open_work(job.input, job.rigs, job.size, job.flesh, part_of(progress, 0, 0.9));
  const std::vector<ShapeRig> rigs = preset ? sized_preset(work, *preset, job) : std::vector{template_rig(job)};
  AddedShape added{work.size, {}, {}};
  for (const ShapeRig& rig : rigs) added.lines.push_back(described(rig));
  const std::vector<AbstractControl> declared =
      add_rigs(work.file, rigs, preset && preset->breathes, work.character(), work.surface());
  for (const AbstractControl& control : declared) added.lines.push_back(described(control));
  write_work(work, job.rigs, progress);
  return added;
}

std::vector<std::string> list_shapes(const std::filesystem::path& rigs) {
  const ShapeFile file = read_shapes(rigs);
  std::vector<std::string> lines{"for " + file.character.name + ", " + number(file.character.height) + " m high"};
  for (const AbstractControl& control : file.controls) lines.push_back(described(control));
  for (const ShapeRig& rig : file.rigs) lines.push_back(described(rig));
  return lines;
}

}  // namespace sinew
