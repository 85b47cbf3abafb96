#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""run.py REPORT_DUMP SEEDS [DIR...]: generate, report, recompute, for each seed from 1; then the
same for existing results folders."""
import os
import subprocess
import sys
import tempfile

import generate
import oracle


def check(dump, folder, report):
    """None, or why the report of a folder and its recomputation do not agree."""
    with open(report, "wb") as f:
        done = subprocess.run([dump, folder], stdout=f, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        return "report failed: " + done.stderr.decode(errors="replace")
    return oracle.compare(folder, report)[0]


def generated(dump, seed, scratch):
    folder = os.path.join(scratch, str(seed))
    generate.write(seed, folder)
    return check(dump, folder, os.path.join(scratch, "report.txt"))


def main():
    dump, seeds, folders = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        outcomes = [("seed %d" % s, generated(dump, s, scratch)) for s in range(1, seeds + 1)]
        outcomes += [(f, check(dump, f, os.path.join(scratch, "report.txt"))) for f in folders]
    for name, why in outcomes:
        if why:
            failed += 1
            print("%s: %s" % (name, why))
    print("%d of %d agree" % (len(outcomes) - failed, len(outcomes)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
