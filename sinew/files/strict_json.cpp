#include "sinew/files/strict_json.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Event = OrderedJson::parse_event_t;

std::size_t line_of(std::string_view text, std::size_t byte) {
  return 1 + static_cast<std::size_t>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())), '\n'));
}

// SAX handler that tracks the place in the text.
class KeyWatch {
 public:
  explicit KeyWatch(const std::string& file) : file_(file) {}

  void follow(Event event, const OrderedJson& parsed) {
    switch (event) {
      case Event::object_start:
      case Event::array_start:
        count_item();
        open_.push_back({event == Event::array_start, 0, {}, {}});
        break;
      case Event::object_end:
      case Event::array_end:
        open_.pop_back();
        break;
      case Event::key:
        open_.back().key = parsed.get<std::string>();
        if (!open_.back().keys.insert(open_.back().key).second)
          throw input_error(file_ + ": '" + place() + "' is there twice; keep the one that is meant.");
        break;
      case Event::value:
        count_item();
        break;
    }
  }

 private:
  struct Level {
    bool is_list = false;
    std::size_t items = 0;  // of a list, so far
    std::string key;        // last key of an object
    std::unordered_set<std::string> keys;
  };

  void count_item() {
    if (!open_.empty() && open_.back().is_list) ++open_.back().items;
  }
  std::string place() const {
    std::string text;
    for (const Level& level : open_) {
      if (level.is_list)
        text.append("[").append(std::to_string(level.items - 1)).append("]");
      else
        text.append(text.empty() ? "" : ".").append(level.key);
    }
    return text;
  }

  const std::string& file_;
  std::vector<Level> open_;
};

}  // namespace

OrderedJson parse_strict_json(std::string_view text, const std::string& file, const std::string& remedy) {
  KeyWatch watch(file);
  try {
    return OrderedJson::parse(text, [&](int, Event event, const OrderedJson& parsed) {
      watch.follow(event, parsed);
      return true;
    });
  } catch (const OrderedJson::parse_error& error) {
    throw input_error(file + ", line " + std::to_string(line_of(text, error.byte)) + ": is not JSON; " + remedy + ".");
  } catch (const OrderedJson::out_of_range&) {
    throw input_error(file + ": has a number that is too large to be stored; correct it.");
  }
}

std::string with_lists_on_lines(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find_first_of("[]{}\"", at + 1);
    if (text[at] == '"') {
      std::size_t close = at + 1;
      while (text[close] != '"') close += text[close] == '\\' ? 2 : 1;
      result.append(text, at, close + 1 - at);
      at = close + 1;
    } else if (text[at] == '[' && end != std::string::npos && text[end] == ']') {
      for (std::size_t k = at; k <= end; ++k)
        if (text[k] != ' ' && text[k] != '\n') result += text[k] == ',' ? std::string(", ") : std::string(1, text[k]);
      at = end + 1;
    } else {
      result += text[at++];
    }
  }
  return result;
}

}  // namespace sinew
