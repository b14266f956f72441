#include "studies/rig_space/serve_rig.h"

#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <tuple>

#include "sinew/base/error.h"
#include "sinew/files/rig_file.h"
#include "sinew/jobs/open_character.h"
#include "sinew/rig/outside/pipe_rig.h"

namespace sinew {
namespace {

using OrderedJson = nlohmann::ordered_json;

[[noreturn]] void refuse() { throw input_error("standard input: this is no request for a rig (docs/rigs.md)."); }

bool read_line(std::string& line) {
  line.clear();
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c == '\n') return true;
    line += static_cast<char>(c);
  }
  return false;
}

void send(const OrderedJson& json) {
  const std::string line = json.dump() + '\n';
  std::fwrite(line.data(), 1, line.size(), stdout);
}

const char* word(RigUnit unit) {
  switch (unit) {
    case RigUnit::metres:
      return "metres";
    case RigUnit::radians:
      return "radians";
    case RigUnit::logarithm:
      return "logarithm";
    case RigUnit::weight:
      return "weight";
    case RigUnit::other:
      break;
  }
  return "other";
}

// Vertices of the surface, in the order of the list [mesh, primitive, vertex].
std::vector<int> asked_vertices(const OrderedJson& list, const Character& character, const SimulationSurface& surface) {
  std::map<std::tuple<int, int, int>, int> number;
  for (std::size_t k = 0; k < surface.parts.size(); ++k) {
    const Part& part = character.parts[static_cast<std::size_t>(surface.parts[k])];
    for (std::size_t v = 0; v < surface.vertex_of[k].size(); ++v)
      number[{part.mesh, part.primitive, static_cast<int>(v)}] = surface.vertex_of[k][v];
  }
  std::vector<int> result;
  for (const OrderedJson& vertex : list) {
    const auto found = number.find({vertex.at(0).get<int>(), vertex.at(1).get<int>(), vertex.at(2).get<int>()});
    if (found == number.end()) refuse();
    result.push_back(found->second);
  }
  return result;
}

std::shared_ptr<Rig> asked_rig(const OrderedJson& hello, const std::filesystem::path& layers) {
  const OpenedCharacter opened = open_rigged_character(hello.at("file").get<std::string>());
  const Character& character = opened.character;
  const SimulationSurface surface = simulation_surface(character, false);
  std::optional<RigFile> file;
  if (!layers.empty()) file = read_rig_file(layers);
  return make_rig(file ? &*file : nullptr, character, surface, asked_vertices(hello.at("vertices"), character, surface))
      .rig;
}

OrderedJson introduction(const Rig& rig) {
  OrderedJson parameters = OrderedJson::array();
  for (const RigParameter& p : rig.parameters())
    parameters.push_back({{"name", p.name},
                          {"control", p.control},
                          {"unit", word(p.unit)},
                          {"rest", p.rest},
                          {"lower", p.lower},
                          {"upper", p.upper},
                          {"free", p.free_by_default}});
  return {{"protocol", "sinew-rig"},    {"version", pipe_rig_version}, {"name", "sinew"},
          {"vertices", rig.vertices()}, {"numbers", "binary"},         {"parameters", std::move(parameters)}};
}

void answer(Rig& rig, const OrderedJson& request, double seconds_per_evaluation) {
  const auto count = request.at("evaluate").get<std::size_t>();
  std::vector<double> p(rig.parameters().size());
  std::vector<Vec3> s(rig.vertices());
  send({{"id", request.at("id")}, {"surfaces", count}});
  for (std::size_t k = 0; k < count; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    if (std::fread(p.data(), sizeof(double), p.size(), stdin) != p.size()) refuse();
    rig.evaluate(p, s);
    std::this_thread::sleep_until(begin + std::chrono::duration<double>(seconds_per_evaluation));
    std::fwrite(s.data(), sizeof(Vec3), s.size(), stdout);
  }
  std::fflush(stdout);
}

}  // namespace

void serve_rig(const std::filesystem::path& layers, double seconds_per_evaluation) {
  try {
    std::string line;
    if (!read_line(line)) refuse();
    const std::shared_ptr<Rig> rig = asked_rig(OrderedJson::parse(line), layers);
    send(introduction(*rig));
    std::fflush(stdout);
    while (read_line(line)) answer(*rig, OrderedJson::parse(line), seconds_per_evaluation);
  } catch (const OrderedJson::exception&) {
    refuse();
  }
}

}  // namespace sinew
