# SPDX-License-Identifier: GPL-2.0-or-later
# One static library per folder. A folder's headers are reachable only through the include root of
# its own layer (a directory that holds one link), so "#include "lib/base/err.h"" compiles only in
# targets that say they stand on that layer: the build itself keeps the arrows pointing down.
#
#   pw_layer(<target> SOURCES <files> USES <layers> [LINK <libraries>])
function(pw_layer target)
	cmake_parse_arguments(L "" "" "SOURCES;USES;LINK" ${ARGN})
	file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
	set(include_root "${PROJECT_BINARY_DIR}/include/${target}")
	get_filename_component(parent "${include_root}/${folder}" DIRECTORY)
	file(MAKE_DIRECTORY "${parent}")
	file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${include_root}/${folder}" SYMBOLIC)
	add_library(${target} STATIC ${L_SOURCES})
	target_include_directories(${target} PUBLIC "${include_root}")
	target_link_libraries(${target} PUBLIC pw_compiler ${L_USES} PRIVATE ${L_LINK})
endfunction()
