# SPDX-License-Identifier: GPL-2.0-or-later
# Outside libraries, as pkg-config knows them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.10)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
