#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The timed part of a command: rate and energy come from one and the same window."""
import json
import os
import re
import threading
import time

import rig
from rig import need

MARKED = ("sleep 0.3; echo 'perfwatt: begin'; sleep 0.4; echo 'perfwatt: end'; sleep 0.2; echo rate: 5")
ZONE = "sys/class/powercap/intel-rapl:0"


def window_s(record):
    return (record["window"]["end_ns"] - record["window"]["start_ns"]) / 1e9


def check_marked(record):
    """The 0.4 s between the marks, without the 0.5 s around them."""
    need(0.35 < window_s(record) < record["elapsed_ns"] / 1e9 - 0.45, record["window"], record["elapsed_ns"])


class Meter:
    """A fake RAPL zone whose counter grows with the watts of the phase that the command names in a file."""

    def __init__(self, place, watts):
        self.counter = os.path.join(place.machine, ZONE, "energy_uj")
        self.watts = watts
        self.phases = place.path("phases")
        os.makedirs(self.phases)
        os.chmod(self.phases, 0o777)
        self.joules = 0.0
        self.trace = []  # of every write: CLOCK_MONOTONIC ns before and after it, joules
        place.write(os.path.relpath(os.path.join(place.machine, ZONE, "name"), place.top), "package-0\n")
        place.write(os.path.relpath(os.path.join(place.machine, ZONE, "max_energy_range_uj"), place.top),
                    "262143328850\n")
        self.write()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.tick)

    def write(self):
        """A new file each time: a reader sees the old or the new number."""
        before = time.monotonic_ns()
        with open(self.counter + ".new", "w", encoding="ascii") as file:
            file.write(f"{int(5e9 + self.joules * 1e6)}\n")
        os.rename(self.counter + ".new", self.counter)
        self.trace.append((before, time.monotonic_ns(), self.joules))

    def within(self, record):
        """Least and most joules that the counter can have shown more at the window's end than at its start."""
        def shown(edge, side):
            return max(write[2] for write in self.trace if write[side] <= record["window"][edge])
        return (shown("end_ns", 1) - shown("start_ns", 0), shown("end_ns", 0) - shown("start_ns", 1))

    def phase(self):
        for phase in reversed(self.watts):  # the last phase that has begun
            if os.path.exists(os.path.join(self.phases, phase)):
                return phase
        return next(iter(self.watts))

    def tick(self):
        last = time.monotonic()
        while not self.ended.wait(0.002):
            phase, now = self.phase(), time.monotonic()
            self.joules += self.watts[phase] * (now - last)
            last = now
            self.write()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


def phased(meter, marks, seconds=(0.5, 1.2, 0.3)):
    """A command with a timed part between two others; it clears its phases when it starts again."""
    begin, end = ("echo 'perfwatt: begin'", "echo 'perfwatt: end'") if marks else ("true", "true")
    return (f"cd {meter.phases}; rm -f *; sleep {seconds[0]}; : > timed; {begin}; sleep {seconds[1]}; {end}; "
            f": > after; sleep {seconds[2]}; echo rate: 1500")


WORK = {"name": "throughput", "unit": "MB/s", "better": "higher", "regex": "rate: ([0-9.]+)", "work": True}
BOTH = [{"name": "one", "set": {}}, {"name": "two", "set": {}}]


def test_marked_part_is_the_window(place):
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell(MARKED))).exits(0, "timed part")
    record, = place.records()
    rig.equal(record["window"]["kind"], "timed")
    check_marked(record)
    rig.equal(record.get("warnings", []), [])


def test_elapsed_is_of_the_marked_part(place):
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell(MARKED, metrics=()))).exits(0)
    record, = place.records()
    need(abs(record["metrics"][0]["value"] - window_s(record)) < 1e-6, record)


def test_without_marks_the_whole_command(place):
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell("sleep 0.3; echo rate: 5"))).exits(0, "whole command")
    record, = place.records()
    rig.equal(record["window"]["kind"], "whole")
    need(abs(window_s(record) - record["elapsed_ns"] / 1e9) < 0.1, record)


def test_marks_must_be_whole_lines(place):
    place.fake("vm-empty")
    script = "echo 'x perfwatt: begin'; echo 'perfwatt: end '; echo '# perfwatt: begin'; echo rate: 5"
    place.measure(rig.config(rig.shell(script))).exits(0)
    rig.equal(place.records()[0]["window"]["kind"], "whole")
    script = "printf 'perfwatt: beg'; sleep 0.1; printf 'in\\r\\nx\\nperfwatt: end\\r\\nrate: 5\\n'"
    place.measure(rig.config(rig.shell(script)), folder="split").exits(0)
    rig.equal(place.records("split")[0]["window"]["kind"], "timed")


def test_begin_without_end_fails(place):
    place.fake("vm-empty")
    script = "echo 'perfwatt: begin'; echo rate: 5"
    place.measure(rig.config(rig.shell(script), repeat={"retry": 0})).exits(3, "perfwatt: end")
    rig.equal(place.records()[0]["status"], "failed")
    need("perfwatt: begin" in place.records()[0]["reason"], place.records())


def test_stray_marks_are_a_warning(place):
    place.fake("vm-empty")
    script = MARKED + "; echo 'perfwatt: begin'; echo 'perfwatt: end'"
    place.measure(rig.config(rig.shell(script))).exits(0)
    record, = place.records()
    need(record["warnings"], record)
    check_marked(record)


