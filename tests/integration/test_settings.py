#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Settings from the config to the machine and back, on fake machines."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
import rig  # noqa: E402
from rig import need  # noqa: E402

POLICIES = "sys/devices/system/cpu/cpufreq"


def look(root, *files):
    """A shell command that prints what stands in the files while the workload runs."""
    return "; ".join(f"cat {os.path.join(root, file)} 2>/dev/null; echo" for file in files)


def add_files(root, files):
    """Further files of a fake machine, path -> content."""
    for path, content in files.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="ascii") as file:
            file.write(content + "\n")


def compare(place, tree, sets, files, blocks=2, extra=None, **more):
    """Runs one configuration per set; what each saw in the files while it ran, name -> list of texts."""
    root = place.fake(tree)
    add_files(root, extra or {})
    before = rig.tree_of(root)
    configs = [{"name": name, "set": values} for name, values in sets.items()]
    content = rig.config(rig.shell(look(root, *files) + "; echo rate: 1"), configs=configs, blocks=blocks, **more)
    result = place.measure(content, "--seed", "3").exits(0)
    rig.same_tree(root, before)
    place.run("restore").exits(0, "nothing to do")
    seen = {}
    for record in place.records():
        rig.equal(record["status"], "ok", record, result)
        with open(place.path("results/raw", record["id"] + ".out"), encoding="utf-8") as file:
            lines = [line for line in file.read().split("\n")[:-2] if line]
        rig.equal(seen.setdefault(record["config"], lines), lines, "the same in every block")
    rig.equal(len(place.records()), blocks * len(sets))
    return seen


def recorded(place, config, key):
    """The recorded setting, which must be the same in all runs of the configuration."""
    values = [record["settings"][key] for record in place.records() if record["config"] == config]
    need(all(value == values[0] for value in values), config, key, values)
    return values[0]


def test_acpi_governor_limits_boost(place):
    files = [f"{POLICIES}/policy1/{name}" for name in ("scaling_governor", "scaling_max_freq", "scaling_min_freq")]
    files.append(f"{POLICIES}/boost")
    seen = compare(place, "acpi-cpufreq-boost", {
        "as it is": {},
        "fast": {"governor": "performance", "min-freq": "2.8GHz", "boost": "on"},
        "slow": {"governor": "powersave", "max-freq": "1400MHz"},
        "no boost": {"boost": "off"}}, files)
    rig.equal(seen, {"as it is": ["ondemand", "3400000", "1400000", "1"],
                     "fast": ["performance", "3400000", "2800000", "1"],
                     "slow": ["powersave", "1400000", "1400000", "1"],
                     "no boost": ["ondemand", "3400000", "1400000", "0"]})
    rig.equal([recorded(place, "slow", key) for key in ("governor", "max-freq", "min-freq", "boost")],
              ["powersave", 1400000, 1400000, True])
    rig.equal(recorded(place, "no boost", "boost"), False)
    rig.equal(recorded(place, "as it is", "governor"), "ondemand")


def test_intel_hwp(place):
    files = [f"{POLICIES}/policy3/{name}" for name in ("scaling_governor", "energy_performance_preference")]
    files += ["sys/devices/system/cpu/intel_pstate/no_turbo"]
    seen = compare(place, "intel-hwp-active", {
        "powersave": {"governor": "powersave", "epp": "balance_performance"},
        "perf": {"governor": "performance"},
        "saving": {"epp": "power", "boost": 0},
        "raw": {"epp": 128, "boost": True}}, files)
    rig.equal(seen, {"powersave": ["powersave", "balance_performance", "0"], "perf": ["performance", "balance_performance", "0"],
                     "saving": ["powersave", "power", "1"], "raw": ["powersave", "128", "0"]})
    rig.equal([recorded(place, name, "epp") for name in ("powersave", "saving", "raw")],
              ["balance_performance", "power", 128])
    rig.equal([recorded(place, name, "boost") for name in ("powersave", "saving", "raw")], [True, False, True])
    rig.equal(recorded(place, "perf", "driver-mode"), "active")


