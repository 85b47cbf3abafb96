#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers in a command's output are read whole or not at all, and children print C numbers."""
import os
import shutil
import subprocess

import rig
from rig import need

JOULES = {"name": "energy", "unit": "J", "better": "lower", "regex": "([0-9.]+);Joules"}


def refused(place, output, metric, text):
    """The run fails, and its reason and the progress on stderr name the text found."""
    place.write("output.txt", output)
    entry = {"workload": "exec", "name": "tool", "command": ["cat", "output.txt"], "metrics": [metric]}
    shutil.rmtree(place.path("results"), ignore_errors=True)
    result = place.measure(rig.config(entry, repeat={"retry": 0})).exits(3, "no valid run")
    record, = place.records()
    rig.equal(record["status"], "failed", output)
    need(text in record["reason"], record["reason"], output)
    need(text in result.err, result)
    need("metrics" not in record or not record["metrics"], record)


def accepted(place, output, metric, value):
    place.write("output.txt", output)
    entry = {"workload": "exec", "name": "tool", "command": ["cat", "output.txt"], "metrics": [metric]}
    shutil.rmtree(place.path("results"), ignore_errors=True)
    place.measure(rig.config(entry)).exits(0)
    record, = place.records()
    rig.equal(record["metrics"][0]["value"], value, output)


def test_decimal_comma(place):
    place.fake("vm-empty")
    refused(place, "1234,56;Joules;power/energy-pkg/;2000153;100,00\n", JOULES, "1234,56")


def test_thousands_point(place):
    place.fake("vm-empty")
    refused(place, "rate: 1.234,56 ops/s\n", rig.RATE, "1.234,56")
    refused(place, "rate: 1,234.56 ops/s\n", rig.RATE, "1,234.56")
    refused(place, "rate: 1.234.567 ops/s\n", rig.RATE, "1.234.567")


def test_a_number_that_goes_on(place):
    place.fake("vm-empty")
    refused(place, "rate: 1.24+06\n", rig.RATE, "1.24+06")
    refused(place, "rate: 1.24e+06\n", rig.RATE, "1.24e+06")  # the pattern does not take the exponent
    wide = dict(rig.RATE, regex="rate: (\\S+)")
    for text in ("nan", "inf", "0x10", "-", "1e", "1e999", "12abc", "1_000", "1'000", "--5", "١٢"):
        refused(place, f"rate: {text}\n", wide, text)
    accepted(place, "rate: 1.24e+06\n", wide, 1240000.0)
    accepted(place, "rate: 1.5\nrate: 2.5\n", rig.RATE, 2.5)
    accepted(place, "rate: 2.\n", dict(rig.RATE, regex="rate: ([0-9]+)\\."), 2.0)
    accepted(place, "the end, rate: 7.\n", dict(rig.RATE, regex="rate: ([0-9]+)"), 7.0)


def test_no_match_and_no_output(place):
    place.fake("vm-empty")
    refused(place, "nothing of that kind\n", rig.RATE, "rate")
    refused(place, "", rig.RATE, "rate")


def test_units(place):
    place.fake("vm-empty")
    named = {"name": "lat", "unit": "us", "better": "lower", "regex": "lat (?<value>[0-9.]+) (?<unit>\\S+)"}
    accepted(place, "lat 1.5 ms\n", named, 1500.0)
    accepted(place, "lat 1.5 us\n", named, 1.5)
    refused(place, "lat 1.5 MB\n", named, "MB")


def german_locale(place):
    """A folder with de_DE.UTF-8 for LOCPATH, or None."""
    if not shutil.which("localedef"):
        place.note("no localedef here")
        return None
    folder = place.path("locales")
    os.makedirs(folder)
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(folder, "de_DE.UTF-8")],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if not os.path.isdir(os.path.join(folder, "de_DE.UTF-8")):
        place.note(f"localedef cannot make de_DE: {made.stdout.decode(errors='replace').strip()}")
        return None
    return folder


def test_children_print_c_numbers(place):
    place.fake("vm-empty")
    locales = german_locale(place)
    env = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8", "LANGUAGE": "de"}
    number = "printf '%.2f\\n' 1234.56" if locales else "echo 1234.56"
    script = f"echo lc=$LC_ALL; env | grep -c '^LC_NUMERIC\\|^LANGUAGE'; echo rate: $(env {number})"
    if locales:
        env["LOCPATH"] = locales
        german = subprocess.run(["env", "printf", "%.2f", "1234,56"], env=dict(os.environ, **env),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        need(german.stdout == b"1234,56", "the locale that the test made works", german)
    place.measure(rig.config(rig.shell(script)), env=env).exits(0)
    record, = place.records()
    with open(place.path("results/raw", record["id"] + ".out"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    need(lines[0] in ("lc=C", "lc=C.UTF-8"), lines)
    rig.equal(lines[1:3], ["0", "rate: 1234.56"])
    shown = place.run("show", place.path("results"), "--json", env=env).exits(0).json()
    rig.equal(shown["runs"][0]["metrics"][0]["value"], 1234.56)
    text = place.run("report", place.path("results"), env=env).exits(0).out
    need("1234,5" not in text and "1.234" not in text, text)


def test_awk_prints_c_numbers(place):
    place.fake("vm-empty")
    locales = german_locale(place)
    if not locales:
        raise rig.Skip("no German locale to be had")
    env = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": locales}
    entry = rig.shell("awk 'BEGIN { printf(\"rate: %.2f\\n\", 1234.56) }'")
    place.measure(rig.config(entry), env=env).exits(0)
    record, = place.records()
    rig.equal(record["metrics"][0]["value"], 1234.56)


if __name__ == "__main__":
    rig.main(globals())
