// For a thread that serves a simulation and is not waited for: files, viewers.
#pragma once

namespace distal {

// Puts the calling thread behind those that compute, also if it was started by one with real-time priority.
void step_back();

}  // namespace distal
