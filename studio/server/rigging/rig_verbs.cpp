#include "studio/server/rigging/rig_verbs.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/files/settings_json.h"
#include "sinew/gltf/mesh_document.h"
#include "sinew/gltf/write/write_rigged.h"
#include "sinew/mesh/surface_centroid.h"
#include "sinew/rigging/rig_mesh.h"
#include "sinew/rigging/weight_report.h"
#include "studio/server/cook/opening.h"
#include "studio/server/cook/surface_channels.h"
#include "studio/server/curves/curve_verbs.h"
#include "studio/server/project/project.h"
#include "studio/server/project/project_file.h"
#include "studio/server/verbs.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

RigBench& bench_of(Application& app) {
  if (!app.rigging) throw usage_error("There is no mesh to rig; open one that has no skeleton (.obj, .glb or .gltf).");
  return *app.rigging;
}

void tell_rigging(Application& app) {
  app.pages.send_all({{"event", "changed"}, {"rigging", rigging_state(*app.rigging)}});
}

// A search for the weights of a mesh and its joints.
struct WeightSearch {
  std::uint32_t mesh = 0;    // RigBench::number
  std::uint64_t number = 0;  // RigBench::searches when it began
  std::vector<PlacedJoint> joints;
};

// Called on the rigging worker's thread. A search that a newer one stopped may have been for the same joints, as after
// an undo and a redo.
void take_weights(Application& app, const WeightSearch& search, std::shared_ptr<const RiggedDraft> draft,
                  const std::exception_ptr& failure) {
  const std::lock_guard lock(app.mutex);
  if (!app.rigging || app.rigging->number != search.mesh || app.rigging->searches != search.number) return;
  if (app.rigging->now.joints != search.joints) return;
  if (draft) {
    app.rigging->rigged = std::move(draft);
    apply_paint(*app.rigging);
  } else {
    app.rigging->problem = sentence_of(failure);
  }
  tell_rigging(app);
}

void find_weights(Application& app) {
  RigBench& bench = *app.rigging;
  bench.problem.clear();
  apply_paint(bench);
  if (bench.now.joints.empty() || bench.weights_are_found()) return;
  const WeightSearch search{bench.number, ++bench.searches, bench.now.joints};
  app.rig_worker.find(bench.opened, search.joints, [&app, search](const auto& draft, const auto& failure) {
    take_weights(app, search, draft, failure);
  });
}

// The joints have changed.
void apply_joints(Application& app) {
  RigBench& bench = *app.rigging;
  if (bench.joints_file_is_ours)
    app.saver.save(joints_path(bench.path), [edits = bench.now] { return joints_json(joints_file(edits)); });
  find_weights(app);
  tell_rigging(app);
}

PageJson floats(const std::vector<Vec3>& points) {
  std::vector<float> numbers;
  for (const Vec3& p : points)
    for (std::size_t k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(p[k]));
  return base64(numbers);
}

PageJson fault_json(const WeightFault& fault) {
  constexpr const char* kinds[] = {"collapses", "stretches", "wrong_bone"};
  return {{"kind", kinds[static_cast<std::size_t>(fault.kind)]},
          {"joint", fault.joint},
          {"turn", {fault.turn.x, fault.turn.y, fault.turn.z}},
          {"place", {fault.place.x, fault.place.y, fault.place.z}},
          {"radius", fault.radius},
          {"severity", fault.severity},
          {"text", weight_fault_sentence(fault)}};
}

void write_rig(const RigBench& bench, const RiggedDraft& draft, const fs::path& file) {
  refuse_link(file);
  const OpenedCharacter& opened = *bench.opened;
  if (opened.document) {
    write_rigged(*opened.document, draft.character, draft.first_joint, file);
    return;
  }
  const Part& part = opened.character.parts.front();
  write_rigged(document_of_mesh(part.surface, part.name), draft.character, draft.first_joint, file);
}

fs::path output_path(const RigBench& bench, const std::string& output) {
  const std::string ending = lower_case_ending(output);
  if (!is_plain_name(output) || (ending != ".glb" && ending != ".gltf"))
    throw usage_error("'" + output +
                      "' cannot be the name of a rigged file, which is a .glb or .gltf beside the mesh.");
  const fs::path file = bench.path.parent_path() / output;
  if (file == bench.path) throw usage_error("The rigged file would replace the mesh; give it another name.");
  return file;
}

// Whether a file must not be replaced, of which the client is told.
bool is_in_the_way(Application& app, const Client& client, const fs::path& file, bool replace) {
  std::error_code status;
  if (replace || !fs::exists(file, status)) return false;
  const std::string name = file.filename().string();
  app.pages.reply(client, {{"error", name + " is there already; choose another name, or let it be replaced."},
                           {"in_the_way", {name}}});
  return true;
}

// The mesh on a single joint in its middle, which carries it as a free body.
RiggedDraft on_one_joint(const RigBench& bench) {
  constexpr int tetrahedra = 1000;  // enough to share out weights of one joint
  RiggedDraft draft;
  draft.character = bench.opened->character;
  draft.joints = {{"body", "", surface_centroid(*bench.shown, bench.shown->positions)}};
  RigMeshOptions options;
  options.tetrahedra = tetrahedra;
  draft.first_joint = rig_mesh(draft.character, draft.joints, options, "the free body").first_joint;
  return draft;
}

