#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The results folder: where it may be, what is in it, and going on with it."""
import json
import os
import shutil
import signal
import subprocess

import rig
from rig import need

TWO = [{"name": "one", "set": {}}, {"name": "two", "set": {}}]


def cells(records):
    return [(record["config"], record["name"], record["block"]) for record in records]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def test_a_folder_with_something_in_it(place):
    place.fake("vm-empty")
    place.write("results/precious", "mine\n")
    place.measure(rig.config(rig.shell("echo rate: 1"))).exits(2, "not empty", "results")
    rig.equal(os.listdir(place.path("results")), ["precious"])
    place.write("file", "mine\n")
    place.measure(rig.config(rig.shell("echo rate: 1")), folder="file").exits(2, "file")
    place.run("run", place.path("file.json"), "-o", place.path("file/below")).exits(2, "file")


def test_an_empty_folder_and_new_parents(place):
    place.fake("vm-empty")
    os.mkdir(place.path("results"))
    place.measure(rig.config(rig.shell("echo rate: 1"))).exits(0)
    content = place.write("config.json", rig.config(rig.shell("echo rate: 1")))
    place.run("run", content, "-o", place.path("deep/er/results")).exits(0)
    rig.equal(len(place.records("deep/er/results")), 1)


def test_an_unwritable_place(place):
    place.fake("vm-empty")
    for folder in ("/proc/perfwatt-results", "/dev/null/results"):
        config = place.write("config.json", rig.config(rig.shell("echo rate: 1")))
        place.run("run", config, "-o", folder).exits(2, folder)
    if os.geteuid() != 0:
        os.mkdir(place.path("closed"), 0o500)
        place.run("run", config, "-o", place.path("closed/results")).exits(2, "closed", "Permission denied")


def test_what_is_in_it(place):
    place.fake("acpi-cpufreq-boost")
    place.measure(rig.config(rig.shell("echo rate: 1; echo remark >&2"), configs=TWO)).exits(0)
    rig.equal(sorted(os.listdir(place.path("results"))),
              ["journal.jsonl", "raw", "runs.jsonl", "samples.jsonl", "session.json"])
    session = json.loads(read(place.path("results/session.json")))
    rig.equal((session["schema"], session["type"]), (1, "session"))
    rig.equal(session["config_text"], read(place.path("results.json")))
    need(isinstance(session["seed"], int), session)
    rig.equal(read(place.path("results/raw/r0001.out")), "rate: 1\n")
    rig.equal(read(place.path("results/raw/r0001.err")), "remark\n")
    for record in place.records():
        rig.equal((record["schema"], record["type"], record["status"], record["exit"]), (1, "run", "ok", 0))
        rig.equal(record["metrics"], [{"name": "rate", "unit": "ops/s", "better": "higher", "mean": "harmonic",
                                       "primary": True, "value": 1.0}])
        need(record["settings"]["governor"] == "ondemand" and record["usage"]["max_rss_kb"] > 0, record)
        need({missing["what"] for missing in record["unavailable"]}
             == {"energy", "frequency", "limited", "time_in_state"}, record)
        need(all(missing["why"] for missing in record["unavailable"]), record)
    rig.equal([record["id"] for record in place.records()], ["r0001", "r0002"])


def test_a_report_needs_nothing_but_the_folder(place):
    place.fake("acpi-cpufreq-boost")
    place.measure(rig.config(rig.shell("echo rate: 1"), configs=TWO, blocks=2)).exits(0)
    before = place.run("report", place.path("results")).exits(0).out
    shutil.rmtree(place.machine)
    os.remove(place.path("results.json"))
    os.makedirs(place.path("elsewhere"))
    os.rename(place.path("results"), place.path("elsewhere/results"))
    rig.equal(place.run("report", place.path("elsewhere/results")).exits(0).out, before)


