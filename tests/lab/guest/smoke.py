#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""In the guest: every interface of govlab is there and tells the story of the model, and the timeline works."""
import glob
import os
import struct
import time

import inside
from inside import need, read

CAP = "/sys/class/powercap"
ENERGY_STATUS, UNITS = 0x611, 0x606


def number(path):
    return int(read(path))


def package_uj(package=0):
    for zone in glob.glob(CAP + "/intel-rapl:*"):
        if read(zone + "/name") == f"package-{package}":
            return number(zone + "/energy_uj")
    raise AssertionError(f"no zone package-{package}")


def register(cpu, offset):
    fd = os.open(f"/dev/cpu/{cpu}/msr", os.O_RDONLY)
    try:
        return struct.unpack("<Q", os.pread(fd, 8, offset))[0]
    finally:
        os.close(fd)


def msr_joules(cpu):
    return register(cpu, ENERGY_STATUS) / (1 << (register(cpu, UNITS) >> 8 & 31))


def parts_are_there():
    wanted = ["cpufreq/policy0/scaling_governor", "cpufreq/boost", "cpuidle/current_driver",
              "cpu0/thermal_throttle/core_throttle_count",
              "intel_uncore_frequency/package_00_die_00/max_freq_khz"]
    gone = [path for path in wanted if read(f"{inside.CPU}/{path}").startswith("<")]
    need(not gone, f"missing: {gone}")
    names = {read(path) for path in glob.glob("/sys/class/hwmon/hwmon*/name")}
    need({"amd_energy", "power_meter"} <= names, names)
    for pmu in ("power", "msr"):
        need(os.path.isdir(f"/sys/bus/event_source/devices/{pmu}/events"), pmu)
    need(read(inside.CPU + "/cpuidle/current_driver") == "govlab_idle")


def sources_agree():
    """The same joules by powercap and by MSR, whatever the load."""
    uj, joules = package_uj(), msr_joules(0)
    time.sleep(1.5)
    by_powercap, by_msr = (package_uj() - uj) / 1e6, msr_joules(0) - joules
    need(by_powercap > 8, f"{by_powercap} J: less than the uncore alone draws in 1.5 s")
    need(abs(by_powercap / by_msr - 1) < 0.05, by_powercap, by_msr)


def sockets_have_their_own():
    """Load on the last package moves its energy more than the first one's."""
    packages = {read(p) for p in glob.glob(inside.CPU + "/cpu[0-9]*/topology/physical_package_id")}
    if len(packages) < 2:
        return
    last = os.cpu_count() - 1
    before = package_uj(0), package_uj(1)
    child = os.fork()
    if child == 0:
        os.sched_setaffinity(0, {last})
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            pass
        os._exit(0)
    os.waitpid(child, 0)
    grown = package_uj(0) - before[0], package_uj(1) - before[1]
    need(grown[1] > grown[0], grown)


def overlapping_zones():
    """With psys and mmio: both are there, and perfwatt counts the packages once."""
    names = [read(zone + "/name") for zone in glob.glob(CAP + "/intel-rapl*:*")]
    if "psys" not in names:
        return
    need(names.count("package-0") == 2 and names.count("package-1") == 2, names)
    session = inside.run(inside.config([{"name": "a", "set": {}}], "sleep 0.5"))
    energy = session.records["a"]["energy"]
    need(energy["counted"] == ["package-0", "package-1"], energy)
    domains = energy["domains"]
    need(domains["psys"] > domains["package-0"] + domains["package-1"] == energy["total_uj"], energy)


def timeline():
    fault = inside.PARAMETERS + "/energy_errno"
    inside.write(inside.PARAMETERS + "/timeline", "# a fault that passes\n100 energy_errno 5\n600 energy_errno 0\n")
    need(read(fault) == "0", "too early")
    inside.wait_until(lambda: read(fault) == "5", "the fault")
    zone = glob.glob(CAP + "/intel-rapl:0/energy_uj")[0]
    need(read(zone) == "<Invalid argument>", "powercap gives EINVAL for any error of its driver", read(zone))
    inside.wait_until(lambda: read(fault) == "0", "the fault's end")
    for wrong in ("soon energy_errno 5", "5 energy_errno", "5 nothing 1"):
        try:
            inside.write(inside.PARAMETERS + "/timeline", wrong)
        except OSError:
            continue
        raise AssertionError(f"the timeline took '{wrong}'")


def chips_fail():
    """Both chips of hwmon are readable, and give the errno asked for."""
    values = glob.glob("/sys/class/hwmon/hwmon*/power1_average") + glob.glob("/sys/class/hwmon/hwmon*/energy1_input")
    need(len(values) >= 2 and all(number(path) > 0 for path in values), values)
    inside.fault("hwmon_errno", 61)
    try:
        need(all(read(path) == "<No data available>" for path in values), [read(path) for path in values])
    finally:
        inside.fault("hwmon_errno", 0)


def throttling_counts():
    counter = inside.CPU + "/cpu0/thermal_throttle/core_throttle_count"
    governor = inside.CPU + "/cpufreq/policy0/scaling_governor"
    was, saved = number(counter), read(governor)
    inside.write(governor, "performance")
    inside.fault("throttle_khz", 1200000)
    try:
        inside.wait_until(lambda: number(counter) > was, "a throttle event")
        need(number(inside.CPU + "/cpufreq/policy0/cpuinfo_cur_freq") == 1200000, "the clock is not throttled")
        need(number(inside.CPU + "/cpufreq/policy0/scaling_max_freq") == 3600000, "the request has changed")
    finally:
        inside.fault("throttle_khz", 0)
        inside.write(governor, saved)


def idle_states_are_used():
    usage = inside.CPU + "/cpu0/cpuidle/state2/usage"
    before = number(usage)
    inside.wait_until(lambda: number(usage) > before, "an entry into C6")


inside.main([parts_are_there, sources_agree, sockets_have_their_own, overlapping_zones, timeline, chips_fail,
             throttling_counts, idle_states_are_used])
