#include "sinew/rig/outside/pipe_rig.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sinew/base/error.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/rig/rig_differences.h"
#include "sinew/rig/rig_time.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "tests/base/refusal.h"
#include "tests/rig/rig_checks.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

constexpr const char* mode_variable = "SINEW_TEST_PIPE_RIG";

// ---- The rig outside: this very program, started anew with a mode in its environment. ----

bool read_all(char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(0, bytes, count);
    if (got <= 0) return false;
    bytes += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool read_line(std::string& line) {
  line.clear();
  char c = 0;
  while (read_all(&c, 1)) {
    if (c == '\n') return true;
    line += c;
  }
  return false;
}

void write_all(const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t sent = ::write(1, bytes.data() + done, bytes.size() - done);
    if (sent <= 0) ::_exit(9);
    done += static_cast<std::size_t>(sent);
  }
}

// Vertex v at (v, a sin(v + time), b^2 v).
std::vector<double> wave(const double* p, std::size_t vertices) {
  std::vector<double> numbers;
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto x = static_cast<double>(v);
    numbers.insert(numbers.end(), {x, p[0] * std::sin(x + p[2]), p[1] * p[1] * x});
  }
  return numbers;
}

[[noreturn]] void serve(const std::string& mode) {
  std::string line;
  if (mode == "dies at once") ::_exit(3);
  if (mode == "is killed") ::raise(SIGTERM);
  if (!read_line(line)) ::_exit(8);
  const std::size_t vertices = Json::parse(line)["vertices"].size();
  if (mode == "greets") write_all("Rig 3.4\n\nThere are {braces} in here.\n");
  if (mode == "chats")
    while (true) write_all("Welcome to the rig!\n");
  if (mode == "sleeps") ::sleep(100);
  if (mode == "sleeps stubbornly") {
    ::signal(SIGTERM, SIG_IGN);
    while (true) ::sleep(100);
  }
  Json hello;
  hello["protocol"] = "sinew-rig";
  hello["version"] = mode == "is of tomorrow" ? 2 : 1;
  hello["name"] = "wave";
  hello["vertices"] = mode == "miscounts vertices" ? vertices + 1 : vertices;
  hello["numbers"] =
      mode == "text" || mode == "answers NaN as text" || mode == "answers short text" ? "text" : "binary";
  hello["parameters"] = {{{"name", "a"}, {"unit", "metres"}, {"rest", 0.5}, {"control", "wave"}},
                         {{"name", "b"}, {"lower", -2}, {"upper", 3}},
                         {{"name", "time"}, {"lower", 0}, {"upper", 100}, {"free", false}}};
  if (mode == "names twice") hello["parameters"][1]["name"] = "a";
  if (mode == "has an empty range") hello["parameters"][1]["upper"] = -2;
  if (mode == "forgets its parameters") hello.erase("parameters");
  if (mode == "reports an error") hello = {{"error", "the scene has no node 'belly'"}};
  write_all(hello.dump() + "\n");
  for (int request = 0; read_line(line); ++request) {
    const Json json = Json::parse(line);
    if (mode == "dies later" && request == 1) ::_exit(4);
    if (mode == "sleeps later" && request == 1) ::sleep(100);
    if (mode == "fails later" && request == 1) write_all("{\"error\": \"no licence\"}\n");
    if (json["evaluate"].is_array()) {
      Json surfaces = Json::array();
      for (const Json& p : json["evaluate"]) {
        const std::vector<double> values = p.get<std::vector<double>>();
        surfaces.push_back(wave(values.data(), vertices));
      }
      if (mode == "answers short text") surfaces[0].erase(0);
      if (mode == "answers NaN as text")
        write_all("{\"id\": 1, \"surfaces\": [[NaN, 0, 0]]}\n");
      else
        write_all(Json{{"id", json["id"]}, {"surfaces", surfaces}}.dump() + "\n");
      continue;
    }
    const auto count = json["evaluate"].get<std::size_t>();
    std::vector<double> p(3 * count), numbers;
    if (!read_all(reinterpret_cast<char*>(p.data()), p.size() * sizeof(double))) ::_exit(7);
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<double> surface = wave(p.data() + 3 * i, vertices);
      numbers.insert(numbers.end(), surface.begin(), surface.end());
    }
    if (mode == "answers NaN") numbers[3] = NAN;
    write_all(Json{{"id", json["id"]}, {"surfaces", mode == "miscounts surfaces" ? count + 1 : count}}.dump() + "\n");
    std::string bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
    if (mode == "stops half-way") bytes.resize(bytes.size() / 2);
    write_all(bytes);
    if (mode == "stops half-way") ::_exit(0);
    if (mode == "answers twice") write_all(Json{{"id", json["id"]}, {"surfaces", count}}.dump() + "\n" + bytes);
  }
  ::_exit(0);
}

