"""Reads a printed module: its types, its global variables, and the heads of its functions.

Bodies and initial values are read when they are needed: one that cannot be had is an error of
whoever uses it, not of the whole file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from compiler.frontends.llvm.reading.instructions import Refused, read_statement
from compiler.frontends.llvm.reading.lexer import Unreadable, bare
from compiler.frontends.llvm.reading.terms import Terms
from compiler.frontends.llvm.reading.tree import LlvmFunction, LlvmGlobal, Parameter, Statement
from compiler.frontends.llvm.reading.types import UnsupportedType

_NAMED_TYPE = re.compile(r'%("[^"]*"|[-\w$.]+) = type (.*)')
_GLOBAL = re.compile(r'@("[^"]*"|[-\w$.]+) = ')
_TRIPLE = re.compile(r'target triple = "(.*)"')
_GROUP = re.compile(r"attributes #(\d+) = \{(.*)\}")
_DECLARED = re.compile(r'@("[^"]*"|[-\w$.]+)\(')
_NEVER = re.compile(r"\bnoreturn\b")
_LABEL = re.compile(r'("[^"]*"|[-\w$.]+):')


@dataclass(slots=True)
class LlvmModule:
    """`globals_` are the lines that declare global variables, by name in order; `never_return`
    the functions that are declared only, and never return."""

    named: dict[str, str] = field(default_factory=dict)
    globals_: dict[str, str] = field(default_factory=dict)
    functions: dict[str, LlvmFunction] = field(default_factory=dict)
    never_return: set[str] = field(default_factory=set)
    triple: str = ""


def read_module(text: str) -> LlvmModule:
    """The parts of a printed module; raises Unreadable."""
    module, lines = LlvmModule(), iter(text.splitlines())
    heads, declared, groups = [], [], {}
    for line in lines:
        if found := _NAMED_TYPE.match(line):
            module.named[bare(found[1])] = found[2]
        elif found := _GLOBAL.match(line):
            module.globals_[bare(found[1])] = line
        elif found := _TRIPLE.match(line):
            module.triple = found[1]
        elif line.startswith("declare "):
            declared.append(line)
        elif found := _GROUP.match(line):
            groups[found[1]] = found[2]
        elif line.startswith("define "):
            body = []
            for inner in lines:
                if inner == "}":
                    break
                body.append(inner)
            heads.append((line, body))
    module.never_return = {
        bare(_DECLARED.search(line)[1])
        for line in declared
        if any(_NEVER.search(part) for part in (line, groups.get(line.rpartition("#")[2], "")))
    }
    for head, body in heads:
        function = _read_head(head, body, module)
        module.functions[function.name] = function
    return module


def _read_head(line: str, body: list[str], module: LlvmModule) -> LlvmFunction:
    """`define internal zeroext i8 @f(ptr noalias %p, i32 %n) #0 !dbg !5 {`."""
    terms = Terms(line, module.named)
    terms.expect("define")
    words, _ = terms.words()
    result = terms.type()
    name = terms.name("global")
    terms.expect("(")
    parameters, variadic = [], False
    while not terms.accept(")"):
        if terms.accept_word("..."):
            variadic = True
            continue
        kind = terms.type()
        said, _ = terms.words()
        parameters.append(Parameter(terms.name("local"), kind, said, terms.copied))
        terms.accept(",")
    debug = re.search(r"!dbg !(\d+)", line)
    return LlvmFunction(
        name,
        tuple(parameters),
        result,
        words,
        int(debug[1]) if debug else None,
        body,
        variadic,
    )


def blocks_of(function: LlvmFunction, module: LlvmModule, fail) -> dict[str, list[Statement]]:
    """The blocks by name, in layout order; `fail(error, line)` raises what is to be said of a line
    that cannot be read."""
    unnamed = sum(parameter.name.isdigit() for parameter in function.parameters)
    blocks: dict[str, list[Statement]] = {}
    current: list[Statement] = []
    for line in function.lines:
        if not line.strip() or line.lstrip().startswith((";", "#dbg_")):
            continue
        if not line.startswith(" ") and (label := _LABEL.match(line)):
            current = blocks[bare(label[1])] = []
            continue
        if not blocks:
            current = blocks[str(unnamed)] = []
        try:
            current.append(read_statement(line, module.named))
        except (Refused, Unreadable, UnsupportedType) as error:
            fail(error, line)
    return blocks


def read_global(name: str, module: LlvmModule) -> LlvmGlobal:
    """A global variable with its initial value; raises Refused, Unreadable and
    UnsupportedType."""
    terms = Terms(module.globals_[name], module.named)
    terms.take()
    terms.expect("=")
    external = merges = False
    while not (constant := terms.accept_word("constant")) and not terms.accept_word("global"):
        token = terms.take()
        if token.kind == "end":
            raise Unreadable("a global variable expected")
        if token.text in ("alias", "ifunc"):
            raise Refused(f"'{token.text}' is not supported: @{name}")
        external |= token.text in ("external", "extern_weak")
        merges |= token.text == "unnamed_addr"
        if terms.next.text == "(" and terms.next.kind == "mark":
            terms.skip_brackets()
    kind = terms.type()
    value = None if external else terms.constant(kind)
    alignment = None
    while terms.accept(","):
        if terms.accept_word("align"):
            alignment = terms.number()
        else:
            while terms.next.text != "," and terms.next.kind != "end":
                terms.take()
    return LlvmGlobal(name, kind, value, alignment, bool(constant), merges)
