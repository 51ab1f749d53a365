// How many random cases a test takes. Builds with the address sanitizer take a tenth: they look for bad memory, which
// the first cases meet as well as the last, and need 25 times as long for each; the numbers are those of the release
// build.
#pragma once

namespace distal::test {

#ifdef __SANITIZE_ADDRESS__
constexpr int cases(int wanted) { return (wanted + 9) / 10; }
#else
constexpr int cases(int wanted) { return wanted; }
#endif

}  // namespace distal::test
