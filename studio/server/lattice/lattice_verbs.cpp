#include "studio/server/lattice/lattice_verbs.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/files/lattice_files.h"
#include "sinew/files/lattice_json.h"
#include "sinew/mesh/lattice_editing/grid_lattice.h"
#include "sinew/mesh/lattice_editing/lattice_edit.h"
#include "studio/server/cook/method_settings.h"
#include "studio/server/project/apply_project.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

constexpr int usual_cells = 400, usual_cubes = 10, fewest_cells = 1;

LatticeBench& bench_of(Application& app) {
  if (!lattice_is_open(app)) throw usage_error("No lattice is being edited; open one first.");
  return *app.lattice;
}

// The setting `lattice` of the project's flesh: a file's name, an object's text, or empty.
std::string lattice_setting(const Project& project) {
  const auto settings = project.settings.find(FleshMethod().name());
  if (settings == project.settings.end() || settings->second.empty()) return "";
  const PageJson json = PageJson::parse(settings->second);
  const auto lattice = json.find("lattice");
  if (lattice == json.end()) return "";
  return lattice->is_object() ? lattice->dump() : lattice->is_string() ? lattice->get<std::string>() : "";
}

void tell_lattice(Application& app) { app.pages.send_all({{"event", "changed"}, {"lattice", lattice_state(app)}}); }

// Keeps and shows a lattice that has changed. Beside a sample that is only looked at, nothing is kept.
void apply_lattice(Application& app) {
  if (!app.character.value("look", false))
    app.lattice_saver.save(kept_lattice_path(app.character_path),
                           [lattice = app.lattice->now] { return lattice_json(*lattice); });
  tell_lattice(app);
}

// The data from which a lattice is begun, complete for the worker's thread.
struct Beginning {
  LoadedCharacter loaded;
  std::shared_ptr<const SimulationSurface> surface;
  std::string from;  // auto, grid, played or kept
  std::string setting;
  int count = 0;
  fs::path kept;
  std::string project_setting;  // as the project has it
};

Beginning beginning(const Application& app, const command::EditLattice& open) {
  require_character(app);
  if (open.from != "auto" && open.from != "grid" && open.from != "played" && open.from != "kept")
    throw usage_error("lattice: from is auto, grid, played or kept.");
  Beginning begin{app.loaded,
                  app.rest_surface,
                  open.from,
                  lattice_setting(app.history.now()),
                  open.count,
                  kept_lattice_path(app.character_path),
                  lattice_setting(app.history.now())};
  if (begin.from == "played" && (begin.setting.empty() || begin.setting == auto_lattice)) begin.from = "auto";
  if (begin.from == "played" && !begin.setting.starts_with('{'))
    begin.setting = app.folders.inside(begin.setting).string();
  return begin;
}

// The lattice that was edited in an earlier session is what undo leads to, since the next edit replaces its file.
void add_kept_before(const Beginning& begin, LatticeBench& bench) {
  std::error_code status;
  if (begin.from == "kept" || !fs::exists(begin.kept, status)) return;
  try {
    ControlLattice kept = read_lattice(begin.kept);
    if (kept.cells() > most_edited_cells) return;
    bench.before.push_back(std::make_shared<const ControlLattice>(in_standard_form(std::move(kept))));
    bench.acts.emplace_back("begin");
  } catch (const Error& error) {
    bench.notes.push_back(std::string(error.what()) + " The next edit replaces it.");
  }
}

LatticeBench begun(const Beginning& begin, const Progress& progress) {
  LatticeBench bench;
  bench.character = begin.loaded.number;
  bench.surface = begin.surface;
  ControlLattice lattice;
  if (begin.from == "auto") {
    const LatticeSettings settings{begin.count == 0 ? usual_cells : std::max(fewest_cells, begin.count)};
    BuiltLattice built = build_lattice(begin.loaded.opened->character, *begin.surface, settings, progress);
    bench.notes = std::move(built.notes);
    lattice = std::move(built.lattice);
  } else if (begin.from == "grid") {
    lattice =
        grid_lattice(begin.surface->rest, begin.count == 0 ? usual_cubes : begin.count, symmetry_plane(*begin.surface));
  } else if (begin.from == "played") {
    lattice = lattice_of_setting(begin.setting);
  } else {
    std::error_code status;
    if (!fs::exists(begin.kept, status)) throw usage_error("No lattice of this character was edited before.");
    lattice = read_lattice(begin.kept);
  }
  if (lattice.cells() > most_edited_cells)
    throw usage_error("A lattice that is edited has at most " + std::to_string(most_edited_cells) +
                      " cells; this has " + std::to_string(lattice.cells()) + ".");
  bench.now = std::make_shared<const ControlLattice>(in_standard_form(std::move(lattice)));
  if (begin.from == "played") bench.used = bench.now, bench.used_setting = begin.project_setting;
  add_kept_before(begin, bench);
  return bench;
}

