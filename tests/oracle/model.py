# SPDX-License-Identifier: GPL-2.0-or-later
"""What a results folder means, computed from its files by the definitions in docs/statistics.md.

Written from the definitions, not from the C code: the two must agree, not resemble each other.
"""
import json
import math
import os
from statistics import fmean

PERFORMANCE, POWER, PPW, ENERGY = "performance", "power", "ppw", "energy"


def mean(kind, xs):
    if kind == "harmonic":
        return len(xs) / math.fsum(1 / x for x in xs)
    if kind == "geometric":
        return math.exp(math.fsum(map(math.log, xs)) / len(xs))
    return math.fsum(xs) / len(xs)


def variation(kind, xs):
    """Coefficient of variation; None for a single run."""
    n = len(xs)
    if n < 2:
        return None
    m = mean(kind, xs)
    if kind == "harmonic":
        return m * math.sqrt(math.fsum((1 / x - 1 / m) ** 2 for x in xs) / (n - 1))
    if kind == "geometric":
        return math.sqrt(math.fsum((math.log(x) - math.log(m)) ** 2 for x in xs) / (n - 1))
    return math.sqrt(math.fsum((x - m) ** 2 for x in xs) / (n - 1)) / m


def plain(value):
    return value if isinstance(value, str) else json.dumps(value)


def point_key(point):
    return ",".join(sorted("%s=%s" % (k, plain(v)) for k, v in (point or {}).items()))


def point_shown(point):
    if not point:
        return "-"
    return plain(next(iter(point.values()))) if len(point) == 1 else point_key(point)


class Run:
    def __init__(self, rec, cell):
        self.rec = rec
        self.status = rec.get("status")
        primary = [m for m in rec.get("metrics", []) if m.get("primary")]
        self.metric = primary[0] if primary else None
        if self.status == "ok":
            ok = self.metric and math.isfinite(self.metric["value"]) and self.metric["value"] > 0
            self.status = "ok" if ok else "failed"
        self.kind = rec.get("kind") or (cell or {}).get("kind")
        self.flavour = rec.get("flavour", "")
        self.parts = json.dumps(rec.get("identity"), sort_keys=True)  # of what it did
        window = rec.get("window", {})
        ns = rec.get("elapsed_ns", 0)
        if "start_ns" in window and "end_ns" in window:
            ns = window["end_ns"] - window["start_ns"]
        self.seconds = ns / 1e9
        self.window = window.get("kind")
        energy = rec.get("energy")
        self.joule = energy["total_uj"] / 1e6 if energy and energy["total_uj"] > 0 else None
        self.energy_id = (energy["source"], energy["scope"], tuple(sorted(energy["counted"]))) \
            if self.joule else None
        self.work = rec.get("work", {}).get("value")
        self.work_unit = rec.get("work", {}).get("unit", "")

    def mean_kind(self):
        default = "harmonic" if self.metric["better"] == "higher" else "arithmetic"
        return self.metric.get("mean", default)

    def metric_id(self):
        return (self.metric["name"], self.metric["unit"], self.metric["better"], self.mean_kind())

    def work_per_joule(self):
        if self.kind == "fixed-work":
            return 1 / self.joule
        if self.kind is None or self.window == "whole" or not self.work:
            return None
        return self.work / self.joule

    def value(self, quantity):
        if quantity == PERFORMANCE:
            return self.metric["value"]
        if self.joule is None:
            return None
        if quantity == POWER:
            return self.joule / self.seconds
        if quantity == PPW:
            if self.metric["name"].startswith("latency"):
                return None
            return self.work_per_joule()
        if self.kind == "fixed-work":
            return self.joule
        if self.window == "whole" or not self.work:
            return None
        return self.joule / self.work


def energy_difference(a, b):
    """What keeps the energies of two runs from being compared, in words; None if nothing does."""
    names = ("energy source", "energy scope", "set of energy domains counted")
    for name, x, y in zip(names, a.energy_id, b.energy_id):
        if x != y:
            x, y = (v if isinstance(v, str) else " ".join(v) for v in (x, y))
            return "%s differs (%s / %s)" % (name, x, y)
    return None


