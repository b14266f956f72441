#include "sinew/gpu/surface_gpu_model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <string>

#include "sinew/base/error.h"
#include "sinew/deform/surface/parameter_codes.h"
#include "sinew/deform/surface/runtime_order.h"
#include "sinew/deform/surface/surface_modes.h"
#include "sinew/deform/surface/vertex_terms.h"

namespace sinew {
namespace {

constexpr std::size_t slice = 32;  // vertices whose lists are interleaved
constexpr std::size_t most_spokes = 255, most_neighbours = 65535, most_bones = 65536, most_segments = 65536;
constexpr double largest_rest = 1e3;  // metres, as in the model's file
constexpr std::uint32_t full_weight = 65535, no_vertex = 0xffffffffu;

using Words = std::vector<std::uint32_t>;

std::uint32_t bits(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

std::uint32_t rounded(double value) { return static_cast<std::uint32_t>(std::lround(value)); }

[[noreturn]] void unsound(std::size_t vertex, const std::string& what) {
  throw input_error("vertex " + std::to_string(vertex) + " of the surface model " + what + ": fit the model again");
}

bool is_near(const Vec3& p) {  // false for what is not finite, too
  return std::abs(p.x) <= largest_rest && std::abs(p.y) <= largest_rest && std::abs(p.z) <= largest_rest;
}

// True for a matrix of trace 3 without a negative minor; false also for numbers that are not finite.
bool is_restoration(const RestorationShape& s) {
  constexpr double slack = 1e-3;
  const Mat3 m = to_matrix(s);
  return std::abs(trace(m) - 3) < slack && s.xx > -slack && s.yy > -slack && s.zz > -slack &&
         s.xx * s.yy - s.xy * s.xy > -slack && s.xx * s.zz - s.xz * s.xz > -slack &&
         s.yy * s.zz - s.yz * s.yz > -slack && determinant(m) > -slack;
}

bool in_range(int index, std::size_t count) { return index >= 0 && static_cast<std::size_t>(index) < count; }

void check_list(const std::vector<int>& first, std::size_t vertices, std::size_t entries, const char* what) {
  bool sound = first.size() == vertices + 1 && first.front() == 0 && std::is_sorted(first.begin(), first.end());
  if (!sound || static_cast<std::size_t>(first.back()) != entries)
    throw input_error(std::string("the lists of ") + what + " of the surface model do not add up: fit the model again");
}

void check_model(const SurfaceModel& m) {
  const std::size_t n = m.rest.size();
  if (n == 0) throw input_error("the surface model has no vertices: fit it to a character that has some");
  if (m.normals.size() != n || m.influences.size() != n || m.parameters.size() != n)
    throw input_error("the surface model does not say everything of each of its " + std::to_string(n) +
                      " vertices: fit it again");
  if (!(m.step > 0) || !(m.reach > 0) || !std::isfinite(m.step) || !std::isfinite(m.reach))
    throw input_error("step and reach of the surface model must be positive: fit it again");
  if (m.bones.size() > most_bones || m.segments.size() > most_segments)
    throw input_error(
        "the surface model has more than 65536 bones or segments, which the GPU cannot count: use the "
        "run-time for the processor");
  if (!m.shape.empty() && m.shape.size() != n)
    throw input_error("the surface model has shapes of restoration for another number of vertices: fit it again");
  if (m.modes.size() > max_surface_modes)
    throw input_error("the surface model has more than 16 modes: fit it with fewer");
  for (const SurfaceMode& mode : m.modes) {
    if (mode.shape.size() != n || mode.drive.size() != m.bones.size())
      throw input_error("the surface model has a mode for another number of vertices or bones: fit it again");
    for (const Vec3& d : mode.shape)
      if (!(std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= 1.001))
        throw input_error("the surface model has a mode longer than 1: fit it again");
  }
  check_list(m.first_neighbour, n, m.neighbours.size(), "neighbours");
  check_list(m.first_spoke, n, m.spokes.size(), "spokes");
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_near(m.rest[i]) || !is_near(m.normals[i])) unsound(i, "is not finite or farther than 1 km from the origin");
    const Influences& influences = m.influences[i];
    if (influences.count < 0 || influences.count > max_surface_influences) unsound(i, "has too many influences");
    double sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k) {
      if (!in_range(influences.joint[k], m.bones.size())) unsound(i, "follows a bone that is not there");
      if (!(influences.weight[k] >= 0)) unsound(i, "has a negative weight");
      sum += influences.weight[k];
    }
    if (influences.count > 0 && !(std::abs(sum - 1) < 1e-3)) unsound(i, "has weights that do not add up to one");
    sum = 0;
    const auto spokes = static_cast<std::size_t>(m.first_spoke[i + 1] - m.first_spoke[i]);
    for (std::size_t k = 0; k < spokes; ++k) sum += m.spokes[static_cast<std::size_t>(m.first_spoke[i]) + k].weight;
    if (spokes > 0 && !(std::abs(sum - 1) < 1e-3)) unsound(i, "has spokes whose weights do not add up to one");
    const auto neighbours = static_cast<std::size_t>(m.first_neighbour[i + 1] - m.first_neighbour[i]);
    if (spokes > most_spokes || neighbours > most_neighbours)
      unsound(i, "has more spokes or neighbours than 255 or 65535");
    if (!m.shape.empty() && !is_restoration(m.shape[i])) unsound(i, "has a shape of restoration out of its range");
    const VertexParameters& p = m.parameters[i];
    for (const double value : {p.alpha, p.beta, p.gamma, 2 * p.lambda, p.delta})
      if (!(value >= 0 && value <= 1)) unsound(i, "has a parameter out of its range");
  }
  for (const int j : m.neighbours)
    if (!in_range(j, n)) throw input_error("a neighbour in the surface model is not there: fit the model again");
  for (const Spoke& spoke : m.spokes)
    if (!in_range(spoke.segment, m.segments.size()) || !(spoke.weight >= 0 && spoke.weight <= 1))
      throw input_error("a spoke in the surface model hangs on a segment that is not there: fit the model again");
  for (const SurfaceSegment& segment : m.segments)
    if (!in_range(segment.bone, m.bones.size()) || !is_near(segment.head) || !is_near(segment.tail))
      throw input_error("a segment in the surface model has no bone, or no place: fit the model again");
  for (const SurfaceModelPart& part : m.parts)
    for (const int vertex : part.vertex_of)
      if (vertex != -1 && !in_range(vertex, n))
        throw input_error("part '" + part.name +
                          "' of the surface model names a vertex that is not there: fit it again");
}

