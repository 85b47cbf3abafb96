#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Workloads that misbehave: each is that one run's failure, and the session goes on."""
import os
import stat

import rig
from rig import need

GOOD = rig.shell("echo rate: 7", name="good")
ONCE = {"retry": 0}


def beside_a_good_one(place, bad, reason, status="failed"):
    """The bad entry's run has failed with `reason`, the good one's is fine, exit 3."""
    result = place.measure(rig.config(bad, GOOD, repeat=ONCE)).exits(3, f"no valid run of {bad['name']}")
    records = {record["name"]: record for record in place.records()}
    rig.equal(records["good"]["status"], "ok")
    rig.equal(records[bad["name"]]["status"], status)
    need(reason in records[bad["name"]]["reason"], records[bad["name"]]["reason"])
    need(reason in result.err and reason in result.out, reason, result)
    need(len(result.out) < 20000 and "\0" not in result.out + result.err, len(result.out))
    return records[bad["name"]]


def raw(place, record, ending="out"):
    return place.path("results/raw", f"{record['id']}.{ending}")


def test_exit_status(place):
    place.fake("vm-empty")
    record = beside_a_good_one(place, rig.shell("echo rate: 5; echo oh no >&2; exit 7"), "exit status 7")
    rig.equal(record["exit"], 7)
    need("oh no" in record["reason"], record["reason"])
    with open(raw(place, record, "err"), encoding="utf-8") as file:
        rig.equal(file.read(), "oh no\n")


def test_killed_by_a_signal(place):
    place.fake("vm-empty")
    rig.equal(beside_a_good_one(place, rig.shell("echo rate: 5; kill -SEGV $$"), "signal 11")["exit"], 139)


def test_hangs(place):
    """Ended at its limit, with its children, also where they ignore what can be ignored."""
    place.fake("vm-empty")
    script = "trap '' TERM INT HUP; (trap '' TERM INT HUP; setsid sleep 985) & sleep 985"
    record = beside_a_good_one(place, rig.shell(script, timeout="1s"), "limit of 1s")
    need(1e9 <= record["elapsed_ns"] < 15e9, record["elapsed_ns"])


def test_endless_output(place):
    place.fake("vm-empty")
    record = beside_a_good_one(place, rig.shell("yes", timeout="60s"), "MiB")
    size = os.path.getsize(raw(place, record))
    need(32 << 20 <= size <= 512 << 20, size)


def test_much_output(place):
    """100 MB before the result: taken or refused with its reason, never a crash or a hang."""
    place.fake("vm-empty")
    entry = rig.shell("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo rate: 5", name="much")
    result = place.measure(rig.config(entry, GOOD, repeat=ONCE))
    records = {record["name"]: record for record in place.records()}
    rig.equal(records["good"]["status"], "ok")
    if result.code == 0:
        rig.equal(records["much"]["metrics"][0]["value"], 5)
    else:
        result.exits(3, "MiB")
        need("MiB" in records["much"]["reason"], records["much"])


def test_garbage_output(place):
    """Bytes that are no text, beside a result: the result counts, the bytes are kept as they are."""
    place.fake("vm-empty")
    script = "printf 'a\\0b\\377\\033[31m\\n'; head -c 100000 /dev/urandom; printf '\\nrate: 5\\n\\0\\0'"
    place.measure(rig.config(rig.shell(script))).exits(0)
    record, = place.records()
    rig.equal(record["metrics"][0]["value"], 5)
    with open(raw(place, record), "rb") as file:
        content = file.read()
    need(content.startswith(b"a\0b\xff\x1b[31m\n") and content.endswith(b"rate: 5\n\0\0"), content[:20])


def test_garbage_in_a_reason(place):
    place.fake("vm-empty")
    result = place.measure(rig.config(rig.shell("printf 'x\\033[31m\\0\\377y\\n' >&2; exit 1", name="bad"), repeat=ONCE))
    result.exits(3)
    need(not any(character in result.out + result.err for character in "\x1b\0"), repr(result.err))
    place.run("report", place.path("results")).exits(0)
    place.run("show", place.path("results"), "--json").exits(0).json()


