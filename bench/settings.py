#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What settings cost on a machine of 512 CPUs with a policy each. Prints figures, fails nothing.

    bench/settings.py BUILD [ROUNDS]          BUILD: a build folder, best without sanitizers

  find       which settings are there
  check      can the configuration be had
  save       the state of everything into the journal (aim: less than 100 ms)
  sync       the journal on disk
  put back   everything that the configuration leaves alone
  apply      what it sets, read back, and the snapshot (aim: less than 300 ms)
  held       the look after each run
  restore    everything as before, from the journal
"""
import os
import statistics
import subprocess
import sys
import tempfile

SET = ('"governor": "performance", "epp": "performance", "max-freq": "2GHz", "min-freq": "1GHz", '
       '"boost": "off", "cpuidle-governor": "teo"')
AIMS = {"save": 100, "apply": 300}


def main():
    build = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    times = {}
    with tempfile.TemporaryDirectory() as top:
        root = os.path.join(top, "root")
        subprocess.run([sys.executable, "-B", os.path.join(source, "tests/sysroot/make_root.py"),
                        os.path.join(source, "tests/sysroot/trees/parts/server-512.tree"), root], check=True)
        for number in range(rounds):
            done = subprocess.run([os.path.join(build, "tests/integration/settings_bench"), root,
                                   os.path.join(top, f"journal{number}"), SET],
                                  check=True, stdout=subprocess.PIPE, encoding="utf-8")
            for line in done.stdout.splitlines():
                name, value = line.rsplit(None, 1)
                times.setdefault(name, []).append(float(value))
    print(f"512 CPUs, {rounds} rounds     median      most       aim   (ms)")
    for name, values in times.items():
        aim = f"< {AIMS[name]}" if name in AIMS else ""
        print(f"{name:<22}{statistics.median(values):>11.1f}{max(values):>10.1f}{aim:>10}")


if __name__ == "__main__":
    main()