// Before main(), so that nothing else of the test program runs or writes.
const bool is_outside = [] {
  if (const char* mode = std::getenv(mode_variable)) serve(mode);
  return false;
}();

// ---- The tests. ----

std::vector<std::string> command(const std::string& mode) {
  return {"env", std::string(mode_variable) + "=" + mode, std::filesystem::read_symlink("/proc/self/exe").string()};
}

std::unique_ptr<PipeRig> start(const std::string& mode, std::size_t vertices = 5, const PipeRigOptions& options = {}) {
  return std::make_unique<PipeRig>(command(mode), "made.glb", std::vector<FileVertex>(vertices), options);
}

void expect_no_children() {
  int status = 0;
  EXPECT_EQ(::waitpid(-1, &status, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

int open_descriptors() {
  int count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

void expect_wave(const std::vector<double>& p, std::span<const Vec3> s, std::size_t vertices) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto x = static_cast<double>(i % vertices);
    const double* q = p.data() + 3 * (i / vertices);
    EXPECT_EQ(s[i], (Vec3{x, q[0] * std::sin(x + q[2]), q[1] * q[1] * x}));
  }
}

TEST(PipeRig, EvaluatesInBinaryAndInText) {
  for (const char* mode : {"binary", "text"}) {
    const std::unique_ptr<PipeRig> rig = start(mode);
    EXPECT_EQ(rig->name(), "wave");
    EXPECT_EQ(rig->vertices(), 5u);
    ASSERT_EQ(rig->parameters().size(), 3u);
    EXPECT_EQ(rig->parameters()[0].control, "wave");
    EXPECT_EQ(rig->parameters()[0].unit, RigUnit::metres);
    EXPECT_EQ(rig->parameters()[0].rest, 0.5);
    EXPECT_EQ(rig->parameters()[1].control, "b");
    EXPECT_EQ(rig->parameters()[1].upper, 3);
    EXPECT_FALSE(rig->parameters()[2].free_by_default);
    std::vector<double> p;
    for (int i = 0; i < 7; ++i) p.insert(p.end(), {0.1 * i, 1.0 / (i + 3), std::sqrt(i)});
    std::vector<Vec3> s(7 * 5);
    rig->evaluate_many(p, s);
    expect_wave(p, s, 5);  // to the last bit, in text too
    rig->evaluate(std::span<const double>(p).subspan(3, 3), std::span(s).first(5));
    expect_wave({p[3], p[4], p[5]}, std::span(s).first(5), 5);
  }
  expect_no_children();
}

// More bytes in both directions than any pipe holds.
TEST(PipeRig, LargeRequestsDoNotLock) {
  const std::unique_ptr<PipeRig> rig = start("binary", 2000);
  std::vector<double> p(3 * 200, 0.25);
  std::vector<Vec3> s(200 * 2000);
  rig->evaluate_many(p, s);
  expect_wave(p, s, 2000);
  const std::unique_ptr<PipeRig> text = start("text", 500);
  p.resize(3 * 4000);
  s.resize(4000 * 5);
  const std::unique_ptr<PipeRig> many = start("text", 5);
  many->evaluate_many(p, s);
  expect_wave(p, s, 5);
}

TEST(PipeRig, IsDifferentiatedAsAnyOther) {
  const std::unique_ptr<PipeRig> rig = start("binary", 4);
  const std::vector<double> p{0.3, 0.7, 2};
  RigDifferences differences(*rig, {0, 1}, p);
  RigJacobian jacobian;
  differences.jacobian(p, jacobian);
  for (std::size_t v = 0; v < 4; ++v) {
    const auto x = static_cast<double>(v);
    EXPECT_NEAR(test::dense_column(jacobian, 0, 4)[v].y, std::sin(x + 2), 1e-9);
    EXPECT_NEAR(test::dense_column(jacobian, 1, 4)[v].z, 1.4 * x, 1e-8);
  }
}

TEST(PipeRig, GreetingsArePassedOver) {
  const std::unique_ptr<PipeRig> rig = start("greets");
  const std::vector<double> p{0.3, 0.7, 2};
  std::vector<Vec3> s(5);
  rig->evaluate(p, s);
  expect_wave(p, s, 5);
}

TEST(PipeRig, TimeIsAParameter) {
  const std::unique_ptr<PipeRig> rig = start("binary");
  const TimeAnimation animation(*rig);
  EXPECT_EQ(animation.keyed(), (std::vector<char>{0, 0, 1}));
  std::vector<double> p{1, 1, 0};
  animation.sample(1.5, p);
  EXPECT_EQ(p, (std::vector<double>{1, 1, 1.5}));
}

std::string refused_at_start(const std::string& mode, const PipeRigOptions& options = {}) {
  const int before = open_descriptors();
  const std::string sentence = test::refusal(ErrorKind::input, [&] { start(mode, 5, options); });
  expect_no_children();
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(sentence.find("`env " + std::string(mode_variable)), 0u) << sentence;
  return sentence;
}

TEST(PipeRig, SaysWhyItDoesNotStart) {
  const auto contains = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  const auto expect = [&](const char* mode, const char* part) {
    const std::string sentence = refused_at_start(mode);
    EXPECT_TRUE(contains(sentence, part)) << sentence;
  };
  expect("dies at once", "the rig ended with exit code 3 instead of answering");
  expect("is killed", "the rig died of signal 15");
  expect("chats", "the rig answered 'Welcome to the rig!' instead of a JSON object");
  expect("is of tomorrow", "version 2");
  expect("miscounts vertices", "answers for 6 vertices instead of 5");
  expect("names twice", "two parameters are named 'a'");
  expect("has an empty range", "range of parameter 'b' is empty");
  expect("forgets its parameters", "has no \"parameters\"");
  expect("reports an error", "the rig failed: the scene has no node 'belly'");

  const std::string missing = test::refusal(
      ErrorKind::input, [&] { PipeRig({"there-is-no-such-program"}, "made.glb", std::vector<FileVertex>(1)); });
  EXPECT_TRUE(contains(missing, "`there-is-no-such-program`: the rig cannot be started: No such file")) << missing;
  PipeRigOptions nowhere;
  nowhere.folder = "/there/is/no/such/folder";
  EXPECT_TRUE(contains(refused_at_start("binary", nowhere), "/there/is/no/such/folder"));
  const std::string empty =
      test::refusal(ErrorKind::input, [&] { PipeRig({}, "made.glb", std::vector<FileVertex>(1)); });
  EXPECT_TRUE(contains(empty, "empty")) << empty;
  // A program that answers nothing and reads nothing, but ends well.
  const std::string silent =
      test::refusal(ErrorKind::input, [&] { PipeRig({"true"}, "made.glb", std::vector<FileVertex>(1)); });
  EXPECT_TRUE(contains(silent, "`true`: the rig ended with exit code 0")) << silent;
  expect_no_children();
}

TEST(PipeRig, WaitsNoLongerThanItMay) {
  PipeRigOptions options;
  options.start_timeout = 0.3;
  for (const char* mode : {"sleeps", "sleeps stubbornly"}) {
    const auto begin = std::chrono::steady_clock::now();
    const std::string sentence = refused_at_start(mode, options);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    EXPECT_NE(sentence.find("did not answer within 0.3 s"), std::string::npos) << sentence;
  }
}

// The second evaluation fails; asked again, the rig says that it failed.
std::string refused_later(const std::string& mode, const PipeRigOptions& options = {}, int good = 1) {
  const std::unique_ptr<PipeRig> rig = start(mode, 5, options);
  const std::vector<double> p{1, 1, 1};
  std::vector<Vec3> s(5);
  for (int i = 0; i < good; ++i) rig->evaluate(p, s);
  const std::string sentence = test::refusal(ErrorKind::input, [&] { rig->evaluate(p, s); });
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { rig->evaluate(p, s); }).find("cannot be asked again"),
            std::string::npos);
  expect_no_children();
  return sentence;
}

