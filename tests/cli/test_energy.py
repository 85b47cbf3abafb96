#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Which domains of energy there are and which count: in doctor, in session.json, in the records."""
import json
import os
import re

import rig
from rig import equal, need

POWERCAP = "sys/class/powercap"


def put(place, path, text):
    target = os.path.join(place.machine, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="ascii") as file:
        file.write(text + "\n")


def zone(place, entry, name, uj=1000):
    put(place, f"{POWERCAP}/{entry}/name", name)
    put(place, f"{POWERCAP}/{entry}/energy_uj", str(uj))
    put(place, f"{POWERCAP}/{entry}/max_energy_range_uj", "262143328850")


def desktop(place):
    """The one with RAPL zones, with psys and the same package once more beside them."""
    place.fake("intel-desktop")
    zone(place, "intel-rapl:1", "psys")
    zone(place, "intel-rapl-mmio:0", "package-0")


def tree_of(described):
    return {node["name"]: (node["counted"], node.get("parent")) for node in described["tree"]}


DOMAINS = {"package-0": (True, None), "dram-0": (False, None), "psys": (False, None),
           "intel-rapl-mmio:0": (False, None)}


def test_doctor_shows_the_tree(place):
    desktop(place)
    found = place.run("doctor", "--json").exits(0).json()
    equal(found["energy"], True)
    equal(found["energy_domains"]["source"], "powercap")
    equal(tree_of(found["energy_domains"]), DOMAINS)
    text = place.run("doctor").exits(0, "domains of powercap, scope package:").out
    need(re.search(r"^    package-0 +counts$", text, re.M), text)
    need(re.search(r"^    intel-rapl-mmio:0 +the same counter once more$", text, re.M), text)


def test_doctor_without_energy_shows_none(place):
    place.fake("vm-empty")
    need("energy_domains" not in place.run("doctor", "--json").exits(0).json())
    need("domains of" not in place.run("doctor").exits(0).out)


def test_the_session_holds_the_tree(place):
    desktop(place)
    place.measure(rig.config(rig.shell("echo rate: 1"), energy={"scope": "package+dram"})).exits(0)
    with open(place.path("results/session.json"), encoding="utf-8") as file:
        energy = json.load(file)["energy"]
    equal((energy["source"], energy["scope"], energy["notes"]), ("powercap", "package+dram", []))
    equal(tree_of(energy), {**DOMAINS, "dram-0": (True, None)})


def test_a_session_without_energy_holds_its_scope(place):
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell("echo rate: 1"))).exits(0)
    with open(place.path("results/session.json"), encoding="utf-8") as file:
        equal(json.load(file)["energy"], {"scope": "package"})


def test_the_record_holds_the_peak(place):
    """A counter that moves in steps of 0.1 s: its best second holds at least half of the mean, at most all."""
    desktop(place)
    counter = os.path.join(place.machine, POWERCAP, "intel-rapl:0/energy_uj")
    script = (f"for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 0.1; "
              f"echo $((i * 5000000)) > {counter}.new; mv {counter}.new {counter}; done; echo rate: 1")
    put(place, f"{POWERCAP}/intel-rapl:0/energy_uj", "1000")
    os.chmod(os.path.dirname(os.path.realpath(counter)), 0o777)
    place.measure(rig.config(rig.shell(script), collectors={"timeline": "200ms"})).exits(0)
    record = place.records()[0]
    energy, window = record["energy"], record["window"]
    joules = energy["total_uj"] * 1e-6
    mean = joules / ((window["end_ns"] - window["start_ns"]) * 1e-9)
    need(energy["peak_over_s"] >= 1, energy)
    need(0.49 * mean < energy["peak_w"] < 1.01 * joules, energy, window)


if __name__ == "__main__":
    rig.main(globals())
