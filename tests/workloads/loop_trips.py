"""The loops of the suite and the arguments that make each run a given number of times.

    path = with_trips("strings/strlen", 3, folder)      a workload whose innermost loop runs 3 times

Mostly the argument `n` says how often; `SIZES` holds the others.  Where a function has several
loops, it is the number for the innermost ones of the last nest.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

SUITE = Path(__file__).parents[2] / "workloads" / "loops"
NAMES = [f"{path.parent.name}/{path.stem}" for path in sorted(SUITE.glob("*/*.yaml"))]

Sizes = Callable[[int], dict[str, Any]]


def _n(more: int) -> Sizes:
    """n is the number of iterations and `more`."""
    return lambda trips: {"n": trips + more}


def _first(end: int) -> Sizes:
    """The loop goes from `first` to `end`."""
    return lambda trips: {"first": end - trips}


def _values(dtype: str, *numbers: int | float) -> dict[str, Any]:
    return {"dtype": dtype, "values": list(numbers)}


def _sequence(start: int, length: int) -> dict[str, Any]:
    """start, start + 1, …"""
    return {"dtype": "i64", "shape": [length], "range": {"start": start, "step": 1}}


def _euclid(trips: int) -> dict[str, Any]:
    """Two numbers whose greatest common divisor takes so many divisions."""
    pairs = [(1, 0), (2, 1)]
    while len(pairs) <= trips:
        a, b = pairs[-1]
        pairs.append((a + b, a))
    a, b = pairs[trips]
    return {"count": 1, "a": _values("i64", a), "b": _values("i64", b)}


def _bit_lengths(trips: int) -> dict[str, Any]:
    return {"count": 1, "numbers": _values("u64", 1 << trips - 1 if trips else 0)}


SIZES: dict[str, Sizes] = {
    "bits/clear_lowest": lambda trips: {"count": 1, "x": _values("u64", (1 << trips) - 1)},
    "compression/move_to_front": lambda trips: {
        "n": 1, "data": {"dtype": "u8", "shape": [1], "value": trips},
    },
    "compression/run_length": _n(1),
    "livermore/k02": lambda trips: {"n": 2 * trips},
    "livermore/k05": _n(1),
    "livermore/k06": _n(1),
    "livermore/k15": _n(1),
    "livermore/k17": _n(1),
    "livermore/k21": lambda trips: {"n": trips, "rows": 5},
    "livermore/k24": _n(1),
    "polybench/durbin": _n(1),
    "polybench/fdtd_2d": _n(1),
    "polybench/lu": _n(1),
    "polybench/nussinov": _n(2),
    "polybench/trisolv": _n(1),
    "recurrences/first_order": _n(1),
    "recurrences/second_order": _n(2),
    "recurrences/tridiagonal": _n(1),
    "strings/atoi": _first(2000),
    "strings/strcmp": _first(3500),
    "strings/strcpy": _first(4000),
    "strings/strlen": _first(4000),
    "whiles/binary_search": lambda trips: {"keys": 1, "n": min((1 << trips) - 1, 1000)},
    "whiles/collatz": lambda trips: {"count": 1, "start": _values("i64", 1 << trips)},
    "whiles/decimal_digits": lambda trips: {
        "count": 1, "numbers": _values("i64", 10 ** (trips - 1) if trips else 0),
    },
    "whiles/gcd": _euclid,
    "whiles/linear_search": _first(1900),
    "whiles/list_find": lambda trips: {
        "first": trips, "wanted": -1, "following": _sequence(-1, 1000),
    },
    "whiles/list_length": lambda trips: {"first": trips, "following": _sequence(-1, 1000)},
    "whiles/list_sum": lambda trips: {"first": trips, "following": _sequence(-1, 1000)},
    "whiles/logarithm": _bit_lengths,
    "whiles/mean_of_means": lambda trips: {
        "count": 1, "a": _values("f64", 1.0), "b": _values("f64", 10.0**-trips),
    },
    "whiles/newton": lambda trips: {"count": 1, "squares": _values("f64", 4.0**trips)},
    "whiles/probe": lambda trips: {"key": 4096, "keys": _sequence(-trips, 1024)},
    "whiles/subtractive_gcd": lambda trips: {
        "count": 1, "a": _values("i64", trips + 1), "b": _values("i64", 1),
    },
    "whiles/sum_until": lambda trips: {
        "limit": trips, "x": {"dtype": "i64", "shape": [2000], "value": 1},
    },
}  # fmt: skip
"""Arguments for a number of iterations, of loops that `n` does not say it of.

Two are roughly so many: newton and mean_of_means, whose numbers of iterations are what they are.
"""

OUTER = ("rows", "columns", "depth", "bands", "taps", "pairs", "keys")
"""Arguments that say how often an inner loop is run: two are enough for its edges."""


def with_trips(name: str, trips: int, folder: Path) -> Path:
    """A workload, in a file of `folder`, whose loop runs `trips` times; nothing is expected."""
    group, loop = name.split("/")
    form = yaml.safe_load((SUITE / group / f"{loop}.yaml").read_text(encoding="utf-8"))
    arguments = form["arguments"]
    arguments.update({key: 2 for key in OUTER if key in arguments})
    arguments.update(SIZES.get(name, _n(0))(trips))
    for argument in arguments.values():
        if isinstance(argument, dict) and "file" in argument:
            argument["file"] = str(SUITE / group / argument["file"])
    form["program"] = str(SUITE / group / form["program"])
    del form["expect"]
    path = folder / f"{loop}.yaml"
    path.write_text(yaml.safe_dump(form), encoding="utf-8")
    return path
