// The options of every command that can be watched in a browser.
#pragma once
#include <CLI/CLI.hpp>

#include "distal/view/view_server.hpp"

namespace distal {

void add_view_server_options(CLI::App& command, ViewServerOptions& options);
// Where to look: for a person, and as a line of standard output for programs.
void announce_view(const ViewServer& server, bool quiet);

}  // namespace distal