void open_lattice(Application& app, const Client& client, const command::EditLattice& open) {
  if (open.from == "kept" && app.lattice) {  // it was only closed
    app.lattice->open = true;
    tell_lattice(app);
    return app.pages.reply(client, {{"revision", app.lattice->revision}});
  }
  app.lattice_worker.run([&app, client, begin = beginning(app, open)](const Progress& progress) {
    try {
      LatticeBench bench = begun(begin, progress);
      const std::lock_guard lock(app.mutex);
      if (app.loaded.number != bench.character) throw usage_error("There is another character now.");
      if (app.lattice)
        begin_anew(*app.lattice, bench);
      else
        app.lattice = std::move(bench);
      tell_lattice(app);
      app.pages.reply(client, {{"revision", app.lattice->revision}});
    } catch (const std::exception&) {
      app.pages.reply_error(client, sentence_of(std::current_exception()));
    }
  });
}

// Called on the worker's thread: puts the lattice into the project, unless it cannot carry the body.
void use_lattice(Application& app, const Client& client, const LatticeBench& bench) {
  const LatticeProblems problems = lattice_problems(*bench.now, &bench.surface->rest, 1);
  if (!problems.usable) throw usage_error("The lattice cannot carry the body yet. " + problems.problems.at(0).text);
  const std::string text = lattice_json(*bench.now);
  const std::lock_guard lock(app.mutex);
  if (app.loaded.number != bench.character) throw usage_error("There is another character now.");
  Project next = app.history.now();
  if (next.method != FleshMethod().name()) throw usage_error("Lattices carry flesh; choose the method Flesh first.");
  std::string& settings = next.settings[next.method];
  settings = with_value(next.method, settings, "lattice", text);
  commit_project(app, std::move(next), "lattice", "", client);
  if (app.lattice) {
    app.lattice->used = bench.now;
    app.lattice->used_setting = lattice_setting(app.history.now());
  }
  tell_lattice(app);
}

// Runs work with the bench as it is now on the worker's thread, and answers with what goes wrong.
template <class Work>
void on_lattice_worker(Application& app, const Client& client, Work work) {
  app.lattice_worker.run([&app, client, bench = bench_of(app), work = std::move(work)](const Progress&) {
    try {
      work(bench);
    } catch (const std::exception&) {
      app.pages.reply_error(client, sentence_of(std::current_exception()));
    }
  });
}

}  // namespace

bool lattice_is_open(const Application& app) { return app.lattice && app.lattice->open; }

PageJson lattice_state(const Application& app) {
  if (!lattice_is_open(app)) return nullptr;
  const LatticeBench& bench = *app.lattice;
  // Undo in the project may have taken another one back.
  const bool used = bench.used == bench.now && bench.used_setting == lattice_setting(app.history.now());
  return lattice_state(bench, used);
}

void step_in_lattice(Application& app, const Client& client, bool back) {
  back ? undo(*app.lattice) : redo(*app.lattice);
  apply_lattice(app);
  app.pages.reply(client, {{"revision", app.lattice->revision}});
}

void handle(Application& app, const Client& client, const command::EditLattice& asked) {
  const std::lock_guard lock(app.mutex);
  if (asked.action == "open") return open_lattice(app, client, asked);
  if (asked.action == "use")
    return on_lattice_worker(app, client,
                             [&app, client](const LatticeBench& bench) { use_lattice(app, client, bench); });
  if (asked.action == "close") {
    bench_of(app).open = false;
    tell_lattice(app);
    return app.pages.reply(client);
  }
  edit(bench_of(app), asked, client.page);
  apply_lattice(app);
  app.pages.reply(client, {{"revision", app.lattice->revision}});
}

void handle(Application& app, const Client& client, const command::ShowLattice&) {
  const std::lock_guard lock(app.mutex);
  app.pages.reply(client, lattice_cells(bench_of(app)));
}

void handle(Application& app, const Client& client, const command::ShowLatticeSkin&) {
  const std::lock_guard lock(app.mutex);
  app.pages.reply(client, lattice_skin(*bench_of(app).surface));
}

void handle(Application& app, const Client& client, const command::CheckLattice&) {
  const std::lock_guard lock(app.mutex);
  on_lattice_worker(app, client, [&app, client](const LatticeBench& bench) {
    app.pages.reply(client, lattice_problems_json(lattice_problems(*bench.now, &bench.surface->rest)));
  });
}

}  // namespace sinew::studio