def test_amd_epp(place):
    files = [f"{POLICIES}/policy2/energy_performance_preference", f"{POLICIES}/policy2/boost", f"{POLICIES}/boost"]
    seen = compare(place, "amd-pstate-epp", {
        "present": {}, "again": {}, "power": {"epp": "power"}, "quiet": {"epp": "balance_power", "boost": "off"}}, files)
    rig.equal(seen["present"], ["balance_performance", "1", "1"])
    rig.equal(seen["again"], seen["present"])
    rig.equal(seen["power"], ["power", "1", "1"])
    rig.equal(seen["quiet"][0], "balance_power")
    need("0" in seen["quiet"][1:], seen)
    rig.equal([recorded(place, name, "boost") for name in ("present", "power", "quiet")], [True, True, False])


def test_arm_policies_of_different_range(place):
    files = [f"{POLICIES}/policy{number}/{name}" for number in (0, 4) for name in ("scaling_governor", "scaling_max_freq")]
    seen = compare(place, "arm-cppc", {"mixed": {}, "sugov": {"governor": "schedutil", "max-freq": "2GHz"},
                                       "perf": {"governor": "performance"}}, files)
    rig.equal(seen, {"mixed": ["schedutil", "3000000", "performance", "2600000"],
                     "sugov": ["schedutil", "2000000", "schedutil", "2000000"],
                     "perf": ["performance", "3000000", "performance", "2600000"]})
    rig.equal(recorded(place, "sugov", "max-freq"), 2000000)
    rig.equal(recorded(place, "mixed", "governor"), "mixed: schedutil (policy0), performance (policy4)")


def test_nothing_of_another_configuration_stays(place):
    """Whatever ran before: a driver mode's configuration starts from the saved state."""
    files = ["sys/devices/system/cpu/intel_pstate/status", f"{POLICIES}/policy0/scaling_governor",
             f"{POLICIES}/policy0/scaling_max_freq"]
    seen = compare(place, "intel-hwp-active", {
        "tuned": {"driver-mode": "passive", "governor": "performance", "max-freq": "2GHz"},
        "passive": {"driver-mode": "passive"}, "active": {"driver-mode": "active"}, "as it is": {}}, files, blocks=5)
    rig.equal(seen, {"tuned": ["passive", "performance", "2000000"], "passive": ["passive", "powersave", "3900000"],
                     "active": ["active", "powersave", "3900000"], "as it is": ["active", "powersave", "3900000"]})


CPUS = "sys/devices/system/cpu"
PAGES = "sys/kernel/mm/transparent_hugepage/enabled"


def test_files_by_path(place):
    """One configuration sets a file of /sys, another a kernel parameter; every record shows both."""
    files = [PAGES, "proc/sys/vm/swappiness", "proc/sys/kernel/numa_balancing"]
    seen = compare(place, "intel-passive", {
        "as it is": {}, "pages": {"sysfs": {"/" + PAGES: "never"}},
        "memory": {"sysctl": {"vm.swappiness": 10, "kernel/numa_balancing": "1"}}},
        files, extra={PAGES: "always [madvise] never"})
    before = ["always [madvise] never", "60", "0"]
    rig.equal(seen, {"as it is": before, "pages": ["never"] + before[1:], "memory": before[:1] + ["10", "1"]})
    rig.equal([recorded(place, name, "sysfs") for name in ("as it is", "pages", "memory")],
              [{"/" + PAGES: word} for word in ("madvise", "never", "madvise")])
    rig.equal([recorded(place, name, "sysctl") for name in ("pages", "memory")],
              [{"vm.swappiness": 60, "kernel.numa_balancing": 0}, {"vm.swappiness": 10, "kernel.numa_balancing": 1}])


