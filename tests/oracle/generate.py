#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""generate.py SEED DIR: a random synthetic results folder (schema 1) for the oracle."""
import json
import os
import random
import sys

CONFIG_NAMES = ["sugov", "powersave-HWP", "perf/gov", "5.2.0 vanilla", "\u65e5\u672c\u8a9e \u8a2d\u5b9a",
                "na\u00efve \u00e9", "a.b|c", "x" * 40, "no (HWP)", "1.00", "e\u0301 combining",
                "turned\u202ename", "better if", "n/a", "+-"]
KINDS = ["fixed-work", "fixed-time", "fixed-rate"]


def metric(name, unit, better, mean=None):
    m = {"name": name, "unit": unit, "better": better, "primary": True}
    if mean:
        m["mean"] = mean
    return m


PROFILES = [  # label, workload, title, kind, metric, unit of work
    ("tbench", "tbench", "tbench (network over loopback)", "fixed-time",
     metric("throughput", "MB/s", "higher", "harmonic"), "MB"),
    ("kernbench", "kernbench", "kernbench (kernel compilation)", "fixed-work",
     metric("elapsed", "s", "lower", "arithmetic"), None),
    ("dbench", "dbench", "dbench (file server)", "fixed-time",
     metric("session-time", "ms", "lower", "arithmetic"), "sessions"),
    ("sched", "schbench", "schbench", "fixed-rate",
     metric("latency-p99", "us", "lower", "arithmetic"), "requests"),
    ("my bench/\u6771", "exec", "my bench", None, metric("rate", "ops/s", "higher"), "ops"),
    ("geo", "exec", "geo", "fixed-work", metric("score", "", "higher", "geometric"), None),
    ("rate.at 30%", "exec", "at a rate", "fixed-rate", metric("rate", "1/s", "higher"), "1"),
]


def make_points(r):
    kind = r.randrange(4)
    if kind == 0:
        return None, [{}]
    if kind == 1:
        return "jobs", [{"jobs": j} for j in r.sample([1, 2, 4, 8, 16, 32], r.randint(1, 5))]
    if kind == 2:
        return "clients", [{"clients": 2 ** i} for i in range(r.randint(2, 6))]
    return "clients", [{"rate": p, "clients": c} for c in (1, 8) for p in ("10%", "60%")]


def make_cells(r):
    cells = []
    for label, workload, title, kind, _, _ in r.sample(PROFILES, r.randint(1, 4)):
        sweep, points = make_points(r)
        cell = {"workload": workload, "name": label, "named": label != workload, "title": title,
                "idle": False, "points": points}
        if kind:
            cell["kind"] = kind
        if sweep:
            cell["sweep"] = sweep
            cell["sweep_title"] = "number of " + sweep
        cells.append(cell)
    return cells


def make_energy(r, mode, config, window_s, watts):
    if mode == "none" or (mode == "partly" and r.random() < 0.3):
        return None
    other = config % 2 == 1
    source = "powercap" if mode == "source" and other else "perf"
    scope = "package+dram" if mode == "scope" and other else "package"
    counted = ["package-0"] if mode == "domains" and other else ["package-0", "package-1"]
    uj = round(watts * window_s * r.gauss(1, 0.01) * 1e6)
    return {"source": source, "scope": scope, "counted": counted,
            "total_uj": uj, "domains": {"package-0": uj}}


def outcome(r):
    x = r.random()
    if x < 0.90:
        return "ok", None
    return r.choice([("failed", "exit status 1"), ("invalidated", "governor changed"),
                     ("skipped", "no such command"), ("zero", None), ("negative", None)])


