// Verbs for force rigs: holding their controls, and adding and editing rigs.
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/shape/displacement_size.h"
#include "sinew/shape/edit_shapes.h"
#include "sinew/shape/presets.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/shape/bench_answers.h"
#include "studio/server/shape/project_rigs.h"
#include "studio/server/studio_state.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

const Character& character_of(const Application& app) { return app.loaded.opened->character; }

// A name that no rig has: bump, bump_2 and so on.
std::string free_name(const ShapeFile& file, const std::string& base) {
  const auto taken = [&](const std::string& name) {
    for (const ShapeRig& rig : file.rigs)
      if (rig.name == name) return true;
    return false;
  };
  std::string name = base;
  for (int k = 2; taken(name); ++k) name = base + "_" + std::to_string(k);
  return name;
}

std::vector<ShapeRig> rigs_of(const Application& app, const command::AddShape& add, const ShapeFile& file) {
  const SimulationSurface& surface = *app.rest_surface;
  const std::optional<Vec3> point = add.at ? std::optional(rest_point(*app.loaded.scene, *add.at)) : std::nullopt;
  if (!add.preset.empty()) {
    const std::optional<Guide> guide = point ? std::optional(Guide{GuideKind::skin, "", *point}) : std::nullopt;
    return preset_rigs(shape_preset(add.preset), add.name.empty() ? add.preset : add.name, guide, {}, surface);
  }
  if (!point) throw usage_error("Say where on the skin the template is.");
  return {template_on_skin(add.kind, add.name.empty() ? free_name(file, add.kind) : add.name, *point, surface)};
}

// The application's mutex must be held.
void commit_added(Application& app, const Client& client, const command::AddShape& add,
                  const std::vector<ShapeRig>& rigs) {
  ShapeFile file = rigs_in(app, app.history.now());
  const bool breathes = !add.preset.empty() && shape_preset(add.preset).breathes;
  add_rigs(file, rigs, breathes, character_of(app), *app.rest_surface);
  commit_project(app, with_rigs(app.history.now(), file), "add " + (add.preset.empty() ? add.kind : add.preset), "",
                 client);
}

// Sizes the pieces of a preset together on the bench, then adds them. The application's mutex must be held.
void add_sized(Application& app, const Client& client, const command::AddShape& add, std::vector<ShapeRig> rigs) {
  auto sized = std::make_shared<std::vector<ShapeRig>>(std::move(rigs));
  app.shape_bench.begin(
      bench_flesh(app),
      [sized](ShapeWork& work, const Progress&) { *sized = sized_together(*sized, work.surface(), *work.body); },
      [&app, client, add, sized, number = app.loaded.number](const std::exception_ptr& failure) {
        if (answered_failure(app, client, failure)) return;
        try {
          const std::lock_guard lock(app.mutex);
          if (app.loaded.number != number) throw usage_error("There is another character now.");
          commit_added(app, client, add, *sized);
        } catch (const std::exception&) {
          app.pages.reply_error(client, sentence_of(std::current_exception()));
        }
      });
}

}  // namespace

void handle(Application& app, const Client& client, const command::Shape& shape) {
  on_player(app, client, [&app, shape](LivePlayer& player) {
    player.shape(shape);
    const std::lock_guard lock(app.mutex);
    app.shapes = shapes_state(*player.loaded().scene, player.hands().shapes);
    app.pages.send_all({{"event", "changed"}, {"shapes", app.shapes}});
  });
}

void handle(Application& app, const Client& client, const command::AddShape& add) {
  const std::lock_guard lock(app.mutex);
  std::vector<ShapeRig> rigs = rigs_of(app, add, rigs_in(app, app.history.now()));
  if (rigs.size() > 1)
    add_sized(app, client, add, std::move(rigs));
  else
    commit_added(app, client, add, rigs);
}

void handle(Application& app, const Client& client, const command::EditShape& edit) {
  const std::lock_guard lock(app.mutex);
  ShapeFile file = rigs_in(app, app.history.now());
  if (edit.rig.empty())
    remove_rig(file, edit.name);
  else
    replace_rig(file, edit.name, rig_of_page(edit.rig, &rig_in(file, edit.name)), character_of(app), *app.rest_surface);
  commit_project(app, with_rigs(app.history.now(), file), edit.name, edit.rig.empty() ? "" : "shape " + edit.name,
                 client, edit.stroke);
}

void handle(Application& app, const Client& client, const command::MoveShape& move) {
  const std::lock_guard lock(app.mutex);
  ShapeFile file = rigs_in(app, app.history.now());
  ShapeRig& rig = rig_in(file, move.name);
  if (!has_guide(rig.kind)) throw usage_error("This rig has no guide that could be moved.");
  const Vec3 to = rest_point(*app.loaded.scene, move.to);
  for (ShapeSample& sample : rig.samples)
    move_guide(rig.guide, std::span(sample.eta).subspan(parameters_of(rig.kind).size()), to, *app.rest_surface);
  commit_project(app, with_rigs(app.history.now(), file), "move " + move.name, "move " + move.name, client,
                 move.stroke);
}

}  // namespace sinew::studio
