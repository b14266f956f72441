// The studio's server as somebody meets it who means no good: another page of the browser, another program of the
// machine, a page that has gone mad.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

#include "sinew/base/file.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class StudioAttackers : public StudioInFolder {
 protected:
  StudioAttackers() {
    fs::create_directories(inside_);
    fs::create_directories(outside_);
    std::ofstream(outside_ / "secret.glb") << "secret";
    fs::create_symlink(outside_ / "secret.glb", inside_ / "link.glb");
    StudioOptions options;
    options.folders = {inside_};
    options.limits.body = 1u << 20;
    options.limits.message = 64u << 10;
    options.limits.messages_per_second = 500;
    options.limits.pages = 3;
    options.limits.connections = 12;
    begin(options);
    page_.reset();  // each test counts its own pages
  }

  int port() const { return studio_->port(); }
  std::string with_token(const std::string& path) const {
    return path + (path.find('?') == std::string::npos ? "?" : "&") + "token=" + studio_->token();
  }
  void expect_alive() {
    PageClient page(port(), studio_->token());
    ASSERT_TRUE(page.joined());
    EXPECT_EQ(page.ask("hello", {{"version", 1}}).value("version", 0), 1);
  }

  fs::path inside_ = folder_ / "inside", outside_ = folder_ / "outside";
};

TEST_F(StudioAttackers, NothingWithoutTheToken) {
  for (const char* path :
       {"/", "/character.glb", "/surface", "/output/a.glb", "/session", "/nothing", "/../../etc/passwd"}) {
    EXPECT_EQ(http(port(), "GET", path).status, 403) << path;
    EXPECT_EQ(http(port(), "GET", std::string(path) + "?token=" + std::string(32, '0')).status, 403) << path;
  }
  EXPECT_EQ(http(port(), "POST", "/open?name=a.glb", "", "glTF").status, 403);
  EXPECT_FALSE(PageClient(port(), std::string(32, '0')).joined());
  EXPECT_TRUE(fs::is_empty(inside_) || !fs::exists(inside_ / "a.glb"));
  expect_alive();
}

