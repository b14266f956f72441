#include "sinew/bake/output/morph_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/bake/output/morph_normals.h"
#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/size.h"
#include "sinew/linalg/dense_matrix.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/rig/bind_space.h"

namespace sinew {
namespace {

constexpr std::size_t chunk_vertices = 256;
// Number of partial sums of the Gram matrix that are built in parallel; fixed, so that the order of additions does not
// depend on the number of threads.
constexpr std::size_t lanes = 4;
// Singular values below this fraction of the largest are rounding errors of the float recordings.
constexpr double negligible_singular_value = 1e-6;
// Smaller offsets, as a fraction of the height, are dropped, which keeps still regions exactly still and targets
// sparse.
constexpr double negligible_offset = 1e-6;

// All frames of all recordings in sequence.
struct Frames {
  std::vector<Pose> poses;
  std::vector<std::size_t> recording, frame;  // origin of each row
};

// A vertex of a mesh with several parts.
struct VertexReference {
  std::size_t part = 0;  // index into Mesh::parts
  int vertex = 0;
};

// The parts of one mesh on one node, with all input of the fit.
struct Mesh {
  int joint = -1;
  std::vector<std::size_t> recorded_parts;  // indices into Recording::parts
  std::vector<const Part*> parts;
  std::vector<VertexReference> vertices;
  SkinFrames skin;
};

struct Context {
  const Character& character;
  std::span<const Recording> recordings;
  Frames frames;
  double height = 0;
};

std::size_t row_count(const Context& context) { return context.frames.poses.size(); }

Vec3 recorded_displacement(const Context& context, const Mesh& mesh, const VertexReference& reference,
                           std::size_t row) {
  const Recording& recording = context.recordings[context.frames.recording[row]];
  const PartRecording& part = recording.parts[mesh.recorded_parts[reference.part]];
  const float* d = part.displacement.data() + 3 * (context.frames.frame[row] * static_cast<std::size_t>(part.vertices) +
                                                   static_cast<std::size_t>(reference.vertex));
  return {d[0], d[1], d[2]};
}

void check_recording(const Character& character, const Recording& recording, const Recording& first) {
  const std::string name = recording.clip < 0 ? std::string("the rest pose") : "clip " + std::to_string(recording.clip);
  const auto foreign = [&](const std::string& what) {
    return usage_error("The recording of " + name + " does not belong to this character: " + what +
                       "; record the character that is being written.");
  };
  if (recording.clip >= static_cast<int>(character.clips.size())) throw foreign("it has no such clip");
  if (recording.parts.size() != first.parts.size()) throw foreign("recordings differ in their number of parts");
  for (std::size_t i = 0; i < recording.parts.size(); ++i) {
    const PartRecording& part = recording.parts[i];
    if (part.part < 0 || part.part >= static_cast<int>(character.parts.size()) || part.part != first.parts[i].part)
      throw foreign("part " + std::to_string(part.part) + " is not the one expected");
    const std::size_t vertices = character.parts[static_cast<std::size_t>(part.part)].surface.positions.size();
    if (static_cast<std::size_t>(part.vertices) != vertices ||
        part.displacement.size() != recording.times.size() * vertices * 3)
      throw foreign("part " + std::to_string(part.part) + " has another number of vertices or frames");
    const auto bad = std::find_if_not(part.displacement.begin(), part.displacement.end(),
                                      [](float value) { return std::isfinite(value); });
    if (bad != part.displacement.end()) {
      const auto index = static_cast<std::size_t>(bad - part.displacement.begin()) / 3;
      throw simulation_error("The recording of " + name + ", frame " + std::to_string(index / vertices) +
                             ": the displacement of vertex " + std::to_string(index % vertices) +
                             " is not a finite number; use stiffer flesh or smaller steps.");
    }
  }
}

Frames all_frames(const Character& character, std::span<const Recording> recordings) {
  Frames frames;
  for (std::size_t r = 0; r < recordings.size(); ++r) {
    const Recording& recording = recordings[r];
    const Clip* clip = recording.clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(recording.clip)];
    for (std::size_t f = 0; f < recording.times.size(); ++f) {
      frames.poses.push_back(sample(character.skeleton, clip, recording.times[f]));
      frames.recording.push_back(r);
      frames.frame.push_back(f);
    }
  }
  return frames;
}

std::vector<Mesh> meshes_of(const Context& context) {
  std::map<int, Mesh> by_joint;
  const std::vector<PartRecording>& recorded = context.recordings.front().parts;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const Part& part = context.character.parts[static_cast<std::size_t>(recorded[i].part)];
    Mesh& mesh = by_joint[part.joint];
    mesh.joint = part.joint;
    for (int vertex = 0; vertex < recorded[i].vertices; ++vertex) mesh.vertices.push_back({mesh.parts.size(), vertex});
    mesh.recorded_parts.push_back(i);
    mesh.parts.push_back(&part);
  }
  std::vector<Mesh> meshes;
  for (auto& [joint, mesh] : by_joint) {
    mesh.skin = skin_frames(context.character, *mesh.parts.front(), context.frames.poses);
    meshes.push_back(std::move(mesh));
  }
  return meshes;
}

