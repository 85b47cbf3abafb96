# SPDX-License-Identifier: GPL-2.0-or-later
"""govlab.ko for a kernel, built from tests/lab/module once per content of its sources."""
import glob
import os
import shutil

from . import cache as caches
from .trouble import run, tool

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "module")


def get(cache, kernel, defines=()):
    """The path of the module; defines are "NAME=VALUE" (a hidden fault is built in that way)."""
    paths = sorted(glob.glob(os.path.join(SOURCES, "*.[ch]"))) + [os.path.join(SOURCES, "Kbuild")]
    contents = []
    for path in paths:
        with open(path, "rb") as file:
            contents.append(file.read())
    name = f"module-{kernel.release}-{caches.digest(*contents, *defines)}"
    folder = cache.item(name, lambda scratch: _build(scratch, kernel, paths, defines))
    return os.path.join(folder, "govlab.ko")


def _build(folder, kernel, paths, defines):
    build = os.path.join(folder, "build")
    os.mkdir(build)
    for path in paths:
        shutil.copy(path, build)
    # The kernel names its compiler's version; pahole is not needed for a test module.
    run([tool("make", "make"), "-s", "-C", kernel.headers, "M=" + build, "CONFIG_DEBUG_INFO_BTF_MODULES=",
         "LAB_DEFINES=" + " ".join("-D" + define for define in defines), "modules"])
    shutil.move(os.path.join(build, "govlab.ko"), folder)
    shutil.rmtree(build)
