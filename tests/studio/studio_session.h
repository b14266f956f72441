// A studio in a folder of its own with a page of it, and one that plays a copy of the sample 'tube' there.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "sinew/base/file.h"
#include "studio/server/project/project.h"
#include "studio/server/studio.h"
#include "tests/jobs/files.h"
#include "tests/studio/page_client.h"

namespace sinew::test {

class StudioInFolder : public testing::Test {
 protected:
  StudioInFolder() { std::filesystem::create_directories(folder_); }

  // Copies a sample into the folder, beside a project that gives it a coarse body, which is quick to prepare and to
  // bake.
  std::filesystem::path copy_sample(const std::string& name, int tetrahedra = 500) {
    std::filesystem::path file = folder_ / name;
    std::filesystem::copy_file(sample_file(name), file);
    studio::Project project;
    project.method = "flesh";
    project.settings["flesh"] = "{\"tetrahedra\": " + std::to_string(tetrahedra) + "}";
    write_text_file(project_of(file), studio::project_json(project, name));
    return file;
  }
  static std::filesystem::path project_of(std::filesystem::path file) { return file.replace_extension(".studio.json"); }

  // Ends the studio that runs and starts another. Its page is connected.
  void begin(const studio::StudioOptions& options) {
    page_.reset();
    studio_.reset();
    studio_ = std::make_unique<studio::Studio>(options);
    look();
  }
  void begin_in_folder() {
    studio::StudioOptions options;
    options.folders = {folder_};
    begin(options);
  }
  // Opens `file` at the start, and waits for it.
  void begin_with(const std::filesystem::path& file) {
    studio::StudioOptions options;
    options.file = file;
    options.folders = {folder_};
    begin(options);
    if (state_["character"].is_null()) state_ = page_->event("state")["state"];
  }
  // Connects the page anew. A page that reads nothing for long is dropped.
  void look() {
    page_ = std::make_unique<PageClient>(studio_->port(), studio_->token());
    if (page_->joined()) state_ = page_->ask("hello", {{"version", 1}})["state"];
  }

  nlohmann::json ask(const std::string& what, const nlohmann::json& more = nlohmann::json::object()) {
    const nlohmann::json answer = page_->ask(what, more);
    EXPECT_FALSE(answer.contains("error")) << what << ": " << answer;
    return answer;
  }
  // The sentence that a request is refused with.
  std::string refused(const std::string& what, const nlohmann::json& more = nlohmann::json::object()) {
    const nlohmann::json answer = page_->ask(what, more);
    EXPECT_TRUE(answer.contains("error")) << what << more << answer;
    return answer.value("error", "");
  }
  nlohmann::json state() { return ask("hello", {{"version", 1}})["state"]; }

  // The text of a file of the folder once what was done is on disk; empty if there is none.
  std::string saved(const std::string& name) {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    return std::filesystem::exists(folder_ / name) ? read_text_file(folder_ / name) : std::string();
  }

  std::filesystem::path folder_ = scratch_path("studio");
  std::unique_ptr<studio::Studio> studio_;
  std::unique_ptr<PageClient> page_;
  nlohmann::json state_;  // as it was when the page came
};

class StudioSession : public StudioInFolder {
 protected:
  StudioSession() {
    copy_sample("tube.glb");
    begin();
  }

  void begin() { begin_with(folder_ / "tube.glb"); }
  std::string project() const {
    return std::filesystem::exists(folder_ / "tube.studio.json") ? read_text_file(folder_ / "tube.studio.json")
                                                                 : std::string();
  }
  std::string saved_project() { return saved("tube.studio.json"); }
};

}  // namespace sinew::test
