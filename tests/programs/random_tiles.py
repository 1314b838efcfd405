"""Random tile programs for chips of clusters: right by construction, with every engine at work.

    func @main(n: i64) {
        beside = {"mem": "load"}
    b0:
        tensor.copy.f32 n1_f32[0:8, 2 by 16], e_f32[v4:v5]
        @p6 s8 = tensor.sum.f32 n1_f32[v9:32]
        sync_cluster 0
        …

Cores go through phases with a barrier behind each, some of them in loops; who may touch what is
said by `tests.programs.tile_sharing`.  Every core has buffers of its own, which it fills at first,
or, of programs in `stages`, at the beginning of each phase, so that those of different phases are
never alive together.  Bounds are numbers or variables: of loops, of cores, or computed from data.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from machines.description.load import Machine
from machines.elements import as_elements
from machines.instructions import operations
from machines.operations.row import Operation, Region
from machines.tensors.elements import stored_type
from machines.tensors.sizes import extents_of, misfit, sizes_of
from machines.types import TYPES, scalar_type
from tests.programs.tile_sharing import BARRIERS, choose_roles

ELEMENTS = ("i8", "i16", "i32", "u8", "f16", "bf16", "e4m3", "f32")
PART = 32
"""Elements of a core's part of what is shared."""
COUNT = 64
"""Elements of a buffer of its own."""
MATRIX = ("matmul", "conv")
TRIPS = 3
PLAIN = re.compile(r"\[(\d+):(\d+)\]")
"""An interval of numbers without strides."""
NAMED = re.compile(r"(\w+)\[")
"""A buffer."""
FILLED = "# what nobody sends"


@dataclass(frozen=True)
class Options:
    """
    exact    bounds are numbers without strides, there are no guards, and all code runs, loops twice
    again    how often a command is one that was there before, or a part of it
    seen     how often what a core has in a buffer of its own goes to DRAM at the end
    straight there are no loops
    mem      cores and MEM cores share memories; without, every core works for itself
    stages   each phase has buffers of its own
    most     statements of a phase, at most
    """

    exact: bool = False
    straight: bool = False
    mem: bool = True
    stages: bool = False
    most: int = 8
    again: float = 0.15
    seen: float = 0.8


class Place(NamedTuple):
    """Elements that may be touched: `length` from `base` on, which is a number or a variable."""

    buffer: str
    dtype: str
    space: str
    base: int | str
    length: int
    access: str


@dataclass
class TileProgram:
    """
    sizes  bytes of the buffers in DRAM
    """

    text: str
    sizes: dict[str, tuple[str, int]]
    seed: int
    arguments: dict[str, int] = field(default_factory=dict)

    def contents(self) -> dict[str, np.ndarray]:
        """What stands in DRAM at the beginning."""
        numbers = np.random.default_rng(self.seed)
        return {name: _some(numbers, dtype, count) for name, (dtype, count) in self.sizes.items()}


def _some(numbers: np.random.Generator, dtype: str, count: int) -> np.ndarray:
    """Numbers of which sums stay small."""
    values = numbers.integers(-40, 40, count)
    if TYPES[dtype].is_float:
        values = values / 8
    return as_elements(values, dtype).view(stored_type(TYPES[dtype]))


def generate(seed: int, machine: Machine, options: Options = Options()) -> TileProgram:
    """The program of a seed for a machine."""
    return _Program(random.Random(f"tiles {seed}"), machine, options).program(seed)