def own_mounts():
    """Skips where there is no mount namespace to be had."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], stderr=subprocess.PIPE, check=False).returncode:
        raise rig.Skip("needs root and a mount namespace")


def test_a_full_disk(place):
    """A clear error, the settings back, exit 3, no crash; what was written is whole, and resumed it is complete."""
    own_mounts()
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    os.mkdir(place.path("small"))
    configs = [{"name": "as it is", "set": {}}, {"name": "fast", "set": {"governor": "performance"}}]
    content = rig.config(rig.shell("head -c 6000 /dev/zero | tr '\\0' x; echo; echo rate: 1"), configs=configs,
                         blocks=4, repeat={"retry": 0})
    config = place.write("config.json", content)
    # The tmpfs goes with its namespace: what is on it is copied out first.
    script = 'mount -t tmpfs -o size=48k,mode=755 tmpfs "$0" && { "$@"; code=$?; cp -r "$0/results" "$0.copy"; exit $code; }'
    result = place.run("run", config, "-o", place.path("small/results"),
                       before=["unshare", "-m", "sh", "-c", script, place.path("small")])
    result.exits(3, "No space left on device", "could not be written")
    rig.same_tree(root, before)
    need(result.err.count("\n") < 60, result)
    os.rename(place.path("small.copy"), place.path("results"))
    first = cells(place.records())
    need(len(first) < 8 and read(place.path("results/runs.jsonl"))[-1:] in ("", "\n"), first)
    place.run("run", "--resume", place.path("results")).exits(0, "8 of 8")
    rig.equal(cells(place.records())[:len(first)], first)
    rig.equal(len({cell for cell in cells(place.records())}), 8)


def test_a_disk_that_is_full_from_the_start(place):
    own_mounts()
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    os.mkdir(place.path("small"))
    config = place.write("config.json", rig.config(rig.shell("echo rate: 1")))
    script = "mount -t tmpfs -o size=16k tmpfs $0 && head -c 20000 /dev/zero >$0/fill; exec \"$@\""
    result = place.run("run", config, "-o", place.path("small/results"),
                       before=["unshare", "-m", "sh", "-c", script, place.path("small")])
    result.exits(2, "No space left on device")
    rig.same_tree(root, before)


def interrupt(place, number, code):
    """A session that a signal ends in its third run; the machine is as before."""
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    configs = [{"name": "as it is", "set": {}}, {"name": "fast", "set": {"governor": "performance"}}]
    config = place.write("config.json", rig.config(rig.shell("sleep 0.3; echo rate: 1"), configs=configs, blocks=3))
    process = place.start("run", config, "-o", place.path("results"), "--seed", "7")
    rig.wait_until(lambda: len(place.records()) >= 2, "two runs finished")
    os.kill(process.pid, number)
    result = place.finish(process).exits(code, "interrupted", f"--resume {place.path('results')}")
    need(2 <= len(place.records()) < 6, place.records())
    rig.same_tree(root, before)
    place.check_nothing_left()
    return result


def resumed(place):
    """The rest is run and nothing twice."""
    first = cells(place.records())
    result = place.run("run", "--resume", place.path("results")).exits(0)
    found = cells(place.records())
    rig.equal(found[:len(first)], first)
    rig.equal(sorted(found), sorted((name, "work", block) for name in ("as it is", "fast") for block in (1, 2, 3)))
    ids = [record["id"] for record in place.records()]
    rig.equal(ids, [f"r{number:04}" for number in range(1, 7)])
    return result


def test_interrupted_by_sigint(place):
    interrupt(place, signal.SIGINT, 130)
    resumed(place)
    rig.equal(place.run("run", "--resume", place.path("results")).exits(0).out.count("6 of 6"), 1)
    rig.equal(len(place.records()), 6)


def test_interrupted_by_sigterm(place):
    interrupt(place, signal.SIGTERM, 143)
    resumed(place)


def test_interrupted_by_sighup(place):
    interrupt(place, signal.SIGHUP, 129)


def test_signal_while_it_settles(place):
    place.fake("vm-empty")
    config = rig.config(rig.shell("echo rate: 1"), repeat={"settle": "60s"})
    process = place.start("run", place.write("config.json", config), "-o", place.path("results"))
    rig.wait_until(lambda: os.path.exists(place.path("results/session.json")), "a session")
    os.kill(process.pid, signal.SIGINT)
    place.finish(process).exits(130)
    rig.equal(place.records(), [])


def test_resume_keeps_the_order(place):
    """Interrupted and resumed runs stand in the order of one that was never interrupted."""
    interrupt(place, signal.SIGINT, 130)
    resumed(place)
    place.run("run", place.path("config.json"), "-o", place.path("whole"), "--seed", "7").exits(0)
    rig.equal(cells(place.records()), cells(place.records("whole")))


def test_torn_last_line(place):
    """Tolerated by readers, cut by --resume, and its run repeated."""
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell("echo rate: 1"), blocks=3)).exits(0)
    path = place.path("results/runs.jsonl")
    lines = read(path).split("\n")
    for torn in (lines[2][:len(lines[2]) // 2], lines[2], '{"schema":1,"type":"ru\0'):
        place.write("results/runs.jsonl", "\n".join(lines[:2]) + "\n" + torn)
        size = os.path.getsize(path)
        place.run("report", place.path("results")).exits(0, "torn", "2 of 3")
        shown = place.run("show", place.path("results"), "--json").exits(0).json()
        rig.equal([run["id"] for run in shown["runs"]], ["r0001", "r0002"])
        rig.equal(os.path.getsize(path), size, "a reader writes nothing")
        place.run("run", "--resume", place.path("results")).exits(0, "torn", "3 of 3")
        rig.equal([record["block"] for record in place.records()], [1, 2, 3])


def test_broken_lines_are_refused(place):
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell("echo rate: 1"), blocks=3)).exits(0)
    lines = read(place.path("results/runs.jsonl")).split("\n")
    place.write("results/runs.jsonl", "\n".join([lines[0], lines[1][:50], lines[2], ""]))
    place.run("report", place.path("results")).exits(2, "runs.jsonl:2")
    place.write("results/runs.jsonl", "\n".join(lines).replace('"schema":1', '"schema":2'))
    place.run("report", place.path("results")).exits(2, "schema")
    place.run("run", "--resume", place.path("results")).exits(2, "schema")


def test_resume_wants_a_folder_of_its_own(place):
    place.fake("vm-empty")
    place.run("run", "--resume", place.path("none")).exits(2, "none")
    os.mkdir(place.path("empty"))
    place.run("run", "--resume", place.path("empty")).exits(2, "no results folder")
    place.measure(rig.config(rig.shell("echo rate: 1"))).exits(0)
    place.run("run", place.path("results.json"), "--resume", place.path("results")).exits(2, "leave")
    for option in ("--seed=1", "--blocks=2", "--only=config=one", "--user=nobody", "--output=x"):
        place.run("run", "--resume", place.path("results"), option).exits(2, "--resume", option.split("=")[0])


def test_seed(place):
    place.fake("vm-empty")
    configs = [{"name": name, "set": {}} for name in "abcd"]
    content = rig.config(rig.shell("echo rate: 1"), configs=configs, blocks=3)
    config = place.write("config.json", content)
    for folder, seed in (("one", "11"), ("again", "11"), ("other", "12")):
        place.run("run", config, "-o", place.path(folder), "--seed", seed).exits(0)
        rig.equal(json.loads(read(place.path(folder, "session.json")))["seed"], int(seed))
    rig.equal(cells(place.records("one")), cells(place.records("again")))
    need(cells(place.records("one")) != cells(place.records("other")))
    planned = [line.split("'")[1] for line in place.run("plan", config, "--seed", "11").exits(0).out.split("\n")
               if "  block " in line]
    rig.equal(planned, [record["config"] for record in place.records("one")])
    rig.equal([record["position"] for record in place.records("one")], [1, 2, 3, 4] * 3)
    for bad in ("-1", "x", "1.5", "99999999999999999999", ""):
        place.run("run", config, "--seed", bad, "-o", place.path("bad")).exits(2, "--seed")


def test_only(place):
    place.fake("vm-empty")
    content = rig.config(rig.shell("echo rate: {n}", name="first", sweep={"n": [1, 2]}),
                         rig.shell("echo rate: 9", name="second"), configs=TWO)
    config = place.write("config.json", content)

    def chosen(folder, *only):
        arguments = [word for key in only for word in ("--only", key)]
        place.run("run", config, "-o", place.path(folder), *arguments).exits(0)
        return sorted((record["config"], record["name"], record["point"].get("n")) for record in place.records(folder))

    rig.equal(chosen("a", "config=one"), [("one", "first", 1), ("one", "first", 2), ("one", "second", None)])
    rig.equal(chosen("b", "name=first", "n=2"), [("one", "first", 2), ("two", "first", 2)])
    rig.equal(chosen("c", "config=two", "n=1", "n=2"), [("two", "first", 1), ("two", "first", 2)])
    for only, word in (("config=three", "no run"), ("config", "KEY=VALUE"), ("nonsense=1", "no run")):
        place.run("run", config, "-o", place.path("d"), "--only", only).exits(2, word)
    need(not os.path.exists(place.path("d")))


def test_blocks(place):
    place.fake("vm-empty")
    content = rig.config(rig.shell("echo rate: 1"), blocks=2)
    place.measure(content, "--blocks", "3").exits(0, "3 of 3")
    rig.equal([record["block"] for record in place.records()], [1, 2, 3])
    for bad in ("0", "-1", "x", "1001", "3 "):
        place.measure(content, "--blocks", bad, folder="bad").exits(2, "--blocks")


def test_resume_keeps_blocks_and_only(place):
    """--resume goes on with what was asked for, not with the config's number of blocks."""
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell("echo rate: 1"), configs=TWO, blocks=3), "--blocks", "2", "--only",
                  "config=one").exits(0)
    rig.equal(cells(place.records()), [("one", "work", 1), ("one", "work", 2)])
    place.run("run", "--resume", place.path("results")).exits(0)
    rig.equal(cells(place.records()), [("one", "work", 1), ("one", "work", 2)])