TEST_F(StudioAttackers, NoOtherHostAndNoOtherOrigin) {
  EXPECT_EQ(http(port(), "GET", with_token("/surface"), "Host: evil.example:" + std::to_string(port()) + "\r\n").status,
            403);
  EXPECT_EQ(http(port(), "GET", with_token("/surface"), "Host: 127.0.0.1\r\n").status, 403);
  EXPECT_EQ(http(port(), "GET", with_token("/surface"), "Origin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(http(port(), "POST", with_token("/open?name=a.glb"), "Origin: null\r\n", "glTF").status, 403);
  EXPECT_EQ(PageClient(port(), studio_->token(), "Origin: http://evil.example\r\n").status(), "403");
  EXPECT_TRUE(
      PageClient(port(), studio_->token(), "Origin: http://localhost:" + std::to_string(port()) + "\r\n").joined());
}

TEST_F(StudioAttackers, ListensOnTheLoopbackAlone) {
  std::ifstream table("/proc/net/tcp");
  char wanted[16];
  std::snprintf(wanted, sizeof(wanted), ":%04X", static_cast<unsigned>(port()));
  std::string line;
  int listeners = 0;
  while (std::getline(table, line)) {
    const std::string place = line.substr(line.find(':', 5) - 8 < line.size() ? line.find(": ") + 2 : 0, 13);
    if (place.ends_with(wanted) && line.find(" 0A ") != std::string::npos) {
      ++listeners;
      EXPECT_EQ(place.substr(0, 8), "0100007F");
    }
  }
  EXPECT_EQ(listeners, 1);
}

TEST_F(StudioAttackers, NoPathLeavesTheFolders) {
  PageClient page(port(), studio_->token());
  page.ask("hello", {{"version", 1}});
  for (const std::string& path :
       {(outside_ / "secret.glb").string(), std::string("../outside/secret.glb"), std::string("link.glb"),
        std::string("/etc/passwd"), std::string("/proc/self/environ"), inside_.string()}) {
    const Json answer = page.ask("open", {{"path", path}});
    ASSERT_TRUE(answer.contains("error")) << path;
    // The refusal names the folders or the kind of file, and tells nothing of what is there.
    const std::string refusal = answer["error"];
    EXPECT_TRUE(refusal.find("is not in the studio's folders") != std::string::npos ||
                refusal.find("character") != std::string::npos)
        << answer;
  }
  EXPECT_TRUE(page.ask("files", {{"folder", outside_.string()}}).contains("error"));
  EXPECT_TRUE(page.ask("files", {{"folder", ".."}}).contains("error"));
  for (const char* name :
       {"../outside/new.glb", "a%2Fb.glb", "..%2F..%2Fnew.glb", ".hidden.glb", "", "a.exe", "a.glb%00.txt"})
    EXPECT_EQ(http(port(), "POST", with_token("/open?name=" + std::string(name)), "", "glTF").status, 400) << name;
  for (const char* name : {"..%2F..%2Fetc%2Fpasswd", "link.glb", "../outside/secret.glb"})
    EXPECT_EQ(http(port(), "GET", with_token("/output/" + std::string(name))).status, 404) << name;
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::recursive_directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 4u);  // two folders, a file and a link: nothing was written
}

// A file is sent by the name of a link that leads out of the folder: it is kept beside it.
TEST_F(StudioAttackers, WritingFollowsNoLinks) {
  fs::create_symlink(outside_ / "victim.glb", inside_ / "new.glb");
  const std::string sent = "glTF" + std::string(16, '\2');
  EXPECT_EQ(http(port(), "POST", with_token("/open?name=new.glb"), "", sent).status, 200);
  EXPECT_FALSE(fs::exists(outside_ / "victim.glb"));
  EXPECT_EQ(bytes_of(inside_ / "new-2.glb"), sent);
  expect_alive();
}

TEST_F(StudioAttackers, WhatIsNoCharacterIsNotKept) {
  const std::string garbage(100'000, 'x');
  for (const char* name : {"a.glb", "a.vrm", "a.gltf"})
    EXPECT_EQ(http(port(), "POST", with_token("/open?name=" + std::string(name)), "", garbage).status, 400) << name;
  for (const auto& entry : fs::directory_iterator(inside_)) EXPECT_EQ(entry.path().filename(), "link.glb");
  expect_alive();
}

// Many knock, and say next to nothing for as long as they are let.
TEST_F(StudioAttackers, SlowStrangersKeepNobodyOut) {
  std::vector<std::unique_ptr<Wire>> strangers;
  for (int k = 0; k < 40; ++k) {
    strangers.push_back(std::make_unique<Wire>(port()));
    strangers.back()->send("GET /session HTTP/1.1\r\n");
    if (k % 10 == 9) expect_alive();
  }
}

TEST_F(StudioAttackers, BrokenMessagesGetASentenceAndTheSessionLivesOn) {
  PageClient page(port(), studio_->token());
  EXPECT_TRUE(page.ask("play").contains("error"));  // before hello
  EXPECT_TRUE(page.ask("hello", {{"version", 99}}).contains("error"));
  EXPECT_FALSE(page.ask("hello", {{"version", 1}}).contains("error"));
  for (const char* text : {"", "{", "[[[[", "\"hello\"", "{\"id\":1}", "{\"id\":null,\"do\":\"play\"}"}) {
    page.send_raw(0x81, text);
    const Json answer = page.answer_to(std::string(text) == "{\"id\":1}" ? Json(1) : Json());
    EXPECT_TRUE(answer.contains("error")) << text;
  }
  EXPECT_TRUE(page.ask("play").contains("error"));  // there is no character
  EXPECT_TRUE(page.ask("undo").contains("error"));
  EXPECT_FALSE(page.ask("files").contains("error"));
  page.send_raw(0x01, R"({"id": 900, "do": )");  // in pieces, as the protocol allows
  page.send_raw(0x80, R"("files"})");
  EXPECT_TRUE(page.answer_to(900).contains("files"));
}

TEST_F(StudioAttackers, BytesAndUnmaskedAndBrokenTextEndOnlyTheirOwnPage) {
  const auto ends = [&](int first, const std::string& payload) {
    PageClient page(port(), studio_->token());
    page.ask("hello", {{"version", 1}});
    page.send_raw(first, payload);
    EXPECT_THROW(for (;;) page.frame(), std::runtime_error);
  };
  ends(0x82, "bytes");
  ends(0x81, "\xff\xfe");  // no UTF-8
  ends(0x80, "goes on");   // with what never began
  ends(0x83, "reserved");
  ends(0x81 | 0x40, "packed");  // an extension that nobody agreed on
  PageClient page(port(), studio_->token());
  page.wire().send(
      std::string("\x81\x03"
                  "abc"));  // unmasked
  EXPECT_THROW(for (;;) page.frame(), std::runtime_error);
  expect_alive();
}

TEST_F(StudioAttackers, MessagesAreBounded) {
  PageClient page(port(), studio_->token());
  page.ask("hello", {{"version", 1}});
  page.send_raw(0x81, std::string(65u << 10, ' '));
  EXPECT_THROW(for (;;) page.frame(), std::runtime_error);
  PageClient claims(port(), studio_->token());
  claims.wire().send(
      std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14));  // 2^63 - 1 bytes are to come
  EXPECT_THROW(for (;;) claims.frame(), std::runtime_error);
  PageClient pieces(port(), studio_->token());
  pieces.send_raw(0x01, std::string(40u << 10, ' '));
  pieces.send_raw(0x00, std::string(40u << 10, ' '));
  EXPECT_THROW(for (;;) pieces.frame(), std::runtime_error);
  expect_alive();
}

TEST_F(StudioAttackers, RatesAreBounded) {
  PageClient page(port(), studio_->token());
  page.ask("hello", {{"version", 1}});
  const auto flood = [&] {
    for (int k = 0; k < 100'000; ++k) page.say("next");
    for (;;) page.frame();
  };
  EXPECT_THROW(flood(), std::runtime_error);
  expect_alive();
}

TEST_F(StudioAttackers, PagesAndConnectionsAreBounded) {
  std::vector<std::unique_ptr<PageClient>> pages;
  for (int k = 0; k < 5; ++k) pages.push_back(std::make_unique<PageClient>(port(), studio_->token()));
  EXPECT_TRUE(pages[2]->joined());
  EXPECT_FALSE(pages[3]->joined());
  EXPECT_EQ(pages[4]->status(), "503");
  pages.clear();
  {
    std::vector<std::unique_ptr<Wire>> silent;
    for (int k = 0; k < 40; ++k) silent.push_back(std::make_unique<Wire>(port()));
    // Those that came first were closed to make room.
    for (int k = 0; k < 34; ++k) EXPECT_EQ(silent[static_cast<std::size_t>(k)]->receive_all(), "");
    Wire late(port());
    late.send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_TRUE(late.receive_all().starts_with("HTTP/1.1 403"));
  }
  for (int k = 0; k < 50; ++k) {  // until the server has seen that they are gone
    if (http(port(), "GET", "/").status == 403) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  expect_alive();
}

TEST_F(StudioAttackers, RequestsAreBounded) {
  EXPECT_EQ(http(port(), "POST", with_token("/open?name=a.glb"), "", std::string((1u << 20) + 1, 'x')).status, 413);
  EXPECT_EQ(http(port(), "POST", with_token("/open?name=a.glb"), "", "glTF" + std::string((1u << 20) - 4, 'x')).status,
            200);  // as large as may be, and no character
  const HttpAnswer header = http(port(), "GET", with_token("/"), "X: " + std::string(100'000, 'x') + "\r\n");
  EXPECT_TRUE(header.status == 0 || header.status >= 400) << header.status;
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
    EXPECT_EQ(http(port(), method, with_token("/surface")).status, 405) << method;
  std::mt19937 random(11);
  for (int k = 0; k < 50; ++k) {
    Wire wire(port());
    std::string noise(random() % 2000, ' ');
    for (char& letter : noise) letter = static_cast<char>(random());
    wire.send(noise + "\r\n\r\n");
  }
  expect_alive();
}

TEST_F(StudioAttackers, AnswersTellBrowsersToKeepThemApart) {
  const HttpAnswer answer = http(port(), "GET", with_token("/files"));
  for (const char* header :
       {"Content-Security-Policy: default-src 'none'", "frame-ancestors 'none'", "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin", "Cache-Control: no-store"})
    EXPECT_NE(answer.header.find(header), std::string::npos) << header;
  EXPECT_EQ(answer.header.find("Access-Control-Allow"), std::string::npos);
}

}  // namespace