// A project in which the mesh falls in a box, several times as wide as it is.
std::string falling_project(const RigBench& bench, const fs::path& file) {
  constexpr double widths = 4;
  FleshSettings settings;
  settings.free_body = settings.weight = true;
  settings.box = widths * longest_side(*bench.shown);
  Project project;
  project.method = "flesh";
  project.settings["flesh"] = settings_json(settings);
  return project_json(project, file.filename().string());
}

}  // namespace

void enter_rigging(Application& app, const LoadedCharacter& loaded, const fs::path& path, const Client& client) {
  RigBench bench = rig_bench(loaded.opened, path, loaded.number);
  app.player.post([&app, bench = std::move(bench), client](LivePlayer& player) mutable {
    player.leave();
    const std::lock_guard lock(app.mutex);
    app.loaded = {};
    follow_curves(app);
    app.lattice.reset();
    app.character = PageJson();
    app.project_file.clear();
    app.history = History();
    app.uncooked.clear();
    ++app.cooks;
    app.recording.reset();
    app.play = player.state();
    app.outputs.clear();
    app.pending_replies.clear();
    app.opening_failed.clear();
    app.rigging = std::move(bench);
    find_weights(app);
    app.pages.send_all({{"event", "state"}, {"state", studio_state(app)}});
    app.pages.reply(client);
  });
}

void step_in_rigging(Application& app, const Client& client, bool back) {
  back ? undo(*app.rigging) : redo(*app.rigging);
  apply_joints(app);
  app.pages.reply(client);
}

void handle(Application& app, const Client& client, const command::EditJoint& asked) {
  const std::lock_guard lock(app.mutex);
  const std::string name = edit(bench_of(app), asked, client.page);
  apply_joints(app);
  app.pages.reply(client, name.empty() ? PageJson::object() : PageJson{{"joint", name}});
}

void handle(Application& app, const Client& client, const command::ShowRigMesh&) {
  const std::lock_guard lock(app.mutex);
  const TriangleMesh& shown = *bench_of(app).shown;
  std::vector<std::uint32_t> triangles;
  for (const Triangle& t : shown.triangles)
    for (const int v : t) triangles.push_back(static_cast<std::uint32_t>(v));
  app.pages.reply(client, {{"positions", floats(shown.positions)}, {"triangles", base64(triangles)}});
}

void handle(Application& app, const Client& client, const command::TryJoints& tried) {
  const std::lock_guard lock(app.mutex);
  const RiggedDraft& draft = found_weights(bench_of(app));
  const Pose pose = tried_pose(draft, tried.joints);
  PageJson joints = PageJson::array();
  const std::size_t first = static_cast<std::size_t>(draft.first_joint);
  for (std::size_t j = 0; j < draft.joints.size(); ++j) {
    const Vec3 place = draft.character.metres_per_unit * pose.world[first + j].translation;
    joints.push_back({place.x, place.y, place.z});
  }
  app.pages.reply(client, {{"positions", floats(shown_positions(draft.character, pose))}, {"joints", joints}});
}

void handle(Application& app, const Client& client, const command::ShowWeights& weights) {
  const std::lock_guard lock(app.mutex);
  app.pages.reply(client, {{"values", base64(joint_weights(found_weights(bench_of(app)), weights.name))}});
}

void handle(Application& app, const Client& client, const command::PaintWeights& asked) {
  const std::lock_guard lock(app.mutex);
  paint(bench_of(app), asked, client.page);
  apply_joints(app);
  app.pages.reply(client);
}

void handle(Application& app, const Client& client, const command::ReportRig&) {
  const std::lock_guard lock(app.mutex);
  found_weights(bench_of(app));  // throws while there are none
  app.rig_worker.run([&app, client, draft = app.rigging->rigged] {
    try {
      PageJson faults = PageJson::array();
      for (const WeightFault& fault : weight_report(draft->character)) faults.push_back(fault_json(fault));
      app.pages.reply(client, {{"faults", faults}});
    } catch (const std::exception&) {
      app.pages.reply_error(client, sentence_of(std::current_exception()));
    }
  });
}

void handle(Application& app, const Client& client, const command::SaveRig& save) {
  const std::lock_guard lock(app.mutex);
  const RigBench& bench = bench_of(app);
  found_weights(bench);  // throws while there are none
  const fs::path file = output_path(bench, save.output);
  if (is_in_the_way(app, client, file, save.replace)) return;
  app.rig_worker.run([&app, client, file, open = save.open, bench, draft = bench.rigged] {
    try {
      write_rig(bench, *draft, file);
      if (open) return open_file(app, {file, nullptr}, client);
      app.pages.reply(client, {{"file", file.filename().string()}});
    } catch (const std::exception&) {
      app.pages.reply_error(client, sentence_of(std::current_exception()));
    }
  });
}

void handle(Application& app, const Client& client, const command::LetFall& asked) {
  const std::lock_guard lock(app.mutex);
  const RigBench& bench = bench_of(app);
  const fs::path file = output_path(bench, asked.output);
  for (const fs::path& each : {project_path(file), file})
    if (is_in_the_way(app, client, each, asked.replace)) return;
  app.rig_worker.run([&app, client, file, bench] {
    try {
      write_rig(bench, on_one_joint(bench), file);
      refuse_link(project_path(file));
      write_text_file(project_path(file), falling_project(bench, file));
      open_file(app, {file, nullptr}, client);
    } catch (const std::exception&) {
      app.pages.reply_error(client, sentence_of(std::current_exception()));
    }
  });
}

}  // namespace sinew::studio
