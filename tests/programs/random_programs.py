"""Random programs: one generator serves every property test.

A program is in variable form and always ends: structured loops count, and a backward branch of an
unstructured region spends fuel.  Every row of the IR that the options allow can appear.  At its end
a program stores its variables to the buffer `out`, so that comparing memory compares everything.
The same seed and options give the same program in every process.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np

from compiler.ir.builder import Builder, add_buffer, add_function, canonical
from compiler.ir.module import Buffer, Function, Guard, Module, Value
from machines.instructions import operations
from machines.operations.row import Operation, Symbol
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR, TYPES, Type
from tests.programs.random_calls import MOST_RUNS, CallStatements
from tests.programs.random_tensors import TensorStatements

_ALL_TYPES = (I8, I16, I32, I64, F32, F64, PTR)


@dataclass(frozen=True)
class Options:
    """What programs may contain.

    size           random statements, roughly
    variables      variables of each type; many of them make register pressure
    types          types of variables besides i1; rows with other types do not appear
    exclude        rows ('div_s.i8') or whole groups ('div_s') that do not appear
    guards, loops, unstructured, early_returns, memory, opaque   features
    faults         some accesses and divisions may fault (the program may still end well)
    unassigned     variables may be read before any assignment
    calls          of functions like the program's own
    recursion      they may call themselves
    aliases        pointers that are given point into buffers that have another name, too
    layouts        'source' keeps blocks as generated, 'any' also shuffles and reverses them
    tensors        tensor operations on buffers of their own, of the types but ptr
    inexact        bounds of their intervals may be variables (i64 has to be among the types)
    indirect       their intervals may be `any` of several
    volatile       some accesses are volatile
    loop_budget    how often the innermost statement may run, at most
    """

    size: int = 40
    variables: int = 3
    types: tuple[Type, ...] = _ALL_TYPES
    exclude: frozenset[str] = frozenset()
    guards: bool = True
    loops: bool = True
    unstructured: bool = True
    early_returns: bool = True
    memory: bool = True
    opaque: bool = False
    faults: bool = False
    unassigned: bool = False
    tensors: bool = False
    inexact: bool = False
    indirect: bool = False
    volatile: bool = False
    calls: bool = False
    recursion: bool = True
    aliases: bool = False
    layouts: str = "any"
    loop_budget: int = 200


@dataclass(frozen=True)
class RandomProgram:
    """`arguments` holds a value for every parameter of `function`; arrays are buffers."""

    module: Module
    function: Function
    arguments: dict[str, object]


def generate(seed: int, options: Options | None = None) -> RandomProgram:
    """The random program of this seed."""
    return _Generator(Random(seed), options or Options()).program()


@cache
def _rows(types: tuple[Type, ...], exclude: frozenset[str]) -> tuple[tuple[Operation, ...], ...]:
    """The rows of plain computation in groups of one operation: ('add.i8', 'add.i16', …), …"""
    groups: dict[str, list[Operation]] = {}
    for name, row in operations().family("ir").items():
        group = name.split(".")[0]
        kinds = {operand.kind for operand in row.operands}
        special = "phi" in row.flags or row.is_of_many
        is_plain = not (row.control or row.access or special or row.implicit_reads)
        if is_plain and kinds <= {*types, I1} and not {name, group} & exclude:
            groups.setdefault(group, []).append(row)
    return tuple(map(tuple, groups.values()))


class _Generator:
    ARRAYS = 2
    BUFFERS = 2

    def __init__(self, random: Random, options: Options):
        self.random, self.options = random, options
        self.types = tuple(t for t in _ALL_TYPES if t in options.types)
        self.rows = _rows(self.types, options.exclude)
        self.module = Module()
        self.builder: Builder
        self.places: dict[str, int] = {}  # bytes of each buffer and array, a power of two
        self.constants: dict[str, int] = {}  # of those that are only loaded
        self.arguments: dict[str, object] = {}
        self.pools: dict[Type, list[str]] = {}
        self.left = options.size
        self.result: Type | None = None
        self.tensors: TensorStatements | None = None
        self.calls: CallStatements | None = None

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # The frame of a program

    def program(self) -> RandomProgram:
        parameters = self.parameters()
        self.result = self.random.choice((None, I1, *self.types))
        self.buffers()
        if self.options.aliases:
            self.alias()
        if self.options.calls and I64 in self.types:
            self.calls = CallStatements.with_functions(self)
        self.builder = add_function(self.module, "main", parameters, self.result)
        self.builder.block("entry")
        self.pools = {
            t: [f"{t}_{i}" for i in range(self.options.variables)] for t in (I1, *self.types)
        }
        self.initial_values(parameters)
        while self.left > 0:
            self.statement(depth=0, runs=1)
        self.finish()
        self.lay_out()
        self.builder.forget_unused_types()
        function = self.builder.function
        return RandomProgram(self.module, function, self.arguments)

    def parameters(self) -> list[tuple[str, Type]]:
        parameters = []
        if self.options.memory and PTR in self.types:
            for number in range(self.random.randrange(self.ARRAYS + 1)):
                name = f"array{number}"
                parameters.append((name, PTR))
                self.arguments[name] = self.array()
                self.places[name] = self.arguments[name].nbytes
        scalars = [t for t in (I1, *self.types) if t is not PTR]
        for number in range(self.random.randrange(5)):
            name, type = f"argument{number}", self.random.choice(scalars)
            parameters.append((name, type))
            self.arguments[name] = self.literal(type)
        self.random.shuffle(parameters)
        self.arguments = {name: self.arguments[name] for name, _ in parameters}
        return parameters

    def array(self) -> np.ndarray:
        type = self.random.choice([t for t in self.types if t is not PTR] or [I64])
        count = self.random.choice((8, 64)) * 8 // type.bytes
        dtype = f"f{type.bytes}" if type.is_float else f"i{type.bytes}"
        return np.array([self.literal(type) for _ in range(count)], dtype)

    def buffers(self) -> None:
        count = (len(_ALL_TYPES) + 1) * self.options.variables
        add_buffer(self.module, Buffer("out", I64, count))
        if self.options.memory and PTR in self.types:
            for number in range(1 + self.random.randrange(self.BUFFERS)):
                size = self.random.choice((64, 512))
                data = self.random.randbytes(size) if self.chance(0.5) else None
                add_buffer(self.module, Buffer(f"buffer{number}", I8, size, data=data))
                self.places[f"buffer{number}"] = size
            if self.chance(0.3):
                data = self.random.randbytes(64)
                add_buffer(self.module, Buffer("constant0", I8, 64, "constant", data))
                self.constants["constant0"] = 64
        if self.options.tensors:
            self.tensors = TensorStatements(self)
            if self.options.memory and PTR in self.types:
                self.places |= {buffer.name: buffer.size for buffer in self.tensors.buffers}

    def alias(self) -> None:
        """Give some pointers the places of buffers instead of their own."""
        flat = [name for name in self.places if name in self.module.buffers]
        for name in [name for name in self.places if name in self.arguments]:
            if flat and self.chance(0.5):
                self.arguments[name] = self.random.choice(flat)
                self.places[name] = self.places[self.arguments[name]]

    def initial_values(self, parameters: list[tuple[str, Type]]) -> None:
        for name, type in parameters:
            if name not in self.places:
                self.pools[type].append(name)
        for type, names in self.pools.items():
            for name in names[: self.options.variables]:
                self.builder.declare(name, type)
                doubtful = self.options.unassigned and type is not I1 and self.chance(0.3)
                guard = Guard(self.variable(I1)) if doubtful else None
                if type is PTR:
                    buffer = self.random.choice(list(self.module.buffers))
                    self.builder.emit("address.ptr", buffer, result=name, guard=guard)
                else:
                    self.builder.emit(f"const.{type}", self.literal(type), result=name, guard=guard)

    def finish(self) -> None:
        """Store every variable, then return."""
        slot = 0
        for type, names in self.pools.items():
            for name in names[: self.options.variables]:
                if PTR in self.types:
                    base = self.builder.emit("address.ptr", "out", result=self.temporary(PTR))
                    place = self.builder.emit("add.ptr", base, 8 * slot, result=base)
                    self.store_variable(place, name, type)
                slot += 1
        self.return_()

    def store_variable(self, place: str, name: str, type: Type) -> None:
        if type is I1:
            if I8 not in self.types:
                return
            name = self.builder.emit("zext.i1.i8", name, result=self.temporary(I8))
            type = I8
        self.builder.emit(f"store.{type}", place, name)

    def return_(self) -> None:
        value = () if self.result is None else (self.variable(self.result),)
        self.builder.return_(*value)

    def lay_out(self) -> None:
        entry, *others = self.builder.function.blocks
        how = (
            "source"
            if self.options.layouts == "source"
            else self.random.choice(("source", "reversed", "shuffled"))
        )
        if how == "reversed":
            others.reverse()
        elif how == "shuffled":
            self.random.shuffle(others)
        self.builder.order([entry, *others])

    # Values

    def temporary(self, type: Type) -> str:
        return self.builder.fresh(f"t_{type}", type)

    def variable(self, type: Type) -> str:
        return self.random.choice(self.pools[type])

    def value(self, type: Type) -> Value:
        """A variable, or now and then a literal."""
        if type is PTR or self.chance(0.75):
            return self.variable(type)
        return self.literal(type)

    def literal(self, type: Type) -> int | float:
        """A value of the type: special ones, small ones, any."""
        if type is I1:
            return self.random.randrange(2)
        if type.is_float:
            specials = (0.0, -0.0, 1.0, -1.0, 0.5, math.inf, -math.inf, math.nan, 1e30, -1e-30)
            ranges = (
                self.random.choice(specials),
                float(self.random.randrange(-100, 100)),
                self.random.uniform(-2.0, 2.0) * 2.0 ** self.random.randrange(-40, 70),
            )
            return canonical(self.random.choice(ranges), type)
        lowest = -(1 << (type.bits - 1))
        ranges = (
            self.random.choice((0, 1, -1, 2, lowest, lowest + 1, -lowest - 1)),
            self.random.randrange(-20, 20),
            self.random.getrandbits(type.bits),
            1 << self.random.randrange(type.bits),
        )
        return canonical(self.random.choice(ranges), type)

    # Statements

    def statement(self, depth: int, runs: int) -> None:
        """One random statement; `runs` is how often this place may run."""
        choices = [(self.computation, 12)]
        if self.places:
            choices.append((self.access, 6))
        if self.tensors:
            choices.append((self.tensors.statement, 10))
        if depth < 4:
            choices.append((lambda: self.conditional(depth, runs), 2))
            if self.options.loops and I64 in self.types and runs * 2 <= self.options.loop_budget:
                choices.append((lambda: self.loop(depth, runs), 2))
            if (
                self.options.unstructured
                and I64 in self.types
                and runs * 4 <= self.options.loop_budget
            ):
                choices.append((lambda: self.region(depth, runs), 1.5))
        if self.options.early_returns:
            choices.append((self.early_return, 0.3))
        if self.options.opaque:
            choices.append((self.opaque, 1))
        if self.calls and runs <= MOST_RUNS:
            choices.append((self.calls.statement, 2))
        self.left -= 1
        make, weights = zip(*choices, strict=True)
        self.random.choices(make, weights)[0]()

    def statements(self, depth: int, runs: int) -> None:
        for _ in range(self.random.randrange(1, 6)):
            self.statement(depth, runs)
            if self.left <= 0:
                return

    def guard(self) -> Guard | None:
        if not self.options.guards or not self.chance(0.2):
            return None
        return Guard(self.variable(I1), self.chance(0.4))

    def computation(self) -> None:
        row = self.random.choice(self.random.choice(self.rows))
        operands = [self.operand(row, operand.kind) for operand in row.reads]
        if row.faults_if and self.options.faults and self.chance(0.2):
            operands[1] = 0 if self.chance(0.2) else operands[1]
        elif row.faults_if:
            # A divisor with its lowest bit set is not 0.
            type = row.reads[1].kind
            operands[1] = self.builder.emit(
                f"or.{type}", operands[1], 1, result=self.temporary(type)
            )
        result = self.random.choice(self.pools[row.writes[0].kind][: self.options.variables])
        self.builder.emit(row, *operands, result=result, guard=self.guard())

    def operand(self, row: Operation, kind: Type | Symbol) -> Value:
        if isinstance(kind, Symbol):
            return self.random.choice(list(self.module.buffers))
        return self.literal(kind) if "literal" in row.flags else self.value(kind)

    def access(self) -> None:
        """A load or store, in bounds and aligned unless faults are wanted."""
        type = self.random.choice(self.types)
        is_load = self.chance(0.5)
        address = self.address(type, self.places | self.constants if is_load else self.places)
        suffix = "_volatile" if self.options.volatile and self.chance(0.5) else ""
        row = f"{{}}{suffix}.{type}"
        if is_load:
            result = self.random.choice(self.pools[type][: self.options.variables])
            self.builder.emit(row.format("load"), address, result=result, guard=self.guard())
        else:
            value = self.value(type)
            self.builder.emit(row.format("store"), address, value, guard=self.guard())

    def address(self, type: Type, places: dict[str, int]) -> str:
        name, size = self.random.choice(list(places.items()))
        base = name
        if name in self.module.buffers:
            base = self.builder.emit("address.ptr", name, result=self.temporary(PTR))
        mask = (size - 1) & ~(type.bytes - 1)
        if self.options.faults and self.chance(0.1):
            mask = self.random.choice((size - 1, 2 * size - 1, -1))
        if I64 not in self.types:
            offset = self.random.randrange(size) & mask
        else:
            offset = self.builder.emit(
                "and.i64", self.variable(I64), mask, result=self.temporary(I64)
            )
        return self.builder.emit("add.ptr", base, offset, result=self.temporary(PTR))

    def opaque(self) -> None:
        result = self.random.choice(self.pools[I1][: self.options.variables])
        self.builder.emit("opaque.i1", result=result, guard=self.guard())

    # Control flow

    def split(self, then: str, other: str) -> None:
        """Branch on some condition."""
        if self.options.opaque and self.chance(0.2):
            self.builder.emit("branch.opaque", then, other)
        else:
            self.builder.branch(self.variable(I1), then, other)

    def conditional(self, depth: int, runs: int) -> None:
        fresh = self.builder.fresh_block
        then, join = fresh("then"), fresh("join")
        other = fresh("else") if self.chance(0.6) else join
        self.split(then, other)
        for name in dict.fromkeys((then, other)):
            if name != join:
                self.builder.block(name)
                self.statements(depth + 1, runs)
                self.builder.jump(join)
        self.builder.block(join)

    def early_return(self) -> None:
        leave, stay = self.builder.fresh_block("leave"), self.builder.fresh_block("stay")
        condition = self.variable(I1)
        self.builder.branch(condition, leave, stay)
        self.builder.block(leave)
        self.return_()
        self.builder.block(stay)

    def loop(self, depth: int, runs: int) -> None:
        """A counted loop, tested at the top or at the bottom, now and then with a way out."""
        trips = self.random.randrange(1, min(8, self.options.loop_budget // runs) + 1)
        builder, counter = self.builder, self.temporary(I64)
        test = builder.fresh("more", I1)
        body, latch, after = (builder.fresh_block(n) for n in ("body", "latch", "after"))
        limit: Value = trips
        if trips == 4 and self.chance(0.5):
            limit = builder.emit("and.i64", self.variable(I64), 3, result=self.temporary(I64))
        builder.emit("const.i64", 0, result=counter)
        builder.jump(latch if self.chance(0.5) else body)
        builder.block(body)
        self.statements(depth + 1, runs * trips)
        if self.chance(0.3):
            stay = builder.fresh_block("stay")
            self.split(after if self.chance(0.5) else latch, stay)
            builder.block(stay)
            self.statements(depth + 1, runs * trips)
        builder.jump(latch)
        builder.block(latch)
        builder.emit("add.i64", counter, 1, result=counter)
        builder.emit("le_s.i64", counter, limit, result=test)
        builder.branch(test, body, after)
        builder.block(after)

    def region(self, depth: int, runs: int) -> None:
        """Blocks that branch anywhere among themselves, entered in two places; going back spends
        fuel."""
        builder = self.builder
        fuel, test = self.temporary(I64), builder.fresh("fuel", I1)
        names = [builder.fresh_block("region") for _ in range(self.random.randrange(3, 7))]
        trips = min(4, self.options.loop_budget // runs)
        builder.emit("const.i64", trips, result=fuel)
        self.split(names[0], self.random.choice(names[:-1]))
        for index, name in enumerate(names[:-1]):
            builder.block(name)
            if not self.chance(0.15):
                self.statements(depth + 1, runs * (trips + 1))
            back = self.random.choice(names[: index + 1])
            forward, further = (self.random.choice(names[index + 1 :]) for _ in range(2))
            if self.chance(0.6):
                builder.emit("sub.i64", fuel, 1, result=fuel)
                builder.emit("ge_s.i64", fuel, 0, result=test)
                builder.emit("and.i1", test, self.variable(I1), result=test)
                builder.branch(test, back, forward)
            elif forward == further:
                builder.jump(forward)
            else:
                self.split(forward, further)
        builder.block(names[-1])


def options_from(types: list[str] | None = None, **fields) -> Options:
    """Options with types given by name: options_from(['i64', 'ptr'], guards=False)."""
    if types is not None:
        fields["types"] = tuple(TYPES[name] for name in types)
    return Options(**fields)
