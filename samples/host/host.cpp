// A host program: opens a character from memory, plays a clip, pokes and drags it, goes back to a moment that was kept,
// and writes where the skin came to; then makes the same ready by itself and steps that by hand. With `lattice` the
// flesh moves in a control lattice.
//
//   sinew_host CHARACTER.glb SKIN.obj [lattice]
#include <sinew/base/file.h>
#include <sinew/sinew.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// docs/scene.md
sinew::Character read_packed(std::span<const std::byte> file, const std::string& name) {
  sinew::OpenedCharacter opened = sinew::open_rigged_character(file, name);
  if (!opened.size.sentence.empty()) std::printf("%s\n", opened.size.sentence.c_str());
  return std::move(opened.character);
}

// docs/scene.md
sinew::Scene make_scene(const sinew::Character& character) {
  const sinew::FleshMethod flesh;
  sinew::Scene scene = sinew::cook(flesh, {character});
  for (const std::string& note : scene.report.warnings) std::printf("%s\n", note.c_str());
  return scene;
}

// docs/session.md
std::unique_ptr<sinew::LiveCharacter> open(std::span<const std::byte> file, const std::string& name, bool lattice) {
  sinew::SessionRequest request;  // flesh in tetrahedra, over the file's first clip
  if (lattice) request.method.as<sinew::FleshMethod>().values.lattice.file = sinew::auto_lattice;
  auto live = sinew::open_session(file, name, request, [](const sinew::ProgressReport& done) {
    std::printf("%3.0f %% %s\n", 100 * done.fraction, done.activity.c_str());
    return true;  // false: stop, which throws sinew::Stopped
  });
  for (const std::string& note : live->notes()) std::printf("%s\n", note.c_str());
  return live;
}

// docs/session.md
std::vector<sinew::Vec3> play(sinew::Session& session, int frames) {
  std::vector<sinew::Vec3> positions(session.scene().surface->rest.positions.size());
  for (int frame = 0; frame < frames; ++frame) {
    session.advance(1.0 / 60);   // seconds that have passed, whatever the steps are
    session.surface(positions);  // metres, world: draw them
  }
  return positions;
}

// docs/session.md
void poke_and_drag(sinew::Session& session, const sinew::Vec3& point) {
  using Kind = sinew::Action::Kind;
  const double height = session.scene().height;
  session.act(
      {.kind = Kind::point_force, .point = point, .force = {0, 0, -30}, .radius = 0.1 * height, .seconds = 0.1});
  if (!session.traits().can.held) return;
  const sinew::Vec3 above = point + sinew::Vec3{0, 0.05 * height, 0};
  session.act({.kind = Kind::grab, .name = "mouse", .point = point, .target = above});
  play(session, 12);
  session.act({.kind = Kind::release, .name = "mouse"});
}

// docs/session.md
bool moves_the_same_again(sinew::Session& session, const sinew::Vec3& point) {
  const sinew::SessionState kept = session.save();
  poke_and_drag(session, point);
  const std::vector<sinew::Vec3> first = play(session, 12);
  session.load(kept, 1000);  // metres: nothing is farther away
  poke_and_drag(session, point);
  return play(session, 12) == first;
}

// docs/deformer.md
std::vector<sinew::Vec3> step_by_hand(const sinew::Character& character, const sinew::Scene& scene, int steps,
                                      const sinew::Environment& environment) {
  const std::unique_ptr<sinew::Deformer> deformer = scene.deformer();
  const double step = deformer->step();  // seconds
  const auto bones_at = [&](double time) {
    const sinew::Pose pose = sinew::sample(character.skeleton, &character.clips.at(0), time);
    return sinew::bone_transforms(character, scene.bones, pose);
  };
  std::vector<sinew::Affine> bones = bones_at(0), next = bones_at(step);
  deformer->reset({0, bones}, {step, next});
  for (int k = 1; k <= steps; ++k) {
    bones = bones_at(k * step);
    deformer->advance({k * step, bones}, environment);
  }
  std::vector<sinew::Vec3> positions(scene.surface->rest.positions.size());
  deformer->surface({steps * step, bones}, 0, positions);
  return positions;
}

// docs/session.md
std::vector<sinew::Vec3> step_on_this_thread_alone(const sinew::Character& character, const sinew::Scene& scene,
                                                   int steps) {
  const sinew::ThreadLoan none;  // of the host's own threads: ThreadLoan loan(jobs);
  return step_by_hand(character, scene, steps, {});
}

// docs/environment.md
sinew::Environment wind_and_ball(const sinew::Scene& scene, const sinew::Vec3& point) {
  const sinew::Capabilities can = scene.deformer()->traits().can;
  sinew::Environment environment;
  if (can.loads) environment.loads.push_back({point, {5, 0, 0}, 0.2 * scene.height});  // 5 N to the right
  if (can.colliders) {
    const sinew::Vec3 in_front = point + sinew::Vec3{0, 0, 0.09 * scene.height};
    environment.colliders.capsules.push_back(sinew::sphere_collider(in_front, 0.1 * scene.height));
  }
  return environment;
}

// The skin's vertex that is farthest in front.
sinew::Vec3 front_of(const sinew::Scene& scene) {
  const std::vector<sinew::Vec3>& rest = scene.surface->rest.positions;
  return *std::max_element(rest.begin(), rest.end(), [](const auto& a, const auto& b) { return a.z < b.z; });
}

double farthest(const std::vector<sinew::Vec3>& a, const std::vector<sinew::Vec3>& b) {
  double most = 0;
  for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, sinew::distance(a[v], b[v]));
  return most;
}

void write_skin(const std::string& path, const sinew::Scene& scene, const std::vector<sinew::Vec3>& positions) {
  std::string text;
  char line[100];
  for (const sinew::Vec3& p : positions) {
    std::snprintf(line, sizeof(line), "v %.6g %.6g %.6g\n", p.x, p.y, p.z);
    text += line;
  }
  for (const sinew::Triangle& t : scene.surface->rest.triangles) {
    std::snprintf(line, sizeof(line), "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1);
    text += line;
  }
  sinew::write_text_file(path, text);
}

int main(int count, char** arguments) try {
  if (count < 3) throw sinew::usage_error("give a character (.glb) and the file to write (.obj).");
  const std::vector<std::byte> file = sinew::read_file(arguments[1]);
  const std::unique_ptr<sinew::LiveCharacter> live =
      open(file, arguments[1], count > 3 && std::string(arguments[3]) == "lattice");
  if (live->character().clips.empty()) throw sinew::input_error(live->character().file + ": has no clip to play.");
  const std::vector<sinew::Vec3> played = play(live->session(), 60);
  if (!moves_the_same_again(live->session(), front_of(live->scene())))
    throw sinew::simulation_error("the same poke of the same moment moved the flesh otherwise.");
  write_skin(arguments[2], live->scene(), played);

  const sinew::Character character = read_packed(file, arguments[1]);
  const sinew::Scene scene = make_scene(character);
  const sinew::Vec3 front = front_of(scene);
  auto calm = std::async(std::launch::async, step_on_this_thread_alone, std::cref(character), std::cref(scene), 60);
  const double blown = farthest(step_by_hand(character, scene, 60, wind_and_ball(scene, front)), calm.get());
  std::printf("Wind and what stood in its way moved the skin by up to %.3g m.\n", blown);
  if (!(blown > 0)) throw sinew::simulation_error("the wind moved nothing.");
} catch (const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.kind());
}
