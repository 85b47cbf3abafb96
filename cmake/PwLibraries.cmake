# SPDX-License-Identifier: GPL-2.0-or-later
# Outside libraries. jansson and PCRE2 are required; libpfm4 and libsensors are optional: a part
# that was built without its library still registers and says why it cannot run.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.10)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)

find_path(PFM_INCLUDE perfmon/pfmlib_perf_event.h)
find_library(PFM_LIBRARY pfm)
if(PFM_INCLUDE AND PFM_LIBRARY)
	set(PW_HAVE_PFM ON)
	add_library(pw_pfm INTERFACE)
	target_include_directories(pw_pfm SYSTEM INTERFACE "${PFM_INCLUDE}")
	target_link_libraries(pw_pfm INTERFACE "${PFM_LIBRARY}")
	target_compile_definitions(pw_pfm INTERFACE PW_HAVE_PFM)
endif()
