# The live page: built from viewer/ by npm where there is one, and put into the program, which then needs no other file.
# Sets DISTAL_PAGE_SOURCE (a source file) and DISTAL_PAGE_FILES (what it takes in).
find_program(NPM npm)
set(viewer ${PROJECT_SOURCE_DIR}/viewer)
set(page ${PROJECT_BINARY_DIR}/page)
set(DISTAL_PAGE_FILES ${page}/index.html ${page}/app.js ${page}/style.css)
file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${viewer}/src/* ${viewer}/index.html ${viewer}/public/*)
add_custom_command(
  OUTPUT ${DISTAL_PAGE_FILES} ${page}/built.txt
  COMMAND ${CMAKE_COMMAND} -D npm=${NPM} -D viewer=${viewer} -D page=${page} -P ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
  DEPENDS ${viewer_sources} ${viewer}/package.json ${viewer}/package-lock.json ${viewer}/build.js
          ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake ${PROJECT_SOURCE_DIR}/cmake/no_page.html
  COMMENT "Building the live page" VERBATIM)
list(APPEND DISTAL_PAGE_FILES ${page}/built.txt)
add_custom_target(distal_page DEPENDS ${DISTAL_PAGE_FILES})
set(DISTAL_PAGE_SOURCE ${PROJECT_BINARY_DIR}/page_files.cpp)
configure_file(${PROJECT_SOURCE_DIR}/cmake/page_files.cpp.in ${DISTAL_PAGE_SOURCE} @ONLY)
