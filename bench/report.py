#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a report costs: CPU time and memory of all text tables of a large folder, beside those of
parsing the same file with jansson alone. Interleaved; prints figures, fails nothing.

    bench/report.py PERFWATT [--runs 100000] [--pairs 3]

jansson alone is the small program below, which is compiled with cc.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

METRICS = ["throughput", "rate", "latency-p50", "latency-p95", "latency-p99", "latency-max"]
# Parses every line and forgets it.
BARE = r"""
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "re") : NULL;
	char *line = NULL;
	size_t size = 0, lines = 0;
	ssize_t length;

	if (!file)
		return 2;
	while ((length = getline(&line, &size, file)) > 0) {
		json_t *json = json_loadb(line, (size_t)length, JSON_REJECT_DUPLICATES, NULL);

		lines += json != NULL;
		json_decref(json);
	}
	free(line);
	fclose(file);
	printf("%zu lines\n", lines);
	return 0;
}
"""
CONFIGS, CLIENTS = 4, [1, 2, 4, 8, 16]


def record(number, config, point, block):
    spread = 1 + 0.01 * ((number * 7919) % 11 - 5) / 5
    metrics = [{"name": name, "unit": "MB/s" if i == 0 else "ms", "better": "higher" if i < 2 else "lower",
                "mean": "harmonic" if i < 2 else "arithmetic", "primary": i == 0,
                "value": (100 + 10 * config + i) * spread} for i, name in enumerate(METRICS)]
    return {"schema": 1, "type": "run", "id": f"r{number:06d}", "config": f"config {config}",
            "boot": "b1946ac9-2492-4d23-87f3-9b5d2a6a1d4c", "workload": "tbench", "name": "tbench",
            "flavour": "native", "point": {"clients": point}, "block": block, "position": config + 1,
            "order": number, "status": "ok", "start": "2026-12-01T06:00:00Z",
            "elapsed_ns": 61000000000, "exit": 0, "warnings": [], "kind": "fixed-time",
            "window": {"kind": "timed", "start_ns": 1000000000, "end_ns": 61000000000},
            "work": {"value": 6000.0 * spread, "unit": "MB"}, "metrics": metrics,
            "energy": {"source": "perf", "scope": "package", "counted": ["package-0"],
                       "total_uj": int(6e9 * spread), "uncertainty_uj": 61000,
                       "domains": {"package-0": int(6e9 * spread), "core": int(3e9 * spread)}},
            "frequency": {"source": "perf-msr", "busy_mhz": 2900.5, "busy_pct": 50.1, "avg_mhz": 1453.2,
                          "cpus": {"list": "0-7", "busy_mhz": [2900.5] * 8, "busy_pct": [50.1] * 8,
                                   "avg_mhz": [1453.2] * 8}},
            "settings": {"governor": "schedutil", "boost": "on", "max-freq": "3900000"},
            "perfwatt": {"cpu_ns": 9000000}, "unavailable": []}


def write(folder, runs):
    blocks = max(1, runs // (CONFIGS * len(CLIENTS)))
    session = {"schema": 1, "type": "session", "id": "large", "start": "2026-12-01T06:00:00Z",
               "name": "large", "host": {"name": "host", "cpu": "Example CPU", "cpus": 8},
               "baseline": "config 0",
               "plan": {"blocks": blocks, "configs": [{"name": f"config {c}", "set": {}} for c in range(CONFIGS)],
                        "cells": [{"workload": "tbench", "name": "tbench", "named": False, "title": "tbench",
                                   "idle": False, "points": [{"clients": c} for c in CLIENTS],
                                   "kind": "fixed-time", "sweep": "clients",
                                   "sweep_title": "number of clients"}]}}
    with open(os.path.join(folder, "session.json"), "w", encoding="utf-8") as file:
        json.dump(session, file)
    number = 0
    with open(os.path.join(folder, "runs.jsonl"), "w", encoding="utf-8") as file:
        for block in range(1, blocks + 1):
            for point in CLIENTS:
                for config in range(CONFIGS):
                    number += 1
                    file.write(json.dumps(record(number, config, point, block)) + "\n")
    return number


def cost(command):
    """CPU seconds and peak memory in MB of a command."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{command[0]}: status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("perfwatt")
    parser.add_argument("--runs", type=int, default=100000)
    parser.add_argument("--pairs", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as top:
        bare = os.path.join(top, "bare_jansson")
        subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-o", bare, "-x", "c", "-", "-ljansson"], input=BARE, text=True,
                       check=True)
        runs = write(top, args.runs)
        ours, theirs, memory = [], [], 0
        for _ in range(args.pairs):
            seconds, peak = cost([args.perfwatt, "report", top])
            ours.append(seconds)
            memory = max(memory, peak)
            theirs.append(cost([bare, os.path.join(top, "runs.jsonl")])[0])
        size = os.path.getsize(os.path.join(top, "runs.jsonl")) / 1e6
    ratios = [a / b for a, b in zip(ours, theirs)]
    print(f"{runs} runs, {len(METRICS)} metrics each, {size:.0f} MB: report {statistics.median(ours):.2f} s CPU, "
          f"{memory:.0f} MB; jansson alone {statistics.median(theirs):.2f} s; ratio {statistics.median(ratios):.2f} "
          f"({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