def check_energy(record, meter, watts):
    """What the counter grew by in the window, and that the window lies where the watts are those of the phase."""
    energy = record["energy"]
    least, most = meter.within(record)
    found = energy["total_uj"] * 1e-6
    allowed = energy["uncertainty_uj"] * 1e-6 + 0.05 * found
    need(least - allowed <= found <= most + allowed, f"{found} J, not {least} to {most} J", record)
    need(abs(found / window_s(record) - watts) <= 0.4 * watts, f"{found / window_s(record)} W", record)
    need(energy["uncertainty_uj"] < 0.2e6 * found, energy)
    rig.equal((energy["source"], energy["counted"]), ("powercap", ["package-0"]))


def test_energy_of_the_timed_part(place):
    """Little before, much within, little after."""
    place.fake("vm-empty")
    with Meter(place, {"before": 20, "timed": 120, "after": 20}) as meter:
        content = rig.config(rig.shell(phased(meter, True), kind="fixed-time", metrics=[WORK]))
        place.measure(content).exits(0)
    record, = place.records()
    check_energy(record, meter, 120)
    need(abs(record["work"]["value"] - 1500 * window_s(record)) < 1, record["work"], "work is of the window")


def test_energy_around_a_cheap_timed_part(place):
    """Much before and after, little within: the whole command would tell five times too much."""
    place.fake("vm-empty")
    with Meter(place, {"before": 120, "timed": 20, "after": 120}) as meter:
        content = rig.config(rig.shell(phased(meter, True, (1, 1.5, 0.5)), kind="fixed-time", metrics=[WORK]))
        place.measure(content).exits(0)
    check_energy(place.records()[0], meter, 20)


def ppw_rows(text):
    """The lines of the report's table of performance per watt."""
    return text[text.index("PERFORMANCE-PER-WATT RATIOS"):].split("\n+")[0]


def test_ppw_needs_marks_or_fixed_work(place):
    place.fake("vm-empty")
    with Meter(place, {"before": 20, "timed": 120, "after": 20}) as meter:
        for folder, marks, kind, expected in (("marked", True, "fixed-time", True), ("whole", False, "fixed-time", False),
                                              ("work", False, "fixed-work", True)):
            metrics = [WORK] if kind == "fixed-time" else ()
            entry = rig.shell(phased(meter, marks, (0.2, 1.1, 0.1)), kind=kind, metrics=metrics)
            text = place.measure(rig.config(entry, configs=BOTH), folder=folder).exits(0).out
            rows = ppw_rows(text)
            ratio = re.search(r"work +1\.00 +[01]\.\d\d", rows)
            need(bool(ratio) == expected, folder, rows)
            if folder == "marked":
                record, = (record for record in place.records(folder) if record["config"] == "one")
                per_mb = float(re.search(r"Amean +- +([0-9.]+) J", text)[1])
                need(abs(per_mb / (record["energy"]["total_uj"] * 1e-6 / record["work"]["value"]) - 1) < 0.01, per_mb, record)
            need(expected or ("n/a" in rows and "whole command" in text), folder, text)
            again = place.run("report", place.path(folder)).exits(0).out
            rig.equal(ppw_rows(again), rows)


def test_a_counter_that_stands_still_is_no_energy(place):
    place.fake("vm-empty")
    with Meter(place, {"before": 0.0}) as meter:
        content = rig.config(rig.shell(phased(meter, True, (0, 1.1, 0)), kind="fixed-time", metrics=[WORK]))
        place.measure(content).exits(0)
    record, = place.records()
    need("energy" not in record, record.get("energy"))
    need(any(missing["what"] == "energy" for missing in record["unavailable"]), record)


def test_idle(place):
    """Once per configuration, in its own line of the report and never a cell."""
    place.fake("vm-empty")
    with Meter(place, {"always": 50}) as meter:
        content = rig.config(rig.shell("echo rate: 1"), configs=BOTH, blocks=2)
        content["idle"] = "1200ms"
        text = place.measure(content).exits(0, "4 of 4").out
    idle = [record for record in place.records() if record["workload"] == "idle"]
    rig.equal([record["config"] for record in idle], ["one", "two"])
    for record in idle:
        rig.equal((record["metrics"][0]["name"], record["metrics"][0]["unit"]), ("power", "W"))
        least, most = (joules / window_s(record) for joules in meter.within(record))
        need(least - 3 < record["metrics"][0]["value"] < most + 3 and 25 < most < 75, record, least, most)
    need(re.search(r"^Idle +one \d+\.\d+ W, two \d+\.\d+ W$", text, re.MULTILINE), text)
    content["idle"] = False
    place.measure(content, folder="without").exits(0)
    rig.equal({record["workload"] for record in place.records("without")}, {"exec"})


def test_timeline(place):
    """samples.jsonl holds the power in its course; none with --no-timeline."""
    place.fake("vm-empty")
    with Meter(place, {"before": 50, "timed": 50, "after": 50}) as meter:
        content = rig.config(rig.shell(phased(meter, False, (0.2, 0.6, 0.2))), collectors={"timeline": "100ms"})
        place.measure(content).exits(0)
        place.measure(content, "--no-timeline", folder="quiet").exits(0)
    with open(place.path("results/samples.jsonl"), encoding="utf-8") as file:
        samples = json.loads(file.readline())
    rig.equal(samples["run"], place.records()[0]["id"])
    column = samples["columns"].index("power-w")
    rig.equal(samples["units"][column], "W")
    powers = sorted(row[column] for row in samples["rows"] if row[column] is not None)
    need(3 <= len(powers) <= 15 and 35 < powers[len(powers) // 2] < 65, samples)
    rig.equal(os.path.getsize(place.path("quiet/samples.jsonl")), 0)
    need("energy" in place.records("quiet")[0])


if __name__ == "__main__":
    rig.main(globals())
