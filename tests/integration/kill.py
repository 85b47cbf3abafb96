#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kill -9 of perfwatt at every fault point and at random moments: nothing finished is lost, the
machine is put back, no process of the tree is left, and --resume repeats no finished run.

    kill.py PERFWATT points|random|both SOURCE_DIR [COUNT [JOBS]]

"points": the n-th pass of every fault point, n = 1, 2, ... until a session ends by itself.
"random": SIGKILL at random moments of a session, whose length is measured first. "both": perfwatt
and its guard are killed together, then `perfwatt restore` puts the machine back. "points" needs
PW_FAULTS in the build (else it is skipped: 77). JOBS sessions run side by side, each on a machine of
its own.
"""
import concurrent.futures
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

POINTS = ["journal", "journal-sync", "guard", "knob", "fork", "commit", "committed", "restore"]
LIMIT = 60
SKIPPED = 77
SEED = "2"  # the n-th pass of a point is the same one each time
LAST_KILL = 0.9  # of the length of a session; nearly all kills then hit one that still runs
JOBS = 4  # a session mostly waits for its processes: twice the CPUs of a small machine
RESUMED = 4  # one in so many randomly killed sessions is resumed as well; every one of "points" is

# The workload leaves grandchildren in sessions of their own; one ignores what it can.
SCRIPT = "setsid sleep 987 & (trap '' TERM INT HUP; setsid sleep 986) & sleep 0.05; echo rate: 5"


def config(blocks):
    return {
        "name": "kill",
        "configs": [
            {"name": "as it is", "set": {}},
            {"name": "fast", "set": {"governor": "performance", "max-freq": "2.8GHz", "boost": "off"}},
        ],
        "idle": False,
        "workloads": [{
            "workload": "exec", "name": "tree", "command": ["sh", "-c", SCRIPT],
            "metrics": [{"name": "rate", "unit": "ops/s", "better": "higher", "regex": "rate: ([0-9]+)"}],
        }],
        "repeat": {"blocks": blocks, "warmup": 0, "settle": "0s"},
    }


def tree_of(root):
    """Every file below sys/ with its bytes."""
    found = {}
    for folder, _, files in os.walk(os.path.join(root, "sys")):
        for name in files:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[path] = file.read()
    return found


def processes(marker):
    """Processes of the tree: they carry the results folder in their environment or are sleeps of ours."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if marker.encode() in file.read():
                    with open(f"/proc/{pid}/stat", "rb") as stat:
                        if stat.read().rsplit(b")", 1)[1].split()[0] != b"Z":
                            found.append(int(pid))
        except OSError:
            pass
    return found


