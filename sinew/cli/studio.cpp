// sinew studio [FILE]: the character in a page of the browser, alive.
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#ifdef SINEW_HAS_STUDIO
#include "studio/server/studio.h"
#include "studio/server/web/kept_address.h"
#endif

namespace sinew::cli {
namespace {

struct StudioVerb {
  std::string file, page;
  std::vector<std::string> folders;
  int port = 0, threads = 0;
  bool no_browser = false, new_address = false;
};

#ifdef SINEW_HAS_STUDIO
using namespace studio;

void run_the_studio(const StudioVerb& verb) {
  set_thread_count(verb.threads);
  StudioOptions options;
  if (!verb.file.empty()) options.file = verb.file;
  for (const std::string& folder : verb.folders) {
    std::error_code status;
    if (!std::filesystem::is_directory(folder, status)) throw usage_error("--folder: '" + folder + "' is no folder.");
    options.folders.emplace_back(folder);
  }
  if (options.folders.empty()) options.folders.push_back(std::filesystem::current_path());
  options.page = verb.page;
  options.port = verb.port;
  if (!verb.new_address) options.address_file = address_file(options.folders.front(), verb.file);
  options.say = [](const std::string& sentence) { std::cerr << "sinew: " << printable(sentence) << std::endl; };
  std::error_code status;
  if (options.file && !std::filesystem::is_regular_file(*options.file, status))
    throw input_error(verb.file + ": there is no such file.");
  catch_interrupts();
  const Studio studio(options);
  std::cout << "The studio is at " << studio.address() << "\nCtrl-C ends it." << std::endl;
  if (!verb.no_browser) open_browser(studio.address());
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
}
#else
void run_the_studio(const StudioVerb&) {
  throw usage_error(
      "This program was built without the studio, which needs Boost (Debian's package libboost-dev); "
      "`scripts/setup.sh` installs it, then build again.");
}
#endif

}  // namespace

void add_studio(CommandLine& line) {
  Verb& verb = line.add_verb("studio", "[FILE]", "Play with a character in the browser: drag, pose, tune, paint, bake");
  const auto options = std::make_shared<StudioVerb>();
  OptionSet& set = verb.options;
  set.add("FILE", options->file, "Character: .glb, .gltf or .vrm; without one, choose in the page");
  set.add("--folder FOLDER ...", options->folders,
          "Folders whose files the page may open (default: this one); dropped files go into the first");
  set.add("--port N", options->port, "8000",
          "Port on the loopback interface (default: the last one if it is free, otherwise any)")
      .between(0, 65535);
  set.add("--new-address", options->new_address,
          "Use a new port and token and do not keep them; open pages will not reconnect");
  set.add("--no-browser", options->no_browser, "Print the address and start no browser");
  set.add("--page FILE", options->page, "Page to serve instead of the built-in one, for developers of it (.html)")
      .advanced();
  set.add("--threads N", options->threads, "4", "Threads to use (default: all)").between(0, 1024).advanced();
  verb.action = [options] { run_the_studio(*options); };
}

}  // namespace sinew::cli
