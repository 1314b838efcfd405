"""The hand-computed cases of ptx rows in a program: lane k runs case k modulo their number.

r10 = ld.global.b32 d6, 0         operands of the lane's case
r12 = ld.global.b32 d6, 8
r18 = add.s32 r10, r12            the row
st.global.b32 d8, 0, r18         where the lane's results go
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from machines.kinds.simt.program import WarpProgram
from machines.operations.row import Immediate, Lane, Operation
from machines.threads.grid import Grid
from machines.types import PTR
from machines.vocabulary.lanes import lane_bits, read_lane
from tests.machines.instructions.test_ptx_cases import CASES, ROWS, number
from tests.warp_programs import kernel, line

THREADS = 32
GRID = Grid((1, 1, 1), (THREADS, 1, 1))
FIRST_READ, FIRST_WRITTEN = 10, 20


def plain_rows() -> list[Operation]:
    """Rows that read and write registers only, one for each meaning."""
    rows = (ROWS[name] for name in CASES)
    plain = (r for r in rows if not (r.access or r.control or r.implicit_reads or r.faults_if))
    usable = (r for r in plain if all(isinstance(o.kind, Lane | Immediate) for o in r.operands))
    return list({(r.meaning, r.operands): r for r in usable}.values())


@dataclass
class Bench:
    """A program under construction, its input words and the results that it must leave."""

    lines: list[str] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    expected: list[tuple[str, list[str], str, str]] = field(default_factory=list)

    def add(self, row: Operation, cases: list[tuple[list[str], list[str]]]) -> None:
        """Run a row on cases that have the same immediates."""
        reads = [o for o in row.reads if isinstance(o.kind, Lane)]
        base, stride = 8 * len(self.words), 8 * len(reads)
        for given, _ in cases:
            texts = dict(zip((o.name for o in row.reads), given, strict=True))
            for o in reads:
                value = number(texts[o.name], o.kind.type)
                self.words.append(lane_bits(value, o.kind.type))
        self.lines += [
            f"r1 = rem.u32 r0, {len(cases)}",
            f"d6 = mad.wide.u32 r1, {stride}, d2",
        ]
        names, read, written = {}, FIRST_READ, FIRST_WRITTEN
        for k, o in enumerate(reads):
            names[o.name] = self.load(o.kind, read, k, base + 8 * k)
            read += 2
        predicates = len(reads)
        for o in row.writes:
            prefix = {"pred": "p", "b64": "d", "b32": "r"}[o.kind.file]
            names[o.name] = f"{prefix}{predicates if prefix == 'p' else written}"
            predicates, written = predicates + 1, written + 2
        immediates = dict(zip((o.name for o in row.reads), cases[0][0], strict=True))
        operands = [names.get(o.name) or immediates[o.name] for o in row.operands]
        self.lines.append(line(row, operands))
        for place, o in enumerate(row.writes):
            self.store(o.kind, names[o.name])
            for lane in range(THREADS):
                given, expected = cases[lane % len(cases)]
                self.expected.append((row.name, given, expected[place], o.kind.type))

    def load(self, lane: Lane, register: int, place: int, offset: int) -> str:
        if lane.file == "b64":
            self.lines.append(f"d{register} = ld.global.b64 d6, {offset}")
            return f"d{register}"
        self.lines.append(f"r{register} = ld.global.b32 d6, {offset}")
        if lane.file == "pred":
            self.lines.append(f"p{place} = setp.ne.s32 r{register}, 0")
            return f"p{place}"
        return f"r{register}"

    def store(self, lane: Lane, register: str) -> None:
        offset = 8 * len(self.expected)
        if lane.file == "pred":
            self.lines.append(f"r30 = selp.b32 1, 0, {register}")
            register = "r30"
        size = "b64" if lane.file == "b64" else "b32"
        self.lines += ["d8 = mad.wide.u32 r0, 8, d4", f"st.global.{size} d8, {offset}, {register}"]

    def program(self) -> WarpProgram:
        head = ["r0 = mov.tid.x", "d2 = ld.param.b64 0", "d4 = ld.param.b64 8"]
        text = "\n".join([*head, *self.lines, "exit"])
        return kernel(text, [("given", PTR), ("out", PTR)])

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            "given": np.array(self.words, np.int64),
            "out": np.zeros(len(self.expected), np.int64),
        }

    def wrong(self, out: np.ndarray) -> list[str]:
        """Results that are not as expected."""
        found = []
        for k, (name, given, text, kind) in enumerate(self.expected):
            got, wanted = read_lane(int(out[k]), kind), number(text, kind)
            same = got == wanted and str(got) == str(wanted)
            if not (same or (got != got and wanted != wanted)):
                found.append(
                    f"{name} {' '.join(given)} gives {got}, not {text} (lane {k % THREADS})"
                )
        return found


def bench_of(rows: list[Operation]) -> Bench:
    """A program of all cases of these rows."""
    bench = Bench()
    for row in rows:
        cases = CASES[row.name]
        if any(isinstance(o.kind, Immediate) for o in row.reads):
            for case in cases:
                bench.add(row, [case])
        else:
            bench.add(row, cases)
    return bench
