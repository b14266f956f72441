// Where results go that are not plain files, and what becomes of the run where nobody takes what is printed.
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "program.h"

namespace sinew::test {
namespace {

class Outputs : public ProgramTest {
 protected:
  // Of a run with its streams as the shell's words say; "%" stands for the program with `arguments`.
  int shell(const std::string& line, const std::string& arguments) const {
    std::string command = line;
    for (std::size_t at = 0; (at = command.find('%', at)) != std::string::npos;) {
      const std::string program = std::string("'") + SINEW_PROGRAM + "' " + arguments;
      command.replace(at, 1, program);
      at += program.size();
    }
    const int status = std::system(("cd '" + file("") + "' && " + command).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // Quick, and says a few lines.
  static std::string animate(const std::string& options) {
    return "animate '" + sample_file("tube.glb") + "' --tetrahedra 300 --range 0 0.2 --fps 10 " + options;
  }
};

using Json = nlohmann::json;

TEST_F(Outputs, AHyphenIsStandardOutput) {
  EXPECT_EQ(shell("% > report.json 2> said.txt", animate("-o out.glb --report -")), 0);
  const Json report = Json::parse(contents(file("report.json")));
  EXPECT_EQ(report["output"], "out.glb");
  EXPECT_NE(contents(file("said.txt")).find("322 tetrahedra"), std::string::npos)
      << "what is printed goes to standard error";

  EXPECT_EQ(shell("% 2> said.txt | cat > piped.glb", animate("-o -")), 0);
  EXPECT_TRUE(contents(file("piped.glb")) == contents(file("out.glb")));
  EXPECT_EQ(shell("% > settings.json", "settings -"), 0);
  EXPECT_EQ(Json::parse(contents(file("settings.json")))["look"], "natural");
  EXPECT_EQ(files(), (std::vector<std::string>{"out.glb", "piped.glb", "report.json", "said.txt", "settings.json"}));
}

// Root may replace devices, too.
TEST_F(Outputs, TheDeviceOfStandardOutputStaysAndGetsTheReport) {
  ASSERT_EQ(shell("ln -s /dev/stdout link && % > said.txt 2> progress.txt", animate("-o out.glb --report link")), 0);
  EXPECT_TRUE(std::filesystem::is_symlink(file("link")));
  const std::string said = contents(file("said.txt"));
  EXPECT_EQ(said.find("{"), 0u) << said;
  EXPECT_NE(said.find("322 tetrahedra"), std::string::npos) << "and what is printed stands behind it";
}

// A name may lead to the file of another output, through links and before either is there.
TEST_F(Outputs, TwoOutputsThatLeadToOneFileAreRefusedBeforeAnythingIsWritten) {
  ASSERT_EQ(shell("mkdir folder && ln -s folder other && ln -s folder/a.glb l.json && ln -s l.json m.json", ""), 0);
  for (const char* outputs :
       {"-o folder/a.glb --report l.json", "-o other/a.glb --report m.json", "-o folder/a.glb --preview other/a.glb",
        "-o folder/b.gltf --report other/b.bin", "-o - --report /dev/stdout"})
    EXPECT_EQ(shell("% 2> said.txt > out.txt", animate(outputs)), 2) << outputs;
  EXPECT_NE(contents(file("said.txt")).find("give each its own name"), std::string::npos);
  EXPECT_EQ(shell("%", animate("-o folder/a.glb --report other/a.json")), 0);
  EXPECT_EQ(
      shell("ln -s ../model.glb folder/model.glb && cp '" + sample_file("tube.glb") + "' model.glb && % 2> said.txt",
            "animate model.glb -o other/model.glb"),
      2);
  EXPECT_NE(contents(file("said.txt")).find("is the input itself"), std::string::npos);
  EXPECT_EQ(shell("ln -s a.json p.png; % 2> said.txt", "anatomy model.glb -o a.json --preview p.png"), 2);
  EXPECT_EQ(shell("% 2> said.txt", "lattice model.glb -o a.json --preview p.png"), 2);
}

TEST_F(Outputs, AClosedPipeDoesNotLoseTheResult) {
  // The program starts when its reader has closed the pipe: a reader that ends by itself may still be there when all
  // has been written.
  const std::string closed = "{ exec < /dev/null; touch closed; }";
  const std::string wait = "while [ ! -e closed ]; do sleep 0.01; done; ";
  EXPECT_EQ(shell("{ " + wait + "% 2>&1; echo $? > code.txt; } | " + closed, animate("-o out.glb --report run.json")),
            0);
  EXPECT_EQ(contents(file("code.txt")), "141\n");
  EXPECT_EQ(contents(file("out.glb")).substr(0, 4), "glTF");
  EXPECT_TRUE(std::filesystem::exists(file("run.json")));
  std::filesystem::remove(file("closed"));
  EXPECT_EQ(shell("{ " + wait + "%; echo $? > code.txt; } 2> said.txt | " + closed, "settings -"), 0);
  EXPECT_EQ(contents(file("code.txt")), "141\n");
  EXPECT_EQ(contents(file("said.txt")), "");
}

TEST_F(Outputs, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(shell("% > /dev/full 2> said.txt", animate("-o out.glb")), 2);
  EXPECT_NE(contents(file("said.txt")).find("standard output: "), std::string::npos) << contents(file("said.txt"));
  EXPECT_EQ(contents(file("out.glb")).substr(0, 4), "glTF");
  EXPECT_EQ(shell("% > /dev/full 2> said.txt", "info '" + sample_file("tube.glb") + "'"), 2);
  EXPECT_EQ(shell("% > /dev/full 2> said.txt", "settings -"), 2);
  EXPECT_NE(contents(file("said.txt")).find("standard output: does not fit"), std::string::npos)
      << contents(file("said.txt"));

  // Each of several files by its own name. A limit on the size of files stands for the disk: 512 bytes times 4.
  std::filesystem::remove(file("out.glb"));
  EXPECT_EQ(shell("ulimit -f 4 && % 2> said.txt", animate("--quiet -o out.glb --report run.json")), 2);
  EXPECT_EQ(contents(file("said.txt")), "sinew: out.glb: does not fit (" + std::string(std::strerror(EFBIG)) +
                                            "); make room for it or choose another place.\n");
  ASSERT_EQ(shell("ln -s /dev/full full.json && % 2> said.txt", animate("--quiet -o out.glb --report full.json")), 2);
  EXPECT_TRUE(contents(file("said.txt")).starts_with("sinew: full.json: does not fit (")) << contents(file("said.txt"));
  EXPECT_EQ(contents(file("out.glb")).substr(0, 4), "glTF");
  EXPECT_EQ(files(), (std::vector<std::string>{"full.json", "out.glb", "said.txt"}));
}

// A file that is opened gets the lowest number that is free, and what is printed goes to number 1.
TEST_F(Outputs, ClosedStreamsPrintIntoNoFile) {
  ASSERT_EQ(shell("% 2> said.txt", animate("--quiet -o good.glb --report good.json")), 0);
  EXPECT_EQ(shell("% >&- 2>&- <&-", animate("-o out.glb --report out.json")), 0);
  EXPECT_TRUE(contents(file("out.glb")) == contents(file("good.glb")));
  EXPECT_EQ(Json::parse(contents(file("out.json")))["output"], "out.glb");
}

TEST_F(Outputs, ACheckpointIsAFileThatCanBeReadAgain) {
  ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0600), 0);
  for (const std::string& place : {std::string("-"), file("fifo"), std::string("/dev/null")})
    expect_failure({"animate", sample_file("tube.glb"), "-o", file("out.glb"), "--checkpoint", place}, 2,
                   "checkpoint could be read");
}

TEST_F(Outputs, AZeroInANameDoesNotCutTheSentence) {
  std::string glb = contents(sample_file("tube.glb"));
  const std::size_t at = glb.find("\"bend_90\"");
  ASSERT_NE(at, std::string::npos);
  glb.replace(at, 9, "\"\\u0000b\"");
  write_text(file("zero.glb"), glb);
  expect_failure({"animate", file("zero.glb"), "-o", file("out.glb"), "--clip", "none"}, 2, "\\x00b, bend_135, shake");
  write_text(file("zero.json"), "{\"so\\u0000ft\": 1}");
  expect_failure({"animate", file("zero.glb"), "-o", file("out.glb"), "--settings", file("zero.json")}, 3,
                 "'so\\x00ft' is not a setting");
}

// What a character names outside of its folder is not carried away in the result.
TEST_F(Outputs, ACharacterBringsItsOwnFilesOnly) {
  std::filesystem::create_directories(file("character"));
  ASSERT_EQ(shell("% 2> said.txt", animate("--quiet -o character/good.gltf")), 0);
  write_text(file("secret.png"), "\x89PNG\r\n\x1a\n and a secret");
  const std::string text = contents(file("character/good.gltf"));
  for (const char* uri : {"../secret.png", "%2e%2e/secret.png", "..\\secret.png"}) {
    Json json = Json::parse(text);
    json["images"] = Json::array({{{"uri", uri}}});
    write_text(file("character/leads.gltf"), json.dump());
    for (const char* verb : {"info", "check"}) expect_failure({verb, file("character/leads.gltf")}, 3, "images[0].uri");
    expect_failure({"animate", file("character/leads.gltf"), "-o", file("out.glb")}, 3, "images[0].uri");
  }
}

}  // namespace
}  // namespace sinew::test
