"""Any function of a file may be the entry: what it does not reach is gone, whoever called it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from compiler import read_functions, read_source
from compiler.frontends.llvm import PLUGIN
from compiler.interpret.functions import interpret, memory_for
from compiler.verify.ir import verify
from machines.description.load import Machine
from machines.diagnostics import InputError
from tests.compiler.frontends.llvm_native import PROGRAMS

DEFINED = re.compile(r'^define [^@\n]*@"?([\w.$]+)"?\(', re.MULTILINE)
FILES = (*sorted(PROGRAMS.glob("*.ll")), Path("workloads/loops/polybench/polybench.ll"))


def _calls(seed: int) -> dict[str, list[str]]:
    """A call graph: each function calls some of those before it; two may call each other."""
    draw = Random(seed)
    names = [f"f{k}" for k in range(draw.randint(1, 6))]
    calls = {
        name: draw.sample(names[:k], draw.randint(0, min(k, 2))) for k, name in enumerate(names)
    }
    if len(names) > 1 and draw.random() < 0.4:
        back, to = sorted(draw.sample(names, 2))
        calls[back].append(to)
    return calls


def _text(calls: dict[str, list[str]], seed: int) -> str:
    """Functions of a number that is less in calls, so that they end; some are local."""
    draw, lines = Random(seed), []
    for number, (name, called) in enumerate(calls.items()):
        local = "internal " if draw.random() < 0.3 else ""
        lines += [f"define {local}i64 @{name}(i64 %n) {{", "  %done = icmp slt i64 %n, 1"]
        lines += ["  br i1 %done, label %out, label %on", "out:", "  ret i64 1", "on:"]
        lines += ["  %less = sub i64 %n, 1", f"  %s0 = add i64 %n, {number}"]
        for k, other in enumerate(called):
            lines += [
                f"  %c{k} = call i64 @{other}(i64 %less)",
                f"  %s{k + 1} = add i64 %s{k}, %c{k}",
            ]
        lines += [f"  ret i64 %s{len(called)}", "}"]
    return "\n".join([*lines, ""])


def _value(calls: dict[str, list[str]], name: str, n: int) -> int:
    if n < 1:
        return 1
    own = n + list(calls).index(name)
    return own + sum(_value(calls, other, n - 1) for other in calls[name])


@pytest.mark.parametrize("seed", range(40))
def test_every_function_of_a_call_graph(seed: int):
    calls = _calls(seed)
    text = _text(calls, seed)
    for name in calls:
        module = PLUGIN.read(text, "calls.ll", entries=[name])
        verify(module)
        assert module.entry in (None, name)
        outcome = interpret(module.functions[name], {"n": 3}, memory_for(module, {}))
        assert outcome.value == _value(calls, name, 3), name
    PLUGIN.read(text, "calls.ll")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_function_of_a_file(path: Path, itanium2: Machine):
    text = path.read_text(encoding="utf-8")
    names = DEFINED.findall(text)
    assert names
    for name in names:
        try:
            read_functions(path, machine=itanium2, entry=name, source=text)
        except InputError as error:
            assert name in str(error) or "not supported" in str(error)
    read_source(path, machine=itanium2, source=text)
