#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every command's help, exit codes, JSON and answers to slips."""
import json
import os
import re
import shutil
import subprocess

import rig
from rig import need

COMMANDS = ("run", "compare", "report", "plan", "doctor", "list", "show", "restore")
TWO = [{"name": "one", "set": {}}, {"name": "two", "set": {}}]
# Verbs of the program as it is meant to become; none may be mentioned before it is there.
LATER = ("stat", "gate", "calibrate", "status", "apply", "init", "import", "export", "merge", "fleet", "history")


def test_help(place):
    """On every level: exit 0, on stdout, nothing on stderr; each option that it names is taken."""
    top = place.run("--help").exits(0, "Usage: perfwatt")
    rig.equal(top.err, "")
    named = re.findall(r"^  ([a-z]+)  +\S", top.out, re.MULTILINE)
    rig.equal(sorted(named), sorted(COMMANDS))
    for command in COMMANDS:
        result = place.run(command, "--help").exits(0, f"Usage: perfwatt {command}", "--help")
        rig.equal(result.err, "")
        need(all(len(line) <= 110 for line in result.out.split("\n")), result)
        for option, argument in re.findall(r"--([a-z-]+)( [A-Z]\S*)?  ", result.out):
            if option == "help":
                continue
            given = [f"--{option}=x"] if argument else [f"--{option}"]
            rig.equal(place.run(command, *given, "--help").exits(0).out, result.out, option)
    for words in (["help"], ["-h"]):
        rig.equal(place.run(*words).exits(0).out, top.out)
    place.run("--version").exits(0, "perfwatt ")


def test_nothing_unbuilt_is_mentioned(place):
    texts = [place.run("--help").out] + [place.run(command, "--help").out for command in COMMANDS]
    for text in texts:
        for word in LATER:
            need(not re.search(rf"perfwatt {word}\b|^  {word} ", text, re.MULTILINE), word, text)
        need(not re.search(r"--(budget|extend|shard|host|yes-reboot|format|style|energy|redact|plots|bisect)\b", text), text)
    for word in LATER:
        place.run(word).exits(2, f"unknown command '{word}'")
    for kind in ("workloads", "collectors", "knobs"):
        names = [item["name"] for item in place.run("list", kind, "--json").exits(0).json()]
        for name in names:  # what is listed can be named in a config
            if kind == "workloads" and name != "exec":
                content = rig.config({"workload": name, "time": "2s"})
                place.run("plan", place.write("plan.json", content)).exits(0, name)


def test_unknown_words(place):
    for words, answer in ((["rum"], '"run"'), (["reprot"], '"report"'), (["run", "--blokcs", "1"], '"--blocks"'),
                          (["report", "--basline=x"], '"--baseline"'), (["list", "workload"], "workloads"),
                          (["compare", "--set", "governer=a,b", "--", "true"], '"governor"'), (["xyzzy"], "--help")):
        result = place.run(*words).exits(2, answer)
        rig.equal(result.out, "")


def test_wrong_usage(place):
    place.fake("vm-empty")
    for words in ([], ["report"], ["show"], ["list"], ["list", "knobs", "more"], ["plan", "a", "b"], ["run", "a", "b"],
                  ["run", "--blocks"], ["doctor", "word"], ["doctor", "--require", "coffee"], ["compare", "--", "true"],
                  ["compare", "--set", "boost=0,1"], ["compare", "--set", "boost", "--", "true"], ["run", "--json"],
                  ["compare", "--set", "boost=", "--", "true"], ["compare", "--set", "=1", "--", "true"],
                  ["compare", "--set", "boost=0", "--set", "boost=1", "--", "true"], ["--no-such"], ["show", "a", "b", "c"]):
        result = place.run(*words).exits(2)
        rig.equal(result.out, "", words)
        need(result.err, words)


