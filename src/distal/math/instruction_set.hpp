// What the vector kernels run with on this machine; they are compiled for several instruction sets (Highway).
#pragma once

namespace distal {

const char* kernel_instruction_set();  // for example "AVX3"

// Numbers of a type that a vector holds, at most a cache line of them: what is laid out in tiles of so many leaves the
// fewest places empty.
template <typename T>
int kernel_lanes();

}  // namespace distal