// Fractions of 65535 whose sum is exact: the running sum is rounded. Weights that come from a model's file do not
// change.
Words rounded_weights(const std::vector<double>& weights) {
  Words rounded_ones;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  double done = 0;
  std::uint32_t given = 0;
  for (const double weight : weights) {
    done += weight / sum;
    const std::uint32_t upto = std::min(full_weight, rounded(done * full_weight));
    rounded_ones.push_back(upto - given);
    given = upto;
  }
  return rounded_ones;
}

// Weights in descending order with zeros last, so that the shader can stop at the first zero.
std::array<std::uint32_t, 4> skin_words(const Influences& influences) {
  Words weights = rounded_weights({influences.weight.begin(), influences.weight.begin() + influences.count});
  weights.resize(4);
  std::array<std::uint32_t, 4> order{0, 1, 2, 3}, bones{};
  std::stable_partition(order.begin(), order.end(), [&](std::uint32_t k) { return weights[k] > 0; });
  std::array<std::uint32_t, 4> sorted{};
  for (std::size_t k = 0; k < 4; ++k) {
    sorted[k] = weights[order[k]];
    if (sorted[k] > 0) bones[k] = static_cast<std::uint32_t>(influences.joint[order[k]]);
  }
  return {bones[0] | bones[1] << 16, bones[2] | bones[3] << 16, sorted[0] | sorted[1] << 16,
          sorted[2] | sorted[3] << 16};
}

std::uint32_t parameter_word(const ParameterCodes& codes) {
  return codes[0] | std::uint32_t{codes[1]} << 8 | std::uint32_t{codes[2]} << 16 | std::uint32_t{codes[3]} << 24;
}

std::uint32_t signed_fraction(double value) {
  return static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0, 1.0) * 32767)));
}

// Octahedral encoding of a unit normal.
std::uint32_t octahedral_word(const Vec3& normal) {
  const double sum = std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z);
  if (!(sum > 0)) return 0;  // a vertex of no triangle: +Z
  double x = normal.x / sum, y = normal.y / sum;
  if (normal.z < 0) {
    const double folded = (1 - std::abs(y)) * (x < 0 ? -1 : 1);
    y = (1 - std::abs(x)) * (y < 0 ? -1 : 1);
    x = folded;
  }
  return signed_fraction(x) | signed_fraction(y) << 16;
}

