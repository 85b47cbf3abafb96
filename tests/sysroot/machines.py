# SPDX-License-Identifier: GPL-2.0-or-later
"""What perfwatt must find on each fake machine: written from the kernel's documentation, not from output.

A new tree needs a line in MACHINES, a new setting one in KNOBS (where it is) and one in VALUES (two
values to try); test_machines.py does the rest.
"""
MHZ, GHZ = 1000, 1000000

PINNED_LOW = "pinned to the minimum"
PINNED_HIGH = "pinned to the maximum"
OWN = "dynamic within limits"  # the driver's or the hardware's own algorithm: "powersave" of a setpolicy driver
LOAD = "dynamic, from sampled load"
SCHEDULER = "dynamic, from the scheduler's utilisation"


class Machine:
    """driver, mode: scaling_driver and what perfwatt calls its mode; means: of the governor in force;
    limits: the range that every policy has, kHz; governors: two to try."""

    def __init__(self, driver=None, mode=None, governor=None, means=None, limits=None, governors=None, cpus=4):
        self.driver, self.mode, self.governor, self.means = driver, mode, governor, means
        self.limits, self.governors, self.cpus = limits, governors, cpus
        self.amd = (driver or "").startswith("amd") or cpus == 2


def active(limits, cpus=4):
    return Machine("intel_pstate", "active", "powersave", OWN, limits, ("performance", "powersave"), cpus)


def amd(driver, mode, governor, means, governors):
    return Machine(driver, mode, governor, means, (400 * MHZ, 5881 * MHZ), governors)


MACHINES = {
    "intel-hwp-active": active((800 * MHZ, 3900 * MHZ)),
    "intel-desktop": active((800 * MHZ, 3900 * MHZ)),
    "intel-hybrid": active((400 * MHZ, 3400 * MHZ), 8),
    "intel-no-hwp-active": active((1200 * MHZ, 3400 * MHZ)),
    "server-256": active((800 * MHZ, 3800 * MHZ), 256),
    "intel-passive": Machine("intel_cpufreq", "passive", "schedutil", SCHEDULER, (800 * MHZ, 3900 * MHZ),
                             ("performance", "powersave")),
    "intel-off": Machine(),
    "acpi-cpufreq-intel": Machine("acpi-cpufreq", None, "ondemand", LOAD, (1200 * MHZ, 2601 * MHZ),
                                  ("powersave", "schedutil")),
    "acpi-cpufreq-boost": Machine("acpi-cpufreq", None, "ondemand", LOAD, (1400 * MHZ, 3400 * MHZ),
                                  ("powersave", "performance"), 2),
    "amd-pstate-epp": amd("amd-pstate-epp", "active", "powersave", OWN, ("performance", "powersave")),
    "amd-pstate-passive": amd("amd-pstate", "passive", "schedutil", SCHEDULER, ("powersave", "conservative")),
    "amd-pstate-guided": amd("amd-pstate", "guided", "schedutil", SCHEDULER, ("powersave", "conservative")),
    "arm-cppc": Machine("cppc_cpufreq", None, "mixed: schedutil (policy0), performance (policy4)", None,
                        (1000 * MHZ, 2600 * MHZ), ("ondemand", "performance"), 8),
    "inactive-policy": Machine("cpufreq-dt", None, "schedutil", SCHEDULER, (600 * MHZ, 1800 * MHZ),
                               ("ondemand", "performance"), 2),
    "vm-empty": Machine(cpus=2),
    "container-readonly": Machine("intel_pstate", "active", "powersave", OWN),
}

