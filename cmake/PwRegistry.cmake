# SPDX-License-Identifier: GPL-2.0-or-later
# A registry is generated from the file list: <folder>/<name>.c must define
# `const struct <type> <prefix><name>`, dashes and dots in names written as underscores.
# Constructors would be dropped silently by the linker in a static library.
#
#   pw_registry(<output> HEADER <header> TYPE <type> PREFIX <prefix> TABLE <symbol> FILES <files>)
function(pw_registry output)
	cmake_parse_arguments(R "" "HEADER;TYPE;PREFIX;TABLE" "FILES" ${ARGN})
	set(externs "")
	set(rows "")
	list(SORT R_FILES)
	foreach(file IN LISTS R_FILES)
		get_filename_component(name "${file}" NAME_WE)
		string(APPEND externs "extern const struct ${R_TYPE} ${R_PREFIX}${name};\n")
		string(APPEND rows "\t&${R_PREFIX}${name},\n")
	endforeach()
	set(text "/* SPDX-License-Identifier: GPL-2.0-or-later */\n/* Generated from the file list. */\n")
	string(APPEND text "#include \"${R_HEADER}\"\n\n${externs}\n")
	string(APPEND text "const struct ${R_TYPE} *const ${R_TABLE}[] = {\n${rows}\tNULL,\n};\n")
	file(CONFIGURE OUTPUT "${output}" CONTENT "${text}" @ONLY)
endfunction()