class Session:
    def __init__(self, seed):
        self.r = random.Random(seed)
        r = self.r
        names = r.sample(CONFIG_NAMES, r.randint(1, 6))
        if seed % 10 == 7:
            names += ["configuration number %d" % i for i in range(12)]
        self.configs = [{"name": n, "set": {"governor": "schedutil", "epp": i}} for i, n in
                        enumerate(names)]
        self.blocks = r.randint(1, 6)
        self.cells = make_cells(r)
        self.energy = r.choice(["none", "all", "all", "partly", "source", "scope", "domains"])
        self.unit_differs = r.random() < 0.2
        self.drop = r.choice([0, 0.02, 0.2])
        self.identity_differs = r.random() < 0.15
        self.short = r.random() < 0.15
        self.whole = r.random() < 0.25
        self.records = []
        if len(names) > 2 and r.random() < 0.3:
            self.configs[-1]["skipped"] = "no such governor"

    def record(self, config, cell, point, block, status, reason):
        r = self.r
        profile = next(p for p in PROFILES if p[0] == cell["name"])
        speed = 1 + 0.3 * config
        window_s = r.uniform(0.2, 0.9) if self.short else r.uniform(5, 60)
        value = 100 * r.lognormvariate(0, 0.02) * (1 / speed if profile[4]["better"] == "lower"
                                                   else speed)
        value *= r.choice([1, 1, 1, 1e-4 if profile[0] == "geo" else 1])
        m = dict(profile[4], value=value)
        if self.unit_differs and config == 1:
            m["unit"] = "other/s"
        rec = {"schema": 1, "type": "run", "id": "r%04d" % len(self.records),
               "config": self.configs[config]["name"], "workload": cell["workload"],
               "name": cell["name"], "point": point, "block": block, "status": "ok",
               "elapsed_ns": round((window_s + 1) * 1e9),
               "window": {"kind": "whole" if self.whole else "timed", "start_ns": 10 ** 9,
                          "end_ns": 10 ** 9 + round(window_s * 1e9)},
               "metrics": [dict(metric("other", "x", "lower"), primary=False, value=1.5), m]}
        if "kind" in cell:
            rec["kind"] = cell["kind"]
        if profile[5] and r.random() < 0.97:
            rec["work"] = {"value": value * window_s, "unit": profile[5]}
        if cell["workload"] == "kernbench":
            rec["flavour"] = "synth"
            rec["identity"] = {"generator": 1, "cc": "12" if self.identity_differs and config == 1 else "13"}
        energy = make_energy(r, self.energy, config, window_s, 20 * speed)
        if energy:
            rec["energy"] = energy
        else:
            rec["unavailable"] = [{"what": "energy", "why": "no RAPL counters here"}]
        if status == "zero":
            m["value"] = 0.0
        elif status == "negative":
            m["value"] = -3.0
        elif status != "ok":
            rec["status"] = status
            rec["reason"] = reason
            del rec["metrics"]
        self.records.append(rec)

    def run_cell(self, config, cell, point, block):
        r = self.r
        if r.random() < self.drop:
            return
        status, reason = outcome(r)
        self.record(config, cell, point, block, status, reason)
        if status != "ok" and r.random() < 0.7:
            self.record(config, cell, point, block, *outcome(r))
        elif r.random() < 0.03:
            self.record(config, cell, point, block, *outcome(r))

    def idle(self):
        for i, config in enumerate(self.configs):
            if "skipped" in config or self.r.random() < 0.2:
                continue
            rec = {"schema": 1, "type": "run", "config": config["name"], "workload": "idle",
                   "name": "idle", "point": {}, "block": 0, "status": "ok",
                   "window": {"kind": "timed", "start_ns": 0, "end_ns": 30 * 10 ** 9},
                   "energy": {"source": "perf", "scope": "package", "counted": ["package-0"],
                              "total_uj": 123456789 * (i + 1)}}
            if self.r.random() < 0.5:
                rec["metrics"] = [dict(metric("power", "W", "lower", "arithmetic"), value=4.5 + i)]
            self.records.append(rec)

    def runs(self):
        if self.energy != "none":
            self.idle()
        for block in range(1, self.blocks + 1):
            for cell in self.cells:
                for point in cell["points"]:
                    for i in self.r.sample(range(len(self.configs)), len(self.configs)):
                        if "skipped" not in self.configs[i]:
                            self.run_cell(i, cell, point, block)
        if self.r.random() < 0.2:
            self.records.append({"schema": 1, "type": "run", "config": "stranger",
                                 "workload": "tbench", "point": {}, "block": 1, "status": "ok"})

    def session(self, derived):
        doc = {"schema": 1, "type": "session", "id": "s", "name": "synthetic \u2192 session",
               "start": "2026-11-30T20:44:55Z",
               "host": {"name": "lab", "cpu": "Example CPU", "cpus": 8, "driver": "intel_cpufreq"},
               "kernel": "6.1.0", "machine": {"label": "8x_EXAMPLE", "about": "an example"},
               "baseline": self.r.choice([c["name"] for c in self.configs])}
        if not derived:
            doc["plan"] = {"blocks": self.blocks, "configs": self.configs, "cells": self.cells}
            return doc
        workloads = []
        for cell in self.cells:
            entry = {"workload": cell["workload"], "name": cell["name"]}
            if "sweep" in cell and len(cell["points"][0]) == 1:
                entry[cell["sweep"]] = [p[cell["sweep"]] for p in cell["points"]]
            elif "sweep" in cell:
                entry["clients"] = "1..1x"
            workloads.append(entry)
        doc["config"] = {"configs": [{"name": c["name"], "set": c["set"]} for c in self.configs],
                         "workloads": workloads, "repeat": {"blocks": self.blocks}}
        return doc


def write(seed, folder):
    s = Session(seed)
    derived = seed % 5 == 4
    s.runs()
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "session.json"), "w", encoding="utf-8") as f:
        json.dump(s.session(derived), f, ensure_ascii=False, indent=1)
    with open(os.path.join(folder, "runs.jsonl"), "w", encoding="utf-8") as f:
        for rec in s.records:
            f.write(json.dumps(rec, ensure_ascii=seed % 2 == 0) + "\n")
        if seed % 3 == 0:
            f.write('{"schema": 1, "type": "run", "conf')


if __name__ == "__main__":
    write(int(sys.argv[1]), sys.argv[2])
