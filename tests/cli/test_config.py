#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Slips in a config: `perfwatt plan FILE` exits 2 and names place, path and what would be right."""
import json
import os

import rig
from rig import need

HEAD = '{ "name": "x",\n  "configs": [ { "name": "a", "set": {} }, { "name": "b", "set": {} } ],\n'
TBENCH = '  "workloads": [ { "workload": "tbench", "clients": [1] } ]'


def refused(place, text, line, column, *words, name="slip.json"):
    """Exit 2 with FILE:LINE:COLUMN: and the words; nothing on stdout, nothing done."""
    path = place.write(name, text)
    result = place.run("plan", path).exits(2, *words)
    need(f"perfwatt: {path}:{line}:{column}: " in result.err, f"wanted {line}:{column}", result)
    rig.equal(result.out, "")
    need(result.err.count("\n") <= 3 and len(result.err) < 2000, "a short message", result)
    return result


def place_of(text, part, extra=0):
    """Line and column (bytes, from 1) of the last `part` in text."""
    at = text.encode().rindex(part.encode()) + extra
    before = text.encode()[:at]
    return before.count(b"\n") + 1, at - (before.rfind(b"\n") + 1) + 1


def test_good_config_with_comments(place):
    place.fake("vm-empty")
    text = HEAD + "  // a comment\n  /* another */\n" + TBENCH + ' }'
    place.run("plan", place.write("good.json", text)).exits(0, "10 runs", "'a'", "'b'", "baseline")


def test_unknown_keys(place):
    place.fake("vm-empty")
    for text, key, path, suggestion in (
            (HEAD + TBENCH + ',\n  "repeet": { "blocks": 1 } }', '"repeet"', "repeet", '"repeat"'),
            (HEAD + TBENCH + ',\n  "repeat": { "bloks": 1 } }', '"bloks"', "repeat.bloks", '"blocks"'),
            (HEAD + TBENCH.replace("clients", "cliemts") + ' }', '"cliemts"', "workloads[0].cliemts",
             '"clients"'),
            (HEAD.replace('"b", "set": {}', '"b", "set": { "governer": "performance" }') + TBENCH + ' }',
             '"governer"', "configs[1].set.governer", '"governor"')):
        refused(place, text, *place_of(text, key), path + ":", f"did you mean {suggestion}")


def test_unknown_words(place):
    place.fake("vm-empty")
    text = HEAD + TBENCH.replace('"tbench"', '"tbensh"') + ' }'
    refused(place, text, *place_of(text, '"tbensh"'), "workloads[0].workload:", '"tbench"')
    text = HEAD + '  "baseline": "aa",\n' + TBENCH + ' }'
    refused(place, text, *place_of(text, '"aa"'), "baseline:", '"a"', '"b"')


def test_repeated_key(place):
    place.fake("vm-empty")
    text = HEAD + TBENCH + ',\n  "repeat": { "blocks": 5 },\n    "repeat": { "blocks": 1 } }'
    refused(place, text, *place_of(text, '"repeat"'), "repeat: repeated key", "line 4")
    text = HEAD + TBENCH.replace("[1]", '[1], "clients": [2]') + ' }'
    refused(place, text, *place_of(text, '"clients"'), "workloads[0].clients: repeated key")


def test_repeated_names(place):
    place.fake("vm-empty")
    text = HEAD.replace('"b"', '"a"') + TBENCH + ' }'
    refused(place, text, *place_of(text, '"a", "set"'), "configs[1].name:", "configs[0]")
    one = '{ "workload": "exec", "name": "m", "command": ["true"] }'
    text = HEAD + f'  "workloads": [ {one},\n {one} ] }}'
    refused(place, text, *place_of(text, '"m"'), "workloads[1].name:", "workloads[0]")
    text = HEAD + TBENCH.replace(" ]", ', { "workload": "tbench", "clients": [2] } ]') + ' }'
    refused(place, text, *place_of(text, '"tbench"'), "workloads[1].workload:", '"name"')


