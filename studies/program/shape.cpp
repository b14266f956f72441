// sinew-study shape: experiments with force rigs (docs/shape_control.md).
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "sinew/base/printable.h"
#include "sinew/jobs/open_character.h"
#include "studies/program/session.h"
#include "studies/program/study.h"
#include "studies/program/verbs.h"
#include "studies/shape/tables.h"

namespace sinew::study {
namespace {

constexpr int usual_tetrahedra = 8000, tetrahedra_of_faces = 40000;
constexpr std::size_t most_swings = 5;  // morph targets of a character
constexpr ViewDirection from_front{0.35, 0.1}, from_below{1.1, -0.15};

// FILE or FILE:JOINT, the joint of a limb that bends.
std::pair<std::string, std::string> file_and_joint(const std::string& argument) {
  std::size_t colon = argument.find(':');
  if (colon == std::string::npos || std::filesystem::exists(argument)) return {argument, ""};
  return {argument.substr(0, colon), argument.substr(colon + 1)};
}

// From the first file, whose joint is named, to the others.
void run_moved(const StudyOptions& options, StudySession& session) {
  const auto [source, joint] = file_and_joint(options.files.front());
  if (joint.empty() || options.files.size() < 2) return;
  std::vector<std::filesystem::path> targets;
  for (std::size_t k = 1; k < options.files.size(); ++k) targets.push_back(file_and_joint(options.files[k]).first);
  const std::vector<RiggedCharacter> moved = moved_rigs(source, joint, targets, usual_tetrahedra, session.progress());
  session.show(moved_rigs_table(moved));
  session.show(animated_rigs_table(moved));
  for (const RiggedCharacter& each : moved) {
    session.picture("shape_moved_" + each.name, [&] { return moved_rigs_picture(each); });
    if (!each.frames.empty())
      session.picture("shape_animated_" + each.name, [&] { return animated_rigs_picture(each); });
  }
}

void run_shape(const StudyOptions& options, StudySession& session) {
  if (chosen(options, "moved")) run_moved(options, session);
  for (const std::string& argument : options.files) {
    const auto [file, joint] = file_and_joint(argument);
    const std::string name = printable(std::filesystem::path(file).stem().string());
    const bool bends = !joint.empty() && chosen(options, "limb");
    if (bends || chosen(options, "hidden") || chosen(options, "morphs") || chosen(options, "bodies")) {
      ShapeSubject subject = shape_subject(open_character(file).character, name, usual_tetrahedra, session.progress());
      if (bends) {
        const BentLimb limb = bent_limb_experiment(subject, joint, session.progress());
        session.show(bent_limb_table(subject, limb));
        session.picture("shape_limb_" + name, [&] { return bent_limb_picture(subject, limb); });
      }
      if (chosen(options, "hidden")) {
        const HiddenField field = hidden_field_experiment(subject, {"breathing", "biceps"}, session.progress());
        session.show(hidden_field_table(subject, field));
        session.picture("shape_hidden_" + name, [&] { return hidden_field_chart(subject, field); });
      }
      if (chosen(options, "bodies")) {
        const auto shapes = preset_experiment(subject, {"breathing", "biceps", "chest_flex"});
        session.show(preset_table(subject, shapes));
        session.picture("shape_body_" + name, [&] { return preset_picture(subject, shapes, from_front); });
      }
      if (chosen(options, "morphs"))
        if (const auto rows = morph_experiment(subject, session.progress()); !rows.empty())
          session.show(morph_table(subject, rows));
    }
    if (chosen(options, "lattices")) {
      const LatticeRigs rigs = lattice_rigs_experiment(open_character(file).character, name, {}, session.progress());
      session.show(lattice_rigs_table(rigs));
      session.picture("shape_lattices_" + name, [&] { return lattice_rigs_picture(rigs); });
    }
    if (chosen(options, "swings")) {
      const MorphSwings swings = morph_swings(open_character(file).character, name, most_swings, session.progress());
      if (!swings.morphs.empty()) {
        session.show(morph_swing_table(swings));
        session.picture("shape_swings_" + name, [&] { return morph_swing_picture(swings); });
      }
    }
    if (!chosen(options, "faces")) continue;
    ShapeSubject subject = shape_subject(open_character(file).character, name, tetrahedra_of_faces, session.progress());
    const std::vector<PresetShape> shapes =
        preset_experiment(subject, {"smile", "frown", "nostrils", "cheek_puff", "double_chin"});
    session.show(preset_table(subject, shapes));
    session.picture("shape_face_" + name, [&] { return preset_picture(subject, shapes, from_front); });
    session.picture("shape_face_side_" + name, [&] { return preset_picture(subject, shapes, from_below); });
  }
}

}  // namespace

void add_shape(cli::CommandLine& line) {
  add_study(
      line,
      {"shape",
       "Force rigs: limbs fitted to a target, hidden forces, morph targets, lattices, faces, rigs of others",
       "FILES",
       "Characters, FILE or FILE:JOINT, the joint of a limb that bends (forearm_l, or about an axis: forearm_l:x)",
       {"limb", "hidden", "morphs", "swings", "bodies", "lattices", "moved", "faces"},
       run_shape},
      std::make_shared<StudyOptions>());
}

}  // namespace sinew::study
