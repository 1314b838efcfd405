"""Forms of instructions on many operands: a kernel in which thread k runs each form on case k.

run(["add.rn.f16"], [[(0x3C00, 0x4000)]], on_core)     [[(0x4200,)]]
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import compiler
from compiler.frontends.ptx import PLUGIN
from compiler.targets.simt.emit import emit_program
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.threads.grid import Grid
from tests.compiler.frontends.ptx_runs import HEADER, h200
from tests.sim.simt.test_ptx_semantics_on_core import run as launch

THREADS = 256
LETTERS = {"b8": "b", "b16": "h", "b32": "r", "b64": "l", "f32": "f", "f64": "d", "pred": "p"}
_DECLARED = """.reg .pred %p<9>; .reg .b8 %b<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %l<9>;
.reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b32 %i<9>; .reg .b64 %a<9>;
ld.param.u64 %a1, [given]; ld.param.u64 %a2, [out]; ld.param.u32 %i4, [count];
mov.u32 %i1, %ctaid.x; mov.u32 %i2, %tid.x; mad.lo.u32 %i1, %i1, 256, %i2;
"""


_BITS = {
    "f16": "b16", "bf16": "b16", "e4m3x2": "b16", "e5m2x2": "b16", "u16": "b16", "s16": "b16",
    "u8": "b32", "s8": "b32", "u32": "b32", "s32": "b32", "f16x2": "b32", "bf16x2": "b32",
    "tf32": "b32", "u64": "b64", "s64": "b64", "f32": "f32", "f64": "f64",
}  # fmt: skip
"""The registers of a type of instructions."""
_ALONE = "neg", "abs", "ex2", "tanh", "rcp", "sqrt", "rsqrt", "lg2", "sin", "cos"
_COUNTS = {"fma": 3, **dict.fromkeys(_ALONE, 1)}


def kinds(form: str) -> tuple[list[str], list[str]]:
    """The registers, by type, that a form writes and reads."""
    opcode, *parts = form.split(".")
    last = _BITS[parts[-1]]
    if opcode == "cvt":
        two = parts[-1] == "f32" and parts[-2].endswith("x2")
        narrow = dict.fromkeys(("u8", "s8"), "b8") if "bf16" in parts else {}
        written, read = (narrow.get(part, _BITS[part]) for part in parts[-2:])
        return [written], [read] * (2 if two else 1)
    if opcode in ("set", "setp"):
        combined = ["pred"] if {"and", "or", "xor"} & set(parts) else []
        preds = ["pred"] * (2 if parts[-1].endswith("x2") else 1)
        return [_BITS[parts[-2]]] if opcode == "set" else preds, [last, last, *combined]
    return [last], [last] * _COUNTS.get(opcode, 2)


def text(forms: Sequence[str]) -> str:
    """The kernel: operand j of case k at given + 8 * (j * count + k) of each form in turn."""
    lines, place, results = [_DECLARED], 0, 0
    for form in forms:
        written, read = kinds(form)
        for j, kind in enumerate(read):
            lines += [
                f"mad.lo.u32 %i3, %i4, {place + j}, %i1; mad.wide.u32 %a3, %i3, 8, %a1;",
                f"ld.global.{kind} %{LETTERS[kind]}{j + 1}, [%a3];"
                if kind != "pred"
                else f"ld.global.b32 %r8, [%a3]; setp.ne.u32 %p{j + 1}, %r8, 0;",
            ]
        place += len(read)
        names = [f"%{LETTERS[kind]}{7 - j}" for j, kind in enumerate(written)]
        operands = ["|".join(names), *(f"%{LETTERS[kind]}{j + 1}" for j, kind in enumerate(read))]
        lines.append(f"{form} {', '.join(operands)};")
        for kind, name in zip(written, names, strict=True):
            lines.append(f"mad.lo.u32 %i3, %i4, {results}, %i1; mad.wide.u32 %a3, %i3, 8, %a2;")
            if kind == "pred":
                lines.append(f"selp.b32 %r8, 1, 0, {name};")
                kind, name = "b32", "%r8"
            lines.append(f"st.global.{kind} [%a3], {name};")
            results += 1
    parameters = ".param .u64 given, .param .u64 out, .param .u32 count"
    return f"{HEADER}.visible .entry k({parameters}) {{\n" + "\n".join([*lines, "ret;", "}"]) + "\n"


def run(
    forms: Sequence[str], cases: Sequence[Sequence[tuple[int, ...]]], where: Callable
) -> list[list[tuple[int, ...]]]:
    """What each form gives on its cases, of which all have as many."""
    count = len(cases[0])
    padded = -(-count // THREADS) * THREADS
    columns = [
        [case[j] for case in of] + [0] * (padded - count)
        for form, of in zip(forms, cases, strict=True)
        for j in range(len(kinds(form)[1]))
    ]
    given = np.array(columns, np.uint64)
    width = sum(len(kinds(form)[0]) for form in forms)
    out = where(text(forms), given, np.zeros((width, padded), np.uint64), padded)
    found, first = [], 0
    for form in forms:
        last = first + len(kinds(form)[0])
        found.append([tuple(map(int, row)) for row in out[first:last, :count].T])
        first = last
    return found


def interpreted(source: str, given: np.ndarray, out: np.ndarray, count: int) -> np.ndarray:
    """By the interpreter of rows."""
    module = PLUGIN.read(source, "forms.ptx")
    program = emit_program([module.functions["k"]], module, None)
    memory = memory_for(program, {"given": given, "out": out})
    grid = Grid((count // THREADS, 1, 1), (THREADS, 1, 1))
    outcome = interpret(program, h200(), memory, "k", grid, ["given", "out", count])
    assert outcome.status == "done", str(outcome)
    return memory.view("out", np.uint64).reshape(out.shape)


def on_core(source: str, given: np.ndarray, out: np.ndarray, count: int) -> np.ndarray:
    """By the core, compiled as a user's program."""
    machine = load_machine("h200")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "forms.ptx"
        path.write_text(source)
        program = compiler.compile(path, machine=machine).program
    memory = memory_for(program, {"given": given, "out": out})
    grid = Grid((count // THREADS, 1, 1), (THREADS, 1, 1))
    addresses = [memory.address("given"), memory.address("out"), count]
    launch(program, machine, memory, "k", grid, addresses)
    return memory.view("out", np.uint64).reshape(out.shape)
