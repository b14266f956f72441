#include "sinew/rig/outside/pipe_rig.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/rig/function_rig.h"
#include "sinew/rig/outside/pipe_rig_process.h"

namespace sinew {
namespace {

using OrderedJson = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "numbers travel as they are in memory");
static_assert(sizeof(Vec3) == 3 * sizeof(double));

constexpr std::size_t longest_introduction = std::size_t{64} << 20;
constexpr std::size_t most_at_once = 64;      // evaluations per request, so that a hanging program is noticed in time
constexpr int longest_greeting = 1000;        // lines
constexpr std::size_t bytes_per_number = 40;  // of text, more than any double needs

RigUnit unit_of(const std::string& word) {
  if (word == "metres") return RigUnit::metres;
  if (word == "radians") return RigUnit::radians;
  if (word == "logarithm") return RigUnit::logarithm;
  if (word == "weight") return RigUnit::weight;
  return RigUnit::other;
}

}  // namespace

// The conversation: lines of JSON, and blocks of numbers.
class PipeRig::Talk {
 public:
  Talk(const std::vector<std::string>& command, const std::filesystem::path& folder) : process_(command, folder) {}

  bool binary = false;

  void set_deadline(double seconds) { process_.set_deadline(seconds); }
  void send(const OrderedJson& json, std::span<const double> numbers = {}) {
    std::string message = json.dump();
    message += '\n';
    message.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    process_.send(message);
  }
  // Sends a request for evaluations, with a number of its own.
  void ask(OrderedJson evaluate, std::span<const double> p = {}) {
    OrderedJson request;
    request["id"] = ++asked_;
    request["evaluate"] = std::move(evaluate);
    send(request, p);
  }
  // Receives the answer to the last request.
  OrderedJson surfaces(std::size_t limit) {
    OrderedJson json = answer(limit);
    if (const std::size_t id = count(json, "id"); id != asked_)
      fail("the rig answered request " + std::to_string(id) + " instead of request " + std::to_string(asked_) + ".");
    return json;
  }
  // Reads the introduction, and skips what programs print when they start.
  OrderedJson introduction() {
    for (int greeting = 0;; ++greeting) {
      const std::string line = process_.line(longest_introduction);
      if (greeting == longest_greeting || line.starts_with('{')) return parsed(line);
    }
  }
  // Reads an object; throws if the program reports an error.
  OrderedJson answer(std::size_t limit) { return parsed(process_.line(limit)); }
  OrderedJson parsed(const std::string& line) {
    OrderedJson json = OrderedJson::parse(line, nullptr, false);
    if (!json.is_object()) {
      if (line.find("NaN") != std::string::npos || line.find("Infinity") != std::string::npos)
        fail("the rig answered a number that is not finite.");
      std::string begin = line.substr(0, 60);
      for (char& c : begin)
        if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
      fail("the rig answered '" + begin + (line.size() > 60 ? "...'" : "'") +
           " instead of a JSON object on one line; nothing else may go to its standard output.");
    }
    if (const auto error = json.find("error"); error != json.end())
      fail("the rig failed: " + (error->is_string() ? error->get<std::string>() : error->dump()));
    return json;
  }
  void read(std::span<Vec3> numbers) { process_.read({reinterpret_cast<char*>(numbers.data()), numbers.size_bytes()}); }
  [[noreturn]] void fail(const std::string& sentence) { process_.fail(sentence); }

  // Accessors of an answer's members.
  const OrderedJson& member(const OrderedJson& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end()) fail(std::string("the rig's answer has no \"") + key + "\".");
    return *found;
  }
  std::size_t count(const OrderedJson& json, const char* key) {
    const OrderedJson& value = member(json, key);
    if (!value.is_number_unsigned()) fail(std::string("\"") + key + "\" in the rig's answer is no count.");
    return value.get<std::size_t>();
  }
  std::string text(const OrderedJson& json, const char* key, const std::string& otherwise) {
    const auto found = json.find(key);
    if (found == json.end()) return otherwise;
    if (!found->is_string()) fail(std::string("\"") + key + "\" in the rig's answer is no text.");
    return found->get<std::string>();
  }
  double number(const OrderedJson& json, const char* key, double otherwise) {
    const auto found = json.find(key);
    if (found == json.end()) return otherwise;
    if (!found->is_number()) fail(std::string("\"") + key + "\" in the rig's answer is no number.");
    return found->get<double>();
  }

  RigParameter parameter(const OrderedJson& json) {
    if (!json.is_object()) fail("a parameter in the rig's answer is no object.");
    RigParameter p;
    p.name = text(json, "name", "");
    p.control = text(json, "control", p.name);
    p.unit = unit_of(text(json, "unit", "other"));
    p.rest = number(json, "rest", 0);
    p.lower = number(json, "lower", std::min(p.rest, 0.0) - 1);
    p.upper = number(json, "upper", std::max(p.rest, 0.0) + 1);
    if (const auto free = json.find("free"); free != json.end()) {
      if (!free->is_boolean()) fail("\"free\" in the rig's answer is neither true nor false.");
      p.free_by_default = free->get<bool>();
    }
    return p;
  }

 private:
  PipeProcess process_;
  std::size_t asked_ = 0;
};

std::vector<FileVertex> file_vertices(const Character& character, const SimulationSurface& surface,
                                      std::span<const int> vertices) {
  std::vector<FileVertex> all(surface.rest.positions.size());
  const Pose rest = sample(character.skeleton, nullptr, 0);
  for (std::size_t k = surface.parts.size(); k-- > 0;) {
    const Part& part = character.parts[index(surface.parts[k])];
    const std::vector<Vec3> posed = posed_positions(character, part, rest);
    for (std::size_t v = surface.vertex_of[k].size(); v-- > 0;)
      all[index(surface.vertex_of[k][v])] = {part.mesh, part.primitive, static_cast<int>(v),
                                             posed[v] * character.metres_per_unit};
  }
  if (vertices.empty()) return all;
  std::vector<FileVertex> chosen;
  for (const int v : vertices) chosen.push_back(all[index(v)]);
  return chosen;
}