def everything(place):
    """Every path below the test's folder with its content; perfwatt's own lock aside."""
    found = {}
    for folder, names, files in os.walk(place.top):
        for name in files + names:
            path = os.path.join(folder, name)
            with_content = os.path.isfile(path)
            found[os.path.relpath(path, place.top)] = open(path, "rb").read() if with_content else None
    return found


def test_dry_run_changes_nothing(place):
    place.fake("acpi-cpufreq-boost")
    configs = [{"name": "as it is", "set": {}}, {"name": "fast", "set": {"governor": "performance", "boost": "off"}}]
    config = place.write("config.json", rig.config(rig.shell("echo rate: 1; touch ran"), configs=configs, blocks=2))
    before = everything(place)
    result = place.run("run", config, "-o", place.path("results"), "--dry-run").exits(0, "4 runs", "echo rate: 1")
    need("governor=performance" in result.out and "boost=off" in result.out, result)
    place.run("run", config, "--dry-run").exits(0)
    place.run("run", "--dry-run").exits(0)
    place.run("plan", config).exits(0)
    place.run("doctor").exits(0)
    rig.equal({name for name in everything(place)} ^ set(before), set())
    rig.equal(everything(place), before)


def test_two_at_once(place):
    """The second exits 2, names the first, and has changed nothing."""
    place.fake("acpi-cpufreq-boost")
    config = place.write("config.json", rig.config(rig.shell("sleep 60; echo rate: 1")))
    first = place.start("run", config, "-o", place.path("results"))
    rig.wait_until(lambda: any(name == "sleep" for _, name in place.processes()), "the first session's workload")
    before = everything(place)
    result = place.run("run", config, "-o", place.path("second")).exits(2, "another perfwatt")
    need(str(first.pid) in result.err and place.path("results") in result.err, result)
    place.run("restore").exits(2, str(first.pid))
    rig.equal(everything(place), before)
    os.kill(first.pid, signal.SIGINT)
    place.finish(first).exits(130)


