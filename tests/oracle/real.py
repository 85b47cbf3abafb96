#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""real.py PERFWATT SOURCE: a real session on this machine; its report against the oracle, its files
against the schema, and the two printings of the report (by run, by report) against each other."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIG = {
    "name": "real session",
    "configs": [{"name": "as it is", "set": {}}, {"name": "as it is, again", "set": {}},
                {"name": "one CPU", "set": {"affinity": "one"}}],
    "idle": "200ms",
    "workloads": [
        {"workload": "tbench", "clients": [1, 2], "time": "200ms", "warmup": "20ms"},
        {"workload": "dbench", "clients": [1], "time": "200ms", "warmup": "20ms"},
        {"workload": "exec", "name": "count", "kind": "fixed-work", "sweep": {"n": [100, 1000]},
         "command": ["sh", "-c", "i=0; while [ $i -lt {n} ]; do i=$((i+1)); done"]},
    ],
    "repeat": {"blocks": 3, "settle": "0s", "warmup": 0},
}


def main():
    perfwatt, source = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        path, results = os.path.join(top, "config.json"), os.path.join(top, "results")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(CONFIG, file)
        run = subprocess.run([perfwatt, "run", path, "-o", results, "--progress", "none"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        if run.returncode != 0:
            raise SystemExit(f"run: exit {run.returncode}\n{run.stdout}{run.stderr}")
        report = subprocess.run([perfwatt, "report", results], capture_output=True, text=True,
                                timeout=60, check=True).stdout
        if run.stdout != report + f"\nResults: {results}\n":
            raise SystemExit("run and report print different tables")
        printed = os.path.join(top, "report.txt")
        with open(printed, "w", encoding="utf-8") as file:
            file.write(report)
        for command in (["oracle.py", results, printed],
                        ["schema.py", os.path.join(source, "configs/record.schema.json"),
                         os.path.join(results, "session.json"), os.path.join(results, "runs.jsonl")]):
            subprocess.run([sys.executable, os.path.join(HERE, command[0]), *command[1:]],
                           timeout=60, check=True)


if __name__ == "__main__":
    main()