class Cell:
    """The valid runs of one configuration at one point of one workload."""

    def __init__(self, runs):
        self.runs = runs

    def mixed(self, quantity):
        ids = {(r.metric_id(), r.flavour, r.parts) for r in self.runs}
        if quantity == PERFORMANCE:
            return len(ids) > 1
        kinds = {r.kind for r in self.runs}
        units = {r.work_unit for r in self.runs if r.work}
        energies = {r.energy_id for r in self.runs if r.energy_id}
        return len(ids) > 1 or len(kinds) > 1 or len(units) > 1 or \
            len(energies) > 1

    def values(self, quantity):
        if not self.runs or self.mixed(quantity):
            return []
        return [v for v in (r.value(quantity) for r in self.runs) if v is not None]

    def mean_kind(self, quantity):
        if quantity == PERFORMANCE:
            return self.runs[0].mean_kind()
        return "harmonic" if quantity == PPW else "arithmetic"

    def mean(self, quantity):
        xs = self.values(quantity)
        return mean(self.mean_kind(quantity), xs) if xs else None

    def identity(self, quantity):
        """What must agree between two sides for their ratio to mean anything."""
        if quantity == PERFORMANCE:
            return (self.runs[0].metric_id(), self.runs[0].flavour, self.runs[0].parts)
        run = next(r for r in self.runs if r.value(quantity) is not None)
        ids = (run.energy_id, self.runs[0].flavour, self.runs[0].parts)
        if quantity == POWER:
            return ids
        return ids + (run.kind, None if run.kind == "fixed-work" else run.work_unit)


