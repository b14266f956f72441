// Verbs that carry the rigs of another character over to the one that is open.
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

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

struct Carried {
  TransferredShapes shapes;
  std::vector<std::string> names;
};

PageJson surface_json(const TriangleMesh& mesh) {
  std::vector<float> positions;
  for (const Vec3& p : mesh.positions)
    for (std::size_t k = 0; k < 3; ++k) positions.push_back(static_cast<float>(p[k]));
  std::vector<std::uint32_t> triangles;
  for (const Triangle& t : mesh.triangles)
    for (const int v : t) triangles.push_back(static_cast<std::uint32_t>(v));
  return {{"positions", base64(positions)}, {"triangles", base64(triangles)}};
}

}  // namespace

void handle(Application& app, const Client& client, const command::TransferShapes& transfer) {
  const std::lock_guard lock(app.mutex);
  require_character(app);
  const Project& now = app.history.now();
  rigs_in(app, now);  // throws for other methods
  TransferShapesJob job;
  job.source = app.folders.inside(transfer.from);
  job.target = app.character_path;
  job.flesh = bench_settings(app, now);
  job.given =
      transfer.rigs.empty() ? rigs_beside(job.source, app.folders) : read_shapes(app.folders.inside(transfer.rigs));
  job.pictured = true;
  for (const auto& [there, here] : transfer.features) job.pairs.push_back({there, rest_point(*app.loaded.scene, here)});
  auto carried = std::make_shared<Carried>();
  app.shape_bench.begin(
      [job = std::move(job), carried](const Progress& progress) {
        carried->shapes = transfer_shapes(job, progress);
        for (const ShapeRig& rig : carried->shapes.rigs.rigs) carried->names.push_back(rig.name);
      },
      [&app, client, carried, number = app.loaded.number](const std::exception_ptr& failure) {
        if (answered_failure(app, client, failure)) return;
        try {
          adopt_rigs(app, number, carried->shapes.rigs, carried->names, "rigs of another character");
          app.pages.reply(client, {{"lines", carried->shapes.lines},
                                   {"warnings", carried->shapes.warnings},
                                   {"picture", data_url("png", encode_png(carried->shapes.picture))}});
        } catch (const std::exception&) {
          app.pages.reply_error(client, sentence_of(std::current_exception()));
        }
      });
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
