"""What judges memory dependence: random programs, shadow memory, a fixpoint for every byte."""

from __future__ import annotations

from random import Random

from compiler.analyses.control_flow import control_flow
from compiler.analyses.memory.descriptors import Access, MemoryAccesses, memory_accesses
from compiler.analyses.memory_dependence import CHOICES, MemoryDependence, MemoryOptions
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.builder import Builder, add_buffer, add_function
from compiler.ir.module import AnyOf, Buffer, Descriptor, Function, Guard, Interval, Module
from machines.types import I1, I8, I64
from tests.programs.random_programs import Options, RandomProgram, generate

Place = tuple[str, int, int]
"""Block, index and operand of an access."""
Pairs = set[tuple[Place, Place]]
"""Of a store and a load that may read from it, or did."""
RUNS = 6
SHORT, LONG = 500, 20_000
"""Instructions of a run; what has happened by then counts."""

KINDS = (
    Options(tensors=True),
    Options(tensors=True, inexact=True),
    Options(tensors=True, inexact=True, indirect=True),
    Options(tensors=True, inexact=True, indirect=True, opaque=True, faults=True),
    Options(tensors=True, opaque=True, memory=False, size=80, types=(I8, I64)),
)
"""What the programs of the common generator contain, seed by seed."""


def common_program(seed: int) -> RandomProgram:
    """A program of the generator that all property tests share."""
    return generate(seed, KINDS[seed % len(KINDS)])


# Small dense programs on any flow graph


def dense_program(seed: int, *, exact: bool = False) -> RandomProgram:
    """A few blocks in any order with many overlapping accesses to two small buffers.

    Every path is as likely as the next; m < 6 <= n, so nothing faults.
    """
    return _Dense(Random(seed), exact).program()


