// The frames of a body's clips with features by which they are found: what the body does in a frame, and where it is
// and looks some times later ("motion matching", Clavet 2016; features and weights after Holden 2020).
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/graph/framed_clip.h"
#include "sinew/kinematics/graph/point_cloud.h"
#include "sinew/kinematics/matching/feature_table.h"

namespace sinew {

// A place that a body comes to, and the way that it looks there, relative to where it is and looks now: x to its left
// and z forward when it looks along +z. Metres.
struct PlaceAhead {
  Vec3 place;
  Vec3 direction;  // unit length
};

struct DatabaseOptions {
  std::vector<double> ahead{1.0 / 3, 2.0 / 3, 1};  // seconds at which places ahead are compared
  // Lengths and speeds are compared as shares of these: half of the body's height, metres, and the speed at which it is
  // to go, metres per second. Shares of what varies over the frames, as are usual, would be those of standing for most
  // characters of games, of which one clip walks and thirty do something on the spot.
  double arm = 0.9, pace = 1;
  // Weights of places and velocities of the points, of the velocity of the body, of the mean velocity with which it
  // gets to places ahead, and of its directions there. Clips of games have no frames between standing and walking: a
  // body obeys only if a wrong way weighs more than the poses of two clips differ.
  double point_place = 1.5, point_velocity = 0.4, body_velocity = 0.5, place_ahead = 3, direction_ahead = 2;
  // Added to the squared distance of frames of a clip that is as lively as the mean of all (liveliness_of()), and in
  // proportion to the square of it to others: of clips that go alike the calmest is played.
  double lively_cost = 0.5;
  // Seconds of a clip that does not loop after which it may be begun, and that must be left of it then.
  double least_before = 0.1, least_left = 0.25;
};

// Those times in frames; three frames before one tell how motion goes over to it.
int frames_before(const DatabaseOptions& options, double frames_per_second);
int frames_left(const DatabaseOptions& options, double frames_per_second);

class MotionDatabase {
 public:
  // `points`: what is compared of poses, such as the feet. `liveliness`: per clip, metres per second. The clips must
  // outlive the database; at least one frame of them must be one that can be begun in.
  MotionDatabase(const GraphBody& body, std::span<const FramedClip> clips, const PointCloud& points,
                 std::span<const double> liveliness, DatabaseOptions options = {});

  const DatabaseOptions& options() const { return options_; }
  const FeatureTable& table() const { return table_; }
  std::size_t frames() const { return places_.size(); }
  // The clip of a row, and the row's frame in it.
  struct Place {
    int clip = 0, frame = 0;
  };
  Place place(std::size_t row) const { return places_[row]; }
  // The row of a frame of a clip, around its cycle.
  std::size_t row(int clip, int frame) const;

  // A body's place and heading on the whole in a frame of a clip, with cycles and travel; metres.
  Standing body(int clip, int frame) const;
  // The body without the cycles before, in the space of the pose that the clip has in this frame.
  Standing body_in_pose(int clip, int frame) const;
  // The motion of the body in one frame, from the frame before; clips that loop go around their cycle.
  Standing step(int clip, int frame) const;

  // The query of a body that is in a frame and is to come to places, one for each time ahead.
  std::vector<float> query(std::size_t row, std::span<const PlaceAhead> ahead) const;
  // Squared distance of a row from a query, and the cost of its clip.
  float cost(std::size_t row, std::span<const float> query) const;
  // The row nearest to the places alone, whatever the pose, of those that can be begun in.
  std::size_t row_for(std::span<const PlaceAhead> ahead) const;

 private:
  bool can_begin(const Place& place) const;
  PlaceAhead place_ahead(int clip, int frame, int later, const Vec3& forward) const;
  std::vector<float> features(const GraphBody& body, std::span<const FramedClip> clips, const PointCloud& points);
  void set_scales();

  std::span<const FramedClip> clips_;
  DatabaseOptions options_;
  std::vector<std::vector<double>> calm_;  // per clip and frame
  std::vector<std::size_t> first_rows_;    // per clip
  std::vector<Place> places_;
  std::size_t width_ = 0, pose_width_ = 0;  // numbers of a row, and those of them that are of the pose
  std::vector<float> scale_;                // per number
  std::vector<float> values_;               // rows x width, in scales
  std::vector<float> costs_;                // per row, of its clip
  FeatureTable table_;
};

}  // namespace sinew
