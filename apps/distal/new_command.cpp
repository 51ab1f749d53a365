// distal new: a short scene to start from.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

void write_new_file(const std::string& path, const std::string& text) {
  // "x": the system itself refuses a file that exists.
  std::FILE* file = std::fopen(path.c_str(), "wx");
  if (file == nullptr && errno == EEXIST) throw InputError(fmt::format("{}: exists already and is left alone", path));
  if (file == nullptr) throw InputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed)
    throw OutputError(fmt::format("{}: could not be written whole: {}", path, std::strerror(errno)));
}

}  // namespace

void add_new_command(CLI::App& program, int& exit_code) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("new", "Print a short scene to start from, or write it to a new file.");
  command->add_option("file", *file, "file to write; standard output when not given")->type_name("FILE");
  command->callback([file, &exit_code] {
    if (file->empty()) {
      fmt::print("{}", starter_scene());
    } else {
      write_new_file(*file, starter_scene());
      say("Wrote {}: run it with distal run {}\n", *file, *file);
    }
    exit_code = kDone;
  });
}

}  // namespace distal
