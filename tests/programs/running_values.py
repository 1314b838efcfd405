"""Loops over an array that keep one to three running values, as compilers unroll them.

    loop:  x_0 = load.i64 …            each turn looks at one to four elements, in order; each
           c_0 = gt_s.i64 x_0, a       element may change each running value: the greatest or the
           a_0 = select.i64 c_0, x_0, a    least so far, the last index of what is above a limit,
           x_1 = load.i64 …            a sum of some, one of the other running values
           …

Between turns a value may go on under another's name, and what is read after the loop may be what
it was one element before.  The same seed gives the same text in every process.
"""

from __future__ import annotations

from random import Random

import numpy as np

NAMES = "abc"


class RunningValues:
    """`text` is a function of `n` elements of `x`; `elements` are looked at in a turn."""

    def __init__(self, seed: int):
        self._draw = Random(seed)
        self.elements = self._draw.randint(1, 4)
        self._running = NAMES[: self._draw.randint(1, 3)]
        self._kinds = {name: self._draw.choice((*_KINDS, "greatest", "last")) for name in NAMES}
        self._lines: list[str] = []
        self.text = self._write()

    def arguments(self, turns: int) -> dict:
        """Of a call that turns so often; `n` is a whole number of turns, or past one."""
        numbers = np.random.default_rng(turns).integers(-9, 10, turns * self.elements + 8)
        late = 0 if self.elements == 1 else turns % self.elements
        return {"x": numbers, "n": max(turns * self.elements - late, 0)}

    def _write(self) -> str:
        now = {name: name for name in self._running}
        before = dict(now)
        for element in range(self.elements):
            self._element(element)
            for place, name in enumerate(self._running):
                if self.elements == 1 or self._draw.random() < (0.5 if place else 0.8):
                    before[name] = now[name]
                    now[name] = self._changed(name, now, element)
        turned = dict(now)
        if len(now) > 1 and self._draw.random() < 0.2:  # names are exchanged
            turned = dict(zip(now, [*list(now.values())[1:], now[self._running[0]]], strict=True))
        seen = before if self._draw.random() < 0.15 else now
        phis = [
            f"    {name} = phi.i64 [entry: {_first(name)}, loop: {turned[name]}]" for name in now
        ]
        ends = [f"    {k}_end = phi.i64 [entry: {_first(k)}, loop: {seen[k]}]" for k in now]
        sums = [f"    total = copy.i64 {self._running[0]}_end"]
        for name in self._running[1:]:
            sums += ["    total = mul.i64 total, 31", f"    total = add.i64 total, {name}_end"]
        return "\n".join([
            "func @running(n: i64, noalias x: ptr) -> i64 {", "entry:",
            "    some = gt_s.i64 n, 0", "    branch some, loop, done", "loop:",
            "    i = phi.i64 [entry: 0, loop: next]", *phis, *self._lines,
            f"    next = add.i64 i, {self.elements}", "    more = lt_s.i64 next, n",
            "    branch more, loop, done", "done:", *ends, *_in_ssa(sums), "}", "",
        ])  # fmt: skip

    def _say(self, text: str) -> None:
        self._lines.append(f"    {text}")

    def _element(self, k: int) -> None:
        """Element k of a turn: `x_k`, whose index is `i_k`."""
        self._say(f"i_{k} = add.i64 i, {k}")
        self._say(f"s_{k} = shl.i64 i_{k}, 3")
        self._say(f"p_{k} = add.ptr x, s_{k}")
        self._say(f"x_{k} = load.i64 p_{k}")

    def _changed(self, name: str, now: dict[str, str], k: int) -> str:
        """Code that makes a running value's next one; returns its name."""
        kind, old, new = self._kinds[name], now[name], f"{name}_{k}"
        if kind in ("greatest", "least"):
            relation = {"greatest": "gt_s", "least": "lt_s"}[kind]
            self._say(f"c_{new} = {relation}.i64 x_{k}, {old}")
            chosen = f"x_{k}"
        else:
            self._say(f"c_{new} = gt_s.i64 x_{k}, {self._draw.randint(-3, 3)}")
            chosen = {"last": f"i_{k}", "other": now[self._draw.choice(self._running)]}.get(kind)
        if chosen is None:
            self._say(f"t_{new} = add.i64 {old}, x_{k}")
            chosen = f"t_{new}"
        self._say(f"{new} = select.i64 c_{new}, {chosen}, {old}")
        return new


_KINDS = ("greatest", "least", "last", "sum", "other")


def _first(name: str) -> int:
    return {"a": -2, "b": 0, "c": 5}[name]


def _in_ssa(lines: list[str]) -> list[str]:
    """Writes of `total` under names of their own, and a return of the last."""
    out = []
    for k, line in enumerate(lines):
        target, _, rest = line.strip().partition(" = ")
        out.append(f"    {target}_{k} = {rest.replace('total', f'total_{k - 1}')}")
    return [*out, f"    return total_{len(lines) - 1}"]
