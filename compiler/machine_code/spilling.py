"""Keeping values elsewhere than in registers: the rewriting, once a target says how one is written.

    x = add a, b      ->      $1 = add a, b
                              store slot, $1             (and a load before each row that reads x)
    x = 1000          ->      (again before each row that reads x)

Each value gets a *home*.  Every instruction that names the value names a temporary instead, which
is loaded before it if it is read there and stored after it if it is written.  A value that a single
instruction makes of nothing is made again instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from compiler.ir.builder import Builder
from compiler.ir.copy import copy_instruction
from compiler.ir.module import Function, Guard, Instruction
from compiler.machine_code.operands import Operands
from machines.types import Type


class Spiller(ABC):
    """Rewrites a function so that chosen registers live elsewhere; keeps what it handed out.

    types         register file -> the type that its temporaries have
    temporaries   the short-lived registers it made, which must not be spilled again
    lasting       how many registers it made that are alive for longer
    counts        how many registers went where
    """

    types: Mapping[str, Type]

    def __init__(self, function: Function, operands: Operands):
        self.function = function
        self.temporaries: set[str] = set()
        self.lasting = 0
        self.counts: dict[str, int] = {}
        self.operands = operands
        self._made = 0
        self._homes: dict[str, Any] = {}
        self._origins: dict[str, Instruction] = {}

    # ── what a target says ───────────────────────────────────────────────────────────────────

    @abstractmethod
    def is_made_of_nothing(self, instruction: Instruction) -> bool:
        """Whether an instruction with one result gives the same wherever it stands."""

    @abstractmethod
    def home(self, name: str, file: str) -> tuple[Any, str]:
        """A new home for a register, in any form, and what to count it as."""

    @abstractmethod
    def load(self, register: str, file: str, home: Any) -> list[Instruction]:
        """Code that brings what is in a home into a register."""

    @abstractmethod
    def store(self, register: str, file: str, home: Any) -> list[Instruction]:
        """Code that brings a register's value to its home."""

    def again(self, origin: Instruction, register: str) -> Instruction:
        """The instruction that makes a value of nothing, into another register."""
        made = copy_instruction(origin)
        made.results = (register,)
        return made

    # ── what every target does ───────────────────────────────────────────────────────────────

    def spill(self, names: Sequence[str], files: Mapping[str, str]) -> list[str]:
        """Give each register another home and rewrite everything that names it; `files` has its
        file.  Returns the blocks that changed."""
        self._origins = self._made_of_nothing(names)
        self._homes = {}
        for name in names:
            if name in self._origins:
                what = "recomputed"
            else:
                self._homes[name], what = self.home(name, files[name])
            self.counts[what] = self.counts.get(what, 0) + 1
        gone = frozenset(names)
        builder, changed = Builder(self.function), []
        for name, block in self.function.blocks.items():
            naming = {i for i in block.instructions if _names_some_of(gone, i)}
            if naming:
                code = (self._rewritten(i) if i in naming else (i,) for i in block.instructions)
                builder.set_instructions(block, list(chain.from_iterable(code)))
                changed.append(name)
        return changed

    def temporary(self, file: str) -> str:
        """A new register that is alive beside one instruction only."""
        name = self._register(file)
        self.temporaries.add(name)
        return name

    def lasting_register(self, file: str) -> str:
        """A new register that is alive as long as what it stands for."""
        self.lasting += 1
        return self._register(file)

    def _register(self, file: str) -> str:
        self._made += 1
        name = f"%${self._made}"
        self.function.types[name] = self.types[file]
        return name

    def _made_of_nothing(self, names: Collection[str]) -> dict[str, Instruction]:
        """The registers among `names` that only one instruction writes, and makes of nothing."""
        writers: dict[str, list[Instruction]] = {name: [] for name in names}
        for _, instruction in self.function.instructions():
            for name in instruction.results:
                if name in writers:
                    writers[name].append(instruction)
        return {
            name: found[0]
            for name, found in writers.items()
            if len(found) == 1 and self.is_made_of_nothing(found[0])
        }

    def _rewritten(self, instruction: Instruction) -> list[Instruction]:
        """The instruction over temporaries, with loads before it and stores after it."""
        operands, homes, origins = self.operands, self._homes, self._origins
        written = dict.fromkeys(operands.written(instruction))
        if any(name in origins for name in written):
            return []
        read = dict.fromkeys(operands.read(instruction))
        if operands.keeps_old_value(instruction):
            read |= written
        files = dict(operands.named(instruction))
        names = {
            name: self.temporary(files[name])
            for name in (read | written)
            if name in homes or name in origins
        }
        before: list[Instruction] = []
        for name in read:
            if name in origins:
                before.append(self.again(origins[name], names[name]))
            elif name in homes:
                before += self.load(names[name], files[name], homes[name])
        after: list[Instruction] = []
        for name in written:
            if name in homes:
                after += self.store(names[name], files[name], homes[name])
        guard = instruction.guard
        instruction.results = tuple(names.get(name, name) for name in instruction.results)
        instruction.operands = instruction.operands_with(lambda name: names.get(name, name))
        instruction.guard = guard and Guard(names.get(guard.name, guard.name), guard.negated)
        return [*before, instruction, *after]


def _names_some_of(names: frozenset[str], instruction: Instruction) -> bool:
    guard = instruction.guard
    return not (
        names.isdisjoint(instruction.results)
        and names.isdisjoint(instruction.operands)
        and (guard is None or guard.name not in names)
    )
