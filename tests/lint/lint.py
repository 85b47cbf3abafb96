#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Counts and looks up what the house style asks for (docs/tests.md). One rule a call:

    lint.py [--root DIR] [--cc CC] RULE         0 clean, 1 findings (one a line), 77 cannot run here
    lint.py [--root DIR] [--cc CC] --self RULE  the rule finds what is wrong in samples/RULE, no more
    lint.py --list

A sample folder is a small project of its own; the lines its files must be blamed for carry
"BAD" in a comment, or "BAD-FILE" anywhere for a finding on the whole file.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import csource
import rules

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = "tests/lint/samples/"
SKIPPED = 77


class Tree:
    """The files of a project, read once."""

    def __init__(self, root, project, cc):
        self.root, self.project, self.cc = os.path.abspath(root), project, cc
        self._files = self._texts = None

    def _from_git(self):
        if not os.path.exists(os.path.join(self.root, ".git")):
            return None
        # A checkout of another owner is no reason to fail: then the folder is walked.
        try:
            done = subprocess.run(["git", "-C", self.root, "ls-files", "-z", "--cached", "--others",
                                   "--exclude-standard"], capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]

    def _walk(self):
        for folder, below, names in os.walk(self.root):
            inner = os.path.relpath(folder, self.root)
            below[:] = [b for b in below if b not in (".git", "__pycache__")
                        and not (inner == "." and (b == "build" or b.startswith("perfwatt-")))]
            for name in names:
                yield os.path.normpath(os.path.join(inner, name))

    def files(self):
        if self._files is None:
            names = self._from_git()
            if names is None:
                names = list(self._walk())
            self._texts = {}
            for name in sorted(set(names)):
                path = self.path(name)
                if name.startswith(SAMPLES) or os.path.islink(path) or not os.path.isfile(path):
                    continue
                with open(path, "rb") as file:
                    self._texts[name] = file.read().decode("utf-8", "replace")
            self._files = list(self._texts)
        return self._files

    def c_files(self):
        return [f for f in self.files() if f.endswith((".c", ".h"))]

    def text(self, name):
        self.files()
        return self._texts[name]

    def code(self, name):
        return csource.blank_literals(self.text(name))

    def functions(self, name):
        code = csource.blank_directives(self.code(name))
        return [item[1] for item in csource.top_level(code) if item[0] == "function"]

    def has(self, name):
        return name in self.files() and name in self._texts

    def path(self, name):
        return os.path.join(self.root, name)

    def relative(self, path):
        return os.path.relpath(path, self.root)

    def project_path(self, name):
        return os.path.join(self.project, name)

    def project_text(self, name):
        with open(self.project_path(name), encoding="utf-8") as file:
            return file.read()


def expected(tree):
    """(path, line) that a sample's marks ask for; line 0: anywhere in the file."""
    wanted = set()
    for path in tree.files():
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            if "BAD-FILE" in line:
                wanted.add((path, 0))
            elif re.search(r"\bBAD\b", line):
                wanted.add((path, number))
    return wanted


def compare(rule, tree):
    wanted = expected(tree)
    whole = {path for path, line in wanted if line == 0}
    found = {(path, 0 if path in whole else line) for path, line, _ in rules.RULES[rule](tree)}
    for path, line in sorted(wanted - found):
        print(f"{path}:{line}: not found by the rule '{rule}'")
    for path, line in sorted(found - wanted):
        print(f"{path}:{line}: found by the rule '{rule}', though it is right")
    if not wanted:
        print(f"the samples of '{rule}' have no marks")
    return 0 if wanted and found == wanted else 1


def generated(rule):
    """Samples that are too long, or must not stand in any file, as (path, text)."""
    if rule == "words":
        for number, sample in enumerate(rules.WORDS_SAMPLES):
            yield f"{number}.txt", f"fine\n{sample} BAD\n${{dir}}/ro" "ot/sys is fine\n"
    if rule == "sizes":
        line = "/* a line */\n"
        for path, most in (("long.c", rules.C_LINES), ("long.h", rules.H_LINES)):
            yield path, "/* BAD-FILE */\n" + line * most
            yield "just-" + path, line * most
        for lines in (rules.FUNCTION_LINES, rules.FUNCTION_LINES + 1):
            mark = " /* BAD */" if lines > rules.FUNCTION_LINES else ""
            body = "\tstep();\n" * (lines - 3)
            yield f"function-{lines}.c", f"static int f(void){mark}\n{{\n{body}}}\n"


def self_test(rule, project, cc):
    samples = os.path.join(HERE, "samples", rule)
    with tempfile.TemporaryDirectory() as folder:
        if os.path.isdir(samples):
            shutil.copytree(samples, folder, dirs_exist_ok=True)
        for path, text in generated(rule):
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(text)
        return compare(rule, Tree(folder, project, cc))


def check(rule, tree):
    count = 0
    for path, line, text in rules.RULES[rule](tree):
        print(f"{path}:{line}: {text}")
        count += 1
    if count:
        print(f"{rule}: {count} finding(s); the rule: {rules.RULES[rule].__doc__}")
    return 1 if count else 0


def main():
    parser = argparse.ArgumentParser(description="checks of the house style")
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(HERE)))
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--self", action="store_true", help="test the rule on its samples")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("rule", nargs="?", choices=sorted(rules.RULES))
    args = parser.parse_args()
    if args.list:
        for name, rule in rules.RULES.items():
            print(f"{name:10} {rule.__doc__}")
        return 0
    if not args.rule:
        parser.error("which rule?")
    root = os.path.abspath(args.root)
    try:
        if args.self:
            return self_test(args.rule, root, args.cc)
        return check(args.rule, Tree(root, root, args.cc))
    except rules.Skip as reason:
        print(f"skipped: {reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
