"""Strict YAML with positions: the reader of machine descriptions, workloads and studies.

    node = read_yaml(text, "saxpy.yaml")        # or read_yaml_file(path)
    node.value                                  # None, bool, int, float, str, list or dict of Nodes
    node.location                               # where it stands; node.keys[k] where a key stands
    node.plain()                                # the same as plain Python values
    raise InputError(node.finding("too many elements", hint="at most 8"))
    workload = validate(Workload, node)         # a pydantic model: `validation`

Differences from plain YAML, each because the usual behaviour hides mistakes:

* only `true` and `false` are booleans; `no`, `on`, `1:30`, dates stay text; `1e9` is a number;
* a repeated key, an anchor, an alias, a tag and a second document are errors;
* keys are always text; a number with a leading zero is an error;
* a key or '-' with nothing behind it is an error: `null` says that nothing is meant.

Every finding carries file:line:column and its source line; all findings of a file come together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from machines.diagnostics import Diagnostic, InputError, Location, diagnostic, input_error
from machines.reading import read_text

MOST_CHARACTERS = 1 << 20
MOST_BYTES = 4 * MOST_CHARACTERS  # of UTF-8
DEEPEST = 64
MOST_FINDINGS = 50
"""Limits on what a file may hold (characters, nesting) and on the findings reported for one."""

Value = None | bool | int | float | str | list["Node"] | dict[str, "Node"]

_INTEGER = re.compile(r"[-+]?[0-9]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS = {
    "": None, "null": None, "~": None, "true": True, "false": False,
    ".inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan"),
}  # fmt: skip
_UNMERGED = re.compile(r"^<{7} .*?^={7}$.*?^>{7} ", re.MULTILINE | re.DOTALL)
MERGE_MARKERS = (
    "git left both sides: keep what is right, without the lines <<<<<<<, =======, >>>>>>>"
)
"""The hint of a file with conflicts in it."""
LONGEST_NUMBER = 400  # digits; longer ones are a mistake, and slow to convert


@dataclass(slots=True)
class Node:
    """A value with its location.

    value     scalar, list of nodes, or dict of nodes by key
    location  the value's first line; for a mapping or list, where its first item stands
    text      the whole text `location` points into
    keys      of a mapping: where each key stands
    tag       a tag that the caller of `read_yaml` allowed ('!replace'), else None
    evidence  of a machine's figure: how it is known (set by machines/description/evidence.py)
    """

    value: Value
    location: Location
    text: str
    keys: dict[str, Location] = field(default_factory=dict)
    tag: str | None = None
    evidence: str | None = None

    def gives(self, key: str) -> bool:
        """Whether a mapping has a value for a key; null is none."""
        return key in self.value and self.value[key].value is not None

    def plain(self) -> object:
        """The value as plain Python data, without locations."""
        if isinstance(self.value, dict):
            return {key: child.plain() for key, child in self.value.items()}
        if isinstance(self.value, list):
            return [child.plain() for child in self.value]
        return self.value

    def finding(self, message: str, hint: str | None = None, key: str | None = None) -> Diagnostic:
        """A finding at this value, or at one of its keys."""
        if key is None or key not in self.keys:
            return diagnostic(message, self.location, source=self.text, hint=hint)
        # In a tree merged from several files a key stands in the file of its value.
        text = self.value[key].text
        return diagnostic(message, self.keys[key], source=text, hint=hint)


def read_yaml_file(path: str | Path, tags: tuple[str, ...] = ()) -> Node:
    """Read a file; a missing, unreadable or non-UTF-8 file, or none at all, is an InputError."""
    return read_yaml(read_text(path, MOST_BYTES), str(path), tags=tags)


def read_yaml(text: str, file: str, *, tags: tuple[str, ...] = (), skip: int = 0) -> Node:
    """Parse one YAML document.

    `tags` are local tags that mappings may carry; `skip` characters at the start of the text are
    not part of the document (the path of a `--set path=value`), but count in positions.

    Raises InputError with every finding.
    """
    if len(text) > MOST_CHARACTERS:
        raise input_error(
            f"{file} is larger than {MOST_CHARACTERS} characters", hint="put large data in a file"
        )
    merge = _UNMERGED.search(text) if "<<<<<<< " in text else None
    if merge:
        place = Location(file, text.count("\n", 0, merge.start()) + 1, 1, len("<<<<<<<"))
        message = "a merge was not finished here"
        raise input_error(message, place, source=text, hint=MERGE_MARKERS)
    reader = _Reader(text, file, tags)
    try:
        events = yaml.parse(" " * skip + text[skip:], Loader=yaml.SafeLoader)
        node = reader.document(events)
    except yaml.MarkedYAMLError as error:
        raise InputError(reader.syntax_error(error)) from None
    except yaml.reader.ReaderError as error:
        raise InputError(reader.character_error(error)) from None
    if reader.findings:
        raise InputError(reader.findings[:MOST_FINDINGS])
    return node


class _Reader:
    """Builds nodes from the parser's events and collects findings."""

    def __init__(self, text: str, file: str, tags: tuple[str, ...]):
        self.text, self.file, self.tags = text, file, tags
        self.findings: list[Diagnostic] = []

    def document(self, events: Iterator[yaml.Event]) -> Node:
        """The first document of the stream; a second one is a finding."""
        root = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    self.note(event, "a second document starts here", "one file, one document")
                    return root
                root = self.node(next(events), events, 0)
        if root is None:
            return Node(None, Location(self.file, 1), self.text)
        return root

    def node(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Node:
        if depth > DEEPEST:
            self.note(event, f"nested more than {DEEPEST} levels deep", None)
            raise InputError(self.findings)
        if isinstance(event, yaml.AliasEvent):
            self.note(event, f"alias '*{event.anchor}' is not allowed", "repeat the value")
            return Node(None, self.location(event), self.text)
        if event.anchor is not None:
            self.note(event, f"anchor '&{event.anchor}' is not allowed", "repeat the value")
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        tag = self.tag(event)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(event, events, depth, tag)
        children = []
        while not isinstance(inner := next(events), yaml.SequenceEndEvent):
            if _is_empty(inner):
                self.note(inner, "an element has no value", "write it, or null")
            children.append(self.node(inner, events, depth + 1))
        return Node(children, self.location(event), self.text, tag=tag)

    def mapping(
        self, start: yaml.Event, events: Iterator[yaml.Event], depth: int, tag: str | None
    ) -> Node:
        values: dict[str, Node] = {}
        keys: dict[str, Location] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = self.key(event, events, depth)
            location = self.location(event)
            written = next(events)
            value = self.node(written, events, depth + 1)
            if _is_empty(written):
                self.note(event, f"'{key}' has no value", "write it, or null, or leave the key out")
            if key in values:
                self.note(event, f"key '{key}' is given twice", f"first on line {keys[key].line}")
            else:
                values[key], keys[key] = value, location
        return Node(values, self.location(start), self.text, keys, tag)

    def key(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> str:
        if isinstance(event, yaml.ScalarEvent) and event.anchor is None and event.tag is None:
            return event.value
        self.note(event, "a key must be plain text", None)
        self.node(event, events, depth + 1)
        return ""

    def tag(self, event: yaml.Event) -> str | None:
        if event.tag is None or event.tag in self.tags:
            return event.tag
        self.note(event, f"tag '{event.tag}' is not allowed", None)
        return None

    def scalar(self, event: yaml.ScalarEvent) -> Node:
        if event.tag not in (None, "!"):
            self.tag(event)
        value: Value = event.value
        if event.style is None and event.tag is None:
            value = self.resolve(event)
        elif any("\ud800" <= c <= "\udfff" for c in event.value):
            self.note(event, "half of a surrogate pair", None)
        return Node(value, self.location(event), self.text)

    def resolve(self, event: yaml.ScalarEvent) -> bool | int | float | str | None:
        """What an unquoted scalar means."""
        text = event.value
        if text in _WORDS:
            return _WORDS[text]
        convert: Callable[[str], int | float]
        if _INTEGER.fullmatch(text):
            if len(text.lstrip("+-")) > 1 and text.lstrip("+-")[0] == "0":
                self.note(event, f"'{text}' starts with a zero", "write it without, or quote it")
                return 0
            convert = int
        elif _HEXADECIMAL.fullmatch(text):
            convert = _from_hexadecimal
        elif _FLOAT.fullmatch(text):
            convert = float
        else:
            return text
        if len(text) > LONGEST_NUMBER or abs(convert(text)) == float("inf"):
            self.note(event, "this number is too large", "quote it if it is text")
            return 0
        return convert(text)

    def location(self, event: yaml.Event) -> Location:
        start, end = event.start_mark, event.end_mark
        length = end.column - start.column if end.line == start.line else 1
        return Location(self.file, start.line + 1, start.column + 1, max(1, length))

    def note(self, event: yaml.Event, message: str, hint: str | None) -> None:
        location = self.location(event)
        self.findings.append(diagnostic(message, location, source=self.text, hint=hint))

    def syntax_error(self, error: yaml.MarkedYAMLError) -> Diagnostic:
        mark = error.problem_mark or error.context_mark
        location = Location(self.file, mark.line + 1, mark.column + 1) if mark else None
        problem = error.problem or "is not YAML"
        hint = " ".join(filter(None, (error.context, _at(error.context_mark)))) or None
        if "'\\t'" in problem:
            problem, hint = "a tab cannot indent", "indent with spaces"
        elif "mapping values are not allowed" in problem:
            hint = "check the indentation, or quote a text that contains ': '"
        return diagnostic(problem, location, source=self.text, hint=hint)

    def character_error(self, error: yaml.reader.ReaderError) -> Diagnostic:
        before = self.text[: error.position]
        line = before.count("\n") + 1
        location = Location(self.file, line, error.position - (before.rfind("\n") + 1) + 1)
        code = error.character if isinstance(error.character, int) else ord(error.character)
        return diagnostic(f"character U+{code:04X} is not allowed", location, source=self.text)


def _is_empty(event: yaml.Event) -> bool:
    is_plain = isinstance(event, yaml.ScalarEvent) and event.style is None and event.tag is None
    return is_plain and event.anchor is None and event.value == ""


def _from_hexadecimal(text: str) -> int:
    return int(text, 16)


def _at(mark: yaml.Mark | None) -> str:
    return f"(which began on line {mark.line + 1})" if mark else ""
