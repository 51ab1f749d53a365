# Headers that nearly every file reads, compiled once: without them reading Eigen, fmt and GoogleTest takes longer than
# compiling. Only foreign headers, which never change, so that an edit rebuilds no more than it would without.
option(DISTAL_PRECOMPILED "compile the headers of other libraries once" ${PROJECT_IS_TOP_LEVEL})
# What the compiler cache wants: no times in precompiled headers, or their names in the preprocessed text.
set(clang_precompiles "-Xclang;-fno-pch-timestamp")
set(gnu_uses -fpch-preprocess)

# precompile(NAME LIBRARIES... HEADERS <a>...): headers for the targets that say use_precompiled(TARGET NAME).
function(precompile name)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "LIBRARIES;HEADERS")
  if(NOT DISTAL_PRECOMPILED)
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE ${given_LIBRARIES})
  target_compile_definitions(${name} PRIVATE EIGEN_MPL2_ONLY)
  target_compile_options(${name} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:${clang_precompiles}>")
  target_precompile_headers(${name} PRIVATE ${given_HEADERS})
endfunction()

function(use_precompiled target name)
  if(DISTAL_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${name})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:${gnu_uses}>)
  endif()
endfunction()