# Whether the fake machine's files cannot be written (the test sees to that): nothing is there then.
READ_ONLY = {"container-readonly"}
ALL = set(MACHINES) - READ_ONLY
HWP = {"intel-hwp-active", "intel-desktop", "intel-hybrid", "server-256"}
INTEL_PSTATE = HWP | {"intel-passive", "intel-no-hwp-active"}
INTEL = INTEL_PSTATE | {"intel-off", "acpi-cpufreq-intel"}
AMD_PSTATE = {"amd-pstate-epp", "amd-pstate-passive", "amd-pstate-guided"}
POLICIES = ALL - {"intel-off", "vm-empty"}
IDLE = ALL - {"vm-empty", "inactive-policy"}
KNOBS = {
    "affinity": set(MACHINES),
    "boost": INTEL_PSTATE | AMD_PSTATE | {"acpi-cpufreq-intel", "acpi-cpufreq-boost", "arm-cppc"},
    "cpu-max": set(),  # no control groups in these trees
    "cpuidle-disable": IDLE,
    "cpuidle-governor": IDLE,
    "driver-mode": INTEL_PSTATE | AMD_PSTATE,
    "energy-efficiency": {"intel-desktop"},
    "epb": INTEL,
    "epp": HWP | {"intel-passive", "amd-pstate-epp"},
    "governor": POLICIES,
    "governor-tunables": POLICIES | READ_ONLY,  # which files is told by the value
    "hwp-dynamic-boost": HWP - {"intel-desktop"},
    "latency": IDLE,
    "max-freq": POLICIES,
    "max-perf-pct": INTEL_PSTATE,
    "min-freq": POLICIES,
    "min-perf-pct": INTEL_PSTATE,
    "online": ALL,
    "platform-profile": AMD_PSTATE | {"intel-hybrid"},
    "power-limit": INTEL,
    "smt": INTEL | AMD_PSTATE | {"vm-empty"},
    "sysctl": set(MACHINES),
    "sysfs": set(MACHINES),
    "uncore-max": {"intel-hwp-active", "intel-passive", "server-256"},
    "uncore-min": {"intel-hwp-active", "intel-passive", "server-256"},
}


def middle(machine):
    """A frequency in the range, in whole MHz."""
    low, high = machine.limits
    return (low + high) // 2 // MHZ * MHZ


def freq(khz):
    return f"{khz // MHZ}MHz"


def deepest(machine):
    """The deepest idle state that every CPU has."""
    if machine.driver == "cppc_cpufreq":
        return "cpu-sleep"
    return "C1" if machine.amd else "C1E"


# Two values of each setting and how the record shows them; (value, shown), shown None = not looked at. Empty where
# it cannot stand beside the others: then a test of its own in test_limits.py.
VALUES = {
    "affinity": lambda m: [("0", "0"), ("all", "all")],  # of the machine that runs the test
    "boost": lambda m: [("off", False), ("on", True)],
    "cpuidle-disable": lambda m: [("none", "none"), (deepest(m), None)],
    "cpuidle-governor": lambda m: [("menu", "menu"), ("teo", "teo")],
    "driver-mode": lambda m: [("passive", "passive"), ("active", "active")],
    "energy-efficiency": lambda m: [("on", True), ("off", False)],
    "epb": lambda m: [("power", None), ("performance", None)],
    "epp": lambda m: [("performance", "performance"), ("power", "power")],
    "governor": lambda m: [(m.governors[0], m.governors[0]), (m.governors[1], m.governors[1])],
    "governor-tunables": lambda m: [],  # those of the governor in force, which the others change
    "hwp-dynamic-boost": lambda m: [("on", True), ("off", False)],
    "latency": lambda m: [("0us", 0), ("20us", 20000)],
    "max-freq": lambda m: [(freq(middle(m)), middle(m)), (freq(m.limits[1]), m.limits[1])],
    "max-perf-pct": lambda m: [("60%", 60), ("100%", 100)],
    "min-perf-pct": lambda m: [("40%", 40), ("50%", 50)],
    "online": lambda m: [("all", None), ("0" if m.cpus == 2 else f"0-{m.cpus - 2}", None)],
    "platform-profile": lambda m: [("performance", "performance"), ("balanced", "balanced")],
    "power-limit": lambda m: [("100W", None), ("120W", None)],
    "sysctl": lambda m: [({"vm.swappiness": 10}, None), ({"kernel.numa_balancing": 1}, None)],
    "sysfs": lambda m: [({"/sys/devices/system/cpu/isolated": "1"}, None), ({"/sys/devices/system/cpu/isolated": "0"}, None)],
    "smt": lambda m: [("off", "off"), ("on", "on")],
    "uncore-max": lambda m: [("2GHz", 2 * GHZ), ("2.4GHz", 2400 * MHZ)],
    "uncore-min": lambda m: [("1.2GHz", 1200 * MHZ), ("1.5GHz", 1500 * MHZ)],
    "min-freq": lambda m: [(freq(m.limits[0]), m.limits[0]), (freq(middle(m)), middle(m))],
    "min-perf-pct": lambda m: [("40%", 40), ("50%", 50)],
    "platform-profile": lambda m: [("low-power", "low-power"), ("performance", "performance")],
    "power-limit": lambda m: [("65W", 65000000), ("80.5W", 80500000)],
    "uncore-max": lambda m: [("2GHz", 2 * GHZ), ("1.8GHz", 1800 * MHZ)],
    "uncore-min": lambda m: [("1.5GHz", 1500 * MHZ), ("1.2GHz", 1200 * MHZ)],
}