TEST(PipeRig, SaysWhatWentWrong) {
  const auto expect = [](const std::string& sentence, const char* part) {
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  };
  PipeRigOptions impatient;
  impatient.timeout = 0.3;
  expect(refused_later("dies later"), "ended with exit code 4");
  expect(refused_later("fails later"), "the rig failed: no licence");
  expect(refused_later("sleeps later", impatient), "did not answer within 0.3 s");
  const std::string twice = refused_later("answers twice");
  // It may be noticed before the next request is sent, or by the number of the answer.
  EXPECT_TRUE(twice.find("more than it was asked for") != std::string::npos ||
              twice.find("answered request 1 instead of request 2") != std::string::npos)
      << twice;
  expect(refused_later("answers NaN", {}, 0), "vertex 1 at a position that is not finite");
  expect(refused_later("answers NaN as text", {}, 0), "a number that is not finite");
  expect(refused_later("answers short text", {}, 0),
         "14 numbers for a surface instead of three for each of 5 vertices");
  expect(refused_later("miscounts surfaces", {}, 0), "2 surfaces instead of 1");
  expect(refused_later("stops half-way", {}, 0), "60 bytes instead of 120");
}

TEST(PipeRig, RefusesParametersThatAreNoNumbers) {
  const std::unique_ptr<PipeRig> rig = start("binary");
  std::vector<Vec3> s(5);
  EXPECT_NE(test::refusal(ErrorKind::input,
                          [&] {
                            rig->evaluate(std::vector<double>{1, NAN, 1}, s);
                          })
                .find("parameter 'b'"),
            std::string::npos);
  rig->evaluate(std::vector<double>{1, 1, 1}, s);  // nothing was sent, and nothing is broken
}

