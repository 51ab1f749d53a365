// The folder of one run's results: refuses to mix two runs, and never shows a half-written file.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace distal {

class OutputFolder {
 public:
  // Creates the folder where needed, and keeps it for this object and its copies. Throws InputError if it cannot be
  // written, if another run keeps it, or if it holds results and `force` is false. `scene_file`, where given, is the
  // user's own: a folder whose results would replace it is refused in any case.
  OutputFolder(std::filesystem::path path, bool force, const std::filesystem::path& scene_file = {});

  const std::filesystem::path& path() const { return path_; }

  // Removes old results and nothing else. Apart from the checks, so that a run which is refused later on costs nothing.
  void remove_old_results() const;

  // A folder inside, created where needed.
  std::filesystem::path folder(std::string_view name) const;

  // Writes a whole file: other programs see the old content or the new one, never a part. Throws OutputError.
  void write_file(const std::filesystem::path& relative, std::string_view content) const;

 private:
  std::filesystem::path path_;
  std::shared_ptr<const int> kept_;  // the open folder, locked
};

// A name that is safe as a file name: letters, digits, dot, dash and underscore stay, the rest becomes '_'.
std::string file_name_of(std::string_view body_name);

// Writes all of `content` to an open file, in one call where the system allows. Returns 0 or errno.
int write_all(int file, std::string_view content);

}  // namespace distal
