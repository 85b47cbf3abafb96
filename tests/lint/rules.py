# SPDX-License-Identifier: GPL-2.0-or-later
"""The rules. Each takes a Tree and yields (path, line, text); Skip says why one cannot run."""
import re
import shutil
import subprocess

import csource

C_LINES, H_LINES, FUNCTION_LINES, NESTING = 700, 150, 80, 3


class Skip(Exception):
    pass


def sizes(tree):
    """files: .c <= 700 lines, .h <= 150; functions <= 80 lines; nesting <= 3 (csource.nesting)"""
    for path in tree.c_files():
        limit = H_LINES if path.endswith(".h") else C_LINES
        lines = tree.text(path).count("\n")
        if lines > limit:
            yield path, lines, f"{lines} lines, {limit} are the most"
        for function in tree.functions(path):
            if function.lines > FUNCTION_LINES:
                yield (path, function.line, f"{function.name}: {function.lines} lines, "
                       f"{FUNCTION_LINES} are the most")
            depth = csource.nesting(function)
            if depth > NESTING:
                yield (path, function.line, f"{function.name}: nested {depth} deep, "
                       f"{NESTING} is the most")


BANNED = ("strtol strtoul strtoll strtoull strtod strtof strtod_l atoi atol atoll atof scanf sscanf "
          "fscanf strcpy strcat stpcpy sprintf vsprintf gets system popen alloca rand srand "
          "random setenv putenv").split()
# Library layers hand messages and errors to their caller. Native workloads do print: their
# output is their result.
SILENT = "printf vprintf puts putchar perror exit errx err warn warnx".split()
SILENT_FOLDERS = ("lib/", "collectors/", "report/")
BANNED_ALLOWED = {
    ("lib/base/parse.c", "strtod_l"): "the one checked wrapper that all others call",
}


def banned(tree):
    """functions that hide errors, overflow, or take a shell; printing or exiting in a library"""
    for path in tree.c_files():
        # A test's own environment is its own business; so is its output.
        test = path.startswith("tests/")
        names = [n for n in BANNED if not (test and n in ("setenv", "putenv"))]
        if path.startswith(SILENT_FOLDERS):
            names = names + SILENT
        code = tree.code(path)
        # Not a member's name ("ops->system(") and not a part of another word.
        for call in re.finditer(r"(?<![\w.>])(%s)\s*\(" % "|".join(names), code):
            if (path, call.group(1)) not in BANNED_ALLOWED:
                yield path, csource.line_of(code, call.start()), f"{call.group(1)}() is banned"
        if path.startswith(SILENT_FOLDERS) and path != "lib/base/mem.c":
            for call in re.finditer(r"\bf(?:printf|puts)\s*\([^;]*\bstd(?:err|out)\b", code):
                yield path, csource.line_of(code, call.start()), "a library layer prints"


LIB = ["lib/base", "lib/stats", "lib/plugin", "lib/platform", "lib/model"]
# What a folder may include beside itself; the first prefix that fits counts.
LAYERS = {
    "lib/base": [],
    "lib/stats": ["lib/base"],
    "lib/plugin": ["lib/base", "lib/stats"],
    "lib/platform": ["lib/base", "lib/plugin"],
    "lib/model": ["lib/base", "lib/stats", "lib/plugin"],
    "workloads": LIB,
    "collectors": LIB,
    # What the headers of lib/model export of lib/plugin, and no descriptor of a plug-in.
    "report": ["lib/base", "lib/stats", "lib/model", "lib/plugin/value.h", "lib/plugin/metric.h"],
    "harness/engine": LIB + ["report"],
    "harness/cli": LIB + ["report", "harness/engine"],
}
# Outside libraries, each in one place.
LIBRARIES = {
    "jansson.h": ("lib/model", "workloads/exec", "tests/fuzz"),
    "pcre2.h": ("workloads/exec",),
    "perfmon/": ("lib/platform", "collectors"),
    "sensors/": ("lib/platform", "collectors"),
    "cmocka.h": ("tests",),
}


def _below(path, folder):
    return path == folder or path.startswith(folder + "/")


def _include_fault(tree, path, quote, name):
    if quote == "<" and path.startswith("tests/"):
        return None
    if quote == "<":
        for library, folders in LIBRARIES.items():
            if name.startswith(library) and not any(_below(path, f) for f in folders):
                return f"<{name}> belongs to {' and '.join(folders)}"
        return None
    if path.startswith("tests/") and tree.has(f"{path.rsplit('/', 1)[0]}/{name}"):
        return None
    if not tree.has(name):
        return f'"{name}" is no path from the project\'s root'
    layer = next((l for l in LAYERS if _below(path, l)), None)
    if layer is None or _below(name, layer) or any(_below(name, f) for f in LAYERS[layer]):
        return None
    return f'{layer} may not see "{name}"'


def layers(tree):
    """includes point down the house (ARCHITECTURE), from the project's root"""
    for path in tree.c_files():
        text = tree.text(path)
        for found in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', text, re.M):
            fault = _include_fault(tree, path, found.group(1), found.group(2))
            if fault:
                yield path, csource.line_of(text, found.start()), fault


LICENCE = "SPDX-License-Identifier: GPL-2.0-or-later"
COMMENTED = (".c", ".h", ".py", ".sh", ".cmake", ".md", ".yml", ".yaml", ".awk", ".gp", ".in",
             "CMakeLists.txt", ".clang-format")


def spdx(tree):
    """a licence line in the first three lines of sources, scripts, build files and documents"""
    for path in tree.files():
        text = tree.text(path)
        script = text.startswith("#!")
        if not (script or path.endswith(COMMENTED)) or not text.strip():
            continue
        if LICENCE not in "\n".join(text.split("\n")[:3]):
            yield path, 1, "no SPDX line GPL-2.0-or-later in the first three lines"


