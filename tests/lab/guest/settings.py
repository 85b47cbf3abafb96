#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
settings.py DRIVER, in the guest: every setting is applied, holds while the workload runs, and is
put back; what a driver refuses is named. A new knob joins by one line of CASES.
"""
import os
import subprocess
import sys

import inside

DRIVER = sys.argv[1]
ACTIVE = ("intel-active", "amd-active")
NEWER = ("amd-pstate-6.12",)  # the driver of a kernel that can change its mode
CLASSIC = ("table", "acpi", "amd-pstate", *NEWER)
ALL = ACTIVE + CLASSIC
HYPERTHREADS = ("table",)  # the guest with two threads a core
POLICIES = "cpufreq/policy*/"
HUGE = "/sys/kernel/mm/transparent_hugepage/enabled"
ZONE = "/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw"

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
    ({"driver-mode": "guided"}, "amd_pstate/status", "guided", NEWER),
    ({"max-perf-pct": "50%"}, "intel_pstate/max_perf_pct", "50", ("intel-active",)),
    ({"min-perf-pct": "60%"}, "intel_pstate/min_perf_pct", "60", ("intel-active",)),
    ({"hwp-dynamic-boost": "on"}, "intel_pstate/hwp_dynamic_boost", "1", ("intel-active",)),
    ({"energy-efficiency": "on"}, "intel_pstate/energy_efficiency", "1", ("intel-active",)),
    ({"epb": "power"}, "cpu[0-9]*/power/energy_perf_bias", "power", ALL),
    ({"epb": 3}, "cpu[0-9]*/power/energy_perf_bias", "3", ALL),
    ({"platform-profile": "low-power"}, "$(cat /sys/firmware/acpi/platform_profile)", "low-power", ALL),
    ({"uncore-max": "1.8GHz"}, "intel_uncore_frequency/*/max_freq_khz", "1800000", ALL),
    ({"uncore-min": "1.5GHz"}, "intel_uncore_frequency/*/min_freq_khz", "1500000", ALL),
    ({"power-limit": "65W"}, f"$(cat {ZONE})", "65000000", ALL),
    ({"governor": "schedutil", "governor-tunables": {"rate_limit_us": 777}}, "cpufreq/schedutil/rate_limit_us",
     "777", CLASSIC),
    ({"governor": "ondemand", "governor-tunables": {"up_threshold": 70}}, "cpufreq/ondemand/up_threshold",
     "70", CLASSIC),
    ({"cpuidle-governor": "ladder"}, "cpuidle/current_governor", "ladder", ALL),
    ({"cpuidle-disable": "C6"}, "cpu[0-9]*/cpuidle/state2/disable", "1", ALL),
    ({"online": "0"}, "online", "0", ALL),
    ({"smt": "off"}, "smt/control", "off", HYPERTHREADS),
    ({"sysfs": {HUGE: "never"}}, f"$(cat {HUGE})", "always madvise [never]", ALL),
    ({"sysctl": {"vm.swappiness": 7}}, "$(cat /proc/sys/vm/swappiness)", "7", ALL),
    ({"latency": "20us"}, "$(od -A n -t d4 /dev/cpu_dma_latency)", "20", ALL),
    ({"affinity": "1"}, "$(sed -n 's/Cpus_allowed_list:.//p' /proc/self/status)", "1", ALL),
    ({"cpu-max": "50%"}, "$(cat /sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)/cpu.max)", f"{os.cpu_count() * 50000} 100000", ALL),
]

# Set, and a word of what is said when this driver refuses.
REFUSED = [
    ({"governor": "nonsense"}, "nonsense", ALL),
    ({"governor": "schedutil"}, "schedutil", ACTIVE),
    ({"governor": "performance", "epp": "power"}, "epp", ACTIVE),
    ({"epp": 77}, "77", ("amd-active",)),
    ({"driver-mode": "passive"}, "driver-mode", ("table", "acpi", "amd-pstate")),
    # The kernel tries it, fails, and leaves the machine without a driver.
    ({"driver-mode": "active"}, "driver-mode", NEWER),
    ({"power-limit": "500W"}, "power-limit", ALL),
    ({"uncore-max": "9GHz"}, "uncore-max", ALL),
    ({"online": "1"}, "online", ALL),
    ({"smt": "off"}, "smt", tuple(set(ALL) - set(HYPERTHREADS))),
    ({"governor-tunables": {"nothing": 1}}, "nothing", ALL),
    ({"cpuidle-disable": "C9"}, "C9", ALL),
    ({"sysfs": {HUGE: "sometimes"}}, "transparent_hugepage", ALL),
    ({"sysctl": {"vm.nothing": 1}}, "/vm/nothing", ALL),
    ({"platform-profile": "turbo"}, "turbo", ALL),
    ({"epp": "power"}, "epp", CLASSIC),
]


def lines_of(place):
    """Shell: prints what is there, one a line."""
    return f'echo "{place}"' if place.startswith("$") else f"cat {inside.CPU}/{place}"


def applied_and_restored():
    wanted = [case for case in CASES if DRIVER in case[3]]
    # Each configuration looks at its own place only: programs start slowly in the guest.
    script = "case $PERFWATT_CONFIG in "
    script += "".join(f"{number}) {lines_of(case[1])} ;; " for number, case in enumerate(wanted)) + "esac 2>&1"
    configs = [{"name": str(number), "set": case[0]} for number, case in enumerate(wanted)]
    session = inside.run(inside.config(configs, script), "--user", "root")
    faults = []
    for number, (chosen, place, expected, _) in enumerate(wanted):
        record = session.records.get(str(number), {})
        if record.get("status") != "ok":
            faults.append(f"{chosen}: {record.get('status')}: {record.get('reason')}")
            continue
        found = {line.strip() for line in session.output(str(number)).splitlines()}
        if found != {expected}:
            faults.append(f"{chosen}: {place} holds {found}")
    inside.need(not faults and session.code == 0, *faults, session.said[-400:] if not session.records else "")


def refusals_are_named():
    """All in one session: each configuration is skipped before it, or its run fails, with the reason."""
    wanted = [(chosen, word) for chosen, word, drivers in REFUSED if DRIVER in drivers]
    configs = [{"name": str(number), "set": chosen} for number, (chosen, _) in enumerate(wanted)]
    session = inside.run(inside.config([{"name": "as it is", "set": {}}, *configs], "true"))
    faults = []
    for number, (chosen, word) in enumerate(wanted):
        record, reason = session.records.get(str(number), {}), session.reason(str(number))
        if record.get("status") == "ok" or word not in reason:
            faults.append(f"{chosen}: {record.get('status')}: '{reason}' does not name {word}")
    inside.need(not faults, *faults, session.said[-800:] if not session.records else "")


def errors_of_the_driver():
    """Errors of the driver itself, in the middle of an application: named, and all is put back."""
    if DRIVER not in ACTIVE:
        return
    for fault, number, chosen, words in (
            ("epp_errno", 16, {"governor": "powersave", "epp": "power"}, "busy"),
            ("policy_errno", 22, {"governor": "performance"}, "Invalid argument"),
            ("policy_errno", 1, {"governor": "performance", "max-freq": "2GHz"}, "not permitted")):
        inside.fault(fault, number)
        try:
            session = inside.run(inside.config([{"name": "a", "set": chosen}], "true"))
        finally:
            inside.fault(fault, 0)
        inside.need(session.records.get("a", {}).get("status") != "ok", fault, number, session.said)
        inside.need(words in session.text("a"), fault, number, session.text("a"))


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
    script = f"for f in {inside.CPU}/cpufreq/policy*/scaling_governor; do echo powersave >$f; done; sleep 0.1"
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


def cpu_stays_away():
    """CPU 1 goes for good: the run is invalidated and says so, and the CPU is back at the end."""
    script = f"echo 0 >{inside.CPU}/cpu1/online; sleep 0.1"
    session = inside.run(inside.config([{"name": "a", "set": {"governor": "performance"}}], script), "--user", "root")
    record = session.records.get("a", {})
    inside.need(record.get("status") == "invalidated" and "cpu1" in record.get("reason", ""), record, session.said)


def results_on_a_full_disk():
    """Nowhere to write: said with its reason, and the settings are as before."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", "/mnt"], check=True)
    content = inside.config([{"name": "a", "set": {"governor": "performance"}}], "true")
    session = inside.run(content, results="/mnt/results")
    subprocess.run(["umount", "/mnt"], check=True)
    inside.need(session.code != 0 and "No space left" in session.said, session.code, session.said)


inside.main([applied_and_restored, refusals_are_named, errors_of_the_driver, without_privileges,
             changed_in_mid_run, cpu_leaves_in_mid_run, cpu_stays_away, results_on_a_full_disk])
