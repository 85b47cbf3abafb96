#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every fake machine: what doctor finds there, what plan says, and a session that sets everything twice
and leaves every file as it was, byte for byte. What must be found stands in machines.py.

    test_machines.py PERFWATT SOURCE [TREE]...
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), HERE]
import machines  # noqa: E402
import rig  # noqa: E402
from rig import equal, need  # noqa: E402

POLICY = re.compile(r"sys/devices/system/cpu/cpufreq/(policy\d+)/scaling_governor")
# Runs in a mount namespace of its own: the folders named are read-only there.
READ_ONLY = ('for folder in "$0/sys" "$0/proc/sys"; do mount --bind "$folder" "$folder" && '
             'mount -o remount,bind,ro "$folder" || exit 99; done; exec "$@"')


def read_only(root):
    """What to put before perfwatt so that it finds /sys and /proc/sys read-only."""
    for words in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        before = [*words, "sh", "-c", READ_ONLY, root]
        try:
            done = subprocess.run([*before, "true"], capture_output=True, encoding="utf-8", check=False)
        except FileNotFoundError as error:
            raise rig.Skip(f"no unshare(1): {error}") from error
        if done.returncode == 0:
            return before
    raise rig.Skip(f"no mount namespace to be had: {done.stderr.strip()}")


def findings(place, tree, before):
    """doctor's word on each setting, after the checks of what it says about the machine."""
    machine = machines.MACHINES[tree]
    found = place.run("doctor", "--json", before=before).exits(0).json()
    settings = {item["name"]: item for item in found["findings"] if item["area"] == "settings"}
    means = [item["value"] for item in found["findings"] if item["name"] == "governor means"]
    equal(found["machine"].get("driver"), machine.driver)
    if machine.mode:
        equal(found["machine"]["driver_mode"], f"{machine.mode} ({machine.driver})")
    equal(found["machine"]["usable"], machine.cpus)
    if machine.governor and tree not in machines.READ_ONLY:
        equal(settings["governor"]["value"], machine.governor)
    equal(len(means), machine.means is not None, means)
    need(not machine.means or means[0].startswith(machine.means), means, machine.means)
    return settings


def check_presence(place, tree, settings):
    known = [item["name"] for item in place.run("list", "knobs", "--json").exits(0).json()]
    equal(sorted(settings), sorted(known))
    for name in known:
        need(name in machines.KNOBS, f"the setting '{name}' has no line in KNOBS of tests/sysroot/machines.py")
        state = settings[name]["state"]
        equal(state == "ok", tree in machines.KNOBS[name], settings[name])
        need(state == "ok" or len(settings[name]["why"]) > 10, settings[name])
    return [name for name in known if tree in machines.KNOBS[name]]


def two_configs(tree, names):
    """Two configurations that set everything, and how their records must show it."""
    sets, shown = ({}, {}), ({}, {})
    for name in names:
        need(name in machines.VALUES, f"the setting '{name}' has no line in VALUES of tests/sysroot/machines.py")
        values = machines.VALUES[name](machines.MACHINES[tree])
        for i, (value, record) in enumerate(values[:2]):
            sets[i][name], shown[i][name] = value, record
    return sets, shown


def session(place, tree, root, names):
    before = rig.tree_of(root)
    sets, shown = two_configs(tree, names)
    stamp = place.write("stamp", "")
    script = f"cd {root} && find sys dev -type f -newer {stamp}; echo rate: 1"
    configs = [{"name": name, "set": values} for name, values in zip("ab", sets)]
    content = rig.config(rig.shell(script), configs=configs)
    plan = place.run("plan", place.write("plan.json", content)).exits(0, "2 runs")
    need("SKIPPED" not in plan.out, plan)
    rig.same_tree(root, before)
    result = place.measure(content, "--strict").exits(0)
    rig.same_tree(root, before)
    place.run("restore").exits(0, "nothing to do")
    records = {record["config"]: record for record in place.records()}
    equal(sorted(records), ["a", "b"], result)
    for name, expected in zip("ab", shown):
        equal(records[name]["status"], "ok", records[name])
        for knob, value in expected.items():
            if value is not None:
                equal(records[name]["settings"].get(knob), value, name, knob)
    return records


def active_policies(root):
    """Policies with a CPU that is online."""
    folder = os.path.join(root, "sys/devices/system/cpu/cpufreq")
    found = set()
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        if name.startswith("policy"):
            with open(os.path.join(folder, name, "affected_cpus"), encoding="ascii") as file:
                found |= {name} if file.read().strip() else set()
    return found


def check_written(place, root, record):
    """Every active policy was written, an inactive one never."""
    with open(place.path("results/raw", record["id"] + ".out"), encoding="utf-8") as file:
        equal(set(POLICY.findall(file.read())), active_policies(root))


def on_machine(tree):
    def test(place):
        root = place.fake(tree)
        names = check_presence(place, tree, findings(place, tree, ()))
        record = session(place, tree, root, names)["a"]
        if "governor" in names:
            check_written(place, root, record)
    return test


def on_read_only_machine(tree):
    def test(place):
        root = place.fake(tree)
        before = read_only(root)
        settings = findings(place, tree, before)
        check_presence(place, tree, settings)
        need("read-only" in settings["governor"]["hint"], settings["governor"])
        configs = [{"name": "as it is", "set": {}}, {"name": "fast", "set": {"governor": "performance"}}]
        tree_before = rig.tree_of(root)
        result = place.measure(rig.config(rig.shell("echo rate: 1"), configs=configs), before=before)
        result.exits(3, "governor", "Read-only file system")
        equal([record["config"] for record in place.records()], ["as it is"], result)
        rig.same_tree(root, tree_before)
    return test


def test_every_tree_has_its_line(place):
    """And every line a tree: nothing is left out unseen."""
    trees = os.path.join(place.source, "tests/sysroot/trees")
    found = {name[:-5] for name in os.listdir(trees) if name.endswith(".tree") and not name.startswith("cgroup-")}
    equal(found, set(machines.MACHINES))
    for name, where in machines.KNOBS.items():
        need(where <= found, name, where - found)


for name in machines.MACHINES:
    globals()["test_" + name] = (on_read_only_machine if name in machines.READ_ONLY else on_machine)(name)

if __name__ == "__main__":
    rig.main(globals())
