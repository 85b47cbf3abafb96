#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How long doctor takes on a machine of 512 CPUs with a policy each. Prints figures, fails nothing.

    bench/doctor.py BUILD [ROUNDS]            BUILD: a build folder, best without sanitizers

  wall       from start to end (aim: less than 100 ms)
  cpu        user and system time: what a busy machine does not spoil
"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

AIM_MS = 100


def one(perfwatt, root):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([perfwatt, "doctor", "--json", "--root", root], check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": 1000 * wall, "cpu": 1000 * cpu}


def main():
    perfwatt = os.path.join(os.path.abspath(sys.argv[1]), "perfwatt")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    with tempfile.TemporaryDirectory() as top:
        root = os.path.join(top, "root")
        subprocess.run([sys.executable, "-B", os.path.join(source, "tests/sysroot/make_root.py"),
                        os.path.join(source, "tests/sysroot/trees/parts/server-512.tree"), root], check=True)
        one(perfwatt, root)  # the files of the fake machine are in memory from here on
        times = [one(perfwatt, root) for _ in range(rounds)]
    print(f"512 CPUs, {rounds} rounds     median      most       aim   (ms)")
    for name in ("wall", "cpu"):
        values = [t[name] for t in times]
        print(f"{name:<22}{statistics.median(values):>11.1f}{max(values):>10.1f}{f'< {AIM_MS}':>10}")


if __name__ == "__main__":
    main()
