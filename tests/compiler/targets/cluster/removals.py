"""What must hold of commands that are removed, said of a run without time that removes nothing.

    a command that is removed as a repetition       changes no byte, whenever it runs
    a command that is removed as dead               writes bytes that nobody reads who stays

The run is that of the source, with all cores of the chip; each byte of its scratchpads remembers
whether a dead command wrote it last.
"""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import numpy as np

from compiler import Compilation
from compiler.ir.module import Instruction
from compiler.targets.cluster import interpret
from machines.description.load import Machine
from tests.programs.random_tiles import TileProgram
from tests.programs.tile_runs import run_tiles

REPEATED, DEAD = "remove_repeated_commands", "remove_dead_commands"


def removed(code: Compilation) -> dict[str, set[int]]:
    """The lines of the commands that either pass has removed."""
    found: dict[str, set[int]] = {REPEATED: set(), DEAD: set(), "number_values": set()}
    for step in code.report.steps:
        for remark in step.changes.remarks if step.name in found else ():
            if remark.what in ("command removed", "tensor operation removed"):
                found[step.name].add(remark.location.line)
    return found


def check_in_vain(program: TileProgram, machine: Machine, code: Compilation) -> Counter:
    """Everything that was removed was in vain; how many commands either pass removed."""
    lines = removed(code)
    stay = {
        i.location.line for f in code.functions for _, i in f.instructions() if i.operation.walk
    }
    watched = _Watched(lines[REPEATED] | lines["number_values"], lines[DEAD], stay)
    with patch.object(interpret._Chip, "_command", lambda *given: watched.command(*given)):
        assert run_tiles(program, machine).outcome.status == "done"
    return Counter({name: len(some) for name, some in lines.items()})


class _Watched:
    def __init__(self, repeated: set[int], dead: set[int], stay: set[int]):
        self.repeated, self.dead, self.stay = repeated, dead, stay
        self.perform = interpret._Chip._command
        self.in_vain: dict[tuple, Instruction] = {}

    def command(self, chip, core, point, instruction: Instruction, scalars: tuple):
        line = instruction.location.line
        before = _contents(chip) if line in self.repeated else None
        result = self.perform(chip, core, point, instruction, scalars)
        if before is not None:
            assert _same(before, _contents(chip)), f"line {line} is no repetition"
            return result
        for kind, space, where, address, size in chip.spans:
            pad = interpret.pad_of(space, where)
            for byte in range(address, address + size):
                if kind == "store":
                    self._store((pad, byte), instruction)
                elif line in self.stay and (pad, byte) in self.in_vain:
                    writer = self.in_vain[pad, byte].location.line
                    raise AssertionError(f"line {line} reads what line {writer} writes")
        return result

    def _store(self, byte: tuple, instruction: Instruction) -> None:
        if instruction.location.line in self.dead:
            self.in_vain[byte] = instruction
        else:
            self.in_vain.pop(byte, None)


def _contents(chip) -> list[np.ndarray]:
    return [chip.memory.bytes.copy(), *(pad.copy() for pad in chip.pads.bytes.values())]


def _same(before: list[np.ndarray], after: list[np.ndarray]) -> bool:
    """Pads that were not there before held zeros, and stand behind the others."""
    known = zip(before, after, strict=False)
    return all(map(np.array_equal, *zip(*known, strict=True))) and not any(
        pad.any() for pad in after[len(before) :]
    )