class Folder:
    def __init__(self, folder):
        with open(os.path.join(folder, "session.json"), encoding="utf-8") as f:
            self.session = json.load(f)
        self.records = self.read_runs(os.path.join(folder, "runs.jsonl"))
        self.plan()
        self.place()

    @staticmethod
    def read_runs(path):
        with open(path, encoding="utf-8") as f:
            lines = f.read().split("\n")
        return [json.loads(line) for line in lines[:-1]]  # what follows the last newline is torn

    def plan(self):
        plan = self.session.get("plan")
        self.derived = plan is None
        if plan:
            self.configs, self.cells, self.blocks = plan["configs"], plan["cells"], plan["blocks"]
        else:
            config = self.session["config"]
            self.configs = config["configs"]
            self.blocks = config.get("repeat", {}).get("blocks", 5)
            self.cells = [self.derive(w) for w in config["workloads"]]
        names = [c["name"] for c in self.configs]
        self.baseline = names.index(self.session.get("baseline", names[0]))

    @staticmethod
    def derive(entry):
        points = [{}]
        axes = dict(entry, **entry.get("sweep", {}))
        swept = False
        for key, value in axes.items():
            if isinstance(value, list) and value and all(isinstance(v, (int, float)) for v in value):
                points = [dict(p, **{key: v}) for p in points for v in value]
                swept = True
        return {"name": entry.get("name", entry["workload"]), "workload": entry["workload"],
                "points": points if swept else []}

    def find(self, rec):
        """(config, entry, point) of a record, or None if it is not of the plan."""
        configs = [c["name"] for c in self.configs]
        labels = [c["name"] for c in self.cells]
        label = rec.get("name", rec["workload"])
        if rec["config"] not in configs:
            return None
        config = configs.index(rec["config"])
        if rec["block"] == 0:
            return (config, None, None) if rec["workload"] == "idle" else None
        if label not in labels:
            return None
        entry = labels.index(label)
        points = self.cells[entry]["points"]
        keys = [point_key(p) for p in points]
        if point_key(rec.get("point")) not in keys:
            if not self.derived:
                return None
            points.append(rec.get("point") or {})
            keys.append(point_key(points[-1]))
        return config, entry, keys.index(point_key(rec.get("point")))

    def place(self):
        attempts, self.unplanned = {}, 0
        for rec in self.records:
            where = self.find(rec)
            if where is None:
                self.unplanned += 1
                continue
            run = Run(rec, self.cells[where[1]] if where[1] is not None else None)
            attempts.setdefault(where + (rec["block"],), []).append(run)
        for cell in self.cells:
            cell["points"] = cell["points"] or [{}]
        self.repeated = sum(len(a) - 1 for a in attempts.values())
        chosen = {}
        for where, runs in attempts.items():
            good = [r for r in runs if r.status == "ok"]
            chosen[where] = good[-1] if good else runs[-1]
            if where[1] is None:
                self.idle_choice(chosen, where, runs)
        self.chosen = chosen
        self.table = {}
        for c in range(len(self.configs)):
            for e, cell in enumerate(self.cells):
                for p in range(len(cell["points"])):
                    mine = [chosen[w] for w in sorted(w for w in chosen if w[1] is not None)
                            if w[:3] == (c, e, p)]
                    self.table[c, e, p] = Cell([r for r in mine if r.status == "ok"])

    @staticmethod
    def idle_choice(chosen, where, runs):
        usable = [r for r in runs if r.rec.get("status") == "ok" and (r.metric or r.joule)]
        chosen[where] = usable[-1] if usable else None

    def idle_watts(self, config):
        run = self.chosen.get((config, None, None, 0))
        if run is None:
            return None
        return run.metric["value"] if run.metric else run.joule / run.seconds

    def tried(self, c, e, p):
        return sum(1 for w in self.chosen if w[:3] == (c, e, p))

    def left_out(self, c):
        absent = "skipped" in self.configs[c] or "impossible" in self.configs[c]
        return absent and not any(
            cell.runs for (k, _, _), cell in self.table.items() if k == c)

    def columns(self):
        rest = [c for c in range(len(self.configs)) if c != self.baseline and not self.left_out(c)]
        return [self.baseline] + rest

    def any_energy(self):
        return any(Run(rec, None).status == "ok" and rec.get("energy") and rec["block"] and
                   self.find(rec) for rec in self.records)

    def example(self, e):
        for c in self.columns():
            for p in range(len(self.cells[e]["points"])):
                if self.table[c, e, p].runs:
                    return self.table[c, e, p].runs[0]
        return None

    def ratio(self, quantity, c, e, p):
        mine, base = self.table[c, e, p], self.table[self.baseline, e, p]
        a, b = mine.mean(quantity), base.mean(quantity)
        if a is None or b is None or mine.identity(quantity) != base.identity(quantity):
            return None
        return a / b

    def why_no_energy_ratio(self, quantity, c, e, p):
        """The difference in energy that refuses the ratio of a row, if it is that."""
        mine, base = self.table[c, e, p], self.table[self.baseline, e, p]
        if mine.mean(quantity) is None or base.mean(quantity) is None:
            return None
        a, b = (next(r for r in x.runs if r.value(quantity) is not None) for x in (base, mine))
        return energy_difference(a, b) if (a.flavour, a.parts) == (b.flavour, b.parts) else None

    def summary(self, quantity, c, e):
        rows = [self.ratio(quantity, c, e, p) for p in range(len(self.cells[e]["points"]))]
        good = [r for r in rows if r is not None]
        return good, len(rows)

    def quotient(self, c, e):
        """Summary that performance and power ratios would give, if it is far from the real one."""
        logs = []
        for p in range(len(self.cells[e]["points"])):
            s, w, q = (self.ratio(x, c, e, p) for x in (PERFORMANCE, POWER, PPW))
            if None not in (s, w, q):
                better = s if self.example(e).metric["better"] == "higher" else 1 / s
                logs.append((math.log(q), math.log(better / w)))
        if not logs or c == self.baseline:
            return None
        ours, theirs = fmean(a for a, _ in logs), fmean(b for _, b in logs)
        return math.exp(theirs) if abs(ours - theirs) > 0.005 else None