def wait_until(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come true within {LIMIT} s")
        time.sleep(0.01)


class Machine:
    """One fake machine with its results folder."""

    def __init__(self, perfwatt, source, top, blocks=2):
        self.perfwatt = perfwatt
        self.root = os.path.join(top, "root")
        self.results = os.path.join(top, "results")
        self.marker = "KILLTEST=" + top
        os.chmod(top, 0o755)
        subprocess.run([sys.executable, os.path.join(source, "tests/sysroot/make_root.py"),
                        os.path.join(source, "tests/sysroot/trees/acpi-cpufreq-boost.tree"), self.root],
                       check=True)
        self.before = tree_of(self.root)
        self.config = os.path.join(top, "config.json")
        with open(self.config, "w", encoding="utf-8") as file:
            json.dump(config(blocks), file)
        self.expected = [(c, b) for c in ("as it is", "fast") for b in range(1, blocks + 1)]

    def start(self, arguments, fault=None):
        environment = dict(os.environ, KILLTEST=self.marker.split("=", 1)[1])
        if fault:
            environment["PERFWATT_FAULT"] = fault
        return subprocess.Popen([self.perfwatt, *arguments, "--root", self.root], env=environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, start_new_session=True)

    def run(self, fault=None):
        resume = os.path.exists(os.path.join(self.results, "session.json"))
        where = ["--resume", self.results] if resume else [
            self.config, "-o", self.results, "--seed", SEED]
        return self.start(["run", *where], fault)

    def finished(self):
        path = os.path.join(self.results, "runs.jsonl")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        return [json.loads(line) for line in lines[:-1]]

    def is_back(self):
        return tree_of(self.root) == self.before

    def difference(self):
        now = tree_of(self.root)
        return {path: (self.before.get(path), now.get(path))
                for path in set(now) | set(self.before) if now.get(path) != self.before.get(path)}

    def restore(self):
        wait_until(lambda: not processes(self.marker), "the end of all processes")
        process = self.start(["restore"])
        output = process.communicate(timeout=LIMIT)[0].decode()
        assert process.returncode == 0, output

    def check_after_death(self, earlier):
        wait_until(lambda: not processes(self.marker), "the end of all processes")
        wait_until(self.is_back, f"the machine as before (differs: {self.difference()})")
        keys = [record["id"] for record in self.finished()]
        assert keys[:len(earlier)] == earlier, (earlier, keys)
        assert len(set(keys)) == len(keys), keys

    def finish(self):
        """The session to its end; every run once."""
        process = self.run()
        output = process.communicate(timeout=LIMIT)[0].decode()
        assert process.returncode == 0, output
        runs = [(r["config"], r["block"]) for r in self.finished() if r["status"] == "ok"]
        assert sorted(runs) == self.expected, runs
        assert self.is_back(), self.difference()
        assert not processes(self.marker)


def clean(results):
    """A session that died before session.json was there left nothing to go on with."""
    if not os.path.exists(os.path.join(results, "session.json")):
        subprocess.run(["rm", "-rf", results], check=True)


def test_point(perfwatt, source, point):
    """The number of passes."""
    passes = 0
    while True:
        with tempfile.TemporaryDirectory(prefix="pwkill-") as top:
            machine = Machine(perfwatt, source, top)
            process = machine.run(f"{point}:{passes + 1}")
            output = process.communicate(timeout=LIMIT)[0].decode()
            if process.returncode != -signal.SIGKILL:
                if process.returncode != 0:
                    raise AssertionError(f"{point}:{passes + 1}: exit {process.returncode}\n{output}")
                return passes
            passes += 1
            if point == "restore":  # the guard dies of the same fault: the command mends it
                machine.restore()
            machine.check_after_death([])
            clean(machine.results)
            machine.finish()


def test_points(perfwatt, source, pool):
    passes = list(pool.map(lambda point: test_point(perfwatt, source, point), POINTS))
    if passes[0] == 0:
        print("skipped: this build has no fault points (PW_FAULTS)")
        sys.exit(SKIPPED)
    for point, count in zip(POINTS, passes):
        assert count > 0, f"fault point '{point}' was never reached"
    print(f"{sum(passes)} kills: " + ", ".join(f"{point} {count}" for point, count in zip(POINTS, passes)))


def guard_of(process):
    """The guard: a child of perfwatt of that name."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                text = file.read()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
        if name == "perfwatt-guard" and int(rest[1]) == process.pid:
            return int(pid)
    return None


def session_length(perfwatt, source):
    """Seconds of a session that nothing disturbs."""
    with tempfile.TemporaryDirectory(prefix="pwkill-") as top:
        machine = Machine(perfwatt, source, top, 1)
        begun = time.monotonic()
        machine.finish()
        return time.monotonic() - begun


def kill_one(perfwatt, source, after, both, resume):
    """True if the session was still running."""
    with tempfile.TemporaryDirectory(prefix="pwkill-") as top:
        machine = Machine(perfwatt, source, top, 1)
        process = machine.run()
        time.sleep(after)
        earlier = [record["id"] for record in machine.finished()]
        guard = guard_of(process) if both else None
        for pid in filter(None, (guard, process.pid)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.communicate(timeout=LIMIT)
        if both:
            machine.restore()
        machine.check_after_death(earlier)
        if resume:
            clean(machine.results)
            machine.finish()
        return process.returncode == -signal.SIGKILL


def test_random(perfwatt, source, pool, jobs, count, both):
    """The length is that of sessions side by side, as the killed ones are."""
    generator = random.Random(20261130 + both)
    length = min(pool.map(lambda _: session_length(perfwatt, source), range(jobs)))
    plan = [(generator.uniform(0, LAST_KILL * length), i % RESUMED == 0) for i in range(count)]
    killed = sum(pool.map(lambda one: kill_one(perfwatt, source, one[0], both, one[1]), plan))
    assert killed > count // 2, f"only {killed} of {count} sessions were still running when killed"
    print(f"{killed} of {count} killed, within {LAST_KILL * length:.2f} s")


def main():
    perfwatt, what, source = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    jobs = int(sys.argv[5]) if len(sys.argv) > 5 else JOBS
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        if what == "points":
            test_points(perfwatt, source, pool)
        else:
            test_random(perfwatt, source, pool, jobs, count, what == "both")


if __name__ == "__main__":
    main()
