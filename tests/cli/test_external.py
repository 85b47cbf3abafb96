#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""dbench:external and tbench:external over stubs that print what the originals print, and fail as they do."""
import os
import socket

import rig
from rig import need

PORT = 7003
VERSION = '[ "$1" = --version ] && {{ echo "dbench version {} - Copyright"; echo "Invalid option" >&2; exit 1; }}\n'
ENDING = ("echo '   2  cleanup   3 sec'; echo; echo ' Operation      Count    AvgLat    MaxLat'\n"
          "echo ' NTCreateX     801234     0.021    19.812'; echo\n"
          "echo 'Throughput {} MB/sec  2 clients  2 procs  max_latency=21.004 ms'\n")


def progress(seconds):
    text = "echo 'failed to create barrier semaphore '\necho 'releasing clients'\n"
    text += "echo '   2       400    444.16 MB/sec  warmup   1 sec  latency 21.000 ms'; sleep 0.1\n"
    for second in range(1, seconds + 1):
        text += f"echo '   2      {second}010    453.54 MB/sec  execute {second:3} sec  latency 20.000 ms'; sleep 0.1\n"
    return text


def stub(place, script, name="dbench", version="4.00"):
    """A program in a folder of PATH; what it was called with goes into calls."""
    path = place.write("bin/" + name, "#!/bin/sh\n" + VERSION.format(version) + f'echo "$@" >>{place.path("calls")}\n'
                       + script)
    os.chmod(path, 0o755)
    place.write("calls", "")
    os.chmod(place.path("calls"), 0o666)
    os.makedirs(place.path("work"), exist_ok=True)
    os.chmod(place.path("work"), 0o777)


def entry(place, workload="dbench:external", **more):
    return {"workload": workload, "clients": [2], "time": "2s", "directory": place.path("work"), **more}


def measure(place, work, **repeat):
    place.fake("vm-empty")
    path = place.path("bin") + ":" + os.environ["PATH"]
    config = rig.config(work, repeat={"retry": 0, **repeat})
    return place.measure(config, env={"PATH": path})


def failing(place, script, *words, **more):
    stub(place, script)
    measure(place, entry(place, **more)).exits(3)
    record = place.records()[0]
    rig.equal(record["status"], "failed", record)
    for word in words:
        need(word in record["reason"], word, record["reason"])
    return record


def test_one_second_more_is_asked(place):
    stub(place, progress(3) + ENDING.format("386.306"))
    measure(place, entry(place)).exits(0)
    record = place.records()[0]
    rig.equal(record["status"], "ok", record)
    values = {metric["name"]: metric for metric in record["metrics"]}
    rig.equal(values["throughput"]["value"], 386.306)
    need(values["throughput"]["primary"] and values["throughput"]["unit"] == "MB/s", values)
    rig.equal(values["latency-max"]["value"], 21.004)
    rig.equal(record["window"]["kind"], "timed")
    window_s = (record["window"]["end_ns"] - record["window"]["start_ns"]) / 1e9
    need(0.25 < window_s < 5, window_s)
    need(abs(record["work"]["value"] / (386.306 * window_s) - 1) < 1e-6, record["work"])
    rig.equal(record["identity"]["version"], "4.00")
    with open(place.path("calls"), encoding="utf-8") as file:
        words = file.read().splitlines()[0].split()
    rig.equal(words[:3] + words[4:5] + words[-1:], ["-t", "3", "-c", "-D", "2"], words)
    need(words[5].startswith(place.path("work") + "/perfwatt-"), words)


def test_version_5_is_told_its_backend(place):
    stub(place, progress(2) + ENDING.format("1.2e+03"), version="5.00")
    measure(place, entry(place)).exits(0)
    rig.equal(place.records()[0]["metrics"][0]["value"], 1200)
    with open(place.path("calls"), encoding="utf-8") as file:
        need(file.read().startswith("-B fileio -t 3 "), "no backend")


def in_turn(place, broken):
    """Runs of 100, 100, a broken one, 200 and 200 MB/s: harmonic mean 133.33 of the four."""
    script = f'n=$(cat {place.path("turn")}); echo $((n + 1)) >{place.path("turn")}\n'
    script += "if [ $n = 3 ]; then\n" + progress(2) + broken + "fi\n" + progress(2)
    script += "[ $n -lt 3 ] && {\n" + ENDING.format("100.5") + "exit; }\n" + ENDING.format("200.5")
    stub(place, script)
    place.write("turn", "1")
    os.chmod(place.path("turn"), 0o666)
    result = measure(place, entry(place), blocks=5).exits(0)
    records = place.records()
    rig.equal([record["status"] for record in records], ["ok", "ok", "failed", "ok", "ok"])
    need("133.89" in result.out, "the harmonic mean of the four", result.out)
    return records[2]


