#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Workloads that misbehave, on purpose or not: what they can reach, and that the machine goes back."""
import os
import shutil
import signal
import stat
import time

import rig
from rig import Skip, equal, need

TREE = "acpi-cpufreq-boost"
GOVERNOR = "sys/devices/system/cpu/cpufreq/policy0/scaling_governor"
FAST = [{"name": "fast", "set": {"governor": "performance"}}]
NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def from_file(path):
    return {**rig.RATE, "from": path}


def need_root():
    if os.geteuid() != 0:
        raise Skip("needs root: workloads run as another user")


def open_folder(place, name):
    """A folder into which any user may write."""
    os.makedirs(place.path(name))
    os.chmod(place.path(name), 0o777)
    return place.path(name)


def hand_over(place):
    """Everything so far to nobody, who runs perfwatt from now on."""
    for folder, folders, files in os.walk(place.top):
        for name in folders + files:
            os.chown(os.path.join(folder, name), NOBODY, NOBODY, follow_symlinks=False)
    os.chown(place.top, NOBODY, NOBODY)


def raw(place, name="r0001.out", folder="results"):
    with open(place.path(folder, "raw", name), encoding="utf-8") as file:
        return file.read()


def governor(place):
    with open(os.path.join(place.machine, GOVERNOR), encoding="ascii") as file:
        return file.read().strip()


def test_descriptors_of_the_caller_stay_with_the_caller(place):
    """A shell's `7</etc/shadow` is none of the workload's."""
    place.fake(TREE)
    secret = os.open(place.write("secret", "x"), os.O_RDONLY)
    os.set_inheritable(secret, True)
    script = "for fd in /proc/self/fd/*; do readlink $fd; done; echo rate: 5"
    place.measure(rig.config(rig.shell(script)), pass_fds=[secret]).exits(0)
    os.close(secret)
    need("secret" not in raw(place), raw(place))
    need("pipe:" in raw(place), raw(place))


def test_a_pipe_as_result_file_holds_nobody_up(place):
    place.fake(TREE)
    folder = open_folder(place, "open")
    entry = rig.shell(f"mkfifo {folder}/out; echo rate: 5", metrics=[from_file(folder + "/out")])
    place.measure(rig.config(entry, repeat={"retry": 0})).exits(3, "left no file")


def test_a_link_shows_no_more_than_its_maker_may_read(place):
    need_root()
    place.fake(TREE)
    folder = open_folder(place, "open")
    os.chmod(place.write("secret", "rate: 77\n"), 0o600)
    os.utime(place.path("secret"), (2e9, 2e9))  # as fresh as can be
    entry = rig.shell(f"ln -sf {place.path('secret')} {folder}/out; echo rate: 5",
                      metrics=[from_file(folder + "/out")])
    place.measure(rig.config(entry, repeat={"retry": 0})).exits(3, "left no file")
    shutil.copy(place.path("secret"), folder + "/own")
    os.chmod(folder + "/own", 0o644)
    os.utime(folder + "/own", (2e9, 2e9))
    entry = rig.shell(f"ln -sf {folder}/own {folder}/out", metrics=[from_file(folder + "/out")])
    place.measure(rig.config(entry), folder="allowed").exits(0)
    equal(place.records("allowed")[0]["metrics"][0]["value"], 77)


def test_a_link_in_the_place_of_the_work_folder(place):
    """Neither followed nor a reason to call the machine changed."""
    place.fake(TREE)
    victim = open_folder(place, "victim")
    place.write("victim/kept", "x")
    script = f'rmdir "$PERFWATT_WORKDIR"; ln -s {victim} "$PERFWATT_WORKDIR"; echo rate: 5'
    result = place.measure(rig.config(rig.shell(script))).exits(0)
    need("put back" not in result.err, result)
    need(os.path.exists(place.path("victim/kept")))


def test_deep_and_closed_folders_go(place):
    place.fake(TREE)
    script = """cd "$PERFWATT_WORKDIR"; i=0; while [ $i -lt 300 ]; do mkdir d; cd d; i=$((i+1)); done
        cd "$PERFWATT_WORKDIR"; mkdir shut; : > shut/file; chmod 0 shut; echo rate: 5"""
    if os.geteuid() == 0:
        hand_over(place)
    result = place.measure(rig.config(rig.shell(script)),
                           before=AS_NOBODY if os.geteuid() == 0 else ()).exits(0)
    need("remove" not in result.err, result)


def test_a_stopped_perfwatt_measures_nothing(place):
    """^Z in the middle: the counters were not read in time."""
    place.fake(TREE)
    name = place.write("c.json", rig.config(rig.shell("sleep 1; echo rate: 5"), repeat={"retry": 0}))
    process = place.start("run", name, "-o", place.path("results"))
    rig.wait_until(lambda: any(comm == "sleep" for _, comm in place.processes()), "the run begins")
    os.kill(process.pid, signal.SIGSTOP)
    time.sleep(1.2)
    os.kill(process.pid, signal.SIGCONT)
    place.finish(process).exits(3, "was stopped for a while")
    equal(place.records()[0]["status"], "invalidated")