def test_a_daemon_is_ended(place):
    """A child that outlives the command, in a session of its own, without its pipes."""
    place.fake("vm-empty")
    script = "setsid sh -c 'sleep 984 & exec sleep 984' >/dev/null 2>&1 </dev/null & sleep 0.2; echo rate: 5"
    place.measure(rig.config(rig.shell(script))).exits(0)
    record, = place.records()
    rig.equal(record["status"], "ok")
    need(any("left behind" in warning for warning in record["warnings"]), record)
    need(record["elapsed_ns"] < 15e9, record)


def test_a_daemon_that_keeps_the_pipes(place):
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell("sleep 983 & echo rate: 5"))).exits(0)
    record, = place.records()
    need(record["elapsed_ns"] < 15e9 and record["metrics"][0]["value"] == 5, record)
    need(any("left behind" in warning for warning in record["warnings"]), record)


def test_fork_storm(place):
    place.fake("vm-empty")
    script = "i=0; while [ $i -lt 200 ]; do setsid sleep 982 & i=$((i + 1)); done; echo rate: 5"
    place.measure(rig.config(rig.shell(script))).exits(0)
    need(any("left behind" in warning for warning in place.records()[0]["warnings"]), place.records())


def test_closed_stdin_and_stdout(place):
    place.fake("vm-empty")
    script = "read x && echo 'rate: 1' || echo 'rate: 2'; exec >&- 2>&-; sleep 0.1"
    place.measure(rig.config(rig.shell(script))).exits(0)
    rig.equal(place.records()[0]["metrics"][0]["value"], 2)


def test_command_not_found(place):
    """Exit 2 before the first run."""
    place.fake("vm-empty")
    for command in ("no-such-program", "./no-such-program", "/no/such/program"):
        bad = {"workload": "exec", "name": "bad", "command": [command]}
        result = place.measure(rig.config(GOOD, bad)).exits(2, "bad", command)
        need("hint:" in result.err, result)
        need(not os.path.exists(place.path("results")), os.listdir(place.top))


def test_command_that_cannot_run(place):
    place.fake("vm-empty")
    place.write("data", "no program\n")
    place.measure(rig.config({"workload": "exec", "name": "bad", "command": ["./data"]})).exits(2, "data")
    place.measure(rig.config({"workload": "exec", "name": "bad", "command": [place.top]})).exits(2, place.top)
    place.write("broken", "#!/no/such/interpreter\n")
    os.chmod(place.path("broken"), 0o755)
    bad = {"workload": "exec", "name": "bad", "command": ["./broken"]}
    place.measure(rig.config(bad, repeat=ONCE)).exits(3)
    need("execute ./broken" in place.records()[0]["reason"], place.records())


def test_a_folder_that_the_user_cannot_enter(place):
    if os.geteuid() != 0:
        raise rig.Skip("only root runs workloads as another user")
    place.fake("vm-empty")
    closed = place.path("closed")
    os.mkdir(closed, 0o700)
    place.write("closed/tool", "#!/bin/sh\necho rate: 5\n")
    os.chmod(place.path("closed/tool"), 0o755)
    for entry in ({"command": [place.path("closed/tool")]}, {"command": ["sh", "-c", "echo rate: 5"], "directory": closed},
                  {"command": ["./tool"], "directory": "closed"}):
        entry.update(workload="exec", name="closed", metrics=[rig.RATE])
        place.measure(rig.config(entry)).exits(2, "nobody", "closed", "--user root")
        need(not os.path.exists(place.path("results")), entry)
    del entry["directory"]
    config = place.write("closed/config.json", rig.config(entry))
    place.run("run", config, "-o", place.path("results")).exits(2, "nobody", "--user root")
    place.run("run", config, "-o", place.path("results"), "--user", "no-such-user").exits(2, "no-such-user")
    place.run("run", config, "-o", place.path("results"), "--user", "root").exits(0)
    rig.equal(place.records()[0]["metrics"][0]["value"], 5)


def test_workloads_run_as_another_user(place):
    if os.geteuid() != 0:
        raise rig.Skip("only root runs workloads as another user")
    place.fake("vm-empty")
    who = rig.shell("id -un; id -Gn; echo $HOME $USER; grep ^Cap /proc/self/status; ls -ld $PERFWATT_WORKDIR; echo rate: 1")
    place.measure(rig.config(who)).exits(0)
    with open(raw(place, place.records()[0]), encoding="utf-8") as file:
        lines = file.read().split("\n")
    rig.equal(lines[0], "nobody")
    need("root" not in lines[1].split() and "root" not in lines[2], lines)
    need(all(line.split()[1] == "0" * 16 for line in lines if line.startswith(("CapPrm", "CapEff"))), lines)
    need(any(line.startswith("drwx------") and " nobody " in line for line in lines), lines)
    place.measure(rig.config(who, user="daemon"), folder="other").exits(0)
    with open(place.path("other/raw/r0001.out"), encoding="utf-8") as file:
        rig.equal(file.readline(), "daemon\n")


