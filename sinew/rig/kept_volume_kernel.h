// Gradients and sums of kept volumes, eight vertices at a time in vector registers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Vertices in groups of eight, each number of the eight side by side. Beyond the last vertex nothing moves.
struct VolumeGroups {
  static constexpr std::size_t group = 8;

  std::vector<int> ring_start{0};  // groups + 1, into the entries of `ring`
  // Closed walks around vertices along the edges that face them, counter-clockwise: an entry has three times the next
  // stop of each. From and to a vertex itself nothing is enclosed, so that a walk that jumps goes by way of it. Their
  // numbers are even.
  std::vector<int> ring;
  // Constraints that vertices take part in, ascending in a group: groups + 1, and per entry.
  std::vector<int> start{0};
  std::vector<int> constraint;
  std::vector<double> share;        // eight per entry: skin weights for parts, 1 for the vertex's piece
  std::vector<double> give, reach;  // of KeptVolume, eight per group

  std::size_t groups() const { return start.size() - 1; }
};

// Sums over vertices. The lower triangle of the rates of volumes, constraints x constraints, column by column, as
// vertices move along their gradients where each constraint asks for it.
struct VolumeSums {
  std::vector<double> volume, rates;
};

// A surface in a pose: metres, world. Volumes of pieces are a third of the sum of position times gradient, relative to
// `origin` near them; those of parts half of it, relative to the bones' points `spine`.
struct VolumePose {
  std::span<const Vec3> positions, spine;
  Vec3 origin;
};

// Adds groups [begin, end) to `sums`, and sets their gradients: of what closed skin encloses by the vertex's position,
// a third of the area vectors around it, as x, y and z of eight. `whole`: per constraint, 1 for pieces.
void add_volumes(const VolumeGroups& groups, std::size_t begin, std::size_t end, std::span<const char> whole,
                 const VolumePose& pose, VolumeSums& sums, std::span<double> gradient);

// Moves the vertices of groups [begin, end) along their gradients by what their constraints ask for, times how readily
// they give way, no farther than their reach.
void move_along(const VolumeGroups& groups, std::size_t begin, std::size_t end, std::span<const double> gradient,
                std::span<const double> asked, std::span<Vec3> positions);

// Adds the volumes of pieces in groups [begin, end), and their rates as vertices move along these gradients, which may
// be those of another pose, where their piece asks for it: two numbers per constraint. The pose needs no `spine`.
void add_pieces(const VolumeGroups& groups, std::size_t begin, std::size_t end, std::span<const char> whole,
                const VolumePose& pose, std::span<const double> gradient, std::span<double> sums);

}  // namespace sinew
