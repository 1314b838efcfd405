"""Random programs of a host: nested loops of launches, and the same loops as Python.

    - repeat: {times: "n - 30", swap: [a, b]}        for step in range(n - 30):
      steps:                                             note(a, 1, step, n - step)
        - {kernel: note, …}                              a, b = b, a

Kernel `note` appends to a log what the pointer it is given points at, a number, and its extents;
`spend` counts a word down and raises a flag while there is something left.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ARRAYS = ("a", "b", "c")
ELEMENTS = 16
MOST_NOTES = 120
NUMBERS = {"n": 12, "m": 5}

_PTX = """\
.version 9.0
.target sm_90
.address_size 64
.visible .entry _Z4notePiS_i(.param .u64 log, .param .u64 array, .param .u32 value)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<6>;
	.reg .pred %p<3>;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	or.b32 %r3, %r1, %r2;
	mov.u32 %r1, %tid.y;
	mov.u32 %r2, %ctaid.y;
	or.b32 %r3, %r3, %r1;
	or.b32 %r3, %r3, %r2;
	mov.u32 %r1, %tid.z;
	mov.u32 %r2, %ctaid.z;
	or.b32 %r3, %r3, %r1;
	or.b32 %r3, %r3, %r2;
	setp.ne.s32 %p1, %r3, 0;
	@%p1 ret;
	ld.param.u64 %rd1, [log];
	ld.param.u64 %rd2, [array];
	ld.param.u32 %r4, [value];
	ld.global.u32 %r5, [%rd1];
	add.s32 %r6, %r5, 1;
	st.global.u32 [%rd1], %r6;
	mad.wide.s32 %rd3, %r5, 16, %rd1;
	ld.global.u32 %r7, [%rd2];
	mov.u32 %r8, %nctaid.x;
	mov.u32 %r1, %nctaid.y;
	mad.lo.s32 %r8, %r1, 1000, %r8;
	mov.u32 %r1, %nctaid.z;
	mad.lo.s32 %r8, %r1, 100000, %r8;
	mov.u32 %r6, %ntid.x;
	mov.u32 %r1, %ntid.y;
	mad.lo.s32 %r6, %r1, 1000, %r6;
	mov.u32 %r1, %ntid.z;
	mad.lo.s32 %r6, %r1, 100000, %r6;
	st.global.u32 [%rd3+4], %r7;
	st.global.u32 [%rd3+8], %r4;
	st.global.u32 [%rd3+12], %r8;
	st.global.u32 [%rd3+16], %r6;
	ret;
}
.visible .entry spend(.param .u64 left, .param .u64 flag)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [left];
	ld.param.u64 %rd2, [flag];
	ld.global.u32 %r1, [%rd1];
	setp.eq.s32 %p1, %r1, 0;
	@%p1 ret;
	sub.s32 %r2, %r1, 1;
	st.global.u32 [%rd1], %r2;
	mov.u32 %r2, 256;
	st.global.u32 [%rd2], %r2;
	ret;
}
"""


@dataclass
class Host:
    """A workload, and the numbers that its log must have; the first is how many notes."""

    workload: dict[str, Any]
    log: list[int]

    def write(self, folder: Path) -> Path:
        (folder / "kernels.ptx").write_text(_PTX)
        path = folder / "workload.yaml"
        path.write_text(json.dumps(self.workload))
        return path


def random_host(seed: int) -> Host:
    """A host program of a few dozen launches at most."""
    draw = random.Random(seed)
    while True:
        maker = _Maker(draw)
        steps = maker.block(3, ["n", "m"])
        left = [draw.randint(0, 4) for _ in range(maker.budgets)]
        log = _run(maker.lines, left)
        if log is not None and len(log) > 1:
            return Host(_workload(steps, left), log)


class _Maker:
    """Makes steps, and `lines` of Python that do the same."""

    def __init__(self, draw: random.Random):
        self.draw, self.lines, self.budgets, self.loops = draw, [], 0, 0
        self.indent = ""

    def line(self, text: str) -> None:
        self.lines.append(self.indent + text)

    def block(self, depth: int, numbers: list[str]) -> list[dict]:
        count = self.draw.randint(1, 3)
        return [
            self.loop(depth - 1, numbers) if depth and self.draw.random() < 0.5
            else self.note(numbers)
            for _ in range(count)
        ]  # fmt: skip

    def number(self, numbers: list[str], positive: bool = False) -> str | int:
        a, b = self.draw.choice(numbers), self.draw.choice(numbers)
        if positive:
            return self.draw.choice([f"n + {a}", f"({a} + 3) // 2 + 1", 2, f"1 + {a} % 3"])
        return self.draw.choice([a, f"{a} - 2 * {b}", f"n - {a}", 7, f"-{a}", f"({a} + {b}) // 2"])

    def note(self, numbers: list[str]) -> dict:
        array, moved = self.draw.choice(ARRAYS), self.draw.choice((None, 3, *numbers))
        value = self.number(numbers)
        grid, block = self.extents(numbers), self.extents(numbers)
        moved = 0 if moved is None else f"{moved} % {ELEMENTS}"
        sizes = ", ".join(f"size({', '.join(map(str, one))})" for one in (grid, block))
        self.line(f"note({array}[{moved}], {value}, {sizes})")
        pointer = array if moved == 0 else f"{array} + {moved}"
        return {
            "kernel": self.draw.choice(("note", "_Z4note", "no")),
            "grid": grid, "block": block[0] if len(block) == 1 else block,
            "arguments": ["log", pointer, value],
        }  # fmt: skip

    def extents(self, numbers: list[str]) -> list[str | int]:
        others = [self.draw.choice((1, 2, f"1 + {name} % 3")) for name in numbers]
        return [self.number(numbers, True), *others[: self.draw.choice((0, 0, 1, 2))]]

    def loop(self, depth: int, numbers: list[str]) -> dict:
        draw = self.draw
        counter = "step" if "step" not in numbers and draw.random() < 0.5 else f"k{self.loops}"
        self.loops += 1
        kind = draw.choice(("times", "while", "same", "ring"))
        most = (
            draw.choice((0, 1, 2, 3, "m - 3", "n // 4")) if kind == "times" else draw.randint(1, 5)
        )
        repeat: dict[str, Any] = {"times" if kind == "times" else "most": most}
        if counter != "step":
            repeat["as"] = counter
        swap = self.swap()
        if swap:
            repeat["swap"] = swap if len(swap) > 1 or draw.random() < 0.5 else swap[0]
        watched, before = None, self.indent
        self.line(f"for {counter} in range({most}):")
        self.indent += "    "
        steps = []
        if kind in ("while", "same"):
            left, flag = f"left{self.budgets}", f"flag{self.budgets}"
            self.budgets += 1
            watched = flag if kind == "while" else left
            repeat["while" if kind == "while" else "until_same"] = watched
            self.line(f"{flag}[0] = 0" if kind == "while" else f"old{counter} = list({left})")
            self.line(f"spend({left}, {flag})")
            steps.append({"kernel": "spend", "grid": 1, "block": [1], "arguments": [left, flag]})
        elif kind == "ring":
            watched = draw.choice(ARRAYS)
            repeat["until_same"] = watched
            self.line(f"old{counter} = list({watched})")
        steps += self.block(depth, [*numbers, counter])
        for ring in swap:
            self.line(f"{', '.join(ring)} = {', '.join([*ring[1:], ring[0]])}")
        if kind == "while":
            self.line(f"if not any({watched}): break")
        elif watched is not None:
            self.line(f"if old{counter} == list({watched}): break")
        self.indent = before
        only = len(steps) == 1 and "repeat" not in steps[0] and draw.random() < 0.5
        return steps[0] | {"repeat": repeat} if only else {"repeat": repeat, "steps": steps}

    def swap(self) -> list[list[str]]:
        ring = self.draw.sample(ARRAYS, self.draw.choice((0, 0, 2, 2, 3)))
        return [ring] if ring else []


class _TooLong(Exception):
    pass


def _run(lines: list[str], left: list[int]) -> list[int] | None:
    """What the lines log; None if that is too much."""
    log = [0]

    def note(*words: int) -> None:
        log[0] += 1
        log.extend(words)
        if log[0] > MOST_NOTES:
            raise _TooLong

    def size(x: int, y: int = 1, z: int = 1) -> int:
        return x + 1000 * y + 100_000 * z

    def spend(left: list[int], flag: list[int]) -> None:
        if left[0]:
            left[0] -= 1
            flag[0] = 1

    names: dict[str, Any] = {"note": note, "spend": spend, "size": size, **NUMBERS}
    for number, array in enumerate(ARRAYS):
        names[array] = _elements(number)
    for number, count in enumerate(left):
        names |= {f"left{number}": [count], f"flag{number}": [0]}
    try:
        exec("\n".join(lines), names)
    except _TooLong:
        return None
    return log


def _elements(number: int) -> list[int]:
    return [100 * number + k for k in range(ELEMENTS)]


def _workload(steps: list[dict], left: list[int]) -> dict[str, Any]:
    arguments: dict[str, Any] = {"log": _words([0] * (1 + 4 * MOST_NOTES))}
    for number, array in enumerate(ARRAYS):
        arguments[array] = _words(_elements(number))
    for number, count in enumerate(left):
        arguments |= {f"left{number}": _words([count]), f"flag{number}": _words([9])}
    text = json.dumps(steps)
    arguments |= {name: value for name, value in NUMBERS.items() if _is_named(name, text)}
    used = {name: value for name, value in arguments.items() if _is_named(name, text)}
    return {
        "workload": "host", "program": "kernels.ptx", "machine": "teaching_gpu",
        "arguments": used, "launches": steps,
    }  # fmt: skip


def _words(values: list[int]) -> dict[str, Any]:
    return {"dtype": "i32", "values": values}


def _is_named(name: str, text: str) -> bool:
    letters = "abcdefghijklmnopqrstuvwxyz0123456789_"
    padded, at = f" {text} ", -1
    while (at := padded.find(name, at + 1)) >= 0:
        end = at + len(name)
        if padded[at - 1].lower() not in letters and padded[end].lower() not in letters:
            return True
    return False
