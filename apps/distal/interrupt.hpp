// Ctrl-C and a polite kill: the first asks the run to end cleanly, the second ends the program at once.
#pragma once
#include <atomic>

namespace distal {

// From now on SIGINT and SIGTERM set the flag.
const std::atomic<bool>& watch_interrupts();

}  // namespace distal
