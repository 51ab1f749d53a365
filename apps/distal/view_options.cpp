#include "distal/view_options.hpp"

#include "distal/terminal.hpp"
#include "distal/view/page_files.hpp"

namespace distal {

void add_view_server_options(CLI::App& command, ViewServerOptions& options) {
  command.add_option("--view-port", options.port, "TCP port of the live page; 0 takes any free one")
      ->check(CLI::Range(0, 65535))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->capture_default_str();
  command.add_option("--view-host", options.host, "address of the live page")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->capture_default_str();
}

void announce_view(const ViewServer& server, bool quiet) {
  if (!quiet) say("Live page: {}\n", bold(server.url()));
  if (!page_is_built()) print_warning("this program was built without its live page, which says how to build it");
  fmt::print("{}\n", server.url());
  std::fflush(stdout);
}

}  // namespace distal