PipeRig::PipeRig(const std::vector<std::string>& command, const std::string& file, std::span<const FileVertex> vertices,
                 const PipeRigOptions& options)
    : talk_(std::make_unique<Talk>(command, options.folder)), vertices_(vertices.size()), timeout_(options.timeout) {
  OrderedJson hello;
  hello["protocol"] = "sinew-rig";
  hello["version"] = pipe_rig_version;
  hello["file"] = file;
  OrderedJson list = OrderedJson::array(), positions = OrderedJson::array();
  for (const FileVertex& v : vertices) {
    list.push_back({v.mesh, v.primitive, v.vertex});
    positions.push_back({v.position.x, v.position.y, v.position.z});
  }
  hello["vertices"] = std::move(list);
  hello["positions"] = std::move(positions);
  talk_->set_deadline(options.start_timeout);
  talk_->send(hello);
  const OrderedJson answer = talk_->introduction();
  if (talk_->text(answer, "protocol", "") != "sinew-rig")
    talk_->fail("the rig does not speak the protocol \"sinew-rig\".");
  if (const std::size_t version = talk_->count(answer, "version"); version != pipe_rig_version)
    talk_->fail("the rig speaks version " + std::to_string(version) + " of the protocol, and this program version " +
                std::to_string(pipe_rig_version) + ".");
  name_ = talk_->text(answer, "name", "rig");
  const std::string numbers = talk_->text(answer, "numbers", "text");
  if (numbers != "text" && numbers != "binary") talk_->fail("\"numbers\" is neither \"text\" nor \"binary\".");
  talk_->binary = numbers == "binary";
  if (const std::size_t count = talk_->count(answer, "vertices"); count != vertices_)
    talk_->fail("the rig answers for " + std::to_string(count) + " vertices instead of " + std::to_string(vertices_) +
                "; it has to answer for those that it is asked for.");
  const OrderedJson& parameters = talk_->member(answer, "parameters");
  if (!parameters.is_array()) talk_->fail("\"parameters\" in the rig's answer is no list.");
  for (const OrderedJson& parameter : parameters) parameters_.push_back(talk_->parameter(parameter));
  const std::string wrong = wrong_parameters("the rig '" + name_ + "'", parameters_);
  if (!wrong.empty()) talk_->fail(wrong);
}

PipeRig::~PipeRig() = default;

void PipeRig::evaluate_many(std::span<const double> p, std::span<Vec3> s) {
  const std::size_t width = parameters_.size();
  const std::size_t count = vertices_ > 0 ? s.size() / vertices_ : 0;
  if (s.size() != count * vertices_ || p.size() != count * width)
    throw usage_error("the rig '" + name_ + "' has " + std::to_string(width) + " parameters and " +
                      std::to_string(vertices_) + " vertices, not what was passed.");
  if (count == 0) return;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isfinite(p[i]))
      throw input_error("the rig '" + name_ + "': parameter '" + parameters_[i % width].name +
                        "' is set to something that is not a finite number.");
  for (std::size_t begin = 0; begin < count; begin += most_at_once) {
    const std::size_t some = std::min(most_at_once, count - begin);
    exchange(p.subspan(begin * width, some * width), s.subspan(begin * vertices_, some * vertices_));
  }
}

// Exchanges one request and its answer.
void PipeRig::exchange(std::span<const double> p, std::span<Vec3> s) {
  const std::size_t width = parameters_.size(), count = s.size() / vertices_;
  talk_->set_deadline(timeout_);
  if (talk_->binary) {
    talk_->ask(count, p);
    const OrderedJson answer = talk_->surfaces(longest_introduction);
    if (const std::size_t given = talk_->count(answer, "surfaces"); given != count)
      talk_->fail("the rig answered " + std::to_string(given) + " surfaces instead of " + std::to_string(count) + ".");
    talk_->read(s);
  } else {
    OrderedJson vectors = OrderedJson::array();
    for (std::size_t i = 0; i < count; ++i) vectors.push_back(p.subspan(i * width, width));
    talk_->ask(std::move(vectors));
    const OrderedJson answer = talk_->surfaces(longest_introduction + 3 * s.size() * bytes_per_number);
    const OrderedJson& surfaces = talk_->member(answer, "surfaces");
    if (!surfaces.is_array() || surfaces.size() != count)
      talk_->fail("the rig answered " + std::to_string(surfaces.is_array() ? surfaces.size() : 0) +
                  " surfaces instead of " + std::to_string(count) + ".");
    for (std::size_t i = 0; i < count; ++i) {
      const OrderedJson& surface = surfaces[i];
      if (!surface.is_array() || surface.size() != 3 * vertices_)
        talk_->fail("the rig answered " + std::to_string(surface.is_array() ? surface.size() : 0) +
                    " numbers for a surface instead of three for each of " + std::to_string(vertices_) + " vertices.");
      for (std::size_t k = 0; k < surface.size(); ++k) {
        if (!surface[k].is_number())
          talk_->fail("the rig answered a coordinate of vertex " + std::to_string(k / 3) + " that is no number.");
        s[i * vertices_ + k / 3][k % 3] = surface[k].get<double>();
      }
    }
  }
  for (std::size_t v = 0; v < s.size(); ++v)
    if (!is_finite(s[v]))
      talk_->fail("the rig puts vertex " + std::to_string(v % vertices_) + " at a position that is not finite.");
}

}  // namespace sinew