def test_tunables_and_idle_states(place):
    files = [f"{POLICIES}/schedutil/rate_limit_us"]
    files += [f"{CPUS}/cpu2/cpuidle/state{number}/disable" for number in range(4)]
    seen = compare(place, "intel-passive", {
        "as it is": {}, "slow": {"governor-tunables": {"rate_limit_us": 20000}},
        "shallow": {"cpuidle-disable": "C6, C1E"}}, files)
    rig.equal(seen, {"as it is": ["5000", "0", "0", "0", "0"], "slow": ["20000", "0", "0", "0", "0"],
                     "shallow": ["5000", "0", "0", "1", "1"]})
    rig.equal(recorded(place, "slow", "governor-tunables"), {"rate_limit_us": 20000})
    rig.equal([recorded(place, name, "cpuidle-disable") for name in ("slow", "shallow")], ["none", "C1E,C6"])


def test_cpus_offline(place):
    files = [f"{CPUS}/cpu{number}/online" for number in (1, 2, 3)] + [f"{CPUS}/smt/control"]
    seen = compare(place, "intel-passive", {
        "all": {}, "two": {"online": "1,0"}, "no smt": {"smt": "off"}, "one": {"smt": "off", "online": "0"}}, files)
    rig.equal(seen, {"all": ["1", "1", "1", "on"], "two": ["1", "0", "0", "on"], "no smt": ["1", "1", "1", "off"],
                     "one": ["0", "0", "0", "off"]})
    rig.equal([recorded(place, name, "online") for name in ("all", "two", "one")], ["0-3", "0-1", "0"])
    rig.equal([recorded(place, name, "smt") for name in ("all", "no smt")], ["on", "off"])


def test_files_that_cannot_be_set(place):
    """Each is skipped with its reason, and nothing of the machine is touched."""
    root = place.fake("intel-passive")
    os.symlink("/proc/sys/vm/swappiness", os.path.join(root, "sys/kernel-link"))
    before = rig.tree_of(root)
    cannot = {
        "no file": ({"sysfs": {"/sys/nothing": 1}}, "/sys/nothing is not there"),
        "outside": ({"sysfs": {"/sys/kernel-link": 1}}, "leads to /proc/sys/vm/swappiness"),
        "owned": ({"sysfs": {f"/{POLICIES}/policy0/scaling_governor": "powersave"}}, "belongs to the setting 'governor'"),
        "aliased": ({"sysfs": {f"/{CPUS}/cpu0/cpufreq/scaling_max_freq": 800000}}, "belongs to the setting 'm"),
        "boot CPU": ({"online": "1-3"}, "CPU 0 cannot go offline"),
        "no state": ({"cpuidle-disable": "C9"}, "available: POLL, C1, C1E, C6"),
        "no tunable": ({"governor-tunables": {"up_threshold": 80}}, "schedutil: rate_limit_us")}
    configs = [{"name": "as it is", "set": {}}] + [{"name": name, "set": values} for name, (values, _) in cannot.items()]
    place.measure(rig.config(rig.shell("echo rate: 1"), configs=configs)).exits(3)
    rig.equal({record["config"] for record in place.records()}, {"as it is"})
    place.run("plan", place.path("results.json")).exits(0, *(reason for _, reason in cannot.values()))
    rig.same_tree(root, before)


def test_settings_of_a_wrong_form(place):
    """Config errors, each at its place, whatever the machine."""
    place.fake("vm-empty")
    for values, reason in (({"sysfs": {"/etc/passwd": 1}}, "is not below /sys/"),
                           ({"sysfs": {"/sys/../etc/passwd": 1}}, "no plain path"),
                           ({"sysctl": {"vm.swappiness": None}}, "wants a text or a whole number"),
                           ({"sysctl": {}}, "names no file"), ({"online": "0-"}, "neither a CPU list"),
                           ({"smt": "forceoff"}, "forceoff"), ({"governor-tunables": {"a/b": 1}}, "no name of a tunable"),
                           ({"cpuidle-disable": "C1,,C1"}, "'C1' twice")):
        place.measure(rig.config(rig.shell("echo rate: 1"), configs=[{"name": "x", "set": values}])).exits(
            2, "configs[0].set." + next(iter(values)), reason)


