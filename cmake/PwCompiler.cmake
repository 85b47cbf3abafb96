# SPDX-License-Identifier: GPL-2.0-or-later
# Language, warnings, sanitizers: one place for every target (through pw_compiler).
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
	set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "build type" FORCE)
endif()

add_library(pw_compiler INTERFACE)
target_compile_definitions(pw_compiler INTERFACE _GNU_SOURCE
	PW_VERSION="${PROJECT_VERSION}" $<$<BOOL:${PW_FAULTS}>:PW_FAULTS>
	$<$<BOOL:${PW_PITFALLS}>:PW_PITFALLS>)
target_compile_options(pw_compiler INTERFACE
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef
	-Wwrite-strings -Wvla -Wfloat-conversion -Wnull-dereference -fno-common
	-fstack-protector-strong $<$<BOOL:${PW_WERROR}>:-Werror>)
if(PW_SANITIZE)
	target_compile_options(pw_compiler INTERFACE -fsanitize=${PW_SANITIZE}
		-fno-sanitize-recover=all -fno-omit-frame-pointer)
	target_link_options(pw_compiler INTERFACE -fsanitize=${PW_SANITIZE})
endif()
if(PW_FUZZ)
	target_compile_options(pw_compiler INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(PW_COVERAGE)
	target_compile_options(pw_compiler INTERFACE --coverage)
	target_link_options(pw_compiler INTERFACE --coverage)
endif()
