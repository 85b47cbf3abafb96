# SPDX-License-Identifier: GPL-2.0-or-later
"""
The truth, worked out on paper and not asked of the module or of perfwatt: the power law, the
frequency table, and the speed of the guest's clock under --icount.
"""
MAX_MHZ, MIN_MHZ, BASE_MHZ = 3600.0, 1200.0, 2400.0
UNCORE_W, IDLE_W, BUSY_W = 8.0, 0.5, 9.5
# One instruction a nanosecond at the highest frequency; five instructions an operation.
OPERATIONS_PER_S = 1e9 / 5
# The guest is given the same table.
OPTIONS = ("--param", "slow=1", "--param", f"min_khz={int(MIN_MHZ) * 1000}",
           "--param", f"max_khz={int(MAX_MHZ) * 1000}", "--param", f"base_khz={int(BASE_MHZ) * 1000}")


def power_w(mhz):
    """A package with one busy CPU."""
    return UNCORE_W + IDLE_W + BUSY_W * (mhz / MAX_MHZ) ** 3


def rate(mhz):
    return OPERATIONS_PER_S * mhz / MAX_MHZ


def expected(operations, mhz, power=1.0):
    """What a run of so many operations shows; power: a factor on all of it."""
    seconds = operations / rate(mhz)
    watts = power_w(mhz) * power
    return {"performance": rate(mhz) / 1e6, "seconds": seconds, "power": watts, "energy": watts * seconds,
            "Bzy_MHz": mhz, "performance per watt": operations / (watts * seconds)}


def measured(record):
    """The same, of a record of perfwatt's."""
    seconds = (record["window"]["end_ns"] - record["window"]["start_ns"]) / 1e9
    joules = record["energy"]["total_uj"] / 1e6
    return {"performance": record["metrics"][0]["value"], "seconds": seconds, "power": joules / seconds,
            "energy": joules, "Bzy_MHz": record["frequency"]["busy_mhz"],
            "performance per watt": record["work"]["value"] * 1e6 / joules}


def off(found, truth):
    """Relative differences beyond none: {quantity: share}."""
    return {name: found[name] / truth[name] - 1 for name in truth}
