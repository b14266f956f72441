// Verbs for force rigs that search for equilibrium: fits, pictures of samples, and how a shape swings.
#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "sinew/bake/bake.h"
#include "sinew/base/error.h"
#include "sinew/character/choose_clip.h"
#include "sinew/jobs/pictures/preview.h"
#include "sinew/jobs/shape/fit_shape_file.h"
#include "sinew/jobs/shape/shape_pictures.h"
#include "sinew/jobs/shape/shape_swing.h"
#include "sinew/shape/edit_shapes.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/shape/bench_answers.h"
#include "studio/server/shape/project_rigs.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

constexpr int picture_pixels = 96;
constexpr int iterations_while_dragged = 4;
constexpr double rehearsed_seconds = 2, rehearsed_frames_per_second = 15, rehearsed_pixels = 180 * 180;

PageJson outcome_of(const AddedShape& added) { return {{"lines", added.lines}, {"left", added.left}}; }

// The pose that is displayed, on the player's thread.
Pose displayed_pose(LivePlayer& player) {
  if (!player.has_character()) throw usage_error("There is no character yet; open one.");
  return player.session().moment_at(player.session().displayed_time()).pose;
}

FitShapeJob job_of(const command::FitShape& fit, const BenchFlesh& flesh, Pose pose) {
  FitShapeJob job;
  job.name = fit.name;
  job.control = fit.control;
  job.at = fit.at;
  job.target = fit.target;
  job.smoothness = fit.smoothness;
  job.target_scale = fit.scale;
  job.fixed = fit.fixed;
  job.pose.exactly = std::move(pose);
  if (fit.dragging) job.iterations = iterations_while_dragged;
  const TriangleMesh& rest = flesh.loaded.scene->surface->rest;
  const auto vertex_at = [&](const SkinPlace& at) {
    const Vec3 point = rest_point(*flesh.loaded.scene, at);
    const auto nearest = std::min_element(
        rest.positions.begin(), rest.positions.end(),
        [&](const Vec3& a, const Vec3& b) { return squared_norm(a - point) < squared_norm(b - point); });
    return static_cast<int>(nearest - rest.positions.begin());
  };
  for (const auto& [at, to] : fit.points) job.dragged.push_back({vertex_at(at), to});
  for (const auto& [at, to] : fit.features) job.pose.at_vertices.push_back({vertex_at(at), to});
  if (!fit.vertices.empty()) {
    job.weight.assign(rest.positions.size(), 0.0);
    for (const int vertex : fit.vertices) {
      if (static_cast<std::size_t>(vertex) >= rest.positions.size())
        throw usage_error("The surface has no vertex " + std::to_string(vertex) + ".");
      job.weight[static_cast<std::size_t>(vertex)] = 1;
    }
  }
  return job;
}

PageJson swing_json(const ShapeSwing& swing) {
  return {{"seconds", swing.seconds},
          {"share", swing.share},
          {"overshoot", swing.overshoot},
          {"settled", swing.settled ? PageJson(*swing.settled) : PageJson()},
          {"reach", swing.reach}};
}

// The controls that users hold, but for those that have keys, which a rehearsal plays. `shapes`: that key of the state.
std::vector<Action> held_controls(const PageJson& shapes, const ShapeFile& file) {
  std::vector<Action> held;
  if (!shapes.is_object()) return held;
  for (const PageJson& control : shapes["controls"]) {
    const std::string name = control["name"];
    const bool keyed = control["posed"].get<bool>() ||
                       std::any_of(file.controls.begin(), file.controls.end(), [&](const AbstractControl& each) {
                         return each.name == name && !each.keys.empty();
                       });
    if (control["value"].is_null() || keyed) continue;
    Action action;
    action.kind = Action::Kind::control;
    action.name = name;
    action.value = control["value"].get<double>();
    held.push_back(std::move(action));
  }
  return held;
}

// A small animation of the clip with the rigs as they are, beside the rig alone.
std::vector<std::byte> rehearsal(const Character& character, const Scene& scene, const std::string& clip,
                                 const std::vector<Action>& held, const Progress& progress) {
  BakeOptions options;
  options.clip = clip.empty() ? -1 : choose_clip(character, clip);
  options.frames_per_second = rehearsed_frames_per_second;
  options.loop = Loop::off;
  if (options.clip >= 0) {
    const Clip& chosen = character.clips[static_cast<std::size_t>(options.clip)];
    options.end = std::min(chosen.end, chosen.start + rehearsed_seconds);
  }
  for (const Action& action : held) options.take.push_back({0, action});
  const BakeResult result = bake(character, scene, nullptr, options, part_of(progress, 0, 0.6));
  std::vector<std::string> notes;
  PreviewOptions how;
  how.animation_pixels = rehearsed_pixels;
  return preview_animation(character, result.recording, how, notes, part_of(progress, 0.6, 1));
}

}  // namespace

