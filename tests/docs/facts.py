#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the documents with the program, the schemas and the tree.

    facts.py PERFWATT SOURCE [NAME]...       all check_* functions, or those named
"""
import json
import os
import re
import subprocess
import sys

import documents


class Project:
    def __init__(self, perfwatt, source):
        self.perfwatt, self.source = perfwatt, source

    def text(self, name):
        return documents.read(self.source, name)

    def json(self, name):
        return json.loads(self.text(name))

    def has(self, *names):
        return os.path.exists(os.path.join(self.source, *names))

    def run(self, *arguments):
        done = subprocess.run([self.perfwatt, *arguments], capture_output=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise SystemExit(f"perfwatt {' '.join(arguments)}: exit status {done.returncode}\n{done.stderr}")
        return done.stdout

    def commands(self):
        """Command -> its long options without dashes."""
        listed = re.search(r"Commands:\n((?:  .*\n)+)", self.run("--help")).group(1)
        return {name: re.findall(r"^  (?:-., )?--([a-z-]+)", self.run(name, "--help"), re.M)
                for name in re.findall(r"^  (\S+)", listed, re.M)}


def missing(place, words, found):
    return [f"{place}: nothing about '{word}'" for word in words if word not in found]


def check_command_line(project):
    """docs/perfwatt.md: every command and option, and none that is not there."""
    name = "docs/perfwatt.md"
    text, commands = project.text(name), project.commands()
    sections = documents.sections(text, "###")
    yield from missing(name, commands, sections)
    for command, options in commands.items():
        shown = set(re.findall(r"--([a-z-]+)", sections.get(command, "")))
        yield from missing(f"{name}, {command}", [o for o in options if o != "help"], shown)
    known = {option for options in commands.values() for option in options} | {"version", "help"}
    for option in sorted(set(re.findall(r"--([a-z]+[a-z-]*)", text)) - known):
        yield f"{name}: no command has --{option}"


def man_parts(text):
    """Command -> what the synopsis and its own section say."""
    parts = {}
    synopsis = text.split(".Sh SYNOPSIS", 1)[1].split(".Sh ", 1)[0]
    for piece in synopsis.split("\n.Nm")[1:]:
        command = re.search(r"^\.Cm (\S+)", piece, re.M)
        parts[command.group(1)] = piece
    for piece in text.split("\n.Ss ")[1:]:
        command, rest = piece.split("\n", 1)
        parts[command] = parts.get(command, "") + rest.split("\n.Sh ", 1)[0]
    return parts


def check_man_page(project):
    """docs/perfwatt.1: every command and option of the help."""
    name = "docs/perfwatt.1"
    text, commands = project.text(name), project.commands()
    parts = man_parts(text)
    yield from missing(name, commands, parts)
    for command, options in commands.items():
        shown = set(re.findall(r"(?:Fl|,) -([a-z-]+)", parts.get(command, "")))
        yield from missing(f"{name}, {command}", [o for o in options if o != "help"], shown)
    yield from missing(name, ["Fl -help", "Fl -version"], text)
    if not project.has("docs/perfwatt.1") or "perfwatt.1" not in project.text("CMakeLists.txt"):
        yield "CMakeLists.txt: the man page is not installed"


def check_exit_codes(project):
    """The numbers of enum pw_exit in both."""
    codes = re.findall(r"PW_EXIT_\w+ = (\d+)", project.text("harness/cli/cli.h"))
    section = documents.sections(project.text("docs/perfwatt.md"), "##")["Exit codes"]
    shown = set(re.findall(r"^\| (\d+)", section, re.M))
    yield from missing("docs/perfwatt.md, exit codes", codes, shown)
    yield from missing("docs/perfwatt.1", codes, set(re.findall(r"^\.It (\d+)", project.text("docs/perfwatt.1"), re.M)))


def default_text(value):
    return json.dumps(value)


def keys_in_table(place, properties, table):
    """Every key has a row, and the row names its default."""
    for key, schema in properties.items():
        if key not in table:
            yield f"{place}: no row for '{key}'"
        elif "default" in schema and not any(default_text(schema["default"]) in " ".join(row) for row in table[key]):
            yield f"{place}: the row of '{key}' does not name its default {default_text(schema['default'])}"


def check_config_keys(project):
    """docs/config.md against configs/config.schema.json."""
    name, schema = "docs/config.md", project.json("configs/config.schema.json")
    text = project.text(name)
    top = documents.sections(text, "##")["Top level"].split("\n### ")[0]
    yield from keys_in_table(name, schema["properties"], documents.rows(top))
    below = documents.sections(text, "###")
    objects = {key: value["properties"] for key, value in schema["properties"].items() if "properties" in value}
    objects["configs"] = schema["$defs"]["configs"]["items"]["properties"]
    objects["workloads"] = schema["properties"]["workloads"]["items"]["properties"]
    for key, properties in objects.items():
        yield from keys_in_table(f"{name}, {key}", properties, documents.rows(below.get(key, "")))


def check_plug_ins(project):
    """Workloads with their options and defaults, settings, collectors."""
    for workload in json.loads(project.run("list", "workloads", "--json")):
        place = f"docs/workloads.md, {workload['name']}"
        sections = documents.sections(project.text("docs/workloads.md"), "##")
        section = "".join(text for title, text in sections.items()
                          if workload["name"] in re.findall(r"[\w:-]+", title.split(": ")[0]))
        options = {o["name"]: {k: o[k] for k in ("default",) if k in o} for o in workload["options"]}
        if not section:
            yield f"{place}: no section"
        for key, option in options.items():
            found = documents.rows(section).get(key)
            if not found:
                yield f"{place}: no row for '{key}'"
            elif "default" in option and not any(option["default"] in " ".join(row) for row in found):
                yield f"{place}: the row of '{key}' does not name its default {option['default']}"
    knobs = [knob["name"] for knob in json.loads(project.run("list", "knobs", "--json"))]
    table = documents.rows(documents.sections(project.text("docs/settings.md"), "##")["The settings"])
    yield from missing("docs/settings.md", knobs, table)
    collectors = [c["name"] for c in json.loads(project.run("list", "collectors", "--json"))]
    yield from missing("docs/energy-and-frequency.md", [f"`{c}`" for c in collectors],
                       project.text("docs/energy-and-frequency.md"))


def check_record_keys(project):
    """docs/results.md against configs/record.schema.json."""
    name, schema = "docs/results.md", project.json("configs/record.schema.json")["$defs"]
    sections = documents.sections(project.text(name), "##")
    session = sections["session.json"]
    yield from missing(f"{name}, session.json", schema["session"]["properties"],
                       {**documents.rows(session), "schema": 0, "type": 0})
    for part in ("configs", "cells"):
        keys = schema["session"]["properties"]["plan"]["properties"][part]["items"]["properties"]
        yield from missing(f"{name}, plan.{part}", keys, set(re.findall(r'[`"](\w+)[`"]', session)))
    record = sections["A record of runs.jsonl"]
    table = documents.rows(record)
    yield from missing(f"{name}, a record", schema["run"]["properties"], table)
    yield from missing(f"{name}, energy", schema["energy"]["properties"], table)
    words = set(re.findall(r"`(\w+)`", record))
    for part in ("metric", "energy"):
        yield from missing(f"{name}, {part}", schema[part]["properties"], words)
    for part in ("window", "work", "operations"):
        yield from missing(f"{name}, {part}", schema["run"]["properties"][part]["properties"], words)


def check_records_are_documented(project):
    """Every key that the program writes: the engine and the model set them by name."""
    name = "docs/results.md"
    text = project.text(name)
    words = set(re.findall(r'[`"](\w+)[`"]', text))
    for source in ("harness/engine/run.c", "harness/engine/judge.c", "harness/engine/describe.c",
                   "lib/model/record.c"):
        keys = re.findall(r'(?:pw_value_set|set_text|member)\(&?(?:\w+), "(\w+)"', project.text(source))
        internal = {"options", "workdir", "cpus", "seed", "point"} if source.endswith("run.c") else set()
        yield from missing(f"{name} ({source})", sorted(set(keys) - internal), words)


def check_environment(project):
    """The variables that a workload finds."""
    names = set(re.findall(r'set\(list, "(PERFWATT_\w+)"', project.text("harness/engine/surroundings.c")))
    shown = set(re.findall(r"^\| `(PERFWATT_\w+)` \|", project.text("docs/workloads.md"), re.M))
    for word in sorted(names ^ shown):
        yield f"docs/workloads.md: '{word}' is set or described, not both"


def check_pinned_numbers(project):
    """docs/statistics.md shows the numbers that the test pins."""
    test = project.text("tests/unit/test_stats_rng.c")
    section = documents.sections(project.text("docs/statistics.md"), "##")["Order of runs"]
    shown = re.findall(r"\b[0-9a-f]{16}\b", re.sub(r"0x[0-9a-f]+", "", section))
    if len(shown) < 4:
        yield "docs/statistics.md: the pinned outputs are not shown"
    for number in shown:
        if f"0x{number}" not in test:
            yield f"docs/statistics.md: {number} is not pinned by the test"
    below = re.search(r"below5\[\] = \{ ([^}]*) \}", test).group(1).replace(",", "")
    if below not in section:
        yield f"docs/statistics.md: does not show the numbers below 5 ({below})"


def test_file(project, name):
    """The text of a test named in a document, None if there is none."""
    for ending in (".c", ".py", ".sh"):
        if project.has("tests", name + ending):
            return project.text(f"tests/{name}{ending}")
    return None


def check_named_tests(project):
    """docs/pitfalls.md: every test it names is there, every row names one."""
    name = "docs/pitfalls.md"
    rows = [line for line in project.text(name).split("\n") if re.match(r"\| (?!public|fault|---)", line)]
    for row in rows:
        tests = re.findall(r"`((?:unit|cli|integration|golden)/[^`]+)`", row.split(" | ")[2])
        if not tests:
            yield f"{name}: no test in the row '{row[:60]}...'"
        for test in tests:
            file, _, function = test.partition(": ")
            if file.startswith("golden/"):
                if not project.has("tests", file, "expected.txt"):
                    yield f"{name}: no test {test}"
            elif not re.search(rf"\b(?:test_)?{re.escape(function)}\(", test_file(project, file) or ""):
                yield f"{name}: no test {test}"


def check_test_labels(project):
    """docs/tests.md: the labels and the lint rules."""
    sections = documents.sections(project.text("docs/tests.md"), "##")
    shown = set(documents.rows(sections["Labels"])) - {"tests/" + f for f in os.listdir(
        os.path.join(project.source, "tests"))}
    used = set()
    for folder in os.listdir(os.path.join(project.source, "tests")):
        if project.has("tests", folder, "CMakeLists.txt"):
            used |= set(re.findall(r"LABELS (\w+)", project.text(f"tests/{folder}/CMakeLists.txt")))
    for label in sorted(used ^ shown):
        yield f"docs/tests.md: the label '{label}' is used or described, not both"
    table = project.text("tests/lint/rules.py").split("\nRULES = {", 1)[1]
    rules = set(re.findall(r'^    "(\w+)": ', table, re.M))
    for rule in sorted(rules ^ set(documents.rows(sections["Lint"]))):
        yield f"docs/tests.md: the lint rule '{rule}' is there or described, not both"


def check_links(project):
    """Links between documents, and every docs/... that a source names."""
    for name in documents.names(project.source):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", project.text(name)):
            if "://" not in target and not project.has(os.path.dirname(name), target):
                yield f"{name}: the link {target} leads nowhere"
    for top in ("harness", "lib", "collectors", "workloads", "report", "tests", "bench", "cmake"):
        for folder, below, files in os.walk(os.path.join(project.source, top)):
            below[:] = [b for b in below if b not in ("samples", "corpus", "__pycache__")]
            for file in files:
                path = os.path.relpath(os.path.join(folder, file), project.source)
                if not file.endswith((".c", ".h", ".py", ".sh", ".txt", ".cmake", ".md")):
                    continue
                for target in set(re.findall(r"\bdocs/[\w-]+\.(?:md|1)\b", project.text(path))):
                    if not project.has(target):
                        yield f"{path}: {target} is not there"


def main(checks):
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} PERFWATT SOURCE [NAME]...")
    project = Project(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
    wanted, failed = sys.argv[3:], 0
    for name, check in list(checks.items()):
        if not name.startswith("check_") or (wanted and name[6:] not in wanted):
            continue
        faults = list(check(project))
        failed += len(faults)
        print(f"{'FAIL' if faults else 'ok':4} {name[6:]}")
        for fault in faults:
            print("     " + fault)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(globals())