def test_the_command_sees_its_place(place):
    place.fake("vm-empty")
    entry = rig.shell("test -d \"$PERFWATT_WORKDIR\" && env | grep ^PERFWATT_ | sort; echo rate: {n}",
                      sweep={"n": [3]})
    place.measure(rig.config(entry), env={"PERFWATT_SECRET": "x"}).exits(0)
    with open(raw(place, place.records()[0]), encoding="utf-8") as file:
        found = dict(line.split("=", 1) for line in file.read().split("\n") if "=" in line)
    workdir = found.pop("PERFWATT_WORKDIR")
    rig.equal(found, {"PERFWATT_BLOCK": "1", "PERFWATT_CONFIG": "as it is", "PERFWATT_POINT": '{"n":3}',
                      "PERFWATT_WORKLOAD": "exec"})
    need(not os.path.exists(workdir), workdir)
    rig.equal(place.records()[0]["point"], {"n": 3})


def counting(place, script):
    """A shell entry that knows in $n which of its runs this is."""
    folder = place.path("count")
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO)
    return rig.shell(f"echo >> {folder}/n; n=$(wc -l < {folder}/n); {script}")


def test_retry(place):
    """What fails once is repeated at the end of its block, and both are recorded."""
    place.fake("vm-empty")
    entry = counting(place, "[ $n = 1 ] && exit 1; echo rate: $n")
    place.measure(rig.config(entry, blocks=2)).exits(0, "repeated: 1")
    rig.equal([(record["block"], record["status"]) for record in place.records()],
              [(1, "failed"), (1, "ok"), (2, "ok")])
    rig.equal(len({record["id"] for record in place.records()}), 3)


def test_no_retry_and_short(place):
    """A cell with fewer runs than declared is noted as short; the exit code stays 0."""
    place.fake("vm-empty")
    entry = counting(place, "[ $n = 2 ] && exit 1; echo rate: $n")
    place.measure(rig.config(entry, blocks=3, repeat=ONCE)).exits(0, "short", "2 of 3")
    rig.equal([record["status"] for record in place.records()], ["ok", "failed", "ok"])


def test_retries_have_an_end(place):
    place.fake("vm-empty")
    place.measure(rig.config(rig.shell("exit 1"), GOOD, blocks=2, repeat={"retry": 2})).exits(3, "no valid run of work")
    bad = [record for record in place.records() if record["name"] == "work"]
    rig.equal(len(bad), 6)


def test_results_from_files(place):
    """A metric may stand in a file; one that an earlier run left there is no result of this one."""
    place.fake("vm-empty")
    metric = dict(rig.RATE, **{"from": "count/result"})
    entry = counting(place, f"[ $n = 2 ] || echo rate: $n >{place.path('count')}/result; sleep 0.1")
    entry["metrics"] = [metric]
    place.measure(rig.config(entry, blocks=3, repeat=ONCE)).exits(0, "2 of 3")
    rig.equal([record["status"] for record in place.records()], ["ok", "failed", "ok"])
    rig.equal([record["metrics"][0]["value"] for record in place.records() if record["status"] == "ok"], [1, 3])
    need("result" in place.records()[1]["reason"], place.records()[1])


def test_native_workloads(place):
    """Their servers end with them (and so do the ports: these have no other owner)."""
    place.fake("vm-empty")
    content = rig.config({"workload": "tbench", "clients": [2], "time": "1s", "warmup": "0s"},
                         {"workload": "dbench", "clients": [2], "time": "1s", "warmup": "0s"})
    place.measure(content).exits(0)
    rig.equal([record["status"] for record in place.records()], ["ok", "ok"])
    for record in place.records():
        need(record["metrics"][0]["value"] > 0 and record["window"]["own_ns"] > 0.9e9, record)


if __name__ == "__main__":
    rig.main(globals())
