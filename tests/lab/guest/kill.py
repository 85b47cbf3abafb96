#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
kill.py alone|both [COUNT], in the guest: SIGKILL at random moments of perfwatt alone (its guard puts
the machine back), or of perfwatt and its guard together (then `perfwatt restore` does).
"""
import os
import random
import signal
import subprocess
import sys
import time

import inside

BOTH = sys.argv[1] == "both"
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 20
RESULTS = "/tmp/lab-results"
SET = {"governor": "performance", "max-freq": "2GHz", "boost": "off", "cpuidle-governor": "ladder"}
WORK = "sleep 77"


def guard_of(process):
    """The guard's pid: a child of perfwatt of that name."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        words = inside.read(f"/proc/{pid}/stat")
        name, rest = words[words.find("(") + 1:words.rfind(")")], words[words.rfind(")") + 2:].split()
        if name == "perfwatt-guard" and rest[1:2] == [str(process.pid)]:
            return int(pid)
    return None


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def ours():
    """Guards and workloads that are still there."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        command = inside.read(f"/proc/{pid}/cmdline").replace("\0", " ")
        if WORK in command or inside.read(f"/proc/{pid}/comm") == "perfwatt-guard":
            found.append((pid, command))
    return found


def start():
    return inside.start(inside.config([{"name": "a", "set": SET}], WORK, noise=False), RESULTS)


def time_to_settings(before):
    """Seconds from the start until all settings are in force: what the moments are spread over."""
    begun = time.monotonic()
    process = start()
    inside.wait_until(lambda: len(inside.difference(before)) >= len(SET), "the settings in force")
    took = time.monotonic() - begun
    process.terminate()
    process.communicate()
    return took


def killed_at_random():
    generator = random.Random(20261130 + BOTH)
    before = inside.snapshot()
    changed = 0
    took = time_to_settings(before)
    for number in range(COUNT):
        process = start()
        time.sleep(generator.uniform(0.1 * took, 1.6 * took))
        changed += bool(inside.difference(before))
        for pid in filter(None, (guard_of(process) if BOTH else None, process.pid)):
            kill(pid)
        process.communicate()
        inside.wait_until(lambda: not ours(), lambda: f"{number}: still there: {ours()}")
        if BOTH:
            done = subprocess.run([inside.PERFWATT, "restore"], capture_output=True, text=True, check=False)
            inside.need(done.returncode == 0, number, done.stdout, done.stderr)
        inside.wait_until(lambda: not inside.difference(before),
                          lambda: f"{number}: not put back: {inside.difference(before)}")
    print(f"{COUNT} killed, {changed} of them with settings in force")
    inside.need(changed >= COUNT // 4, f"only {changed} of {COUNT} were killed with settings in force")


inside.main([killed_at_random])
