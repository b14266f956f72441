#include "sinew/files/bvh.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double most_value = 1e7;  // of offsets and channels, file units or degrees
constexpr std::size_t most_joints = 20'000;
constexpr double most_numbers = 2e8;       // in the motion, frames x channels
constexpr int deepest = 5'000;             // levels of the hierarchy
constexpr double usual_frame = 1.0 / 30;   // seconds, where the file does not say
constexpr double longest_usual_frame = 1;  // seconds; beyond it the unit is questioned

enum class BvhChannel { x, y, z, turn_x, turn_y, turn_z };

struct BvhJoint {
  std::vector<BvhChannel> channels;
};

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

// Words of a BVH file, which white space and commas separate, with the lines that they are on.
class BvhWords {
 public:
  BvhWords(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  [[noreturn]] void fail(const std::string& what, const char* remedy = "export the motion again") const {
    throw input_error(file_ + ", line " + std::to_string(word_line_) + ": " + what + "; " + remedy + ".");
  }
  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const {
    throw input_error(file_ + ", line " + std::to_string(line) + ": " + what + "; export the motion again.");
  }

  std::string_view next() {
    skip();
    word_line_ = line_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && !separates(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string_view peek() {
    const std::size_t at = at_, line = line_, word_line = word_line_;
    const std::string_view word = next();
    at_ = at;
    line_ = line;
    word_line_ = word_line;
    return word;
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  // The rest of the line, without white space around it.
  std::string_view rest_of_line() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    word_line_ = line_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r' && text_[at_] != '{') ++at_;
    std::string_view word = text_.substr(begin, at_ - begin);
    while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.remove_suffix(1);
    return word;
  }

  void expect(std::string_view keyword) {
    const std::string_view word = next();
    if (!same(word, keyword))
      fail("\"" + std::string(keyword) + "\" belongs here, not \"" + std::string(word.substr(0, 40)) + "\"");
  }

  double number(const char* what) { return value_of(next(), what); }
  double value_of(std::string_view word, const char* what) const {
    double value = 0;
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (word.empty()) fail(std::string("the file ends where ") + what + " belongs");
    if (status != std::errc{} || end != digits.data() + digits.size() || !(std::abs(value) <= most_value))
      fail(std::string("\"") + std::string(word.substr(0, 40)) + "\" stands where " + what +
           " belongs, a number of at most ten million");
    return value;
  }

  static bool same(std::string_view word, std::string_view keyword) {
    return std::equal(word.begin(), word.end(), keyword.begin(), keyword.end(),
                      [](char a, char b) { return lower(a) == lower(b); });
  }
  std::size_t line() const { return word_line_; }
  std::size_t line_ahead() {
    skip();
    return line_;
  }

 private:
  static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
  static bool separates(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ';' || c == '\v' || c == '\f';
  }
  void skip() {
    for (; at_ < text_.size() && separates(text_[at_]); ++at_) line_ += text_[at_] == '\n';
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, line_ = 1, word_line_ = 1;
};

class BvhReader {
 public:
  BvhReader(std::string_view text, const std::filesystem::path& file) : words_(text, file.string()) {
    result_.clip.name = file.stem().string();
  }

  BvhMotion read() {
    words_.expect("HIERARCHY");
    while (BvhWords::same(words_.peek(), "ROOT")) {
      words_.next();
      read_joint();
    }
    if (joints_.empty()) {
      words_.next();
      words_.fail("the hierarchy has no ROOT", "export the motion with its skeleton");
    }
    read_motion();
    return std::move(result_);
  }

 private:
  std::vector<Joint>& joints() { return result_.skeleton.joints; }

  void add_joint(std::string name, int parent) {
    if (joints_.size() >= most_joints)
      words_.fail("the hierarchy has more than " + std::to_string(most_joints) + " joints",
                  "export the skeleton alone");
    if (name.empty()) name = "joint " + std::to_string(joints_.size() + 1);
    std::string unique = name;
    for (int& k = times_used_[name]; ++k, !names_.insert(unique).second;) {
      unique = name + " (" + std::to_string(std::max(k, 2)) + ")";
      repeated_ = name;
    }
    Joint joint;
    joint.name = std::move(unique);
    joint.parent = parent;
    joints().push_back(std::move(joint));
    joints_.emplace_back();
    result_.skeleton.parents_first.push_back(static_cast<int>(joints().size()) - 1);
  }

  // A joint from its name to the end of its braces, with all below it.
  void read_joint() {
    add_joint(std::string(words_.rest_of_line()), -1);
    words_.expect("{");
    std::vector<int> open{static_cast<int>(joints().size()) - 1};
    while (!open.empty()) {
      const std::string_view word = words_.next();
      if (word == "}") {
        open.pop_back();
      } else if (BvhWords::same(word, "OFFSET")) {
        Vec3& offset = joints()[index(open.back())].rest.translation;
        for (std::size_t k = 0; k < 3; ++k) offset[k] = words_.number("an offset");
      } else if (BvhWords::same(word, "CHANNELS")) {
        read_channels(joints_[index(open.back())]);
      } else if (BvhWords::same(word, "JOINT") || BvhWords::same(word, "End")) {
        if (static_cast<int>(open.size()) >= deepest)
          words_.fail("joints are more than " + std::to_string(deepest) + " levels deep", "export the skeleton alone");
        const bool end = !BvhWords::same(word, "JOINT");
        const std::string name(words_.rest_of_line());
        add_joint(end ? joints()[index(open.back())].name + "_end" : name, open.back());
        words_.expect("{");
        open.push_back(static_cast<int>(joints().size()) - 1);
      } else if (word.empty()) {
        words_.fail("the file ends inside joint \"" + joints()[index(open.back())].name + "\"");
      } else {
        words_.fail("OFFSET, CHANNELS, JOINT, End Site or } belongs here, not \"" + std::string(word.substr(0, 40)) +
                    "\"");
      }
    }
  }

  void read_channels(BvhJoint& joint) {
    const double count = words_.number("the number of channels");
    if (count < 0 || count > 6 || count != std::floor(count))
      words_.fail("a joint has 0 to 6 channels, not " + short_number(count));
    joint.channels.clear();
    for (int k = 0; k < static_cast<int>(count); ++k) {
      constexpr std::string_view names[] = {"Xposition", "Yposition", "Zposition",
                                            "Xrotation", "Yrotation", "Zrotation"};
      const std::string_view word = words_.next();
      const auto* found = std::find_if(std::begin(names), std::end(names),
                                       [&](std::string_view name) { return BvhWords::same(word, name); });
      if (found == std::end(names))
        words_.fail("\"" + std::string(word.substr(0, 40)) +
                    "\" is no channel: Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation");
      const auto channel = static_cast<BvhChannel>(found - std::begin(names));
      if (std::find(joint.channels.begin(), joint.channels.end(), channel) != joint.channels.end())
        words_.fail("the channel " + std::string(word) + " stands twice in one joint");
      joint.channels.push_back(channel);
    }
  }

  void read_motion() {
    words_.expect("MOTION");
    words_.expect("Frames:");
    const double count = words_.number("the number of frames");
    if (count < 1 || count != std::floor(count))
      words_.fail("the motion has " + short_number(count) + " frames", "export at least one frame, and whole ones");
    words_.expect("Frame");
    words_.expect("Time:");
    double step = words_.number("the time of a frame");
    if (!(step > 0)) {
      result_.notes.push_back(std::string(step < 0 ? "its Frame Time is negative" : "it gives no time per frame") +
                              "; 30 frames per second are assumed.");
      step = usual_frame;
    }
    if (step > longest_usual_frame)
      result_.notes.push_back("its Frame Time is " + short_number(step) +
                              " s, which is long for a frame; is it in seconds?");
    result_.seconds_per_frame = step;
    std::size_t width = 0;
    for (const BvhJoint& joint : joints_) width += joint.channels.size();
    if (width == 0) words_.fail("no joint has a channel, so nothing moves", "export the motion with its channels");
    if (count * static_cast<double>(width) > most_numbers)
      words_.fail("the motion has more than " + std::to_string(static_cast<long long>(most_numbers)) + " numbers",
                  "export a part of it");
    read_frames(static_cast<std::size_t>(count), width, step);
    if (!repeated_.empty())
      result_.notes.push_back("several joints are named \"" + repeated_ + "\"; the later ones got numbers.");
  }

  void read_frames(std::size_t count, std::size_t width, double step) {
    // Channels of joints: translation where there are positions, rotation where there are turns.
    std::vector<Channel> moves(joints_.size()), turns(joints_.size());
    std::vector<double> times;
    std::vector<double> row(width);
    for (std::size_t f = 0; f < count && !words_.at_end(); ++f) {
      read_row(row);
      times.push_back(static_cast<double>(f) * step);
      append_row(row, moves, turns);
    }
    if (times.empty()) words_.fail("the motion has no frame", "export at least one frame");
    if (!words_.at_end()) {
      words_.next();
      words_.fail("there are more numbers than " + std::to_string(count) + " frames of " + std::to_string(width) +
                  " channels take");
    }
    if (times.size() < count)
      result_.notes.push_back("it has " + std::to_string(times.size()) + " of the " + std::to_string(count) +
                              " frames that it announces.");
    Clip& clip = result_.clip;
    clip.end = times.back();
    for (auto* channels : {&moves, &turns})
      for (std::size_t j = 0; j < joints_.size(); ++j) {
        Channel& channel = (*channels)[j];
        if (channel.values.empty()) continue;
        channel.joint = static_cast<int>(j);
        channel.path = channels == &moves ? ChannelPath::translation : ChannelPath::rotation;
        channel.components = channels == &moves ? 3 : 4;
        channel.times = times;
        clip.channels.push_back(std::move(channel));
      }
  }

  // A frame is a line.
  void read_row(std::vector<double>& row) {
    std::size_t line = 0;
    for (std::size_t got = 0; got < row.size(); ++got) {
      const std::string_view word = words_.next();
      if (got == 0) line = words_.line();
      if (word.empty() || words_.line() != line)
        words_.fail_at(line, "has " + std::to_string(got) + " numbers for " + std::to_string(row.size()) + " channels");
      row[got] = words_.value_of(word, "a number of the motion");
    }
    if (!words_.at_end() && words_.line_ahead() == line)
      words_.fail_at(line, "has more numbers than the " + std::to_string(row.size()) + " channels");
  }

  void append_row(const std::vector<double>& row, std::vector<Channel>& moves, std::vector<Channel>& turns) {
    constexpr double degree = 3.14159265358979323846 / 180;
    std::size_t at = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      Vec3 place = joints()[j].rest.translation;
      Quat turn{};
      bool moved = false, turned = false;
      for (const BvhChannel channel : joints_[j].channels) {
        const double value = row[at++];
        switch (channel) {
          case BvhChannel::x:
          case BvhChannel::y:
          case BvhChannel::z:
            place[static_cast<std::size_t>(channel)] = value;
            moved = true;
            break;
          case BvhChannel::turn_x:
          case BvhChannel::turn_y:
          case BvhChannel::turn_z: {
            Vec3 axis;
            axis[static_cast<std::size_t>(channel) - 3] = 1;
            turn = turn * axis_angle(axis, value * degree);
            turned = true;
            break;
          }
        }
      }
      if (moved) moves[j].values.insert(moves[j].values.end(), {place.x, place.y, place.z});
      if (!turned) continue;
      std::vector<double>& values = turns[j].values;
      turn = normalized(turn);
      if (!values.empty()) {
        const double* last = values.data() + values.size() - 4;
        turn = nearer_quaternion(turn, {last[0], last[1], last[2], last[3]});
      }
      values.insert(values.end(), {turn.x, turn.y, turn.z, turn.w});
    }
  }

  BvhWords words_;
  BvhMotion result_;
  std::vector<BvhJoint> joints_;  // per joint of the skeleton
  std::set<std::string> names_;
  std::map<std::string, int> times_used_;  // per name in the file
  std::string repeated_;
};

}  // namespace

BvhMotion parse_bvh(std::string_view text, const std::filesystem::path& file) { return BvhReader(text, file).read(); }

BvhMotion read_bvh(const std::filesystem::path& path) { return parse_bvh(read_text_file(path), path); }

}  // namespace sinew
