#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs as settings (apply, undo, verify, with) and services, in whole sessions on fake machines.

Everything that happens is written, a word a line, into one log: by the programs, by stubs of the
init's tools, and by the workload.
"""
import json
import os
import pwd
import shutil
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
import rig  # noqa: E402
from rig import equal, need  # noqa: E402

TREE = "acpi-cpufreq-boost"
GOVERNOR = "sys/devices/system/cpu/cpufreq/policy0/scaling_governor"

# State of a unit in units/NAME: one word, and for systemd a second line "fails" if stop is to fail.
SYSTEMCTL = r"""#!/bin/sh
top=$CLI_TEST_FOLDER
verb=$1
for unit; do :; done
file=$top/units/$unit
case $verb in
show)
	if [ -e "$file" ]; then
		printf 'LoadState=loaded\nActiveState=%s\n' "$(head -n 1 "$file")"
	else
		printf 'LoadState=not-found\nActiveState=inactive\n'
	fi ;;
stop|start)
	echo "$verb $unit" >>"$top/log"
	if grep -q "$verb-fails" "$file"; then echo "Job for $unit failed."; exit 1; fi
	if [ "$verb" = stop ]; then word=inactive; else word=active; fi
	printf '%s\n%s\n' "$word" "$(tail -n +2 "$file")" >"$file" ;;
