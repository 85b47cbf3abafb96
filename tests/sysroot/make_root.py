#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds a fake machine from its description: make_root.py TREE DIR (trees/README.md)."""
import os
import re
import sys

POLICY = "/sys/devices/system/cpu/cpufreq/policy%d"
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
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def put(root, path, text):
    target = os.path.join(root, path.lstrip("/"))
    if path.endswith("/"):
        os.makedirs(target, exist_ok=True)
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(content_of(text))


def build(tree, root):
    policies = range(0)
    with open(tree, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            if line.startswith("policy "):
                policies = numbers(line.split()[1])
                continue
            path, tab, text = line.partition("\t")
            if not tab and not path.endswith("/"):
                raise SystemExit(f"{tree}:{number}: no tab between path and content")
            if not path.startswith("@/"):
                put(root, path, text)
                continue
            for policy in policies:
                put(root, POLICY % policy + path[1:], text.replace("%N", str(policy)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: make_root.py TREE DIR")
    build(sys.argv[1], sys.argv[2])