def test_closed_streams(place):
    """No message goes into a file that got the number of a stream that was closed."""
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    configs = [{"name": "as it is", "set": {}}, {"name": "fast", "set": {"governor": "performance"}}]
    config = place.write("config.json", rig.config(rig.shell("echo rate: 1"), configs=configs))
    for number, (closed, code) in enumerate(((">&-", 2), ("2>&-", 0), ("<&-", 0), (">&- 2>&- <&-", 2))):
        folder = f"results{number}"
        place.run("run", config, "-o", place.path(folder), before=["sh", "-c", f'exec "$@" {closed}', "sh"]).exits(code)
        rig.equal(len(place.records(folder)), 2)
        for name in ("runs.jsonl", "journal.jsonl", "samples.jsonl"):
            for line in read(place.path(folder, name)).split("\n")[:-1]:
                json.loads(line)
        json.loads(read(place.path(folder, "session.json")))
        rig.same_tree(root, before)


def test_progress(place):
    place.fake("vm-empty")
    content = rig.config(rig.shell("echo rate: 1"), blocks=2)
    result = place.measure(content, "--progress", "json", folder="json").exits(0)
    events = [json.loads(line) for line in result.err.strip().split("\n")]
    rig.equal([event["event"] for event in events], ["step", "record"] * 2)
    rig.equal(events[-1]["record"], place.records("json")[-1])
    rig.equal((events[-1]["done"], events[-1]["total"]), (2, 2))
    rig.equal(place.measure(content, "--progress", "none", folder="none").exits(0).err, "")
    plain = place.measure(content, "--progress", "plain", folder="plain").exits(0).err
    need(plain.count("\n") == 2 and "\r" not in plain and "\x1b" not in plain, repr(plain))
    place.measure(content, "--progress", "loud", folder="loud").exits(2, "--progress", "loud")


if __name__ == "__main__":
    rig.main(globals())
