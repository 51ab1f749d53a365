// The commands of the program. Each adds itself to the command line, and sets the exit code when it is run.
#pragma once
#include <CLI/CLI.hpp>

namespace distal {

inline constexpr int kDone = 0;
inline constexpr int kRunFailed = 1;
inline constexpr int kBadInput = 2;  // usage or scene

void add_run_command(CLI::App& program, int& exit_code);
void add_serve_command(CLI::App& program, int& exit_code);
void add_control_command(CLI::App& program, int& exit_code);
void add_view_command(CLI::App& program, int& exit_code);
void add_replay_command(CLI::App& program, int& exit_code);
void add_tune_command(CLI::App& program, int& exit_code);
void add_sweep_command(CLI::App& program, int& exit_code);
void add_fit_command(CLI::App& program, int& exit_code);
void add_grip_command(CLI::App& program, int& exit_code);
void add_check_command(CLI::App& program, int& exit_code);
void add_bench_command(CLI::App& program, int& exit_code);
void add_new_command(CLI::App& program, int& exit_code);
void add_schema_command(CLI::App& program, int& exit_code);
void add_list_command(CLI::App& program, int& exit_code);

}  // namespace distal