// Bind-space displacements, frames x 3 coordinates per vertex, of the vertices [begin, end), with a weight per column
// that converts an offset of one file unit in bind space to metres in the world (root mean square over frames and
// directions).
struct BindBlock {
  DenseMatrix displacement;
  std::vector<double> scale;
};

BindBlock bind_block(const Context& context, const Mesh& mesh, std::size_t begin, std::size_t end) {
  const std::size_t rows = row_count(context);
  BindBlock block{DenseMatrix(rows, 3 * (end - begin)), {}};
  std::vector<Mat3> blended(rows);
  for (std::size_t i = begin; i < end; ++i) {
    const VertexReference& reference = mesh.vertices[i];
    blended_linear(mesh.skin, *mesh.parts[reference.part], reference.vertex, blended);
    double squared_scale = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const Vec3 y = to_bind_space(blended[row], recorded_displacement(context, mesh, reference, row));
      for (std::size_t axis = 0; axis < 3; ++axis) block.displacement(row, 3 * (i - begin) + axis) = y[axis];
      const double size = frobenius_norm(blended[row]);
      squared_scale += size * size / 3;
    }
    block.scale.push_back(std::sqrt(squared_scale / static_cast<double>(rows)));
  }
  return block;
}

// The block in metres: weighted columns make the decomposition measure errors in world space.
DenseMatrix weighted(BindBlock block) {
  for (std::size_t j = 0; j < block.displacement.columns; ++j)
    for (double& value : block.displacement.column(j)) value *= block.scale[j / 3];
  return std::move(block.displacement);
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Subtracts the mean of each column.
void center_columns(DenseMatrix& matrix) {
  for (std::size_t j = 0; j < matrix.columns; ++j) {
    const double shift = mean(matrix.column(j));
    for (double& value : matrix.column(j)) value -= shift;
  }
}

// Left singular vectors (orthonormal weight curves over all frames) and squared singular values of the weighted
// displacements Y minus their mean over the frames, in descending order.
struct Decomposition {
  DenseMatrix curves;                  // frames x rank
  std::vector<double> squared_values;  // rank; square metres
  double squared_mean = 0;             // contribution of the mean to |Y|^2
};

Decomposition from_eigenpairs(const SymmetricEigen& eigen) {
  const std::vector<double>& values = eigen.values;
  const double floor = values.empty() ? 0 : values[0] * negligible_singular_value * negligible_singular_value;
  std::size_t rank = 0;
  while (rank < values.size() && values[rank] > floor && values[rank] > 0) ++rank;
  Decomposition result{DenseMatrix(values.size(), rank), {values.data(), values.data() + rank}, 0};
  std::copy_n(eigen.vectors.begin(), result.curves.value.size(), result.curves.value.begin());
  return result;
}

// With C = I - 1 1^T / frames: C Y Y^T C = U L U^T. Y Y^T is summed by chunks; Y itself is never stored.
Decomposition decompose_over_frames(const Context& context, const Mesh& mesh) {
  const std::size_t rows = row_count(context);
  const std::size_t chunks = (mesh.vertices.size() + chunk_vertices - 1) / chunk_vertices;
  std::array<DenseMatrix, lanes> sums;
  parallel_for(lanes, 1, [&](std::size_t lane) {
    sums[lane] = DenseMatrix(rows, rows);
    for (std::size_t chunk = lane; chunk < chunks; chunk += lanes) {
      const std::size_t begin = chunk * chunk_vertices;
      const std::size_t end = std::min(mesh.vertices.size(), begin + chunk_vertices);
      add_gram(weighted(bind_block(context, mesh, begin, end)), sums[lane]);
    }
  });
  DenseMatrix gram(rows, rows);
  for (std::size_t j = 0; j < rows; ++j)
    for (std::size_t i = j; i < rows; ++i) {
      double sum = 0;
      for (const DenseMatrix& lane : sums) sum += lane(i, j);
      gram(i, j) = gram(j, i) = sum;
    }
  const double squared_mean = mean(gram.value) * static_cast<double>(rows);
  center_columns(gram);
  for (std::size_t i = 0; i < rows; ++i) {  // and its rows
    double sum = 0;
    for (std::size_t j = 0; j < rows; ++j) sum += gram(i, j);
    for (std::size_t j = 0; j < rows; ++j) gram(i, j) -= sum / static_cast<double>(rows);
  }
  Decomposition result = from_eigenpairs(symmetric_eigen(gram.value, rows));
  result.squared_mean = squared_mean;
  return result;
}

// Y^T C Y = V L V^T, U = C Y V L^-1/2: used if there are fewer coordinates than frames.
Decomposition decompose_over_coordinates(const Context& context, const Mesh& mesh) {
  DenseMatrix y = weighted(bind_block(context, mesh, 0, mesh.vertices.size()));
  double squared_mean = 0;
  for (std::size_t j = 0; j < y.columns; ++j) squared_mean += mean(y.column(j)) * mean(y.column(j));
  center_columns(y);
  Decomposition result = from_eigenpairs(symmetric_eigen(transposed_product(y, y).value, y.columns));
  result.curves = product(y, result.curves);
  for (std::size_t k = 0; k < result.curves.columns; ++k)
    for (double& value : result.curves.column(k)) value /= std::sqrt(result.squared_values[k]);
  result.squared_mean = squared_mean * static_cast<double>(y.rows);
  return result;
}

Decomposition decompose(const Context& context, const Mesh& mesh) {
  return 3 * mesh.vertices.size() < row_count(context) ? decompose_over_coordinates(context, mesh)
                                                       : decompose_over_frames(context, mesh);
}

// Smallest number of targets whose remainder is within the bound (Eckart and Young 1936): none, or one for the mean
// plus one per curve.
int targets_for_bound(const Decomposition& decomposition, double bound, double samples) {
  const auto within = [&](double squared) { return std::sqrt(squared / samples) <= bound; };
  double remainder = 0;
  auto curves = static_cast<int>(decomposition.squared_values.size());
  for (; curves > 0; --curves) {
    remainder += decomposition.squared_values[static_cast<std::size_t>(curves) - 1];
    if (!within(remainder)) return 1 + curves;
  }
  return within(remainder + decomposition.squared_mean) ? 0 : 1;
}

// Shapes and curves as floats, as they are written.
struct Basis {
  std::size_t targets = 0;
  std::vector<float> curves;  // targets numbers for each frame
  std::vector<float> shapes;  // targets numbers for each coordinate of each vertex
};

// Y = 1 m^T + U D with mean m and D = U^T Y is rewritten with curves between 0 and 1,
//   Y = 1 (m + sum_k min_k d_k)^T + sum_k (u_k - min_k) / range_k (range_k d_k)^T,
// because many programs clamp weights to that interval. The first target has weight 1 throughout.
Basis build_basis(const Context& context, const Mesh& mesh, const Decomposition& decomposition, int count) {
  const auto targets = static_cast<std::size_t>(count);
  Basis basis;
  basis.targets = targets;
  if (targets == 0) return basis;
  const std::size_t rows = row_count(context), changing = targets - 1;
  DenseMatrix curves(rows, changing);
  std::copy_n(decomposition.curves.value.begin(), curves.value.size(), curves.value.begin());
  std::vector<double> low, range;
  for (std::size_t k = 0; k < changing; ++k) {
    const std::span<const double> curve = curves.column(k);
    const auto [least, largest] = std::minmax_element(curve.begin(), curve.end());
    low.push_back(*least);
    range.push_back(*largest - *least);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    basis.curves.push_back(1.0F);
    for (std::size_t k = 0; k < changing; ++k)
      basis.curves.push_back(static_cast<float>((curves(row, k) - low[k]) / range[k]));
  }

  basis.shapes.resize(targets * 3 * mesh.vertices.size());
  parallel_chunks(mesh.vertices.size(), chunk_vertices, [&](std::size_t begin, std::size_t end) {
    const BindBlock block = bind_block(context, mesh, begin, end);
    DenseMatrix shapes = transposed_product(curves, block.displacement);  // D
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < targets; ++k) {
        Vec3 offset;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::size_t column = 3 * (i - begin) + axis;
          if (k > 0) {
            offset[axis] = range[k - 1] * shapes(k - 1, column);
            continue;
          }
          offset[axis] = mean(block.displacement.column(column));
          for (std::size_t c = 0; c < changing; ++c) offset[axis] += low[c] * shapes(c, column);
        }
        if (norm(offset) * block.scale[i - begin] < negligible_offset * context.height) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
          basis.shapes[(3 * i + axis) * targets + k] = static_cast<float>(offset[axis]);
      }
  });
  return basis;
}

