# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests that run in the guest share: perfwatt, the machine's settings, waiting."""
import glob
import json
import os
import shutil
import subprocess
import sys
import time

PERFWATT = os.environ.get("PERFWATT", "perfwatt")
CPU = "/sys/devices/system/cpu"
PARAMETERS = "/sys/module/govlab/parameters"
# What must be as before after perfwatt; not what moves by itself or grows with loaded modules.
SETTINGS = ("cpufreq/policy*/*", "cpufreq/boost", "intel_pstate/*", "amd_pstate/*",
            "cpuidle/current_governor", "cpu[0-9]*/online", "intel_uncore_frequency/*/m*",
            "cpu[0-9]*/cpuidle/state*/disable", "cpu[0-9]*/power/energy_perf_bias")
MOVING = ("scaling_cur_freq", "cpuinfo_cur_freq", "cpuinfo_avg_freq", "scaling_available_governors",
          "scaling_setspeed")
LIMIT = 60


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError as error:
        return f"<{error.strerror}>"


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def fault(name, value):
    write(f"{PARAMETERS}/{name}", str(value))


def snapshot():
    paths = [path for pattern in SETTINGS for path in glob.glob(f"{CPU}/{pattern}")]
    return {path: read(path) for path in sorted(paths)
            if os.path.isfile(path) and os.path.basename(path) not in MOVING}


def difference(before):
    now = snapshot()
    return {path: (before.get(path), now.get(path)) for path in sorted(set(now) | set(before))
            if now.get(path) != before.get(path)}


def need(condition, *details):
    if not condition:
        raise AssertionError(" | ".join(str(detail) for detail in details))


def wait_until(condition, what, limit=LIMIT):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what() if callable(what) else what} (within {limit} s)")
        time.sleep(0.02)


def shell(script, **more):
    """A workload that runs a shell script."""
    return {"workload": "exec", "name": "script", "directory": "/tmp", "command": ["sh", "-c", script], **more}


def config(configs, script, **more):
    return {"name": "lab", "configs": configs, "idle": False, "workloads": [shell(script)],
            "repeat": {"blocks": 1, "warmup": 0, "settle": "0s", "retry": 0}, **more}


def start(content, results, *arguments, before=()):
    shutil.rmtree(results, ignore_errors=True)
    path = results + ".json"
    write(path, json.dumps(content))
    return subprocess.Popen([*before, PERFWATT, "run", path, "-o", results, *arguments],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Session:
    """An ended `perfwatt run`: exit code, what it said, records by configuration."""

    def __init__(self, process, results):
        out, err = process.communicate(timeout=None)
        self.code, self.said = process.returncode, (out + err).decode(errors="replace")
        self.records, self.results = {}, results
        if os.path.exists(results + "/runs.jsonl"):
            with open(results + "/runs.jsonl", encoding="utf-8") as file:
                for line in file:
                    record = json.loads(line)
                    self.records[record["config"]] = record

    def output(self, name):
        return read(f"{self.results}/raw/{self.records[name]['id']}.out")

    def reason(self, name):
        """Why a configuration was skipped, or its run failed."""
        with open(self.results + "/session.json", encoding="utf-8") as file:
            skipped = {item["name"]: item.get("skipped", "") for item in json.load(file)["plan"]["configs"]}
        return skipped.get(name, "") + self.records.get(name, {}).get("reason", "")

    def text(self, name):
        """All that was said about a configuration."""
        return json.dumps(self.records.get(name, {})) + self.said


def run(content, *arguments, results="/tmp/lab-results", before=()):
    return Session(start(content, results, *arguments, before=before), results)


def main(tests):
    """Runs the functions; a failure is printed, the others go on."""
    failed = 0
    for test in tests:
        begun = time.monotonic()
        before = snapshot()
        try:
            test()
            need(not difference(before), f"the machine is not as before: {difference(before)}")
            verdict = "ok"
        except Exception as error:  # whatever it is, the other tests go on
            verdict, failed = f"FAIL: {type(error).__name__}: {error}", failed + 1
        print(f"{test.__name__} ({time.monotonic() - begun:.1f} s): {verdict}", flush=True)
    sys.exit(1 if failed else 0)
