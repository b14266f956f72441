// Verbs that carry the rigs of another character over to the one that is open.
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/shape/shape_target.h"
#include "sinew/jobs/transfer_shapes.h"
#include "sinew/shape/shape_rig_json.h"
#include "studio/server/project/project_file.h"
#include "studio/server/shape/bench_answers.h"
#include "studio/server/shape/project_rigs.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

// The rigs that the studio keeps beside a character.
ShapeFile rigs_beside(const std::filesystem::path& character, const Folders& folders) {
  const std::filesystem::path file = project_path(character);
  std::error_code status;
  const std::string name = character.filename().string();
  if (!std::filesystem::exists(file, status))
    throw usage_error(name + " has no rigs yet: open it and add some, or name a file of rigs.");
  std::string setting = shapes_setting(project_from_json(read_text_file(file), file.string()));
  if (setting.empty()) throw usage_error(name + " has no rigs in its project: open it and add some, or name a file.");
  if (!setting.starts_with('{')) setting = folders.inside(setting).string();
  return shapes_of_setting(setting);
}

std::string base64_of(std::span<const Vec3> points) {
  std::vector<float> numbers;
  for (const Vec3& p : points)
    for (std::size_t k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(p[k]));
  return base64(numbers);
}

PageJson surface_json(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> triangles;
  for (const Triangle& t : mesh.triangles)
    for (const int v : t) triangles.push_back(static_cast<std::uint32_t>(v));
  return {{"positions", base64_of(mesh.positions)}, {"triangles", base64(triangles)}};
}

// The fitted lattice, this character at rest in it, and the other's skin where the lattice takes it, with distances
// relative to that from which on it counts as not fitted.
PageJson lattice_json(const FittedTransfer& fitted, const RetargetFit& fit) {
  std::vector<std::uint32_t> edges;
  for (const auto& edge : lattice_edges(fit.lattice.target))
    for (const int v : edge) edges.push_back(static_cast<std::uint32_t>(v));
  std::vector<float> distance;
  for (const double each : fit.distance)
    distance.push_back(static_cast<float>(each / (not_fitted * fitted.target.flesh.height)));
  const FitNotes notes = describe_fit(fitted, fit);
  return {{"points", base64_of(fit.lattice.target.positions)},
          {"edges", base64(edges)},
          {"here", surface_json(fitted.target.surface().rest)},
          {"there", surface_json({fit.surface, fitted.source.surface().rest.triangles})},
          {"distance", base64(distance)},
          {"lines", notes.lines},
          {"warnings", notes.warnings}};
}

// The application's mutex must be held.
TransferShapesJob job_of(const Application& app, const command::TransferShapes& transfer) {
  require_character(app);
  const Project& now = app.history.now();
  rigs_in(app, now);  // throws for other methods
  TransferShapesJob job;
  job.source = app.folders.inside(transfer.from);
  job.target = app.character_path;
  job.flesh = bench_settings(app, now);
  job.flesh.lattice = {};  // forces that are carried in tetrahedra serve in a lattice as well
  job.pictured = true;
  for (const auto& [there, here] : transfer.features) job.pairs.push_back({there, rest_point(*app.loaded.scene, here)});
  for (const auto& [from, to] : transfer.moves) job.moves.push_back({from, to});
  return job;
}

void show_lattice(Application& app, const Client& client, const TransferShapesJob& job) {
  auto answer = std::make_shared<PageJson>();
  app.shape_bench.begin(
      [&app, job, answer, number = app.loaded.number](const Progress& progress) {
        const FittedTransfer& fitted = app.shape_bench.lay(job, number, part_of(progress, 0, 0.8));
        *answer = lattice_json(fitted, fit_with_moves(fitted, job.moves, part_of(progress, 0.8, 1)));
      },
      [&app, client, answer](const std::exception_ptr& failure) {
        if (!answered_failure(app, client, failure)) app.pages.reply(client, *answer);
      });
}

void carry_rigs(Application& app, const Client& client, const TransferShapesJob& job) {
  auto carried = std::make_shared<TransferredShapes>();
  app.shape_bench.begin(
      [&app, job, carried, number = app.loaded.number](const Progress& progress) {
        FittedTransfer& fitted = app.shape_bench.lay(job, number, part_of(progress, 0, 0.7));
        *carried = transfer_shapes(fitted, job, part_of(progress, 0.7, 1));
      },
      [&app, client, carried, number = app.loaded.number](const std::exception_ptr& failure) {
        if (answered_failure(app, client, failure)) return;
        try {
          std::vector<std::string> names;
          for (const ShapeRig& rig : carried->rigs.rigs) names.push_back(rig.name);
          adopt_rigs(app, number, carried->rigs, names, "rigs of another character");
          app.pages.reply(client, {{"lines", carried->lines},
                                   {"warnings", carried->warnings},
                                   {"picture", data_url("png", encode_png(carried->picture))}});
        } catch (const std::exception&) {
          app.pages.reply_error(client, sentence_of(std::current_exception()));
        }
      });
}

}  // namespace

void handle(Application& app, const Client& client, const command::TransferShapes& transfer) {
  const std::lock_guard lock(app.mutex);
  TransferShapesJob job = job_of(app, transfer);
  if (transfer.lattice_only) {
    show_lattice(app, client, job);
    return;
  }
  job.given =
      transfer.rigs.empty() ? rigs_beside(job.source, app.folders) : read_shapes(app.folders.inside(transfer.rigs));
  carry_rigs(app, client, job);
}

void handle(Application& app, const Client& client, const command::ShowSurface& show) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  const std::string file = app.folders.inside(show.path).string();
  const std::optional<double> metres =
      show.scale ? std::optional(*show.scale * app.loaded.opened->character.metres_per_unit) : std::nullopt;
  auto answer = std::make_shared<PageJson>();
  app.shape_bench.begin(
      [file, metres, answer](const Progress&) {
        *answer = surface_json(metres ? mesh_of_file(file, *metres)
                                      : simulation_surface(open_rigged_character(file).character).rest);
      },
      [&app, client, answer](const std::exception_ptr& failure) {
        if (!answered_failure(app, client, failure)) app.pages.reply(client, *answer);
      });
}

}  // namespace sinew::studio
