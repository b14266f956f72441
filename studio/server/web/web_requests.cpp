#include "studio/server/web/web_requests.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/gltf/read/read_uri.h"
#include "studio/server/cook/opening.h"
#include "studio/server/project/character_folder.h"
#include "studio/server/web/embedded_page.h"
#include "studio/server/web/page_glb.h"
#include "studio/server/web/page_json.h"
#include "studio/server/web/surface_message.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view output_path = "/output/";
constexpr std::size_t most_dropped = std::size_t{2} << 30;  // total of uploaded files

WebAnswer page_answer(const Application& app) {
  WebAnswer answer;
  answer.type = "text/html; charset=utf-8";
  if (!app.options.page.empty()) {
    answer.bytes = std::make_shared<const std::vector<std::byte>>(read_file(app.options.page));
    answer.script = "'unsafe-inline' blob:";
    return answer;
  }
  const std::span<const std::byte> bytes = embedded_page();
  if (bytes.empty())
    return text_answer(
        404,
        "This program was built without the studio's page, which needs node and npm; install them and build again.\n");
  answer.bytes = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  answer.gzipped = true;
  answer.script = embedded_script();
  return answer;
}

WebAnswer character_file(Application& app, const WebRequest& request, bool glb) {
  LoadedCharacter loaded;
  {
    const std::lock_guard lock(app.mutex);
    loaded = app.loaded;
  }
  // Pages ask for the character that they were told of. Where it was exchanged meanwhile there is nothing to send, and
  // no error either: the page is told of the new one.
  const std::string number = query_value(request.query, "number").value_or("");
  if (!number.empty() && number != std::to_string(loaded.opened ? loaded.number : 0)) return text_answer(204, "");
  if (!loaded.opened) return text_answer(404, "There is no character yet.\n");
  WebAnswer answer;
  answer.type = glb ? "model/gltf-binary" : "application/octet-stream";
  const std::lock_guard lock(app.served.mutex);
  if (app.served.number != loaded.number) app.served.glb.reset();
  app.served.number = loaded.number;
  if (glb) {
    if (!app.served.glb)
      app.served.glb = std::make_shared<const std::vector<std::byte>>(page_glb(*loaded.opened->document));
    answer.bytes = app.served.glb;
  } else {
    answer.bytes = std::make_shared<const std::vector<std::byte>>(
        surface_message(loaded.opened->character, *loaded.scene->surface, loaded.number));
  }
  return answer;
}

// True if the content matches the file's ending; other uploads are not kept.
bool begins_as_named(const std::string& name, std::span<const std::byte> bytes) {
  const std::string ending = lower_case_ending(name);
  if (ending == ".obj" || ending == ".bvh" || ending == ".json")
    return std::find(bytes.begin(), bytes.end(), std::byte{0}) == bytes.end();  // a text
  if (ending != ".gltf") return bytes.size() >= 12 && std::memcmp(bytes.data(), "glTF", 4) == 0;
  const auto first =
      std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return !std::isspace(std::to_integer<int>(b)); });
  return first != bytes.end() && *first == std::byte{'{'};
}

// What happens to a file that a page has sent.
enum class SentFor { opening, motion };

WebAnswer take_sent(Application& app, const WebRequest& request, SentFor purpose) {
  const std::string name = query_value(request.query, "name").value_or("");
  const auto answer_error = [](const std::string& sentence) {
    return text_answer(400, PageJson{{"error", sentence}}.dump(-1, ' ', false, PageJson::error_handler_t::replace),
                       "application/json");
  };
  const bool opens = purpose == SentFor::opening;
  if (!is_plain_name(name) || !(opens ? can_be_opened(name) : can_be_motion(name)))
    return answer_error(opens ? "A character is a .glb, .gltf, .vrm or .obj file."
                              : "Motion is a .bvh, .vrma, .glb, .gltf or .vrm file.");
  if (app.folders.all().empty())
    return answer_error("The studio has no folder to keep the file in; start it with --folder.");
  if (!begins_as_named(name, request.body))
    return answer_error(name + " is not what its ending says and was not saved.");
  {
    const std::lock_guard lock(app.mutex);
    if (request.body.size() > most_dropped - app.dropped_bytes)
      return answer_error("Pages have sent " + std::to_string(most_dropped >> 20) +
                          " MiB of files since the studio was started; put further ones into one of its folders.");
    app.dropped_bytes += request.body.size();
  }
  try {
    const fs::path file = keep_file(app.folders, name, request.body);
    if (opens) {
      open_file(app, {file, nullptr}, {});
      return text_answer(200, "{}", "application/json");
    }
    if (lower_case_ending(file) != ".json") {
      const std::lock_guard lock(app.mutex);
      app.motion_files.insert(app.folders.inside(file.string()));
    }
    const PageJson answer{{"file", file.filename().string()}};
    return text_answer(200, answer.dump(-1, ' ', false, PageJson::error_handler_t::replace), "application/json");
  } catch (const Error& error) {
    return answer_error(error.what());
  }
}

WebAnswer baked_file(Application& app, const std::string& name) {
  fs::path file;
  {
    const std::lock_guard lock(app.mutex);
    if (const auto found = app.outputs.find(name); found != app.outputs.end()) file = found->second;
  }
  if (file.empty()) return text_answer(404, "Nothing of this name was baked.\n");
  WebAnswer answer;
  const std::string ending = lower_case_ending(file);
  answer.type = ending == ".png"    ? "image/png"
                : ending == ".webp" ? "image/webp"
                : ending == ".json" ? "application/json"
                                    : "application/octet-stream";
  answer.bytes = std::make_shared<const std::vector<std::byte>>(read_file(file));
  if (!answer.type.starts_with("image/")) answer.download = "baked" + ending;
  return answer;
}

}  // namespace

WebAnswer answer_request(Application& app, const WebRequest& request) {
  const auto wants = [&](std::string_view path) { return request.path == path; };
  if (wants("/open") || wants("/motion")) {
    if (request.method != "POST") return text_answer(405, "A file is sent by POST.\n");
    return take_sent(app, request, wants("/open") ? SentFor::opening : SentFor::motion);
  }
  if (request.method != "GET") return text_answer(405, "The studio answers GET here.\n");
  if (wants("/")) return page_answer(app);
  if (wants("/character.glb")) return character_file(app, request, true);
  if (wants("/surface")) return character_file(app, request, false);
  if (request.path.starts_with(output_path)) {
    const std::string name = decode_percent(request.path.substr(output_path.size())).value_or("");
    return baked_file(app, name);
  }
  return text_answer(404, "There is nothing of this name.\n");
}

}  // namespace sinew::studio