def test_matrix(place):
    root = place.fake("acpi-cpufreq-boost")
    content = rig.config(rig.shell("echo rate: 1"))
    del content["configs"]
    content["matrix"] = {"governor": ["performance", "powersave"], "boost": [0, 1]}
    before = rig.tree_of(root)
    place.measure(content).exits(0)
    rig.equal(sorted((record["settings"]["governor"], record["settings"]["boost"]) for record in place.records()),
              [("performance", False), ("performance", True), ("powersave", False), ("powersave", True)])
    rig.equal(len({record["config"] for record in place.records()}), 4)
    rig.same_tree(root, before)


def test_affinity_reaches_the_workload(place):
    place.fake("vm-empty")
    if os.cpu_count() < 2 or not {0, 1} <= os.sched_getaffinity(0):
        raise rig.Skip("needs CPUs 0 and 1")
    script = "grep Cpus_allowed_list /proc/self/status; echo rate: 1"
    configs = [{"name": "all", "set": {}}, {"name": "one", "set": {"affinity": "one"}}, {"name": "second", "set": {"affinity": "1"}}]
    place.measure(rig.config(rig.shell(script), configs=configs)).exits(0)
    for record in place.records():
        with open(place.path("results/raw", record["id"] + ".out"), encoding="utf-8") as file:
            cpus = file.readline().split()[1]
        need(cpus in {"one": ("0", "1"), "second": ("1",)}.get(record["config"], (cpus,)), record["config"], cpus)
        need(record["config"] == "all" or record["settings"]["affinity"] in ("one", cpus), record["settings"])


def drift(place, wrong):
    """A background program writes `wrong` into policy1's governor in the first run of 'fast'."""
    root = place.fake("acpi-cpufreq-boost")
    governor = os.path.join(root, POLICIES, "policy1/scaling_governor")
    before = rig.tree_of(root)
    flags = place.path("flags")
    os.makedirs(flags)
    os.chmod(flags, 0o777)
    script = (f"if [ $PERFWATT_CONFIG = fast ] && ! [ -e {flags}/go ]; then : >{flags}/go; "
              f"while ! [ -e {flags}/written ]; do sleep 0.01; done; fi; cat {governor}; echo; echo rate: 1")
    configs = [{"name": "base", "set": {}}, {"name": "fast", "set": {"governor": "performance"}}]
    process = place.start("run", place.write("config.json", rig.config(rig.shell(script), configs=configs, blocks=2)),
                          "-o", place.path("results"), "--seed", "1")
    rig.wait_until(lambda: os.path.exists(os.path.join(flags, "go")), "the run of 'fast'")
    with open(governor, "w", encoding="ascii") as file:
        file.write(wrong + "\n")
    place.write("flags/written", "")
    return place.finish(process), root, before


def test_a_value_changed_in_mid_run(place):
    """That run is invalidated, the file and both values are named, and it is repeated in its own setting."""
    result, root, before = drift(place, "powersave")
    result.exits(0, "policy1/scaling_governor", "'performance'", "'powersave'")
    records = place.records()
    bad = [record for record in records if record["status"] != "ok"]
    rig.equal([(record["config"], record["status"]) for record in bad], [("fast", "invalidated")], result)
    need("policy1/scaling_governor" in bad[0]["reason"], bad)
    good = sorted((record["config"], record["block"]) for record in records if record["status"] == "ok")
    rig.equal(good, [("base", 1), ("base", 2), ("fast", 1), ("fast", 2)], result)
    for record in records:
        if record["status"] == "ok":
            with open(place.path("results/raw", record["id"] + ".out"), encoding="utf-8") as file:
                rig.equal(file.readline(), {"base": "ondemand\n", "fast": "performance\n"}[record["config"]], record)
    rig.same_tree(root, before)


