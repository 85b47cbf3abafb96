#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
truth.py [TEST]...: what perfwatt says against what the model says, in guests whose clock counts
instructions. A module with a hidden fault must make the comparison fail.
"""
import sys

import labrig
import model
from labrig import need

OPERATIONS = 100000000
WITHIN = 0.01  # of the model
SAME = 0.005  # of 1, A against A
# spin's warm-up: schedutil needs a while to see the load.
SPIN = f"/job/spin {OPERATIONS} 40000000"
RATE = {"name": "rate", "unit": "Mops/s", "better": "higher", "regex": "rate: ([0-9.]+)", "work": True}
FAULTS = "/sys/module/govlab/parameters"


def config(configs, script, blocks):
    work = {"workload": "exec", "name": "spin", "kind": "fixed-work", "directory": "/tmp",
            "command": ["sh", "-c", script], "metrics": [RATE]}
    return {"name": "truth", "configs": configs, "idle": False, "workloads": [work],
            "repeat": {"blocks": blocks, "warmup": 0, "settle": "0s", "retry": 0}}


def check(record, truth, within=WITHIN):
    need(record["status"] == "ok", record)
    wrong = {name: f"{share:+.2%}" for name, share in model.off(model.measured(record), truth).items()
             if abs(share) > within}
    need(not wrong, f"{record['config']}: off the model by {wrong}")


GOVERNORS = {"performance": model.MAX_MHZ, "schedutil": model.MAX_MHZ, "powersave": model.MIN_MHZ}


def check_governors(records):
    seen = {}
    for record in records:
        mhz = GOVERNORS[record["config"]]
        check(record, model.expected(OPERATIONS, mhz))
        seen[record["config"]] = model.measured(record)["performance"]
    need(sorted(seen) == sorted(GOVERNORS), seen)
    ratio, truth = seen["powersave"] / seen["performance"], model.MIN_MHZ / model.MAX_MHZ
    need(abs(ratio / truth - 1) <= WITHIN, f"ratio {ratio:.4f}, the model says {truth:.4f}")


def run_governors(place, *options):
    configs = [{"name": name, "set": {"governor": name}} for name in GOVERNORS]
    return place.compare(config(configs, f"exec {SPIN}", 1), *model.OPTIONS, *options)


def governors(place):
    check_governors(run_governors(place))


def hidden(place):
    """5 % more energy, built in where no parameter shows it."""
    records = run_governors(place, "--define", "LAB_HIDDEN_PERMILLE=1050")
    try:
        check_governors(records)
    except AssertionError as fault:
        need("energy" in str(fault) and "+5." in str(fault).replace("+4.9", "+5."), fault)
        return
    raise AssertionError("a module that counts 5 % too much passed for the truth")


# By configuration: the fault set before the timed part, MHz and power factor of the truth.
EFFECTS = {
    "same": ("", model.MAX_MHZ, 1.0),
    "same again": ("", model.MAX_MHZ, 1.0),
    "more energy": (f"echo 1030 >{FAULTS}/power_permille", model.MAX_MHZ, 1.03),
    "slower clock": (f"echo 970 >{FAULTS}/clock_permille", 0.97 * model.MAX_MHZ, 1.0),
    "throttled": (f"echo 2400000 >{FAULTS}/throttle_khz", 2400.0, 1.0),
}


def effects(place):
    """A/A within half a per cent; 3 % of energy or clock found with sign and size; throttling shown."""
    reset = f"cd {FAULTS}; echo 1000 >power_permille; echo 1000 >clock_permille; echo 0 >throttle_khz"
    cases = "".join(f"'{name}') {command} ;; " for name, (command, _, _) in EFFECTS.items() if command)
    script = f'{reset}; case $PERFWATT_CONFIG in {cases}esac; {SPIN}; {reset}'
    configs = [{"name": name, "set": {"governor": "performance"}} for name in EFFECTS]
    records = {r["config"]: r for r in place.compare(config(configs, script, 1), *model.OPTIONS)}
    found = {name: model.measured(record) for name, record in records.items()}
    for name, (_, mhz, power) in EFFECTS.items():
        check(records[name], model.expected(OPERATIONS, mhz, power))
        truth = model.expected(OPERATIONS, mhz, power)
        base = model.expected(OPERATIONS, model.MAX_MHZ)
        for what in ("performance", "energy", "performance per watt"):
            ratio, wanted = found[name][what] / found["same"][what], truth[what] / base[what]
            need(abs(ratio - wanted) <= SAME, f"{name}: {what} ratio {ratio:.4f}, the model says {wanted:.4f}")
    warnings = records["throttled"].get("warnings", [])
    need(any("throttl" in text for text in warnings), f"nothing said of throttling: {warnings}")
    need(not any("throttl" in text for text in records["same"].get("warnings", [])), records["same"])


DRIFT_PER_S = 0.05


def drift(place):
    """A power curve that rises by 5 % a second: from run to run just as much as the time between them."""
    configs = [{"name": "a", "set": {"governor": "performance"}}]
    records = place.compare(config(configs, f"exec {SPIN}", 3), *model.OPTIONS, "--param",
                            f"drift_ppm={DRIFT_PER_S * 1e6:.0f}")
    middle = [(r["window"]["start_ns"] + r["window"]["end_ns"]) / 2e9 for r in records]
    factor = [model.measured(r)["power"] / model.power_w(model.MAX_MHZ) for r in records]
    need(len(records) == 3 and middle[2] - middle[0] > 1, middle)
    for k in (1, 2):
        found, wanted = factor[k] - factor[0], DRIFT_PER_S * (middle[k] - middle[0])
        need(abs(found - wanted) <= WITHIN, f"run {k}: {found:+.4f} after the first, the model says {wanted:+.4f}")


labrig.main({"governors": governors, "hidden": hidden, "effects": effects, "drift": drift}, sys.argv[1:])
