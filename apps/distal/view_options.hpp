// The options of every command that can be watched in a browser.
#pragma once
#include <CLI/CLI.hpp>

#include "distal/view/view_server.hpp"

namespace distal {

void add_view_server_options(CLI::App& command, ViewServerOptions& options);
// Tells a person where to look.
void print_view_address(const ViewServer& server);

}  // namespace distal