def test_settings_go_back_without_the_results_folder(place):
    for end in ("itself", "SIGKILL"):
        place.fake(TREE, "root-" + end)
        before = rig.tree_of(place.machine)
        name = place.write("c.json", rig.config(rig.shell("sleep 1; echo rate: 5"), configs=FAST))
        process = place.start("run", name, "-o", place.path("results"))
        rig.wait_until(lambda: governor(place) == "performance" and
                       any(comm == "sleep" for _, comm in place.processes()), "the run begins")
        shutil.rmtree(place.path("results"))
        if end == "SIGKILL":
            process.kill()
        place.finish(process)
        rig.wait_until(lambda: governor(place) != "performance", "the governor as before")
        rig.wait_until(lambda: not place.processes(), "the end of all processes")
        rig.same_tree(place.machine, before)


def test_a_workload_that_turns_on_its_parents(place):
    """As the same user it can stop or kill the process that tends it; its own still end with it."""
    need_root()
    place.fake(TREE)
    stop = rig.shell("kill -STOP $PPID; setsid sleep 981 & sleep 0.3; echo rate: 5", "stop", timeout="1s")
    kill = rig.shell("(setsid sleep 982 &); kill -9 $PPID; sleep 983; echo rate: 5", "kill")
    hand_over(place)
    place.measure(rig.config(stop, kill, repeat={"retry": 0}), before=AS_NOBODY).exits(3)
    reasons = {record["name"]: record["reason"] for record in place.records()}
    need("longer than its limit" in reasons["stop"], reasons)
    need("killed from outside" in reasons["kill"], reasons)


def test_files_that_may_not_grow(place):
    """RLIMIT_FSIZE is an error to tell, not the end."""
    place.fake(TREE)
    script = "head -c 300000 /dev/zero | tr '\\0' x; echo; echo rate: 5"
    limited = ["sh", "-c", "ulimit -f 100; exec \"$@\"", "sh"]  # blocks of 512 bytes or of 1 KiB
    result = place.measure(rig.config(rig.shell(script)), before=limited)
    result.exits(0, "File too large")
    equal(place.records()[0]["status"], "ok")


def test_few_open_files(place):
    place.fake(TREE)
    for limit, code, words in ((20, 2, "20 files may be open"), (200, 0, "")):
        limited = ["sh", "-c", f"ulimit -n {limit}; exec \"$@\"", "sh"]
        place.measure(rig.config(rig.shell("ulimit -n; echo rate: 5")), before=limited,
                      folder=f"results{limit}").exits(code, words)
    equal(raw(place, folder="results200").split()[0], "200")
    soft = ["sh", "-c", "ulimit -S -n 100; exec \"$@\"", "sh"]
    place.measure(rig.config(rig.shell("ulimit -S -n; echo rate: 5")), before=soft, folder="soft").exits(0)
    equal(raw(place, folder="soft").split()[0], "100")


def test_links_of_a_fake_machine_stay_inside(place):
    place.fake(TREE)
    outside = open_folder(place, "outside")
    for name in ("run", "var"):
        shutil.rmtree(os.path.join(place.machine, name), ignore_errors=True)
        os.symlink(outside, os.path.join(place.machine, name))
    place.measure(rig.config(rig.shell("echo rate: 5"))).exits(2)
    equal(os.listdir(outside), [])


def test_sudo_by_root_is_not_root(place):
    need_root()
    place.fake(TREE)
    for index, uid in enumerate(("0", "", "x")):
        place.measure(rig.config(rig.shell("id -u; echo rate: 5")), env={"SUDO_UID": uid},
                      folder=f"results{index}").exits(0)
        need(raw(place, folder=f"results{index}").split()[0] != "0", uid)


def test_nothing_of_root_can_be_written_by_the_workload(place):
    """No file of the results folder, while it is being written."""
    need_root()
    place.fake(TREE)
    place.measure(rig.config(rig.shell("echo rate: 5"))).exits(0)
    for folder, _, files in os.walk(place.path("results")):
        for name in files:
            info = os.lstat(os.path.join(folder, name))
            need(stat.S_ISREG(info.st_mode) and info.st_uid == 0 and not info.st_mode & 0o022, name)


def test_more_runs_than_anybody_waits_for(place):
    place.fake(TREE)
    many = [{"name": f"c{index}", "set": {}} for index in range(400)]
    works = [rig.shell("true", f"w{index}") for index in range(400)]
    place.run("plan", place.write("c.json", rig.config(*works, configs=many, blocks=400))).exits(
        2, "more than 1000000 runs")


if __name__ == "__main__":
    rig.main(globals())
