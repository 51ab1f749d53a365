// What can go wrong, in two kinds: the user's input (an exception) and our own bug (an assertion).
#pragma once
#include <stdexcept>
#include <string>

namespace distal {

// Bad input from a user. The message names place, value, allowed range and the nearest right thing.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Results could not be written (disk full, folder vanished).
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail_assertion(const char* condition, const char* file, int line);

}  // namespace distal

// A broken promise of our own code. On in every build: the checks stand outside inner loops.
#define DISTAL_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::distal::fail_assertion(#condition, __FILE__, __LINE__))
