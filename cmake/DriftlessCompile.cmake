# Compile options and the two ways a target is made here: a room (static library) and a test.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(driftless_options INTERFACE)
target_compile_options(driftless_options INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  # A replay on the same build repeats a run bit for bit: no fused operations chosen by the optimiser.
  -ffp-contract=off)
if(DRIFTLESS_WERROR)
  target_compile_options(driftless_options INTERFACE -Werror)
endif()
if(DRIFTLESS_SANITIZE)
  target_compile_options(driftless_options INTERFACE -fsanitize=${DRIFTLESS_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(driftless_options INTERFACE -fsanitize=${DRIFTLESS_SANITIZE})
endif()

# driftless_room(NAME LINK target...): a static library of all sources in the current folder.
function(driftless_room name)
  cmake_parse_arguments(ROOM "" "" "LINK;SYSTEM_LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  if(sources)
    add_library(${name} STATIC ${sources} ${headers})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ROOM_LINK} PRIVATE driftless_options)
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ROOM_LINK})
  endif()
endfunction()