def test_a_changed_value_does_not_stay_for_the_next_run(place):
    """With one configuration only: the repeated run and the next block have the right value again."""
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    governor = os.path.join(root, POLICIES, "policy0/scaling_governor")
    os.chmod(governor, 0o666)
    flag = place.path("flags")
    os.makedirs(flag)
    os.chmod(flag, 0o777)
    script = f"cat {governor}; echo; [ -e {flag}/x ] || echo powersave >{governor}; : >{flag}/x; echo rate: 1"
    configs = [{"name": "fast", "set": {"governor": "performance"}}]
    place.measure(rig.config(rig.shell(script), configs=configs, blocks=2)).exits(0)
    rig.equal([record["status"] for record in place.records()], ["invalidated", "ok", "ok"])
    for record in place.records():
        with open(place.path("results/raw", record["id"] + ".out"), encoding="utf-8") as file:
            rig.equal(file.readline(), "performance\n", record)
    rig.same_tree(root, before)


def test_what_the_machine_cannot_have(place):
    """Skipped with its reason, exit 3; with --strict exit 2 before anything is changed."""
    root = place.fake("intel-hwp-active")
    before = rig.tree_of(root)
    configs = [{"name": "as it is", "set": {}}, {"name": "sugov", "set": {"governor": "schedutil"}},
               {"name": "guided", "set": {"driver-mode": "guided"}}, {"name": "too fast", "set": {"max-freq": "9GHz"}}]
    content = rig.config(rig.shell("echo rate: 1"), configs=configs)
    result = place.measure(content).exits(3, "no valid run", "sugov", "guided", "schedutil", "performance powersave")
    rig.equal([record["config"] for record in place.records()], ["as it is"])
    need("skipped" in result.out.lower(), result)
    plan = place.run("plan", place.path("results.json")).exits(0, "SKIPPED: governor", "SKIPPED: driver-mode", "SKIPPED: max-freq")
    need("1 run (1 block)" in plan.out, plan)
    place.measure(content, "--strict", folder="strict").exits(2, "sugov", "schedutil")
    need(not os.path.exists(place.path("strict")))
    rig.same_tree(root, before)


def test_a_baseline_that_cannot_be_had(place):
    place.fake("vm-empty")
    configs = [{"name": "base", "set": {"governor": "schedutil"}}, {"name": "other", "set": {}}]
    result = place.measure(rig.config(rig.shell("echo rate: 1"), configs=configs)).exits(3, "base", "governor")
    rig.equal([record["config"] for record in place.records()], ["other"], result)
    need("n/a" in result.out, result)


def test_nothing_can_be_had(place):
    place.fake("vm-empty")
    configs = [{"name": name, "set": {"governor": name}} for name in ("performance", "powersave")]
    place.measure(rig.config(rig.shell("echo rate: 1"), configs=configs)).exits(77)
    rig.equal(place.records(), [])


def test_restore_with_nothing_to_do(place):
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    place.run("restore").exits(0, "nothing to do")
    place.measure(rig.config(rig.shell("echo rate: 1"))).exits(0)
    place.run("restore").exits(0, "nothing to do")
    place.run("restore", place.path("results")).exits(0, "put back already")
    rig.same_tree(root, before)
    place.run("restore", place.path("none")).exits(2, "none")
    place.run("restore", place.top).exits(2, "journal")


def kill_both(place, process):
    """SIGKILL for perfwatt and its guard in one go; waits for the end of the run's tree."""
    guard = rig.wait_until(lambda: [pid for pid, name in place.processes() if name == "perfwatt-guard"], "a guard")
    for pid in (*guard, process.pid):
        os.kill(pid, 9)
    place.finish(process)
    rig.wait_until(lambda: not place.processes(), lambda: f"processes are left: {place.processes()}")