void append_shapes(const SurfaceModel& model, SurfaceGpuModel& packed) {
  const auto unsigned_fraction = [](double value) { return rounded(std::clamp(value, 0.0, 1.0) * 65535); };
  for (const std::uint32_t i : packed.order)
    packed.words.push_back(unsigned_fraction(model.shape[i].xx / 3) | unsigned_fraction(model.shape[i].yy / 3) << 16);
  for (const std::uint32_t i : packed.order)
    packed.words.push_back(signed_fraction(model.shape[i].xy / 1.5) | signed_fraction(model.shape[i].xz / 1.5) << 16);
  for (const std::uint32_t i : packed.order) packed.words.push_back(signed_fraction(model.shape[i].yz / 1.5));
}

// Appends vectors as signed fractions of the largest number, two words per vertex. Returns that number.
double append_fractions(const std::vector<Vec3>& vectors, SurfaceGpuModel& packed) {
  double scale = 0;
  for (const Vec3& d : vectors) scale = std::max({scale, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  const double share = scale > 0 ? 1 / scale : 0;
  for (const std::uint32_t i : packed.order)
    packed.words.push_back(signed_fraction(vectors[i].x * share) | signed_fraction(vectors[i].y * share) << 16);
  for (const std::uint32_t i : packed.order) packed.words.push_back(signed_fraction(vectors[i].z * share));
  return scale;
}

void append_modes(const SurfaceModel& model, SurfaceGpuModel& packed) {
  packed.modes = static_cast<std::uint32_t>(packed.words.size());
  if (model.modes.empty()) return;
  packed.modal = std::make_shared<const SurfaceModel>(model);
  for (const SurfaceMode& mode : model.modes) {
    packed.mode_scale.push_back(append_fractions(mode.shape, packed));
    packed.turn_scale.push_back(append_fractions(mode_turns(model, mode), packed));
  }
}

double rest_length(const SurfaceModel& model, std::size_t vertex, const Spoke& spoke) {
  const SurfaceSegment& segment = model.segments[static_cast<std::size_t>(spoke.segment)];
  const Vec3 axis = segment.tail - segment.head, d = model.rest[vertex] - segment.head;
  const double squared = squared_norm(axis);
  return norm(d - axis * (squared > 0 ? std::clamp(dot(d, axis) / squared, 0.0, 1.0) : 0.0));
}

std::size_t count_of(const std::vector<int>& first, std::size_t vertex) {
  return static_cast<std::size_t>(first[vertex + 1] - first[vertex]);
}

// Lists of 32 vertices at a time, entry after entry, each as long as the longest.
void append_lists(const SurfaceModel& model, SurfaceGpuModel& packed, const std::vector<std::uint32_t>& place) {
  const std::size_t n = model.rest.size(), slices = (n + slice - 1) / slice;
  packed.slices = static_cast<std::uint32_t>(packed.words.size());
  packed.words.resize(packed.words.size() + 2 * slices);
  for (std::size_t s = 0; s < slices; ++s) {
    const std::size_t begin = s * slice, end = std::min(n, begin + slice);
    std::size_t neighbours = 0, spokes = 0;
    for (std::size_t p = begin; p < end; ++p) {
      neighbours = std::max(neighbours, count_of(model.first_neighbour, packed.order[p]));
      spokes = std::max(spokes, count_of(model.first_spoke, packed.order[p]));
    }
    const std::size_t neighbour_list = packed.words.size(), spoke_list = neighbour_list + slice * neighbours;
    packed.words[packed.slices + 2 * s] = static_cast<std::uint32_t>(neighbour_list - packed.slices);
    packed.words[packed.slices + 2 * s + 1] = static_cast<std::uint32_t>(spoke_list - packed.slices);
    packed.words.resize(spoke_list + 2 * slice * spokes);
    for (std::size_t p = begin; p < end; ++p) {
      const std::size_t i = packed.order[p], lane = p - begin;
      const auto first_neighbour = static_cast<std::size_t>(model.first_neighbour[i]);
      for (std::size_t k = 0; k < count_of(model.first_neighbour, i); ++k)
        packed.words[neighbour_list + slice * k + lane] =
            place[static_cast<std::size_t>(model.neighbours[first_neighbour + k])];
      const std::span spokes_of =
          std::span(model.spokes)
              .subspan(static_cast<std::size_t>(model.first_spoke[i]), count_of(model.first_spoke, i));
      std::vector<double> weights;
      for (const Spoke& spoke : spokes_of) weights.push_back(spoke.weight);
      const Words shares = rounded_weights(weights);
      for (std::size_t k = 0; k < spokes_of.size(); ++k) {
        const Spoke& spoke = spokes_of[k];
        const std::size_t word = spoke_list + 2 * slice * k + lane;
        packed.words[word] = static_cast<std::uint32_t>(spoke.segment) | shares[k] << 16;
        packed.words[word + slice] = bits(rest_length(model, i, spoke));
      }
    }
  }
}

}  // namespace

SurfaceGpuModel pack_surface_model(const SurfaceModel& model) {
  check_model(model);
  SurfaceGpuModel packed;
  const std::size_t n = model.rest.size();
  packed.vertex_count = static_cast<std::uint32_t>(n);
  packed.bone_count = static_cast<std::uint32_t>(model.bones.size());
  packed.reference = model.reference;
  packed.shaped = !model.shape.empty();
  packed.ranged = !model.range.empty();
  packed.step = model.step;
  packed.reach = model.reach;
  packed.shortest_spoke = shortest_spoke(model);
  // A workgroup's vertices are a patch of the surface, and share most of their neighbours; lists of 32 are of like
  // length.
  for (const int i : runtime_order(model)) packed.order.push_back(static_cast<std::uint32_t>(i));
  std::vector<std::uint32_t> place(n);
  for (std::size_t p = 0; p < n; ++p) place[packed.order[p]] = static_cast<std::uint32_t>(p);

  std::vector<ParameterCodes> codes;
  for (std::size_t i = 0; i < n; ++i)
    codes.push_back(encode_parameters(model.parameters[i], model.shape.empty() ? RestorationShape{} : model.shape[i]));
  Words& words = packed.words;
  for (const std::uint32_t i : packed.order) {
    const Vec3& rest = model.rest[i];
    words.insert(words.end(), {bits(rest.x), bits(rest.y), bits(rest.z), parameter_word(codes[i])});
  }
  for (const std::uint32_t i : packed.order) {
    const std::array<std::uint32_t, 4> skin = skin_words(model.influences[i]);
    words.insert(words.end(), skin.begin(), skin.end());
  }
  packed.attributes = static_cast<std::uint32_t>(words.size());
  for (const std::uint32_t i : packed.order)
    words.push_back(codes[i][4] | static_cast<std::uint32_t>(count_of(model.first_spoke, i)) << 8 |
                    static_cast<std::uint32_t>(count_of(model.first_neighbour, i)) << 16);
  for (const std::uint32_t i : packed.order) words.push_back(octahedral_word(model.normals[i]));
  for (const std::uint32_t i : packed.order) words.push_back(bits(frame_pull(model, i)));
  if (packed.shaped) append_shapes(model, packed);
  if (packed.ranged)
    for (const std::uint32_t i : packed.order) words.push_back(bits(inverse_squared_range(model, i)));
  append_modes(model, packed);
  append_lists(model, packed, place);

  packed.segments = static_cast<std::uint32_t>(words.size());
  for (const SurfaceSegment& s : model.segments)
    words.insert(words.end(), {bits(s.head.x), bits(s.head.y), bits(s.head.z), static_cast<std::uint32_t>(s.bone),
                               bits(s.tail.x), bits(s.tail.y), bits(s.tail.z), 0u});
  packed.sources = static_cast<std::uint32_t>(words.size());
  packed.first_output.push_back(0);
  for (const SurfaceModelPart& part : model.parts) {
    for (const int vertex : part.vertex_of)
      words.push_back(vertex == -1 ? no_vertex : place[static_cast<std::size_t>(vertex)]);
    packed.first_output.push_back(static_cast<std::uint32_t>(words.size()) - packed.sources);
  }
  packed.output_count = packed.first_output.back();
  words.resize((words.size() + 3) / 4 * 4);
  if (words.size() > UINT32_MAX / 4)
    throw input_error("the surface model is larger than 4 GB, which the GPU cannot count: use fewer vertices");
  return packed;
}

}  // namespace sinew
