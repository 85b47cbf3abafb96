#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The tests of docs/pitfalls.md can fail: each is run with its fault switched on, and off.

    pitfalls.py BUILD SOURCE [NAME]...       all faults, or those named

The last column of a row names a fault, pw_pitfall("NAME") in the sources; the column before it the
unit test that keeps it away. With PERFWATT_PITFALL=NAME that test must fail, without it pass. The
names of the sources and of the document must be the same. Needs a build with PW_PITFALLS.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

import documents

FOLDERS = ("lib", "collectors", "workloads", "report", "harness")


def faults_of_document(text):
    """Name -> (file, function) of the unit tests of its row, in order."""
    found = {}
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("| ") or len(cells) < 4:
            continue
        tests = re.findall(r"`unit/(\w+): (\w+)`", cells[-2])
        for name in re.findall(r"`([a-z0-9-]+)`", cells[-1]):
            found.setdefault(name, []).extend(tests)
    return found


def faults_of_sources(source):
    """Name -> the file it stands in."""
    found = {}
    for top in FOLDERS:
        for folder, _, files in os.walk(os.path.join(source, top)):
            for file in files:
                if file.endswith(".c"):
                    path = os.path.relpath(os.path.join(folder, file), source)
                    for name in re.findall(r'pw_pitfall\("([^"]+)"\)', documents.read(source, path)):
                        found.setdefault(name, path)
    return found


def run_test(build, test, fault=None):
    """None if the one test passed; else what it said. A test that is not there is an error."""
    file, function = test
    for name in (function, "test_" + function):
        environment = dict(os.environ, PERFWATT_TEST=name)
        environment.pop("PERFWATT_PITFALL", None)
        if fault:
            environment["PERFWATT_PITFALL"] = fault
        done = subprocess.run([os.path.join(build, "tests", "unit", file)], env=environment, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                              errors="replace")
        if "Running 0 test(s)" not in done.stdout:
            return done.stdout if done.returncode != 0 else None
    raise SystemExit(f"{file}: no test {function} in this program")


def check_fault(build, name, tests):
    """What is wrong with one fault, as lines. It is enough that one of the row's tests finds it."""
    wrong = []
    for test in tests:
        said = run_test(build, test)
        if said is not None:
            wrong.append(f"{name}: {': '.join(test)} fails without the fault:\n{said[-1500:]}")
    if not wrong and all(run_test(build, test, name) is None for test in tests):
        wrong.append(f"{name}: {', '.join(': '.join(test) for test in tests)} passes with the fault")
    return wrong


def compare_names(documented, written):
    for name in sorted(set(written) - set(documented)):
        yield f'{written[name]}: pw_pitfall("{name}") is in no row of docs/pitfalls.md'
    for name in sorted(set(documented) - set(written)):
        yield f'docs/pitfalls.md: no pw_pitfall("{name}") in the sources'
    for name in sorted(documented):
        if not documented[name]:
            yield f"docs/pitfalls.md: the fault '{name}' has no unit test in its row"


def main():
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} BUILD SOURCE [NAME]...")
    build, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    documented = faults_of_document(documents.read(source, "docs/pitfalls.md"))
    written = faults_of_sources(source)
    wanted = [name for name in sorted(documented) if not sys.argv[3:] or name in sys.argv[3:]]
    wrong = [] if sys.argv[3:] else list(compare_names(documented, written))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = {name: pool.submit(check_fault, build, name, documented[name])
                  for name in wanted if documented[name] and name in written}
        for name, check in checks.items():
            found = check.result()
            print(f"{'FAIL' if found else 'ok':4} {name}")
            wrong += found
    for line in wrong:
        print(line)
    print(f"{len(checks)} faults, {len(wrong)} not as they should be")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