def test_list(place):
    for kind, expected in (("workloads", {"exec", "tbench", "dbench", "idle"}), ("collectors", {"energy-perf", "energy-powercap"}),
                           ("knobs", {"governor", "epp", "boost", "max-freq", "min-freq", "driver-mode", "affinity"}),
                           ("configs", {"quick"})):
        items = place.run("list", kind, "--json").exits(0).json()
        need(expected <= {item["name"] for item in items}, kind, items)
        need(all(item["summary"] for item in items), items)
        text = place.run("list", kind).exits(0).out
        rig.equal([line.split()[0] for line in text.split("\n") if line and not line.startswith(" ")],
                  [item["name"] for item in items])
    knobs = place.run("list", "knobs", "--json").json()
    need(all(item["here"] or item["why"] for item in knobs), knobs)
    exec_options = [item for item in place.run("list", "workloads", "--json").json() if item["name"] == "exec"][0]["options"]
    need({"command", "metrics", "sweep"} <= {option["name"] for option in exec_options}, exec_options)


def test_doctor(place):
    place.fake("acpi-cpufreq-boost")
    found = place.run("doctor", "--json").exits(0).json()
    need(found["comparison"] is True and found["energy"] is False and found["frequency"] is False, found)
    rig.equal(found["machine"]["driver"], "acpi-cpufreq")
    by_name = {finding["name"]: finding for finding in found["findings"]}
    rig.equal((by_name["governor"]["state"], by_name["governor"]["value"]), ("ok", "ondemand"))
    need(by_name["epp"]["state"] == "absent" and by_name["epp"]["why"], by_name["epp"])
    need("modprobe" in by_name["energy-powercap"]["hint"], by_name["energy-powercap"])
    text = place.run("doctor").exits(0, "AMD Ryzen", "acpi-cpufreq", "energy cannot be measured").out
    for finding in found["findings"]:
        need(finding["name"] in text, finding)
    place.run("doctor", "--require", "energy").exits(3)
    place.run("doctor", "--require", "frequency").exits(3)
    place.fake("intel-hwp-active", "intel")
    intel = place.run("doctor", "--json").exits(0).json()
    rig.equal({finding["name"]: finding.get("value") for finding in intel["findings"]}["epp"], "balance_performance")
    place.run("doctor", "--root", place.path("none")).exits(2, "none")


def test_doctor_with_energy(place):
    root = place.fake("vm-empty")
    zone = os.path.join(root, "sys/class/powercap/intel-rapl:0")
    for name, content in (("name", "package-0"), ("energy_uj", "123456789"), ("max_energy_range_uj", "262143328850")):
        place.write(os.path.join(os.path.relpath(zone, place.top), name), content + "\n")
    found = place.run("doctor", "--require", "energy", "--json").exits(0).json()
    need(found["energy"] is True, found)


def test_show(place):
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell("echo rate: {n}", sweep={"n": [1, 2]}), configs=TWO)).exits(0)
    folder = place.path("results")
    shown = place.run("show", folder, "--json").exits(0).json()
    rig.equal(sorted(shown), ["runs", "session"])
    rig.equal(shown["runs"], place.records())
    with open(place.path("results/session.json"), encoding="utf-8") as file:
        rig.equal(shown["session"], json.load(file))
    rig.equal([line.split()[0] for line in place.run("show", folder).exits(0).out.split("\n")[:-1]],
              ["r0001", "r0002", "r0003", "r0004"])
    rig.equal(json.loads(place.run("show", folder, "r0003").exits(0).out), place.records()[2])
    one = place.run("show", folder, "r0003", "--json").exits(0).json()
    rig.equal(one["runs"], [place.records()[2]])
    place.run("show", folder, "r9999").exits(2, "r9999")
    place.run("show", place.path("none")).exits(2, "none")
    os.truncate(place.path("results/runs.jsonl"), 0)
    place.run("show", folder).exits(0, "no run")
    rig.equal(place.run("show", folder, "--json").exits(0).json()["runs"], [])


def test_report(place):
    place.fake("vm-empty")
    place.run("report", place.path("none")).exits(2, "none")
    place.run("report", place.top).exits(2, "no results folder")
    place.measure(rig.config(rig.shell("echo rate: 2"), configs=TWO)).exits(0)
    place.measure(rig.config(rig.shell("echo rate: 4"), configs=TWO), folder="more").exits(0)
    first = place.run("report", place.path("results")).exits(0)
    rig.equal(first.err, "")
    need("one (BASELINE)" in first.out, first)
    need("two (BASELINE)" in place.run("report", place.path("results"), "--baseline", "two").exits(0).out)
    place.run("report", place.path("results"), "--baseline", "tow").exits(2, "tow", "two")
    both = place.run("report", place.path("results"), place.path("more")).exits(0)
    need(first.out.split("\n")[2] in both.out and "more, started" in both.out, both)
    place.run("report", place.path("results"), place.path("none")).exits(2, "none")


