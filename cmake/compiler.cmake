# Warnings and sanitizers, for our own targets only.
find_program(CCACHE ccache)
if(DISTAL_READ_ONLY)
  # The compiler reads, instantiates and warns as always, and its output is an empty file; so is what is linked of them.
  # (Precompiled headers ask for theirs in their own flags, which come later and win.)
  set(CMAKE_CXX_COMPILE_OBJECT
      "<CMAKE_CXX_COMPILER> -Xclang -fsyntax-only <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>"
      "${CMAKE_COMMAND} -E touch <OBJECT>")
  set(CMAKE_CXX_ARCHIVE_CREATE "${CMAKE_COMMAND} -E touch <TARGET>")
  set(CMAKE_CXX_ARCHIVE_FINISH "")
  set(CMAKE_CXX_LINK_EXECUTABLE "${CMAKE_COMMAND} -E touch <TARGET>")
elseif(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # With precompiled headers it compares the files, not their times, and trusts what the headers define.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

add_library(distal_options INTERFACE)
target_compile_options(distal_options INTERFACE -Wall -Wextra -Wpedantic $<$<BOOL:${DISTAL_WERROR}>:-Werror>)
# No contraction of a*b+c: the same bits from every compiler and for every split of the work.
target_compile_options(distal_options INTERFACE -ffp-contract=off)
# g++ 12 warns of overlapping copies inside std::string that cannot happen (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(distal_options INTERFACE -Wno-restrict)
endif()
if(DISTAL_SANITIZE)
  target_compile_options(distal_options INTERFACE -fsanitize=${DISTAL_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  # The address sanitizer sees the first two as well, and vector loads stop at a wrong alignment by themselves; with the
  # three the code of Eigen compiles for half as long again.
  if(DISTAL_SANITIZE MATCHES "undefined")
    target_compile_options(distal_options INTERFACE -fno-sanitize=null,object-size,alignment)
  endif()
  target_link_options(distal_options INTERFACE -fsanitize=${DISTAL_SANITIZE})
  # g++ with sanitizers sees maybe-uninitialized values inside Eigen that are none.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(distal_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