class _Dense:
    COUNT = 12

    def __init__(self, random: Random, exact: bool):
        self.random, self.exact = random, exact
        self.unknown = 0.0 if exact else random.choice((0.0, 0.1, 0.3))
        self.guarded = random.choice((0.0, 0.2))
        self.strided = 0.0 if exact else random.choice((0.0, 0.2))
        self.module = Module()
        for name in "ab":
            add_buffer(self.module, Buffer(name, I8, self.COUNT))
        parameters = [(name, I64) for name in "mno"]
        self.builder: Builder = add_function(self.module, "main", parameters, None)

    def program(self) -> RandomProgram:
        builder, random = self.builder, self.random
        names = [f"block{k}" for k in range(random.randrange(2, 9))]
        builder.block("entry")
        for name in "ab":
            builder.emit("address.ptr", name, result=f"&{name}")
        builder.emit("add.ptr", "&a", "o", result="moved")
        builder.jump(names[0])
        for name in names:
            builder.block(name)
            for _ in range(random.randrange(2, 8)):
                self.statement()
            self.end(names)
        builder.block("done")
        builder.return_()
        arguments = {
            "m": random.randrange(6),
            "n": random.randrange(6, self.COUNT + 1),
            "o": random.randrange(self.COUNT),
        }
        return RandomProgram(self.module, builder.function, arguments)

    def end(self, names: list[str]) -> None:
        targets = self.random.sample([*names, *names, "done"], 2)
        self.builder.emit("branch.opaque", *targets)

    def statement(self) -> None:
        builder, random = self.builder, self.random
        guard = None
        if random.random() < self.guarded:
            guard = Guard(builder.emit("opaque.i1"), random.random() < 0.5)
        how = random.randrange(8)
        if how < 3:
            builder.emit("tensor.fill.i8", self.interval(), 1, guard=guard)
        elif how < 6:
            builder.emit("tensor.sum.i8", self.interval(), guard=guard)
        elif how == 6:
            operation = random.choice(("load", "store"))
            value = (1,) if operation == "store" else ()
            builder.emit(f"{operation}.i8", self.address(), *value, guard=guard)
        else:
            size = random.randrange(1, 5)
            target, source = self.piece(size), self.piece(size)
            builder.emit("tensor.copy.i8", target, source, guard=guard)

    def address(self) -> str:
        if self.random.random() < self.unknown:
            return "moved"
        offset = self.random.randrange(self.COUNT)
        return self.builder.emit("add.ptr", self.random.choice(("&a", "&b")), offset)

    def interval(self) -> Interval:
        if self.random.random() < self.unknown / 2:
            count = self.random.randrange(1, 4)
            return AnyOf(tuple(self.descriptor() for _ in range(count)))
        return self.descriptor()

    def descriptor(self) -> Descriptor:
        if self.random.random() < self.unknown:
            low = self.random.choice(("m", self.random.randrange(6)))
            high = self.random.choice(("n", self.random.randrange(6, self.COUNT + 1)))
            return Descriptor(self.random.choice("ab"), low, high)
        if self.random.random() < self.strided:
            steps = ((self.random.randrange(1, 4), self.random.randrange(2, 5)),)
            return Descriptor(self.random.choice("ab"), 0, self.random.randrange(1, 3), steps)
        return self.piece(self.random.randrange(1, self.COUNT // 2))

    def piece(self, size: int) -> Descriptor:
        low = self.random.randrange(self.COUNT - size + 1)
        return Descriptor(self.random.choice("ab"), low, low + size)


# All small programs

PARTS = (("a", 0, 4), ("a", 2, 6), ("a", 0, "m"), ("a", "n", 6))
"""Two exact descriptors that overlap, and two of which one end is unknown."""
FORMS = tuple(
    (interval, guarded)
    for interval in (*((part,) for part in PARTS), PARTS[:3:2], PARTS[1::2])
    for guarded in (False, True)
)
"""Definitions: of one descriptor, or of one of two, with and without a guard."""
SHAPES = ("line", "branch", "loop")
SLOTS = 4
SMALL_PROGRAMS = len(SHAPES) * len(FORMS) ** SLOTS


def small_program(number: int) -> Function:
    """One of all programs of four definitions of FORMS, in a line, around a branch or in a loop,
    that then use every descriptor, and two of them at once."""
    number, shape = divmod(number, len(SHAPES))
    forms = []
    for _ in range(SLOTS):
        number, form = divmod(number, len(FORMS))
        forms.append(FORMS[form])
    return _Small(forms, SHAPES[shape]).function


class _Small:
    def __init__(self, forms: list[tuple], shape: str):
        module = Module()
        add_buffer(module, Buffer("a", I8, 8))
        self.builder = add_function(module, "main", [("m", I64), ("n", I64), ("p", I1)], None)
        self.function = self.builder.function
        self.builder.block("first")
        {"line": self.line, "branch": self.branch, "loop": self.loop}[shape](*forms)
        for parts in (*((part,) for part in PARTS), PARTS[:2]):
            self.emit("tensor.sum.i8", parts)
        self.builder.return_()

    def line(self, *forms: tuple) -> None:
        for form in forms:
            self.define(*form)

    def branch(self, before: tuple, one: tuple, other: tuple, after: tuple) -> None:
        self.define(*before)
        self.builder.emit("branch.opaque", "one", "other")
        for name, form in (("one", one), ("other", other)):
            self.builder.block(name)
            self.define(*form)
            self.builder.jump("after")
        self.builder.block("after")
        self.define(*after)

    def loop(self, before: tuple, one: tuple, other: tuple, after: tuple) -> None:
        self.define(*before)
        self.builder.jump("body")
        self.builder.block("body")
        self.emit("tensor.sum.i8", PARTS[2:3])
        self.line(one, other)
        self.builder.emit("branch.opaque", "body", "after")
        self.builder.block("after")
        self.define(*after)

    def define(self, parts: tuple, guarded: bool) -> None:
        self.emit("tensor.fill.i8", parts, 1, guard=Guard("p", True) if guarded else None)

    def emit(self, name: str, parts: tuple, *values: int, guard: Guard | None = None) -> None:
        some = tuple(Descriptor(*part) for part in parts)
        interval = some[0] if len(some) == 1 else AnyOf(some)
        self.builder.emit(name, interval, *values, guard=guard)


# What did happen


def dynamic_pairs(program: RandomProgram, steps: int = SHORT) -> Pairs:
    """Stores and the loads that read from them, in some runs: shadow memory remembers the last
    writer of every byte."""
    pairs: Pairs = set()
    for seed in range(RUNS):
        writer: dict[int, Place] = {}

        def observe(block, index, position, kind, address, size, writer=writer):
            place = (block, index, position)
            for byte in range(address, address + size):
                if kind == "store":
                    writer[byte] = place
                elif byte in writer:
                    pairs.add((writer[byte], place))

        memory = memory_for(program.module, program.arguments)
        interpret(
            program.function,
            program.arguments,
            memory,
            limit=steps,
            opaque_seed=seed,
            observe=observe,
        )
    return pairs


# What the analysis says


def place(access: Access) -> Place:
    return access.block, access.index, access.position


def static_pairs(function: Function, options: MemoryOptions) -> Pairs:
    found = MemoryDependence(function, options)
    return {(place(d), place(u)) for u, some in found.definitions.items() for d in some}


# What it should say


def pairs_byte_by_byte(function: Function) -> Pairs:
    """The definition of `sound`, without intervals: reaching definitions of every byte.

    An exact store without a guard is the only definition of its bytes; every other one is one more
    definition of every byte it may touch.
    """
    memory = memory_accesses(function)
    flow = control_flow(function)
    heads: dict[str, dict[int, frozenset[Place]]] = {n: {} for n in flow.reverse_postorder}
    changed = True
    while changed:
        changed = False
        for name, head in heads.items():
            state = dict(head)
            for access in memory.of_block[name]:
                _step(state, access, memory)
            for target in flow.successors[name]:
                for byte, places in state.items():
                    if not places <= heads[target].get(byte, frozenset()):
                        heads[target][byte] = heads[target].get(byte, frozenset()) | places
                        changed = True
    pairs: Pairs = set()
    for name, head in heads.items():
        state = dict(head)
        for access in memory.of_block[name]:
            if access.kind == "load":
                for byte in _bytes(access, memory):
                    pairs |= {(p, place(access)) for p in state.get(byte, ())}
            _step(state, access, memory)
    return pairs


def _step(state: dict[int, frozenset[Place]], access: Access, memory: MemoryAccesses) -> None:
    if access.kind == "load":
        return
    certain = access.must is not None and memory.descriptors[access.must].exact
    for byte in _bytes(access, memory):
        before = frozenset() if certain and not access.is_guarded else state.get(byte, frozenset())
        state[byte] = before | {place(access)}


def _bytes(access: Access, memory: MemoryAccesses) -> list[int]:
    found: dict[int, None] = {}
    for number in access.candidates:
        one = memory.descriptors[number]
        found.update(dict.fromkeys(range(one.start, one.end + 1)))
    return list(found)


# Properties


def check_soundness(program: RandomProgram, steps: int = SHORT) -> None:
    """Nothing that happened is missing."""
    missing = dynamic_pairs(program, steps) - static_pairs(program.function, MemoryOptions())
    assert not missing, sorted(missing)


def check_precision(function: Function) -> None:
    """`sound` is its definition, byte by byte, in every order."""
    expected = pairs_byte_by_byte(function)
    for order in CHOICES["order"]:
        assert static_pairs(function, MemoryOptions(order=order)) == expected


def check(seed: int) -> None:
    """Both, for the programs of a seed (bytes are too slow for those of the common generator)."""
    for program in (dense_program(seed), dense_program(seed, exact=True)):
        check_soundness(program)
        check_precision(program.function)
    check_soundness(common_program(seed), LONG)
