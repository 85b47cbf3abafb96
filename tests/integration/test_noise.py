#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Who else is at work: before a session, around its runs, and in doctor; mostly on fake machines."""
import json
import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
import rig  # noqa: E402
from rig import need  # noqa: E402

GOVERNOR = "sys/devices/system/cpu/cpufreq/policy1/scaling_governor"
DRAW_NO_LINE = {"load": False, "process": False, "steal": False}


def stat_line(pid, name, ticks):
    return f"{pid} ({name}) S 1 1 1 0 -1 4194560 0 0 0 0 {ticks} 0 0 0 20 0 1 0 50 0 0\n"


class Machine:
    """A fake machine with CPU counters, one process that is not perfwatt's, and no daemons."""

    def __init__(self, place, tree="acpi-cpufreq-boost"):
        self.root = place.fake(tree)
        self.put("proc/stat", "cpu  100 0 100 10000 0 0 0 0 0 0\n")
        self.process(5, "rsync", 10)

    def put(self, name, text):
        """As a whole, so that nobody reads half of it."""
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(os.path.join(self.root, "new"), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(os.path.join(self.root, "new"), 0o666)
        os.replace(os.path.join(self.root, "new"), path)

    def process(self, pid, name, ticks, cmdline=""):
        self.put(f"proc/{pid}/stat", stat_line(pid, name, ticks))
        self.put(f"proc/{pid}/comm", name[:15] + "\n")
        self.put(f"proc/{pid}/cmdline", cmdline)

    def disturb(self):
        """A line of shell that makes the machine look busy with others' work, once."""
        flag = os.path.join(self.root, "disturbed")
        stat, process = (os.path.join(self.root, name) for name in ("proc/stat", "proc/5/stat"))
        os.chmod(self.root, 0o777)
        return (f"[ -e {flag} ] || {{ : >{flag}; echo 'cpu  5100 0 100 14700 0 0 0 300 0 0' >{stat}; "
                f"echo '{stat_line(5, 'rsync', 5010).strip()}' >{process}; }}; echo rate: 1")


def session_of(place, folder="results"):
    with open(place.path(folder, "session.json"), encoding="utf-8") as file:
        return json.load(file)


def warnings_of(record):
    return [text for text in record.get("warnings", []) if text.startswith("noise: ")]


def test_daemons_are_named(place):
    machine = Machine(place)
    machine.process(812, "python3", 3, "/usr/bin/python3\0-Es\0/usr/sbin/tuned\0-l\0")
    machine.process(813, "power-profiles-daemon", 3, "/usr/libexec/power-profiles-daemon\0")
    machine.process(814, "irqbalance", 3, "/usr/sbin/irqbalance\0")
    machine.put("run/tlp/last_pwr", "0\n")
    before = rig.tree_of(machine.root)
    result = place.measure(rig.config(rig.shell("echo rate: 1"))).exits(
        0, "tuned (pid 812) may change governor, EPP", '"services": { "tuned": "stop" }',
        "power-profiles-daemon (pid 813) may change", "TLP may change", "TLP_ENABLE=0")
    need("irqbalance" not in result.err, result)
    found = session_of(place)["noise"]["daemons"]
    rig.equal([daemon["name"] for daemon in found], ["power-profiles-daemon", "tuned", "TLP", "irqbalance"])
    rig.equal([daemon.get("pid") for daemon in found], [813, 812, None, 814])
    rig.equal(found[1]["service"], "tuned")
    rig.same_tree(machine.root, before)
    lines = place.run("doctor", "--json").exits(0).json()["findings"]
    lines = {line["name"]: line for line in lines if line["area"] == "noise"}
    rig.equal({name: lines[name]["state"] for name in ("tuned", "power-profiles-daemon", "TLP", "irqbalance")},
              {"tuned": "warn", "power-profiles-daemon": "warn", "TLP": "warn", "irqbalance": "warn"})
    need("services" in lines["tuned"]["hint"] and "daemons" not in lines, lines)
    place.run("doctor").exits(0, "noise\n", "tuned (pid 812) may change governor", "hint: stop it with")


def test_a_busy_run_is_warned_of(place):
    machine = Machine(place)
    place.measure(rig.config(rig.shell(machine.disturb()), blocks=2)).exits(0, "warning: noise: others used")
    bad, good = place.records()
    rig.equal([bad["status"], good["status"]], ["ok", "ok"])
    rig.equal([bad["noise"]["others_pct"], bad["noise"]["steal_pct"]], [50.0, 3.0], bad)
    rig.equal([bad["noise"]["heaviest"]["name"], bad["noise"]["heaviest"]["pid"]], ["rsync", 5])
    need(bad["noise"]["heaviest"]["cpu_pct"] > 100, bad)
    rig.equal([text.split(" ")[1] for text in warnings_of(bad)], ["others", "rsync", "the"], bad)
    rig.equal(warnings_of(good), [])
    need("heaviest" not in good.get("noise", {}), good)


def test_a_busy_run_is_refused_and_repeated(place):
    machine = Machine(place)
    limits = {"action": "refuse", "process": False, "steal": False}
    content = rig.config(rig.shell(machine.disturb()), noise=limits)
    place.measure(content).exits(0, "invalidated: noise: others used 50.0 %")
    rig.equal([record["status"] for record in place.records()], ["invalidated", "ok"])
    need(place.records()[0]["reason"].startswith("noise: others used"), place.records()[0])
    content["repeat"]["retry"] = 0
    os.remove(os.path.join(machine.root, "disturbed"))
    machine.put("proc/stat", "cpu  100 0 100 10000 0 0 0 0 0 0\n")
    place.measure(content, folder="again").exits(3, "no valid run")


def test_each_limit_alone(place):
    for number, (limits, words) in enumerate((({}, ["others", "rsync", "the"]), ({"load": "60%"}, ["rsync", "the"]),
                                              ({"process": "1000000%"}, ["others", "the"]),
                                              ({"steal": "4%"}, ["others", "rsync"]), (DRAW_NO_LINE, []))):
        machine = Machine(place, "vm-empty")
        place.measure(rig.config(rig.shell(machine.disturb()), noise=limits), folder=f"r{number}").exits(0)
        record, = place.records(f"r{number}")
        rig.equal([text.split(" ")[1] for text in warnings_of(record)], words, limits)
        os.remove(os.path.join(machine.root, "disturbed"))


class Busy(threading.Thread):
    """Lets the counters of a fake machine grow until it is told to stop."""

    def __init__(self, machine):
        super().__init__()
        self.machine, self.go_on, self.round = machine, True, 0

    def run(self):
        while self.go_on:
            self.round += 1
            self.machine.put("proc/stat", f"cpu  {100 * self.round} 0 0 {100 * self.round} 0 0 0 0 0 0\n")
            self.machine.process(5, "a b) S 9 (c", 100 * self.round)
            time.sleep(0.002)

    def __enter__(self):
        self.start()
        rig.wait_until(lambda: self.round > 1, "a first round")
        return self

    def __exit__(self, *_):
        self.go_on = False
        self.join()


def test_a_session_on_a_busy_machine(place):
    machine = Machine(place)
    content = rig.config(rig.shell("echo rate: 1"), noise={"action": "refuse", "process": False})
    with Busy(machine):
        place.measure(content).exits(2, "the machine is not quiet", "noise: others used", "hint: ")
        need(not os.path.exists(place.path("results")), "nothing was begun")
        content["noise"]["action"] = "warn"
        place.measure(content, folder="warned").exits(0, "perfwatt: noise: others used")
    noise = session_of(place, "warned")["noise"]
    need(noise["others_pct"] > 5 and noise["processes"][0]["name"] == "a b) S 9 (c", noise)
    place.run("restore").exits(0, "nothing to do")


def test_a_changed_setting_names_who_writes_it(place):
    machine = Machine(place)
    machine.process(812, "tuned", 3, "python3\0/usr/sbin/tuned\0")
    machine.process(813, "thermald", 3, "/usr/sbin/thermald\0")
    governor = os.path.join(machine.root, GOVERNOR)
    os.chmod(governor, 0o666)
    script = f"echo powersave >{governor}; echo rate: 1"
    place.measure(rig.config(rig.shell(script), repeat={"retry": 0})).exits(3)
    record, = place.records()
    rig.equal(record["status"], "invalidated")
    need("scaling_governor changed during the run" in record["reason"], record)
    need(record["reason"].endswith("; tuned (pid 812) is known to write it"), record)


def test_the_power_source_changes(place):
    machine = Machine(place)
    machine.put("sys/class/power_supply/AC/type", "Mains\n")
    machine.put("sys/class/power_supply/AC/online", "1\n")
    machine.put("sys/class/power_supply/BAT0/type", "Battery\n")
    machine.put("sys/class/power_supply/BAT0/status", "Full\n")
    status = os.path.join(machine.root, "sys/class/power_supply/BAT0/status")
    place.measure(rig.config(rig.shell(f"echo Discharging >{status}; echo rate: 1"), blocks=2)).exits(0)
    first, *others = place.records()
    rig.equal([first["status"], first["reason"]],
              ["invalidated", "the power source changed from mains to battery during the run"])
    rig.equal({(record["status"], record["noise"]["supply"]) for record in others}, {("ok", "battery")})
    rig.equal(session_of(place)["noise"]["machine"]["supply"], "mains")
    place.measure(rig.config(rig.shell("echo rate: 1")), folder="after").exits(0, "runs from its battery")
    place.run("doctor").exits(0, "hint: connect it to mains")


def test_nothing_to_read(place):
    """Without /proc/stat nothing is said to be quiet, and nothing fails; not even with refuse."""
    machine = Machine(place)
    os.remove(os.path.join(machine.root, "proc/stat"))
    place.measure(rig.config(rig.shell("echo rate: 1"), noise={"load": "0%", "action": "refuse"})).exits(0)
    rig.equal(session_of(place)["noise"]["unavailable"], "/proc/stat cannot be read")
    need("others_pct" not in session_of(place)["noise"], session_of(place)["noise"])
    need("others_pct" not in place.records()[0].get("noise", {}), place.records())
    rig.equal(place.records()[0]["status"], "ok")


def test_switched_off(place):
    machine = Machine(place)
    machine.process(812, "tuned", 3)
    result = place.measure(rig.config(rig.shell(machine.disturb()), noise=False)).exits(0)
    need("tuned" not in result.err, result)
    need("noise" not in session_of(place) and "noise" not in place.records()[0], place.records())


def test_hostile_names(place):
    machine = Machine(place)
    machine.put("proc/6/stat", "6 (\x1b[31m\u202eevil\n) S 1 1 1 0 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 3 0\n")
    machine.put("proc/7/stat", "7 (torn")
    machine.put("proc/8/stat", "")
    machine.put("proc/99999999999999/stat", stat_line(9, "x", 1))
    grown = "6 (\\033[31m\u202eevil\\n) S 1 1 1 0 -1 0 0 0 0 0 9001 0 0 0 20 0 1 0 3 0\\n"
    script = f"printf '{grown}' >{machine.root}/proc/6/stat; {machine.disturb()}"
    result = place.measure(rig.config(rig.shell(script))).exits(0, "evil")
    need("\x1b" not in result.err and "\u202e" not in result.err, repr(result.err))
    need("evil" in place.records()[0]["noise"]["heaviest"]["name"], place.records())


def test_on_this_machine(place):
    """A program that runs beside is seen; the workload itself never is."""
    if not os.path.exists("/proc/stat"):
        raise rig.Skip("no /proc/stat")
    spin = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done"
    content = rig.config(rig.shell(spin, metrics=()), blocks=2)
    place.measure(content).exits(0)
    cpus = os.cpu_count()
    for record in place.records():
        if "others_pct" not in record["noise"]:
            raise rig.Skip("the counters of /proc/stat do not advance here")
        tree = (record["usage"]["user_ns"] + record["usage"]["system_ns"]) / record["elapsed_ns"] / cpus * 100
        need(record["noise"]["others_pct"] <= 100 - tree + 10, tree, record["noise"])
    beside = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        place.measure(content, folder="beside").exits(0)
    finally:
        beside.kill()
        beside.wait()
    for record in place.records("beside"):
        need(record["noise"]["others_pct"] > 0 and record["noise"]["heaviest"]["cpu_pct"] > 0, record["noise"])


if __name__ == "__main__":
    rig.main(globals())
