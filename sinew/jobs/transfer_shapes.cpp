#include "sinew/jobs/transfer_shapes.h"

#include <algorithm>
#include <functional>
#include <map>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/jobs/feature_points.h"
#include "sinew/jobs/pictures/three_sides.h"
#include "sinew/jobs/shape/sample_pose.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/picture/colors.h"
#include "sinew/shape/carry_displacements.h"
#include "sinew/shape/control_values.h"
#include "sinew/shape/retarget_lattice.h"
#include "sinew/shape/shape_forces.h"
#include "sinew/shape/shape_rig_json.h"
#include "sinew/shape/smooth_on_skin.h"

namespace sinew {
namespace {

// Target skin that is farther from where the source's is mapped than this, relative to its height, does not move;
// nearer displacements are means over so many times the distance.
constexpr double reach_of_skin = 0.1, radius_of_distance = 3;
// A rig is warned of where its forces leave more of its shape than this.
constexpr double most_left = 0.4;
constexpr std::size_t most_shown = 4;

class Transfer {
 public:
  Transfer(FittedTransfer& fitted, const TransferShapesJob& job, const Progress& progress)
      : job_(job),
        progress_(progress),
        source_(fitted.source),
        target_(fitted.target),
        matched_(fitted.matched),
        source_limbs_(fitted.source_limbs),
        target_limbs_(fitted.target_limbs),
        fitted_(fitted) {}

  TransferredShapes find(ShapeFile file) {
    check_character(file, source_.character().file, source_.surface());
    fit();
    const double reach = reach_of_skin * target_.flesh.height;
    const TriangleMesh& skin = source_.surface().rest;
    const LimbSurface mapped({fit_.surface, skin.triangles}, source_limbs_.triangles, reach / 2);
    const Origins origins = origins_on_skin(skin, mapped, target_.surface().rest, target_limbs_.of_vertex, reach);
    const CarriedDisplacements carried(fit_.lattice, source_.flesh.body->description.mesh, origins);
    find_shares(origins, reach);
    const ShapeFile before = file;
    name_controls(file);
    const ControlValues source_controls(before, {}, source_.character(), source_.surface()),
        target_controls(file, {}, target_.character(), target_.surface());
    for (std::size_t r = 0; r < file.rigs.size(); ++r) {
      report_or_stop(progress_, "carrying " + file.rigs[r].name, 0.3);
      const PosesOf poses = [&](const std::vector<double>& at) {
        return Poses{bones_at(source_, source_controls, r, at), bones_at(target_, target_controls, r, at)};
      };
      file.rigs[r] = carried_rig(before.rigs[r], file.rigs[r].controls, carried, poses);
    }
    write(std::move(file));
    return std::move(result_);
  }

 private:
  void fit() {
    fit_ = fit_with_moves(fitted_, job_.moves, part_of(progress_, 0, 0.3));
    result_.inverted_cells = inverted_cells(fit_.lattice.target);
    result_.surface_error = fit_.stages.back().surface;
    const FitNotes notes = describe_fit(fitted_, fit_);
    result_.lines = notes.lines;
    result_.warnings = notes.warnings;
  }

  // Limbs that the source lacks, such as ears, do not move.
  void find_shares(const Origins& origins, double reach) {
    const std::vector<Influences>& influences = target_.surface().influences;
    for (std::size_t v = 0; v < influences.size(); ++v) {
      double common = 1;
      for (std::size_t k = 0; k < index(influences[v].count); ++k)
        if (!matched_.bones.empty() && matched_.target_limb[index(influences[v].joint[k])] == lacking_limb)
          common -= influences[v].weight[k];
      common = std::max(common, 0.0);
      share_.push_back(common * bell(origins.distance[v], reach));
      radius_.push_back(common * radius_of_distance * origins.distance[v]);
    }
  }

  std::vector<Vec3> on_target(std::vector<Vec3> carried) const {
    for (std::size_t v = 0; v < carried.size(); ++v) carried[v] *= share_[v];
    return smoothed_on_skin(target_.surface().rest, carried, radius_);
  }

  struct Poses {
    std::vector<Affine> source, target;  // bones, rest space to world
  };
  using PosesOf = std::function<Poses(const std::vector<double>& at)>;

  static std::vector<Affine> bones_at(const ShapeWork& side, const ControlValues& controls, std::size_t rig,
                                      const std::vector<double>& at) {
    return bone_transforms(side.character(), side.surface(), sample_pose(side.character(), controls, rig, at));
  }

