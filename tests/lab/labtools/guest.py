# SPDX-License-Identifier: GPL-2.0-or-later
"""
One guest from its boot to its exit status. What it runs, and what comes back, passes through the
job folder: start (what guest/init runs), out, err, status, back.tar (files to keep), console.
"""
import ctypes
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

from .trouble import NoStatus, last_lines

MOST_BOOTS = 10
POLL_S = 0.05
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def _die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _raise_exit(number, _frame):
    raise SystemExit(128 + number)


class Stream:
    """A file that the guest fills, handed on as it grows."""

    def __init__(self, path, to):
        self.path, self.to, self.seen = path, to, 0

    def pump(self):
        try:
            with open(self.path, "rb") as file:
                file.seek(self.seen)
                data = file.read()
        except FileNotFoundError:
            return
        self.seen += len(data)
        if data and self.to:
            self.to.write(data)
            self.to.flush()


class Guest:
    def __init__(self, machine, cache, kernel, initrd, module, programs=(), limit=300, stdout=None,
                 stderr=None):
        self.machine, self.cache, self.kernel, self.initrd = machine, cache, kernel, initrd
        self.module, self.programs, self.limit = module, programs, limit
        self.stdout = stdout if stdout is not None else sys.stdout.buffer
        self.stderr = stderr if stderr is not None else sys.stderr.buffer
        self.job = tempfile.mkdtemp(prefix="perfwatt-lab-")
        os.chmod(self.job, 0o755)

    def path(self, name):
        return os.path.join(self.job, name)

    def close(self):
        shutil.rmtree(self.job, ignore_errors=True)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def prepare(self, argv, directory, environment=(), timeline=None, keep=()):
        """What the guest is to run, in which folder; `keep`: paths whose new files come back."""
        lines = ["#!/bin/sh", f"cd {shlex.quote(directory)} || exit 98"]
        lines += [f"export {name}={shlex.quote(value)}" for name, value in environment]
        lines += [f"modprobe {module} || exit 98" for module in self.machine.kernel_modules()]
        for program in self.programs:
            shutil.copy(program, self.job)
        if self.module:
            shutil.copy(self.module, self.path("govlab.ko"))
            params = " ".join(map(shlex.quote, self.machine.module_params()))
            lines.append("modprobe platform_profile || exit 98")
            lines.append(f"insmod /job/govlab.ko {params} || {{ dmesg | tail -5 >&2; exit 98; }}")
        if timeline is not None:
            self.write("timeline", timeline)
            lines.append("cat /job/timeline > /sys/module/govlab/parameters/timeline || exit 98")
        lines.append(f"exec {shlex.join(argv)}")
        self.write("start", "\n".join(lines) + "\n")
        self.write("keep", "".join(path + "\n" for path in keep))

    def run(self):
        """The exit status of what ran in the guest; NoStatus with the reason if none came back."""
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, _raise_exit)
        end = time.monotonic() + self.limit
        streams = [Stream(self.path("out"), self.stdout), Stream(self.path("err"), self.stderr)]
        for _ in range(MOST_BOOTS):
            self._boot(end, streams)
            status = self._status()
            if status is not None:
                return status
            # A guest that reboots ends QEMU; it boots again with the words that it left.
            if not os.path.exists(self.path("next-cmdline")):
                break
            with open(self.path("next-cmdline"), encoding="utf-8") as file:
                self.machine.cmdline = file.read().strip()
            os.remove(self.path("next-cmdline"))
        raise NoStatus(self._ending("the guest ended without an exit status"))

    def _boot(self, end, streams):
        argv = self.machine.command(self.cache, self.kernel, self.initrd, self.job)
        with open(self.path("console"), "ab") as console:
            qemu = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=console, stderr=console,
                                    preexec_fn=_die_with_parent, start_new_session=True)
        try:
            while qemu.poll() is None:
                for stream in streams:
                    stream.pump()
                if time.monotonic() > end:
                    raise NoStatus(self._ending(f"the guest did not end within {self.limit:g} s"))
                time.sleep(POLL_S)
        finally:
            if qemu.poll() is None:
                qemu.kill()
            qemu.wait()
            for stream in streams:
                stream.pump()

    def _status(self):
        try:
            with open(self.path("status"), encoding="utf-8") as file:
                return int(file.read())
        except (FileNotFoundError, ValueError):
            return None

    def console(self):
        with open(self.path("console"), "rb") as file:
            return file.read().decode(errors="replace").replace("\r", "")

    def _ending(self, what):
        """What happened, with the console's last lines."""
        text = self.console()
        panic = re.search(r"Kernel panic - not syncing: (.*)", text)
        if panic:
            what = f"the guest's kernel panicked: {panic.group(1)}"
        return f"{what}; last on its console:\n{last_lines(text)}"

    def bring_back(self):
        """Files that the guest wrote below the kept paths, to where they belong; their paths."""
        found = []
        if not os.path.exists(self.path("back.tar")):
            return found
        with tarfile.open(self.path("back.tar")) as archive:
            for member in archive:
                if not member.isfile():
                    continue
                target = os.path.normpath("/" + member.name)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with archive.extractfile(member) as source, open(target, "wb") as file:
                    shutil.copyfileobj(source, file)
                os.chmod(target, member.mode & 0o777)
                found.append(target)
        return found
