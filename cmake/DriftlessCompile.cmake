# Compile options and the two ways a target is made here: a room (static library) and a test.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# A hundred tests are linked, those of the window with as many libraries: gold takes a fifth of the time.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold DRIFTLESS_HAS_GOLD)
if(DRIFTLESS_HAS_GOLD)
  add_link_options(-fuse-ld=gold)
endif()

add_library(driftless_options INTERFACE)
target_compile_options(driftless_options INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  # A replay on the same build repeats a run bit for bit: no fused operations chosen by the optimiser.
  -ffp-contract=off)
if(DRIFTLESS_WERROR)
  target_compile_options(driftless_options INTERFACE -Werror)
endif()
# Assertions name their sources without the folder of this machine, so that two builds in two folders are the same bytes.
option(DRIFTLESS_MAP_PATHS "Name sources in the binaries relative to the source tree" OFF)
if(DRIFTLESS_MAP_PATHS)
  add_compile_options(-ffile-prefix-map=${PROJECT_BINARY_DIR}=build -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
endif()
# What makes a mistake that was overlooked an end instead of a way in. The presets switch it on.
option(DRIFTLESS_HARDENED "Guard stacks, buffers and the tables of the linker" OFF)
if(DRIFTLESS_HARDENED)
  if(DRIFTLESS_SANITIZE)
    target_compile_definitions(driftless_options INTERFACE _GLIBCXX_ASSERTIONS) # every index of the standard library's containers
  else()
    target_compile_options(driftless_options INTERFACE -fstack-protector-strong $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
                           $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
    add_link_options(-Wl,-z,relro -Wl,-z,now)
  endif()
endif()
if(DRIFTLESS_SANITIZE)
  # A target with the property DRIFTLESS_PLAIN is only linked with the sanitizers.
  target_compile_options(driftless_options INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:DRIFTLESS_PLAIN>>>:-fsanitize=${DRIFTLESS_SANITIZE}> -fno-omit-frame-pointer)
  target_link_options(driftless_options INTERFACE -fsanitize=${DRIFTLESS_SANITIZE})
  # Eigen allocates in another way under the address sanitizer; one of its sources is compiled without, and what it allocates is freed here.
  target_compile_definitions(driftless_options INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=1)
  if(DRIFTLESS_SANITIZE MATCHES "undefined")
    # These four check every access through a pointer and double the time to compile. A null or stale pointer that is used
    # is found by the address sanitizer anyway.
    target_compile_options(driftless_options INTERFACE -fno-sanitize=vptr,null,alignment,object-size)
  endif()
endif()

# Three sets of headers that most sources of their layer include, compiled once: core (standard library), qt (widgets), test
# (Qt Test). Off by default so that a source that forgets an include fails on a developer's machine.
option(DRIFTLESS_PCH "Precompile the headers that most sources include" OFF)
set(DRIFTLESS_SINGLE "" CACHE STRING "Rooms whose sources are compiled one at a time even so, e.g. driftless_pencil: they are to be changed often")

# driftless_headers(LAYER LINK target... HEADERS header...): declares the set LAYER.
function(driftless_headers layer)
  cmake_parse_arguments(SET "" "" "LINK;HEADERS" ${ARGN})
  if(DRIFTLESS_PCH AND NOT TARGET driftless_headers_${layer})
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/headers/${layer}.cpp CONTENT "")
    add_library(driftless_headers_${layer} OBJECT ${CMAKE_BINARY_DIR}/headers/${layer}.cpp)
    set_target_properties(driftless_headers_${layer} PROPERTIES AUTOMOC OFF AUTORCC OFF)
    target_link_libraries(driftless_headers_${layer} PRIVATE ${SET_LINK} driftless_options)
    target_precompile_headers(driftless_headers_${layer} PRIVATE ${SET_HEADERS})
  endif()
endfunction()

# driftless_use_headers(TARGET LAYER): compiles the target's sources with the set, if sets are precompiled.
function(driftless_use_headers target layer)
  if(TARGET driftless_headers_${layer})
    target_precompile_headers(${target} REUSE_FROM driftless_headers_${layer})
  endif()
endfunction()

# driftless_room(NAME LINK target... [HEADERS layer] [ALONE source...]): a static library of all sources in the current folder. Where
# headers are precompiled, sources are compiled twelve at a time, so that what they share is made once; ALONE are those whose own names
# are also another source's.
function(driftless_room name)
  cmake_parse_arguments(ROOM "" "HEADERS" "LINK;ALONE" ${ARGN})
  if(NOT ROOM_HEADERS)
    set(ROOM_HEADERS core)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  if(sources)
    add_library(${name} STATIC ${sources} ${headers})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ROOM_LINK} PRIVATE driftless_options)
    driftless_use_headers(${name} ${ROOM_HEADERS})
    if(DRIFTLESS_PCH AND NOT name IN_LIST DRIFTLESS_SINGLE)
      set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
      # A source's own types look foreign to GCC where it is included by the file that holds sixteen.
      target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
      set_source_files_properties(${ROOM_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ROOM_LINK})
  endif()
endfunction()