  // Forces that were fitted to a shape belong to the pose that they were fitted in; what templates do is said at rest.
  // So is everything where no clip shows how a joint turns.
  Poses poses_of(const ShapeRig& rig, const std::vector<double>& at, const PosesOf& poses) const {
    if (rig.kind == TemplateKind::field) try {
        return poses(at);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::usage) throw;
      }
    return {std::vector<Affine>(source_.surface().bones.size()), std::vector<Affine>(target_.surface().bones.size())};
  }

  ShapeRig carried_rig(const ShapeRig& rig, const std::vector<std::string>& controls,
                       const CarriedDisplacements& carried, const PosesOf& poses) {
    ShapeRig other;
    other.name = rig.name;
    other.kind = TemplateKind::field;
    other.controls = controls;
    std::vector<std::vector<Vec3>> moved;
    double most = 0;
    const std::vector<SampledForce> samples = in_context(job_.rigs.string() + ": rig '" + rig.name + "'", "", [&] {
      return sampled_forces(rig, source_.surface(), *source_.body);
    });
    for (const SampledForce& sample : samples) {
      moved.emplace_back(target_.surface().rest.positions.size());
      if (!sample.force.empty()) {
        source_.body->set_pose(poses_of(rig, sample.at, poses).source);
        moved.back() = on_target(carried.carry(displacements_of(sample, *source_.body)));
      }
      for (const Vec3& each : moved.back()) most = std::max(most, norm(each));
    }
    const bool stiffens =
        std::any_of(samples.begin(), samples.end(), [](const SampledForce& each) { return !each.stiffening.empty(); });
    if (!(most > 0) && !stiffens)
      result_.warnings.push_back("rig '" + rig.name + "' moves no skin of " + target_.name() +
                                 ": what it moves has no counterpart there; give points by --features.");
    double left = 0;  // largest share of a sample's shape that its forces leave
    for (std::size_t k = 0; k < samples.size(); ++k) {
      ShapeSample sample{samples[k].at, usual_parameters(other)};
      SkinFitOptions options{.between = false};
      if (samples[k].tissue) carry_tissue(*samples[k].tissue, sample, options);
      if (samples[k].force.empty() || !(most > 0)) {
        other.samples.push_back(sample);
        continue;
      }
      const std::vector<Affine> bones = poses_of(rig, samples[k].at, poses).target;
      VertexFrames skin;
      predict_frames(skin_of(target_.surface()), bones, skin);
      for (std::size_t s = 0; s < skin.goal.size(); ++s) skin.goal[s] += skin.rotation[s] * moved[k][s];
      const SkinFit fit = fit_skin(*target_.statics, target_.surface(), bones, vertex_targets(std::move(skin.goal)),
                                   false, options, {});
      const ShapeSample forces = field_sample(samples[k].at, fit.forces, *target_.body);
      sample.forces = forces.forces, sample.reach = forces.reach;
      other.samples.push_back(std::move(sample));
      if (fit.before.rms > 0) left = std::max(left, fit.after.rms / fit.before.rms);
    }
    shown_.push_back({rig.name, moved.empty() ? std::vector<Vec3>{} : std::move(moved.back())});
    result_.lines.push_back(rig.name + ": moves the skin by up to " + short_number(most) + " m, " +
                            short_percent(most / target_.flesh.height) + " of the height; its flesh comes within " +
                            short_percent(left) + " of that shape");
    if (left > most_left)
      result_.warnings.push_back("rig '" + rig.name + "' makes another shape than the one that was carried over: " +
                                 short_percent(left) + " of it is missing; look at it, or raise --tetrahedra.");
    return other;
  }

  // Strain and stiffness stay what they are, in the image of their region; forces are sought beside them.
  void carry_tissue(const TissueChange& change, ShapeSample& sample, SkinFitOptions& options) const {
    sample.strain = change.strain, sample.stiffness = change.stiffness;
    sample.region = carried_region(fit_.lattice, region_of(change));
    const TissueChange here = tissue_change(field_rig(""), sample, target_.surface());
    if (sample.stiffness != 1) options.stiffening = target_.body->stiffening(stiffening_of(here));
    if (sample.strain != 1) options.load = target_.body->integrate(strain_of(here));
  }

  // Joints are called by their counterparts. What has none becomes a control that is keyed or held.
  void name_controls(ShapeFile& file) {
    std::map<std::string, std::string> names;
    for (const AbstractControl& control : file.controls) names[control.name] = control.name;
    for (ShapeRig& rig : file.rigs)
      for (std::string& control : rig.controls) {
        const auto known = names.find(control);
        if (known != names.end()) {
          control = known->second;
          continue;
        }
        const std::string name = counterpart(control);
        names[control] = name;
        if (name.empty()) {
          names[control] = control;
          file.controls.push_back({control, 0, {}, false});
          result_.warnings.push_back("control " + control + " has no counterpart in " + target_.name() +
                                     ": key it, or hold it by --control " + control + "=VALUE.");
        }
        control = names[control];
      }
  }

