#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs what the documents show.

    commands.py PERFWATT SOURCE [DOCUMENT]...

Blocks of kind "sh" are run in their order, in one scratch folder a document; perfwatt is on PATH and
works on a fake machine. Blocks of kind "json config" are given to `perfwatt plan`, which may skip
nothing. Commands of "console" blocks are not run: each stands in NOT_RUN with the reason.
"""
import os
import re
import subprocess
import sys
import tempfile

import documents

LIMIT = 100  # seconds for one block
TREE = "tests/sysroot/trees/intel-hwp-active.tree"

# How such a command begins -> why it is not run here.
NOT_RUN = {
    "./bootstrap run": "installs packages, builds, and changes the settings of the real machine",
    "./bootstrap test": "installs packages, builds, and runs all tests, this one among them",
    "cmake --preset ci": "builds everything and runs tests",
    "cmake --preset fuzz": "builds everything with clang",
    "tests/lab/lab": "boots a guest; the label lab does",
    "build/fuzz/": "fuzzes for a minute, and wants the build above",
}

WRAPPER = """#!/bin/sh
# perfwatt on the fake machine of this test
command=${{1-}}
case $command in
run | compare | plan | doctor | restore)
	shift
	exec '{perfwatt}' "$command" --root '{root}' "$@"
	;;
esac
exec '{perfwatt}' "$@"
"""


class Scratch:
    """One document's folder with a fake machine; the user `nobody` can read it."""

    def __init__(self, perfwatt, source):
        self.holder = tempfile.TemporaryDirectory(prefix="pwdocs-")
        self.top = os.path.realpath(self.holder.name)
        os.chmod(self.top, 0o755)
        for name in ("bin", "here"):
            os.mkdir(os.path.join(self.top, name))
        root = os.path.join(self.top, "root")
        subprocess.run([sys.executable, "-B", os.path.join(source, "tests/sysroot/make_root.py"),
                        os.path.join(source, TREE), root], check=True)
        path = os.path.join(self.top, "bin", "perfwatt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(WRAPPER.format(perfwatt=os.path.abspath(perfwatt), root=root))
        os.chmod(path, 0o755)

    def run(self, argv, text=None):
        """Exit status and what was printed."""
        environment = dict(os.environ, LC_ALL="C.UTF-8",
                           PATH=os.path.join(self.top, "bin") + ":" + os.environ.get("PATH", "/usr/bin:/bin"))
        environment.pop("SUDO_UID", None)
        try:
            done = subprocess.run(argv, cwd=os.path.join(self.top, "here"), env=environment, timeout=LIMIT,
                                  input=text if text is not None else "", encoding="utf-8", errors="replace",
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except subprocess.TimeoutExpired:
            return -1, f"not done within {LIMIT} s"
        return done.returncode, done.stdout


def run_shell(block, scratch):
    code, output = scratch.run(["sh", "-eu", "-c", block.text])
    return None if code == 0 else f"{block}: exit status {code}\n{output}"


def plan_config(block, scratch):
    path = os.path.join(scratch.top, "config.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(block.text)
    code, output = scratch.run(["perfwatt", "plan", path])
    if code == 0 and "SKIPPED" not in output:
        return None
    return f"{block}: perfwatt plan: exit status {code}\n{output}"


def look_up(block, used):
    """Every command of a console block must be one that is left out with a reason."""
    for line in block.text.split("\n"):
        command = re.match(r"\$ (.*)$", line)
        reason = command and next((begin for begin in NOT_RUN if command.group(1).startswith(begin)), None)
        if command and not reason:
            return f"{block}: '{command.group(1)}' is neither run nor left out with a reason (NOT_RUN)"
        used.update([reason] if reason else [])
    return None


def check(name, perfwatt, source, used):
    """The faults of one document."""
    scratch = Scratch(perfwatt, source)
    faults = []
    with scratch.holder:
        for block in documents.blocks(source, name):
            fault = None
            if block.kind == "sh":
                fault = run_shell(block, scratch)
            elif block.kind == "json config":
                fault = plan_config(block, scratch)
            elif block.kind == "console":
                fault = look_up(block, used)
            if fault:
                faults.append(fault)
    return faults


def main():
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} PERFWATT SOURCE [DOCUMENT]...")
    perfwatt, source = sys.argv[1:3]
    wanted = sys.argv[3:]
    os.umask(0o022)
    faults, used = [], set()
    for name in wanted or documents.names(source):
        found = check(name, perfwatt, source, used)
        print(f"{'FAIL' if found else 'ok':4} {name}", flush=True)
        faults += found
    if not wanted:
        faults += [f"NOT_RUN: no document shows '{begin}' any more" for begin in NOT_RUN if begin not in used]
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