class _Program:
    def __init__(self, stream: random.Random, machine: Machine, options: Options):
        self.random, self.options = stream, options
        self.chip = machine.description
        self.has_mem = options.mem and self.chip.mem_core is not None
        self.types = sorted(stream.sample(ELEMENTS, 2 if options.stages else 3))
        self.buffers: dict[str, tuple[str, int, str]] = {}
        self.rows = _rows(self.types, self.chip)

    def program(self, seed: int) -> TileProgram:
        plan = _plan(self.random, self.options)
        order = [k for one in plan for k in one.phases * (1 if one.trips is None else 2)]
        barriers = {k: self.random.choice(BARRIERS) for k in order}
        behind = [barriers[k] for k in order]
        roles = {
            (kind, dtype): choose_roles(self.random, kind, order, behind, self.has_mem)
            for kind in self._kinds()
            for dtype in self.types
        }
        codes = [_Code(self, role, plan, barriers, roles) for role in self._who()]
        functions = [code.function() for code in codes]
        functions[0] = functions[0].replace(FILLED, self._filled("".join(functions)))
        declared = [f"{n}: {t}[{c}] in {s}" for n, (t, c, s) in sorted(self.buffers.items())]
        sizes = {n: (t, c) for n, (t, c, s) in sorted(self.buffers.items()) if s == "dram"}
        text = "\n".join([*declared, "", *functions])
        return TileProgram(text, sizes, seed, {"n": self.random.randrange(1, TRIPS + 1)})

    def _filled(self, text: str) -> str:
        """Buffers that might have been sent but are not: what is not written holds anything."""
        lines = [FILLED]
        for name, (dtype, count, _) in sorted(self.buffers.items()):
            if name.startswith(("sent", "passed")) and f"cast.{dtype} {name}[" not in text:
                source = self.buffer(f"x_{dtype}", dtype, COUNT, "dram")
                lines.append(f"tensor.copy.{dtype} {name}[0:{count}], {source}[0:{count}]")
        return "\n".join(lines)

    def _who(self) -> tuple[str, ...]:
        return ("ipu", "mem") if self.has_mem else ("ipu",)

    def _kinds(self) -> tuple[str, ...]:
        if self.chip.mem_core is None:
            return ("dram",)
        return ("dram", "sram", "sram2", "sent", "sent2", "passed")

    def buffer(self, name: str, dtype: str, count: int, space: str) -> str:
        self.buffers[name] = dtype, count, space
        return name


class _Segment(NamedTuple):
    """Phases, perhaps in a loop of so many turns: a number or the parameter `n`."""

    phases: list[int]
    trips: int | str | None


def _plan(stream: random.Random, options: Options) -> list[_Segment]:
    plan, phase = [], 0
    for _ in range(stream.randrange(1, 4)):
        count = stream.choice((1, 1, 2))
        looped = not options.straight and not options.stages and stream.random() < 0.4
        trips = stream.choice((2, 3) if options.exact else (1, 2, "n")) if looped else None
        plan.append(_Segment(list(range(phase, phase + count)), trips))
        phase += count
    return plan