void handle(Application& app, const Client& client, const command::FitShape& fit) {
  BenchFlesh flesh;
  std::string target = fit.target;
  {
    const std::lock_guard lock(app.mutex);
    flesh = bench_flesh(app);
    if (!target.empty() && !target.starts_with("morph:")) target = app.folders.inside(target).string();
  }
  const bool posted = app.player.post(client.page, client.id, [&app, client, fit, target, flesh](LivePlayer& player) {
    try {
      auto job = std::make_shared<FitShapeJob>(job_of(fit, flesh, displayed_pose(player)));
      job->target = target;
      auto result = std::make_shared<std::pair<ShapeFile, AddedShape>>();
      app.shape_bench.begin(
          flesh,
          [job, result](ShapeWork& work, const Progress& progress) {
            result->second = fit_shape_in(work, *job, progress);
            result->first = work.file;
          },
          [&app, client, fit, result, number = flesh.loaded.number](const std::exception_ptr& failure) {
            if (answered_failure(app, client, failure)) return;
            try {
              adopt_rigs(app, number, result->first, {fit.name}, "fit " + fit.name, fit.stroke);
              app.pages.reply(client, outcome_of(result->second));
            } catch (const std::exception&) {
              app.pages.reply_error(client, sentence_of(std::current_exception()));
            }
          });
    } catch (const std::exception&) {
      app.pages.reply_error(client, sentence_of(std::current_exception()));
    }
  });
  if (!posted) throw usage_error("The studio is busy with earlier requests; try again in a moment.");
}

void handle(Application& app, const Client& client, const command::ShapesOfMorphs& morphs) {
  const std::lock_guard lock(app.mutex);
  BenchFlesh flesh = bench_flesh(app);
  const std::uint32_t number = flesh.loaded.number;
  auto result = std::make_shared<std::pair<ShapeFile, AddedShape>>();
  app.shape_bench.begin(
      std::move(flesh),
      [morphs, result](ShapeWork& work, const Progress& progress) {
        MorphsToForces job;
        job.names = morphs.names;
        result->second = shapes_from_morphs_in(work, job, progress);
        result->first = work.file;
      },
      [&app, client, result, number](const std::exception_ptr& failure) {
        if (answered_failure(app, client, failure)) return;
        try {
          std::vector<std::string> names;
          for (const ShapeRig& rig : result->first.rigs)
            if (!rig.morph.empty()) names.push_back(rig.name);
          adopt_rigs(app, number, result->first, names, "morph targets", 0);
          app.pages.reply(client, outcome_of(result->second));
        } catch (const std::exception&) {
          app.pages.reply_error(client, sentence_of(std::current_exception()));
        }
      });
}

void handle(Application& app, const Client& client, const command::PictureShape& picture) {
  const std::lock_guard lock(app.mutex);
  BenchFlesh flesh = bench_flesh(app);
  const ShapeRig rig = rig_in(flesh.rigs, picture.name);
  auto pictures = std::make_shared<PageJson>(PageJson::array());
  app.shape_bench.begin(
      std::move(flesh),
      [rig, pictures](ShapeWork& work, const Progress& progress) {
        for (const Image& image : shape_pictures(work, rig, picture_pixels, progress))
          pictures->push_back(data_url("png", encode_png(image)));
      },
      [&app, client, pictures](const std::exception_ptr& failure) {
        if (!answered_failure(app, client, failure)) app.pages.reply(client, {{"pictures", *pictures}});
      });
}

void handle(Application& app, const Client& client, const command::RehearseShape& rehearse) {
  const std::lock_guard lock(app.mutex);
  ShapeFile file = rigs_in(app, app.history.now());
  const ShapeRig rig = rig_in(file, rehearse.name);
  const ShapeSample &first = rig.samples.front(), &last = rig.samples.back();
  std::vector<SwungControl> controls;
  for (std::size_t c = 0; c < rig.controls.size(); ++c) controls.push_back({rig.controls[c], first.at[c], last.at[c]});
  const std::vector<Action> held = held_controls(app.shapes, file);
  auto answer = std::make_shared<PageJson>();
  app.shape_bench.begin(
      [loaded = app.loaded, controls, held, clip = rehearse.clip, answer](const Progress& progress) {
        const Character& character = loaded.opened->character;
        if (clip)
          *answer = {{"clip", data_url("webp", rehearsal(character, *loaded.scene, *clip, held, progress))}};
        else
          *answer = swing_json(shape_swing(character, *loaded.scene, controls, progress));
      },
      [&app, client, answer](const std::exception_ptr& failure) {
        if (!answered_failure(app, client, failure)) app.pages.reply(client, *answer);
      });
}

}  // namespace sinew::studio