struct WorldError {
  double squared_sum = 0;  // square metres
  double maximum = 0;      // metres
};

WorldError measure(const Context& context, const Mesh& mesh, const Basis& basis) {
  const std::size_t rows = row_count(context);
  DenseMatrix curves(rows, basis.targets);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < basis.targets; ++k) curves(row, k) = basis.curves[row * basis.targets + k];
  std::vector<double> maxima((mesh.vertices.size() + chunk_vertices - 1) / chunk_vertices);
  WorldError error;
  error.squared_sum = ordered_sum(mesh.vertices.size(), chunk_vertices, [&](std::size_t begin, std::size_t end) {
    DenseMatrix shapes(basis.targets, 3 * (end - begin));
    std::copy_n(basis.shapes.begin() + static_cast<std::ptrdiff_t>(3 * begin * basis.targets), shapes.value.size(),
                shapes.value.begin());
    const DenseMatrix fitted = product(curves, shapes);
    std::vector<Mat3> blended(rows);
    double sum = 0, maximum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const VertexReference& reference = mesh.vertices[i];
      blended_linear(mesh.skin, *mesh.parts[reference.part], reference.vertex, blended);
      const std::size_t column = 3 * (i - begin);
      for (std::size_t row = 0; row < rows; ++row) {
        const Vec3 y{fitted(row, column), fitted(row, column + 1), fitted(row, column + 2)};
        const double squared = squared_norm(blended[row] * y - recorded_displacement(context, mesh, reference, row));
        sum += squared;
        maximum = std::max(maximum, squared);
      }
    }
    maxima[begin / chunk_vertices] = std::sqrt(maximum);
    return sum;
  });
  for (double maximum : maxima) error.maximum = std::max(error.maximum, maximum);
  return error;
}

