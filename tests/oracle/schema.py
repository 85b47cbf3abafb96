#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""schema.py SCHEMA FILE...: checks JSON and JSON-lines files against a schema.

Knows the words that our schemas use and refuses any other, so that none is skipped silently.
"""
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
WORDS = {"$schema", "$comment", "$defs", "$ref", "title", "description", "default", "examples",
         "type", "enum", "const", "properties", "additionalProperties", "required", "items",
         "minItems", "minLength", "maxLength", "minimum", "minProperties", "pattern", "oneOf",
         "if", "then", "else"}


def is_type(value, name):
    if name in ("integer", "number"):
        kinds = int if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def simple(value, schema, at):
    """Faults of the words that look at one value alone."""
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(is_type(value, n) for n in names):
        return [at + ": not " + " or ".join(names)]
    checks = [("enum", lambda w: value in w), ("const", lambda w: value == w and
               isinstance(value, bool) == isinstance(w, bool)),
              ("minLength", lambda w: not isinstance(value, str) or len(value) >= w),
              ("maxLength", lambda w: not isinstance(value, str) or len(value) <= w),
              ("pattern", lambda w: not isinstance(value, str) or re.search(w, value)),
              ("minimum", lambda w: not is_type(value, "number") or value >= w),
              ("minItems", lambda w: not isinstance(value, list) or len(value) >= w),
              ("minProperties", lambda w: not isinstance(value, dict) or len(value) >= w)]
    return ["%s: %s %r" % (at, word, schema[word]) for word, good in checks
            if word in schema and not good(schema[word])]


class Schema:
    def __init__(self, root):
        self.root = root

    def faults(self, value, schema, at=""):
        unknown = set(schema) - WORDS
        if unknown:
            raise SystemExit("schema words not known here: %s" % sorted(unknown))
        found = simple(value, schema, at)
        if "$ref" in schema:
            found += self.faults(value, self.root["$defs"][schema["$ref"].split("/")[-1]], at)
        if "oneOf" in schema:
            found += self.one_of(value, schema["oneOf"], at)
        if "if" in schema:
            branch = "else" if self.faults(value, schema["if"], at) else "then"
            found += self.faults(value, schema.get(branch, {}), at)
        if isinstance(value, dict):
            found += self.members(value, schema, at)
        if isinstance(value, list) and "items" in schema:
            for i, item in enumerate(value):
                found += self.faults(item, schema["items"], "%s/%d" % (at, i))
        return found

    def one_of(self, value, choices, at):
        all_faults = [self.faults(value, s, at) for s in choices]
        if sum(not f for f in all_faults) == 1:
            return []
        return [at + ": none or several of the forms fit"] + min(all_faults, key=len)

    def members(self, value, schema, at):
        found = ["%s: %s is missing" % (at, k) for k in schema.get("required", []) if k not in value]
        rest = schema.get("additionalProperties", True)
        for key, item in value.items():
            below = schema.get("properties", {}).get(key)
            if below is None and rest is False:
                found.append("%s/%s: not allowed" % (at, key))
            elif below is None and rest is True:
                continue
            else:
                found += self.faults(item, rest if below is None else below, "%s/%s" % (at, key))
        return found


def documents(path):
    with open(path, encoding="utf-8") as f:
        if path.endswith(".jsonl"):
            return [(n, json.loads(line)) for n, line in enumerate(f, 1)]
        return [(1, json.load(f))]


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        root = json.load(f)
    bad = 0
    for path in sys.argv[2:]:
        for line, doc in documents(path):
            for fault in Schema(root).faults(doc, root):
                bad += 1
                print("%s:%d: %s" % (path, line, fault))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