def test_commas(place):
    place.fake("vm-empty")
    for text, part in ((HEAD + TBENCH.replace("} ]", "}, ]") + ' }', ", ]"),
                       (HEAD + TBENCH + ',\n}', ",\n}")):
        refused(place, text, *place_of(text, part), "trailing comma")
    text = HEAD + TBENCH + '\n  "repeat": {} }'
    refused(place, text, *place_of(text, '"repeat"'))


def test_quantities(place):
    place.fake("vm-empty")
    for part, path, word in (('"settle": 5', "repeat.settle", "unit"), ('"settle": "5"', "repeat.settle", "unit"),
                             ('"settle": "5 lightyears"', "repeat.settle", ""), ('"blocks": "5"', "repeat.blocks", ""),
                             ('"blocks": 0', "repeat.blocks", ""), ('"blocks": 2.5', "repeat.blocks", ""),
                             ('"blocks": -1', "repeat.blocks", ""), ('"blocks": null', "repeat.blocks", ""),
                             ('"blocks": 99999999999999999999', "", "")):
        text = HEAD + TBENCH + ',\n  "repeat": { ' + part + ' } }'
        value = part.split(": ", 1)[1]
        refused(place, text, *place_of(text, value), path, word)
    text = HEAD + TBENCH.replace("[1]", '[1], "time": 60') + ' }'
    refused(place, text, *place_of(text, "60"), "workloads[0].time:", "unit")


def test_wrong_types(place):
    place.fake("vm-empty")
    for text, part, path in (
            (HEAD + '  "workloads": { "workload": "tbench" } }', '{ "workload"', "workloads"),
            (HEAD + '  "workloads": [ "tbench" ] }', '"tbench"', "workloads[0]"),
            (HEAD + '  "workloads": [] }', "[]", "workloads"),
            (HEAD.replace('"x"', "7") + TBENCH + ' }', "7", "name"),
            (HEAD + '  "workloads": [ { "workload": "exec", "command": "ls -l" } ] }', '"ls -l"',
             "workloads[0].command"),
            (HEAD + '  "workloads": [ { "workload": "exec", "command": [] } ] }', "[] }", "workloads[0].command"),
            (HEAD + TBENCH + ', "idle": true }', "true", "idle")):
        refused(place, text, *place_of(text, part), path)
    refused(place, "[]", 1, 1)
    refused(place, "", 1, 1)
    refused(place, "// nothing\n", 2, 1)


def test_missing_keys_stand_at_their_object(place):
    place.fake("vm-empty")
    refused(place, '{ "name": "x" }', 1, 1)
    text = HEAD + '  "workloads": [ { "workload": "exec", "name": "m" } ] }'
    refused(place, text, *place_of(text, '{ "workload"'), "workloads[0]", "command")
    text = HEAD + '  "workloads": [ { "name": "m" } ] }'
    refused(place, text, *place_of(text, '{ "name": "m"'), "workloads[0]", "workload")


def test_sweeps(place):
    place.fake("vm-empty")
    for sweep in ("[]", '"4..1"', '"1..x4"', "[0]", '"many"', "[1.5]", '["1"]'):
        text = HEAD + TBENCH.replace("[1]", sweep) + ' }'
        result = place.run("plan", place.write("sweep.json", text)).exits(2, "workloads[0].clients")
        need(f":{place_of(text, sweep)[0]}:" in result.err, result)
    text = HEAD + '  "workloads": [ { "workload": "exec", "command": ["true"], "sweep": { "n": [] } } ] }'
    refused(place, text, *place_of(text, "[]"), "workloads[0].sweep.n")
    words = place.run("plan", place.write("words.json", HEAD + TBENCH.replace("[1]", '"1..4x"') + ' }'))
    words.exits(0, "clients=1; clients=2; clients=4; clients=8", "40 runs")
    twice = place.run("plan", place.write("twice.json", HEAD + TBENCH.replace("[1]", "[1, 2, 1]") + ' }'))
    twice.exits(0, "clients=1; clients=2", "20 runs")


