#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What perfwatt itself costs. Prints figures, fails nothing.

    bench/self.py PERFWATT

  between runs   time from the end of one run to the start of the next, beside the settle time
  list           wall time of `perfwatt list workloads`
  during a run   perfwatt's own CPU time with the 1 s timeline, as a share of one CPU
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def run(perfwatt, top, name, workload, blocks):
    config = {"name": name, "idle": False,
              "configs": [{"name": "a", "set": {}}, {"name": "b", "set": {"affinity": "one"}}],
              "workloads": [dict(workload, workload="exec", name="w")],
              "repeat": {"blocks": blocks, "settle": "0s", "warmup": 0}}
    path = os.path.join(top, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config, file)
    begin = time.monotonic()
    subprocess.run([perfwatt, "run", path, "-o", os.path.join(top, name), "--progress", "none"],
                   check=True, stdout=subprocess.DEVNULL)
    wall = time.monotonic() - begin
    with open(os.path.join(top, name, "runs.jsonl"), encoding="utf-8") as file:
        return wall, [json.loads(line) for line in file]


def main():
    perfwatt = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        _, records = run(perfwatt, top, "short", {"command": ["true"]}, 20)
        windows = [(r["window"]["start_ns"], r["window"]["end_ns"]) for r in records]
        gaps = [(b[0] - a[1]) / 1e6 for a, b in zip(windows, windows[1:])]
        print(f"between runs   median {statistics.median(gaps):.1f} ms, largest {max(gaps):.1f} ms "
              f"(n={len(gaps)})")
        times = []
        for _ in range(20):
            begin = time.monotonic()
            subprocess.run([perfwatt, "list", "workloads"], check=True, stdout=subprocess.DEVNULL)
            times.append((time.monotonic() - begin) * 1e3)
        print(f"list           median {statistics.median(times):.1f} ms")
        _, records = run(perfwatt, top, "long", {"command": ["sleep", "10"]}, 1)
        shares = [100 * r["perfwatt"]["cpu_ns"] / r["elapsed_ns"] for r in records]
        print(f"during a run   {', '.join(f'{s:.3f}' for s in shares)} % of one CPU")


if __name__ == "__main__":
    main()