def test_stdout_that_cannot_be_written(place):
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell("echo rate: 2"))).exits(0)
    for words in (["report", place.path("results")], ["show", place.path("results"), "--json"], ["--help"], ["list", "knobs"],
                  ["doctor"], ["plan"], ["run", "--help"]):
        with open("/dev/full", "wb") as full:
            result = place.run(*words, stdout=full)
        need(result.code not in (0, None) and result.code > 0, words, result)
        need("output" in result.err, words, result)
        closed = place.run(*words, before=["sh", "-c", 'exec "$@" >&-', "sh"])
        need(closed.code > 0, words, closed)
    # A reader that goes away (report | head -1) is no crash either.
    first = subprocess.run(["sh", "-c", '"$@" | true; echo end', "sh", place.perfwatt, "report", place.path("results")],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    rig.equal(first.stdout, b"end\n")
    need(b"Sanitizer" not in first.stderr, first.stderr)


def test_compare(place):
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    words = ["compare", "--set", "governor=ondemand,performance", "--set", "boost=0,1", "--blocks", "2"]
    printed = place.run(*words, "--regex", "rate: ([0-9.]+)", "--unit", "ops/s", "--print-config", "--", "sh", "-c",
                        "echo rate: 3").exits(0)
    rig.equal(printed.err, "")
    config = printed.json()
    rig.equal(config["matrix"], {"governor": ["ondemand", "performance"], "boost": [0, 1]})
    rig.equal(config["workloads"][0]["command"], ["sh", "-c", "echo rate: 3"])
    place.run("plan", place.write("compare.json", printed.out)).exits(0, "8 runs (2 blocks)", "(baseline)")
    place.run(*words, "--dry-run", "--", "true").exits(0, "8 runs")
    rig.same_tree(root, before)
    result = place.run("compare", "--set", "governor=ondemand,performance", "--blocks", "1", "-o", place.path("results"),
                       "--", "sh", "-c", "exit 0")
    need("elapsed" in result.out or "s (lower is better)" in result.out, result)
    rig.equal(result.code, 0, result)
    rig.equal([record["metrics"][0]["name"] for record in place.records()], ["elapsed", "elapsed"])
    rig.equal({record["kind"] for record in place.records()}, {"fixed-work"})
    rig.same_tree(root, before)


def test_compare_with_options_of_the_command(place):
    place.fake("acpi-cpufreq-boost")
    printed = place.run("compare", "--set", "boost=0,1", "--print-config", "--", "ls", "--blocks", "-o", "x").exits(0).json()
    rig.equal(printed["workloads"][0]["command"], ["ls", "--blocks", "-o", "x"])
    place.run("compare", "--set", "governor=nonsense!,performance", "--strict", "--", "true").exits(2)
    place.run("compare", "--set", "boost=0,1", "--", "no-such-program").exits(2, "no-such-program", "hint:")


def test_quick_comparison(place):
    """The built-in config on two CPUs promises less than three minutes, and changes nothing unasked."""
    before = ["taskset", "-c", "0,1"] if shutil.which("taskset") and os.sched_getaffinity(0) >= {0, 1} else []
    for tree in ("vm-empty", "acpi-cpufreq-boost", None):
        if tree:
            place.fake(tree, tree)
        else:
            place.machine = None  # the machine itself: only planned
        text = place.run("plan", before=before).exits(0, "quick comparison", "present again").out
        minutes = re.search(r"runs \(\d+ blocks\), about (?:(\d+)m)?(\d+)s", text)
        need(minutes, text)
        need(int(minutes[1] or 0) * 60 + int(minutes[2]) < 180, minutes[0])
    root = place.fake("acpi-cpufreq-boost", "asked")
    files = rig.tree_of(root)
    place.run("run", "-o", place.path("results")).exits(2, "--yes", "governor=")
    need(not os.path.exists(place.path("results")))
    rig.same_tree(root, files)


if __name__ == "__main__":
    rig.main(globals())
