#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Our tbench and dbench against the ones installed on this machine (dbench 4.0).

Both execute the same load file; the runs are interleaved (ours, theirs, theirs, ours ...), and each
pair gives one ratio of throughputs. Printed is the median of the ratios with its range.

    bench/engines.py --run build/release/tests/integration/engine_run [--workload tbench]
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

LOADFILE = "/usr/share/dbench/client.txt"
PORT = 7003  # of tbench_srv, fixed there


def ours(args, clients, profile):
    """MB/s of one run of our engine."""
    command = [args.run, args.workload, f"clients={clients}", f"time={args.time}s",
               f"warmup={max(1, args.time // 5)}s", f"profile={profile}",
               f"loadfile={args.loadfile}"]
    environment = dict(os.environ, TMPDIR=args.directory)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(re.search(r"^throughput (\S+) MB/s$", done.stdout, re.M).group(1))


def wait_for_server(server):
    """Until the port is listened on: state 0A in the kernel's table."""
    wanted = f":{PORT:04X} "
    limit = time.monotonic() + 10
    while time.monotonic() < limit and server.poll() is None:
        with open("/proc/net/tcp", encoding="ascii") as table:
            if any(wanted in line and line.split()[3] == "0A" for line in table):
                return
        time.sleep(0.01)
    sys.exit("tbench_srv does not listen")


def theirs(args, clients):
    """MB/s of one run of dbench 4.0, which measures one second less than it is told."""
    options = ["-t", str(args.time + 1), "-c", args.loadfile]
    server = None
    if args.workload == "tbench":
        # A group to be killed, but no session of its own: the scheduler shares out CPU time by
        # sessions (autogroup), and clients and servers have to stand in one, as ours do.
        server = subprocess.Popen(["tbench_srv"], stdout=subprocess.DEVNULL, process_group=0)
        wait_for_server(server)
        command = ["tbench", *options, str(clients), "127.0.0.1"]
    else:
        command = ["dbench", *options, "-D", args.directory, str(clients)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    finally:
        if server:
            os.killpg(server.pid, 9)
            server.wait()
    found = re.search(r"^Throughput (\S+) MB/sec", done.stdout, re.M)
    if not found or float(found.group(1)) <= 0:
        sys.exit(f"no throughput in: {done.stdout}{done.stderr}")
    return float(found.group(1))


def measure(args, clients, profile):
    """Ratios ours / theirs and the two medians in MB/s."""
    ratios, mine, other = [], [], []
    for pair in range(args.pairs):
        if pair % 2 == 0:
            mine.append(ours(args, clients, profile))
            other.append(theirs(args, clients))
        else:
            other.append(theirs(args, clients))
            mine.append(ours(args, clients, profile))
        ratios.append(mine[-1] / other[-1])
    return ratios, statistics.median(mine), statistics.median(other)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", required=True, help="the engine_run program")
    parser.add_argument("--workload", choices=["tbench", "dbench"], default="tbench")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--profiles", nargs="+", default=["v4", "mmtests"])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--time", type=int, default=3, help="seconds measured per run")
    parser.add_argument("--loadfile", default=LOADFILE)
    parser.add_argument("--directory", help="where dbench works (default: a new one in /dev/shm)")
    parser.add_argument("--cpu", type=int, help="run all on this CPU: far less noise on a busy"
                        " or virtual machine")
    args = parser.parse_args()
    if args.cpu is not None:
        os.sched_setaffinity(0, {args.cpu})
    with tempfile.TemporaryDirectory(dir=args.directory or "/dev/shm") as directory:
        args.directory = directory
        print("workload  clients  profile   ours MB/s  theirs MB/s  median ratio  range")
        for clients in args.clients:
            for profile in args.profiles:
                ratios, mine, other = measure(args, clients, profile)
                print(f"{args.workload:8}  {clients:7}  {profile:8}  {mine:9.1f}  {other:11.1f}"
                      f"  {statistics.median(ratios):12.3f}  {min(ratios):.3f}-{max(ratios):.3f}",
                      flush=True)


if __name__ == "__main__":
    main()
