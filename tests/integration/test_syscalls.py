#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
test_syscalls.py PERFWATT SOURCE: our tbench and dbench (profile v4) make the system calls of the
originals, per session of one load file, each within 1 %. Needs strace and the originals.
"""
import collections
import os
import shutil
import socket
import subprocess
import sys
import tempfile

SKIPPED = 77
WITHIN = 0.01
PORT = 7003
RUNNER = os.path.join(os.path.dirname(os.path.abspath(sys.argv[1])), "tests/integration/engine_run")
# All operations that the originals know and that can be repeated; 25 of them.
LOAD = r"""
Mkdir "\clients" NT_STATUS_OK
NTCreateX "\clients\client1" 0x1 0x2 9000 NT_STATUS_OK
Close 9000 NT_STATUS_OK
NTCreateX "\clients\client1\a.dat" 0x40 0x2 9001 NT_STATUS_OK
WriteX 9001 0 4096 4096 NT_STATUS_OK
WriteX 9001 4096 60000 60000 NT_STATUS_OK
QUERY_FILE_INFORMATION 9001 258 NT_STATUS_OK
Flush 9001 NT_STATUS_OK
LockX 9001 0 10 NT_STATUS_OK
UnlockX 9001 0 10 NT_STATUS_OK
ReadX 9001 0 4096 4096 NT_STATUS_OK
ReadX 9001 4096 60000 60000 NT_STATUS_OK
SET_FILE_INFORMATION 9001 1004 NT_STATUS_OK
Close 9001 NT_STATUS_OK
QUERY_PATH_INFORMATION "\clients\client1\a.dat" 1004 NT_STATUS_OK
QUERY_PATH_INFORMATION "\clients\client1\none" 1004 NT_STATUS_OBJECT_NAME_NOT_FOUND
NTCreateX "\clients\client1\none" 0x40 0x1 9002 NT_STATUS_OBJECT_NAME_NOT_FOUND
NTCreateX "\clients\client1\A.DAT" 0x40 0x1 9003 NT_STATUS_OBJECT_NAME_NOT_FOUND
FIND_FIRST "\clients\client1\*" 260 1366 1 NT_STATUS_OK
FIND_FIRST "\clients\client1\<.JNK" 260 1366 0 NT_STATUS_NO_SUCH_FILE
QUERY_FS_INFORMATION 259 NT_STATUS_OK
Rename "\clients\client1\a.dat" "\clients\client1\b.dat" NT_STATUS_OK
NTCreateX "\clients\client1\b.dat" 0x40 0x1 9004 NT_STATUS_OK
Close 9004 NT_STATUS_OK
Unlink "\clients\client1\b.dat" 0x6 NT_STATUS_OK
"""
# Calls of the C library's allocator (or a sanitizer's), and what the processes beside the clients do.
LEFT_OUT = ("mmap", "munmap", "madvise", "brk", "wait4", "rt_sigtimedwait", "restart_syscall", "rt_sigreturn")
# One of these a session: what the counts are divided by.
ONCE = {"dbench": "rename", "tbench": "sendto"}


def counted(argv, env, folder):
    """Calls by name, of argv and all its children."""
    table = os.path.join(folder, "calls")
    subprocess.run(["strace", "-f", "-c", "-U", "name,calls", "-o", table, *argv], env=env, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    calls = collections.Counter()
    with open(table, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if len(words) == 2 and words[1].isdigit() and words[0] != "total":
                calls[words[0]] += int(words[1])
    return calls


def ours(workload, seconds, load, folder):
    argv = [RUNNER, workload, "clients=1", f"time={seconds}s", "warmup=0s", "profile=v4", "loadfile=" + load]
    # Under strace a sanitizer cannot look for leaks.
    env = {**os.environ, "TMPDIR": folder, "ASAN_OPTIONS": "detect_leaks=0"}
    return counted(argv, env, folder)


def listens():
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", PORT))
        except OSError:
            return True
        return False


def theirs(workload, seconds, load, folder):
    """The server of tbench is counted too: one shell starts both."""
    words = ["-t", str(seconds), "-c", load]
    if workload == "dbench":
        return counted(["dbench", *words, "-D", folder, "1"], dict(os.environ), folder)
    script = 'tbench_srv & for i in $(seq 50); do sleep 0.1; grep -q ":1B5B .* 0A " /proc/net/tcp && break; done; ' \
             'tbench "$@" 1 127.0.0.1; kill $!'
    return counted(["sh", "-c", script, "sh", *words], dict(os.environ), folder)


def per_session(run, workload, load, folder):
    """Calls a session: of a longer run less a shorter one, so that starting and ending drop out."""
    for seconds in (5, 8, 12):
        difference = run(workload, seconds, load, folder)
        difference.subtract(run(workload, 2, load, folder))
        sessions = difference[ONCE[workload]]
        if sessions >= 400:
            return {name: count / sessions for name, count in difference.items() if name not in LEFT_OUT}
    raise SystemExit(f"{workload}: only {sessions} sessions more in the longer run")


def compare(workload, load, folder):
    found, wanted = per_session(ours, workload, load, folder), per_session(theirs, workload, load, folder)
    faults = []
    for name in sorted(set(found) | set(wanted)):
        mine, original = found.get(name, 0), wanted.get(name, 0)
        # Much less than once a session (of tbench: an operation): the second hand and the like.
        if max(mine, original) < 0.02:
            continue
        right = abs(mine - original) <= WITHIN * max(mine, original)
        print(f"{workload} {name}: {mine:.3f} a session, the original {original:.3f}{'' if right else '  <<<'}")
        if not right:
            faults.append(name)
    return [f"{workload}: {name}" for name in faults]


def main():
    for program in ("strace", "dbench", "tbench", "tbench_srv"):
        if not shutil.which(program):
            print(f"no {program} here")
            sys.exit(SKIPPED)
    if listens():
        print(f"port {PORT} is taken")
        sys.exit(SKIPPED)
    faults = []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        load = os.path.join(folder, "load")
        with open(load, "w", encoding="utf-8") as file:
            file.write(LOAD.lstrip())
        for workload in ONCE:
            faults += compare(workload, load, folder)
    if faults:
        sys.exit("not within 1 %: " + ", ".join(faults))


main()
