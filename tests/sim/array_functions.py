"""Functions of arrays that tests run, and the workloads that do so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

import sim
from sim.results.result import Result

FUNCTIONS = """\
from __future__ import annotations

from compiler.kernel import *


@function
def saxpy(a: f32, x: f32, y: f32) -> f32:
    return a * x + y


@function
def spmv(rows: tuple[i32, f32][:][:], x: f32[:]) -> f32[:]:
    return [sum([v * x[j] for j, v in row]) for row in rows]


@function
def positive(xs: i32[:]) -> i32[:]:
    return [x for x in xs if x > 0]


@function
def summary(xs: i32[:], k: u8) -> tuple[i32, tuple[i32, boolean][:], u8]:
    return (sum(xs), [(x, x > 0) for x in xs], k)


@function
def triangle(n: i64) -> tuple[i64, boolean][:][:]:
    return [[(j, j > 1) for j in range(i)] for i in range(n)]


@function
def at(xs: i32[:], i: i64) -> i32:
    return xs[i]


@function
def quotients(xs: i32[:], d: i32) -> i32[:]:
    return [x // d for x in xs]


@function
def swapped(t: tuple[f64, i16[:]]) -> tuple[i16[:], f64]:
    return (t[1], t[0])


@function
def many(a: i32[:], b: i32[:], c: i32[:], d: i32[:], e: i32[:], f: i32[:], g: i32[:],
         p: boolean, h: i32[:], k: f64) -> tuple[i32[:], f64]:
    return ([x + y if p else x - y for x, y in zip(a, h)], k)
"""


def line_of(text: str) -> int:
    """The line of the functions in which a text stands first."""
    return FUNCTIONS[: FUNCTIONS.index(text)].count("\n") + 1


def workload_of(
    folder: Path, entry: str, arguments: dict[str, Any], program: str = FUNCTIONS, **more: Any
) -> Path:
    """The file of a workload that runs one of the functions."""
    (folder / "functions.py").write_text(program)
    form = {"workload": "w", "program": "functions.py", "entry": entry, "machine": "itanium2"}
    path = folder / "workload.yaml"
    path.write_text(yaml.safe_dump({**form, "arguments": arguments, **more}, sort_keys=False))
    return path


def ran(folder: Path, entry: str, arguments: dict[str, Any], **more: Any) -> Result:
    """What a run of one of the functions gives."""
    return sim.run(workload_of(folder, entry, arguments, **more))