def killed_machine(place):
    """A machine whose session was killed together with its guard, in 'fast'; root and its files before."""
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    configs = [{"name": "fast", "set": {"governor": "performance", "max-freq": "2.8GHz", "boost": "off"}}]
    content = rig.config(rig.shell("sleep 60; echo rate: 1"), configs=configs)
    process = place.start("run", place.write("config.json", content), "-o", place.path("results"))
    rig.wait_until(lambda: any(name == "sleep" for _, name in place.processes()), "the workload")
    kill_both(place, process)
    need(rig.tree_of(root) != before and place.work_folders(), "the session had changed something")
    return root, before


def test_restore_mends_and_tells(place):
    root, before = killed_machine(place)
    result = place.run("restore").exits(0)
    for policy in (0, 1):
        need(f"put back /{POLICIES}/policy{policy}/scaling_governor: 'performance' -> 'ondemand'" in result.out, result)
        need(f"policy{policy}/scaling_max_freq: '2800000' -> '3400000'" in result.out, result)
    need(f"/{POLICIES}/boost: '0' -> '1'" in result.out, result)
    need(result.out.index("/boost:") < result.out.index("scaling_max_freq"), "boost first, limits after it", result)
    rig.same_tree(root, before)
    rig.equal(place.work_folders(), [])
    place.run("restore").exits(0, "nothing to do")


def test_restore_of_files_by_path(place):
    """Killed with its guard: CPUs, idle states, tunables and files named by the config come back."""
    root = place.fake("intel-passive")
    add_files(root, {PAGES: "always [madvise] never"})
    before = rig.tree_of(root)
    configs = [{"name": "changed", "set": {
        "online": "0-1", "cpuidle-disable": "C6", "governor-tunables": {"rate_limit_us": 1},
        "sysfs": {"/" + PAGES: "always"}, "sysctl": {"vm.swappiness": 1}}}]
    content = rig.config(rig.shell("sleep 60; echo rate: 1"), configs=configs)
    process = place.start("run", place.write("config.json", content), "-o", place.path("results"))
    rig.wait_until(lambda: any(name == "sleep" for _, name in place.processes()), "the workload")
    kill_both(place, process)
    changed = {path for path, content in rig.tree_of(root).items() if content != before[path]}
    need(len(changed) >= 2 + 2 + 1 + 1 + 1, changed)
    result = place.run("restore").exits(0, f"/{PAGES}: 'always' -> 'always [madvise] never'", "'1' -> '60'")
    need(result.out.index("cpu2/online") < result.out.index("rate_limit_us") < result.out.index("swappiness"), result)
    rig.same_tree(root, before)


def test_restore_from_a_folder(place):
    root, before = killed_machine(place)
    place.run("restore", place.path("results")).exits(0, "put back")
    rig.same_tree(root, before)
    place.run("restore").exits(0, "nothing to do")


def test_restore_that_cannot_mend(place):
    """What cannot be put back is named, exit 3, and tried again by the next restore."""
    root, before = killed_machine(place)
    governor = os.path.join(root, POLICIES, "policy1/scaling_governor")
    os.rename(governor, governor + ".away")
    os.mkdir(governor)
    place.run("restore").exits(3, "NOT put back", "policy1/scaling_governor")
    os.rmdir(governor)
    os.rename(governor + ".away", governor)
    place.run("restore").exits(0, "put back")
    rig.same_tree(root, before)


def test_the_next_session_mends_first(place):
    root, before = killed_machine(place)
    place.measure(rig.config(rig.shell(look(root, f"{POLICIES}/policy1/scaling_governor") + "; echo rate: 1")),
                  folder="next").exits(0, "earlier session")
    with open(place.path("next/raw/r0001.out"), encoding="utf-8") as file:
        rig.equal(file.readline(), "ondemand\n")
    rig.same_tree(root, before)
    rig.equal(place.work_folders(), [])


