"""Where an instruction came from: !DILocation in, `Location` out.

A file compiled with -g says so itself, and messages point into the C file.  One without gets debug
information here that says which line of the .ll file each instruction stands on, so that
locations survive what LLVM does to the code, inlining included:

    %s = add i32 %a, %b     ->     %s = add i32 %a, %b, !dbg !12
                                   !12 = !DILocation(line: 7, column: 3, scope: !10)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from compiler.frontends.llvm.library import source_of
from compiler.frontends.llvm.reading.debug_types import NOTHING, Fields, nodes_of
from compiler.frontends.llvm.reading.lexer import bare
from machines.cache.file_dependencies import is_there
from machines.diagnostics import Location

_HEAD = re.compile(r'\s*define\b[^@]*@("[^"]*"|[-\w$.]+)\s*\(')
_LABEL = re.compile(r'\s*("[^"]*"|[-\w$.]+):\s*$')
_NOT_CODE = re.compile(r';.*|"[^"]*"')
_CONTINUES = re.compile(r"\s*(to label|unwind label|cleanup\b|catch\b|filter\b)")
_GLOBAL = re.compile(r'\s*@("[^"]*"|[-\w$.]+)\s*=')
_FLAGS = "!llvm.module.flags = "  # of them only the version of debug information matters here
_METADATA = re.compile(r"!(\d+) = ")


@dataclass(slots=True)
class Body:
    """Numbers of a function's lines, from 0: of its head, and the first and last of each
    instruction."""

    head: int
    statements: list[tuple[int, int]] = field(default_factory=list)


def bodies(lines: list[str]) -> dict[str, Body]:
    """The functions with a body by name, as their lines lie in a text."""
    found: dict[str, Body] = {}
    body, depth = None, 0
    for number, line in enumerate(lines):
        if body is None:
            if head := _HEAD.match(line):
                body = found[bare(head[1])] = Body(number)
                depth = 0 if line.rstrip().endswith("{") else 1
            continue
        code = _NOT_CODE.sub("", line)
        if depth == 1 and not body.statements and code.rstrip().endswith("{"):
            depth = 0
        elif depth == 0 and code.strip() == "}":
            body = None
        elif depth or _CONTINUES.match(line):
            if body.statements:
                body.statements[-1] = (body.statements[-1][0], number)
                depth += sum(map(code.count, "[{(")) - sum(map(code.count, "]})"))
        elif code.strip() and not _LABEL.match(line.split(";")[0]) and "#dbg_" not in code:
            body.statements.append((number, number))
            depth = sum(map(code.count, "[{(")) - sum(map(code.count, "]})"))
    return found


def with_lines(printed: str, written: str) -> str:
    """A printed module with debug information that leads to the lines of the file as written."""
    originals = written.splitlines()
    lines = [line for line in printed.splitlines() if not line.startswith(_FLAGS)]
    numbers = [int(m[1]) for line in lines if (m := _METADATA.match(line))]
    first = max(numbers, default=-1) + 1
    file, unit, kind, flag = range(first, first + 4)
    metadata = [
        f'!{file} = !DIFile(filename: "f", directory: "")',
        f"!{unit} = distinct !DICompileUnit(language: DW_LANG_C99, file: !{file}, "
        "emissionKind: LineTablesOnly)",
        f"!{kind} = !DISubroutineType(types: !{{}})",
        f'!{flag} = !{{i32 2, !"Debug Info Version", i32 3}}',
    ]
    sources = bodies(originals)
    for name, body in bodies(lines).items():
        scope = first + len(metadata)
        source = sources.get(name, Body(0))
        lines[body.head] = re.sub(r"\{\s*$", f"!dbg !{scope} {{", lines[body.head])
        metadata.append(
            f'!{scope} = distinct !DISubprogram(name: "f{scope}", file: !{file}, '
            f"line: {source.head + 1}, type: !{kind}, spFlags: DISPFlagDefinition, unit: !{unit})"
        )
        aligned = len(source.statements) == len(body.statements)
        for k, (_, last) in enumerate(body.statements):
            at = source.statements[k][0] if aligned else source.head
            text = originals[at] if at < len(originals) else ""
            column = len(text) - len(text.lstrip()) + 1
            lines[last] += f", !dbg !{first + len(metadata)}"
            metadata.append(
                f"!{first + len(metadata)} = "
                f"!DILocation(line: {at + 1}, column: {column}, scope: !{scope})"
            )
    lines += [f"!llvm.dbg.cu = !{{!{unit}}}", f"{_FLAGS}!{{!{flag}}}", *metadata]
    return "\n".join(lines) + "\n"


class Locations:
    """Finds locations by the debug numbers of a printed module.

    `source` is the text that the locations point into, None if they point into other files.
    """

    def __init__(self, printed: str, file: str, written: str, own_lines: bool):
        self.file = file
        self.written = written.splitlines()
        self.own_lines = own_lines
        self.source = written if own_lines else None
        self.nodes = nodes_of(printed)
        self._bodies = bodies(self.written)
        self._globals = {
            bare(m[1]): number
            for number, line in enumerate(self.written)
            if (m := _GLOBAL.match(line))
        }
        self._known: dict[int, Location | None] = {}

    def at(self, debug: int | None) -> Location | None:
        """Where an instruction with `!dbg !N` came from."""
        if debug is None:
            return None
        if debug not in self._known:
            fields = self._fields(debug)
            self._known[debug] = self._find(fields, fields.get("scope"))
        return self._known[debug]

    def of_function(self, name: str, debug: int | None) -> Location:
        """Where a function begins: in its source, if the file says so, else in the file; one of the
        C library in C."""
        body = self._bodies.get(name)
        if body is None and (library := source_of(name)) is not None:
            return library
        found = None if debug is None or self.own_lines else self._find(self._fields(debug), debug)
        return found or self._line(body.head if body else 0)

    def of_global(self, name: str) -> Location:
        """The line of the file where a global variable is declared."""
        return self._line(self._globals.get(name, 0))

    def _find(self, fields: Fields, scope: object) -> Location | None:
        """The line and column of the fields, in the file of the scope."""
        line = int(fields.get("line", 0))
        if not line:
            return None
        if self.own_lines:
            return self._line(line - 1)
        while isinstance(scope, int) and "file" not in self._fields(scope):
            scope = self._fields(scope).get("scope")
        if not isinstance(scope, int):
            return None
        file = self._fields(int(self._fields(scope)["file"]))
        return Location(
            self._path(str(file["filename"]), str(file.get("directory", ""))),
            line,
            max(1, int(fields.get("column", 1))),
        )

    def _path(self, name: str, folder: str) -> str:
        """A C file: beside the file that is read, or where it was compiled."""
        beside = Path(self.file).parent / name
        return str(beside if is_there(beside) else Path(folder) / name)

    def _fields(self, number: int) -> Fields:
        return self.nodes.get(number, NOTHING).fields

    def _line(self, number: int) -> Location:
        text = self.written[number] if number < len(self.written) else ""
        column = len(text) - len(text.lstrip()) + 1
        return Location(self.file, number + 1, column, max(1, len(text.strip())))
