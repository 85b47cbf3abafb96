# SPDX-License-Identifier: GPL-2.0-or-later
"""Just enough of C to count and look up: no preprocessing, no types."""
import re

CONTROL = {"if", "for", "while", "switch"}
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\S")
LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M | re.S)


def _blanks(match):
    text = match.group(0)
    keep = text[0] if text[0] in "\"'" else " "
    inner = re.sub(r"[^\n]", " ", text[1:-1])
    return keep + inner + (keep if len(text) > 1 else "")


def blank_literals(text):
    """Comments and the insides of strings become blanks; every offset and line stays."""
    return LITERAL.sub(_blanks, text)


def blank_directives(text):
    return DIRECTIVE.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def closing(text, start):
    """Offset of the bracket that closes the one at `start` (the end of the text if none does)."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    depth, up, down = 0, text[start], pairs[text[start]]
    for i in range(start, len(text)):
        if text[i] == up:
            depth += 1
        elif text[i] == down:
            depth -= 1
            if depth == 0:
                return i
    return len(text) - 1


class Function:
    def __init__(self, name, code, start, brace, end):
        self.name = name
        self.line = line_of(code, start)
        self.lines = line_of(code, end) - self.line + 1
        self.start, self.end = start, end
        self.body = code[brace:end + 1]
        self.body_offset = brace


def _head_start(code, i):
    while i < len(code) and code[i].isspace():
        i += 1
    return i


def top_level(code):
    """Yields ("function", Function) and ("declaration", offset, text) of blanked code."""
    start = i = 0
    while i < len(code):
        byte = code[i]
        if byte in "([":
            i = closing(code, i)
        elif byte == "{":
            end = closing(code, i)
            head = code[start:i]
            name = re.search(r"([A-Za-z_]\w*)\s*\((?:[^()]|\([^()]*\))*\)\s*"
                             r"(?:__attribute__\s*\(\(.*\)\)\s*)?$", head, re.S)
            if name and "=" not in head[:name.start()]:
                begin = _head_start(code, start)
                yield "function", Function(name.group(1), code, begin, i, end)
                start = end + 1
            i = end
        elif byte == ";":
            begin = _head_start(code, start)
            yield "declaration", begin, code[begin:i]
            start = i + 1
        i += 1


class _Statements:
    """Walks the statements of a function's body and keeps the deepest level."""

    def __init__(self, body):
        self.tokens = TOKEN.findall(body)
        self.at = 0
        self.deepest = 0

    def peek(self, ahead=0):
        i = self.at + ahead
        return self.tokens[i] if i < len(self.tokens) else ""

    def brackets(self):
        """Over a bracketed part, at whose opening bracket we stand."""
        depth = 0
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            depth += (token in "([{") - (token in ")]}")
            self.at += 1
            if depth == 0:
                return

    def to(self, end):
        while self.at < len(self.tokens) and self.peek() != end:
            if self.peek() in "([{":
                self.brackets()
            else:
                self.at += 1
        self.at += 1

    def block(self, level):
        self.at += 1
        while self.at < len(self.tokens) and self.peek() != "}":
            self.statement(level)
        self.at += 1

    def controlled(self, level):
        self.deepest = max(self.deepest, level)
        if self.peek() == "{":
            self.block(level)
        else:
            self.statement(level)

    def is_loop_macro(self):
        """name(...) { ... }: a macro that hides a for."""
        if not re.match(r"[A-Za-z_]", self.peek()) or self.peek(1) != "(":
            return False
        saved = self.at
        self.at += 1
        self.brackets()
        found = self.peek() == "{"
        self.at = saved
        return found

    def statement(self, level):
        token = self.peek()
        if token == "{":
            self.block(level)
        elif token in CONTROL or self.is_loop_macro():
            self.at += 1
            self.brackets()
            self.controlled(level + 1)
            while token == "if" and self.peek() == "else":
                self.at += 1
                if self.peek() == "if":
                    self.at += 1
                    self.brackets()
                self.controlled(level + 1)
        elif token == "do":
            self.at += 1
            self.controlled(level + 1)
            self.to(";")
        elif token in ("case", "default"):
            self.to(":")
        elif re.match(r"[A-Za-z_]", token) and self.peek(1) == ":" and self.peek(2) != ":":
            self.at += 2
        else:
            self.to(";")


def nesting(function):
    """
    How deep the control statements (if, for, while, do, switch, loop macros) of a function stand
    inside one another, with braces or without. The body itself is 0, "else if" is one level with
    its "if", a switch's cases are one level with their switch, a bare block is none.
    """
    walk = _Statements(function.body)
    walk.block(0)
    return walk.deepest


def _object_is_const(declarator):
    """Is the object itself constant: "const" behind the last '*', or anywhere without one."""
    tail = declarator.rsplit("*", 1)[-1] if "*" in declarator else declarator
    return re.search(r"\bconst\b|\bconstexpr\b", tail) is not None


def _without_braces(text):
    """Bodies of structs and enums, and initialisers, become nothing."""
    while "{" in text:
        start = text.index("{")
        text = text[:start] + " " + text[closing(text, start) + 1:]
    return text


def mutable_variable(declaration):
    """The name of the mutable object that a file-scope declaration (or a static one) defines."""
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)", " ", declaration, flags=re.S)
    if re.match(r"\s*(typedef|extern|_Static_assert|static_assert)\b", text):
        return None
    head = _without_braces(text).split("=", 1)[0]
    pointer = re.search(r"\(\s*\*\s*(const\s+)?(\w+)\s*(\[[^\]]*\])?\s*\)\s*\(", head)
    # A pointer to a function, rather than one among a function's parameters.
    if pointer and "(" not in head[:pointer.start()]:
        return None if pointer.group(1) else pointer.group(2)
    if "(" in head:
        return None
    name = re.search(r"(\w+)\s*((?:\[[^\]]*\]\s*)*)$", head)
    words = [w for w in re.findall(r"[A-Za-z_]\w*", head) if w not in ("static", "const")]
    # "struct x" alone declares a type; "struct x y" and "enum { ... } y" an object.
    tagged = re.match(r"\s*(?:(?:static|const)\s+)*(?:struct|union|enum)\s+\w", declaration)
    typed = 2 if tagged else 1
    if not name or len(words) <= typed:
        return None
    return None if _object_is_const(head) else name.group(1)
