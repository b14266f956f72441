// A studio that plays a copy of the sample 'tube' in a folder of its own, and a page of it.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "sinew/base/file.h"
#include "studio/server/studio.h"
#include "tests/jobs/files.h"
#include "tests/studio/page_client.h"

namespace sinew::test {

class StudioSession : public testing::Test {
 protected:
  StudioSession() {
    std::filesystem::create_directories(folder_);
    std::filesystem::copy_file(sample_file("tube.glb"), folder_ / "tube.glb");
    begin();
  }

  void begin() {
    page_.reset();
    studio_.reset();
    studio::StudioOptions options;
    options.file = folder_ / "tube.glb";
    options.folders = {folder_};
    studio_ = std::make_unique<studio::Studio>(options);
    page_ = std::make_unique<PageClient>(studio_->port(), studio_->token());
    state_ = page_->ask("hello", {{"version", 1}})["state"];
    if (state_["character"].is_null()) state_ = page_->event("state")["state"];
  }

  nlohmann::json ask(const std::string& what, const nlohmann::json& more = nlohmann::json::object()) {
    const nlohmann::json answer = page_->ask(what, more);
    EXPECT_FALSE(answer.contains("error")) << what << ": " << answer;
    return answer;
  }
  nlohmann::json state() { return ask("hello", {{"version", 1}})["state"]; }
  std::string project() const {
    return std::filesystem::exists(folder_ / "tube.studio.json") ? read_text_file(folder_ / "tube.studio.json")
                                                                 : std::string();
  }
  // Once what was done is on disk.
  std::string saved_project() {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    return project();
  }

  std::filesystem::path folder_ = scratch_path("studio");
  std::unique_ptr<studio::Studio> studio_;
  std::unique_ptr<PageClient> page_;
  nlohmann::json state_;
};

}  // namespace sinew::test