MeshMorphs to_morphs(const Context& context, const Mesh& mesh, const Basis& basis, bool normals) {
  MeshMorphs morphs;
  morphs.joint = mesh.joint;
  morphs.mesh = mesh.parts.front()->mesh;
  morphs.targets = static_cast<int>(basis.targets);
  std::size_t first_vertex = 0;
  for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
    const Part& part = *mesh.parts[p];
    PartMorphs& out = morphs.parts.emplace_back();
    out.part = context.recordings.front().parts[mesh.recorded_parts[p]].part;
    const std::size_t coordinates = 3 * part.surface.positions.size();
    for (std::size_t k = 0; k < basis.targets; ++k) {
      for (std::size_t i = 0; i < coordinates; ++i)
        out.position.push_back(basis.shapes[(3 * first_vertex + i) * basis.targets + k]);
      if (!normals || part.normals.size() != part.surface.positions.size()) continue;
      const std::vector<float> offsets = normal_offsets(part, std::span(out.position).last(coordinates));
      out.normal.insert(out.normal.end(), offsets.begin(), offsets.end());
    }
    first_vertex += part.surface.positions.size();
  }
  morphs.weights.resize(context.recordings.size());
  for (std::size_t row = 0; row < row_count(context); ++row)
    for (std::size_t k = 0; k < basis.targets; ++k)
      morphs.weights[context.frames.recording[row]].push_back(basis.curves[row * basis.targets + k]);
  return morphs;
}