esac
"""

# rc-service [--exists] NAME [VERB], service NAME VERB: "started" or "stopped" in units/NAME.
CLASSIC = r"""#!/bin/sh
top=$CLI_TEST_FOLDER
if [ "$1" = --exists ]; then test -e "$top/units/$2"; exit; fi
file=$top/units/$1
case $2 in
status) case $(head -n 1 "$file") in started) exit 0 ;; stopped) exit 3 ;; *) exit 32 ;; esac ;;
stop) echo "stop $1" >>"$top/log"; echo stopped >"$file" ;;
start) echo "start $1" >>"$top/log"; echo started >"$file" ;;
esac
"""


def note(word):
    """A shell command that adds a line to the log."""
    return f'echo "{word}" >>"$CLI_TEST_FOLDER/log"'


def sh(script):
    return ["sh", "-c", script]


def program(word):
    return sh(note(word))


# A program beside that says when it is asked to end.
BESIDE = f"trap '{note('beside ends')}; exit 0' TERM; {note('beside begins')}; while :; do sleep 0.02; done"


class Machine:
    """A fake machine with a log, and a folder that any user may write to."""

    def __init__(self, place):
        self.place = place
        self.root = place.fake(TREE)
        self.before = rig.tree_of(self.root)
        for folder in ("flags", "units", "bin"):
            os.makedirs(place.path(folder))
        os.chmod(place.path("flags"), 0o777)
        place.write("log", "")
        os.chmod(place.path("log"), 0o666)

    def log(self):
        with open(self.place.path("log"), encoding="utf-8") as file:
            return file.read().splitlines()

    def script(self, name, text):
        path = self.place.write(name, text)
        os.chmod(path, 0o755)
        return path

    def environment(self, **more):
        return {"PATH": self.place.path("bin") + ":" + os.environ["PATH"], **more}

    def measure(self, content, *arguments, **environment):
        return self.place.measure(content, "--seed", "3", *arguments, env=self.environment(**environment))

    def start(self, content, *arguments, **environment):
        name = self.place.write("results.json", content)
        return self.place.start("run", name, "-o", self.place.path("results"), "--seed", "3", *arguments,
                                env=self.environment(**environment))

    def run(self, *arguments, **environment):
        return self.place.run(*arguments, env=self.environment(**environment))

    def wait_for(self, line, count=1):
        rig.wait_until(lambda: self.log().count(line) >= count, lambda: f"'{line}' in {self.log()}")

    def is_back(self):
        rig.same_tree(self.root, self.before)

    def systemd(self, **units):
        os.makedirs(os.path.join(self.root, "run/systemd/system"))
        self.script("bin/systemctl", SYSTEMCTL)
        for name, state in units.items():
            self.place.write("units/" + name, state + "\n")

    def unit(self, name):
        with open(self.place.path("units", name), encoding="utf-8") as file:
            return file.readline().strip()

    def journal(self):
        with open(self.place.path("results/journal.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]


def work(script="true", **more):
    return rig.shell(f"{note('run $PERFWATT_CONFIG')}; {script}; echo rate: 1", **more)


def tuned(**more):
    """A configuration with all four programs."""
    return {"name": "tuned", "set": {"governor": "performance"}, "apply": program("apply $PERFWATT_CONFIG $COLOUR"),
            "undo": program("undo $PERFWATT_CONFIG $COLOUR"), "verify": program("verify"), "with": sh(BESIDE),
            "env": {"COLOUR": "green"}, **more}


def statuses(place):
    return [(record["config"], record["status"]) for record in place.records()]


def fault_points(machine):
    """Is this a build with fault points?"""
    code = machine.place.measure(rig.config(work()), folder="probe", env=machine.environment(PERFWATT_FAULT="journal:1")).code
    machine.place.write("log", "")
    os.chmod(machine.place.path("log"), 0o666)
    return code == -signal.SIGKILL


def need_fault_points(machine):
    if not fault_points(machine):
        raise rig.Skip("this build has no fault points (PW_FAULTS)")


def test_order(place):
    machine = Machine(place)
    machine.systemd(one="active", two="inactive")
    configs = [{"name": "plain", "set": {}}, tuned()]
    content = rig.config(work(f"cat {machine.root}/{GOVERNOR}"), configs=configs, services={"one": "stop", "two": "stop"})
    machine.measure(content).exits(0)
    mine = ["apply tuned green", "verify", "beside begins", "run tuned", "verify"]
    leave = ["beside ends", "undo tuned green"]
    plain = ["run plain"]
    both = [mine + leave + plain, plain + mine + leave]
    need(machine.log() in [["stop one"] + order + ["start one"] for order in both], machine.log())
    machine.is_back()
    equal([machine.unit(name) for name in ("one", "two")], ["active", "inactive"])
    settings = {record["config"]: record["settings"] for record in place.records()}
    equal([settings["tuned"][key] for key in ("governor", "apply", "with")], ["performance", configs[1]["apply"], sh(BESIDE)])
    need("apply" not in settings["plain"] and "with" not in settings["plain"], settings)
    machine.run("restore").exits(0, "nothing to do")
    machine.run("restore", place.path("results")).exits(0, "put back already")


def test_journal(place):
    """Each line is there before what it tells of happens; the undo can be run from it alone."""
    machine = Machine(place)
    machine.systemd(one="active")
    look = 'tail -n 1 "$CLI_TEST_FOLDER/results/journal.jsonl" >>"$CLI_TEST_FOLDER/log"'
    content = rig.config(work(), configs=[tuned(apply=sh(look), verify=program("verify"))], services={"one": "stop"})
    machine.measure(content).exits(0)
    lines = [line for line in machine.journal() if line["type"] not in ("saved", "folder", "release")]
    equal([line["type"] for line in lines], ["begin", "service", "undo", "undone", "started", "restored"])
    equal(lines[1], {"type": "service", "name": "one", "init": "systemd"})
    equal(json.loads(machine.log()[1]), lines[2])
    equal(lines[2], {"type": "undo", "config": "tuned", "argv": tuned()["undo"], "program": shutil.which("sh"),
                     "directory": place.top, "env": ["COLOUR=green"]})
    equal(lines[3:5], [{"type": "undone", "config": "tuned"}, {"type": "started", "name": "one"}])


def test_plan(place):
    machine = Machine(place)
    machine.systemd(one="active", two="inactive")
    odd = {"name": "odd", "set": {}, "apply": ["sh", "-c", "a b", 'c"d'], "undo": ["true"]}
    content = rig.config(work(), configs=[{"name": "plain", "set": {}}, tuned(), odd], services={"one": "stop", "two": "stop"})
    words = ['apply   ["sh","-c","a b","c\\"d"]', 'undo    ["true"]', 'verify  ["sh",', 'with    ["sh",',
             "one: is stopped for the session", "two: is not active, left alone", "Services (systemd)"]
    machine.run("plan", place.write("config.json", content)).exits(0, *words)
    machine.measure(content, "--dry-run").exits(0, *words)
    equal(machine.log(), [])


def test_undo_after_interrupt(place):
    for number in (signal.SIGINT, signal.SIGTERM):
        machine = Machine(place)
        machine.systemd(one="active")
        process = machine.start(rig.config(work("sleep 60"), configs=[tuned()], services={"one": "stop"}))
        machine.wait_for("run tuned")
        process.send_signal(number)
        place.finish(process).exits(128 + number, "interrupted")
        equal(machine.log(), ["stop one", "apply tuned green", "verify", "beside begins", "run tuned", "beside ends",
                              "undo tuned green", "start one"])
        machine.is_back()
        place.check_nothing_left()
        for name in ("root", "results", "flags", "units", "bin"):
            shutil.rmtree(place.path(name))


def test_interrupt_during_apply(place):
    machine = Machine(place)
    slow = sh(note("apply") + "; sleep 60 & wait")
    process = machine.start(rig.config(work(), configs=[tuned(apply=slow)]))
    machine.wait_for("apply")
    process.send_signal(signal.SIGINT)
    place.finish(process).exits(130, "interrupted")
    equal(machine.log(), ["apply", "undo tuned green"])
    equal(place.records(), [])
    machine.is_back()


def test_kill_of_perfwatt(place):
    """The guard: first everything of the session ends, then the undo, files, services."""
    machine = Machine(place)
    machine.systemd(one="active")
    seen = sh(f'cat {machine.root}/{GOVERNOR} >>"$CLI_TEST_FOLDER/log"; echo >>"$CLI_TEST_FOLDER/log"; {note("undo $COLOUR")}')
    process = machine.start(rig.config(work("sleep 60"), configs=[tuned(undo=seen)], services={"one": "stop"}))
    machine.wait_for("run tuned")
    process.kill()
    equal(place.finish(process).code, -signal.SIGKILL)
    machine.wait_for("start one")
    place.check_nothing_left()
    equal(machine.log()[4:], ["run tuned", "beside ends", "performance", "undo green", "start one"])
    machine.is_back()
    equal(machine.journal()[-1], {"type": "restored", "by": "guard"})
    machine.run("restore").exits(0, "nothing to do")


def test_kill_during_apply(place):
    """An apply that is under way ends before its undo begins, whatever it started."""
    machine = Machine(place)
    slow = sh(f"{note('apply')}; (trap '' TERM; while sleep 0.01; do {note('applying')}; done) & wait")
    process = machine.start(rig.config(work(), configs=[tuned(apply=slow)]))
    machine.wait_for("applying")
    process.kill()
    place.finish(process)
    machine.wait_for("undo tuned green")
    place.check_nothing_left()
    log = machine.log()
    equal((log[0], log[-1], set(log[1:-1])), ("apply", "undo tuned green", {"applying"}))


def kill_both(place, process):
    guards = rig.wait_until(lambda: [pid for pid, name in place.processes() if name == "perfwatt-guard"], "a guard")
    for pid in (*guards, process.pid):
        os.kill(pid, signal.SIGKILL)
    place.finish(process)
    rig.wait_until(lambda: not place.processes(), lambda: f"processes are left: {place.processes()}")


def killed_machine(place, **more):
    machine = Machine(place)
    machine.systemd(one="active", two="active")
    content = rig.config(work("sleep 60"), configs=[tuned(**more)], services={"one": "stop", "two": "stop"})
    process = machine.start(content)
    machine.wait_for("run tuned")
    kill_both(place, process)
    equal(machine.log()[-1], "beside ends")
    place.write("log", "")
    os.chmod(place.path("log"), 0o666)
    return machine


def test_restore(place):
    machine = killed_machine(place)
    result = machine.run("restore").exits(0, "put back config 'tuned': undo 'sh -c ", "scaling_governor: 'performance' -> 'ondemand'",
                                          "put back service 'one': started again", "put back service 'two': started again")
    need(result.out.index("undo") < result.out.index("scaling_governor") < result.out.index("service 'two'"), result)
    equal(machine.log(), ["undo tuned green", "start two", "start one"])
    machine.is_back()
    machine.run("restore").exits(0, "nothing to do")
    equal(len(machine.log()), 3)


def test_restore_that_fails(place):
    """What failed is named and tried again; what succeeded is not repeated."""
    machine = killed_machine(place, undo=sh(f'{note("undo")}; echo so not; test -e "$CLI_TEST_FOLDER/flags/mended"'))
    place.write("units/one", "inactive\nstart-fails\n")
    result = machine.run("restore").exits(3, "NOT put back config 'tuned': undo: ", "ended with exit status 1; it printed last: so not",
                                          "NOT put back service 'one': ", "Job for one failed.", "put back service 'two'")
    need("scaling_governor: 'performance' -> 'ondemand'" in result.out, result)
    machine.is_back()
    place.write("flags/mended", "")
    place.write("units/one", "inactive\n")
    machine.run("restore").exits(0, "put back config 'tuned': undo", "put back service 'one'")
    equal(machine.log(), ["undo", "start two", "start one", "undo", "start one"])
    machine.run("restore").exits(0, "nothing to do")


def test_restore_after_a_reboot(place):
    """What a program did may have outlasted it; stopped services were started by the boot."""
    machine = killed_machine(place)
    place.write("root/proc/sys/kernel/random/boot_id", "1b3f6c1e-0000-4b0e-9d0a-2f4f0d6c7a11\n")
    machine.run("restore").exits(0, "put back config 'tuned': undo", "started anew since")
    equal(machine.log(), ["undo tuned green"])
    machine.run("restore").exits(0, "nothing to do")


def test_the_next_session_mends_first(place):
    machine = killed_machine(place)
    machine.place.measure(rig.config(work()), folder="next", env=machine.environment()).exits(0, "earlier session")
    equal(machine.log(), ["undo tuned green", "start two", "start one", "run as it is"])
    machine.is_back()


def test_killed_before_undone_was_noted(place):
    """The undo may run twice."""
    machine = Machine(place)
    need_fault_points(machine)
    result = machine.measure(rig.config(work(), configs=[tuned()]), PERFWATT_FAULT="undo:1")
    equal(result.code, -signal.SIGKILL)
    rig.wait_until(lambda: not place.processes(), "the end of the guard, which dies of the same fault")
    machine.run("restore").exits(0, "put back config 'tuned': undo")
    equal(machine.log().count("undo tuned green"), 3)
    machine.is_back()


def test_killed_when_a_service_had_just_stopped(place):
    machine = Machine(place)
    need_fault_points(machine)
    machine.systemd(one="active", two="active")
    content = rig.config(work(), configs=[tuned()], services={"one": "stop", "two": "stop"})
    equal(machine.measure(content, PERFWATT_FAULT="service:1").code, -signal.SIGKILL)
    machine.wait_for("start one")
    place.check_nothing_left()
    equal(machine.log(), ["stop one", "start one"])
    equal([machine.unit(name) for name in ("one", "two")], ["active", "active"])


def test_foreign_journals_run_nothing(place):
    machine = killed_machine(place)
    journal = place.path("results/journal.jsonl")
    os.chmod(journal, 0o666)
    machine.run("restore").exits(2, "names programs to run", "another user")
    equal(machine.log(), [])
    os.chmod(journal, 0o644)
    if os.geteuid() == 0:
        os.chown(journal, pwd.getpwnam("nobody").pw_uid, -1)
        machine.run("restore").exits(2, "names programs to run", "another user")
        os.chown(journal, 0, -1)
    equal(machine.log(), [])
    machine.run("restore").exits(0, "undo")


def test_apply_that_fails(place):
    machine = Machine(place)
    bad = sh(note("apply") + "; seq 20; echo no such profile >&2; exit 3")
    content = rig.config(work(), configs=[{"name": "plain", "set": {}}, tuned(apply=bad)], repeat={"retry": 1})
    result = machine.measure(content).exits(3, "no valid run")
    equal(sorted(statuses(place)), [("plain", "ok"), ("tuned", "failed"), ("tuned", "failed")])
    reason = [record["reason"] for record in place.records() if record["config"] == "tuned"][0]
    need(reason.startswith("config 'tuned': apply: 'sh -c ") and
         reason.endswith("ended with exit status 3; it printed last: 19|20|no such profile"), reason)
    equal([line for line in machine.log() if not line.startswith("run")], ["apply", "undo tuned green"] * 2, result)
    machine.is_back()


def test_programs_by_signal_and_that_print_much(place):
    machine = Machine(place)
    configs = [tuned(name="killed", apply=sh("kill -SEGV $$")), tuned(name="loud", apply=sh("yes | head -c 300000; exit 1")),
               tuned(name="daemon", apply=sh(f"(exec >/dev/null 2>&1; sleep 0.3; {note('daemon')}) & {note('apply')}"))]
    machine.measure(rig.config(work("sleep 0.5"), configs=configs, repeat={"retry": 0})).exits(3)
    reasons = {record["config"]: record.get("reason", "") for record in place.records()}
    need("was ended by signal 11" in reasons["killed"], reasons)
    need("it printed last: y|y|y" in reasons["loud"] and len(reasons["loud"]) < 300, reasons)
    equal(reasons["daemon"], "")
    need("daemon" in machine.log(), "what apply left behind lives on", machine.log())


def test_apply_that_hangs(place):
    """Ended with all that it started, also what ignores SIGTERM."""
    machine = Machine(place)
    need_fault_points(machine)
    hangs = sh(f"{note('apply')}; (trap '' TERM; setsid sleep 60) & setsid sleep 60 & trap '{note('asked to end')}; exit 1' TERM; "
               "while :; do sleep 0.02; done")
    content = rig.config(work(), configs=[tuned(apply=hangs)], repeat={"retry": 0})
    machine.measure(content, PERFWATT_FAULT="command-limit:400").exits(3, "no valid run")
    need("did not end within 0.4 s and was ended" in place.records()[0]["reason"], place.records())
    equal(machine.log(), ["apply", "asked to end", "undo tuned green"])
    place.check_nothing_left()
    machine.is_back()


def test_undo_that_fails(place):
    """Nothing else is measured on a machine that is not as it was, and the end says so."""
    machine = Machine(place)
    undo = sh(f'{note("undo")}; test -e "$CLI_TEST_FOLDER/flags/mended"')
    configs = [tuned(undo=undo), {"name": "plain", "set": {}}]
    result = machine.measure(rig.config(work(), configs=configs, blocks=2, repeat={"retry": 0})).exits(
        3, "NOT put back: config 'tuned': undo: 'sh -c ", "ended with exit status 1")
    first = [config for config, status in statuses(place)].index("tuned")
    for record in place.records()[first + 1:]:
        if record["config"] == "plain":
            equal(record["status"], "failed", record)
            need("config 'tuned': undo" in record["reason"], record)
    place.write("flags/mended", "")
    machine.run("restore").exits(0, "put back config 'tuned': undo")
    need(machine.log().count("undo") >= 3, machine.log(), result)
    machine.is_back()


def test_verify_that_fails(place):
    machine = Machine(place)
    configs = [{"name": "held", "set": {}, "verify": ["sh", "-c", "echo not so; exit 4"]}]
    machine.measure(rig.config(work(), configs=configs, repeat={"retry": 0})).exits(3)
    equal(machine.log(), [])
    reason = place.records()[0]["reason"]
    need("config 'held': verify: 'sh -c echo not so; exit 4' ended with exit status 4; it printed last: not so" in reason, reason)


def test_verify_that_fails_in_mid_run(place):
    """That run is invalidated; the configuration is taken back and made anew for the next one."""
    machine = Machine(place)
    flag = place.path("flags/state")
    config = tuned(apply=sh(f"{note('apply')}; : >{flag}; chmod 666 {flag}"), undo=sh(f"{note('undo')}; rm -f {flag}"),
                   verify=sh(f"test ! -s {flag}"))
    once = f"[ -e {place.path('flags/once')} ] || {{ : >{place.path('flags/once')}; echo x >{flag}; }}"
    machine.measure(rig.config(work(once), configs=[config])).exits(0)
    equal(statuses(place), [("tuned", "invalidated"), ("tuned", "ok")])
    need("config 'tuned': after the run: verify: " in place.records()[0]["reason"], place.records())
    made = ["apply", "beside begins", "run tuned", "beside ends", "undo"]
    equal(machine.log(), made * 2)
    machine.is_back()


def test_companion_that_dies_in_mid_run(place):
    machine = Machine(place)
    beside = f'{note("beside begins")}; echo $$ >"$CLI_TEST_FOLDER/flags/pid"; echo some words; while ! [ -e flags/die ]; do sleep 0.01; done; ' \
             'rm flags/die; echo last words; exit 7'
    once = "[ -e {0}/once ] || {{ : >{0}/once; : >{0}/die; while [ -e {0}/die ]; do sleep 0.01; done; sleep 0.2; }}".format(place.path("flags"))
    configs = [{"name": "scheduled", "set": {}, "with": sh(beside)}]
    result = machine.measure(rig.config(work(once), configs=configs)).exits(0)
    equal(statuses(place), [("scheduled", "invalidated"), ("scheduled", "ok")], result)
    reason = place.records()[0]["reason"]
    need(reason.startswith("config 'scheduled': with: 'sh -c ") and
         reason.endswith("ended with exit status 7; it printed last: some words|last words"), reason)
    equal(machine.log(), ["beside begins", "run scheduled"] * 2)
    with open(place.path("results/raw/r0001.with"), encoding="utf-8") as file:
        equal(file.read(), "some words\nlast words\n")
    need(os.path.exists(place.path("results/raw/r0002.with")))


def test_companion_that_cannot_run(place):
    machine = Machine(place)
    configs = [{"name": "ends", "set": {}, "with": sh("echo bad option >&2; exit 2")},
               {"name": "no program", "set": {}, "with": [place.write("text", "no program"), "x"]}]
    os.chmod(place.path("text"), 0o755)
    place.write("text", b"\x7fELF nonsense")
    machine.measure(rig.config(work(), configs=configs, repeat={"retry": 0})).exits(3)
    reasons = {record["config"]: record["reason"] for record in place.records()}
    need("config 'ends': with: 'sh -c echo bad option >&2; exit 2' ended with exit status 2; it printed last: bad option"
         in reasons["ends"], reasons)
    need("config 'no program': with: " in reasons["no program"], reasons)
    equal(machine.log(), [])


def test_companion_that_clings(place):
    """It ignores SIGTERM and has children in sessions of their own; one is a daemon."""
    machine = Machine(place)
    beside = f"trap '' TERM INT HUP; setsid sleep 983 & (setsid sleep 982 &) ; {note('beside begins')}; while :; do read line; done <$0"
    os.mkfifo(place.path("never"))
    configs = [{"name": "clings", "set": {}, "with": [*sh(f"exec 3<>{place.path('never')}; {beside}"), place.path("never")]}]
    wait = f"while ! [ -e {place.path('flags/go')} ]; do sleep 0.01; done"
    process = machine.start(rig.config(work(wait), configs=configs))
    machine.wait_for("run clings")
    equal([name for _, name in place.processes()].count("sleep") >= 2, True, place.processes())
    place.write("flags/go", "")
    place.finish(process).exits(0)
    equal(place.processes(), [], "all of it is gone when perfwatt is")
    equal(machine.log(), ["beside begins", "run clings"])


def test_companion_with_perfwatt_killed(place):
    machine = Machine(place)
    beside = f"trap '' TERM; setsid sleep 983 & {note('beside begins')}; while :; do sleep 0.05; done"
    process = machine.start(rig.config(work("sleep 60"), configs=[{"name": "c", "set": {}, "with": sh(beside)}]))
    machine.wait_for("run c")
    process.kill()
    place.finish(process)
    place.check_nothing_left()
    machine.is_back()


def test_companion_in_a_loop_of_output(place):
    """What it prints never holds it up."""
    machine = Machine(place)
    beside = f'yes | head -c 300000; {note("printed")}; while :; do sleep 0.05; done'
    wait = f"while ! grep -q printed {place.path('log')}; do sleep 0.01; done"
    machine.measure(rig.config(work(wait, timeout="20s"), configs=[{"name": "loud", "set": {}, "with": sh(beside)}])).exits(0)
    equal(os.path.getsize(place.path("results/raw/r0001.with")), 300000)


def test_services_that_cannot_be_stopped(place):
    """Each is an error before anything is changed; one that does not stop is started again."""
    machine = Machine(place)
    content = rig.config(work(), services={"one": "stop", "other": "stop"})
    machine.measure(content).exits(2, "no init is at hand")
    machine.systemd(one="active")
    machine.measure(content).exits(2, "service 'other': there is no service of this name")
    for state in ("failed", "activating", "deactivating"):
        place.write("units/other", state + "\n")
        machine.measure(content).exits(2, f"service 'other' is '{state}'")
    machine.run("plan", place.path("results.json")).exits(2, "service 'other' is 'deactivating'")
    equal(machine.log(), [])
    need(not os.path.exists(place.path("results")), "no session has begun")
    place.write("units/other", "active\nstop-fails\n")
    machine.measure(content).exits(2, "service 'other': 'systemctl stop other' ended with exit status 1", "Job for other failed.")
    equal(machine.log(), ["stop one", "stop other", "start other", "start one"])
    equal([machine.unit(name) for name in ("one", "other")], ["active", "active"])
    machine.is_back()
    machine.run("restore").exits(0, "nothing to do")


def test_services_of_other_inits(place):
    for init, tool, sign in (("openrc", "rc-service", "run/openrc"), ("sysvinit", "service", "etc/init.d")):
        machine = Machine(place)
        os.makedirs(os.path.join(machine.root, sign))
        machine.script("bin/" + tool, CLASSIC)
        for name, state in (("on", "started"), ("off", "stopped"), ("bad", "crashed")):
            place.write("units/" + name, state + "\n")
            if init == "sysvinit":
                place.write(f"root/etc/init.d/{name}", "")
        machine.measure(rig.config(work(), services={"bad": "stop"})).exits(2, "service 'bad' is '")
        machine.measure(rig.config(work(), services={"none": "stop"})).exits(2, "service 'none': there is no service")
        machine.measure(rig.config(work(), services={"on": "stop", "off": "stop"})).exits(0)
        equal(machine.log(), ["stop on", "run as it is", "start on"])
        equal([machine.unit(name) for name in ("on", "off")], ["started", "stopped"])
        need({"type": "service", "name": "on", "init": init} in machine.journal(), machine.journal())
        for name in ("root", "results", "flags", "units", "bin"):
            shutil.rmtree(place.path(name))


def test_a_program_that_is_missing(place):
    """The configuration cannot be had: seen before the session starts."""
    machine = Machine(place)
    good = {"name": "good", "set": {}}
    content = rig.config(work(), configs=[good, {"name": "bad", "set": {}, "with": ["no-such-scheduler"]}])
    machine.run("plan", place.write("config.json", content)).exits(0, "SKIPPED: with: no program 'no-such-scheduler' in PATH")
    machine.measure(content).exits(3, "no valid run")
    equal(statuses(place), [("good", "ok")])
    place.measure(content, "--strict", folder="strict", env=machine.environment()).exits(2, "no-such-scheduler")
    bad = {"name": "bad", "set": {}, "apply": ["true"], "undo": ["./undo"]}
    machine.run("plan", place.write("config.json", rig.config(work(), configs=[good, bad]))).exits(
        0, f"SKIPPED: undo: {place.top}/./undo is no program")


def test_what_the_files_hold(place):
    """Their hashes are in session.json; one that changes fails the runs that come after."""
    machine = Machine(place)
    machine.script("bin/bench", "#!/bin/sh\necho the other one; exit 1\n")
    helper, library = machine.script("helper", "#!/bin/sh\n"), place.write("library.so", "one")
    tool = machine.script("tools/bench", "#!/bin/sh\n" + note("run $PERFWATT_CONFIG") + f"; echo changed >>{library}; echo rate: 1\n")
    os.chmod(library, 0o666)
    configs = [{"name": "a", "set": {}, "with": ["sh", "-c", "while :; do sleep 0.05; done", "--policy=" + helper],
                "env": {"PATH": place.path("tools") + ":" + os.environ["PATH"], "LD_PRELOAD_X": f"/nowhere:{library}"}}]
    entry = {"workload": "exec", "name": "bench", "command": ["bench"], "metrics": [rig.RATE]}
    result = machine.measure(rig.config(entry, configs=configs, blocks=2, repeat={"retry": 0})).exits(0)
    with open(place.path("results/session.json"), encoding="utf-8") as file:
        contents = json.load(file)["plan"]["configs"][0]["contents"]
    equal(sorted(contents), sorted([helper, library, tool, shutil.which("sh")]))
    need(all(len(text) == 71 and text.startswith("sha256:") for text in contents.values()), contents)
    equal(statuses(place), [("a", "ok"), ("a", "failed")], result)
    reason = place.records()[1]["reason"]
    need(f"config 'a': {library} changed since the session began: was {contents[library][:19]}..., is sha256:" in reason, reason)
    equal(machine.log(), ["run a"])
    machine.run("run", "--resume", place.path("results"))
    equal(statuses(place)[2:], [("a", "failed")] * (len(place.records()) - 2), "a session that goes on compares with its begin")
    place.write("library.so", "one")
    machine.run("run", "--resume", place.path("results")).exits(0)
    equal(statuses(place)[-1], ("a", "ok"))


def test_guard_that_is_killed(place):
    """It is noticed, and another one stands in: also that one puts the machine back."""
    machine = Machine(place)
    wait = f"while ! [ -e {place.path('flags')}/$PERFWATT_BLOCK ]; do sleep 0.01; done"
    process = machine.start(rig.config(work(wait), configs=[tuned()], blocks=2))
    machine.wait_for("run tuned")
    guards = [pid for pid, name in place.processes() if name == "perfwatt-guard"]
    os.kill(guards[0], signal.SIGKILL)
    place.write("flags/1", "")
    machine.wait_for("run tuned", 2)
    another = [pid for pid, name in place.processes() if name == "perfwatt-guard"]
    need(len(another) == 1 and another != guards, guards, another)
    equal(machine.log()[-3:], ["beside ends", "beside begins", "run tuned"])
    process.kill()
    result = place.finish(process)
    need("the guard was ended from outside; another one has been started" in result.err, result)
    machine.wait_for("undo tuned green")
    place.check_nothing_left()
    equal(machine.log()[-2:], ["beside ends", "undo tuned green"])
    machine.is_back()


def test_samples_of_uncommitted_runs(place):
    """Killed between a run's series and its record, the run comes again: its series is there once."""
    machine = Machine(place)
    need_fault_points(machine)
    powercap = os.path.join(machine.root, "sys/class/powercap/intel-rapl:0")
    os.makedirs(powercap)
    for name, text in (("name", "package-0"), ("energy_uj", "1000"), ("max_energy_range_uj", "262143328850")):
        place.write(os.path.join(powercap, name), text + "\n")
    content = rig.config(work("sleep 0.1"), blocks=2, collectors={"timeline": "10ms"})
    equal(machine.measure(content, PERFWATT_FAULT="commit:2").code, -signal.SIGKILL)
    rig.wait_until(lambda: not place.processes(), "the end of the guard")

    def runs():
        with open(place.path("results/samples.jsonl"), encoding="utf-8") as file:
            return [json.loads(line)["run"] for line in file]

    equal(runs(), ["r0001", "r0002"], "the kill came behind the series")
    machine.run("run", "--resume", place.path("results")).exits(0, "samples of unfinished runs cut")
    equal(runs(), ["r0001", "r0002"])
    equal([record["id"] for record in place.records()], ["r0001", "r0002"])


def test_results_that_others_can_change(place):
    """A journal that nobody would trust afterwards is no place for an undo."""
    machine = Machine(place)
    if os.geteuid() != 0:
        raise rig.Skip("needs root: another user's journal")
    content = rig.config(work(), configs=[tuned()])
    machine.measure(content).exits(0)
    os.chown(place.path("results/journal.jsonl"), pwd.getpwnam("nobody").pw_uid, -1)
    place.write("log", "")
    os.remove(place.path("results/runs.jsonl"))
    place.write("results/runs.jsonl", "")
    machine.run("run", "--resume", place.path("results")).exits(2, "can be changed by other users")
    equal(machine.log(), [])
    os.chown(place.path("results/journal.jsonl"), 0, -1)


if __name__ == "__main__":
    rig.main(globals())