def test_a_dead_client_is_no_zero(place):
    broken = ("echo '[1820] open ./clients/client2/CHAP10.DOC failed for handle 10017 (No such file or directory)'\n"
              "echo '(1821) ERROR: handle 10017 was not found'; echo 'Child failed with status 1'; exit 1\n")
    record = in_turn(place, broken)
    need("ended with status 1" in record["reason"], record["reason"])
    need("Child failed with status 1" in record["reason"], record["reason"])


def test_status_0_without_a_result(place):
    need("Throughput" in in_turn(place, "exit 0\n")["reason"])


def test_faults_with_status_0(place):
    failing(place, progress(2) + "echo '[12] read failed on handle 3 (Success)'\n" + ENDING.format("5"), "read failed")


def test_nothing_served(place):
    failing(place, "echo 'FAILED TO START 2 CLIENTS (started -1)'\n" + ENDING.format("0"), "FAILED TO START")


def test_throughput_0(place):
    failing(place, progress(2) + ENDING.format("0"), "throughput 0")


def test_other_number_of_clients(place):
    failing(place, progress(2) + ENDING.format("5").replace("2 clients", "1 clients"), "1 clients")


def test_two_results(place):
    failing(place, progress(2) + ENDING.format("5") * 2, "2 Throughput lines")


def test_never_ends(place):
    failing(place, "while :; do echo '   0  76538  0.00 MB/sec  warmup   1 sec  latency 1 ms'; sleep 0.1; done\n",
            "limit", timeout="3s")


def test_leaves_children_behind(place):
    failing(place, progress(2) + "sleep 986 &\n" + ENDING.format("5"), "left processes behind")


def test_is_no_dbench(place):
    path = place.write("bin/dbench", "#!/bin/sh\necho a database benchmark 2.1\n")
    os.chmod(path, 0o755)
    os.makedirs(place.path("work"))
    os.chmod(place.path("work"), 0o777)
    measure(place, entry(place)).exits(3)
    need("no dbench" in place.records()[0]["reason"], place.records()[0])


def test_refused_before_the_start(place):
    """No program, a time of broken seconds, a load file that the original would stumble over."""
    os.makedirs(place.path("work"))
    place.fake("vm-empty")
    env = {"PATH": "/nonexistent"}
    place.measure(rig.config(entry(place)), env=env).exits(77, "skipped: no dbench on PATH")
    place.measure(rig.config(entry(place, time="2.5s"))).exits(2, "whole seconds")
    stub(place, "exit 1\n")
    place.write("load", "Mkdir \"/x\" NT_STATUS_OK\nFoo \"/a\"\n")
    result = measure(place, entry(place, loadfile=place.path("load")))
    need(result.code != 0 and "line 2" in result.err + result.out, result)


def server(place, script=None):
    if script is None:
        script = ("exec python3 -c 'import socket, time; s = socket.socket(); "
                  "s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); "
                  f's.bind(("127.0.0.1", {PORT})); s.listen(); time.sleep(60)' + "'\n")
    path = place.write("bin/tbench_srv", "#!/bin/sh\n" + script)
    os.chmod(path, 0o755)


def test_tbench_and_its_server(place):
    stub(place, progress(2) + ENDING.format("70.5"), name="tbench")
    server(place)
    measure(place, entry(place, "tbench:external")).exits(0)
    record = place.records()[0]
    rig.equal(record["metrics"][0]["value"], 70.5)
    with open(place.path("calls"), encoding="utf-8") as file:
        need(file.read().split()[-2:] == ["2", "127.0.0.1"], "arguments")
    with socket.socket() as probe:
        need(probe.connect_ex(("127.0.0.1", PORT)) != 0, "the server is still there")


def test_tbench_server_ends_at_once(place):
    stub(place, progress(2) + ENDING.format("70.5"), name="tbench")
    server(place, "exit 3\n")
    measure(place, entry(place, "tbench:external")).exits(3)
    need("tbench_srv ended at once, with status 3" in place.records()[0]["reason"], place.records()[0])


def test_tbench_port_taken(place):
    stub(place, progress(2) + ENDING.format("70.5"), name="tbench")
    server(place)
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", PORT))
        other.listen()
        measure(place, entry(place, "tbench:external")).exits(3)
    need("port 7003" in place.records()[0]["reason"], place.records()[0])


rig.main(globals())