def test_deep_and_large_files(place):
    place.fake("vm-empty")
    result = refused(place, "[" * 5000 + "]" * 5000, 1, 101)
    need("deep" in result.err or "nest" in result.err, result)
    refused(place, '{"a":' * 5000, 1, 501)
    large = HEAD + "  " + " " * (10 << 20) + TBENCH + " }"
    result = place.run("plan", place.write("large.json", large))
    need(result.code in (0, 2), result)
    need(result.code == 0 or ("large" in result.err and len(result.err) < 2000), result)
    many = HEAD + '  "workloads": [ ' + ", ".join(['{ "workload": "exec", "command": ["true"] }'] * 200000) + " ] }"
    result = place.run("plan", place.write("many.json", many)).exits(2)
    need(len(result.err) < 2000, result.err[:300])


def test_bytes_that_are_no_text(place):
    place.fake("vm-empty")
    text = HEAD + TBENCH + ' }'
    for bad, at in ((b"\0", "workloads"), (b"\xff", "workloads"), (b"\xc3", "workloads"), (b"\xed\xa0\x80", "tbench")):
        raw = text.encode()
        where = raw.rindex(at.encode()) + 2
        path = place.write("bytes.json", raw[:where] + bad + raw[where:])
        result = place.run("plan", path).exits(2)
        need(f"{path}:4:" in result.err or f"{path}:3:" in result.err, result)
        need("\0" not in result.err, result)
    path = place.write("tail.json", text + "\n\0\0")
    place.run("plan", path).exits(2, f"{path}:4:1")
    path = place.write("escape.json", text.replace('"x"', '"x\\u0000y"'))
    place.run("plan", path).exits(2, f"{path}:1:")
    place.run("plan", place.write("bom.json", b"\xef\xbb\xbf" + text.encode())).exits(2)


def test_names(place):
    """Names are any printable text; control and bidirectional characters are none."""
    place.fake("vm-empty")
    good = ("a/b.c", "../../etc/passwd", "sugov, no HWP (6.1)", "größer 快", "-o", "a" * 64, "%s%n", "$(x)", "'q'")
    for name in good:
        content = rig.config(rig.shell("echo rate: 1", name=name), configs=[{"name": name, "set": {}}])
        place.run("plan", place.write("name.json", content)).exits(0)
    for name in ("a\nb", "a\tb", "\x1b[31mred", "a\x7fb", "a\u0085b", "a\u202eb", "\u2066a", "a" * 65, ""):
        text = json.dumps(rig.config(rig.shell("echo"), configs=[{"name": name, "set": {}}]))
        result = place.run("plan", place.write("name.json", text)).exits(2, "configs[0].name:")
        need(not any(ord(c) < 32 and c != "\n" or 0x2028 < ord(c) < 0x206f for c in result.err), repr(result.err))
        text = json.dumps(rig.config(rig.shell("echo", name=name)))
        place.run("plan", place.write("name.json", text)).exits(2, "workloads[0].name:")


def test_names_make_no_paths(place):
    """A run under hostile names writes nothing outside its folder."""
    place.fake("vm-empty")
    content = rig.config(rig.shell("echo rate: 1", name="../../../escape"),
                         configs=[{"name": "/tmp/../x", "set": {}}, {"name": "..", "set": {}}])
    content["name"] = "../a comparison/of $things"
    place.measure(content).exits(0)
    rig.equal(len(place.records()), 2)
    place.run("run", place.path("results.json")).exits(0)
    made = sorted(name for name in os.listdir(place.top) if name not in ("root", "results", "results.json"))
    need(len(made) == 1 and made[0].startswith("perfwatt----a-comparison-of--things-"), made)


def test_files_that_are_not_there(place):
    place.fake("vm-empty")
    place.run("plan", place.path("none.json")).exits(2, "none.json", "No such file")
    place.run("plan", place.top).exits(2, place.top)
    place.run("run", place.path("none.json"), "-o", place.path("results")).exits(2, "none.json")
    need(not os.path.exists(place.path("results")))


if __name__ == "__main__":
    rig.main(globals())
