#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds a fake machine from its description: make_root.py TREE DIR (trees/README.md)."""
import os
import re
import shutil
import sys

TREES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "trees")
FOLDERS = {"@": "/sys/devices/system/cpu/cpufreq/policy%d", "&": "/sys/devices/system/cpu/cpu%d"}
ESCAPES = {"n": "\n", "t": "\t", "s": " ", "\\": "\\"}


def unescape(text):
    return re.sub(r"\\([nts\\])", lambda match: ESCAPES[match.group(1)], text)


def content_of(text):
    if text.startswith("hex:"):
        return bytes.fromhex(text[4:])
    if text.startswith("raw:"):
        return unescape(text[4:]).encode()
    return (unescape(text) + "\n").encode()


def numbers(text):
    """A list as the kernel writes it: "0-3,8"."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def numbered(text, number):
    """"%N" is the number itself, "%(N+64)" and "%(N-64)" count from it."""
    return re.sub(r"%(?:N|\(N([+-]\d+)\))", lambda match: str(number + int(match.group(1) or 0)), text)


class Builder:
    def __init__(self, root):
        self.root = root
        self.numbers = {"@": [], "&": []}

    def put(self, path, text):
        """text None: the file or folder goes away."""
        target = os.path.join(self.root, path.lstrip("/"))
        if text is None:
            if os.path.isdir(target) and not os.path.islink(target):
                shutil.rmtree(target)
            elif os.path.lexists(target):
                os.remove(target)
        elif path.endswith("/"):
            os.makedirs(target, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if text.startswith("link:"):
                self.put(path, None)
                os.symlink(text[5:], target)
                return
            with open(target, "wb") as file:
                file.write(content_of(text))

    def each(self, path, text):
        """"@/" is the folder of every policy named, "&/" the one of every CPU."""
        if path[0] not in FOLDERS:
            self.put(path, text)
            return
        for number in self.numbers[path[0]]:
            content = None if text is None else numbered(text, number)
            self.put(FOLDERS[path[0]] % number + numbered(path[1:], number), content)

    def line(self, place, line):
        word, _, rest = line.partition(" ")
        path, tab, text = line.partition("\t")
        if not line or line.startswith("#"):
            return
        if word in ("policy", "cpu"):
            self.numbers["@" if word == "policy" else "&"] = numbers(rest)
        elif word == "include":
            self.read(os.path.join(TREES, rest + ".tree"))
        elif word == "without":
            self.each(rest, None)
        elif path[0] not in "/@&" or (not tab and not path.endswith("/")):
            raise SystemExit(f"{place}: '{line[:60]}': no path, or no tab between path and content")
        else:
            self.each(path, text)

    def read(self, tree):
        with open(tree, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                self.line(f"{tree}:{number}", line.rstrip("\n"))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: make_root.py TREE DIR")
    Builder(sys.argv[2]).read(sys.argv[1])
