# SPDX-License-Identifier: GPL-2.0-or-later
# Outside libraries, as pkg-config knows them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.10)
pkg_check_modules(LIBMD REQUIRED IMPORTED_TARGET libmd)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)

# libpfm4 has no description for pkg-config. Without it events are not cross-checked.
find_path(PFM_INCLUDE perfmon/pfmlib_perf_event.h)
find_library(PFM_LIBRARY pfm)
mark_as_advanced(PFM_INCLUDE PFM_LIBRARY)
