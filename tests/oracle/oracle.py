#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""oracle.py DIR REPORT: checks every number of a text report against a recomputation from the
folder's files, to the last printed digit. Exit 0 if all agree."""
import math
import re
import sys

import model
from model import ENERGY, PERFORMANCE, POWER, PPW

LABEL = {"harmonic": "Hmean", "arithmetic": "Amean", "geometric": "Gmean"}


class Mismatch(Exception):
    pass


def escape(text):
    def one(ch):
        c = ord(ch)
        hidden = (c < 0x20 or 0x7f <= c < 0xa0 or c in (0x61c, 0x200e, 0x200f, 0xfeff) or
                  0x2028 <= c <= 0x202e or 0x2066 <= c <= 0x2069)
        return "\\u{%04x}" % c if hidden else ch
    return "".join(map(one, text))


def number(value):
    if value >= 1e15:
        return "%.6e" % value
    return "%.2f" % value if value >= 1 else "%#.4g" % value


def ratio_text(value):
    return "%.2f" % value if value >= 0.1 else "%#.2g" % value


def same(found, value, form, what):
    """Equal as printed, or (a tie that the last bit of a double decides) half a unit away."""
    wanted = form(value)
    if found == wanted:
        return
    try:
        place = len(found.split("e")[0].split(".")[1])
        if len(wanted.split("e")[0].split(".")[1]) == place and "e" not in found + wanted and \
                abs(float(found) - value) <= 0.5 * 10.0 ** -place + 1e-12 * abs(value):
            return
    except (ValueError, IndexError):
        pass
    raise Mismatch("%s: printed %r, should be %r (%r)" % (what, found, wanted, value))


def equal(found, wanted, what):
    if found != wanted:
        raise Mismatch("%s: printed %r, should be %r" % (what, found, wanted))


