# SPDX-License-Identifier: GPL-2.0-or-later
"""The documents and the fenced blocks in them."""
import os
import re

# What a fence may say of its block: run, listed with a reason, given to `perfwatt plan`, only shown.
KINDS = ("sh", "console", "json config", "json", "text")


class Block:
    def __init__(self, document, line, kind):
        self.document, self.line, self.kind, self.text = document, line, kind, ""

    def __str__(self):
        return f"{self.document}:{self.line}"


def names(source):
    """Paths from the project's root."""
    found = [name for name in ("README.md", "CONTRIBUTING.md") if os.path.exists(os.path.join(source, name))]
    for name in sorted(os.listdir(os.path.join(source, "docs"))):
        if name.endswith(".md"):
            found.append("docs/" + name)
    return found


def read(source, name):
    with open(os.path.join(source, name), encoding="utf-8") as file:
        return file.read()


def blocks(source, name):
    """Its fenced blocks; a fence that is not closed or says something else is an error."""
    found, open_block = [], None
    for number, line in enumerate(read(source, name).split("\n"), 1):
        fence = re.match(r"```(.*)$", line)
        if fence and open_block:
            found.append(open_block)
            open_block = None
        elif fence:
            open_block = Block(name, number, fence.group(1).strip())
            if open_block.kind not in KINDS:
                raise SystemExit(f"{open_block}: a block of kind '{open_block.kind}' ({', '.join(KINDS)})")
        elif open_block:
            open_block.text += line + "\n"
    if open_block:
        raise SystemExit(f"{open_block}: the block is not closed")
    return found


def sections(text, mark):
    """Heading -> text, of the headings with this mark ("##"); higher headings end a section."""
    found, title = {}, None
    for line in text.split("\n"):
        heading = re.match(r"(#+) (.*)$", line)
        if heading and len(heading.group(1)) <= len(mark):
            title = heading.group(2) if heading.group(1) == mark else None
            if title:
                found[title] = ""
        elif title:
            found[title] += line + "\n"
    return found


def rows(text):
    """First cell's words in backticks -> the rows (lists of cells) of all tables of a text."""
    found = {}
    for line in text.split("\n"):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else []
        for word in re.findall(r"`([^`]+)`", cells[0]) if cells else []:
            found.setdefault(word, []).append(cells)
    return found