# In two halves, so that this file passes its own check.
WORDS = [
    (r"(?:^|[\s\"'`=:(,<])/(?:wo" r"rk|ro" r"ot)/[\w.]", "a path of one machine"),
    (r"/tmp/(?:br" r"ief|bash_" r"jobs)", "a path of one machine"),
    (r"\b(?:deb|security|snapshot|ftp)\.deb" r"ian\.org|archive\.ubu" r"ntu\.com|\bpy" r"pi\.org"
     r"|registry\.np" r"mjs\.org|\bcrat" r"es\.io|files\.python" r"hosted\.org|proxy\.gol" r"ang\.org",
     "a package host"),
]
WORDS_SAMPLES = ["see /wo" "rk/main/x", "cd '/ro" "ot/x'", "/tmp/br" "ief/x",
                 "http://deb.deb" "ian.org/debian"]


def words(tree):
    """no paths of one machine and no package hosts in any file"""
    for path in tree.files():
        if path == "LICENSE":
            continue
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            for pattern, what in WORDS:
                found = re.search(pattern, line)
                if found:
                    yield path, number, f"{what}: {found.group(0).strip()}"


GLOBALS_ALLOWED = {
    ("lib/base/parse.c", "c_locale"): "the C locale object: made once, the same for all, never changed",
    ("lib/base/text.c", "utf8"): "the C.UTF-8 locale object, as above",
    ("lib/base/fault.c", "passes"): "counts passes for the kill tests, in builds with PW_FAULTS only",
}


def _local_statics(function):
    for found in re.finditer(r"(?<=[;{}])\s*(static\b[^;{}=]*(?:=[^;]*)?)", function.body):
        yield function.body_offset + found.start(1), found.group(1)


def mutable(tree):
    """no mutable variables that outlive a call, outside harness/cli, tests and bench"""
    for path in tree.c_files():
        if path.startswith(("harness/cli/", "tests/", "bench/")):
            continue
        code = csource.blank_directives(tree.code(path))
        found = []
        for item in csource.top_level(code):
            if item[0] == "declaration":
                found.append(item[1:])
            else:
                found.extend(_local_statics(item[1]))
        for offset, text in found:
            name = csource.mutable_variable(text)
            if name and (path, name) not in GLOBALS_ALLOWED:
                yield path, csource.line_of(code, offset), f"{name} is mutable and outlives a call"


def _flags(tree):
    text = tree.project_text("cmake/PwCompiler.cmake")
    return sorted(set(re.findall(r"(?<![\w-])-W[a-z][\w=+-]*", text)) - {"-Werror"})


def _packages():
    tool = shutil.which("pkg-config")
    if not tool:
        return []
    out = subprocess.run([tool, "--cflags", "jansson", "libpcre2-8"], capture_output=True,
                         text=True, check=False)
    return out.stdout.split()


def headers(tree):
    """every header compiles alone, twice over, with the project's warnings"""
    if not shutil.which(tree.cc):
        raise Skip(f"no compiler {tree.cc}")
    command = [tree.cc, "-x", "c", "-std=gnu17", "-fsyntax-only", "-D_GNU_SOURCE", "-Werror",
               # What CMake defines for the program and for the tests.
               '-DPW_VERSION="0"', '-DPW_TEST_DATA=""', '-DPW_SOURCE=""',
               "-I", tree.root, *_flags(tree), *_packages(), "-"]
    for path in tree.c_files():
        # The lab's module is kernel code: its headers compile only inside the kernel's own build.
        if not path.endswith(".h") or path.startswith("tests/lab/module/"):
            continue
        unit = f'#include "{path}"\n' * 2
        done = subprocess.run(command, input=unit, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            errors = [l for l in done.stderr.split("\n") if "error" in l]
            yield path, 1, "does not compile alone: " + (errors or ["?"])[0]


def _clang_format():
    for name in ("clang-format-14", "clang-format"):
        tool = shutil.which(name)
        if not tool:
            continue
        version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False)
        if re.search(r"version 14\.", version.stdout):
            return tool
    raise Skip("no clang-format 14 (other versions format otherwise)")


def formatting(tree):
    """clang-format 14 would change nothing"""
    tool = _clang_format()
    style = "--style=file:" + tree.project_path(".clang-format")
    files = [tree.path(p) for p in tree.c_files()]
    for first in range(0, len(files), 50):
        part = files[first:first + 50]
        done = subprocess.run([tool, style, "--dry-run", *part], capture_output=True, text=True,
                              check=False)
        seen = set()
        for found in re.finditer(r"^(.+?):(\d+):\d+: (?:warning|error): ", done.stderr, re.M):
            if found.group(1) not in seen:
                seen.add(found.group(1))
                yield tree.relative(found.group(1)), int(found.group(2)), "clang-format -i"


def shell(tree):
    """shellcheck has nothing to say about the scripts"""
    tool = shutil.which("shellcheck")
    if not tool:
        raise Skip("no shellcheck")
    for path in tree.files():
        first = tree.text(path).split("\n", 1)[0]
        if not re.match(r"#!\s*\S*(?:/|env )(?:sh|bash|dash)\b", first) and not path.endswith(".sh"):
            continue
        done = subprocess.run([tool, "-x", "-f", "gcc", tree.path(path)], capture_output=True,
                              text=True, check=False, cwd=tree.root)
        for found in re.finditer(r":(\d+):\d+: (.*)$", done.stdout, re.M):
            yield path, int(found.group(1)), found.group(2)


RULES = {
    "sizes": sizes,
    "banned": banned,
    "layers": layers,
    "spdx": spdx,
    "words": words,
    "mutable": mutable,
    "headers": headers,
    "format": formatting,
    "shell": shell,
}