  // The name of the control in the target; empty: there is none.
  std::string counterpart(const std::string& control) {
    const std::size_t colon = std::min(control.rfind(':'), control.size());
    for (const std::string& joint : {control, control.substr(0, colon)})
      for (const BonePair& pair : matched_.bones)
        if (source_.surface().bones[index(pair.source)].name == joint) {
          const std::string measure = control.substr(joint.size());
          if (measure == ":x" || measure == ":y" || measure == ":z")
            result_.warnings.push_back("control " + control + " turns about a joint's own axis, which may point " +
                                       "elsewhere in " + target_.name() + "; look at it.");
          return target_.surface().bones[index(pair.target)].name + measure;
        }
    const bool known = control_source(control, {}, target_.character(), target_.surface()) != ControlSource::unknown;
    return known ? control : std::string();
  }

  void write(ShapeFile file) {
    file.file = job_.output.empty() ? "shapes" : job_.output.string();
    file.character = shaped_character(target_.name(), target_.surface());
    const std::string text = shape_json(file);
    const ShapeFile written = shape_from_json(text, file.file);
    report_or_stop(progress_, "checking the rigs", 0.95);
    check_character(written, target_.character().file, target_.surface());
    ControlValues(written, {}, target_.character(), target_.surface());
    if (job_.pictured || !job_.preview.empty()) result_.picture = picture();
    result_.rigs = written;
    if (job_.output.empty()) return;
    report_or_stop(progress_, "writing " + job_.output.filename().string(), 0.97);
    if (!job_.preview.empty()) write_png(job_.preview, result_.picture);
    if (!job_.lattice.empty()) {
      const std::string lattice = lattice_obj(fit_.lattice.target);
      write_file(job_.lattice, std::as_bytes(std::span(lattice)));
    }
    write_file(job_.output, std::as_bytes(std::span(text)));
  }

  Image picture() const {
    std::vector<ShownSurface> rows;
    rows.push_back({{fit_.surface, source_.surface().rest.triangles},
                    heat_colors(fit_.distance, 0, not_fitted * target_.flesh.height),
                    source_.name() + " fitted to " + target_.name() + ", distance"});
    for (const auto& [name, displacement] : shown_) {
      if (rows.size() == most_shown) break;
      ShownSurface row{target_.surface().rest, {}, name};
      std::vector<double> moved;
      for (std::size_t s = 0; s < displacement.size(); ++s) {
        row.surface.positions[s] += displacement[s];
        moved.push_back(norm(displacement[s]));
      }
      row.colors = heat_colors(moved, 0, moved.empty() ? 0 : *std::max_element(moved.begin(), moved.end()));
      rows.push_back(std::move(row));
    }
    return three_sides(rows);
  }

  const TransferShapesJob& job_;
  const Progress& progress_;
  ShapeWork &source_, &target_;
  const MatchedBones& matched_;
  const SkinLimbs &source_limbs_, &target_limbs_;  // empty where no bones correspond
  const FittedTransfer& fitted_;
  RetargetFit fit_;                                               // with the control points that the user has moved
  std::vector<std::pair<std::string, std::vector<Vec3>>> shown_;  // per rig: displacement of the target's skin
  std::vector<double> share_, radius_;  // per vertex of the target: of what is carried there, and of its mean, metres
  TransferredShapes result_;
};

}  // namespace

TransferredShapes transfer_shapes(FittedTransfer& fitted, const TransferShapesJob& job, const Progress& progress) {
  return Transfer(fitted, job, progress).find(*job.given);
}

TransferredShapes transfer_shapes(const TransferShapesJob& job, const Progress& progress) {
  std::vector<std::filesystem::path> inputs{job.source, job.target}, outputs;
  for (const std::filesystem::path& file : {job.rigs, job.features, job.control_points})
    if (!file.empty()) inputs.push_back(file);
  for (const std::filesystem::path& file : {job.output, job.preview, job.lattice})
    if (!file.empty()) outputs.push_back(file);
  check_outputs_apart(outputs, inputs);
  // Files of the user's are read before the flesh is made.
  TransferShapesJob read = job;
  if (!read.given) read.given = read_shapes(job.rigs);
  if (!job.control_points.empty()) {
    read.moves = read_control_point_moves(job.control_points);
    read.moves.insert(read.moves.end(), job.moves.begin(), job.moves.end());
    read.control_points.clear();
  }
  FittedTransfer fitted = fit_transfer(job, part_of(progress, 0, 0.75));
  return transfer_shapes(fitted, read, part_of(progress, 0.75, 1));
}

}  // namespace sinew
