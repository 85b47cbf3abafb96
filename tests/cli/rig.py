# SPDX-License-Identifier: GPL-2.0-or-later
"""What the end-to-end tests share: folders, fake machines, running perfwatt, and the look for leftovers.

A test file holds functions test_*(place) and ends with rig.main(globals()). Each function gets a
folder of its own that the user `nobody` can read; after it no process of the test and none of
perfwatt's work folders may be left. Skip(reason) leaves a function out, place.note(reason) a part.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

LIMIT = 100  # seconds that one call of perfwatt may take before the test fails
SKIPPED = 77
MARKER = "CLI_TEST_FOLDER"  # in the environment of everything a test starts; perfwatt drops PERFWATT_*


class Skip(Exception):
    """This test cannot run here; the text says why."""


def need(condition, *details):
    if not condition:
        raise AssertionError(" | ".join(str(detail) for detail in details) or "does not hold")


def equal(found, expected, *details):
    need(found == expected, f"found {found!r}", f"expected {expected!r}", *details)


class Result:
    """An ended perfwatt: code (negative: killed by that signal), out, err."""

    def __init__(self, code, out, err):
        self.code = code
        self.raw_out = out
        self.out = out.decode(errors="replace")
        self.err = err.decode(errors="replace")

    def __str__(self):
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"

    def exits(self, code, *words):
        """The exit code, and words that stdout or stderr must hold."""
        equal(self.code, code, self)
        for word in words:
            need(word in self.out + self.err, f"'{word}' is not in the output", self)
        need("Sanitizer" not in self.err and "runtime error" not in self.err, self)
        return self

    def json(self):
        return json.loads(self.out)


class Place:
    """One test's folder, and perfwatt run from it."""

    def __init__(self, perfwatt, source):
        self.perfwatt = os.path.abspath(perfwatt)
        self.source = os.path.abspath(source)
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="pwcli-"))
        os.chmod(self.top, 0o755)
        self.machine = None
        self.notes = []

    def note(self, reason):
        self.notes.append(reason)

    def path(self, *names):
        return os.path.join(self.top, *names)

    def write(self, name, content):
        """A file of text, bytes, or anything else as JSON; its path."""
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content, indent=1)
        if isinstance(content, str):
            content = content.encode()
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def fake(self, tree, name="root"):
        """A fake machine; from now on perfwatt is run on it."""
        maker = os.path.join(self.source, "tests/sysroot/make_root.py")
        description = os.path.join(self.source, "tests/sysroot/trees", tree + ".tree")
        self.machine = self.path(name)
        subprocess.run([sys.executable, maker, description, self.machine], check=True)
        return self.machine

    def environment(self, extra):
        environment = dict(os.environ)
        for name in ("SUDO_UID", "NO_COLOR"):
            environment.pop(name, None)
        environment[MARKER] = self.top
        environment.update(extra or {})
        return environment

    def argv(self, arguments):
        arguments = [str(argument) for argument in arguments]
        takes_root = arguments and arguments[0] in ("run", "compare", "plan", "doctor", "restore")
        root = ["--root", self.machine] if takes_root and self.machine and "--root" not in arguments else []
        return [self.perfwatt, *arguments[:1], *root, *arguments[1:]]

    def start(self, *arguments, env=None, before=(), **more):
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([*before, *self.argv(arguments)], env=self.environment(env), cwd=self.top,
                                stdin=subprocess.DEVNULL, start_new_session=True, **more)

    def finish(self, process):
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"perfwatt did not end within {LIMIT} s") from None
        return Result(process.returncode, out or b"", err or b"")

    def run(self, *arguments, **more):
        return self.finish(self.start(*arguments, **more))

    def measure(self, content, *arguments, folder="results", **more):
        """perfwatt run of a config's content into a folder below this place."""
        name = self.write(folder + ".json", content)
        return self.run("run", name, "-o", self.path(folder), *arguments, **more)

    def records(self, folder="results"):
        """The whole lines of runs.jsonl."""
        try:
            with open(self.path(folder, "runs.jsonl"), encoding="utf-8") as file:
                return [json.loads(line) for line in file.read().split("\n")[:-1]]
        except FileNotFoundError:
            return []

    def processes(self):
        """Processes that this test started, directly or not, and that still run."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    ours = f"{MARKER}={self.top}".encode() in file.read().split(b"\0")
                with open(f"/proc/{pid}/stat", "rb") as file:
                    name, rest = file.read().rsplit(b")", 1)
            except OSError:
                continue
            if ours and rest.split()[0] != b"Z":
                found.append((int(pid), name.split(b"(", 1)[1].decode(errors="replace")))
        return found

    def work_folders(self):
        """Work folders that a journal below this place names and that are still there."""
        found = []
        for folder, _, files in os.walk(self.top):
            for name in files:
                if name != "journal.jsonl":
                    continue
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    lines = [json.loads(line) for line in file.read().split("\n")[:-1]]
                found += [line["path"] for line in lines
                          if line["type"] == "folder" and os.path.lexists(line["path"])]
        return found

    def check_nothing_left(self):
        wait_until(lambda: not self.processes(), lambda: f"processes are left: {self.processes()}", 10)
        wait_until(lambda: not self.work_folders(), lambda: f"folders are left: {self.work_folders()}", 10)

    def remove(self):
        for pid, _ in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.top, ignore_errors=True)


def wait_until(condition, what, limit=60):
    """Polls until the condition holds; fails with `what` (a text or a function that gives one)."""
    end = time.monotonic() + limit
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError((what() if callable(what) else what) + f" (within {limit} s)")
        time.sleep(0.01)


def tree_of(root):
    """Every file below sys/, proc/ and dev/ of a fake machine with its bytes."""
    found = {}
    for top in ("sys", "proc", "dev"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in files:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, root)] = file.read()
    return found


def same_tree(root, before):
    now = tree_of(root)
    equal({path: (before.get(path), now.get(path)) for path in set(now) | set(before)
           if now.get(path) != before.get(path)}, {}, "the fake machine is not as before")


RATE = {"name": "rate", "unit": "ops/s", "better": "higher", "regex": "rate: ([0-9.]+)"}


def shell(script, name="work", metrics=(RATE,), **more):
    """An exec entry that runs a shell script; without metrics its result is the elapsed time."""
    entry = {"workload": "exec", "name": name, "command": ["sh", "-c", script], **more}
    if metrics:
        entry["metrics"] = list(metrics)
    return entry


def config(*workloads, configs=None, blocks=1, **more):
    """A config without warm-up, pauses and the idle measurement."""
    repeat = {"blocks": blocks, "warmup": 0, "settle": "0s", **more.pop("repeat", {})}
    return {"name": "test", "configs": configs or [{"name": "as it is", "set": {}}], "idle": False,
            "workloads": list(workloads), "repeat": repeat, **more}


def run_one(name, function, perfwatt, source):
    """"ok", "skip" or "FAIL"."""
    place = Place(perfwatt, source)
    verdict = "ok"
    try:
        function(place)
        place.check_nothing_left()
        for reason in place.notes:
            print(f"part skipped in {name}: {reason}")
    except Skip as reason:
        verdict = "skip"
        print(f"skipped {name}: {reason}")
    except Exception:  # whatever it is, the other tests go on
        verdict = "FAIL"
        print(f"FAIL {name}\n{traceback.format_exc()}")
    finally:
        place.remove()
    return verdict


def main(names):
    """test_x.py PERFWATT SOURCE [NAME]...: all test_* functions of the caller, or those named."""
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} PERFWATT SOURCE [NAME]...")
    os.umask(0o022)
    wanted = sys.argv[3:]
    verdicts = []
    for name, function in list(names.items()):
        if name.startswith("test_") and callable(function) and (not wanted or name[5:] in wanted):
            begun = time.monotonic()
            verdict = run_one(name[5:], function, sys.argv[1], sys.argv[2])
            print(f"{verdict:4} {name[5:]} ({time.monotonic() - begun:.1f} s)", flush=True)
            verdicts.append(verdict)
    if not verdicts:
        sys.exit("no such test")
    if "FAIL" in verdicts:
        sys.exit(1)
    sys.exit(SKIPPED if "ok" not in verdicts else 0)