def test_resume_after_a_kill(place):
    root, before = killed_machine(place)
    name = place.path("results/session.json")
    with open(name, encoding="utf-8") as file:
        text = file.read()
    with open(name, "w", encoding="utf-8") as file:
        file.write(text.replace("sleep 60", "sleep 0"))
    place.run("run", "--resume", place.path("results")).exits(0, "earlier session")
    rig.equal([record["settings"]["governor"] for record in place.records()], ["performance"])
    rig.same_tree(root, before)
    rig.equal(place.work_folders(), [])


def test_kill_of_perfwatt_alone(place):
    """The guard ends the run's tree and puts the machine back by itself."""
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    configs = [{"name": "fast", "set": {"governor": "performance", "boost": "off"}}]
    script = "setsid sleep 981 & (trap '' TERM INT HUP; setsid sleep 980) & sleep 60; echo rate: 1"
    process = place.start("run", place.write("config.json", rig.config(rig.shell(script), configs=configs)),
                          "-o", place.path("results"))
    rig.wait_until(lambda: len([1 for _, name in place.processes() if name == "sleep"]) == 3, "the workload")
    need(rig.tree_of(root) != before, "something was changed")
    os.kill(process.pid, 9)
    rig.equal(place.finish(process).code, -9)
    rig.wait_until(lambda: not place.processes(), lambda: f"processes are left: {place.processes()}")
    rig.same_tree(root, before)
    rig.equal(place.work_folders(), [])
    place.run("restore").exits(0, "nothing to do")


def session_in_fast(place):
    """A running session whose workload runs under 'fast'."""
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    configs = [{"name": "fast", "set": {"governor": "performance", "boost": "off"}}]
    config = place.write("config.json", rig.config(rig.shell("sleep 1; echo rate: 1"), configs=configs))
    process = place.start("run", config, "-o", place.path("results"))
    rig.wait_until(lambda: any(name == "sleep" for _, name in place.processes()), "the workload")
    need(rig.tree_of(root) != before, "something was changed")
    return process, root, before


def test_results_that_go_away(place):
    """A results folder that is moved or removed in mid-session keeps no setting from going back."""
    for number, (lose, killed) in enumerate(((shutil.rmtree, False), (lambda path: os.rename(path, path + ".away"), False),
                                             (shutil.rmtree, True))):
        process, root, before = session_in_fast(place)
        folders = place.work_folders()
        need(folders, "a work folder")
        lose(place.path("results"))
        if killed:
            os.kill(process.pid, 9)
        result = place.finish(process)
        rig.wait_until(lambda: not place.processes(), lambda: f"processes are left: {place.processes()}")
        rig.same_tree(root, before)
        rig.equal([folder for folder in folders if os.path.exists(folder)], [])
        need("NOT put back" not in result.err and (killed or result.code in (2, 3)), number, result)
        shutil.rmtree(root)


def test_a_setting_that_does_not_hold(place):
    """A file that takes the write and shows another value: no run under a setting that is not in force."""
    root = place.fake("acpi-cpufreq-boost")
    before = rig.tree_of(root)
    os.remove(os.path.join(root, POLICIES, "policy1/scaling_max_freq"))
    os.symlink("/dev/null", os.path.join(root, POLICIES, "policy1/scaling_max_freq"))
    configs = [{"name": "as it is", "set": {}}, {"name": "slow", "set": {"max-freq": "1.4GHz"}}]
    result = place.measure(rig.config(rig.shell("echo rate: 1"), configs=configs, repeat={"retry": 0}))
    need(result.code in (2, 3), result)
    need("scaling_max_freq" in result.err, result)
    need(all(record["status"] != "ok" for record in place.records() if record["config"] == "slow"), place.records())
    os.remove(os.path.join(root, POLICIES, "policy1/scaling_max_freq"))
    rig.equal({path for path, content in rig.tree_of(root).items() if content != before[path]}, set())


if __name__ == "__main__":
    rig.main(globals())
