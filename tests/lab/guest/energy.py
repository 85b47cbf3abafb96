#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
energy.py SOURCE, in the guest under --icount leap: counters that wrap, stick, leap, start anew or
cannot be read. What perfwatt says is right or marked as invalid, never wrong. SOURCE: powercap or
perf. The package draws PACKAGE_W all the time; nothing here asks the module what it counted.
"""
import subprocess
import sys

import inside

SOURCE = sys.argv[1]
PACKAGE_W = float(sys.argv[2])
WITHIN = 0.01
# During the run `sleep TIME`: shell of another program, and what must become of the energy.
STOP = "pkill -STOP -x perfwatt; sleep {}; pkill -CONT -x perfwatt"
FAULTS = inside.PARAMETERS
# At this power powercap's range (6.5 kJ) lasts 11 s, and so does half of perf's (32.8 kJ).
# A counter that starts anew in the second in which it wraps cannot be told from the wrap alone, by
# anybody: the fault comes while powercap's (6.5 kJ) stands midway.
ZONE = "/sys/class/powercap/intel-rapl:0/energy_uj"
MIDWAY = (f"sleep 8; for i in $(seq 200); do e=$(cat {ZONE}); [ $e -gt 2000000000 ] && [ $e -lt 4000000000 ] && break; "
          "sleep 0.1; done" if SOURCE == "powercap" else "sleep 8")
CASES = [
    ("several wraps", 60, "", "right"),
    ("one wrap with polls held back", 40, "sleep 8; " + STOP.format(6), "right or marked"),
    ("several wraps with polls held back", 70, "sleep 8; " + STOP.format(40), "marked"),
    ("unreadable in mid-run", 30, f"sleep 8; echo 5 >{FAULTS}/energy_errno; sleep 5; "
                                  f"echo 0 >{FAULTS}/energy_errno", "marked"),
    ("leaps forward", 20, f"sleep 8; echo 6000000000 >{FAULTS}/jump_uj", "marked"),
    ("starts anew", 40, f"{MIDWAY}; echo 1 >{FAULTS}/reset", "marked"),
    ("stands still", 20, f"echo 1 >{FAULTS}/stuck; sleep 40; echo 0 >{FAULTS}/stuck", "marked"),
]
# The kernel's perf events have no error of a read and hide what powercap shows.
LEFT_OUT = {"perf": ("unreadable in mid-run",), "powercap": ()}


def run(seconds, other, *words):
    """The record of one run of `sleep`, with another program beside it."""
    content = inside.config([{"name": "a", "set": {}}], f"sleep {seconds}")
    process = inside.start(content, "/tmp/lab-results", "--progress", "none", *words)
    beside = subprocess.Popen(["sh", "-c", other or ":"])
    session = inside.Session(process, "/tmp/lab-results")
    beside.wait()
    inside.need("a" in session.records, session.said)
    return session.records["a"]


def verdict(record):
    """"right", "marked", or what is wrong."""
    window_s = (record["window"]["end_ns"] - record["window"]["start_ns"]) / 1e9
    energy = record.get("energy")
    if not energy or "package-0" not in energy.get("counted", []):
        named = [item for item in record.get("unavailable", []) if item["what"] == "energy"]
        return "marked" if named or record.get("warnings") else f"gone without a word: {record}"
    found, truth = energy["total_uj"] / 1e6, PACKAGE_W * window_s
    if abs(found / truth - 1) <= WITHIN:
        return "right"
    return f"{found:.0f} J instead of {truth:.0f} J"


def case(name, seconds, other, wanted, *words):
    def test():
        found = verdict(run(seconds, other, *words))
        inside.need(found in wanted.split(" or "), f"is {found}, must be {wanted}")

    test.__name__ = " ".join([name, *words])
    return test


# Without the timeline counters are still read often enough to tell all this.
inside.main([case(*words, *option) for option in ([], ["--no-timeline"]) for words in CASES
             if words[0] not in LEFT_OUT[SOURCE]])
