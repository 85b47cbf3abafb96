#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
settings.py DRIVER, in the guest: every setting is applied, holds while the workload runs, and is
put back; what a driver refuses is named. A new knob joins by one line of CASES.
"""
import sys

import inside

DRIVER = sys.argv[1]
ACTIVE = ("intel-active", "amd-active")
CLASSIC = ("table", "acpi", "amd-pstate")
ALL = ACTIVE + CLASSIC
POLICIES = "cpufreq/policy*/"

# Set, what to read while the workload runs (below /sys/devices/system/cpu, or a command), what
# must be there on every line, and the drivers that have it.
CASES = [
    ({"governor": "performance"}, POLICIES + "scaling_governor", "performance", ALL),
    ({"governor": "powersave"}, POLICIES + "scaling_governor", "powersave", ALL),
    ({"governor": "schedutil"}, POLICIES + "scaling_governor", "schedutil", CLASSIC),
    ({"governor": "ondemand"}, POLICIES + "scaling_governor", "ondemand", CLASSIC),
    ({"governor": "conservative"}, POLICIES + "scaling_governor", "conservative", CLASSIC),
    ({"max-freq": "2GHz"}, POLICIES + "scaling_max_freq", "2000000", ALL),
    ({"min-freq": "1.2GHz"}, POLICIES + "scaling_min_freq", "1200000", ALL),
    ({"boost": "off"}, "cpufreq/boost", "0", ("table", "amd-pstate")),
    ({"boost": "off"}, "intel_pstate/no_turbo", "1", ("intel-active",)),
    ({"governor": "powersave", "epp": "power"}, POLICIES + "energy_performance_preference", "power", ACTIVE),
    ({"governor": "powersave", "epp": 77}, POLICIES + "energy_performance_preference", "77", ("intel-active",)),
    ({"driver-mode": "passive", "governor": "schedutil"}, POLICIES + "scaling_driver", "intel_cpufreq",
     ("intel-active",)),
    ({"driver-mode": "passive", "governor": "schedutil"}, POLICIES + "scaling_governor", "schedutil", ACTIVE),
    ({"cpuidle-governor": "ladder"}, "cpuidle/current_governor", "ladder", ALL),
    ({"latency": "20us"}, "$(od -A n -t d4 /dev/cpu_dma_latency)", "20", ALL),
    ({"affinity": "1"}, "$(sed -n 's/Cpus_allowed_list:.//p' /proc/self/status)", "1", ALL),
    ({"cpu-max": "50%"}, "$(cat /sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)/cpu.max)", "100000 100000", ALL),
]

# Set, and a word of what is said when this driver refuses.
REFUSED = [
    ({"governor": "nonsense"}, "nonsense", ALL),
    ({"governor": "schedutil"}, "schedutil", ACTIVE),
    ({"governor": "performance", "epp": "power"}, "epp", ACTIVE),
    ({"epp": 77}, "77", ("amd-active",)),
    ({"driver-mode": "passive"}, "driver-mode", ("table", "acpi")),
    ({"epp": "power"}, "epp", CLASSIC),
]


def lines_of(place):
    """Shell: prints what is there, one a line."""
    return f'echo "{place}"' if place.startswith("$") else f"cat {inside.CPU}/{place}"


def applied_and_restored():
    wanted = [case for case in CASES if DRIVER in case[3]]
    places = sorted({case[1] for case in wanted})
    script = "; ".join(f'echo "@{number}"; {lines_of(place)} || exit 1' for number, place in enumerate(places))
    # Some places are there in one configuration only.
    script = script.replace(" || exit 1", " 2>&1 || :")
    configs = [{"name": str(number), "set": case[0]} for number, case in enumerate(wanted)]
    session = inside.run(inside.config(configs, script), "--user", "root")
    faults = []
    for number, (chosen, place, expected, _) in enumerate(wanted):
        record = session.records.get(str(number), {})
        if record.get("status") != "ok":
            faults.append(f"{chosen}: {record.get('status')}: {record.get('reason')}")
            continue
        parts = session.output(str(number)).split("@")[1:]
        found = {line.strip() for line in parts[places.index(place)].splitlines()[1:]}
        if found != {expected}:
            faults.append(f"{chosen}: {place} holds {found}")
    inside.need(not faults and session.code == 0, *faults, session.said[-400:] if not session.records else "")


def refusals_are_named():
    for chosen, word, drivers in REFUSED:
        if DRIVER not in drivers:
            continue
        configs = [{"name": "as it is", "set": {}}, {"name": "refused", "set": chosen}]
        session = inside.run(inside.config(configs, "true"))
        record = session.records.get("refused", {})
        inside.need(record.get("status") != "ok", f"{chosen} passed as set")
        inside.need(word in session.text("refused"), f"{chosen}: the reason does not name {word}", session.said)


def errors_of_the_driver():
    """EBUSY from the driver itself, in the middle of an application."""
    if DRIVER not in ACTIVE:
        return
    inside.fault("epp_errno", 16)
    try:
        session = inside.run(inside.config([{"name": "a", "set": {"governor": "powersave", "epp": "power"}}], "true"))
    finally:
        inside.fault("epp_errno", 0)
    inside.need(session.records.get("a", {}).get("status") != "ok", session.said)
    inside.need("busy" in session.text("a"), session.text("a"))


def without_privileges():
    """EACCES on the settings: said, and nothing is touched."""
    before = inside.snapshot()
    session = inside.run(inside.config([{"name": "a", "set": {"governor": "performance", "max-freq": "2GHz"}}], "true"),
                         results="/tmp/lab-nobody",
                         before=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
    inside.need(session.code != 0, session.said)
    inside.need(not inside.difference(before), inside.difference(before))


def changed_in_mid_run():
    """Another program sets the governor: the run is invalidated, and the setting is named."""
    other = {"table": "powersave", "acpi": "powersave", "amd-pstate": "powersave"}.get(DRIVER, "powersave")
    script = f"for f in {inside.CPU}/cpufreq/policy*/scaling_governor; do echo {other} >$f; done; sleep 0.1"
    session = inside.run(inside.config([{"name": "a", "set": {"governor": "performance"}}], script), "--user", "root")
    record = session.records.get("a", {})
    inside.need(record.get("status") == "invalidated" and "governor" in record.get("reason", ""), record, session.said)


def cpu_leaves_in_mid_run():
    """CPU 1 goes and comes back: no crash, all settings put back, the run does not pass silently."""
    script = f"echo 0 >{inside.CPU}/cpu1/online; sleep 0.2; echo 1 >{inside.CPU}/cpu1/online; sleep 0.1"
    session = inside.run(inside.config([{"name": "a", "set": {"governor": "performance"}}], script), "--user", "root")
    record = session.records.get("a", {})
    odd = record.get("status") != "ok" or record.get("warnings") or record.get("unavailable")
    inside.need(odd, "the run passed as if nothing had happened", record)


inside.main([applied_and_restored, refusals_are_named, errors_of_the_driver, without_privileges,
             changed_in_mid_run, cpu_leaves_in_mid_run])