class Check:
    def __init__(self, folder, text):
        self.f = folder
        self.lines = text.split("\n")
        self.at = 0
        self.checked = 0
        self.names = [escape(c["name"]) for c in folder.configs]

    def line(self):
        if self.at >= len(self.lines):
            raise Mismatch("the report ends early")
        return self.lines[self.at]

    def next(self):
        line = self.line()
        self.at += 1
        return line

    def skip_to(self, pattern):
        while not re.match(pattern, self.line()):
            self.at += 1
        return self.next()

    def num(self, found, value, form, what):
        same(found, value, form, what)
        self.checked += 1

    def cell_name(self, c, e, p):
        cell = self.f.cells[e]
        key = model.point_key(cell["points"][p])
        return escape(cell["name"] + (" " + key if key else "") + " (%s)" % self.f.configs[c]["name"])

    def row_name(self, e):
        run = self.f.example(e)
        flavour = "(%s)" % run.flavour if run and run.flavour else ""
        return escape(self.f.cells[e]["name"] + flavour)

    # heading -------------------------------------------------------------------------------------

    def heading(self):
        f = self.f
        shown = [c for c in range(len(f.configs)) if not f.left_out(c)]
        cells = {k: v for k, v in f.table.items() if k[0] in shown}
        valid = sum(len(c.runs) for c in cells.values())
        declared = sum(max(f.blocks, f.tried(*k)) for k in cells)
        wanted = "Runs       %d of %d valid (blocks declared: %d" % (valid, declared, f.blocks)
        if f.repeated:
            wanted += "; repeated: %d" % f.repeated
        if f.unplanned:
            wanted += "; not of this plan: %d" % f.unplanned
        equal(self.skip_to("Runs "), wanted + ")", "run counts")
        found = []
        while self.line().startswith("  "):
            found.append(self.next())
        self.lists(found, cells, valid)

    def lists(self, found, cells, valid):
        f = self.f
        bad = sorted("  %s: %s, block %d" % (r.status, self.cell_name(*w[:3]), w[3])
                     for w, r in f.chosen.items()
                     if w[1] is not None and r.status != "ok" and not f.left_out(w[0]))
        got = [x for x in found if re.match(r"  (failed|invalidated|skipped): ", x)]
        equal(len(got), len(bad), "runs that are not valid")
        for line in bad:
            if not any(x.startswith(line + ":") for x in got):
                raise Mismatch("not listed: %r" % line)
        short = sorted("  short: %s: %d of %d runs" % (self.cell_name(*k), len(c.runs), f.blocks)
                       for k, c in cells.items() if 0 < len(c.runs) < f.blocks)
        equal(sorted(x for x in found if x.startswith("  short: ")), short, "short cells")
        missing = ["  missing: %s:" % self.cell_name(*k) for k, c in cells.items() if not c.runs]
        got = [x for x in found if x.startswith("  missing: ")]
        equal(len(got), len(missing), "missing cells")
        for line in missing:
            if not any(x.startswith(line) for x in got):
                raise Mismatch("not listed: %r" % line)
        equal("  no cell has data" in found, valid == 0, "no data")

    # ratio blocks --------------------------------------------------------------------------------

    def band(self, line, names):
        """How many of the names, in order, make up a line of heads."""
        rest, count = line.strip(), 0
        for name in names:
            if not rest.startswith(name):
                break
            rest = rest[len(name):].lstrip(" ")
            count += 1
        return count, rest

    def summary(self):
        f = self.f
        entries = [e for e, c in enumerate(f.cells) if not c.get("idle")]
        todo = f.columns()[1:]
        pending = []
        while True:
            self.skip_to(r"\+ -")
            columns, todo = self.summary_heads(todo)
            pending += self.summary_band(columns, entries)
            if not todo:
                break
        notes = {}
        while self.line().startswith("  ["):
            m = re.match(r"  \[(\d+)\] (.*)", self.next())
            notes[m.group(1)] = m.group(2)
        for (quantity, c, e), mark in pending:
            self.note(notes.get(mark) if mark else None, quantity, c, e)
        used = {mark for _, mark in pending if mark}
        equal(sorted(notes), sorted(used), "footnotes")

    def summary_heads(self, todo):
        names = [self.names[c] for c in [self.f.baseline] + todo]
        count, rest = self.band(self.next()[1:], names)
        if rest != "better if" and count and names[count - 1] == "better if":
            count, rest = count - 1, "better if"
        equal(rest, "better if", "heads of the summary")
        if count < 1 or (todo and count < 2):
            raise Mismatch("a band without columns")
        return [self.f.baseline] + todo[:count - 1], todo[count - 1:]

    def summary_band(self, columns, entries):
        pending = []
        blocks = [(PERFORMANCE, "PERFORMANCE RATIOS"), (POWER, "POWER RATIOS"),
                  (PPW, "PERFORMANCE-PER-WATT RATIOS")]
        for quantity, title in blocks if self.f.any_energy() else blocks[:1]:
            self.border()
            equal(self.next()[1:].strip(), title, "title")
            for e in entries:
                pending += self.summary_row(quantity, columns, e)
        self.border()
        if not self.f.any_energy():
            if not self.next().startswith("| PERFORMANCE-PER-WATT RATIOS: n/a (no energy: "):
                raise Mismatch("nothing said about energy")
            self.border()
        return pending

    def border(self):
        if not re.fullmatch(r"\+( -)+ \+", self.next()):
            raise Mismatch("line %d: no border" % self.at)

    def summary_row(self, quantity, columns, e):
        label = self.row_name(e)
        line = self.next()
        if not line.startswith("| " + label + "  "):
            raise Mismatch("row of %r expected, found %r" % (label, line))
        cells = re.split(r" {2,}", line[2 + len(label):].strip())
        example = self.f.example(e)
        better = {POWER: "lower", PPW: "higher"}.get(
            quantity, example.metric["better"] if example else "-")
        equal(cells[-1], better, "better if of %s" % label)
        equal(len(cells) - 1, len(columns), "cells of %s" % label)
        pending = []
        for c, cell in zip(columns, cells):
            m = re.fullmatch(r"(n/a|[0-9.e+-]+)(?: \[(\d+)\])?", cell)
            if not m:
                raise Mismatch("unreadable cell %r" % cell)
            self.summary_cell(m.group(1), quantity, c, e)
            pending.append(((quantity, c, e), m.group(2)))
        return pending

    def summary_cell(self, found, quantity, c, e):
        good, _ = self.f.summary(quantity, c, e)
        what = "%s %s (%s)" % (quantity, self.row_name(e), self.names[c])
        if not good:
            equal(found, "n/a", what)
            return
        if c == self.f.baseline:
            equal(found, "1.00", what)
        self.num(found, model.mean("geometric", good), ratio_text, what)

    def note(self, text, quantity, c, e):
        good, rows = self.f.summary(quantity, c, e)
        what = "footnote of %s %s (%s)" % (quantity, self.row_name(e), self.names[c])
        if not good:
            if not text:
                raise Mismatch(what + ": n/a without a reason")
            why = None if quantity == PERFORMANCE else self.f.why_no_energy_ratio(quantity, c, e, 0)
            if why:
                equal(text, escape(why), what)
            return
        text = text or ""
        wanted = "%d/%d" % (len(good), rows) if len(good) < rows else None
        equal(self.found(r"(\d+/\d+) rows", text), wanted, what)
        if quantity == PERFORMANCE:
            return
        cells = [self.f.table[c, e, p] for p in range(rows)]
        having = sum(len(x.values(quantity)) for x in cells)
        runs = sum(len(x.runs) for x in cells)
        wanted = "from %d of %d valid runs" % (having, runs) if having < runs else None
        equal(self.found(r"(from \d+ of \d+ valid runs)", text), wanted, what)
        brief = any(r.seconds < 1 for x in cells if x.values(quantity) for r in x.runs)
        equal("windows under 1 s" in text, brief, what)
        quotient = self.f.quotient(c, e) if quantity == PPW else None
        found = self.found(r"would give ([0-9.]+)", text)
        equal(found is None, quotient is None, what)
        if quotient is not None:
            self.num(found, quotient, lambda v: "%.2f" % v, what)

    @staticmethod
    def found(pattern, text):
        m = re.search(pattern, text)
        return m.group(1) if m else None

    def idle(self):
        watts = {c: self.f.idle_watts(c) for c in self.f.columns()}
        line = self.line()
        if all(w is None for w in watts.values()):
            equal(line.startswith("Idle "), False, "idle line")
            return
        rest = self.next()
        while rest.endswith(","):
            rest += " " + self.next().strip()
        for i, (c, w) in enumerate(watts.items()):
            before = ("Idle       " if i == 0 else ", ") + self.names[c] + " "
            if not rest.startswith(before):
                raise Mismatch("idle line: %r expected at %r" % (before, rest))
            rest = rest[len(before):]
            m = re.match(r"n/a" if w is None else r"([0-9.e+-]+) W", rest)
            if not m:
                raise Mismatch("idle line: %r" % rest)
            if w is not None:
                self.num(m.group(1), w, number, "idle of " + self.names[c])
            rest = rest[m.end():]
        equal(rest, "", "idle line")

    # detail --------------------------------------------------------------------------------------

    def detail(self, e):
        cell = self.f.cells[e]
        self.skip_to("Benchmark          : ")
        example = self.f.example(e)
        if example is None:
            self.skip_to("Unit               : not known: no valid run")
            return
        unit = "Unit               : %s (%s is better)" % (
            example.metric["unit"] or "none", example.metric["better"])
        equal(self.skip_to("Unit "), unit, "unit")
        if example.kind:
            equal(self.next(), "Kind of run        : " + example.kind, "kind")
        self.window(e)
        label = LABEL[example.mean_kind()]
        for columns in self.bands():
            for p, point in enumerate(cell["points"]):
                head = "%s   %s" % (label, escape(model.point_shown(point)))
                self.detail_row(head, columns, e, p)
            if len(cell["points"]) > 1:
                self.detail_summary(columns, e)
        self.energy(e)

    def window(self, e):
        runs = [r for c in self.f.columns() for p in range(len(self.f.cells[e]["points"]))
                for r in self.f.table[c, e, p].runs]
        kinds = {r.window for r in runs} - {None}
        if not kinds:
            return
        words = " or ".join(w for k, w in (("timed", "timed part"), ("whole", "whole command"))
                            if k in kinds)
        m = re.fullmatch(r"Measured window    : (.*), mean ([0-9.]+) s", self.next())
        equal(m.group(1), words, "window")
        self.num(m.group(2), math.fsum(r.seconds for r in runs) / len(runs),
                 lambda v: "%.1f" % v, "window")

    def bands(self):
        equal(self.next(), "", "blank line")
        todo = self.f.columns()[1:]
        while True:
            names = [self.names[self.f.baseline] + " (BASELINE)"] + [self.names[c] for c in todo]
            count, rest = self.band(self.next(), names)
            equal(rest, "", "heads of the detail")
            if count < 1 or (todo and count < 2):
                raise Mismatch("a band without columns")
            if not re.fullmatch(r"-( -)*", self.next()):
                raise Mismatch("no rule below the heads")
            yield [self.f.baseline] + todo[:count - 1]
            todo = todo[count - 1:]
            if not todo:
                return
            equal(self.next(), "", "blank line between bands")

    def row(self, head):
        line = self.next()
        if not line.startswith(head + "  "):
            raise Mismatch("row %r expected, found %r" % (head, line))
        return line[len(head):]

    def detail_row(self, head, columns, e, p):
        rest = self.row(head)
        example = self.f.example(e)
        pattern = re.compile(r" +(n/a|[0-9.e+-]+)(?:  \+- +(--|[0-9.]+)% \( *(|n/a|-?[0-9.]+%)\))?")
        for c in columns:
            m = pattern.match(rest)
            if not m:
                raise Mismatch("unreadable cell at %r" % rest)
            rest = rest[m.end():]
            self.detail_cell(m.groups(), c, e, p, example)
        equal(rest, "", "end of the row")

    def detail_cell(self, found, c, e, p, example):
        cell = self.f.table[c, e, p]
        what = "detail " + self.cell_name(c, e, p)
        xs = cell.values(PERFORMANCE)
        if not xs or cell.runs[0].metric_id() != example.metric_id():
            equal(found, ("n/a", None, None), what)
            return
        kind = cell.runs[0].mean_kind()
        self.num(found[0], model.mean(kind, xs), number, what)
        cv = model.variation(kind, xs)
        if cv is None:
            equal(found[1], "--", what + ": variation")
        else:
            self.num(found[1], 100 * cv, lambda v: "%.2f" % v, what + ": variation")
        ratio = self.f.ratio(PERFORMANCE, c, e, p)
        if c == self.f.baseline:
            equal(found[2], "", what + ": gain")
        elif ratio is None:
            equal(found[2], "n/a", what + ": gain")
        else:
            gain = 100 * (ratio - 1 if example.metric["better"] == "higher" else 1 - ratio)
            self.num(found[2].rstrip("%"), gain, lambda v: "%.2f" % v, what + ": gain")

    def detail_summary(self, columns, e):
        rest = self.row("Gmean   ratio")
        pattern = re.compile(r" +(?:(n/a)|([0-9.e+-]+) \[([0-9.e+-]+), ([0-9.e+-]+)\])")
        for c in columns:
            m = pattern.match(rest)
            good, _ = self.f.summary(PERFORMANCE, c, e)
            rest = rest[m.end():]
            equal(m.group(1) is None, bool(good), "summary in the detail")
            if good:
                self.num(m.group(2), model.mean("geometric", good), ratio_text, "detail summary")
                self.num(m.group(3), min(good), ratio_text, "least ratio")
                self.num(m.group(4), max(good), ratio_text, "largest ratio")
        equal(rest, "", "end of the row")

    def energy(self, e):
        points = self.f.cells[e]["points"]
        runs = [r for c in self.f.columns() for p in range(len(points))
                for r in self.f.table[c, e, p].runs if r.joule]
        if not runs:
            return
        equal(self.next(), "", "blank line")
        first = ([r for r in runs if r.value(ENERGY) is not None] or runs)[0]
        if not self.next().startswith("Energy             : %s, %s: " % first.energy_id[:2]):
            raise Mismatch("line %d: energy expected" % self.at)
        per = "run" if first.kind == "fixed-work" else first.work_unit or "unit of work"
        equal(self.next(), "Unit               : J/%s; mean W (lower is better)" % per, "unit")
        for columns in self.bands():
            for p, point in enumerate(points):
                rest = self.row("Amean   " + escape(model.point_shown(point)))
                for c in columns:
                    m = re.match(r" +(n/a|[0-9.e+-]+) J +(n/a|[0-9.e+-]+) W", rest)
                    rest = rest[m.end():]
                    self.energy_cell(m.groups(), self.f.table[c, e, p], first)
                equal(rest, "", "end of the row")

    def energy_cell(self, found, cell, first):
        agree = all(r.energy_id in (None, first.energy_id) and r.kind == first.kind and
                    (not r.work or not first.work or r.work_unit == first.work_unit)
                    for r in cell.runs)
        for text, quantity in zip(found, (ENERGY, POWER)):
            value = cell.mean(quantity) if agree else None
            if value is None:
                equal(text, "n/a", quantity)
            else:
                self.num(text, value, number, quantity)

    def run(self):
        self.heading()
        if any(not c.get("idle") for c in self.f.cells):
            self.summary()
        self.idle()
        for e in range(len(self.f.cells)):
            self.detail(e)
        equal(self.next(), "", "blank line before the legend")
        if not self.line().startswith("Ratio: mean / mean of the baseline"):
            raise Mismatch("line %d: the legend was expected: %r" % (self.at, self.line()))
        return self.checked


def compare(folder, report):
    """(None, numbers compared), or (where and why they differ, None)."""
    with open(report, encoding="utf-8") as f:
        check = Check(model.Folder(folder), f.read())
    try:
        return None, check.run()
    except Mismatch as e:
        return "line %d: %s" % (check.at, e), None


def main():
    why, count = compare(sys.argv[1], sys.argv[2])
    print(why or "%d numbers agree" % count)
    return 1 if why else 0


if __name__ == "__main__":
    sys.exit(main())
