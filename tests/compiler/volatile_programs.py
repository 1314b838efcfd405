"""Random programs whose accesses to two buffers are volatile, and what is seen of them.

They tempt every pass: the same place read twice, results that nobody reads, stores that the next
one overwrites, invariant accesses in loops, short conditions, loops that can be pipelined.
"""

from __future__ import annotations

from random import Random

from compiler.interpret.functions import interpret, memory_for
from compiler.ir.module import Module
from compiler.pass_lists import PassList
from compiler.targets.epic.interpret import interpret as interpret_machine
from compiler.text_form import parse
from machines.description.load import Machine
from machines.layout import Memory
from tests.compiler.both_ways import build

HEAD = """\
v: i32[4] in global = [7, -3, 11, 200]
w: i64[2] in global = [1, 5]
a: i32[16] in global = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]

func @f(n: i64) -> i64 {
entry:
    x = copy.i32 5
    y = copy.i32 9
    z = copy.i64 1
    pv = address.ptr v
    pw = address.ptr w
    pa = address.ptr a
"""
VOLATILE = {"v": 16, "w": 16}
Seen = list[tuple[str, int, int]]
"""(load or store, address, bytes) of the volatile accesses, in order."""


class _Writer:
    def __init__(self, seed: int):
        self.draw = Random(seed)
        self.lines: list[str] = [HEAD]
        self.blocks = 0

    def line(self, text: str) -> None:
        self.lines.append(f"    {text}\n")

    def block(self, name: str) -> None:
        self.lines.append(f"{name}:\n")

    def statements(self, count: int, depth: int) -> None:
        for _ in range(count):
            kinds = [self.access, self.access, self.access, self.plain, self.sum]
            if depth < 3:
                kinds += [self.condition, self.loop]
            self.draw.choice(kinds)(depth)

    def access(self, depth: int) -> None:
        """A volatile access, often two of the same place."""
        name, t, size = self.draw.choice((("v", "i32", 4), ("w", "i64", 8)))
        place = size * self.draw.randrange(VOLATILE[name] // size)
        self.line(f"p = add.ptr p{name}, {place}" if place else f"p = copy.ptr p{name}")
        value = "z" if t == "i64" else self.draw.choice("xy")
        for _ in range(self.draw.choice((1, 1, 2))):
            guard = ""
            if self.draw.random() < 0.2:
                self.line(f"c = lt_s.i32 x, {self.draw.randrange(-20, 20)}")
                guard = self.draw.choice(("@c ", "@!c "))
            if self.draw.random() < 0.5:
                unread = "u32" if t == "i32" else "u64"
                result = self.draw.choice((value, unread))
                self.line(f"{guard}{result} = load_volatile.{t} p")
            else:
                self.line(f"{guard}store_volatile.{t} p, {value}")

    def plain(self, depth: int) -> None:
        self.line(f"q = add.ptr pa, {4 * self.draw.randrange(16)}")
        if self.draw.random() < 0.5:
            self.line(f"{self.draw.choice('xy')} = load.i32 q")
        else:
            self.line(f"store.i32 q, {self.draw.choice('xy')}")

    def sum(self, depth: int) -> None:
        self.line(f"x = {self.draw.choice(('add', 'sub', 'mul', 'xor'))}.i32 x, y")
        self.line("e = sext.i32.i64 x")
        self.line("z = add.i64 z, e")

    def condition(self, depth: int) -> None:
        self.blocks += 1
        then, other, after = (f"{name}{self.blocks}" for name in ("then", "other", "after"))
        self.line(f"c = gt_s.i32 y, {self.draw.randrange(-20, 20)}")
        self.line(f"branch c, {then}, {other}")
        self.block(then)
        self.statements(self.draw.randrange(1, 3), depth + 1)
        self.line(f"jump {after}")
        self.block(other)
        self.statements(self.draw.randrange(2), depth + 1)
        self.line(f"jump {after}")
        self.block(after)

    def loop(self, depth: int) -> None:
        self.blocks += 1
        head, after = f"loop{self.blocks}", f"done{self.blocks}"
        counter, times = f"i{self.blocks}", self.draw.choice((1, 2, 5, 9))
        self.line(f"{counter} = copy.i64 0")
        self.line(f"jump {head}")
        self.block(head)
        self.statements(self.draw.randrange(1, 5), 3 if self.draw.random() < 0.7 else depth + 1)
        self.line(f"{counter} = add.i64 {counter}, 1")
        bound = "n" if self.draw.random() < 0.3 else times
        self.line(f"c = lt_s.i64 {counter}, {bound}")
        self.line(f"branch c, {head}, {after}")
        self.block(after)


def program(seed: int) -> str:
    """The text of a module with one function, `f(n: i64) -> i64`."""
    writer = _Writer(seed)
    writer.statements(writer.draw.randrange(4, 14), 0)
    writer.line("return z")
    return "".join([*writer.lines, "}\n"])


def _volatile(memory: Memory, events: Seen) -> Seen:
    ranges = [range(memory.address(name), memory.address(name) + VOLATILE[name]) for name in "vw"]
    return [event for event in events if any(event[1] in places for places in ranges)]


def said(module: Module, n: int) -> tuple[Seen, int, dict[str, bytes]]:
    """The accesses, the result and the memory as the program says them."""
    events: Seen = []
    memory = memory_for(module, {})
    function = module.functions["f"]

    def observe(block, index, position, kind, address, size) -> None:
        events.append((kind, address, size))

    outcome = interpret(function, {"n": n}, memory, observe=observe)
    return _volatile(memory, events), outcome.value, _left(module, memory)


def _left(module: Module, memory: Memory) -> dict[str, bytes]:
    """The program's own buffers: code has one for spilled registers beside them."""
    return {name: memory.view(name).tobytes() for name in module.buffers}


class _Watched(Memory):
    """A memory that notes every access."""

    def __init__(self, sizes):
        super().__init__(sizes)
        self.events: Seen = []
        self._stores = False

    def check(self, address: int, size: int, *more: int) -> int:
        offset = super().check(address, size, *more)
        self.events.append(("store" if self._stores else "load", address, size))
        return offset

    def store(self, address: int, size: int, value: int, *more: int) -> None:
        self._stores = True
        super().store(address, size, value, *more)
        self._stores = False


def done(
    module: Module, n: int, machine: Machine, passes: PassList = "default"
) -> tuple[Seen, int, dict[str, bytes]]:
    """The same of the machine code that the passes make."""
    program = build(module.functions["f"], module, machine, passes)
    memory = _Watched(buffer.extent for buffer in program.buffers)
    for buffer in program.buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[:] = list(buffer.data)
    outcome = interpret_machine(program, memory, {"n": n}, machine=machine)
    return _volatile(memory, memory.events), outcome.value, _left(module, memory)


def read(seed: int) -> Module:
    return parse(program(seed), f"{seed}.sir")