class _Code:
    """Writes the function of a role."""

    def __init__(self, program: _Program, role: str, plan, barriers, roles):
        self.program, self.role, self.plan = program, role, plan
        self.barriers, self.roles, self.options = barriers, roles, program.options
        self.random, self.chip = program.random, program.chip
        self.lines: list[str] = []
        self.numbers = 0
        self.counters: list[tuple[str, int]] = []
        self.scalars: dict[str, str] = {}
        self.conditions: list[str] = []
        self.given: list[str] = []

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def name(self, letter: str) -> str:
        self.numbers += 1
        return f"{letter}{self.numbers}"

    def compute(self, letter: str, text: str) -> str:
        found = self.name(letter)
        self.lines.append(f"{found} = {text}")
        return found

    def label(self) -> str:
        return self.name("b")

    def place(self, label: str) -> None:
        self.lines.append(f"{label}:")

    # The whole

    def function(self) -> str:
        head = "func @main(n: i64) {" if self.role == "ipu" else "func @load(n: i64) {"
        if self.role == "ipu" and self.program.has_mem:
            head += '\n    beside = {"mem": "load"}'
        self.place("b0")
        self._identity()
        if self.role == "ipu":
            self.lines.append(FILLED)
        if self.role == "ipu" and not self.options.stages:
            self._own_buffers("")
        for segment in self.plan:
            self._segment(segment)
        if self.role == "ipu" and not self.options.stages:
            self._show()
        return "\n".join([head, *self.lines, "return", "}", ""])

    def _identity(self) -> None:
        self.core, self.cluster, self.task = (
            self.compute("v", name) for name in ("core_id", "cluster_id", "task_id")
        )
        self.parts = {"core": 0, "cluster": 0, "task": 0}
        if self.chip.core_count > 1:
            part = self.chip.cores * PART
            self.parts = {
                "core": self.compute("v", f"mul.i64 {self.core}, {PART}"),
                "cluster": self.compute("v", f"mul.i64 {self.cluster}, {part}"),
                "task": self.compute("v", f"mul.i64 {self.task}, {PART}"),
            }
        mine = self.core if self.role == "ipu" else self.cluster
        odd = self.compute("v", f"and.i64 {mine}, 1")
        self.conditions = [self.compute("p", f"eq.i64 {odd}, 0")]
        wide = {t: str(scalar_type(TYPES[t])) for t in self.program.types}
        self.scalars = {t: self.compute("s", f"const.{t} {'1.5' if 'f' in t else 3}")
                        for t in sorted(set(wide.values()) | {"f32"})}  # fmt: skip

    def _own_buffers(self, suffix: str) -> None:
        """Of this core alone: full from the beginning."""
        self.own: list[Place] = []
        for dtype in self.program.types:
            for k in (1, 2):
                name = self.program.buffer(f"n{k}{suffix}_{dtype}", dtype, COUNT, "nram")
                value = "0.75" if "f" in dtype else "5"
                self.lines.append(f"tensor.fill.{dtype} {name}[0:{COUNT}], {value}")
                self.own.append(Place(name, dtype, "nram", 0, COUNT, "rw"))
            name = self.program.buffer(f"m{suffix}_{dtype}", dtype, COUNT, "wram")
            source = self.program.buffer(f"x_{dtype}", dtype, COUNT, "dram")
            self.lines.append(f"tensor.copy.{dtype} {name}[0:{COUNT}], {source}[0:{COUNT}]")
            self.own.append(Place(name, dtype, "wram", 0, COUNT, "rw"))

    def _show(self) -> None:
        """What stands in the buffers of this core goes to its part of DRAM."""
        count, low, high = self.chip.core_count, "0", str(COUNT)
        if count > 1:
            low = self.compute("v", f"mul.i64 {self.task}, {COUNT}")
            high = self.compute("v", f"add.i64 {low}, {COUNT}")
        for name, dtype, *_ in self.own:
            if self.chance(self.options.seen):
                seen = self.program.buffer(f"seen_{name}", dtype, count * COUNT, "dram")
                self.lines.append(f"tensor.copy.{dtype} {seen}[{low}:{high}], {name}[0:{COUNT}]")

    def _segment(self, segment: _Segment) -> None:
        if segment.trips is None:
            for phase in segment.phases:
                self._phase(phase)
            return
        with_counter = self._begin_loop(segment.trips)
        for phase in segment.phases:
            self._phase(phase)
        self._end_loop(*with_counter)

    def _begin_loop(self, trips: int | str) -> tuple[str, str, int | str]:
        """As blocks, or with a head of its own: every second one."""
        counter = self.name("t")
        if self.numbers % 2:
            self.lines.append(f"for {counter} in 0:{trips} {{")
            head = "}"
        else:
            head = self.label()
            self.lines += [f"{counter} = const.i64 0", f"jump {head}"]
            self.place(head)
        self.counters.append((counter, TRIPS if trips == "n" else trips))
        return counter, head, trips

    def _end_loop(self, counter: str, head: str, trips: int | str) -> None:
        self.counters.pop()
        if head == "}":
            self.lines.append(head)
            return
        self.lines.append(f"{counter} = add.i64 {counter}, 1")
        again, out = self.compute("p", f"lt_s.i64 {counter}, {trips}"), self.label()
        self.lines.append(f"branch {again}, {head}, {out}")
        self.place(out)

    def _phase(self, phase: int) -> None:
        if self.role == "ipu" and self.options.stages:
            self._own_buffers(str(phase))
        self.places = [*(self.own if self.role == "ipu" else ()), *self._shared(phase)]
        self.given = [line for line in self.given if self._is_own(line)]
        self._statements(self.random.randrange(2, self.options.most + 1), depth=0)
        if self.role == "ipu" and self.options.stages:
            self._show()
        barrier = self.barriers[phase]
        if self.role == "ipu" or barrier in ("sync_cluster", "sync_all"):
            self.lines.append(f"{barrier} {phase}")

    # What may be touched

    def _shared(self, phase: int) -> list[Place]:
        found = []
        for dtype in self.program.types:
            for kind in self.program._kinds():
                role = self.roles[kind, dtype].get(phase)
                place = role and self._place_of(kind, role, dtype)
                if place:
                    found.append(place)
        self.sent = {
            dtype: [p.buffer for p in found if p.dtype == dtype and p.access == "sent"]
            for dtype in self.program.types
        }
        return [place for place in found if place.access != "sent"]

    def _place_of(self, kind: str, role: str, dtype: str) -> Place | None:
        """What this role of a resource lets these cores touch."""
        cores, ipu = self.chip.cores, self.role == "ipu"
        if kind in ("sent", "sent2", "passed"):
            space = "wram" if kind == "sent2" else "nram"
            name = self.program.buffer(f"{kind}_{dtype}", dtype, PART, space)
            sends = role == ("passed" if ipu else "sent")
            if role == "own" and ipu:
                return Place(name, dtype, space, 0, PART, "rw")
            return Place(name, dtype, space, 0, PART, "sent") if sends else None
        far = kind == "dram"
        count = (self.chip.core_count if far else cores) * PART
        name = self.program.buffer(f"{kind}_{dtype}", dtype, count, "dram" if far else "sram")
        space = "dram" if far else "sram"
        if role == "own" and ipu:
            return Place(name, dtype, space, self.parts["task" if far else "core"], PART, "rw")
        if role == "read":
            return Place(name, dtype, space, 0, count, "r")
        if role == "mem" and not ipu:
            base = self.parts["cluster"] if far else 0
            return Place(name, dtype, space, base, cores * PART, "rw")
        return Place(name, dtype, space, 0, count, "sent") if role == "far" and not ipu else None

    # Statements

    def _statements(self, count: int, depth: int) -> None:
        for _ in range(count):
            kind = self.random.random()
            plain = self.options.exact
            if depth < 2 and kind < 0.08 and not self.options.straight:
                trips = self.random.choice((2, 2, 3) if plain else (1, 2, 3, "n"))
                loop = self._begin_loop(trips)
                self._statements(self.random.randrange(1, 4), depth + 1)
                self._end_loop(*loop)
            elif depth < 2 and kind < 0.16 and not plain:
                self._either(depth)
            elif kind < 0.22 and not plain:
                self._condition()
            else:
                self._command()

    def _either(self, depth: int) -> None:
        then, other, out = self.label(), self.label(), self.label()
        self.lines.append(f"branch {self.random.choice(self.conditions)}, {then}, {other}")
        known, given = list(self.conditions), list(self.given)
        for label in (then, other):
            self.place(label)
            self._statements(self.random.randrange(0, 3), depth + 1)
            self.lines.append(f"jump {out}")
            self.conditions, self.given = list(known), list(given)
        self.place(out)

    def _condition(self) -> None:
        """Something that guards and branches ask."""
        if self.counters and self.chance(0.5):
            odd = self.compute("v", f"and.i64 {self.random.choice(self.counters)[0]}, 1")
            made = self.compute("p", f"eq.i64 {odd}, 0")
        else:
            dtype = self.random.choice(sorted(self.scalars))
            row = "lt" if "f" in dtype else "lt_s"
            made = self.compute("p", f"{row}.{dtype} {self.scalars[dtype]}, 4")
            if "f" in dtype:
                self.lines[-1] = f"{made} = lt.{dtype} {self.scalars[dtype]}, 4.0"
        self.conditions.append(made)

    def _command(self) -> None:
        if self.given and self.chance(self.options.again):
            line = self._again()
            if self.chance(0.3):
                self._disturb(line)
            self.lines.append(self._guarded() + line)
            return
        makers = [self._copy, self._copy]
        if self.role == "ipu":
            makers += [self._computed, self._computed, self._computed, self._product, self._fill]
        else:
            makers += [self._fill]
        makers += [self._element]
        if any(self.sent.values()):
            makers += [self._send, self._send]
        line = self.random.choice(makers)()
        if line is not None:
            self.lines.append(self._guarded() + line)
            self.given.append(line)

    def _again(self) -> str:
        """A command that stands on every way here, or a part of it."""
        line = self.random.choice(self.given[-3:] if self.chance(0.3) else self.given)
        size = len(PLAIN.findall(line)) and min(int(b) - int(a) for a, b in PLAIN.findall(line))
        if size < 2 or not line.startswith(("tensor.copy", "tensor.fill")) or "[v" in line:
            return line
        if " by " in line or self.chance(0.5):
            return line
        begin = self.random.randrange(size)
        length = self.random.randrange(1, size - begin + 1)
        return PLAIN.sub(lambda m: f"[{int(m[1]) + begin}:{int(m[1]) + begin + length}]", line)

    def _disturb(self, line: str) -> None:
        """Write something into what a command touches, or close by."""
        named = NAMED.findall(line)
        near = [p for p in self.places if p.buffer in named and "w" in p.access]
        fill = self._fill_of(near)
        if fill is not None:
            self.lines.append(self._guarded() + fill)

    def _is_own(self, line: str) -> bool:
        """Whether a command touches what is the core's own, or what nobody writes, alone."""
        own = {place.buffer for place in self.own} if self.role == "ipu" else set()
        return all(name in own or name.startswith("x_") for name in NAMED.findall(line))

    def _guarded(self) -> str:
        if self.options.exact or self.chance(0.8):
            return ""
        return f"@{'!' if self.chance(0.4) else ''}{self.random.choice(self.conditions)} "

    def _fill(self) -> str | None:
        return self._fill_of([p for p in self.places if "w" in p.access])

    def _fill_of(self, places: list[Place]) -> str | None:
        targets = [place for place in places if place.space != "wram"]
        if not targets:
            return None
        target = self.random.choice(targets)
        value = self._scalar(target.dtype)
        return f"tensor.fill.{target.dtype} {self._interval(target, self._size(target))}, {value}"

    def _element(self) -> str | None:
        """One element from or to a scalar, of any memory."""
        is_load = self.chance(0.6)
        places = [p for p in self.places if ("r" if is_load else "w") in p.access]
        if not places:
            return None
        place = self.random.choice(places)
        dtype = place.dtype
        wide = str(scalar_type(TYPES[dtype]))
        if is_load:
            interval = self._interval(place, 1)
            return f"{self.scalars[wide]} = tensor.load.{dtype} {interval}"
        value = self._scalar(dtype)
        return f"tensor.store.{dtype} {self._interval(place, 1)}, {value}"

    def _scalar(self, dtype: str) -> str:
        wide = str(scalar_type(TYPES[dtype]))
        if not self.options.exact and self.chance(0.4):
            return self.scalars[wide]
        number = self.random.randrange(-4, 9)
        return f"{number / 4}" if "f" in wide else str(number)

    def _copy(self) -> str | None:
        """Whatever one of the DMAs can do."""
        pairs = [
            (target, source)
            for target in self.places
            for source in self.places
            if target.dtype == source.dtype
            and "w" in target.access
            and self._reaches(target, source)
        ]
        if not pairs:
            return None
        shared = [pair for pair in pairs if any(self._is_shared(place) for place in pair)]
        if shared and self.chance(0.6):
            pairs = shared
        spaces = self.random.choice(sorted({(t.space, s.space) for t, s in pairs}))
        target, source = self.random.choice(
            [p for p in pairs if (p[0].space, p[1].space) == spaces]
        )
        size = self._size(target, source)
        to, of = self._interval(target, size), self._interval(source, size)
        return f"tensor.copy.{target.dtype} {to}, {of}"

    def _is_shared(self, place: Place) -> bool:
        return place.buffer.startswith(("dram", "sram", "sent", "passed"))

    def _reaches(self, target: Place, source: Place) -> bool:
        spaces = {target.space, source.space}
        return self.role == "mem" or spaces not in ({"dram", "sram"}, {"sram"}, {"dram"})

    def _send(self) -> str | None:
        dtype = self.random.choice([t for t, names in self.sent.items() if names])
        name = self.random.choice(self.sent[dtype])
        _, count, space = self.program.buffers[name]
        wanted = "nram" if self.role == "ipu" else "sram"
        sources = [p for p in self.places if p.dtype == dtype and p.space == wanted]
        if not sources:
            return None
        source, target = self.random.choice(sources), Place(name, dtype, space, 0, count, "w")
        size = self._size(target, source)
        to, of = self._interval(target, size), self._interval(source, size)
        if space == "sram":
            next_one = self._next(self.cluster, self.chip.clusters)
            return f"tensor.to_cluster.{dtype} {to}, {of}, {next_one}"
        if self.role == "ipu":
            return f"tensor.unicast.{dtype} {to}, {of}, {self._next(self.core, self.chip.cores)}"
        how = self.random.choice(("broadcast", "multicast", "unicast"))
        most = {"broadcast": 0, "multicast": 1 << self.chip.cores, "unicast": self.chip.cores}[how]
        where = f", {self.random.randrange(most)}" if most else ""
        return f"tensor.{how}.{dtype} {to}, {of}{where}"

    def _next(self, mine: str, count: int) -> str:
        return self.compute("v", f"rem_s.i64 {self.compute('v', f'add.i64 {mine}, 1')}, {count}")

    def _computed(self) -> str | None:
        return self._row([r for name, r in self.program.rows.items() if name not in MATRIX])

    def _product(self) -> str | None:
        return self._row([r for name, r in self.program.rows.items() if name in MATRIX])

    def _row(self, groups: list[list[list[Operation]]]) -> str | None:
        if not groups:
            return None
        row = self.random.choice(self.random.choice(self.random.choice(groups)))
        extents, sizes = self._extents(row)
        regions = [o.name for o in row.reads if isinstance(o.kind, Region)]
        operands = []
        for operand in row.reads:
            if not isinstance(operand.kind, Region):
                known = extents.get(operand.name)
                operands.append(
                    str(known) if known is not None else self._scalar(operand.kind.name)
                )
                continue
            matrix = row.scheduling_class in MATRIX and operand.name == regions[-1]
            space, access = "wram" if matrix else "nram", operand.kind.access[0].replace("l", "r")
            access = "w" if operand.kind.access == "store" else "r"
            places = [p for p in self.places if p.space == space and access in p.access
                      and p.dtype == operand.kind.type.name]  # fmt: skip
            places = [p for p in places if p.length >= sizes[operand.name]]
            if not places:
                return None
            shared = [place for place in places if self._is_shared(place)]
            place = self.random.choice(shared if shared and self.chance(0.3) else places)
            operands.append(self._interval(place, sizes[operand.name]))
        text = f"{row.name} {', '.join(operands)}"
        if row.writes:
            text = f"{self.scalars[row.writes[0].kind.name]} = {text}"
        return text

    def _extents(self, row: Operation) -> tuple[dict[str, int], dict[str, int]]:
        """Extents and sizes with which an operation fits."""
        walk = row.walk
        if walk.extents == ("size",):
            size = self.random.choice((1, 4, 8, 16, 32, self.random.randrange(1, 33)))
            return {}, {name: size if text == "size" else int(text) for name, text in walk.sizes}
        while True:
            free = [name for name in walk.extents if name not in row.extents]
            known = {name: self.random.choice((1, 2, 3, 4)) for name in row.extents}
            known |= {n: self.random.choice((1, 2, 3)) for n, text in walk.sizes if text in free}
            if misfit(walk, known) is None:
                sizes = sizes_of(walk, extents_of(walk, known))
                if max(sizes.values()) <= COUNT:
                    return known, sizes

    # Intervals

    def _size(self, *places: Place) -> int:
        most = min(place.length for place in places)
        return min(most, self.random.choice((1, 4, 8, 16, 32, self.random.randrange(1, 33))))

    def _interval(self, place: Place, size: int) -> str:
        """So many elements of a place, in segments perhaps."""
        length, steps, reach = size, [], size
        if not self.options.exact and self.chance(0.3):
            length, steps, reach = self._steps(size)
            if reach > place.length:
                length, steps, reach = size, [], size
        often = self.random.choice((0, 0, 4, 8))
        low = often if often + reach <= place.length else self.random.randrange(
            place.length - reach + 1
        )  # fmt: skip
        begin, end = self._bounds(place, low, length, reach)
        return f"{place.buffer}[{begin}:{end}{''.join(f', {c} by {s}' for c, s in steps)}]"

    def _steps(self, size: int) -> tuple[int, list[tuple[int, int]], int]:
        length = self.random.choice([k for k in range(1, size + 1) if size % k == 0])
        count = size // length
        inner = self.random.choice([k for k in range(1, count + 1) if count % k == 0])
        steps, reach = [], length
        for number in (inner, count // inner):
            stride = reach + self.random.choice((0, 0, 1, 3))
            reach += (number - 1) * stride
            steps.append((number, stride))
        return length, [step for step in steps if step[0] > 1], reach

    def _bounds(self, place: Place, low: int, length: int, reach: int) -> tuple[object, object]:
        """`low` and what comes `length` behind it, from the place's beginning on."""
        base, begin = place.base, low
        if isinstance(base, str):
            begin = self.compute("v", f"add.i64 {base}, {low}")
        if not self.options.exact and self.chance(0.3):
            begin = self._moved(begin, place.length - low - reach)
        if isinstance(begin, str):
            return begin, self.compute("v", f"add.i64 {begin}, {length}")
        return begin, begin + length

    def _moved(self, begin: int | str, room: int) -> int | str:
        """Further on by what only the run knows, `room` at most."""
        if self.counters and self.chance(0.6):
            counter, most = self.random.choice(self.counters)
            step = min(room // max(most - 1, 1), 16)
            if step:
                moved = self.compute("v", f"mul.i64 {counter}, {step}")
                return self.compute("v", f"add.i64 {moved}, {begin}")
        mask = (1 << (room + 1).bit_length() - 1) - 1
        value = self.core
        integers = [t for t in self.scalars if "f" not in t]
        if integers and self.chance(0.5):
            dtype = self.random.choice(integers)
            value = self.compute("v", f"sext.{dtype}.i64 {self.scalars[dtype]}")
        masked = self.compute("v", f"and.i64 {value}, {mask}")
        return self.compute("v", f"add.i64 {masked}, {begin}")


def _rows(types: list[str], chip) -> dict[str, list[list[Operation]]]:
    """What the units compute of these types: class -> operation -> rows."""
    found: dict[str, dict[str, list[Operation]]] = {}
    for name, row in operations().family("ir").items():
        if row.walk is None or row.flags or row.scheduling_class in ("copy", "fill"):
            continue
        used = [region.type.name for region in row.regions]
        scalars = [o.kind.name for o in row.operands if not isinstance(o.kind, Region)]
        if not set(used) <= set(types) or not set(scalars) <= {*types, "f32", "i64"}:
            continue
        if row.scheduling_class in MATRIX and not chip.matrix.supports(*used[-2:]):
            continue
        group = ".".join(name.split(".")[:2])
        found.setdefault(row.scheduling_class, {}).setdefault(group, []).append(row)
    return {kind: list(groups.values()) for kind, groups in sorted(found.items())}
