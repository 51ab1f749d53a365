// distal: the command line of the simulator. Data to standard output, messages to standard error.
#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <vector>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

void add_commands(CLI::App& program, int& exit_code) {
  program.set_version_flag("--version", "distal " DISTAL_VERSION);
  program.require_subcommand(1);
  program.footer(
      "Start with: distal run press\n"
      "Exit codes: 0 done, 1 the run failed or was interrupted, 2 bad usage or bad scene.\n"
      "NO_COLOR switches colours off; without a terminal there are none.");
  add_run_command(program, exit_code);
  add_serve_command(program, exit_code);
  add_control_command(program, exit_code);
  add_view_command(program, exit_code);
  add_replay_command(program, exit_code);
  add_tune_command(program, exit_code);
  add_sweep_command(program, exit_code);
  add_fit_command(program, exit_code);
  add_grip_command(program, exit_code);
  add_check_command(program, exit_code);
  add_new_command(program, exit_code);
  add_list_command(program, exit_code);
  add_schema_command(program, exit_code);
  add_bench_command(program, exit_code);
}

// A word that is no command would otherwise be reported as an argument too many.
bool refuse_unknown_command(const CLI::App& program, std::string_view word) {
  if (word.starts_with('-')) return false;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return false;
  const std::vector<std::string_view> views(names.begin(), names.end());
  print_error(fmt::format("unknown command '{}'{}; see distal --help", word, suggestion(word, views)));
  return true;
}

// What a command does not expect, in the order of typing, with the nearest option it has.
std::string describe_extras(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string text = "not expected:", near;
  for (const std::string& word : program.remaining(true)) {
    text += " " + word;
    if (near.empty() && word.starts_with("--")) near = suggestion(word.substr(0, word.find('=')), views);
  }
  return text + near;
}

int run_program(int argc, char** argv) {
  int exit_code = kDone;
  CLI::App program("Distal: a simulator of soft touch for robot hands.", "distal");
  add_commands(program, exit_code);
  if (argc < 2) {
    say("{}", program.help());
    return kBadInput;
  }
  if (refuse_unknown_command(program, argv[1])) return kBadInput;
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return program.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    print_error(fmt::format("{}; see distal {}--help", is_extra ? describe_extras(program) : error.what(),
                            argv[1][0] == '-' ? std::string() : std::string(argv[1]) + " "));
    return kBadInput;
  }
  return exit_code;
}

}  // namespace
}  // namespace distal

int main(int argc, char** argv) {
  try {
    const int exit_code = distal::run_program(argc, argv);
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return exit_code;
    distal::print_error("standard output could not be written: what it should hold is lost");
    return distal::kRunFailed;
  } catch (const distal::InputError& error) {
    distal::print_error(error.what());
    return distal::kBadInput;
  } catch (const std::bad_alloc&) {
    distal::print_error("out of memory; a larger cell_size_m needs less");
    return distal::kRunFailed;
  } catch (const std::exception& error) {
    distal::print_error(error.what());
    return distal::kRunFailed;
  }
}