TEST(PipeRig, ThePythonSampleWorks) {
  if (std::system("python3 -c 'import json, struct' > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "Not tested: there is no python3.";
  const std::string script = std::string(SINEW_SOURCE_DIR) + "/tests/rig/pipe_rig_sample.py";
  for (const bool binary : {false, true}) {
    std::vector<std::string> words{"python3", script};
    if (binary) words.emplace_back("--binary");
    PipeRig rig(words, "made.glb", std::vector<FileVertex>(50));
    std::vector<double> p{0.2, 0.3, 1.5, -0.4, 0.1, 0};
    std::vector<Vec3> s(100);
    rig.evaluate_many(p, s);
    for (std::size_t i = 0; i < 100; ++i) {
      const double x = 0.01 * static_cast<double>(i % 50);
      const double* q = p.data() + 3 * (i / 50);
      EXPECT_LE(norm(s[i] - Vec3{x, q[0] * std::sin(x + q[2]), q[1] * x * x}), 1e-15);
    }
  }
  expect_no_children();
}

// An animation package as the rig: what it shows of a clip is what the character's own rig does.
TEST(PipeRig, BlenderIsARig) {
  if (std::system("blender -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' > /dev/null 2>&1") !=
      0)
    GTEST_SKIP() << "Not tested: there is no blender.";
  const std::filesystem::path folder = std::filesystem::path(SINEW_SOURCE_DIR) / "samples";
  Character character = read_character(folder / "tube.glb");
  character.file = (folder / "tube.glb").string();
  const SimulationSurface surface = simulation_surface(character);
  const Clip& clip = character.clips.front();
  const std::string bone = surface.bones.back().name;
  PipeRigOptions options;
  options.start_timeout = options.timeout = 120;
  PipeRig blender({"blender", "-b", "--factory-startup", "--python",
                   std::string(SINEW_SOURCE_DIR) + "/tests/rig/pipe_rig_blender.py", "--", clip.name, bone},
                  character.file, file_vertices(character, surface), options);
  EXPECT_EQ(blender.name(), "Blender");
  CharacterRig own(character, surface);
  const ClipAnimation animation(own, clip);
  std::vector<double> p = test::rest_parameters(own), still(blender.parameters().size(), 0.0);
  // At keys, since Blender interpolates quaternions by components, and glTF by arcs.
  for (const double time :
       {clip.start, clip.channels.front().times[clip.channels.front().times.size() / 2], clip.end}) {
    still[0] = time;
    animation.sample(time, p);
    // Blender computes in floats.
    EXPECT_LE(test::largest_distance(test::evaluated(blender, still), test::evaluated(own, p)), 1e-5) << time;
  }
  // Its rounding is found, and derivatives come out all the same: turning a bone moves a vertex across the turn's axis,
  // by as much as it is away from it.
  RigDifferences differences(blender, {1, 2, 3}, still);
  EXPECT_GT(differences.noise(), 1e-9);
  EXPECT_LT(differences.noise(), 1e-6);
  RigJacobian jacobian;
  differences.jacobian(still, jacobian);
  std::vector<double> turned = still;
  turned[2] = 0.02;
  const std::vector<Vec3> before = test::evaluated(blender, still), after = test::evaluated(blender, turned);
  const std::vector<Vec3> column = test::dense_column(jacobian, 1, blender.vertices());
  double largest = 0;
  for (std::size_t v = 0; v < before.size(); ++v) {
    largest = std::max(largest, norm(column[v]));
    EXPECT_LE(norm(after[v] - before[v] - 0.02 * column[v]), 0.5 * 0.02 * 0.02 * 2 + 1e-5);
  }
  EXPECT_GT(largest, 0.05);
}

TEST(PipeRig, VerticesAreThoseOfTheFile) {
  const Character character = read_character(std::string(SINEW_SOURCE_DIR) + "/samples/sumo.glb");
  const SimulationSurface surface = simulation_surface(character);
  const std::vector<int> chosen{5, 0, static_cast<int>(surface.rest.positions.size()) - 1};
  const std::vector<FileVertex> vertices = file_vertices(character, surface, chosen);
  ASSERT_EQ(vertices.size(), 3u);
  CharacterRig rig(character, surface);
  const std::vector<Vec3> shown = test::evaluated(rig, test::rest_parameters(rig));
  for (std::size_t i = 0; i < 3; ++i) {
    bool found = false;
    for (std::size_t k = 0; k < surface.parts.size(); ++k) {
      const Part& part = character.parts[static_cast<std::size_t>(surface.parts[k])];
      if (part.mesh != vertices[i].mesh || part.primitive != vertices[i].primitive) continue;
      found |= surface.vertex_of[k][static_cast<std::size_t>(vertices[i].vertex)] == chosen[i];
    }
    EXPECT_TRUE(found);
    EXPECT_LE(distance(vertices[i].position, shown[static_cast<std::size_t>(chosen[i])]), 1e-5);
  }
}

}  // namespace
}  // namespace sinew