MeshMorphs fit_mesh(const Context& context, const Mesh& mesh, const MorphFitOptions& options, WorldError& error) {
  const double samples = static_cast<double>(row_count(context)) * static_cast<double>(mesh.vertices.size());
  const double bound = options.rms_error * context.height;
  const Decomposition decomposition = decompose(context, mesh);
  const bool moves = decomposition.squared_mean > 0 || decomposition.squared_values.size() > 0;
  const int rank = moves ? 1 + static_cast<int>(decomposition.squared_values.size()) : 0;
  const bool given = options.targets > 0;
  const int most = given ? std::min(rank, options.targets) : std::min(rank, options.max_targets);
  int targets = given ? most : std::min(most, targets_for_bound(decomposition, bound, samples));

  Basis basis = build_basis(context, mesh, decomposition, targets);
  error = measure(context, mesh, basis);
  // The singular values treat an offset as equally long in all poses. Where the skin is sheared or shrunk, the error in
  // the world can be larger, which takes some more targets.
  const auto grow_to = [&](int limit) {
    targets = std::min(limit, targets + 1 + targets / 8);
    basis = build_basis(context, mesh, decomposition, targets);
    error = measure(context, mesh, basis);
  };
  while (targets < most && !given && std::sqrt(error.squared_sum / samples) > bound) grow_to(most);
  // A large error of few vertices, which the mean hides, also takes more targets, but within limits: single vertices
  // that jump, or that a collapsed joint holds, would need one target per frame or cannot be matched.
  const int most_for_few = std::min(most, 2 * targets + 8);
  while (targets < most_for_few && !given && error.maximum > options.max_to_rms * bound) grow_to(most_for_few);
  MeshMorphs morphs = to_morphs(context, mesh, basis, options.normals);
  morphs.rms_error = samples > 0 ? std::sqrt(error.squared_sum / samples) : 0;
  morphs.max_error = error.maximum;
  return morphs;
}

}  // namespace

MorphFit fit_morph_targets(const Character& character, std::span<const Recording> recordings,
                           const MorphFitOptions& options) {
  if (options.targets < 0 || options.max_targets < 0 || !(options.rms_error >= 0) || !(options.max_to_rms >= 1))
    throw usage_error(
        "The number of morph targets and the error bounds must not be negative, nor the bound on the largest error "
        "smaller than that on the mean.");
  for (const Recording& recording : recordings) check_recording(character, recording, recordings.front());

  MorphFit fit;
  fit.height = decide_size(character, std::nullopt, std::nullopt).height_in_units * character.metres_per_unit;
  if (recordings.empty()) return fit;
  const Context context{character, recordings, all_frames(character, recordings), fit.height};
  if (row_count(context) == 0) return fit;

  double squared_sum = 0, samples = 0;
  for (const Mesh& mesh : meshes_of(context)) {
    WorldError error;
    fit.meshes.push_back(fit_mesh(context, mesh, options, error));
    squared_sum += error.squared_sum;
    samples += static_cast<double>(row_count(context)) * static_cast<double>(mesh.vertices.size());
    fit.max_error = std::max(fit.max_error, error.maximum);
  }
  if (samples > 0) fit.rms_error = std::sqrt(squared_sum / samples);
  return fit;
}

}  // namespace sinew
