# SPDX-License-Identifier: GPL-2.0-or-later
"""Small programs for the guest, built on the host from tests/lab/programs; found in /job there."""
import glob
import os

from . import cache as caches
from .trouble import run, tool

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs")


def get(cache):
    """The paths of all programs."""
    sources = sorted(glob.glob(os.path.join(SOURCES, "*.c")))
    contents = []
    for path in sources:
        with open(path, "rb") as file:
            contents.append(file.read())

    def build(folder):
        for path in sources:
            target = os.path.join(folder, os.path.basename(path)[:-2])
            run([tool("cc", "gcc"), "-O2", "-Wall", "-Werror", "-o", target, path])

    folder = cache.item("programs-" + caches.digest(*contents), build)
    return [os.path.join(folder, os.path.basename(path)[:-2]) for path in sources]
