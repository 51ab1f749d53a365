#include "distal/core/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace distal {

void fail_assertion(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "distal: internal error: %s is false (%s:%d). This is a bug in distal, please report it.\n",
               condition, file, line);
  std::abort();
}

}  // namespace distal
