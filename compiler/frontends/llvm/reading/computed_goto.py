"""A computed goto as a switch, in a printed module.

    blockaddress(@f, %2)             ->   inttoptr (i64 3 to ptr)
    indirectbr ptr %x, [label %2]    ->   %goto.0 = ptrtoint ptr %x to i64
                                          switch i64 %goto.0, label %nowhere [ i64 3, label %2 ]

The address of a block is its number among those of its function that have names, from 1: nothing
else can be done with it than go there, within that function.
"""

from __future__ import annotations

import re

from compiler.frontends.llvm.reading.lexer import bare

_NAME = r'(?:"[^"]*"|[-\w$.]+)'
_HEAD = re.compile(rf"define\b[^@]*@({_NAME})\(")
_LABEL = re.compile(rf"({_NAME}):")
_ADDRESS = re.compile(rf"blockaddress\(@({_NAME}), %({_NAME})\)")
_GOTO = re.compile(r"  indirectbr ptr (.*), \[(.*)\]((?:, !\w+ !\d+)*)$")
_TARGET = re.compile(rf"label %({_NAME})")
NOWHERE = "goto.nowhere"


def without_computed_gotos(text: str) -> str:
    """The module with switches in their places."""
    if "blockaddress(" not in text and "indirectbr " not in text:
        return text
    lines = text.splitlines()
    numbers = _numbers(lines)

    def number(found: re.Match) -> str:
        label = numbers.get((bare(found[1]), bare(found[2])), 0)
        return f"inttoptr (i64 {label} to ptr)"

    made, function, gotos = [], "", 0
    for line in lines:
        line = _ADDRESS.sub(number, line)
        if head := _HEAD.match(line):
            function, gotos = bare(head[1]), 0
        elif found := _GOTO.match(line):
            targets = dict.fromkeys(_TARGET.findall(found[2]))
            cases = " ".join(
                f"i64 {numbers[function, bare(target)]}, label %{target}" for target in targets
            )
            made.append(f"  %goto.{gotos} = ptrtoint ptr {found[1]} to i64")
            line = f"  switch i64 %goto.{gotos}, label %{NOWHERE} [ {cases} ]{found[3]}"
            gotos += 1
        elif line == "}" and gotos:
            made += [f"{NOWHERE}:", "  unreachable"]
        made.append(line)
    return "\n".join(made) + "\n"


def _numbers(lines: list[str]) -> dict[tuple[str, str], int]:
    """Of each block with a label its number, by function and label."""
    found: dict[tuple[str, str], int] = {}
    function, count = "", 0
    for line in lines:
        if head := _HEAD.match(line):
            function, count = bare(head[1]), 0
        elif label := _LABEL.match(line):
            count += 1
            found[function, bare(label[1])] = count
    return found
