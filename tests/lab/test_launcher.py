#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
test_launcher.py [TEST]...: the lab itself on bad ground: no qemu, no packages, a build that was
killed, a guest that hangs or panics, a full disk. The reason is said, nothing stays behind, and 77
stands only for "nothing could be tried".
"""
import os
import shutil
import signal
import subprocess
import sys
import time

import labrig
from labrig import need, raw_lab

sys.path.insert(0, labrig.HERE)
from labtools import cache as caches  # noqa: E402
from labtools import initramfs  # noqa: E402
from labtools.trouble import Trouble  # noqa: E402


def only(place, *names):
    """A PATH with these programs and python3."""
    folder = place.path("bin")
    os.mkdir(folder)
    for name in ("python3", *names):
        path = shutil.which(name)
        if path:
            os.symlink(path, os.path.join(folder, name))
    return folder


def script(place, text):
    path = place.path("script.sh")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def qemus(place):
    """Guests that share a folder below this test's TMPDIR."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read()
        except OSError:
            continue
        if b"qemu-system" in words and place.top.encode() in words:
            found.append(pid)
    return found


def nothing_left(place):
    need(not qemus(place), f"guests are left: {qemus(place)}")
    left = [name for name in os.listdir(place.top) if name.startswith("perfwatt-lab-")]
    need(not left, f"job folders are left: {left}")


def no_qemu(place):
    done = raw_lab("--cache", place.path("cache"), "fetch", env={"PATH": only(place)})
    need(done.returncode == 77 and "qemu-system-x86" in done.stderr, done)


def no_packages(place):
    """apt-cache that knows nothing, as after a fresh installation."""
    folder = only(place, "qemu-system-x86_64", "sh")
    if not os.path.exists(os.path.join(folder, "qemu-system-x86_64")):
        raise labrig.Skip("no qemu here")
    for name in ("apt-cache", "apt-get"):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho 'E: No packages found' >&2\nexit 100\n")
        os.chmod(os.path.join(folder, name), 0o755)
    done = raw_lab("--cache", place.path("cache"), "fetch", env={"PATH": folder})
    need(done.returncode == 77 and "No packages found" in done.stderr, done)
    need(os.listdir(place.path("cache")) == ["lock"], os.listdir(place.path("cache")))


def half_built(place):
    """What a killed build left is swept away; an item is there whole or not at all."""
    cache = caches.Cache(place.path("cache"))
    os.mkdir(os.path.join(cache.folder, caches.BUILDING + "old"))

    def broken(folder):
        with open(os.path.join(folder, "part"), "w", encoding="utf-8") as file:
            file.write("half")
        raise Trouble("no more")

    def whole(folder):
        with open(os.path.join(folder, "part"), "w", encoding="utf-8") as file:
            file.write("whole")

    try:
        cache.item("thing", broken)
        raise AssertionError("a broken build passed")
    except Trouble:
        pass
    need(sorted(os.listdir(cache.folder)) == ["lock"], os.listdir(cache.folder))
    with open(os.path.join(cache.item("thing", whole), "part"), encoding="utf-8") as file:
        need(file.read() == "whole")


def full_disk(place):
    """A cache on a file system of 64 KiB: the reason, and no 77."""
    small = place.path("small")
    os.mkdir(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", small], capture_output=True,
                      check=False).returncode != 0:
        raise labrig.Skip("no right to mount a small file system")
    try:
        def big(folder):
            with open(os.path.join(folder, "big"), "wb") as file:
                file.write(bytes(1 << 20))

        try:
            caches.Cache(small).item("thing", big)
            raise AssertionError("a full disk passed")
        except Trouble as trouble:
            need("disk is full" in str(trouble) and trouble.code != 77, trouble)
    finally:
        subprocess.run(["umount", small], check=True)


def full_job(place):
    """No room for the folder that is shared with the guest: the reason, no guest, and no 77."""
    small = place.path("small")
    os.mkdir(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", small], capture_output=True,
                      check=False).returncode != 0:
        raise labrig.Skip("no right to mount a small file system")
    try:
        done = labrig.lab("run", script(place, "true"), env={"TMPDIR": small})
        need(done.returncode == 98 and "disk is full" in done.stderr, done)
        need(not os.listdir(small), f"left: {os.listdir(small)}")
    finally:
        subprocess.run(["umount", small], check=True)


def archives(place):
    """The initramfs is a cpio archive that cpio itself would read: names, contents, padding."""
    data = initramfs.archive([("a", 0o100644, b"12345"), ("bin", 0o040755, b"")])
    need(data.count(b"070701") == 3 and len(data) % 4 == 0 and b"TRAILER!!!" in data, data)
    if shutil.which("cpio"):
        done = subprocess.run(["cpio", "-i", "--quiet"], input=data, cwd=place.top, check=True)
        with open(place.path("a"), "rb") as file:
            need(done.returncode == 0 and file.read() == b"12345")


def run_lab(place, text, *options):
    return labrig.lab(*options, "run", script(place, text), env={"TMPDIR": place.top})


def status_and_output(place):
    done = run_lab(place, "echo out; echo err >&2; exit 42")
    need((done.returncode, done.stdout, done.stderr) == (42, "out\n", "err\n"), done)
    nothing_left(place)


def timeline_file(place):
    """--timeline: what the file says happens when it says so; a wrong line ends the lab."""
    path = place.path("faults")
    with open(path, "w", encoding="utf-8") as file:
        file.write("# a fault that passes\n50 energy_errno 5\n1500 energy_errno 0\n")
    wait = "for i in $(seq 200); do [ \"$(cat $f)\" = {} ] && break; sleep 0.05; done; cat $f; "
    text = "f=/sys/module/govlab/parameters/energy_errno; " + wait.format(5) + wait.format(0)
    done = run_lab(place, text, "--timeline", path)
    need(done.returncode == 0 and done.stdout.split() == ["5", "0"], done)
    with open(path, "w", encoding="utf-8") as file:
        file.write("soon energy_errno 5\n")
    done = run_lab(place, "echo ran", "--timeline", path)
    need(done.returncode == 98 and "ran" not in done.stdout, done)
    done = run_lab(place, "echo ran", "--timeline", path + "-not-there")
    need(done.returncode == 2 and "No such file" in done.stderr, done)


def hang(place):
    done = run_lab(place, "echo started; sleep 1000", "--limit", "15")
    need(done.returncode == 99 and "did not end within 15 s" in done.stderr, done)
    nothing_left(place)


def panic(place):
    done = run_lab(place, "echo c >/proc/sysrq-trigger; sleep 1000", "--limit", "60")
    need(done.returncode == 99 and "sysrq triggered crash" in done.stderr, done)
    nothing_left(place)


def ended_from_outside(place):
    """SIGTERM and SIGKILL of the launcher: the guest goes with it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        process = subprocess.Popen([sys.executable, "-B", labrig.LAB, "run", script(place, "sleep 1000")],
                                   env={**os.environ, "TMPDIR": place.top}, stdin=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while not qemus(place) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
        need(qemus(place), "no guest was started")
        process.send_signal(number)
        process.wait(timeout=30)
        end = time.monotonic() + 10
        while qemus(place) and time.monotonic() < end:
            time.sleep(0.1)
        need(not qemus(place), f"signal {number} left {qemus(place)}")


# Those after `archives` need a guest.
TESTS = {test.__name__: test for test in (no_qemu, no_packages, half_built, full_disk, archives, full_job,
                                          status_and_output, timeline_file, hang, panic, ended_from_outside)}
labrig.main(TESTS, sys.argv[1:])
