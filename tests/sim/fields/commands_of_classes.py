"""A program of one command for every tensor operation, and the cost of its class.

    for way in ways():           # 'simple: tensor.add.f32', 'matmul: tensor.matmul.i8.i32', …
        told(way, machine)       # cycles, counters and where time went

What it computes with is that of a case worked out by hand (`tensor_cases.txt`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from compiler import compile
from machines.description.load import Machine
from machines.kinds.cluster.classes import MATRIX_CLASSES, VECTOR_CLASSES, multiplied_types
from machines.layout import Memory
from machines.operations.row import Operation, Region
from machines.tensors.loops import element_type
from sim.cores import Request
from sim.results.vocabulary import vocabulary_of
from sim.simulate import simulate
from tests.machines.instructions.test_tensor_cases import cases, values
from tests.sim.cluster.chip_runs import AS_WRITTEN

LIMIT = 10_000_000


@dataclass(frozen=True)
class Way:
    """A row, and what its operands are: elements of those in memory, or a number."""

    row: Operation
    operands: tuple[str, ...]
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.row.scheduling_class}: {self.row.name}"

    @property
    def known(self) -> str:
        """The class."""
        return self.row.scheduling_class

    @property
    def is_product(self) -> bool:
        return self.row.scheduling_class in MATRIX_CLASSES

    def suits(self, machine: Machine) -> bool:
        unit = machine.description.matrix
        return not self.is_product or unit.supports(*multiplied_types(self.row))

    def figures(self, machine: Machine) -> Iterator[tuple[str, ...]]:
        """The keys of the figures that such a command costs, of its class or of its unit."""
        if not self.is_product:
            yield "vector", "cost", self.row.scheduling_class
        elif machine.description.matrix.unit == "inner_product":
            yield "matrix", "rates", *multiplied_types(self.row)
        unit = "matrix" if self.is_product else "vector"
        yield from ((unit, "issue"), (unit, "depth"))


@cache
def ways() -> list[Way]:
    """One for every operation that a unit computes; of products for each pair of types, too."""
    found: dict[str, Way] = {}
    for row, given, expected in cases():
        is_product = row.scheduling_class in MATRIX_CLASSES
        key = row.name if is_product else row.name.split(".")[1]
        if (is_product or row.scheduling_class in VECTOR_CLASSES) and key not in found:
            written = [o for o in row.operands if o.name in row.written_names]
            words = dict(zip((o.name for o in written), expected, strict=True))
            read = [o.name for o in row.reads if o not in written]
            words |= dict(zip(read, given, strict=True))
            sizes = [len(values(words[o.name], element_type(o)))
                     for o in row.operands if isinstance(o.kind, Region)]  # fmt: skip
            texts = [words[o.name] for o in row.reads if not isinstance(o.kind, Region)]
            found[key] = Way(row, tuple(texts), tuple(sizes))
    return list(found.values())


def source(way: Way) -> str:
    """The text of a way's program."""
    texts, sizes = iter(way.operands), iter(way.sizes)
    regions = [o for o in way.row.operands if isinstance(o.kind, Region)]
    buffers, operands = [], []
    for operand in way.row.operands:
        if operand not in regions:
            operands += [next(texts)] if operand.is_read else []
            continue
        size, name = next(sizes), f"b{len(buffers)}"
        space = "wram" if way.is_product and operand is regions[-1] else "nram"
        buffers.append(f"{name}: {operand.kind.type.name}[{size}] in {space}")
        operands.append(f"{name}[0:{size}]")
    results = "".join(f"{o.name} = " for o in way.row.writes if o not in regions)
    command = f"{results}{way.row.name} {', '.join(operands)}"
    return "\n".join([*buffers, "func @main() {", "entry:", command, "return", "}", ""])


def told(way: Way, machine: Machine) -> tuple:
    """Cycles, counters and where time went, of a way's program."""
    program = compile("f.sir", source=source(way), machine=machine, entry="main",
                      passes=AS_WRITTEN).program  # fmt: skip
    memory = Memory(buffer.extent for buffer in program.buffers)
    done = simulate(Request(program, machine, memory, cycle_limit=LIMIT, values=False))
    counters = vocabulary_of("cluster").count(done.statistics)
    return done.status, done.cycles, counters, done.breakdown
