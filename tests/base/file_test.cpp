// Whole files in, whole files out: what is written appears at once or not at all.
#include "sinew/base/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

class File : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(SINEW_BINARY_DIR) / "test_base" / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  fs::path file(const std::string& name) const { return folder_ / name; }

  // Names of everything in the folder, sorted.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  // The action fails with one sentence of this kind that names the file.
  static void expect_refusal(ErrorKind kind, const fs::path& path, const std::function<void()>& action) {
    try {
      action();
      ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
      const std::string sentence = error.what();
      EXPECT_EQ(error.kind(), kind) << sentence;
      EXPECT_NE(sentence.find(path.string()), std::string::npos) << sentence;
      EXPECT_EQ(sentence.back(), '.') << sentence;
      EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    }
  }

  using Names = std::vector<std::string>;
  fs::path folder_;
};

TEST_F(File, WhatIsWrittenIsRead) {
  std::string every_byte(256, ' ');
  for (std::size_t k = 0; k < every_byte.size(); ++k) every_byte[k] = static_cast<char>(k);
  for (const std::string& text : {std::string(), std::string("one line\n"), every_byte, std::string(3'000'000, 'x')}) {
    write_text_file(file("a"), text);
    EXPECT_TRUE(read_text_file(file("a")) == text);
    write_file(file("b"), bytes_of(text));
    EXPECT_TRUE(read_file(file("b")) == bytes_of(text));
  }
  EXPECT_EQ(files(), (Names{"a", "b"}));
}

TEST_F(File, PiecesAppearTogetherAndOnlyWhenCommitted) {
  {
    FileWriter writer(file("out"));
    writer.write(bytes_of("first "));
    EXPECT_FALSE(fs::exists(file("out")));
    EXPECT_EQ(files().size(), 1u) << "the temporary file is beside its target, so that renaming it is one step";
    writer.write(bytes_of("second"));
    writer.commit();
    EXPECT_EQ(files(), Names{"out"});
  }
  EXPECT_EQ(read_text_file(file("out")), "first second");
}

TEST_F(File, WithoutCommitNothingIsLeftAndWhatWasThereStays) {
  { FileWriter(file("new")).write(bytes_of("half")); }
  EXPECT_EQ(files(), Names{});

  write_text_file(file("old"), "as it was");
  try {
    FileWriter writer(file("old"));
    writer.write(bytes_of("half"));
    EXPECT_EQ(read_text_file(file("old")), "as it was");
    throw simulation_error("the numbers went wrong.");
  } catch (const Error&) {
  }
  EXPECT_EQ(read_text_file(file("old")), "as it was");
  EXPECT_EQ(files(), Names{"old"});
}

TEST_F(File, AnExistingFileIsReplacedByAnotherAndNotWrittenInto) {
  write_text_file(file("out"), "long text that stood there before");
  fs::create_hard_link(file("out"), file("same_file"));
  write_text_file(file("out"), "short");
  EXPECT_EQ(read_text_file(file("out")), "short");
  EXPECT_EQ(read_text_file(file("same_file")), "long text that stood there before");
}

TEST_F(File, NewFilesAreForTheirOwnerToWriteAndForAllToReadAsFarAsTheUserLets) {
  const mode_t before = ::umask(0022);
  write_text_file(file("usual"), "");
  ::umask(0077);
  write_text_file(file("private"), "");
  ::umask(before);
  EXPECT_EQ(fs::status(file("usual")).permissions(), fs::perms(0644));
  EXPECT_EQ(fs::status(file("private")).permissions(), fs::perms(0600));
}

TEST_F(File, PlacesThatCannotBeWrittenAreUsageErrorsAndLeaveNothing) {
  const auto refused = [&](const fs::path& path) {
    expect_refusal(ErrorKind::usage, path, [&] { write_text_file(path, "text"); });
  };
  refused(file("nowhere") / "out");
  refused(file(std::string(300, 'n')));  // longer than names may be
  write_text_file(file("file"), "");
  refused(file("file") / "out");
  fs::create_directory(file("folder"));
  refused(file("folder"));  // a file cannot take the name of a folder
  EXPECT_EQ(files(), (Names{"file", "folder"}));
  EXPECT_TRUE(fs::is_empty(file("folder")));
}

TEST_F(File, FoldersWithoutPermissionAreUsageErrors) {
  if (::geteuid() == 0) {
    std::cout << "Not tested: the administrator may write everywhere.\n";
    return;
  }
  fs::create_directory(file("locked"));
  fs::permissions(file("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  const fs::path path = file("locked") / "out";
  expect_refusal(ErrorKind::usage, path, [&] { write_text_file(path, "text"); });
  fs::permissions(file("locked"), fs::perms::owner_all);
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(File, AFullDiskIsAUsageErrorWithTheReasonAndLeavesNothing) {
  // A limit on the size of files stands for it: the write that passes it fails.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 10'000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  std::optional<Error> caught;
  try {
    write_text_file(file("large"), std::string(100'000, 'x'));
  } catch (const Error& error) {
    caught = error;
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, action);
  ASSERT_TRUE(caught.has_value());
  EXPECT_EQ(caught->kind(), ErrorKind::usage);
  EXPECT_NE(std::string(caught->what()).find(std::strerror(EFBIG)), std::string::npos) << caught->what();
  EXPECT_EQ(files(), Names{});
}

TEST_F(File, WhatCannotBeReadIsAnInputError) {
  const auto refused = [&](const fs::path& path) {
    expect_refusal(ErrorKind::input, path, [&] { read_file(path); });
    expect_refusal(ErrorKind::input, path, [&] { read_text_file(path); });
  };
  refused(file("missing"));
  refused(folder_);
  refused(file("nowhere") / "missing");
  fs::create_symlink(file("missing"), file("dangling"));
  refused(file("dangling"));
}

}  // namespace
}  // namespace sinew
