#include "distal/record/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "distal/core/error.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;

constexpr std::array result_files = {"summary.json", "report.html", "run.pvd",      "energy.csv",
                                     "timing.csv",   "curve.csv",   "scene.toml",   "points.csv",
                                     "contour.csv",  "joints.csv",  "contacts.csv", "limit_surface.csv"};

struct ResultFolder {
  const char* name;
  std::array<const char*, 3> endings;  // of the files we write there
};
constexpr std::array result_folders = {ResultFolder{"series", {".csv"}},
                                       ResultFolder{"frames", {".vtu"}},
                                       ResultFolder{"taxels", {".csv"}},
                                       ResultFolder{"recording", {".csv", ".json", ".checkpoint"}},
                                       ResultFolder{"measured", {".csv"}},
                                       ResultFolder{"devices", {".csv"}},
                                       ResultFolder{"checkpoints", {".checkpoint"}}};

// The first thing in the folder that looks like a result, or nothing.
std::string find_result(const fs::path& path) {
  for (const char* name : result_files)
    if (fs::exists(path / name)) return name;
  for (const ResultFolder& folder : result_folders)
    if (fs::exists(path / folder.name)) return std::string(folder.name) + "/";
  return {};
}

// Only what a run writes: a user may keep notes or scenes beside the results.
void remove_results(const fs::path& path) {
  for (const char* name : result_files) fs::remove(path / name);
  for (const ResultFolder& folder : result_folders) {
    if (!fs::is_directory(path / folder.name)) continue;
    for (const auto& entry : fs::directory_iterator(path / folder.name)) {
      const std::string ending = entry.path().extension().string();
      const auto is_it = [&](const char* ours) { return ours != nullptr && ending == ours; };
      if (entry.is_regular_file() && std::any_of(folder.endings.begin(), folder.endings.end(), is_it))
        fs::remove(entry.path());
    }
    if (fs::is_empty(path / folder.name)) fs::remove(path / folder.name);
  }
}

// Permission bits do not tell the truth for root or read-only mounts, so try.
void check_writable(const fs::path& path) {
  const fs::path probe = path / ".distal-write-test";
  const int file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0)
    throw InputError(fmt::format("output folder {} cannot be written: {}. Choose another with --out DIR.",
                                 path.string(), std::strerror(errno)));
  ::close(file);
  ::unlink(probe.c_str());
}

// Two runs in one folder would mix their results. The lock ends with the process, however that ends.
std::shared_ptr<const int> keep_folder(const fs::path& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return nullptr;
  std::shared_ptr<const int> kept(new int(folder), [](const int* open) {
    ::close(*open);
    delete open;
  });
  // A file system without locks does without.
  if (::flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw InputError(
        fmt::format("another run is writing to the output folder {}. Choose another with --out DIR.", path.string()));
  return kept;
}

}  // namespace

OutputFolder::OutputFolder(fs::path path, bool force, const fs::path& scene_file) : path_(std::move(path)) {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error))
    throw InputError(fmt::format("output folder {} is a file. Choose another with --out DIR.", path_.string()));
  fs::create_directories(path_, error);
  if (error)
    throw InputError(fmt::format("output folder {} cannot be created: {}. Choose another with --out DIR.",
                                 path_.string(), error.message()));
  if (fs::equivalent(scene_file, path_ / "scene.toml", error) && !error)
    throw InputError(fmt::format("results in {} would replace the scene file {}. Choose another folder with --out DIR.",
                                 path_.string(), scene_file.string()));
  kept_ = keep_folder(path_);
  try {
    const std::string found = find_result(path_);
    if (!found.empty() && !force)
      throw InputError(
          fmt::format("output folder {} already holds results ({}). Choose another with --out DIR, or "
                      "replace them with --force.",
                      path_.string(), found));
    check_writable(path_);
  } catch (const fs::filesystem_error& problem) {
    throw InputError(fmt::format("output folder {} cannot be read: {}", path_.string(), problem.what()));
  }
}

void OutputFolder::remove_old_results() const {
  try {
    remove_results(path_);
  } catch (const fs::filesystem_error& problem) {
    throw InputError(fmt::format("old results in {} cannot be removed: {}", path_.string(), problem.what()));
  }
}

fs::path OutputFolder::folder(std::string_view name) const {
  std::error_code error;
  fs::create_directories(path_ / name, error);
  if (error) throw OutputError(fmt::format("cannot create {}: {}", (path_ / name).string(), error.message()));
  return path_ / name;
}

void OutputFolder::write_file(const fs::path& relative, std::string_view content) const {
  const fs::path target = path_ / relative;
  fs::path part = target;
  part += ".part";
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  int problem = file < 0 ? errno : write_all(file, content);
  // Some file systems report a full disk only here.
  if (file >= 0 && ::close(file) != 0 && problem == 0) problem = errno;
  if (problem == 0 && ::rename(part.c_str(), target.c_str()) != 0) problem = errno;
  if (problem == 0) return;
  if (file >= 0) ::unlink(part.c_str());
  throw OutputError(fmt::format("cannot write {}: {}. All files written before it are whole and safe in {}.",
                                target.string(), std::strerror(problem), path_.string()));
}

std::string file_name_of(std::string_view body_name) {
  std::string name(body_name);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '_') c = '_';
  if (name.empty() || name[0] == '.') name.insert(0, "_");
  return name;
}

int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace distal
