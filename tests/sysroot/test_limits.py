#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Cases of limits and governors that people met: the same word with three meanings, one policy that deviates,
and a user's own limit under a boost that is switched."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), HERE]
import rig  # noqa: E402
from rig import equal, need  # noqa: E402

POLICIES = "sys/devices/system/cpu/cpufreq"


def put(root, path, text):
    with open(os.path.join(root, path), "w", encoding="ascii") as file:
        file.write(text + "\n")


def put_all(root, file, text):
    """Into the file of every policy."""
    for name in os.listdir(os.path.join(root, POLICIES)):
        if name.startswith("policy"):
            put(root, f"{POLICIES}/{name}/{file}", text)


def settings(place):
    found = place.run("doctor", "--json").exits(0).json()["findings"]
    return {item["name"]: item for item in found}


def test_powersave_has_three_meanings(place):
    """Only under a generic driver it is the lowest frequency, whatever the frequency of the moment is."""
    for tree, means, epp, now in (("amd-pstate-epp", "dynamic within limits", "power", "5100000"),
                                  ("intel-hwp-active", "dynamic within limits", "balance_power", "2790000"),
                                  ("acpi-cpufreq-intel", "pinned to the minimum", None, "1200000")):
        root = place.fake(tree, tree)
        put_all(root, "scaling_governor", "powersave")
        put_all(root, "scaling_cur_freq", now)
        if epp:
            put_all(root, "energy_performance_preference", epp)
        found = settings(place)
        equal(found["governor"]["value"], "powersave", tree)
        need(found["governor means"]["value"].startswith(means), tree, found["governor means"])
        equal((found["epp"]["state"], found["epp"].get("value")), ("ok", epp) if epp else ("absent", None), tree)
        low, high = found["min-freq"]["value"], found["max-freq"]["value"]
        need(low < high, tree, low, high)  # the limits themselves are open on all three


def test_one_policy_deviates(place):
    """It is named by doctor and in the record of every run, and other limits than its own are shown."""
    root = place.fake("amd-pstate-passive")
    put(root, f"{POLICIES}/policy2/scaling_max_freq", "4500000")
    before = rig.tree_of(root)
    expected = "mixed: 5881000 (policy0-1,3), 4500000 (policy2)"
    equal(settings(place)["max-freq"]["value"], expected)
    place.measure(rig.config(rig.shell("echo rate: 1"))).exits(0)
    equal([record["settings"]["max-freq"] for record in place.records()], [expected])
    rig.same_tree(root, before)


def test_a_policy_that_does_not_follow(place):
    """A limit that one policy does not take: that policy is named and the run is no run."""
    root = place.fake("amd-pstate-passive")
    stuck = os.path.join(root, POLICIES, "policy2/scaling_max_freq")
    os.remove(stuck)
    os.symlink("/dev/null", stuck)
    configs = [{"name": "as it is", "set": {}}, {"name": "slow", "set": {"max-freq": "3GHz"}}]
    result = place.measure(rig.config(rig.shell("echo rate: 1"), configs=configs, repeat={"retry": 0}))
    need(result.code in (2, 3) and "policy2" in result.err, result)
    need(all(record["status"] != "ok" for record in place.records() if record["config"] == "slow"), result)


def test_a_limit_of_the_user_under_boost(place):
    """Switching boost moves limits: they are written after it, going there and coming back."""
    root = place.fake("amd-pstate-passive")
    put_all(root, "scaling_max_freq", "3400000")
    before = rig.tree_of(root)
    script = f"cd {root}/{POLICIES}; for file in boost policy3/scaling_max_freq; do cat $file; echo; done; echo rate: 1"
    configs = [{"name": "as it is", "set": {}}, {"name": "off", "set": {"boost": "off", "max-freq": "3GHz"}}]
    place.measure(rig.config(rig.shell(script), configs=configs)).exits(0)
    seen = {}
    for record in place.records():
        with open(place.path("results/raw", record["id"] + ".out"), encoding="utf-8") as file:
            seen[record["config"]] = file.read().split()[:2]
    equal(seen, {"as it is": ["1", "3400000"], "off": ["0", "3000000"]})
    rig.same_tree(root, before)
    with open(place.path("results/journal.jsonl"), encoding="utf-8") as file:
        saved = [line["path"] for line in map(json.loads, file) if line["type"] == "saved"]
    limits = [i for i, path in enumerate(saved) if path.endswith("scaling_max_freq")]
    switches = [i for i, path in enumerate(saved) if path.endswith("/boost")]
    need(len(switches) == 5 and max(switches) < min(limits), saved)


def test_tunables_of_the_governor(place):
    """Under the governor in force; afterwards the file is as before to the byte."""
    root = place.fake("intel-passive")
    before = rig.tree_of(root)
    script = f"cat {root}/{POLICIES}/schedutil/rate_limit_us; echo; echo rate: 1"
    configs = [{"name": str(us), "set": {"governor-tunables": {"rate_limit_us": us}}} for us in (500, 20000)]
    place.measure(rig.config(rig.shell(script), configs=configs)).exits(0)
    for record in place.records():
        with open(place.path("results/raw", record["id"] + ".out"), encoding="utf-8") as file:
            equal(file.readline().strip(), record["config"])
    rig.same_tree(root, before)


if __name__ == "__main__":
    rig.main(globals())
